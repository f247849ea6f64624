package calibrate

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
)

const lineText = `dim N
data x[N], y[N] : real
param a : real ~ normal(0, 1)
param s : positive ~ exponential(1)
for n in N { y[n] ~ normal(a * x[n], s) }
`

func options(replications int) Options {
	o := DefaultOptions()
	o.Sets, o.Replications, o.Seed = []string{"N=8"}, replications, 11
	o.Draws, o.Config.Warmup = 49, 300
	return o
}

func newTest(t *testing.T, text string, o Options) *Test {
	t.Helper()
	test, diags, errs, err := New(source.New("line.sg", text), o)
	if test == nil {
		t.Fatal(diags, errs, err)
	}
	return test
}

func tested(t *testing.T, test *Test) *Report {
	t.Helper()
	r, errs, err := test.Run(context.Background())
	if r == nil {
		t.Fatal(errs, err)
	}
	return r
}

func outside(c *Calibration) string {
	var out []string
	for _, q := range c.Quantities {
		if !q.Inside {
			out = append(out, q.Name)
		}
	}
	return strings.Join(out, ", ")
}

// A right model with a right sampler passes, whatever the number of threads.
func TestRight(t *testing.T) {
	o := options(60)
	var texts []string
	for _, threads := range []int{1, 2} {
		o.Threads = threads
		r := tested(t, newTest(t, lineText, o))
		if r.Verdict != Passed || len(r.Calibration.Quantities) != 3 || r.Finite.Terms != 4 {
			t.Fatalf("%s", Text(r))
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("the report depends on the threads")
	}
}

// Data that come of another model than the one that is fitted are found: so are
// a wrong prior, a wrong noise, and a generator that is not of the density.
func TestWrongModel(t *testing.T) {
	for _, c := range []struct{ name, n, from, to, found string }{
		// much data would hide it
		{"prior scale", "N=1", "a : real ~ normal(0, 1)", "a : real ~ normal(0, 4)", "a"},
		{"noise", "N=8", "normal(a * x[n], s)", "normal(a * x[n], 2 * s)", "s"},
		{"mean", "N=8", "normal(a * x[n], s)", "normal(a * x[n] + s, s)", "s"},
	} {
		o := options(60)
		o.Sets = []string{c.n}
		test := newTest(t, lineText, o)
		changed := strings.Replace(lineText, c.from, c.to, 1)
		if changed == lineText {
			t.Fatal(c.name)
		}
		s, diags, errs, err := driver.NewSimulator(source.New("line.sg", changed),
			driver.SimulateOptions{Sets: o.Sets})
		if s == nil {
			t.Fatal(diags, errs, err)
		}
		test.simulator = s
		r := tested(t, test)
		if r.Calibration.Verdict != Failed || !strings.Contains(outside(r.Calibration), c.found) {
			t.Errorf("%s is not found:\n%s", c.name, Text(r))
		}
	}
}

// A sampler that is wrong is found: Langevin steps far too long.
func TestWrongSampler(t *testing.T) {
	o := options(60)
	o.Config.Sampler, o.Config.Step, o.Config.Thin = "sgld", 0.15, 3
	r := tested(t, newTest(t, "dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\n"+
		"y ~ normal(a, 1)\n", o))
	if r.Calibration.Verdict != Failed || r.Calibration.Sampler != "sgld" {
		t.Errorf("not found:\n%s", Text(r))
	}
}

// A chain does not leave the mode it finds: of two that are far apart it sees one,
// which ranks tell. From the truth they are uniform, since the density is right.
func TestModes(t *testing.T) {
	o := options(40)
	o.Sets = nil
	const text = "data y : real\nparam a : real ~ mixture(0.5, normal(-20, 1), normal(20, 1))\n" +
		"y ~ normal(abs(a), 1)\n"
	r := tested(t, newTest(t, text, o))
	if c := r.Calibration; c.Verdict != Failed ||
		!strings.Contains(c.Quantities[0].Shape, "too narrow") {
		t.Error(Text(r))
	}
	o.FromTruth = true
	if r = tested(t, newTest(t, text, o)); r.Verdict != Passed ||
		!strings.Contains(Text(r), "chains start at the truth") {
		t.Error(Text(r))
	}
}

// Every example passes what needs no sampler, but truncated without its limits:
// two inputs drawn by themselves have no order.
func TestExamples(t *testing.T) {
	files, _ := filepath.Glob("../../examples/models/*.sg")
	if len(files) < 20 {
		t.Fatal("no examples")
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(f), ".sg")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := DefaultOptions()
			o.Replications = 0
			if c, _ := driver.Compile(source.New(f, string(text)),
				driver.Options{Exact: true}); c != nil && c.Spec.Chain != nil {
				t.Skip("its latent values are drawn, so it has no density to be tested")
			}
			switch name {
			case "truncated":
				o.Sets = []string{"lo=-8", "hi=8"}
			case "polyphony", "lda_gmc", "group_effects":
				// rows have lengths, which are not invented
				o.Data = []string{firstRows(t, strings.TrimSuffix(f, ".sg")+".json", 6)}
			}
			r := tested(t, newTest(t, string(text), o))
			if r.Verdict != Passed || r.Gradient.Entries == 0 {
				t.Error(Text(r))
			}
		})
	}
}

// firstRows writes a file with the first n entries of every array of another, and returns
// its path: the test of a density takes the longer the more rows there are.
func firstRows(t *testing.T, path string, n int) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for name, v := range all {
		if list, ok := v.([]any); ok {
			all[name] = list[:min(n, len(list))]
		}
	}
	if text, err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(t.TempDir(), "short.json")
	if err := os.WriteFile(short, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return short
}

// wrongGradient is a density with one derivative that is off.
type wrongGradient struct {
	Density
	at int
	by float64
}

func (w wrongGradient) Gradient(x, g []float64) {
	w.Density.Gradient(x, g)
	g[w.at] *= 1 + w.by
}

// A wrong derivative is found from 1e-4 on, with its coordinate, and the
// summand that it comes from; one that only the sum has, too.
func TestWrongGradient(t *testing.T) {
	for _, c := range []struct {
		by   float64
		part int // −1: the sum's
		term string
	}{
		{0, 2, ""}, {1e-4, 2, "y[n] ~ normal(a * x[n], s)"}, {-1, 2, "y[n] ~ normal(a * x[n], s)"},
		{0.01, 1, "s ~ exponential(1)"}, {0.5, 3, "log|J|"}, {0.01, -1, "none by itself"},
	} {
		test := newTest(t, lineText, options(0))
		w, errs, err := test.world(1)
		if w == nil {
			t.Fatal(errs, err)
		}
		factors, err := manifold.Product(w.target.Blocks(), w.target.Dim())
		if err != nil {
			t.Fatal(err)
		}
		parts := test.parts(w)
		// The coordinate of s.
		const at = 1
		part := c.part
		if part >= 0 {
			parts[part].Density = wrongGradient{parts[part].Density, at, c.by}
		}
		sum := summed{parts, -1, 0}
		if part < 0 {
			sum.at, sum.by = at, c.by
		}
		names := stateNames(test.compiled.Spec, w.target.Dims)
		g := newGradientCheck(sum, parts, func(i int) int { return test.breakdown.Parts[i].Line },
			factors, names, maxEntries)
		g.point(w.truth)
		g.point([]float64{0.3, 0.7})
		r := g.done()
		if c.term == "" {
			if r.Verdict != Passed {
				t.Errorf("right, and off: %+v", r.Off)
			}
			continue
		}
		if len(r.Off) != 1 || r.Off[0].Entry != "s" || !strings.Contains(r.Off[0].Term, c.term) ||
			r.Verdict != Failed {
			t.Errorf("%v of part %d: %+v", c.by, c.part, r.Off)
		}
	}
}

// summed is a density by its parts, with a fault of its own.
type summed struct {
	parts []Summand
	at    int
	by    float64
}

func (s summed) LogDensity(x []float64) (f float64) {
	for _, p := range s.parts {
		f += p.LogDensity(x)
	}
	return f
}

func (s summed) Gradient(x, g []float64) {
	clear(g)
	one := make([]float64, len(g))
	for _, p := range s.parts {
		p.Gradient(x, one)
		for i, v := range one {
			g[i] += v
		}
	}
	if s.at >= 0 {
		g[s.at] *= 1 + s.by
	}
}

// A term that is not finite at prior draws is named with its line and entry.
func TestNotFinite(t *testing.T) {
	r := tested(t, newTest(t, `dim N
data y[N] : real
param a : real ~ normal(0, 1000)
let mu = exp(a)
for n in N { y[n] ~ normal(mu, 1) }
`, options(0)))
	if r.Finite.Verdict != Failed || len(r.Finite.Off) == 0 || r.Gradient.Verdict == Failed {
		t.Fatal(Text(r))
	}
	o := r.Finite.Off[0]
	if o.Term != "y[n] ~ normal(mu, 1)" || o.Line != 5 || o.Entry != "at n = 0" ||
		o.Value != "NaN" || o.Points < 10 || o.Points > 50 {
		t.Errorf("%+v", o)
	}
	if text := Text(r); !strings.Contains(text, "y[n] ~ normal(mu, 1), at n = 0 is NaN at") ||
		!strings.Contains(text, "(line 5)") {
		t.Error(text)
	}
}

// What cannot be drawn is said, and so is what was left out.
func TestSkipped(t *testing.T) {
	r := tested(t, newTest(t, "dim N\ndata x[N] : real\nparam a : real\nfactor -a^2 - sum(x)^2\n",
		options(20)))
	if r.Verdict != Passed || r.Calibration != nil || len(r.Skipped) != 1 ||
		!strings.Contains(r.Skipped[0].Reason, "a has no prior") ||
		r.Finite.From != "random points" {
		t.Error(Text(r))
	}
	r = tested(t, newTest(t, "data y : positive\nparam a : real ~ normal(0, 1)\ny ~ normal(a, 1)\n",
		Options{Replications: 0, Coverage: 0.99, Config: DefaultOptions().Config}))
	if r.Verdict != Failed || len(r.Finite.Undrawn) == 0 ||
		!strings.Contains(r.Finite.Undrawn[0].Error, "do not fit their declaration") {
		t.Error(Text(r))
	}
	// Data that come one after another.
	r = tested(t, newTest(t, "dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\n"+
		"let z = [if n == 0 then 0 else y[max(n - 1, 0)] for n in N]\ny ~ normal(a * z, 1)\n",
		options(20)))
	if r.Verdict != Passed || len(r.Skipped) != 1 ||
		!strings.Contains(r.Skipped[0].Reason, "y depends on y") {
		t.Error(Text(r))
	}
	if _, _, _, err := New(source.New("none.sg", "data y : real\ny ~ normal(0, 1)\n"),
		options(0)); err == nil {
		t.Error("a model without params")
	}
}

// Curved spaces are compared along geodesics.
func TestCurvedGradient(t *testing.T) {
	// The density is not defined off the sphere: acos of more than 1.
	r := tested(t, newTest(t, "data m : sphere[3]\nparam x : sphere[3] ~ "+
		"uniform_sphere()\nfactor acos(0.999999 * (x @ m) / sqrt(x @ x))\n",
		Options{Coverage: 0.99, Config: DefaultOptions().Config}))
	if r.Gradient.Verdict != Passed || r.Gradient.Entries < 20 ||
		math.IsNaN(float64(r.Gradient.Worst.Relative)) {
		t.Error(Text(r))
	}
}
