package posterior_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// factorsOf has counts whose rates are two factors of the row times topics.
const factorsOf = `
dim D, V = 3, K = 2
data x[D] : bag[V]
param eta[K, V] : real ~ normal(0, 1)
for d in D {
  local psi[K] : positive ~ gamma(1.5, 0.7) by BY
  x[d] ~ RATES
}`

// wordByQuadrature is the probability that one more word of a row of factorsOf
// is each of the vocabulary, given the counts of the others: the mean of its share
// in the rates over the posterior of the factors, on a grid of their logarithms.
func wordByQuadrature(eta, counts []float64) (p [3]float64) {
	const points, lo, hi = 240, -12., 4.
	total := 0.0
	for i := range points {
		for j := range points {
			y := [2]float64{lo + (hi-lo)*(float64(i)+0.5)/points,
				lo + (hi-lo)*(float64(j)+0.5)/points}
			l, sum, rate := 0.0, 0.0, [3]float64{}
			for k, y := range y {
				l += 1.5*y - 0.7*math.Exp(y) // the prior of y = log psi
				for v := range rate {
					rate[v] += math.Exp(y + eta[3*k+v])
				}
			}
			for v, r := range rate {
				sum += r
				if counts != nil {
					l += counts[v]*math.Log(r) - r
				}
			}
			w := math.Exp(l)
			total += w
			for v, r := range rate {
				p[v] += w * r / sum
			}
		}
	}
	for v := range p {
		p[v] /= total
	}
	return p
}

// TestBagCompletion: bags of counts are completed word by word, in proportion to
// the rates, a word that occurs several times with that weight; rows without
// words on one side or the other are right too.
func TestBagCompletion(t *testing.T) {
	known := [][]float64{{4, 0, 1}, {0, 0, 0}, {0, 0, 7}, {1, 1, 1}}
	others := [][]float64{{0, 2, 1}, {1, 0, 3}, {1, 0, 0}, {0, 0, 0}}
	for _, way := range []struct{ name, by, rates string }{
		{"gibbs", "gibbs", "poisson(psi @ exp(eta))"}, {"gmc", "gmc", "poisson(psi @ exp(eta))"},
		{"logarithms", "gmc", "poisson_log(log(psi @ exp(eta)))"},
	} {
		t.Run(way.name, func(t *testing.T) {
			c, diags := driver.Complete(source.New("m.sg",
				strings.NewReplacer("BY", way.by, "RATES", way.rates).Replace(factorsOf)+"\n"),
				driver.Options{})
			if c == nil {
				t.Fatal(diags[0].Message)
			}
			m, all := bindBags(t, c, known, others)
			x := make([]float64, m.Dim())
			for i := range x {
				x[i] = 1.4 * math.Sin(float64(2*i+1))
			}
			o := target.LocalOptions{BurnIn: 20, Kept: 120, Leapfrog: 8}
			tuned := all.Tuned(x, o, 7)
			e, out := all.Evaluator(o, 20144), make([]float64, all.Width())
			mean, square := make([]float64, len(out)), make([]float64, len(out))
			const visits = 12
			for v := range visits {
				e.Eval(x, uint64(v), tuned, out)
				for i, l := range out {
					q := math.Exp(l)
					mean[i] += q / visits
					square[i] += q * q / visits
				}
			}
			at := 0
			for row, counts := range others {
				p := wordByQuadrature(x, known[row])
				for v, n := range counts {
					if n == 0 {
						continue
					}
					for ; at < len(out); at++ { // padding
						if _, weight := all.Entry(at); weight > 0 {
							break
						}
					}
					if at == len(out) {
						t.Fatal("too few words")
					}
					if _, weight := all.Entry(at); weight != n {
						t.Errorf("row %d, word %d stands for %v words, not %v", row, v, weight, n)
					}
					se := math.Sqrt(max(square[at]-mean[at]*mean[at], 0) / (visits - 1))
					if !(math.Abs(mean[at]-p[v]) <= 4.5*se+1e-9) || !(se < 0.04*p[v]) {
						t.Errorf("row %d, word %d: %.5f ± %.5f, exact %.5f", row, v,
							mean[at], se, p[v])
					}
					at++
				}
			}
			for ; at < len(out); at++ {
				if _, weight := all.Entry(at); weight > 0 {
					t.Error("too many words")
				}
			}
		})
	}
}

// bindBags binds bags of counts that are known and others of the same rows.
func bindBags(
	t *testing.T, c *driver.Completion, known, others [][]float64,
) (*model.Model, *model.Completion) {
	t.Helper()
	var bounds [2]*data.Bound
	for i, part := range []*driver.Compiled{c.Observed, c.Scored} {
		bound, _, errs := data.Validate(&part.Spec.Schema,
			map[string]*data.Value{"x": irtest.Bag([][][]float64{known, others}[i])}, nil,
			data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		bounds[i] = bound
	}
	m, all, err := c.Bind(bounds[0], bounds[1], driver.Recorded{})
	if err != nil {
		t.Fatal(err)
	}
	return m, all
}
