package posterior_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// raggedOf binds rows of w.
func raggedOf(t *testing.T, c *driver.Compiled, rows [][]float64, absent ...string) *data.Bound {
	t.Helper()
	var flat []float64
	lengths := make([]int, len(rows))
	for k, r := range rows {
		flat, lengths[k] = append(flat, r...), len(r)
	}
	bound, _, errs := data.Validate(&c.Spec.Schema,
		map[string]*data.Value{"w": data.Ragged(flat, [][]int{{len(lengths)}, lengths})}, nil,
		data.Options{Absent: absent})
	if errs != nil {
		t.Fatal(errs[0])
	}
	return bound
}

// latentsOf binds rows for draws of their latent values.
func latentsOf(
	t *testing.T, text string, rows [][]float64, names ...string,
) (*driver.RowLatents, *model.Model, *model.RowLatents) {
	t.Helper()
	r, diags := driver.Latents(source.New("m.sg", text+"\n"), driver.Options{}, names)
	if r == nil {
		t.Fatal(diags[len(diags)-1].Message)
	}
	m, all, err := r.Bind(raggedOf(t, &r.Compiled, rows), driver.Recorded{})
	if err != nil {
		t.Fatal(err)
	}
	return r, m, all
}

// stateOf is where completion cases are evaluated.
func stateOf(n int, scale float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Sin(float64(2*i+1)) * scale
	}
	return x
}

var latentOptions = target.LocalOptions{BurnIn: 25, Leapfrog: 6}

// TestPredictGiven: entries that are predicted given others of their row have
// the probabilities that the completion of rows has for them.
func TestPredictGiven(t *testing.T) {
	for _, c := range completionCases {
		if c.observed == nil {
			c.observed, c.scored = knownWords, otherWords
		}
		if c.scale == 0 {
			c.scale = 2
		}
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) { testPredictGiven(t, c) })
	}
}

func testPredictGiven(t *testing.T, c completionCase) {
	r, known, all := latentsOf(t, c.text, c.observed)
	p, diags := driver.Predict(source.New("m.sg", c.text+"\n"), driver.Options{Given: true})
	if p == nil {
		t.Fatal(diags[0].Message)
	}
	bound := raggedOf(t, &p.Compiled, c.scored, p.Absent()...)
	m, err := p.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.Predictor(m, bound)
	if err != nil {
		t.Fatal(err)
	}
	x := stateOf(m.Dim(), c.scale)
	tuned, e := all.Tuned(x, latentOptions, 7), all.Evaluator(latentOptions, 5)
	values := make([][]float64, len(r.Values))
	for i := range values {
		values[i] = make([]float64, all.Len(i))
	}
	const n = 400
	width := g.Sites[0].Shape[1]
	seen := make([][]float64, g.Len())
	out := make([]float64, g.Len())
	for v := range n {
		e.Eval(x, uint64(v), tuned, values)
		for i, z := range r.Values {
			if !g.Give(z.Name, values[i]) && v == 0 {
				t.Errorf("nothing reads %s", z.Name)
			}
		}
		if err := g.Draw(x, rng.New(3, 0, rng.Predict), uint64(v), out); err != nil {
			t.Fatal(err)
		}
		for i, y := range out {
			seen[i] = append(seen[i], y)
		}
	}
	_ = known
	for row := range c.scored {
		for i := range width {
			draws := seen[row*width+i]
			if i >= len(c.scored[row]) {
				if !math.IsNaN(draws[0]) {
					t.Errorf("row %d: entry %d is padding, and is %v", row, i, draws[0])
				}
				continue
			}
			if strings.Contains(c.name, "shift") { // by the moments of its normal law
				mean, precision := x[0], 1/(1.5*1.5)
				for _, y := range c.observed[row] {
					precision += 1 / 0.64
					_ = y
				}
				for _, y := range c.observed[row] {
					mean += (y - x[0]) / 0.64 / precision
				}
				sd := math.Sqrt(0.64 + 1/precision)
				m, s := 0.0, 0.0
				for _, y := range draws {
					m += y / n
				}
				for _, y := range draws {
					s += (y - m) * (y - m) / (n - 1)
				}
				if math.Abs(m-mean) > 4*sd/math.Sqrt(n) ||
					math.Abs(math.Sqrt(s)/sd-1) > 4/math.Sqrt(2*n) {
					t.Errorf("row %d: mean %v and sd %v, want %v and %v", row, m, math.Sqrt(s),
						mean, sd)
				}
				continue
			}
			for value := range 3 {
				hits := 0.0
				for _, y := range draws {
					if int(y) == value {
						hits++
					}
				}
				want := math.Exp(c.exact(x, c.observed[row], float64(value)))
				if got := hits / n; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n)+1e-3 {
					t.Errorf("row %d, entry %d is %d with frequency %v, probability %v", row, i,
						value, got, want)
				}
			}
		}
	}
}

// TestPredictDrawnLocals: new rows draw from their laws what chains draw in a run:
// arrays of bits, positive numbers with a prior that is cut, and what depends on them.
func TestPredictDrawnLocals(t *testing.T) {
	const text = `dim N
data y[N], v[N] : real
param a : real ~ normal(0, 1)
for n in N {
  local h[2] : bool ~ bernoulli(0.3) by gibbs
  local u : positive ~ normal(0, 1) by gmc
  local s : real ~ normal(u, 0.5) by gmc
  y[n] ~ normal(a + 3 * h[0] - 2 * h[1] + s, 0.5)
  v[n] ~ normal(h[0] + u, 0.1)
}
`
	p, diags := driver.Predict(source.New("m.sg", text), driver.Options{Sampled: true})
	if p == nil {
		t.Fatal(diags[0].Message)
	}
	bound := &data.Bound{Dims: map[string]int{"N": 2}, Values: map[string]*data.Value{}}
	m, err := p.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.Predictor(m, bound)
	if err != nil {
		t.Fatal(err)
	}
	if m.Dim() != 1 {
		t.Fatalf("the state has %d numbers: latent values are among them", m.Dim())
	}
	const n = 4000
	mu, vu := math.Sqrt(2/math.Pi), 1-2/math.Pi
	var sum, square [4]float64
	cross := 0.0
	out := make([]float64, 4)
	for i := range n {
		if err := g.Draw([]float64{0.7}, rng.New(1, 0, rng.Predict), uint64(i), out); err != nil {
			t.Fatal(err)
		}
		for k, y := range out {
			sum[k] += y / n
			square[k] += y * y / n
		}
		cross += out[0] * out[2] / n
	}
	vy, vv := vu+0.25+0.25+13*0.21, vu+0.01+0.21
	for k, want := range []struct{ mean, variance float64 }{{0.7 + 0.9 - 0.6 + mu, vy},
		{0.7 + 0.9 - 0.6 + mu, vy}, {0.3 + mu, vv}, {0.3 + mu, vv}} {
		variance := square[k] - sum[k]*sum[k]
		if math.Abs(sum[k]-want.mean) > 4*math.Sqrt(want.variance/n) ||
			math.Abs(variance/want.variance-1) > 0.12 {
			t.Errorf("entry %d: mean %v and variance %v, want %v and %v", k, sum[k], variance,
				want.mean, want.variance)
		}
	}
	if got, want := cross-sum[0]*sum[2], 3*0.21+vu; math.Abs(got-want) > 0.15 {
		t.Errorf("covariance within a row %v, want %v", got, want)
	}
}

// TestLatents: values of locals have their posterior, and are the same from any
// number of evaluators.
func TestLatents(t *testing.T) {
	t.Run("an effect", func(t *testing.T) {
		for _, by := range []string{"gmc", "collapse"} {
			_, m, all := latentsOf(t, shifts(by), knownReals, "u")
			x := stateOf(m.Dim(), 0.8)
			draws := drawLatents(all, x, 500)
			for row, ys := range knownReals {
				precision, mean := 1/(1.5*1.5), 0.0
				for range ys {
					precision += 1 / 0.64
				}
				for _, y := range ys {
					mean += (y - x[0]) / 0.64 / precision
				}
				checkMoments(t, fmt.Sprintf("%s, row %d", by, row), column(draws, row), mean,
					math.Sqrt(1/precision))
			}
		}
	})
	t.Run("proportions", func(t *testing.T) {
		for _, by := range []string{"collapse", "gmc"} {
			r, m, all := latentsOf(t, withTheta(by, "gibbs"), knownWords)
			if len(r.Values) != 1 || r.Values[0].Name != "theta" {
				t.Fatalf("%v", r.Values)
			}
			x := stateOf(m.Dim(), 2)
			draws := drawLatents(all, x, 500)
			for row, words := range knownWords {
				mean, sd := proportion(topicsOf(x), words)
				checkMoments(t, fmt.Sprintf("%s, row %d", by, row), column(draws, 2*row), mean, sd)
			}
		}
	})
	t.Run("a class", func(t *testing.T) {
		r, m, all := latentsOf(t, oneOf("marginal"), knownWords, "z")
		sites := r.Sites(m)
		if s := sites[0]; s.Classes != 2 || s.ClassDim != "K" || !slices.Equal(s.Shape, []int{3}) ||
			!slices.Equal(s.Dims, []string{"D"}) {
			t.Errorf("%+v", s)
		}
		x := stateOf(m.Dim(), 2)
		phi := topicsOf(x)
		draws := drawLatents(all, x, 500)
		for row, words := range knownWords {
			p := [2]float64{0.3, 0.7}
			for _, w := range words {
				p[0], p[1] = p[0]*phi[0][int(w)], p[1]*phi[1][int(w)]
			}
			one := p[1] / (p[0] + p[1])
			checkMoments(t, fmt.Sprintf("row %d", row), column(draws, row), one,
				math.Sqrt(one*(1-one)))
		}
	})
	t.Run("topics of words", func(t *testing.T) {
		_, m, all := latentsOf(t, withTheta("collapse", "gibbs"), knownWords, "theta", "z")
		if all.Len(0) != 6 || all.Len(1) != 9 {
			t.Fatal(all.Len(0), all.Len(1))
		}
		out := [][]float64{make([]float64, 6), make([]float64, 9)}
		x := stateOf(m.Dim(), 2)
		all.Evaluator(latentOptions, 1).Eval(x, 0, all.Tuned(x, latentOptions, 1), out)
		for i, v := range out[1] {
			if there := i < 3 || i == 6; there != (v == 0 || v == 1) || there == math.IsNaN(v) {
				t.Errorf("the topic of word %d is %v", i, v)
			}
		}
	})
	// What cannot be drawn is shown where it is declared, and an unknown name at the
	// first local.
	for _, c := range []struct{ name, text, message, at string }{
		{"eta", withTheta("collapse", "gibbs"),
			"eta is no latent value of a row; the model has theta, z", "eta"},
		{"none", withTheta("collapse", "gibbs"),
			"none is no latent value of a row; the model has theta, z", "theta"},
	} {
		src := source.New("m.sg", c.text+"\n")
		_, diags := driver.Latents(src, driver.Options{}, []string{c.name})
		if len(diags) != 1 || diags[0].Code != "E0712" || diags[0].Message != c.message {
			t.Errorf("%s: %v", c.name, diags)
		} else if s := diags[0].Span; c.text[s.Start:s.End] != c.at {
			t.Errorf("%s: underlined is %q", c.name, c.text[s.Start:s.End])
		}
	}
}

// TestLatentsMakeNothing: once functions know the lengths of rows, drawing allocates
// next to nothing, in whatever order the lengths come; and a stop is heard.
func TestLatentsMakeNothing(t *testing.T) {
	rows := [][]float64{{0, 1, 2, 0, 1}, {1}, {0, 0, 1}, {2, 1, 0, 0, 2, 1, 1}, {1, 2},
		{0, 1, 2, 0}}
	for _, by := range []string{"collapse", "gmc"} {
		_, m, all := latentsOf(t, withTheta(by, "gibbs"), rows, "theta", "z")
		x, e := stateOf(m.Dim(), 2), all.Evaluator(latentOptions, 5)
		tuned := all.Tuned(x, latentOptions, 7)
		out := [][]float64{make([]float64, all.Len(0)), make([]float64, all.Len(1))}
		visit := uint64(0)
		if n := testing.AllocsPerRun(3, func() {
			e.Eval(x, visit, tuned, out)
			visit++
		}); n > 2*float64(len(rows)) {
			t.Errorf("%s: a draw of %d rows allocates %v times", by, len(rows), n)
		}
		again := [][]float64{make([]float64, all.Len(0)), make([]float64, all.Len(1))}
		all.Evaluator(latentOptions, 5).Eval(x, visit-1, tuned, again)
		for i := range out {
			for k, v := range out[i] {
				if math.Float64bits(v) != math.Float64bits(again[i][k]) {
					t.Fatalf("%s: number %d of value %d is %v, and %v from a fresh evaluator", by,
						k, i, v, again[i][k])
				}
			}
		}
		asked := 0
		all.Stop = func() bool { asked++; return asked > 2 }
		clear(out[0])
		all.Evaluator(latentOptions, 5).Eval(x, 0, tuned, out)
		if out[0][3] == 0 || out[0][4] != 0 || asked != 3 {
			t.Errorf("%s: stopped before the third row of %v, asked %d times", by, out[0], asked)
		}
	}
}

// proportion is the mean and deviation of the first topic's share given the
// words of a row, by the sum over the topics of all of them.
func proportion(phi [2][3]float64, words []float64) (mean, sd float64) {
	const alpha = 0.7
	weight, first, second := 0.0, 0.0, 0.0
	for z := range 1 << len(words) {
		n, p := [2]float64{alpha, alpha}, 1.0
		for i, w := range words {
			k := z >> i & 1
			p *= phi[k][int(w)] * n[k]
			n[k]++
		}
		a, b := n[0], n[1]
		m := a / (a + b)
		weight, first, second = weight+p, first+p*m, second+p*(m*m+a*b/(a+b)/(a+b)/(a+b+1))
	}
	mean = first / weight
	return mean, math.Sqrt(second/weight - mean*mean)
}

func drawLatents(all *model.RowLatents, x []float64, n int) [][]float64 {
	tuned := all.Tuned(x, latentOptions, 7)
	workers := []*model.RowLatentsEvaluator{all.Evaluator(latentOptions, 5),
		all.Evaluator(latentOptions, 5)}
	var out [][]float64
	for v := range n {
		draw := make([]float64, all.Len(0))
		workers[v%2].Eval(x, uint64(v), tuned, [][]float64{draw})
		out = append(out, draw)
	}
	return out
}

func column(draws [][]float64, i int) []float64 {
	var out []float64
	for _, d := range draws {
		out = append(out, d[i])
	}
	return out
}

func checkMoments(t *testing.T, what string, x []float64, mean, sd float64) {
	t.Helper()
	m, s, n := 0.0, 0.0, float64(len(x))
	for _, v := range x {
		m += v / n
	}
	for _, v := range x {
		s += (v - m) * (v - m) / (n - 1)
	}
	if math.Abs(m-mean) > 4*sd/math.Sqrt(n) || math.Abs(math.Sqrt(s)/sd-1) > 4/math.Sqrt(n) {
		t.Errorf("%s: mean %v and sd %v, want %v and %v", what, m, math.Sqrt(s), mean, sd)
	}
}
