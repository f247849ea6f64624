package checks

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/typed"
)

// quiet is a session that says nothing.
func quiet() *session.Session {
	return &session.Session{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{},
		Stderr: &bytes.Buffer{}, Screen: &bytes.Buffer{}, Getenv: os.Getenv, Now: time.Now,
		Quit: func(int) {}, Interrupts: func(func()) func() { return func() {} }}
}

// saved samples a model by nuts, and saves the run. It returns the directory and the data.
func saved(t *testing.T, model, csv string, draws int) (dir string, o Options) {
	t.Helper()
	dir = t.TempDir()
	file := filepath.Join(dir, "d.csv")
	if err := os.WriteFile(file, []byte(csv), 0o666); err != nil {
		t.Fatal(err)
	}
	c, diags := driver.Compile(source.New("m.sg", model), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	c.Spec.Version = sgppl.Version
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{file}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := typed.DefaultSettings()
	s.Sampler, s.Anchor, s.Warmup, s.Draws, s.Chains, s.Seed = "nuts", "", 300, int64(draws), 4, 3
	set, err := typed.Collect(t.Context(), m, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Save(filepath.Join(dir, "run"), m); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "run"), Options{Data: []string{file}, Seed: 1}
}

// opened is the checker of a run, with what it has found.
func opened(t *testing.T, dir string, o Options) *checker {
	t.Helper()
	c := &checker{dir: dir, o: o, said: &bytes.Buffer{}}
	c.e = quiet()
	c.e.Stderr, c.e.Screen = c.said, c.said
	if why := c.open(); why != "" {
		t.Fatal(why)
	}
	if err := c.predictor(); err != nil {
		t.Fatal(c.why(err))
	}
	if err := c.crossValidate(nil); err != nil {
		t.Fatal(c.why(err))
	}
	if err := c.simulate(nil); err != nil {
		t.Fatal(c.why(err))
	}
	return c
}

// normals are n numbers from N(mean, sd).
func normals(n int, mean, sd float64, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + sd*r.NormFloat64()
	}
	return out
}

func column(name string, x []float64) string {
	var b strings.Builder
	b.WriteString(name + "\n")
	for _, v := range x {
		fmt.Fprintf(&b, "%v\n", v)
	}
	return b.String()
}

const normalModel = `dim N
data y[N] : real
param mu : real ~ normal(0, 10)
y ~ normal(mu, 1)
`

// TestTransforms: the transforms of a conjugate model are those of its exact leave-one-out
// predictive, N(m, 1 + v) with the posterior of the other observations.
func TestTransforms(t *testing.T) {
	y := normals(40, 2, 1, 5)
	dir, o := saved(t, normalModel, column("y", y), 1000)
	c := opened(t, dir, o)
	at, why := c.matched(&c.sites[0])
	if why != "" {
		t.Fatal(why)
	}
	got := c.transformed(&c.sites[0], at)
	sum := 0.0
	for _, v := range y {
		sum += v
	}
	for i, v := range y {
		precision := 1.0/100 + float64(len(y)-1)
		m := (sum - v) / precision
		want := distuv.Normal{Mu: m, Sigma: math.Sqrt(1 + 1/precision)}.CDF(v)
		// A share of 4,000 draws has an error of at most 0.008.
		if math.Abs(got[i]-want) > 0.03 {
			t.Errorf("observation %d: %.3f, exactly %.3f", i, got[i], want)
		}
	}
	// The same from the point of view of cross-validation: the log density of each observation.
	for i, v := range y {
		precision := 1.0/100 + float64(len(y)-1)
		want := distuv.Normal{Mu: (sum - v) / precision, Sigma: math.Sqrt(1 + 1/precision)}.LogProb(v)
		if math.Abs(c.points[i].ELPD-want) > 0.02 {
			t.Errorf("observation %d: elpd %.4f, exactly %.4f", i, c.points[i].ELPD, want)
		}
	}
}

// TestWrongModels: transforms and statistics see data that the model does not give: with a
// wider or a narrower deviation than the model's; and see nothing where it does.
func TestWrongModels(t *testing.T) {
	for _, w := range []struct {
		sd              float64
		outside, unlike bool
	}{{1, false, false}, {3, true, true}, {0.3, true, true}} {
		dir, o := saved(t, normalModel, column("y", normals(100, 2, w.sd, 7)), 500)
		found := added(t, dir, o)
		text := words(t, found.Checks)
		if doubt := found.Fit != "ok"; doubt != w.unlike ||
			w.unlike != strings.Contains(found.FitSays, "sd") {
			t.Errorf("sd %g: %s, %s", w.sd, found.Fit, found.FitSays)
		}
		if outside := strings.Contains(text, "Outside the band"); outside != w.outside {
			t.Errorf("sd %g: outside the band is %v", w.sd, outside)
		}
		if unlike := strings.Contains(text, "unlike the data sets"); unlike != w.unlike {
			t.Errorf("sd %g: unlike is %v:\n%s", w.sd, unlike, text)
		}
	}
}

// added is a report to which checks were added.
func added(t *testing.T, dir string, o Options) *show.Report {
	t.Helper()
	out := &show.Report{}
	if err := Add(quiet(), dir, o, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// words are sections as a page has them.
func words(t *testing.T, sections []show.Section) string {
	t.Helper()
	p := &show.Page{}
	for i := range sections {
		if err := p.Section(&sections[i]); err != nil {
			t.Fatal(err)
		}
	}
	return p.Body.String()
}

// TestSameBytes: threads do not change what is computed, and another seed does.
func TestSameBytes(t *testing.T) {
	dir, o := saved(t, normalModel, column("y", normals(30, 0, 1, 2)), 200)
	page := func(threads int, seed uint64) string {
		o.Threads, o.Seed = threads, seed
		found := added(t, dir, o)
		return words(t, found.Checks) + words(t, found.Priors)
	}
	one := page(1, 1)
	if page(3, 1) != one {
		t.Error("three threads have other bytes than one")
	}
	if page(1, 2) == one {
		t.Error("another seed has the same data sets")
	}
}

const countsModel = `dim N, G
data g[N] : index[G]
data k[N] : count
param rate[G] : positive ~ gamma(2, 0.5)
for n in N { k[n] ~ poisson(rate[g[n]]) }
`

// TestGroupsAndCounts: counts have frequencies, zeros and means by group, and too many zeros are
// told; transforms of counts are split at random and are uniform.
func TestGroupsAndCounts(t *testing.T) {
	for _, inflated := range []bool{false, true} {
		r := rand.New(rand.NewPCG(4, 4))
		var csv strings.Builder
		csv.WriteString("g,k\n")
		for i := range 300 {
			k := distuv.Poisson{Lambda: 2 + 2*float64(i%3), Src: r}.Rand()
			if inflated && i%4 == 0 {
				k = 0
			}
			fmt.Fprintf(&csv, "%d,%g\n", i%3, k)
		}
		dir, o := saved(t, countsModel, csv.String(), 300)
		found := added(t, dir, o)
		text := words(t, found.Checks)
		for _, want := range []string{"Frequencies of k", "Means of k by g", "share of zeros of k",
			"LOO-PIT of k", "k is counted", "Pareto k", "An observation is a row of N"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing", want)
			}
		}
		row := text[strings.Index(text, "share of zeros of k"):]
		row = row[:strings.Index(row, "</tr>")]
		if strings.Contains(row, "unlike") != inflated ||
			strings.Contains(text, "Outside the band") != inflated {
			t.Errorf("inflated %v: %s", inflated, row)
		}
		if text := words(t, found.Priors); strings.Count(text, "Prior and posterior of rate[") < 3 {
			t.Error("the rates have no priors")
		}
	}
}

// TestManyRows: of many rows some are taken, evenly spread, and the page says so.
func TestManyRows(t *testing.T) {
	const n = 5003
	var csv strings.Builder
	csv.WriteString("g,k\n")
	r := rand.New(rand.NewPCG(4, 4))
	for i := range n {
		fmt.Fprintf(&csv, "%d,%g\n", i%2, distuv.Poisson{Lambda: 3, Src: r}.Rand())
	}
	dir, o := saved(t, countsModel, csv.String(), 300)
	c := opened(t, dir, o)
	if len(c.keep) != mostRows || c.keep[0] != 1 || c.keep[mostRows-1] != n-2 || c.width != mostRows ||
		len(c.points) != mostRows || c.n != mostWork/mostRows {
		t.Fatalf("%d rows from %d to %d, %d points, %d data sets", len(c.keep), c.keep[0],
			c.keep[mostRows-1], len(c.points), c.n)
	}
	counts := c.b.Bound.Values["k"].Floats()
	for i, row := range c.keep {
		if c.seen[i] != counts[row] {
			t.Fatalf("row %d is not the one that is named", row)
		}
	}
	if at, why := c.matched(&c.sites[0]); why != "" || at[7] != 7 {
		t.Error(at[7], why)
	}
	if text := words(t, c.predictive()); !strings.Contains(text,
		"Of 5003 rows of N, 2000 are taken, evenly spread") {
		t.Error(text[:300])
	}
}

// TestWithoutData: data that changed, or are not there, are told with what to do; nothing else
// is lost.
func TestWithoutData(t *testing.T) {
	dir, o := saved(t, normalModel, column("y", normals(30, 0, 1, 2)), 100)
	for _, change := range []func(){
		func() { os.WriteFile(o.Data[0], []byte("y\n1\n2\n"), 0o666) },
		func() { os.Remove(o.Data[0]) },
		func() { o.Data = nil },
	} {
		change()
		found := added(t, dir, o)
		sections := found.Checks
		if found.Priors != nil || len(sections) != 1 || len(sections[0].Charts) != 0 ||
			found.Fit != "" {
			t.Fatal(sections)
		}
		if text := sections[0].Text[0]; !strings.Contains(text, "could not be read") ||
			!strings.Contains(text, "--data SPEC") {
			t.Error(text)
		}
	}
}

// TestPriors: a prior is drawn as `simulate` would; flat ones and what depends on them are named,
// and have no picture.
func TestPriors(t *testing.T) {
	dir, o := saved(t, `dim N
data y[N] : real
param mu, free : real
param low : real ~ normal(free, 1)
param s : positive ~ exponential(1)
mu ~ normal(3, 2)
y ~ normal(mu + low + free, s)
`, column("y", normals(20, 0, 1, 2)), 200)
	priors := added(t, dir, o).Priors
	if len(priors) != 1 {
		t.Fatal(priors)
	}
	text := strings.Join(priors[0].Text, "\n")
	for _, want := range []string{"Flat on its type, so there is no prior to draw from: free.",
		"Their prior depends on a flat one: low (on free)."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	var titles []string
	for _, c := range priors[0].Charts {
		titles = append(titles, c.Title)
	}
	if !reflect.DeepEqual(titles, []string{"Prior and posterior of mu", "Prior and posterior of s"}) {
		t.Error(titles)
	}
	// The density of the prior is that of N(3, 2).
	prior := priors[0].Charts[0].Series[0]
	for i, x := range prior.X {
		want := distuv.Normal{Mu: 3, Sigma: 2}.Prob(x)
		if math.Abs(prior.Y[i]-want) > 0.03 {
			t.Errorf("the prior at %g is %g, exactly %g", x, prior.Y[i], want)
		}
	}
}

// TestRefused: models without entries that have laws say why.
func TestRefused(t *testing.T) {
	dir, o := saved(t, `dim N
data y[N] : real
param mu : real ~ normal(0, 1)
for n in N { factor(-(y[n] - mu)^2) }
`, column("y", normals(20, 0, 1, 2)), 100)
	found := added(t, dir, o)
	text := words(t, append(found.Checks, found.Priors...))
	if found.FitSays != "no single observation decides the posterior" {
		t.Errorf("%s: %s", found.Fit, found.FitSays)
	}
	for _, want := range []string{"There are none: no statement name ~",
		"There is no picture: a factor"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// TestUnlike: few data sets cannot say that a statistic is unlike them, and of many groups one has
// to
// be further off.
func TestUnlike(t *testing.T) {
	for _, c := range []struct {
		p           float64
		n, together int
		want        bool
	}{
		{0, 4000, 1, true}, {1, 4000, 1, true}, {0.5, 4000, 1, false}, {0, 12, 1, false},
		{0.004, 4000, 1, true}, {0.006, 4000, 1, false}, {0.002, 4000, 30, false},
		{0, 4000, 30, true}, {1, 199, 1, false}, {1, 201, 1, true},
	} {
		if got := Unlike(c.p, c.n, c.together); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestFewDraws: a right model is not spoken against because there are few draws.
func TestFewDraws(t *testing.T) {
	dir, o := saved(t, normalModel, column("y", normals(200, 2, 1, 11)), 5)
	c := opened(t, dir, o)
	at, _ := c.matched(&c.sites[0])
	if _, outside := PIT("y", c.transformed(&c.sites[0], at)); outside || c.n != 20 {
		t.Errorf("20 draws (%d) put transforms outside of the band", c.n)
	}
	if c.predictive(); len(c.against) > 0 {
		t.Errorf("%v", c.against)
	}
}

// TestManyRowsCentred: rows of a model that reads mean(x) are taken with the mean of all rows, not
// with theirs; those of a model that reads how many there are, or rows together, are not taken.
func TestManyRowsCentred(t *testing.T) {
	const n = 3000
	var csv strings.Builder
	csv.WriteString("x,y\n")
	r := rand.New(rand.NewPCG(9, 4))
	for i := range n {
		x := float64(i%7) + 10*float64(i/1500) // the rows that are taken have another mean
		if i%3 == 0 {
			x += 5
		}
		fmt.Fprintf(&csv, "%g,%g\n", x, 1+2*x+r.NormFloat64())
	}
	const model = `dim N
data x[N] : real
data y[N] : real
param a, b : real ~ normal(0, 50)
`
	dir, o := saved(t, model+`let c = x - mean(x)
for n in N { y[n] ~ normal(a + b * c[n], 1) }
`, csv.String(), 200)
	c := opened(t, dir, o)
	if len(c.keep) != mostRows {
		t.Fatalf("%d rows", len(c.keep))
	}
	all, some := c.b.Bound.Values["x"].Floats(), c.target.Bound.Values["x"].Floats()
	found := false
	for _, x := range c.target.Constants {
		found = found || len(x) == 1 && math.Abs(x[0]-mean(all)) < 1e-9
	}
	if !found || math.Abs(mean(all)-mean(some)) < 1e-6 {
		t.Errorf("%v is not the mean of all rows, %g; that of some is %g", c.target.Constants,
			mean(all), mean(some))
	}
	// Simulated values are around those observed, for every row: within 6 deviations.
	for e := range c.width {
		if x := c.drawn[e]; math.Abs(x-c.seen[e]) > 9 {
			t.Fatalf("row %d: simulated %g, observed %g", c.keep[e], x, c.seen[e])
		}
	}
	if found := added(t, dir, o); found.Fit != "ok" {
		t.Errorf("%s: %s", found.Fit, found.FitSays)
	}
	for _, law := range []string{"y[n] ~ normal(a + b * x[n], 1 + 1.0 / N)"} {
		dir, o := saved(t, model+"for n in N { "+law+" }\n", csv.String(), 50)
		if c := opened(t, dir, o); c.keep != nil {
			t.Errorf("%s: rows are taken, though they depend on the others", law)
		}
	}
}
