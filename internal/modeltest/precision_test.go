package modeltest

import (
	"errors"
	"maps"
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// Every model in single precision: densities, gradients and likelihoods are
// near those in double, minibatches too, and a call allocates nothing. Those
// that solve differential equations or draw latent values of rows, and they
// alone, are refused.
func TestSinglePrecision(t *testing.T) {
	compared := 0
	texts := modelFiles(t)
	maps.Copy(texts, tricky)
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			double := walkModel(text).Compiled
			if double == nil {
				t.Skip("does not compile")
			}
			single := copied(double)
			if err := single.ToSingle(); err != nil {
				var refused *plan.SingleError
				if !errors.As(err, &refused) || !solvesOde(double) && double.Spec.Chain == nil {
					t.Error(err)
				}
				if single.Spec.Single {
					t.Error("refused, and changed")
				}
				return
			}
			if solvesOde(double) {
				t.Error("an ode in single precision")
			}
			for _, equal := range []bool{false, true} {
				m, bound, x := bindRandomData(t, double,
					sized(&double.Spec.Schema, double.Spec.RowDim, equal), 1)
				if m == nil {
					continue // TestModels says so
				}
				m32, err := single.VM(bound, nil)
				if err != nil {
					t.Fatal(err)
				}
				nearDouble(t, m, m32, x)
				compared++
			}
		})
	}
	if compared < 30 {
		t.Errorf("only %d models were compared", compared)
	}
}

// copied can be made single without the other.
func copied(c *driver.Compiled) *driver.Compiled {
	out, spec := *c, *c.Spec
	out.Spec, out.Programs = &spec, nil
	for _, p := range c.Programs {
		q := *p
		out.Programs = append(out.Programs, &q)
	}
	return &out
}

func solvesOde(c *driver.Compiled) bool {
	var solves func(steps []plan.Step) bool
	solves = func(steps []plan.Step) bool {
		for _, s := range steps {
			if s.Ode != nil || s.Sequence != nil && solves(s.Sequence.Steps) {
				return true
			}
		}
		return false
	}
	for _, p := range c.Programs {
		for _, steps := range p.Steps {
			if (p.ID.Kind == fn.Density || p.ID.Kind == fn.Loglik) && solves(steps) {
				return true
			}
		}
	}
	return false
}

func nearDouble(t *testing.T, m, m32 *model.Model, x []float64) {
	t.Helper()
	const part = 1e-5 // of the largest entry
	near := func(what string, got, want []float64) {
		t.Helper()
		largest := 1e-3
		for _, w := range want {
			if !math.IsInf(w, 0) && w == w {
				largest = max(largest, math.Abs(w))
			}
		}
		for i, w := range want {
			if !(math.Abs(got[i]-w) <= part*largest) && got[i] != w &&
				(got[i] == got[i] || w == w) {
				t.Errorf("%s, entry %d: %v, in double precision %v (largest %v)", what, i, got[i],
					w, largest)
				return
			}
		}
	}
	e, e32 := m.Evaluator(0), m32.Evaluator(0)
	g, g32 := make([]float64, m.Dim()), make([]float64, m.Dim())
	batches := [][]int{nil}
	if n := m.Rows(); n > 0 {
		batches = append(batches, []int{n - 1, 0}, []int{})
	}
	carried := newCarried(e32, x)
	for _, rows := range batches {
		carried.check(t, rows)
		e.Gradient(x, rows, 1.5, 0.5, g)
		e32.Gradient(x, rows, 1.5, 0.5, g32)
		near("gradient", g32, g)
		f, f32 := e.LogDensity(x, rows, 1.5, 0.5), e32.LogDensity(x, rows, 1.5, 0.5)
		near("density", []float64{f32}, []float64{f})
		near("density beside the gradient",
			[]float64{e32.LogDensityGradient(x, rows, 1.5, 0.5, g32)}, []float64{f})
		near("gradient beside the density", g32, g)
		n := len(rows)
		if rows == nil {
			n = m.Rows()
		}
		if n > 0 {
			a, b := make([]float64, n), make([]float64, n)
			e.LogLik(x, rows, a)
			e32.LogLik(x, rows, b)
			near("loglik", b, a)
			for _, s := range m.Spec.Sites {
				if s.Mean && e.Mean(s.Name, x, rows, a) && e32.Mean(s.Name, x, rows, b) {
					near("mean", b, a)
				}
			}
		}
	}
	if n := testing.AllocsPerRun(3, func() {
		e32.Gradient(x, batches[len(batches)/2], 1, 1, g32)
	}); n > 0 {
		t.Errorf("a gradient allocates %v times", n)
	}
	if n := testing.AllocsPerRun(3, func() {
		e32.GradientSingle(carried.x32, batches[len(batches)/2], 1, 1, carried.g32)
	}); n > 0 {
		t.Errorf("a gradient of a state in single precision allocates %v times", n)
	}
}

// A carried is a state in single precision.
type carried struct {
	e        *model.Evaluator
	x, g     []float64
	x32, g32 []float32
}

func newCarried(e *model.Evaluator, x []float64) *carried {
	c := &carried{e, make([]float64, len(x)), make([]float64, len(x)), make([]float32, len(x)),
		make([]float32, len(x))}
	kernel.Narrow(c.x32, x)
	kernel.Widen(c.x, c.x32)
	return c
}

// check holds the gradient of a state in single precision against that of the same state
// in double, rounded: they have the same bits.
func (c *carried) check(t *testing.T, rows []int) {
	t.Helper()
	want := make([]float32, len(c.g))
	c.e.Gradient(c.x, rows, 1.5, 0.5, c.g)
	kernel.Narrow(want, c.g)
	for i := range c.g32 {
		c.g32[i] = 42
	}
	c.e.GradientSingle(c.x32, rows, 1.5, 0.5, c.g32)
	for i, w := range want {
		if g := c.g32[i]; math.Float32bits(g) != math.Float32bits(w) && (g == g || w == w) {
			t.Errorf("gradient of a state in single precision, entry %d: %v, want %v", i, g, w)
			return
		}
	}
}
