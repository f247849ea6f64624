package sampler

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// tilted is a target whose minibatches have noise by direction and nothing else: of
// the rows' forces, which are constant and add up to nothing, each batch sees some.
// Its own density is f.
type tilted struct {
	*curved
}

// newTilted has about n rows whose forces have the covariance Σ_k size_k² u_k u_kᵀ
// over the rows, exactly.
func newTilted(c *curved, n int, directions [][]float64, size []float64) *tilted {
	k := len(directions)
	for i := range (n + 2*k - 1) / (2 * k) * k {
		row, other := make([]float64, c.dim), make([]float64, c.dim)
		for j, x := range directions[i%k] {
			row[j] = size[i%k] * math.Sqrt(float64(k)) * x
			other[j] = -row[j]
		}
		c.y = append(c.y, row, other)
	}
	return &tilted{c}
}

func (t *tilted) NewEvaluator(capacity int) target.Evaluator {
	return &tiltedEval{t.curved.NewEvaluator(capacity).(*curvedEval)}
}

type tiltedEval struct{ *curvedEval }

func (e *tiltedEval) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.curvedEval.Gradient(x, rows, scale, jacobian, grad)
	for _, i := range rows {
		for j, b := range e.c.y[i] {
			grad[j] += scale * b
		}
	}
}

// isotropic is N(0, v I) on R^n.
func isotropic(v float64) func(x, grad []float64) float64 {
	return func(x, grad []float64) float64 {
		sum := 0.0
		for i, a := range x {
			grad[i] = -a / v
			sum -= a * a / (2 * v)
		}
		return sum
	}
}

// diagonal is the unit vector along (1, 1, …).
func diagonal(n int) []float64 {
	u := make([]float64, n)
	for i := range u {
		u[i] = 1 / math.Sqrt(float64(n))
	}
	return u
}

func unit(n, k int) []float64 {
	u := make([]float64, n)
	u[k] = 1
	return u
}

// directional runs chains and returns the rows about directions.
func directional(t *testing.T, g target.Target, cfg settings.Config) map[string]health.Row {
	t.Helper()
	var chains []*Chain
	for k := range cfg.Chains {
		c := mustChain(t, g, cfg, k)
		mustSteps(t, c, int(cfg.Steps()))
		chains = append(chains, c)
	}
	out := map[string]health.Row{}
	for _, r := range Health(chains...) {
		out[r.Statistic] = r
	}
	return out
}

// TestDirectionsOff: noise along one direction, which no thermostat covers alone,
// is off although every mean is right: in few coordinates, across blocks, in more
// coordinates than are watched one by one, on a sphere and on a Stiefel manifold.
// With the same noise in all directions nothing is.
func TestDirectionsOff(t *testing.T) {
	t.Parallel()
	all := func(n int) (u [][]float64) {
		for k := range n {
			u = append(u, unit(n, k))
		}
		return u
	}
	for _, c := range []struct {
		name    string
		sampler string
		target  func() *curved
		one     []float64
		curved  bool
	}{
		{"six coordinates", "msgnht", func() *curved { return newCurved(isotropic(1), flat(6)) },
			diagonal(6), false},
		{"blocks of one", "msgnht",
			func() *curved { return newCurved(isotropic(1), flat(1), flat(1), flat(1)) },
			diagonal(3), false},
		{"many coordinates", "msgnht", func() *curved { return newCurved(isotropic(1), flat(60)) },
			diagonal(60), false},
		{"one thermostat", "sgnht", func() *curved { return newCurved(isotropic(1), flat(50)) },
			unit(50, 7), false},
		{"sphere", "geodesic_sgnht",
			func() *curved { return newCurved(linear([]float64{9, 0, 0, 0, 0, 0}), sphere(1, 6)) },
			unit(6, 1), true},
		{"stiefel", "geodesic_sgnht",
			func() *curved {
				return newCurved(linear([]float64{9, 0, 0, 9, 0, 0, 0, 0}), stiefel(1, 4, 2))
			}, unit(8, 4), true},
		{"friction", "geodesic_sghmc",
			func() *curved { return newCurved(linear([]float64{9, 0, 0, 0, 0, 0}), sphere(1, 6)) },
			unit(6, 1), true},
	} {
		for _, same := range []bool{false, true} {
			if c.sampler == "geodesic_sghmc" && same {
				continue // heated, and off
			}
			t.Run(fmt.Sprint(c.name, "/same ", same), func(t *testing.T) {
				t.Parallel()
				g := c.target()
				directions, size := [][]float64{c.one}, []float64{0.3}
				if same {
					directions = all(g.dim)
					size = make([]float64, g.dim)
					for k := range size {
						size[k] = 0.3 / math.Sqrt(float64(g.dim))
					}
				}
				cfg := config(c.sampler, "", 0.1)
				cfg.FullBatch, cfg.Batch, cfg.BatchOrder = false, 10, "replace"
				cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Friction = 2, 2000, 20000, 1
				if c.curved {
					cfg.Step = 0.05
				}
				rows := directional(t, newTilted(g, 200, directions, size), cfg)
				for _, s := range []string{"noise_temperature", "worst_temperature",
					"worst_kinetic_temperature"} {
					r := rows[s]
					t.Logf("%+v", r)
					if off := r.Verdict == "off"; off == same &&
						!(s == "worst_temperature" && r.Verdict == "unsure") {
						t.Errorf("%+v", r)
					}
				}
				if r := rows["configurational_temperature"]; !same && r.Verdict == "off" &&
					c.sampler != "geodesic_sghmc" {
					t.Logf("the mean sees it too: %+v", r)
				}
			})
		}
	}
}

// TestDirectionsKnown: the values are what theory says, on R^n, where noise of
// variance V along a unit vector u, in the mean V/n a coordinate, makes
// temperatures (D + V h/2)/(D + V h/2n) along u and D/(D + V h/2n) across it.
func TestDirectionsKnown(t *testing.T) {
	t.Parallel()
	const n, h, d = 3, 0.05, 1.0
	g := newTilted(newCurved(isotropic(1), flat(n)), 400, [][]float64{diagonal(n)}, []float64{0.1})
	const v = 400 * 400 / 10 * 0.1 * 0.1 // along u, of a batch of 10 with replacement
	cfg := config("sgnht", "", h)
	cfg.FullBatch, cfg.Batch, cfg.BatchOrder, cfg.Friction = false, 10, "replace", d
	cfg.Chains, cfg.Warmup, cfg.Draws = 2, 2000, 100000
	rows := directional(t, g, cfg)
	high := (d + v*h/2) / (d + v*h/2/n)
	low := d / (d + v*h/2/n)
	for _, s := range []string{"noise_temperature", "worst_temperature",
		"worst_kinetic_temperature"} {
		r := rows[s]
		t.Logf("%+v, theory %.3f", r, high)
		if math.Min(math.Abs(r.Value-high), math.Abs(r.Value-low)) > 0.02+3*r.MCSE ||
			r.Verdict != "off" && s != "worst_temperature" {
			t.Errorf("%+v, want %.3f or %.3f", r, high, low)
		}
	}
}

// TestDirectionsAllocate: what is observed costs no memory, in warm-up and after,
// with few coordinates and many.
func TestDirectionsAllocate(t *testing.T) {
	for _, n := range []int{5, 60} {
		g := newTilted(newCurved(isotropic(1), flat(n)), 100, [][]float64{diagonal(n)},
			[]float64{0.1})
		cfg := config("msgnht", "", 0.01)
		cfg.FullBatch, cfg.Batch, cfg.Warmup, cfg.Draws = false, 10, 3000, 3000
		c := mustChain(t, g, cfg, 0)
		mustSteps(t, c, 1400)
		for _, where := range []string{"warm-up", "end of the warm-up", "draws"} {
			if a := testing.AllocsPerRun(1000, func() { mustSteps(t, c, 1) }); a != 0 {
				t.Errorf("%d coordinates, %s: %g allocations a step", n, where, a)
			}
		}
	}
}

// TestDirectionsResume: a run that is resumed has the health of one that was not,
// with few coordinates and many, during warm-up and after.
func TestDirectionsResume(t *testing.T) {
	for _, n := range []int{4, 50} {
		g := newTilted(newCurved(isotropic(1), flat(n)), 100, [][]float64{diagonal(n)},
			[]float64{0.2})
		cfg := config("msgnht", "", 0.05)
		cfg.FullBatch, cfg.Batch, cfg.Warmup, cfg.Draws = false, 10, 300, 1500
		whole := mustChain(t, g, cfg, 0)
		mustSteps(t, whole, int(cfg.Steps()))
		for _, stop := range []int{0, 149, 200, 299, 300, 310, 311, 1000} {
			a := mustChain(t, g, cfg, 0)
			mustSteps(t, a, stop)
			state, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			b, err := ResumeChain(g, cfg, 0, state)
			if err != nil {
				t.Fatal(err)
			}
			mustSteps(t, b, int(cfg.Steps())-stop)
			x, y := whole.Health(), b.Health()
			if fmt.Sprint(x) != fmt.Sprint(y) {
				t.Errorf("%d coordinates, resumed at step %d: %v, not %v", n, stop, y, x)
			}
		}
	}
}

// TestDirectionsApart: draws do not depend on what is observed.
func TestDirectionsApart(t *testing.T) {
	g := newTilted(newCurved(isotropic(1), flat(5)), 100, [][]float64{diagonal(5)}, []float64{0.2})
	cfg := config("msgnht", "", 0.05)
	cfg.FullBatch, cfg.Batch, cfg.Warmup, cfg.Draws = false, 10, 30, 500
	a, b := mustChain(t, g, cfg, 0), mustChain(t, g, cfg, 0)
	b.health.directions.n = 0
	mustSteps(t, a, 500)
	mustSteps(t, b, 500)
	if !bitsEqual(a.Position(), b.Position()) {
		t.Errorf("draws differ where nobody looks: %v, %v", a.Position(), b.Position())
	}
}

// TestDirectionsAdvice: where a direction is off the advice names what helps.
func TestDirectionsAdvice(t *testing.T) {
	g := newTilted(newCurved(isotropic(1), flat(5)), 100, [][]float64{diagonal(5)}, []float64{0.6})
	cfg := config("msgnht", "", 0.05)
	cfg.FullBatch, cfg.Batch, cfg.Warmup, cfg.Draws = false, 10, 500, 8000
	r := newRecorder()
	chains, err := Run(context.Background(), g, cfg, r, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(health.Advice(Health(chains...), chains[0].Config()), "\n")
	for _, want := range []string{"noise_temperature of a is off",
		"--grad-noise fisher and --batch-order replace", "--friction", "--sampler nuts"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}
