package tall

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// kinked are regressions whose rows have kinks: their second derivative is 0 except for points.
func kinked(name string, n int) *rowTarget {
	const d = 3
	r := rand.New(rand.NewPCG(31, uint64(n)))
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range y {
		eta := 0.0
		for j := range d {
			x[i*d+j] = 1
			if j > 0 {
				x[i*d+j] = r.NormFloat64()
			}
			eta += 0.5 * x[i*d+j]
		}
		switch name {
		case "double exponential":
			y[i] = eta + 0.7*r.ExpFloat64()*float64(1-2*r.IntN(2))
		case "hinge":
			y[i] = 1
			if r.Float64() > 1/(1+math.Exp(-2*eta)) {
				y[i] = -1
			}
		}
	}
	return linear(n, d, x, y, 5, func(y, eta float64) (float64, float64) {
		if name == "double exponential" {
			e := (y - eta) / 0.7
			return -math.Abs(e), math.Copysign(1/0.7, e)
		}
		if m := 1 - y*eta; m > 0 {
			return -m, y
		}
		return 0, 0
	})
}

// TestKinks: rows with kinks are sampled on minibatches where these cost less, from a few
// thousand rows on, and the draws are right.
func TestKinks(t *testing.T) {
	for _, name := range []string{"double exponential", "hinge"} {
		for _, n := range []int{2500, 5000} {
			of := kinked(name, n)
			set := Settings{Seed: 1}
			s, err := Prepare(t.Context(), of, set, loop.Options{})
			if err != nil {
				t.Errorf("%s, %d rows: %v", name, n, err)
				continue
			}
			r, err := NewRun(of, s, set)
			if err != nil {
				t.Fatal(err)
			}
			rep, err := r.Go(t.Context(), nowhere{}, loop.Options{}, time.Time{})
			if err != nil {
				t.Errorf("%s, %d rows: %v", name, n, err)
				continue
			}
			mean, sd, effective := weighted(of, s.white, 1500, 5)
			by := 4 * math.Hypot(1/math.Sqrt(rep.Least), 1/math.Sqrt(effective))
			for j := range of.d {
				m, v := momentsOf(r.history, j, of.d)
				if math.Abs(m-mean[j])/sd[j] > 0.1+by || math.Abs(math.Log(v/sd[j])) > 0.05+by {
					t.Errorf("%s, %d rows, coordinate %d: mean %g and sd %g, expected %g and %g",
						name, n, j, m, v, mean[j], sd[j])
				}
			}
		}
	}
}

// stairs see the first unknown in steps of a quarter: the gradient of the rows by it is 0,
// and says that the posterior is the prior.
func stairs(n int) *rowTarget {
	r := rand.New(rand.NewPCG(33, 34))
	y := make([]float64, n)
	by := 2 / math.Sqrt(float64(n))
	for i := range y {
		y[i] = r.NormFloat64() + by
	}
	return &rowTarget{n: n, d: 2, prior: normalPrior(1),
		row: func(i int, x []float64, w float64, grad []float64) float64 {
			e := y[i] - x[1] - by*math.Floor(4*x[0]+0.4)/4
			if grad != nil {
				grad[1] += w * e
			}
			return -e * e / 2
		}}
}

// TestJumps: a log density that jumps is refused, and others are not taken for such.
func TestJumps(t *testing.T) {
	for seed := range uint64(3) {
		_, err := Prepare(t.Context(), stairs(4000), Settings{Seed: seed}, loop.Options{})
		var r *Refusal
		if !errors.As(err, &r) || !strings.Contains(r.Why, "jumps") {
			t.Errorf("seed %d: %v", seed, err)
		}
		for name, of := range map[string]*rowTarget{"logistic": logisticRegression(6000, 4, seed),
			"kinks": kinked("hinge", 20000), "Poisson": poissonRegression(6000, 4, seed)} {
			w := &workshop{t: of, seed: seed}
			e, _ := target.DifferenceOf(of.NewEvaluator(1))
			c, err := findCentre(t.Context(), newPasses(of, []target.DifferenceEvaluator{e}),
				make([]float64, of.d), rng.New(seed, 0, purposeHessian),
				rng.New(seed, 0, purposeNear))
			if err != nil || !c.found {
				t.Fatal(name, err, c.why)
			}
			w.white = c.white
			if jumps, err := w.jumps(t.Context()); jumps || err != nil {
				t.Errorf("%s, seed %d: %t, %v", name, seed, jumps, err)
			}
		}
	}
}
