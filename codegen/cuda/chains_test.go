package cuda

import (
	"encoding/binary"
	"math"
	"testing"

	comp "github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A residence is a model whose chains a machine moves.
type residence struct {
	*model.Model
	t        *testing.T
	compiled *comp.Compiled
}

// ringSize is more than the steps of a test.
const ringSize = 40

func (r *residence) Reside(m sampler.Motion) (sampler.Mover, error) {
	p, err := r.compiled.Whole()
	if err != nil {
		return nil, err
	}
	x, err := Generate(Input{Program: p, Spec: r.compiled.Spec, Dims: r.Dims, Rows: m.Rows,
		Ring: ringSize, Flows: m.Flows, Grain: m.Grain})
	if err != nil {
		return nil, err
	}
	b := &bench{r.Model, x, m.Dim, m.Rows}
	on := &machineMover{newMachine(r.t, x.Job), nil, m.Rows}
	b.load(on.m)
	return on, nil
}

// A machineMover moves a chain on a machine.
type machineMover struct {
	m     *machine
	queue []Step
	rows  int
}

func (o *machineMover) Put(s *flow.Single) error {
	o.queue = nil
	o.m.set(X, s.X)
	o.m.set(V, s.V)
	o.m.set(Xi, s.Xi)
	binary.LittleEndian.PutUint32(o.m.memory[Bad], math.MaxInt32)
	return nil
}

func (o *machineMover) Move(b *sampler.Beat) error {
	for i, r := range b.Rows {
		binary.LittleEndian.PutUint32(o.m.memory[RowOrder][4*(len(o.queue)*o.rows+i):], uint32(r))
	}
	o.queue = append(o.queue, Step{Rows: len(b.Rows), Number: b.Step, Scale: b.Scale,
		Jacobian: b.Jacobian, Seed: b.Seed, Temperature: b.Temperature, SD: b.SD,
		Friction: b.Friction, Times: append([]float32(nil), b.Times...)})
	return nil
}

// run takes the queued steps, the last by itself: its gradient and its end.
func (o *machineMover) run(watch func()) {
	n := len(o.queue)
	if n == 0 {
		return
	}
	lists := []string{Head}
	for k := range o.queue {
		o.queue[k].Joined = k < n-1
		o.queue[k].Put(o.m.memory[Steps], k)
		if k < n-1 {
			lists = append(lists, Whole)
		}
	}
	clear(o.m.memory[Cursor])
	o.m.run(append(lists, Gradient)...)
	if watch != nil {
		watch()
	}
	o.m.run(Tail)
	o.queue = nil
}

func (o *machineMover) Watch(b *sampler.Beat, s *flow.Single) error {
	if err := o.Move(b); err != nil {
		return err
	}
	o.run(func() {
		copy(s.X, o.m.get(X, len(s.X)))
		copy(s.Force, o.m.get(Force, len(s.X)))
	})
	return nil
}

func (o *machineMover) Get(s *flow.Single) (int64, error) {
	o.run(nil)
	copy(s.X, o.m.get(X, len(s.X)))
	copy(s.V, o.m.get(V, len(s.V)))
	copy(s.Xi, o.m.get(Xi, len(s.Xi)))
	if bad := binary.LittleEndian.Uint32(o.m.memory[Bad]); bad != math.MaxInt32 {
		copy(s.Force, o.m.get(Force, len(s.X)))
		return int64(bad), nil
	}
	return -1, nil
}

// residing compiles a model in single precision, with random data.
func residing(t *testing.T, text string, dims map[string]int) *residence {
	t.Helper()
	c, diags := comp.Compile(source.New("model.sg", text), comp.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	if err := c.ToSingle(); err != nil {
		t.Fatal(err)
	}
	m, err := c.VM(randomData(&c.Spec.Schema, dims), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &residence{m, t, c}
}

func dynamics(name, scheme string, step float64) sampler.Config {
	c := sampler.DefaultConfig()
	c.Sampler, c.Scheme, c.Step, c.Friction, c.FixFriction = name, scheme, step, 4, true
	c.Batch, c.Warmup, c.Draws, c.Chains, c.Seed = 130, 10, 100, 1, 9
	return c
}

// TestChains: chains that kernels move are where chains are that the processor moves, but for
// rounding, whatever the sampler, its integrator and the order of rows, with a step that the
// schedule changes, and with rows that do not divide into equal batches.
func TestChains(t *testing.T) {
	r := residing(t, hierarchical, map[string]int{"N": 1000, "P": 12, "G": 40})
	for _, k := range []struct {
		sampler, scheme, order, schedule string
		step                             float64
	}{
		{"msgnht", "split", "shuffle", "", 2e-3},
		{"msgnht", "euler", "replace", "halve@0.05", 2e-3},
		{"sghmc", "split", "sequential", "halve@0.05", 2e-3},
		{"sghmc", "euler", "shuffle", "", 2e-3},
		{"sgld", "euler", "replace", "poly:1e-5,1,0.5", 1e-5},
	} {
		name := k.sampler + " " + k.scheme + " " + k.order
		if testing.Short() && k.order != "replace" {
			continue // each compiles its kernels twice
		}
		cfg := dynamics(k.sampler, k.scheme, k.step)
		cfg.BatchOrder, cfg.Schedule = k.order, k.schedule
		want, err := sampler.NewChain(r.Model, cfg, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sampler.NewChain(r, cfg, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int64{1, 15, 9} { // the second goes beyond a pass
			for _, c := range []*sampler.Chain{want, got} {
				if err := c.Advance(n); err != nil {
					t.Fatal(err)
				}
			}
		}
		state, err := got.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if got, err = sampler.ResumeChain(r, cfg, 0, state); err != nil {
			t.Fatal(err)
		}
		for _, c := range []*sampler.Chain{want, got} {
			if err := c.Advance(6); err != nil {
				t.Fatal(err)
			}
		}
		x := make([]float32, len(got.Position()))
		moved := 0.0
		start, err := sampler.NewChain(r.Model, cfg, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got.Position() {
			x[i] = float32(v)
			moved = max(moved, math.Abs(v-start.Position()[i]))
		}
		if off := distance(x, want.Position()); !(off < 2e-6) || moved < 0.01 {
			t.Errorf("%s: %.3g off, moved by %.3g", name, off, moved)
		} else {
			t.Logf("%s: %.2g off", name, off)
		}
	}
}

// TestDiverged: a chain that kernels move ends at the step at which the processor's does.
func TestDiverged(t *testing.T) {
	r := residing(t, linear, map[string]int{"N": 500, "P": 5})
	cfg := dynamics("sgld", "", 1)
	var steps [2]int64
	for i, target := range []sampler.Resident{nil, r} {
		var c *sampler.Chain
		var err error
		if target == nil {
			c, err = sampler.NewChain(r.Model, cfg, 0)
		} else {
			c, err = sampler.NewChain(target, cfg, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		err = c.Advance(30)
		bad, is := sampler.IsNonFinite(err)
		if !is {
			t.Fatalf("the chain has not diverged: %v", err)
		}
		steps[i] = bad.Step
	}
	if steps[0] != steps[1] {
		t.Errorf("diverged at step %d, and the processor's chain at %d", steps[1], steps[0])
	}
}

// TestNormals: the kernel's normals are those of package rng.
func TestNormals(t *testing.T) {
	const dim = 3*blockNormals + 77
	stream := rng.New(5, 3, rng.Noise)
	b := newBench(t, "dim N\ndata y[N] : real\nparam w[12365] : real ~ normal(0, 1)\n"+
		"for n in N { y[n] ~ normal(sum(w), 1) }\n", map[string]int{"N": 20}, 10, thermostats,
		flow.Coordinate)
	if b.dim != dim {
		t.Fatalf("%d coordinates", b.dim)
	}
	m := newMachine(t, b.result.Job)
	b.load(m)
	for _, step := range []uint64{0, 1 << 40} {
		(&Step{Rows: 1, Scale: 1, Jacobian: 1, Seed: stream.Seed32(step)}).Put(m.memory[Steps], 0)
		clear(m.memory[Cursor])
		m.run(Gradient)
		want := make([]float32, dim)
		stream.Normals32(step, want)
		same := 0
		for i, x := range m.get(Noise, dim) {
			if math.Abs(float64(x-want[i])) > 1e-6 {
				t.Fatalf("normal %d is %v, want %v", i, x, want[i])
			}
			if x == want[i] {
				same++
			}
		}
		if same < dim*99/100 {
			t.Errorf("%d of %d are the same bits", same, dim)
		}
	}
}
