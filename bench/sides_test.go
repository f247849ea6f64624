package bench

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/logistic"
	"github.com/sgppl/sgppl/bench/internal/logistic32"
	"github.com/sgppl/sgppl/bench/internal/logisticdense"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// Settings of a run, those of Li et al. (2016) for a9a where they say.
type settings struct {
	sampler        string
	batch          int
	step, friction float64
	seed           uint64
}

func settingsOf(name string, batch int) settings {
	c := settings{sampler: name, batch: batch, step: 0.0003, friction: 50, seed: 1}
	if name == "sgld" {
		c.step = 1e-5
	}
	return c
}

// config has no end in sight: the steps that are timed are those of a run
// after its warm-up, with the statistics of health that such a run keeps.
func (s settings) config(dim int) sampler.Config {
	c := sampler.DefaultConfig()
	c.Sampler, c.Batch, c.Step, c.Friction, c.Seed = s.sampler, s.batch, s.step, s.friction, s.seed
	c.Chains, c.Warmup, c.Draws, c.Thin = 1, 0, 1<<40, 50
	c.Init = [][]float64{make([]float64, dim)}
	return c
}

// programs are what is compared, for one storage of the features: compiled
// models, and the data of the loops.
type programs struct {
	sparse        bool
	generated, vm target.Target
	single        target.Target // generated in single precision, of sparse features
	hand, first   *dataset
}

func newPrograms(t testing.TB, sparse bool) programs {
	t.Helper()
	d := load().own()
	path, x := denseModel, data.Dense(d.flat, d.sparse.Rows, d.sparse.Cols)
	if sparse {
		path, x = sparseModel, data.Sparse(d.sparse)
	}
	c := compile(t, path)
	bound, _, errs := data.Validate(&c.Spec.Schema,
		map[string]*data.Value{"x": x, "y": data.Bools(d.label, len(d.label))}, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	vm, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := programs{sparse: sparse, vm: vm, hand: load().own(), first: load().own()}
	d = load() // not that of the VM
	if sparse {
		m, err := logistic.New(logistic.Data{X: d.sparse, Y: d.label})
		if err != nil {
			t.Fatal(err)
		}
		p.generated = m.Target()
		s, err := logistic32.New(logistic32.Data{X: load().own().sparse, Y: d.label})
		if err != nil {
			t.Fatal(err)
		}
		p.single = s.Target()
	} else {
		m, err := logisticdense.New(logisticdense.Data{X: d.dense, Y: d.label})
		if err != nil {
			t.Fatal(err)
		}
		p.generated = m.Target()
	}
	return p
}

func chain(t testing.TB, m target.Target, s settings) *sampler.Chain {
	t.Helper()
	c, err := sampler.NewChain(m, s.config(m.Dim()), 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// steps makes every side of a comparison ready to take steps, each with a seed
// of its own, as they would else take the same rows in turn.
func (p *programs) steps(t testing.TB, s settings) []side {
	seed := func(n uint64) settings { s.seed = n; return s }
	// As a run does: it looks at the state at every draw.
	take := func(c *sampler.Chain) func(int) {
		return func(calls int) {
			for n := int64(calls); n > 0; n -= c.Config().Thin {
				if err := c.Advance(min(n, c.Config().Thin)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	h, f := newHand(p.hand, p.sparse, seed(3)), newFirst(p.first, p.sparse, seed(4))
	sides := []side{
		{"generated", take(chain(t, p.generated, seed(1)))}, {"vm", take(chain(t, p.vm, seed(2)))},
		{"hand", each(h.msgnht)}, {"first", each(f.msgnht)},
	}
	if s.sampler == "sgld" {
		sides[2].run, sides[3].run = each(h.sgld), each(f.sgld)
	}
	if p.single != nil {
		sides = append(sides, side{"single", take(chain(t, p.single, seed(5)))})
	}
	return sides
}

// The yardstick walks the path of the compiled model, up to rounding; so what
// is compared is one algorithm.
func TestSamePath(t *testing.T) {
	for _, sparse := range []bool{true, false} {
		p := newPrograms(t, sparse)
		for _, name := range []string{"sgld", "msgnht"} {
			for _, batch := range []int{10, 1000} {
				s := settingsOf(name, batch)
				generated, vm, h := chain(t, p.generated, s), chain(t, p.vm, s),
					newHand(p.hand, sparse, s)
				step := h.msgnht
				if name == "sgld" {
					step = h.sgld
				}
				for range 40 { // at batch 1000 more than a pass
					step()
					if generated.Step() != nil || vm.Step() != nil {
						t.Fatal("not finite")
					}
				}
				for i, x := range generated.Position() {
					if x != vm.Position()[i] {
						t.Fatalf("%s, batch %d, sparse %v: the engines differ at %d: %v, %v", name,
							batch, sparse, i, x, vm.Position()[i])
					}
					if math.Abs(x-h.x[i]) > 1e-10*(1+math.Abs(x)) {
						t.Fatalf("%s, batch %d, sparse %v: coordinate %d is %v, by hand %v", name,
							batch, sparse, i, x, h.x[i])
					}
				}
			}
		}
	}
}

// A step of either engine allocates nothing, be it observed by the statistics of
// health or not.
func TestStepAllocatesNothing(t *testing.T) {
	for _, x := range storages {
		p := newPrograms(t, x.sparse)
		for _, name := range []string{"sgld", "msgnht"} {
			for _, s := range p.steps(t, settingsOf(name, 10))[:2] {
				if n := testing.AllocsPerRun(50, func() { s.run(3) }); n != 0 {
					t.Errorf("%s, %s, %s: %g allocations a step", s.name, name, x.name, n)
				}
			}
		}
	}
}

// A full pass has the same bits in both engines and every time, and is the sum
// over a minibatch of all rows, up to rounding, be the features dense or packed.
func TestFullPass(t *testing.T) {
	for _, sparse := range []bool{true, false} {
		p := newPrograms(t, sparse)
		n := p.vm.Dim()
		x, all := make([]float64, n), make([]int, p.hand.sparse.Rows)
		for i := range x {
			x[i] = 0.3 * math.Sin(float64(3*i))
		}
		for i := range all {
			all[i] = i
		}
		e, vm := p.generated.NewEvaluator(1), p.vm.NewEvaluator(1)
		want, got := make([]float64, n), make([]float64, n)
		density := e.LogDensityGradient(x, nil, 1, 1, want)
		for range 2 {
			for _, e := range []target.Evaluator{e, vm} {
				if d := e.LogDensityGradient(x, nil, 1, 1, got); d != density {
					t.Errorf("sparse %v: a density of %v, then of %v", sparse, density, d)
				}
				if !slices.Equal(got, want) {
					t.Errorf("sparse %v: a pass has other bits than another", sparse)
				}
			}
		}
		rows := p.generated.NewEvaluator(len(all))
		if d := rows.LogDensityGradient(x, all, 1, 1, got); math.Abs(d-density) >
			1e-12*math.Abs(d) {
			t.Errorf("sparse %v: the density of all rows is %v, of a minibatch of them %v", sparse,
				density, d)
		}
		for i, g := range got {
			if math.Abs(g-want[i]) > 1e-10*(1+math.Abs(g)) {
				t.Errorf("sparse %v: coordinate %d of the gradient is %v, of a minibatch of all rows %v",
					sparse, i, want[i], g)
			}
		}
	}
}
