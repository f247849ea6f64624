package posterior_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// predictor binds a model for prediction.
func predictor(
	t *testing.T, text string, dims map[string]int, values map[string]*data.Value,
	fitted map[string][]float64,
) (*driver.Posterior, *model.Model, *driver.Predictor) {
	t.Helper()
	p, diags := driver.Predict(source.New("m.sg", text), driver.Options{})
	if p == nil {
		t.Fatal(diags)
	}
	if values == nil {
		values = map[string]*data.Value{}
	}
	bound := &data.Bound{Dims: dims, Values: values}
	m, err := p.VM(bound, fitted)
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.Predictor(m, bound)
	if err != nil {
		t.Fatal(err)
	}
	return p, m, g
}

// draws are n draws at values of the unknowns.
func draws(
	t *testing.T, m *model.Model, g *driver.Predictor, unknowns []float64, n int,
) [][]float64 {
	t.Helper()
	x := make([]float64, m.Dim())
	if err := m.NewEvaluator(1).Unconstrain(unknowns, x); err != nil {
		t.Fatal(err)
	}
	var out [][]float64
	for i := range n {
		y := make([]float64, g.Len())
		if err := g.Draw(x, rng.New(1, 0, rng.Predict), uint64(i), y); err != nil {
			t.Fatal(err)
		}
		out = append(out, y)
	}
	return out
}

// moments of column i.
func moments(draws [][]float64, i int) (mean, sd float64) {
	var x []float64
	for _, d := range draws {
		x = append(x, d[i])
	}
	s := diagnose.Summarize([][]float64{x})
	return s.Mean, s.SD
}

// TestPredictMoments: draws have the moments of their distributions: of a
// truncated one, of a mixture, of a category that counts from 1, of what is
// scaled by values of the fitted run.
func TestPredictMoments(t *testing.T) {
	const text = `dim N
data x[N], y[N], w[N], u[N] : real
data z[N] : index[3] from 1
param a : real ~ normal(0, 1)
param s : positive ~ normal(0, 1)
param p : simplex[3] ~ dirichlet([1, 1, 1])
let m = mean(x)
for n in N {
  y[n] ~ normal(a * (x[n] - m), s)
  w[n] ~ normal(0, 1) truncated(0, inf)
  u[n] ~ mixture(0.25, normal(-8, s), normal(8, s))
  z[n] ~ categorical(p)
}
`
	const n = 4000
	p, m, g := predictor(t, text, map[string]int{"N": 2},
		map[string]*data.Value{"x": data.Dense([]float64{7, 4}, 2)}, nil0(t, text))
	if got := p.Absent(); !slices.Equal(got, []string{"y", "w", "u", "z"}) {
		t.Error("not needed:", got)
	}
	unknowns := []float64{2, 0.5, 0.2, 0.3, 0.5}
	all := draws(t, m, g, unknowns, n)
	column := map[string]int{}
	for _, s := range g.Sites {
		column[s.Name] = s.Offset
	}
	for _, c := range []struct {
		name     string
		i        int
		mean, sd float64
	}{
		{"y", 0, 2 * (7 - 5), 0.5}, {"y", 1, 2 * (4 - 5), 0.5},
		{"w", 1, math.Sqrt(2 / math.Pi), math.Sqrt(1 - 2/math.Pi)},
		{"u", 0, 0.75*8 - 0.25*8, math.Sqrt(0.25 + 64 - 16)},
		{"z", 1, 0.2*1 + 0.3*2 + 0.5*3, math.Sqrt(0.2 + 0.3*4 + 0.5*9 - 2.3*2.3)},
	} {
		mean, sd := moments(all, column[c.name]+c.i)
		if math.Abs(mean-c.mean) > 4*c.sd/math.Sqrt(n) || math.Abs(sd/c.sd-1) > 0.06 {
			t.Errorf("%s[%d] has mean %.3f and sd %.3f, want %.3f and %.3f", c.name, c.i, mean, sd,
				c.mean, c.sd)
		}
	}
	x := make([]float64, m.Dim())
	if err := m.NewEvaluator(1).Unconstrain(unknowns, x); err != nil {
		t.Fatal(err)
	}
	expected := make([]float64, g.Len())
	g.Expect(x, expected)
	if got := expected[column["y"]]; math.Abs(got-4) > 1e-12 {
		t.Errorf("the expected y is %v", got)
	}
	for i := range g.Sites {
		if s := &g.Sites[i]; s.Name == "z" {
			sum := make([]float64, s.Len*s.Classes)
			g.Chances(s, x, sum)
			for k, want := range []float64{0.2, 0.3, 0.5} {
				if math.Abs(sum[3+k]-want) > 1e-12 {
					t.Errorf("class %d has probability %v", k, sum[3+k])
				}
			}
		}
	}
}

// nil0 are the fitted values of the model above for rows whose mean is 5.
func nil0(t *testing.T, text string) map[string][]float64 {
	t.Helper()
	p, diags := driver.Predict(source.New("m.sg", text), driver.Options{})
	if p == nil {
		t.Fatal(diags)
	}
	if _, all := p.Known(driver.Recorded{}); all {
		t.Fatal("mean(x) is not taken from the run")
	}
	fit, err := p.Fit(&data.Bound{Dims: map[string]int{"N": 3},
		Values: map[string]*data.Value{"x": data.Dense([]float64{3, 5, 7}, 3)}})
	if err != nil {
		t.Fatal(err)
	}
	// A run's record has the same number under the name that sampling gives it.
	c, _ := driver.Compile(source.New("m.sg", text), driver.Options{})
	record := map[string][]float64{}
	for _, d := range c.Spec.Constants {
		record[d.Name] = []float64{5}
	}
	known, all := p.Known(driver.Recorded{Values: record})
	byKeys, _ := p.Known(driver.Recorded{Values: record, Keys: c.ConstantKeys()})
	if !reflect.DeepEqual(byKeys, known) {
		t.Fatalf("by keys %v, by names %v", byKeys, known)
	}
	if !all || len(known) != len(fit) {
		t.Fatalf("the record has %v, and %v is wanted", record, fit)
	}
	for name, x := range fit {
		if x[0] != 5 || known[name][0] != 5 {
			t.Fatalf("%s is %v computed and %v recorded", name, x, known[name])
		}
	}
	return fit
}

// TestPredictLatent: new rows draw latent values of their own, one for all
// that depends on it in the row.
func TestPredictLatent(t *testing.T) {
	const text = `dim N
data y[N], w[N] : real
param p : unit ~ beta(1, 1)
for n in N {
  local z : bool ~ bernoulli(p)
  y[n] ~ normal(10 * z, 1)
  w[n] ~ normal(-10 * z, 1)
}
`
	_, m, g := predictor(t, text, map[string]int{"N": 3}, nil, nil)
	all := draws(t, m, g, []float64{0.3}, 3000)
	for i := range 3 {
		hits, apart := 0.0, 0
		for _, d := range all {
			if d[i] > 5 {
				hits++
			}
			if (d[i] > 5) != (d[3+i] < -5) {
				apart++
			}
		}
		if p := hits / 3000; math.Abs(p-0.3) > 4*math.Sqrt(0.21/3000) || apart > 0 {
			t.Errorf("row %d: z is 1 with frequency %v, and differs between y and w %d times",
				i, p, apart)
		}
	}
	same := 0
	for _, d := range all {
		if (d[0] > 5) == (d[1] > 5) && (d[1] > 5) == (d[2] > 5) {
			same++
		}
	}
	if f := float64(same) / 3000; math.Abs(f-(0.027+0.343)) > 0.04 {
		t.Errorf("rows share their latent values with frequency %v", f)
	}
	_, diags := driver.Predict(source.New("m.sg",
		"dim N\ndata y[N] : real\nparam z : bool ~ bernoulli(0.5)\n"+
			"for n in N { y[n] ~ normal(z, 1) }\n"), driver.Options{})
	if len(diags) != 1 || diags[0].Code != "E0712" {
		t.Errorf("an unknown of all rows that was summed out: %v", diags)
	}
}

// TestPointwise: the log likelihoods of the entries add up to the density without the prior, and
// have the shapes of their statements.
func TestPointwise(t *testing.T) {
	const text = `dim J, K
data y[J], u[J, K] : real
param theta[J] : real ~ normal(0, 2)
for j in J {
  y[j] ~ normal(theta[j], 1)
  for k in K { u[j, k] ~ student_t(4, theta[j], 2) }
}
`
	bound := &data.Bound{Dims: map[string]int{"J": 2, "K": 3}, Values: map[string]*data.Value{
		"y": data.Dense([]float64{1, -2}, 2), "u": data.Dense([]float64{1, 2, 3, -1, 0, 4}, 2, 3)}}
	src := source.New("m.sg", text)
	p, diags := driver.Pointwise(src, driver.Options{})
	if p == nil {
		t.Fatal(diags)
	}
	m, err := p.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := p.Likelihood(m)
	if l.Len() != 8 || len(p.Terms) != 2 || p.Terms[1].Site != "u" ||
		!slices.Equal(p.Terms[1].Dims, []string{"J", "K"}) {
		t.Fatalf("%d entries of %+v", l.Len(), p.Terms)
	}
	x, out := []float64{0.3, -0.7}, make([]float64, 8)
	l.Eval(x, out)
	if want := -0.5*math.Log(2*math.Pi) - 0.5*0.49; math.Abs(out[0]-want) > 1e-12 {
		t.Errorf("y[0] has log likelihood %v, want %v", out[0], want)
	}
	c, _ := driver.Compile(src, driver.Options{})
	full, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, v := range out {
		sum += v
	}
	for _, v := range x {
		sum += -0.5*v*v/4 - math.Log(2) - 0.5*math.Log(2*math.Pi)
	}
	if d := full.Evaluator(0).LogDensity(x, nil, 1, 1); math.Abs(d-sum) > 1e-10 {
		t.Errorf("prior and entries add up to %v, the density is %v", sum, d)
	}
}

// TestPosteriorOfExamples: every example compiles for what comes after a run,
// or is refused by the code that says why.
func TestPosteriorOfExamples(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.sg", "*/*.sg"} {
		list, err := filepath.Glob(filepath.Join("..", "..", "examples", "models", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	predicted := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		src := source.New(filepath.Base(file), string(text))
		p, diags := driver.Predict(src, driver.Options{})
		if p == nil && (len(diags) == 0 || diags[len(diags)-1].Code != "E0712") {
			t.Errorf("%s: predictions: %v", file, diags)
		} else if p != nil {
			predicted++
		}
		l, diags := driver.Pointwise(src, driver.Options{})
		if l == nil && (len(diags) == 0 || diags[len(diags)-1].Code != "E0714") {
			t.Errorf("%s: log likelihoods: %v", file, diags)
		}
		if p == nil || l == nil {
			for _, d := range diags {
				t.Log(filepath.Base(file), d.Code, d.Message)
			}
		}
	}
	if predicted < 25 {
		t.Errorf("only %d of %d examples predict", predicted, len(files))
	}
}
