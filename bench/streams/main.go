//go:build unix

// Command streams measures what reading rows as they are needed costs: the peak of memory and the
// rows a second of passes over a table of 100 MB and of one of 1 GB, compared with the same passes
// over rows in memory, whose draws are the same to the bit.
//
//	go run ./bench/streams -sgppl ./sgppl -dir /tmp
//
// The tables are simulated into the directory and removed in the end. The ways
// of a size take turns; every figure is the median of the repeats. Those of the steps have the
// smallest and the largest too, and ratios are of two runs of one repeat.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const model = `dim N, P
data x[N, P] : real
data y[N] : bool
param w[P] : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w) }
`

const columns = 20

func main() {
	program := flag.String("sgppl", "sgppl", "the program")
	dir := flag.String("dir", os.TempDir(), "where tables and runs go")
	repeats := flag.Int("repeats", 3, "runs of each way")
	sizes := flag.String("sizes", "100,1000", "sizes in MB")
	passes := flag.Int("passes", 1, "passes of a run")
	text := flag.Bool("text", true, "read text in each pass, too")
	engine := flag.String("engine", "native", "native or vm")
	flag.Parse()
	if err := measure(*program, *dir, *engine, *sizes, *passes, *repeats, *text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A result is one run: seconds of the whole command, of processors too, rows a
// second of its steps alone as it says, and the peak of memory in bytes.
type result struct{ seconds, cpu, rate, peak float64 }

func measure(program, dir, engine, sizes string, passes, repeats int, text bool) error {
	work, err := os.MkdirTemp(dir, "streams-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.WriteFile(filepath.Join(work, "m.sg"), []byte(model), 0o666); err != nil {
		return err
	}
	fmt.Println("| MB | rows | passes | way | peak MB | seconds | CPU seconds | " +
		"M rows/s of the steps | ÷ in memory |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	ways := [][]string{{"--batch-order", "blocks"}, {"--stream", "--cache"}}
	if text {
		ways = append(ways, []string{"--stream"})
	}
	for size := range strings.SplitSeq(sizes, ",") {
		mb, err := strconv.Atoi(size)
		if err != nil {
			return err
		}
		table := filepath.Join(work, "t.csv")
		rows, err := simulate(table, mb)
		if err != nil {
			return err
		}
		results := make([][]result, len(ways))
		for range repeats {
			for i, way := range ways {
				r, err := run(program, work, table, engine, passes, way)
				if err != nil {
					return err
				}
				results[i] = append(results[i], r)
			}
		}
		for i, way := range ways {
			name := "`" + strings.Join(way, " ") + "`"
			if i == 0 {
				name = "in memory"
			}
			of := func(f func(k int) float64) (list []float64) {
				for k := range repeats {
					list = append(list, f(k))
				}
				slices.Sort(list)
				return list
			}
			median := func(f func(r result) float64) float64 {
				return of(func(k int) float64 { return f(results[i][k]) })[repeats/2]
			}
			rates := of(func(k int) float64 { return results[i][k].rate / 1e6 })
			ratios := of(func(k int) float64 { return results[i][k].rate / results[0][k].rate })
			fmt.Printf("| %d | %d | %d | %s | %.0f | %.2f | %.2f | %s | %s |\n", mb, rows, passes,
				name, median(func(r result) float64 { return r.peak })/1e6,
				median(func(r result) float64 { return r.seconds }),
				median(func(r result) float64 { return r.cpu }), spread(rates), spread(ratios))
		}
		os.Remove(table)
	}
	return nil
}

// spread is the median of a sorted list, with its ends.
func spread(list []float64) string {
	n := len(list)
	return fmt.Sprintf("%.2f [%.2f–%.2f]", list[n/2], list[0], list[n-1])
}

// simulate writes a table of about so many megabytes.
func simulate(path string, mb int) (rows int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for k := range columns {
		b = fmt.Appendf(b, "x.%d,", k)
	}
	b = append(b, "y\n"...)
	for written := 0; written < mb*1e6; rows++ {
		written += len(b)
		if _, err := w.Write(b); err != nil {
			return 0, err
		}
		b = b[:0]
		at := 0.0
		for k := range columns {
			x := r.NormFloat64()
			at += x * float64(k%5-2) / 4
			b = append(strconv.AppendFloat(b, x, 'f', 5, 64), ',')
		}
		y := byte('0')
		if r.Float64() < 1/(1+math.Exp(-at)) {
			y = '1'
		}
		b = append(b, y, '\n')
	}
	return rows - 1, w.Flush()
}

var rate = regexp.MustCompile(`([0-9.]+) ?([kMG]?) rows/s`)

// blockRows is what blocks have: about 256 KiB of the table.
const blockRows = "1500"

func run(program, dir, table, engine string, passes int, way []string) (result, error) {
	args := append(strings.Fields("sample m.sg --sampler sgnht --step 0.0001 --batch 100 "+
		"--warmup 0 --thin 1000 --chains 1 --init 0 --progress plain --force --out run "+
		"--block-rows "+blockRows+" --passes "+strconv.Itoa(passes)+" --engine "+engine),
		append(way, "--data", table)...)
	c := exec.Command(program, args...)
	c.Dir = dir
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	began := time.Now()
	err := c.Run()
	r := result{seconds: time.Since(began).Seconds()}
	if err != nil {
		return r, fmt.Errorf("%s %v: %w\n%s", program, args, err, out.String())
	}
	r.cpu = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	r.peak = float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) * 1024
	if m := rate.FindAllStringSubmatch(out.String(), -1); len(m) > 0 {
		last := m[len(m)-1]
		x, _ := strconv.ParseFloat(last[1], 64)
		r.rate = x * map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[last[2]]
	}
	return r, nil
}
