package approximate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"gonum.org/v1/gonum/mat"
)

// correlated has a precision matrix with scales from 0.1 to 10, and its inverse by gonum.
func correlated(d int) (precision [][]float64, cov *mat.Dense) {
	a := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			a.Set(i, j, math.Pow(0.6, math.Abs(float64(i-j)))*
				math.Pow(10, (float64(i)+float64(j))/float64(d-1)-1))
		}
	}
	cov = mat.DenseCopyOf(a)
	var inverse mat.Dense
	if err := inverse.Inverse(a); err != nil {
		panic(err)
	}
	for i := range d {
		precision = append(precision, mat.Row(nil, i, &inverse))
	}
	return precision, cov
}

// TestNormal: on a normal posterior laplace, pathfinder and advi of full rank are exact: k is
// small, the law has the mean and the covariance that gonum has, and draws are within Monte
// Carlo error of them.
func TestNormal(t *testing.T) {
	const d = 5
	precision, cov := correlated(d)
	mean := []float64{1, -2, 0.5, 30, -4}
	of := normal(mean, precision)
	for _, c := range []struct {
		method, covariance string
		rank               int
		off                float64 // of the law, in standard deviations
	}{{"laplace", "dense", 0, 1e-6}, {"laplace", "low-rank", 5, 1e-6}, {"pathfinder", "", 0, 0.2},
		{"advi", "dense", 0, 0.02}, {"advi", "low-rank", 4, 0.05}} {
		t.Run(c.method+c.covariance, func(t *testing.T) {
			r, err := approximated(t, of, func(s *Config) {
				s.Method, s.Covariance, s.Rank = c.method, c.covariance, c.rank
			})
			if err != nil {
				t.Fatal(err)
			}
			x := r.Exactness
			if verdict, why := x.Verdict(); verdict != OK || x.K > 0.5 {
				t.Errorf("k %.2f, %s", x.K, why)
			}
			law := r.Mixture.Components[0].Normal
			for i, v := range law.variances() {
				sd := math.Sqrt(cov.At(i, i))
				if m := (law.Mean[i] - mean[i]) / sd; math.Abs(m) > c.off ||
					math.Abs(math.Sqrt(v)/sd-1) > c.off {
					t.Errorf("coordinate %d: mean off by %.2g sd, sd %.5g times the exact one", i,
						m, math.Sqrt(v)/sd)
				}
			}
			got, two, _ := moments(r)
			n := x.Effective
			for i := range d {
				if z := (got[i] - mean[i]) / math.Sqrt(cov.At(i, i)/n); math.Abs(z) > 4 {
					t.Errorf("mean %d: z = %.1f", i, z)
				}
				for j := range i + 1 {
					a, b, ab := cov.At(i, i), cov.At(j, j), cov.At(i, j)
					if z := (two[i][j] - ab) / math.Sqrt((a*b+ab*ab)/n); math.Abs(z) > 4 {
						t.Errorf("covariance %d %d: z = %.1f", i, j, z)
					}
				}
			}
			t.Logf("k %.3f, %.0f effective, %d gradients; %s", x.K, x.Effective, x.Gradients,
				strings.Join(x.Says, "; "))
		})
	}
}

// TestMeanField: of correlated normal numbers mean field and the diagonal of laplace have the
// variances 1/Λ_ii, and the draws without weights are not good; those of weights are right.
func TestMeanField(t *testing.T) {
	precision, cov := correlated(3)
	of := normal([]float64{1, 2, 3}, precision)
	for _, method := range []string{"laplace", "advi"} {
		for _, resample := range []string{"none", "psis"} {
			r, err := approximated(t, of, func(s *Config) {
				s.Method, s.Covariance, s.Resample, s.Draws = method, "mean-field", resample, 4000
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range r.Mixture.Components[0].variances() {
				if got := v * precision[i][i]; math.Abs(got-1) > map[string]float64{"laplace": 1e-6,
					"advi": 0.08}[method] {
					t.Errorf("%s: variance %d is %.4f of 1/Λ", method, i, got)
				}
			}
			verdict, why := r.Exactness.Verdict()
			good := verdict == OK
			t.Logf("%s %s: k %.2f, moved %.2f, wider %.2f: %v %s", method, resample, r.Exactness.K,
				r.Exactness.Moved, r.Exactness.Wider, good, why)
			if resample == "none" && good {
				t.Errorf("%s: variances without correlations are called good", method)
			}
			if _, two, _ := moments(r); good {
				for i := range 3 {
					if z := (two[i][i]/cov.At(i, i) - 1) * math.Sqrt(r.Exactness.Effective/2); math.Abs(z) > 4 {
						t.Errorf("%s: weighted variance %d: z = %.1f", method, i, z)
					}
				}
			}
		}
	}
}

// TestNotGood: what no normal law is near to is not called good, whatever the seed.
func TestNotGood(t *testing.T) {
	for _, c := range []struct {
		name string
		of   *density
	}{
		{"funnel", funnel(10)},
		{"banana", banana(3, 0.05)},
	} {
		for i := range Table {
			for seed := range uint64(3) {
				method := Table[i].Name
				r, err := approximated(t, c.of, func(s *Config) {
					s.Method, s.Seed = method, seed
					if method == "advi" {
						s.Iterations = 2000
					}
				})
				var no *Refusal
				if errors.As(err, &no) {
					t.Logf("%s %s: %v", c.name, method, err)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				verdict, why := r.Exactness.Verdict()
				good := verdict == OK
				t.Logf("%s %s: k %.2f, %.0f effective, %v %s", c.name, method, r.Exactness.K,
					r.Exactness.Effective, good, why)
				if good {
					t.Errorf("%s by %s, seed %d: k %.2f", c.name, method, seed, r.Exactness.K)
				}
			}
		}
	}
}

// TestModes: laplace and pathfinder weight the modes that their climbs find by their mass; advi,
// which has one, says that there are others.
func TestModes(t *testing.T) {
	of := mixed([]float64{0.3, 0.7}, []float64{-6, 0}, []float64{6, 0})
	const mean = 0.4 * 6
	for i := range Table {
		method := Table[i].Name
		for seed := range uint64(5) {
			r, err := approximated(t, of, func(s *Config) { s.Method, s.Seed = method, seed })
			if err != nil {
				t.Fatal(err)
			}
			verdict, why := r.Exactness.Verdict()
			good := verdict == OK
			got, _, n := moments(r)
			z := (got[0] - mean) / math.Sqrt(31.24/n)
			t.Logf("%s: k %.2f, z %.1f, %v %s; %v", method, r.Exactness.K, z, good, why,
				r.Exactness.Says)
			if good && math.Abs(z) > 5 {
				t.Errorf("%s, seed %d: the mean %.2f is called good, it is %.2f", method, seed, got[0],
					mean)
			}
			if method == "advi" && good {
				t.Errorf("advi, seed %d: one of two modes is called good", seed)
			}
		}
	}
}

// TestRefused: a density without a maximum, or flat along a direction, is refused in words that
// say so, or not called good.
func TestRefused(t *testing.T) {
	ridge := &density{3, "euclidean", func(x, g []float64) float64 { // x + y alone is known
		r := x[0] + x[1] - 1
		g[0], g[1], g[2] = -r, -r, -x[2]
		return -r*r/2 - x[2]*x[2]/2
	}}
	slope := &density{2, "euclidean", func(x, g []float64) float64 {
		g[0], g[1] = 1, -x[1]
		return x[0] - x[1]*x[1]/2
	}}
	level := &density{2, "euclidean", func(_, g []float64) float64 { clear(g); return 0 }}
	nan := &density{2, "euclidean", func(_, g []float64) float64 {
		g[0], g[1] = math.NaN(), math.NaN()
		return math.NaN()
	}}
	for _, c := range []struct {
		name, method, want string
		of                 *density
	}{
		{"ridge", "laplace", "does not bend down along x", ridge},
		{"slope", "laplace", "rises without end", slope},
		{"slope", "pathfinder", "", slope},
		{"slope", "advi", "", slope},
		{"level", "laplace", "does not bend down", level},
		{"level", "pathfinder", "flat", level},
		{"nan", "pathfinder", "no climb can begin", nan},
		{"ridge", "pathfinder", "", ridge},
		{"ridge", "advi", "", ridge},
	} {
		r, err := approximated(t, c.of, func(s *Config) { s.Method = c.method })
		if c.want == "" {
			if err != nil {
				t.Errorf("%s %s: %v", c.name, c.method, err)
			} else if verdict, why := r.Exactness.Verdict(); verdict == OK {
				t.Errorf("%s %s: k %.2f is called good", c.name, c.method, r.Exactness.K)
			} else {
				t.Logf("%s %s: %s", c.name, c.method, why)
			}
			continue
		}
		var no *Refusal
		if !errors.As(err, &no) || !strings.Contains(no.Why, c.want) {
			t.Errorf("%s %s: %v", c.name, c.method, err)
		}
	}
}

// TestSphere: the von Mises-Fisher law in the charts of its sphere has the mean resultant length
// coth κ − 1/κ. Of a wide one the tails in a chart are longer than those of a normal law, which
// the Pareto k of narrower laws shows.
func TestSphere(t *testing.T) {
	for _, kappa := range []float64{20, 300} {
		of := &density{3, "sphere", func(x, g []float64) float64 {
			g[0], g[1], g[2] = 0.6*kappa, 0, -0.8*kappa
			return kappa * (0.6*x[0] - 0.8*x[2])
		}}
		want := 1/math.Tanh(kappa) - 1/kappa
		for i := range Table {
			method := Table[i].Name
			r, err := approximated(t, of, func(s *Config) { s.Method = method })
			if err != nil {
				t.Fatal(err)
			}
			verdict, why := r.Exactness.Verdict()
			mean, _, _ := moments(r)
			along := 0.6*mean[0] - 0.8*mean[2]
			sd := math.Sqrt(1 - want*want - 2*want/kappa)
			n := r.Exactness.Effective
			z, across := (along-want)/sd*math.Sqrt(n), mean[1]/math.Sqrt(want/kappa/n)
			t.Logf("κ %g, %s: k %.2f, %.0f effective, z %.1f and %.1f; %s", kappa, method,
				r.Exactness.K, n, z, across, why)
			if verdict == OK && (math.Abs(z) > 4 || math.Abs(across) > 4) {
				t.Errorf("κ %g, %s: mean %v is called good", kappa, method, mean)
			}
			if verdict == Off || verdict == Unsure && method != "advi" {
				t.Errorf("κ %g, %s: %s", kappa, method, why)
			}
		}
	}
}

// TestSame: draws do not depend on threads, and Ctrl-C ends a run.
func TestSame(t *testing.T) {
	precision, _ := correlated(4)
	of := normal(make([]float64, 4), precision)
	for i := range Table {
		c := DefaultConfig()
		c.Method, c.Draws = Table[i].Name, 50
		var before string
		for _, threads := range []int{1, 3} {
			r, err := Run(context.Background(), of, c, loop.Options{Threads: threads}, nil)
			if err != nil {
				t.Fatal(err)
			}
			x, w, got := make([]float64, 4), r.Drawer(), ""
			for k := range 50 {
				w.Draw(k%4, int64(k), x)
				got += fmt.Sprint(x)
			}
			if before != "" && got != before {
				t.Errorf("%s: %d threads give other draws", c.Method, threads)
			}
			before = got
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := Run(ctx, of, c, loop.Options{}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", c.Method, err)
		}
	}
}
