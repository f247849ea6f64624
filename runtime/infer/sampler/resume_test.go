package sampler

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// TestResumeBits: a run interrupted at arbitrary points is the uninterrupted
// run, draws, statistics, health and last checkpoint, bit for bit.
func TestResumeBits(t *testing.T) {
	resumeBits(t, newGaussian(variances(5), 2, 3).withRows(23, 4),
		[]string{"", "gradient:1", "diffusion:0.1"})
}

func resumeBits(t *testing.T, g target.Target, noises []string) {
	schedules := []string{"constant", "halve@0.4", "poly:0.3,20,0.6", "cyclic:3"}
	i := 0
	eachSampler(func(row *table.Row, scheme string) {
		c := config(row.Name, scheme, 0.05)
		c.FullBatch, c.Batch, c.InnerSteps = false, 5, 2
		c.Warmup, c.Draws, c.Thin = 37, 60, 3
		c.Schedule = schedules[i%len(schedules)]
		c.SyntheticNoise = noises[i%len(noises)]
		i++
		whole := mustRun(t, g, c, 1)
		for _, stop := range []int64{0, 1, 36, 37, 38, 101, 216} {
			a := mustChain(t, g, c, 0)
			r := newRecorder()
			out := make([]float64, g.Dim())
			for a.Steps() < stop {
				mustSteps(t, a, 1)
				if err := a.hand(r, out); err != nil {
					t.Fatal(err)
				}
			}
			state, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			b, err := ResumeChain(g, c, 0, state)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Run(context.Background(), r, RunOptions{}); err != nil {
				t.Fatal(err)
			}
			if !sameDraws(whole.draws[0], r.draws[0]) || !slices.Equal(whole.index[0], r.index[0]) {
				t.Errorf("%s %s: resumed at step %d, the draws differ", row.Name, scheme, stop)
			}
			if string(whole.last(0)) != string(r.last(0)) {
				t.Errorf("%s %s: resumed at step %d, the last checkpoint differs", row.Name, scheme, stop)
			}
			for k, s := range whole.stats[0] {
				u := r.stats[0][k]
				if s.GradNorm != u.GradNorm || s.BatchSize != u.BatchSize ||
					s.StepSize != u.StepSize || !bitsEqual(s.Kinetic, u.Kinetic) ||
					!bitsEqual(s.Xi, u.Xi) {
					t.Errorf("%s %s: statistics of draw %d: %+v or %+v", row.Name, scheme, k, s, u)
				}
			}
		}
	})
}

// TestCancel: cancelling hands out checkpoints from which all chains go on.
func TestCancel(t *testing.T) {
	g := newGaussian(variances(3)).withRows(10, 4)
	c := config("msgnht", "", 0.05)
	c.Chains, c.Draws, c.Warmup = 3, 200, 20
	whole := mustRun(t, g, c, 2)

	ctx, cancel := context.WithCancel(context.Background())
	r := newRecorder()
	r.onDraw = func(chain int, index int64) error {
		if index == 57 {
			cancel()
		}
		return nil
	}
	_, err := Run(ctx, g, c, r, RunOptions{Threads: 2})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the error is %v", err)
	}
	resume := make([][]byte, c.Chains)
	total := 0
	for k := range resume {
		resume[k] = r.last(k)
		total += len(r.draws[k])
	}
	if total == 0 || total == int(c.Draws)*c.Chains {
		t.Fatalf("%d draws before the interruption", total)
	}
	r.onDraw = nil
	if _, err := Run(context.Background(), g, c, r,
		RunOptions{Threads: 2, Resume: resume}); err != nil {
		t.Fatal(err)
	}
	for k := range resume {
		if !sameDraws(whole.draws[k], r.draws[k]) {
			t.Errorf("chain %d differs after the interruption", k)
		}
	}
}

// TestMoreDraws: under a constant step a finished run goes on with more draws.
func TestMoreDraws(t *testing.T) {
	g := newGaussian(variances(3))
	c := config("sghmc", "", 0.1)
	c.Draws, c.Warmup = 30, 10
	short := mustRun(t, g, c, 1)
	c.Draws = 80
	long := mustRun(t, g, c, 1)
	r := newRecorder()
	if _, err := Run(context.Background(), g, c, r,
		RunOptions{Resume: [][]byte{short.last(0)}}); err != nil {
		t.Fatal(err)
	}
	if !sameDraws(long.draws[0], append(short.draws[0], r.draws[0]...)) {
		t.Error("30 draws and 50 more are not 80 draws")
	}
}

func TestCheckpointErrors(t *testing.T) {
	g := newGaussian(variances(3))
	c := config("msgnht", "", 0.1)
	ch := mustChain(t, g, c, 1)
	mustSteps(t, ch, 10)
	good, _ := ch.MarshalBinary()
	refused := func(what, want string, c settings.Config, number int, state []byte) {
		t.Helper()
		_, err := ResumeChain(g, c, number, state)
		var ce *CheckpointError
		if !errors.As(err, &ce) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", what, want, err)
		}
	}
	refused("empty", "not a checkpoint", c, 1, nil)
	refused("short", "damaged", c, 1, good[:len(good)-9])
	for i := len(checkpointMagic); i < len(good); i += 7 {
		bad := slices.Clone(good)
		bad[i] ^= 4
		refused("a flipped bit", "damaged", c, 1, bad)
	}
	refused("another chain", "chain 1, not 2", c, 2, good)
	other := c
	other.Friction = 7
	refused("another friction", "other settings", other, 1, good)
	if _, err := ResumeChain(g, c, 1, good); err != nil {
		t.Error(err)
	}
	for _, steps := range []int64{-1, math.MinInt64, math.MaxInt64} {
		refused("a wrong number of steps", "counts", c, 1, atStep(good, steps))
	}
}

// TestCheckpointOrder: a checkpoint of passes over many rows is refused if an older program wrote
// it, whose passes had another order. All other checkpoints stay as they were.
func TestCheckpointOrder(t *testing.T) {
	few := newGaussian(variances(2)).withRows(1<<16, 4)
	many := newGaussian(variances(2)).withRows(1<<16+1, 4)
	for _, x := range []struct {
		g     *gaussian
		order string
		magic string
	}{
		{few, "shuffle", "sgchain3"}, {many, "shuffle", "sgchain4"},
		{many, "sequential", "sgchain3"}, {many, "replace", "sgchain3"},
	} {
		c := config("sghmc", "", 1e-4)
		c.FullBatch, c.Batch, c.BatchOrder = false, 10, x.order
		whole := mustChain(t, x.g, c, 0)
		mustSteps(t, whole, 7)
		state, _ := whole.MarshalBinary()
		if string(state[:8]) != x.magic {
			t.Errorf("%d rows, %s: a checkpoint begins with %q, want %q", x.g.Rows(), x.order,
				state[:8], x.magic)
		}
		part, err := ResumeChain(x.g, c, 0, state)
		if err != nil {
			t.Fatal(err)
		}
		mustSteps(t, whole, 5)
		mustSteps(t, part, 5)
		if !slices.Equal(whole.state.X, part.state.X) {
			t.Errorf("%d rows, %s: a resumed chain is elsewhere", x.g.Rows(), x.order)
		}
		older := sealedAs(state, checkpointMagic)
		_, err = ResumeChain(x.g, c, 0, older)
		var refused *CheckpointError
		if x.magic == checkpointMagic {
			if err != nil {
				t.Error(err)
			}
		} else if !errors.As(err, &refused) || !strings.Contains(err.Error(), "another order") {
			t.Errorf("of an older checkpoint: %v", err)
		}
	}
}

// sealedAs is a checkpoint with another magic.
func sealedAs(state []byte, magic string) []byte {
	out := append([]byte(magic), state[len(magic):len(state)-4]...)
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

// atStep is a checkpoint whose chain has taken another number of steps.
func atStep(state []byte, steps int64) []byte {
	const label, tail = 8 + 3*8, 4
	out := slices.Clone(state[:len(state)-tail])
	binary.LittleEndian.PutUint64(out[label:], uint64(steps))
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

// TestResumeFarOn: a chain that has taken any number of steps takes the next one at
// once, and observes it as often as the steps before.
func TestResumeFarOn(t *testing.T) {
	g := newGaussian(variances(3))
	c := config("msgnht", "", 0.1)
	ch := mustChain(t, g, c, 1)
	mustSteps(t, ch, 10)
	good, _ := ch.MarshalBinary()
	for _, steps := range []int64{1 << 40, 1 << 61, math.MaxInt64/2 - 5} {
		far, err := ResumeChain(g, c, 1, atStep(good, steps))
		if err != nil {
			t.Fatal(err)
		}
		mustSteps(t, far, 3)
		if every := far.health.directions.spacing(steps); every > steps/lookDense*2 ||
			every < steps/lookDense/2 {
			t.Errorf("after %d steps, every %d is observed", steps, every)
		}
	}
}

// sunk is a target whose log density is infinite, though its gradient is finite.
type sunk struct{ target.Target }

type sunkEval struct{ target.Evaluator }

func (s sunk) NewEvaluator(rows int) target.Evaluator {
	return sunkEval{s.Target.NewEvaluator(rows)}
}

func (e sunkEval) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	e.Evaluator.Gradient(x, rows, scale, jacobian, grad)
	return math.Inf(-1)
}

// TestResumeWithoutDensity: a chain with a Metropolis test that goes on where the log
// density is infinite says so.
func TestResumeWithoutDensity(t *testing.T) {
	g := newGaussian(variances(3))
	for _, name := range []string{"nuts", "gmc"} {
		c := settings.DefaultConfig()
		c.Sampler, c.Chains, c.Warmup, c.Draws = name, 1, 20, 20
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, 30)
		state, err := ch.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		far, err := ResumeChain(sunk{g}, c, 0, state)
		if err != nil {
			t.Fatal(err)
		}
		err = far.Step()
		if e, is := IsNonFinite(err); !is || e.Quantity != "log density" ||
			!strings.Contains(err.Error(), "at step 31: the log density is -Inf") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestClock: checkpoints and progress come at intervals of the given clock.
func TestClock(t *testing.T) {
	g := newGaussian(variances(2))
	c := config("sghmc", "", 0.1)
	c.Draws, c.Warmup = 900, 100
	now := time.Unix(0, 0)
	r := newRecorder()
	o := RunOptions{Threads: 1, ProgressEvery: time.Second, CheckpointEvery: 10 * time.Second,
		Now: func() time.Time { now = now.Add(60 * time.Millisecond); return now }}
	if _, err := Run(context.Background(), g, c, r, o); err != nil {
		t.Fatal(err)
	}
	// 1000 steps, each looked at: 60 s.
	if n := len(r.checkpoints[0]); n < 5 || n > 7 {
		t.Errorf("%d checkpoints in 60 s", n)
	}
	if n := len(r.progress); n < 50 || n > 61 {
		t.Errorf("%d messages in 60 s", n)
	}
	last := r.progress[len(r.progress)-1]
	if !last.Done || last.Step != 1000 || last.Draws != 900 || last.Steps != 1000 {
		t.Errorf("the last message is %+v", last)
	}
}

// TestSinkError stops the run.
func TestSinkError(t *testing.T) {
	full := errors.New("disk full")
	r := newRecorder()
	r.onDraw = func(chain int, index int64) error {
		if chain == 1 && index == 3 {
			return full
		}
		return nil
	}
	c := config("sghmc", "", 0.1)
	c.Chains = 2
	if _, err := Run(context.Background(), newGaussian(variances(2)), c, r,
		RunOptions{Threads: 2}); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}
