package optimize

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// recorder is a sink that keeps everything as text and bits.
type recorder struct {
	mu          sync.Mutex
	points      map[string]string // by chain and kind, and of iterates by step
	x           map[string][]float64
	checkpoints map[int][][]byte
	progress    []Progress
}

func newRecorder() *recorder {
	return &recorder{points: map[string]string{}, x: map[string][]float64{},
		checkpoints: map[int][][]byte{}}
}

func (r *recorder) Point(chain int, kind Kind, out []float64, s *Stats) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := fmt.Sprint(chain, " ", kind)
	if kind == Iterate {
		name += fmt.Sprint(" ", s.Step)
	}
	bits := make([]uint64, len(out))
	for i, x := range out {
		bits[i] = math.Float64bits(x)
	}
	r.points[name] = fmt.Sprint(bits, *s)
	r.x[name] = slices.Clone(out)
	return nil
}
func (r *recorder) Progress(p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress = append(r.progress, p)
}
func (r *recorder) Checkpoint(chain int, state []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checkpoints[chain] = append(r.checkpoints[chain], slices.Clone(state))
	return nil
}

// ticks is a clock that moves whenever it is looked at.
func ticks() func() time.Time {
	var mu sync.Mutex
	at := time.Unix(0, 0)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(20 * time.Millisecond)
		return at
	}
}

// runConfig has everything on.
func runConfig(row *Row) Config {
	c := config(row.Name, 0.01, 400)
	c.Chains, c.Iterates, c.Average, c.CheckEvery, c.Patience, c.Clip, c.Schedule = 3, 7, 0.5, 13,
		100, 1, "halve@0.6"
	return c
}

// TestBits: points do not depend on threads, nor on where a run was interrupted:
// from any checkpoint it comes out the same.
func TestBits(t *testing.T) {
	l := newLogistic(40, 5)
	t.Run("f64", func(t *testing.T) { testBits(t, l) })
	t.Run("f32", func(t *testing.T) { testBits(t, singly{l}) })
}

func testBits(t *testing.T, l target.Target) {
	held := newLogistic(23, 5)
	for i := range Table {
		c := runConfig(&Table[i])
		whole := newRecorder()
		if _, err := Run(t.Context(), l, held, c, whole,
			loop.Options{Threads: 1, Now: ticks(), CheckpointEvery: 200 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		if len(whole.points) != 3*(3+7) || len(whole.checkpoints[1]) < 4 {
			t.Fatalf("%s: %d points, %d checkpoints", c.Algorithm, len(whole.points),
				len(whole.checkpoints[1]))
		}
		again := newRecorder()
		if _, err := Run(t.Context(), l, held, c, again, loop.Options{Threads: 3}); err != nil {
			t.Fatal(err)
		}
		same(t, c.Algorithm+" on three threads", again, whole, 3*(3+7))
		for k := range whole.checkpoints[1] {
			part := newRecorder()
			resume := [][]byte{whole.checkpoints[0][0], whole.checkpoints[1][k], nil}
			if _, err := Run(t.Context(), l, held, c, part,
				loop.Options{Threads: 2, Resume: resume}); err != nil {
				t.Fatal(err)
			}
			same(t, fmt.Sprintf("%s from checkpoint %d", c.Algorithm, k), part, whole, 3*3)
			a, b := part.checkpoints[1], whole.checkpoints[1]
			if string(a[len(a)-1]) != string(b[len(b)-1]) {
				t.Errorf("%s: the last checkpoint after checkpoint %d is another", c.Algorithm, k)
			}
		}
	}
}

// same holds the points of a run, at least so many, against those of another.
func same(t *testing.T, what string, got, want *recorder, least int) {
	t.Helper()
	if len(got.points) < least {
		t.Errorf("%s: %d points", what, len(got.points))
	}
	for name, text := range got.points {
		if want.points[name] != text {
			t.Errorf("%s: %s is\n%s, not\n%s", what, name, text, want.points[name])
		}
	}
}

// TestCancel: a run that is cancelled hands out its points so far and a
// checkpoint from which it goes on.
func TestCancel(t *testing.T) {
	l := newLogistic(40, 5)
	c := config("santa", 0.01, 3000)
	c.Iterates = 5
	whole := newRecorder()
	if _, err := Run(t.Context(), l, nil, c, whole, loop.Options{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	part := newRecorder()
	looks := 0
	now := ticks()
	_, err := Run(ctx, l, nil, c, part, loop.Options{Now: func() time.Time {
		if looks++; looks == 300 {
			cancel()
		}
		return now()
	}})
	if !errors.Is(err, context.Canceled) || part.points["0 best"] == "" ||
		part.points["0 best"] == whole.points["0 best"] {
		t.Fatalf("%v, best %s", err, part.points["0 best"])
	}
	if _, err := Run(t.Context(), l, nil, c, part,
		loop.Options{Resume: [][]byte{part.checkpoints[0][0]}}); err != nil {
		t.Fatal(err)
	}
	same(t, "after cancelling", part, whole, 8)
}

// TestNoAllocations in steps, checks included.
func TestNoAllocations(t *testing.T) {
	l := newLogistic(40, 5)
	for i := range Table {
		for _, of := range []target.Target{l, singly{l}} {
			c := config(Table[i].Name, 1e-3, 100000)
			c.CheckEvery, c.Average, c.Clip = 10, 1, 0.1
			ch := mustChain(t, of, l, c, 0)
			if n := testing.AllocsPerRun(200, func() { mustSteps(t, ch, 1) }); n != 0 {
				t.Errorf("%s allocates %g times a step", c.Algorithm, n)
			}
		}
	}
}

// TestBestAndPatience: the best point is that of the best check, and a chain
// ends after so many worse ones, those of the exploration not counted.
func TestBestAndPatience(t *testing.T) {
	l, held := newLogistic(40, 5), newLogistic(9, 5) // few held-out rows, soon fitted too well
	held.y[3], held.y[4] = -held.y[3], -held.y[4]
	for _, name := range []string{"adam", "santa"} {
		c := config(name, 0.01, 4000)
		c.CheckEvery, c.Patience, c.Burnin = 20, 9, ptr(1000)
		if name == "adam" {
			c.Burnin = nil
		}
		ch := mustChain(t, l, held, c, 0)
		best, at, worse := math.Inf(-1), int64(0), 0
		for !ch.Done() {
			mustSteps(t, ch, 1)
			if s := ch.Steps(); s%20 == 0 {
				switch v := ch.HeldOut(ch.Position()); {
				case v > best:
					best, at, worse = v, s, 0
				case name == "adam" || s > 1000:
					worse++
				}
			}
		}
		x, value, step := ch.Best()
		if value != best || step != at || ch.HeldOut(x) != best {
			t.Errorf("%s: best %g at step %d (its point scores %g), want %g at %d", name, value,
				step, ch.HeldOut(x), best, at)
		}
		if !ch.Stopped() || worse != 9 || ch.Steps() == 4000 {
			t.Errorf("%s: ended at step %d after %d worse checks", name, ch.Steps(), worse)
		}
		if name == "santa" && ch.Steps() <= 1000 {
			t.Errorf("santa gave up while exploring, at step %d", ch.Steps())
		}
	}
}

// TestAverage is the mean of the last iterates, and iterates are some of them.
func TestAverage(t *testing.T) {
	l := newLogistic(40, 5)
	c := config("sgd", 0.3, 90)
	c.Average, c.Iterates = 1.0/3, 4
	ch := mustChain(t, l, nil, c, 0)
	sum, at := make([]float64, 5), []int64(nil)
	for step := int64(1); step <= 90; step++ {
		mustSteps(t, ch, 1)
		if step > 60 {
			for i, x := range ch.Position() {
				sum[i] += x / 30
			}
		}
		if ch.iterate() {
			at = append(at, step)
		}
	}
	for i, x := range ch.Average() {
		if math.Abs(x-sum[i]) > 1e-13 {
			t.Errorf("the average is %g, want %g", x, sum[i])
		}
	}
	if len(at) != 4 || at[0] < 61 || at[3] != 90 {
		t.Errorf("iterates at steps %v", at)
	}
}

// TestMode: on all rows every algorithm comes to the mode, which is that of the
// model's own coordinates whatever the Jacobian; so does Santa from minibatches,
// within their noise.
func TestMode(t *testing.T) {
	l := newLogistic(60, 5)
	for j := range l.jacobian {
		l.jacobian[j] = 20 * (float64(j) - 1.5)
	}
	mode := l.mode()
	for name, h := range map[string]float64{"sgd": 1, "sgdm": 0.2, "rmsprop": 0.001, "adam": 0.005,
		"santa": 0.01, "santa-e": 0.005, "santa-refine": 0.01} {
		c := config(name, h, 20000)
		c.Batch, c.FullBatch = 0, true
		c.Average, c.Schedule = 0.05, "cyclic:1"
		if row, _ := Lookup(name); row.Anneals {
			c.AnnealA, c.AnnealGamma, c.Burnin = ptr(1), ptr(1), ptr(6000)
		}
		r := newRecorder()
		if _, err := Run(t.Context(), l, nil, c, r, loop.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, kind := range []string{"last", "best", "average"} {
			for j, x := range r.x["0 "+kind] {
				if !(math.Abs(x-mode[j]) < 2e-3) {
					t.Errorf("%s, %s: coordinate %d is %.6f, the mode's %.6f", name, kind, j, x, mode[j])
				}
			}
		}
	}
}

// TestDivergence ends a chain with block and step; the best point is kept.
func TestDivergence(t *testing.T) {
	l := newLogistic(40, 5)
	for i := range Table {
		c := config(Table[i].Name, 0.1, 5000)
		c.Init = [][]float64{{0, 0, 0, 0, 0}}
		c.CheckEvery = 1
		l.wall = 0.15 // the chains come there
		r := newRecorder()
		_, err := Run(t.Context(), l, nil, c, r, loop.Options{})
		e, ok := sampler.IsNonFinite(err)
		if !ok || e.Block != "v" || e.Index != 0 || e.Step < 2 || e.LastGood != e.Step-1 ||
			!strings.Contains(err.Error(), "smaller --step") {
			t.Errorf("%s: %v", c.Algorithm, err)
			continue
		}
		if x := r.x["0 best"]; x == nil || slices.ContainsFunc(x,
			func(a float64) bool { return !special.Finite(a) }) {
			t.Errorf("%s: the best point is %v", c.Algorithm, x)
		}
	}
}

// TestResolve walks the refusals.
func TestResolve(t *testing.T) {
	l := newLogistic(40, 5)
	curved := &sphere{*l}
	for _, x := range []struct {
		says   string
		held   target.Target
		on     target.Target
		change func(c *Config)
	}{
		{"--algorithm: there is no algorithm \"lbfgs\"; try one of santa, ", nil, l,
			func(c *Config) { c.Algorithm = "lbfgs" }},
		{"--step: a step size is needed", nil, l, func(c *Config) { c.Step = 0 }},
		{"--step: the step size must be above 0", nil, l, func(c *Config) { c.Step = -1 }},
		{"--step-schedule", nil, l, func(c *Config) { c.Schedule = "linear" }},
		{"--steps: 0 steps", nil, l, func(c *Config) { c.Steps = 0 }},
		{"--momentum: algorithm santa has no such setting; try --algorithm adam, sgdm", nil, l,
			func(c *Config) { c.Momentum = ptr(0.5) }},
		{"--burnin: algorithm adam has no such setting; try --algorithm santa, santa-e", nil, l,
			func(c *Config) { c.Algorithm, c.Burnin = "adam", ptr(5) }},
		{"--decay: 1: 0 ≤ σ < 1", nil, l, func(c *Config) { c.Decay = ptr(1) }},
		{"--burnin: 1.5: it is a number of steps", nil, l, func(c *Config) { c.Burnin = ptr(1.5) }},
		{"--anneal-a: NaN: it must be a number", nil, l,
			func(c *Config) { c.AnnealA = ptr(math.NaN()) }},
		{"--batch: santa takes stochastic gradients, and axis N (40 rows)", nil, l,
			func(c *Config) { c.Batch = 0 }},
		{"--batch: 50 rows are asked for", nil, l, func(c *Config) { c.Batch = 50 }},
		{"--patience: a run ends early on held-out data; try --validate", nil, l,
			func(c *Config) { c.Patience = 3 }},
		{"--validate: there are no rows", newWell(), l, func(c *Config) {}},
		{"--validate: with these rows the model has 4 unknowns", newLogistic(3, 4), l,
			func(c *Config) {}},
		{"block w lives on the space \"sphere\"", nil, curved, func(c *Config) {}},
		{"--iterates: 40 iterates of the last 25 steps", nil, l,
			func(c *Config) { c.Steps, c.Iterates = 100, 40 }},
		{"--average", nil, l, func(c *Config) { c.Average = 1.5 }},
		{"--clip", nil, l, func(c *Config) { c.Clip = -1 }},
		{"--chains", nil, l, func(c *Config) { c.Chains = 0 }},
		{"--init: a starting point has 1 coordinates", nil, l,
			func(c *Config) { c.Init = [][]float64{{1}} }},
	} {
		c := config("santa", 0.01, 1000)
		x.change(&c)
		_, err := NewChain(x.on, x.held, c, 0)
		var config *sampler.ConfigError
		if !errors.As(err, &config) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%q: %v", x.says, err)
		}
	}
}

type sphere struct{ logistic }

func (s *sphere) Blocks() []target.Block {
	b := s.logistic.Blocks()
	b[0].Geometry.Kind = "sphere"
	return b
}

// TestTable: names are one, every setting is some algorithm's and the other way
// round, and what is resolved is complete and reads back from JSON.
func TestTable(t *testing.T) {
	l := newLogistic(40, 5)
	seen := map[string]bool{}
	known := map[string]bool{}
	for _, s := range Settings {
		known[s.Name] = true
		used := slices.ContainsFunc(Table, func(r Row) bool { _, ok := r.Uses[s.Name]; return ok })
		if !used || s.Doc == "" {
			t.Errorf("setting %s is nobody's, or has no text", s.Name)
		}
	}
	for i := range Table {
		row := &Table[i]
		for _, name := range append([]string{row.Name}, row.Aliases...) {
			if got, ok := Lookup(name); seen[name] || !ok || got != row {
				t.Errorf("%s is not the name of one row", name)
			}
			seen[name] = true
		}
		if row.Doc == "" || row.Update == "" || row.Source == "" || row.update.double == nil ||
			row.update.single == nil || row.Prepares && !row.Thermostat {
			t.Errorf("row %s has a hole", row.Name)
		}
		for name := range row.Uses {
			if !known[name] {
				t.Errorf("%s uses %s, which is no setting", row.Name, name)
			}
		}
		c, err := config(row.Name, 0.01, 1000).Resolve(l, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range Settings {
			if _, used := row.Uses[s.Name]; used != (*s.of(&c) != nil) {
				t.Errorf("%s: %s is resolved wrongly", row.Name, s.Name)
			}
		}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var back Config
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if again, _ := json.Marshal(back); string(again) != string(text) {
			t.Errorf("%s reads back as %s", text, again)
		}
		if twice, err := back.Resolve(l, nil); err != nil {
			t.Error(err)
		} else if again, _ := json.Marshal(twice); string(again) != string(text) {
			t.Errorf("%s is resolved again as %s", text, again)
		}
	}
}

// resealed is a checkpoint with another whole number at a place.
func resealed(b []byte, at int, n int64) []byte {
	out := slices.Clone(b[:len(b)-4])
	binary.LittleEndian.PutUint64(out[at:], uint64(n))
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

// TestCheckpointOrder: a checkpoint of passes over many rows is refused if an older program wrote
// it, whose passes had another order. Those of fewer rows stay as they were.
func TestCheckpointOrder(t *testing.T) {
	for rows, magic := range map[int]string{1 << 16: "sgoptim2", 1<<16 + 1: "sgoptim3"} {
		l, c := newLogistic(rows, 2), config("santa", 1e-4, 100)
		ch := mustChain(t, l, nil, c, 0)
		mustSteps(t, ch, 3)
		good := ch.AppendBinary(nil)
		if string(good[:8]) != magic {
			t.Errorf("%d rows: a checkpoint begins with %q, want %q", rows, good[:8], magic)
		}
		if _, err := ResumeChain(l, nil, c, 0, good); err != nil {
			t.Error(err)
		}
		older := append([]byte(checkpointMagic), good[8:len(good)-4]...)
		older = binary.LittleEndian.AppendUint32(older, crc32.ChecksumIEEE(older))
		_, err := ResumeChain(l, nil, c, 0, older)
		var e *sampler.CheckpointError
		if magic != checkpointMagic &&
			(!errors.As(err, &e) || !strings.Contains(err.Error(), "another order")) {
			t.Errorf("of an older checkpoint: %v", err)
		}
	}
}

func TestCheckpointErrors(t *testing.T) {
	l := newLogistic(40, 5)
	c := config("santa", 0.01, 100)
	ch := mustChain(t, l, nil, c, 0)
	mustSteps(t, ch, 10)
	good := ch.AppendBinary(nil)
	other := c
	other.AnnealA = ptr(3)
	for _, x := range []struct {
		says  string
		c     Config
		chain int
		b     []byte
	}{
		{"other settings", other, 0, good},
		{"chain 0, not 1", c, 1, good},
		{"damaged", c, 0, append(slices.Clone(good[:40]),
			append([]byte{good[40] + 1}, good[41:]...)...)},
		{"not a checkpoint", c, 0, good[:5]},
		{"damaged", c, 0, good[:60]},
		{"counts -1 steps", c, 0, resealed(good, 8+3*8, -1)},
	} {
		_, err := ResumeChain(l, nil, x.c, x.chain, x.b)
		var e *sampler.CheckpointError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v", x.says, err)
		}
	}
	if _, err := ResumeChain(l, l, c, 0, good); err == nil {
		t.Error("a run without held-out data goes on with them")
	}
}
