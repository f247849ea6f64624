package posterior_test

import (
	"cmp"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A completionCase is a model with rows of which some entries are known, and
// the exact probability of every other entry.
type completionCase struct {
	name, text string
	observed   [][]float64
	scored     [][]float64
	exact      func(x, observed []float64, entry float64) float64
	scale      float64 // of the state; 2 without
	kept       int     // draws a visit; 200 without
}

const topics = `
dim D, W(D), V = 3, K = 2
data w[D, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
`

// sameRows are words: one row has none that is known.
var knownWords, otherWords = [][]float64{{0, 0, 1}, {}, {2}}, [][]float64{{0, 2}, {1}, {1, 1, 2}}

// topicsOf are log probabilities of words at a state.
func topicsOf(x []float64) [2][3]float64 {
	var out [2][3]float64
	for k := range 2 {
		sum := 0.0
		for v := range 3 {
			sum += math.Exp(x[3*k+v])
		}
		for v := range 3 {
			out[k][v] = math.Exp(x[3*k+v]) / sum
		}
	}
	return out
}

// allocation is the exact probability of an entry in latent Dirichlet
// allocation: the sum over the topics of all words of a row, by Pólya's urn. An
// entry takes so many draws of a topic, and what has them has a probability.
func allocation(
	alpha float64, draws int, p func(z []int, entry float64) float64,
) func(observed []float64, entry float64) float64 {
	return func(observed []float64, entry float64) float64 {
		var sum func(counts [2]float64, left []float64) float64
		sum = func(counts [2]float64, left []float64) float64 {
			if len(left) == 0 {
				return 1
			}
			total := 0.0
			var urn func(counts [2]float64, z []int, weight float64)
			urn = func(counts [2]float64, z []int, weight float64) {
				if len(z) == draws {
					total += weight * p(z, left[0]) * sum(counts, left[1:])
					return
				}
				for k := range 2 {
					next := counts
					next[k]++
					urn(next, append(z[:len(z):len(z)], k),
						weight*(alpha+counts[k])/(2*alpha+counts[0]+counts[1]))
				}
			}
			urn(counts, nil, 1)
			return total
		}
		all := append(append([]float64{}, observed...), entry)
		return math.Log(sum([2]float64{}, all) / sum([2]float64{}, observed))
	}
}

func lda(x, observed []float64, entry float64) float64 {
	phi := topicsOf(x)
	return allocation(0.7, 1, func(z []int, w float64) float64 {
		return phi[z[0]][int(w)]
	})(observed, entry)
}

// twoTopics has a word of two topics at once.
func twoTopics(x, observed []float64, entry float64) float64 {
	phi := topicsOf(x)
	return allocation(0.7, 2, func(z []int, w float64) float64 {
		top, sum := 0.0, 0.0
		for v := range 3 {
			e := phi[z[0]][v] * phi[z[1]][v]
			sum += e
			if v == int(w) {
				top = e
			}
		}
		return top / sum
	})(observed, entry)
}

// oneTopic has one topic a row.
func oneTopic(x, observed []float64, entry float64) float64 {
	phi := topicsOf(x)
	prior := [2]float64{0.3, 0.7}
	sum, with := 0.0, 0.0
	for k := range 2 {
		p := prior[k]
		for _, w := range observed {
			p *= phi[k][int(w)]
		}
		sum += p
		with += p * phi[k][int(entry)]
	}
	return math.Log(with / sum)
}

// shift is y ~ N(m + u, 0.8) with u ~ N(0, 1.5).
func shift(x, observed []float64, entry float64) float64 {
	precision, sum := 1/(1.5*1.5), 0.0
	for _, y := range observed {
		precision += 1 / 0.64
		sum += (y - x[0]) / 0.64
	}
	mean, variance := x[0]+sum/precision, 0.64+1/precision
	return -(entry-mean)*(entry-mean)/(2*variance) - 0.5*math.Log(2*math.Pi*variance)
}

// counts are y ~ Poisson(e^m r) with r ~ Gamma(2, 1.5): a negative binomial.
func counts(x, observed []float64, entry float64) float64 {
	a, b, e := 2.0, 1.5, math.Exp(x[0])
	for _, y := range observed {
		a, b = a+y, b+e
	}
	lg := func(v float64) float64 { g, _ := math.Lgamma(v); return g }
	return lg(a+entry) - lg(a) - lg(entry+1) + a*math.Log(b/(b+e)) + entry*math.Log(e/(b+e))
}

const words = `  for i in W {
    local z : index[K] ~ categorical(theta) by %s
    w[d, i] ~ categorical_logit(eta[z])
  }
}`

func withTheta(theta, z string) string {
	return topics + "for d in D {\n  local theta : simplex[K] ~ dirichlet(0.7) by " + theta + "\n" +
		strings.ReplaceAll(words, "%s", z)
}

func shifts(by string) string {
	return `
dim D, W(D)
data w[D, W] : real
param m : real ~ normal(0, 1)
for d in D {
  local u : real ~ normal(0, 1.5) by ` + by + `
  for i in W { w[d, i] ~ normal(m + u, 0.8) }
}`
}

func rates(by string) string {
	return `
dim D, W(D)
data w[D, W] : count
param m : real ~ normal(0, 1)
for d in D {
  local r : positive ~ gamma(2, 1.5) by ` + by + `
  for i in W { w[d, i] ~ poisson(exp(m) * r) }
}`
}

func oneOf(by string) string {
	return topics + `let pi = [0.3 + 0.4 * k for k in K]
for d in D {
  local z : index[K] ~ categorical(pi) by ` + by + `
  for i in W { w[d, i] ~ categorical_logit(eta[z]) }
}`
}

var knownReals, otherReals = [][]float64{{0.3, -1.2, 2}, {}, {1.1}},
	[][]float64{{0.5}, {-0.4, 3}, {0, 1}}

var completionCases = []completionCase{
	{name: "topics, proportions integrated out", text: withTheta("collapse", "gibbs"), exact: lda},
	{name: "topics, proportions moved", text: withTheta("gmc", "gibbs"), exact: lda, kept: 30},
	{name: "topics summed out", text: withTheta("gmc", "marginal"), exact: lda, kept: 30},
	{name: "a word of two topics", exact: twoTopics, kept: 60, text: topics + `for d in D {
  local theta : simplex[K] ~ dirichlet(0.7) by collapse
  for i in W {
    local a, b : index[K] ~ categorical(theta) by gibbs
    w[d, i] ~ categorical_logit(eta[a] + eta[b])
  }
}`},
	{name: "one topic a row", text: oneOf("gibbs"), exact: oneTopic},
	{name: "one topic a row, summed out", text: oneOf("marginal"), exact: oneTopic},
	{name: "a shift integrated out", text: shifts("collapse"), observed: knownReals,
		scored: otherReals, exact: shift, scale: 0.8},
	{name: "a shift moved", text: shifts("gmc"), observed: knownReals, scored: otherReals,
		exact: shift, scale: 0.8},
	{name: "a rate integrated out", text: rates("collapse"), observed: knownWords,
		scored: otherWords, exact: counts, scale: 0.8},
}

// TestCompletion: for every kind of local, the probability of an entry given
// those that are known is the exact one within Monte Carlo error.
func TestCompletion(t *testing.T) {
	for _, c := range completionCases {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			if c.observed == nil {
				c.observed, c.scored = knownWords, otherWords
			}
			c.scale, c.kept = cmp.Or(c.scale, 2), cmp.Or(c.kept, 200)
			testCompletion(t, c)
		})
	}
}

// visits are how often the chain of every row is run: their spread is the error
// of their mean.
const visits = 20

func testCompletion(t *testing.T, c completionCase) {
	known, all := completionOf(t, c)
	x := make([]float64, known.Dim())
	for i := range x {
		x[i] = math.Sin(float64(2*i+1)) * c.scale
	}
	o := target.LocalOptions{BurnIn: 40, Kept: c.kept, Leapfrog: 8}
	tuned := all.Tuned(x, o, 7)
	e, out := all.Evaluator(o, 20143), make([]float64, all.Width())
	mean, square := make([]float64, len(out)), make([]float64, len(out))
	for v := range visits {
		e.Eval(x, uint64(v), tuned, out)
		for i, l := range out {
			p := math.Exp(l)
			mean[i] += p / visits
			square[i] += p * p / visits
		}
	}
	at := 0
	for row, entries := range c.scored {
		for _, y := range entries {
			for ; at < len(out); at++ { // padding
				if _, weight := all.Entry(at); weight > 0 {
					break
				}
			}
			if at == len(out) {
				t.Fatal("too few entries")
			}
			want := math.Exp(c.exact(x, c.observed[row], y))
			se := math.Sqrt(max(square[at]-mean[at]*mean[at], 0) / (visits - 1))
			if !(math.Abs(mean[at]-want) <= 4.5*se+1e-9) || !(se < 0.04*want) {
				t.Errorf("row %d, entry %v: %.6f ± %.6f, exact %.6f", row, y, mean[at], se, want)
			}
			at++
		}
	}
	for ; at < len(out); at++ {
		if _, weight := all.Entry(at); weight > 0 {
			t.Error("too many entries")
		}
	}
}

func completionOf(t *testing.T, c completionCase) (*model.Model, *model.Completion) {
	t.Helper()
	compiled, diags := driver.Complete(source.New("m.sg", c.text+"\n"), driver.Options{})
	if compiled == nil {
		t.Fatal(diags[0].Message)
	}
	var bounds [2]*data.Bound
	for i, part := range []struct {
		c    *driver.Compiled
		rows [][]float64
	}{{compiled.Observed, c.observed}, {compiled.Scored, c.scored}} {
		var flat []float64
		lengths := make([]int, len(part.rows))
		for k, r := range part.rows {
			flat, lengths[k] = append(flat, r...), len(r)
		}
		bound, _, errs := data.Validate(&part.c.Spec.Schema,
			map[string]*data.Value{"w": data.Ragged(flat, [][]int{{len(lengths)}, lengths})}, nil,
			data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		bounds[i] = bound
	}
	known, all, err := compiled.Bind(bounds[0], bounds[1], driver.Recorded{})
	if err != nil {
		t.Fatal(err)
	}
	return known, all
}
