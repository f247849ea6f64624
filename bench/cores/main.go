// Command cores measures one chain with one thread and with several, which share its steps: full
// passes of nuts, a large minibatch, networks. Draws are the same, so each draw is the same work.
//
//	go run ./bench/cores [-threads 2] [-rounds 9] [-quiet 0.1] [-only REGEXP]
//
// The numbers of threads take turns, a line of Go's benchmarks for each round. "all" is the
// processor time of all threads, with what they wait for one another without sleeping. With -quiet
// only rounds count in which others took at most that share of the processors.
//
// "chains at once ×" is what the machine gives: so many chains of one thread each, of the same
// data, run at the same time, and make that many times the draws of a chain that runs alone. One
// chain with as many threads can hardly gain more. The lines of "Machine" say the same of loops.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sgppl/sgppl/bench/internal/recorded"
	"github.com/sgppl/sgppl/bench/internal/training"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

func main() {
	threads := flag.Int("threads", 2, "threads of the chain that is compared with one thread")
	rounds := flag.Int("rounds", 9, "how often both take turns")
	quiet := flag.Float64("quiet", 1, "a round counts if others take at most this share")
	only := flag.String("only", "", "work whose name matches this expression")
	profile := flag.String("cpuprofile", "",
		"a file for a profile of ten times the steps with several threads, for go tool pprof")
	flag.Parse()
	wanted, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Printf("load %s\n", load())
	if err := machine(*threads, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, w := range works {
		if !wanted.MatchString(w.name) {
			continue
		}
		err := compare(w, *threads, *rounds, *quiet)
		if err == nil && *profile != "" {
			err = steps(w, *threads, *profile)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, w.name+":", err)
			os.Exit(1)
		}
	}
	fmt.Printf("load %s\n", load())
}

// steps writes a profile of steps alone, from the first draw to the last of ten times as many as
// are measured. The profile of the last work is what stays.
func steps(w work, threads int, path string) error {
	t, err := w.target()
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := &clock{draws: 10 * w.draws, profile: f}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	_, err = sampler.Run(ctx, t, w.config, s, sampler.RunOptions{Threads: threads})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// load is how many programs want a processor, as Linux counts them.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}

// busyTime is how long the processors have worked, for all programs, as Linux counts it. It is 0
// elsewhere.
func busyTime() time.Duration {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(b), "\n")
	total := 0
	for i, f := range strings.Fields(line)[1:] {
		if n, err := strconv.Atoi(f); err == nil && i != 3 && i != 4 && i < 8 { // idle, waiting
			total += n
		}
	}
	const tick = 10 * time.Millisecond
	return time.Duration(total) * tick
}

// A times has the seconds of every round of one number of threads, and the bits of the draws of the
// last one.
type times struct {
	wall, all []float64
	bits      []uint64
}

func compare(w work, threads, rounds int, quiet float64) error {
	t, err := w.target()
	if err != nil {
		return err
	}
	all := map[int]*times{1: {}, threads: {}}
	var bound []float64
	tries := 0
	for ; len(all[1].wall) < rounds && tries < 60*rounds; tries++ {
		var both []*clock
		busy := busyTime()
		own, began := training.CPUTime(), time.Now()
		for _, n := range []int{1, threads} {
			s, err := chain(t, w, n)
			if err != nil {
				return err
			}
			both = append(both, s)
		}
		pair, err := atOnce(t, w, threads)
		if err != nil {
			return err
		}
		others := busyTime() - busy - (training.CPUTime() - own)
		if busy > 0 && others.Seconds() >
			quiet*float64(runtime.NumCPU())*time.Since(began).Seconds() {
			continue
		}
		for i, n := range []int{1, threads} {
			all[n].add(both[i])
		}
		bound = append(bound, float64(threads)*both[0].wall()/pair)
	}
	if len(all[1].wall) == 0 {
		fmt.Fprintf(os.Stderr, "%s: no quiet round among %d\n", w.name, tries)
		return nil
	}
	one, more := all[1], all[threads]
	if !slices.Equal(one.bits, more.bits) {
		return fmt.Errorf("%d threads have other draws", threads)
	}
	steps := float64(w.draws-1) * float64(w.config.Thin) / 1e3
	for i := range one.wall {
		err := recorded.Line(os.Stdout, "Cores/"+w.name,
			recorded.Value{Value: one.wall[i] / steps, Unit: "1 thread, ms"},
			recorded.Value{Value: more.wall[i] / steps, Unit: fmt.Sprintf("%d threads, ms", threads)},
			recorded.Value{Value: one.wall[i] / more.wall[i], Unit: "wall ÷"},
			recorded.Value{Value: bound[i], Unit: "chains at once ×"},
			recorded.Value{Value: more.all[i] / one.all[i], Unit: "all ×"})
		if err != nil {
			return err
		}
	}
	if quiet < 1 {
		fmt.Fprintf(os.Stderr, "%s: %d of %d rounds were quiet\n", w.name, len(one.wall), tries)
	}
	return nil
}

// chain runs a chain with so many threads.
func chain(t target.Target, w work, threads int) (*clock, error) {
	s := &clock{draws: w.draws}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	_, err := sampler.Run(ctx, t, w.config, s, sampler.RunOptions{Threads: threads})
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return s, err
}

// atOnce runs as many chains as there are threads, each with one thread, at the same time. It
// returns the mean of their seconds.
func atOnce(t target.Target, w work, threads int) (float64, error) {
	clocks, errs := make([]*clock, threads), make([]error, threads)
	var ended sync.WaitGroup
	for i := range clocks {
		ended.Go(func() { clocks[i], errs[i] = chain(t, w, 1) })
	}
	ended.Wait()
	if err := errors.Join(errs...); err != nil {
		return 0, err
	}
	sum := 0.0
	for _, c := range clocks {
		sum += c.wall()
	}
	return sum / float64(threads), nil
}

// wall is the seconds from the first draw to the last.
func (c *clock) wall() float64 { return c.at[1].wall.Sub(c.at[0].wall).Seconds() }

func (t *times) add(s *clock) {
	t.wall = append(t.wall, s.wall())
	t.all = append(t.all, (s.at[1].all - s.at[0].all).Seconds())
	t.bits = s.bits
}

// A clock takes the time from the first draw to the last. What comes before, such as the warm-up,
// it leaves out.
type clock struct {
	draws int // it stops the chain after them
	stop  func()
	at    [2]moment
	bits  []uint64

	profile io.Writer // of what comes between them, if it is not nil
}

// A moment is the time by two clocks.
type moment struct {
	wall time.Time
	all  time.Duration
}

// Draw implements sampler.Sink.
func (c *clock) Draw(_ int, index int64, out []float64, _ *sampler.Stats) error {
	switch n := int(index) + 1; {
	case n == c.draws:
		defer c.stop()
	case n > c.draws: // the chain has not looked yet
		return nil
	}
	if c.bits == nil {
		if c.profile != nil {
			if err := pprof.StartCPUProfile(c.profile); err != nil {
				return err
			}
		}
	}
	if c.profile != nil && int(index)+1 == c.draws {
		pprof.StopCPUProfile()
	}
	for _, v := range out[:min(len(out), 100)] {
		c.bits = append(c.bits, math.Float64bits(v))
	}
	c.at[1] = moment{time.Now(), training.CPUTime()}
	if c.at[0].wall.IsZero() {
		c.at[0] = c.at[1]
	}
	return nil
}

// Progress implements sampler.Sink.
func (c *clock) Progress(sampler.Progress) {}

// Checkpoint implements sampler.Sink.
func (c *clock) Checkpoint(int, []byte) error { return nil }
