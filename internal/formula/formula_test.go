package formula

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
)

var update = flag.Bool("update", false, "write the models of testdata anew")

// people is a table of 60 rows with columns of every kind; those that could be names of the
// model come where the formula has them.
func people(text string) *Table {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 60
	t := &Table{File: "d.csv"}
	add := func(name string, f func(i int) float64) {
		c := Column{Name: name}
		for i := range n {
			c.Values = append(c.Values, f(i))
		}
		t.Columns = append(t.Columns, c)
	}
	add("x1", func(int) float64 { return math.Round(1000*r.NormFloat64()) / 1000 })
	add("x2", func(int) float64 { return math.Round(1000*r.ExpFloat64()) / 1000 })
	add("school", func(i int) float64 { return float64(1 + i%6) })
	add("class", func(i int) float64 { return float64(i % 3) })
	add("arm", func(i int) float64 { return float64(5 + i%4) })
	add("y", func(i int) float64 { return math.Round(100*(20+4*r.NormFloat64())) / 100 })
	add("count", func(i int) float64 { return float64(r.IntN(9)) })
	add("n", func(i int) float64 { return 9 })
	add("hit", func(i int) float64 { return float64(r.IntN(2)) })
	add("share", func(i int) float64 { return math.Round(1000*(0.01+0.98*r.Float64())) / 1000 })
	add("grade", func(i int) float64 { return float64(1 + (i*7)%5) })
	add("exposure", func(i int) float64 { return 1 + math.Round(100*r.Float64())/10 })
	add("time.since", func(i int) float64 { return math.Round(1000*r.Float64()) / 100 })
	add("in", func(i int) float64 { return float64(i % 7) })
	add("N", func(i int) float64 { return r.Float64() })
	add("wave", func(i int) float64 {
		return math.Round(1000*math.Sin(2*t.Columns[0].Values[i])) / 1000
	})
	add("town", func(i int) float64 { return float64(i * i % 3) })
	add("dose", func(i int) float64 { return float64(i * 5 % 4) })
	at := len(t.Columns) - 2
	t.Columns[at].Levels = []string{"Ada", "Bath", "Cork, east"}
	t.Columns[at+1].Levels, t.Columns[at+1].Order = []string{"none", "low", "mid", "high"}, true
	t.Columns = slices.DeleteFunc(t.Columns, func(c Column) bool {
		return (c.Name == "n" || c.Name == "N") &&
			!regexp.MustCompile(`\b`+c.Name+`\b`).MatchString(text)
	})
	return t
}

// cases are formulas whose models stand in testdata.
var cases = []struct{ name, formula, family, link string }{
	{"line", "y ~ x1 + x2", "gaussian", ""},
	{"issue", "count ~ x1 + s(x2) + (1 + x1 | school)", "poisson", ""},
	{"interactions", "y ~ x1*factor(arm) + I(x1^2) + log1p(x2):x1", "student", ""},
	{"cells", "y ~ 0 + factor(arm) + x1", "gaussian", ""},
	{"nested", "hit ~ scale(x1) + (1 | school/class)", "bernoulli", ""},
	{"uncorrelated", "hit ~ x1 + (1 + x1 + x2 || school) + (0 + factor(class) | arm)", "bernoulli",
		"probit"},
	{"trials", "count | trials(n) ~ x1", "binomial", "cloglog"},
	{"overdispersed", "count | trials(9) ~ x1", "beta_binomial", ""},
	{"offset", "count ~ x1 + offset(log(exposure))", "negbinomial", ""},
	{"inflated", "count ~ x1", "zero_inflated_poisson", ""},
	{"hurdle", "count ~ x1 + (1 | school)", "hurdle_poisson", ""},
	{"shares", "share ~ x1 + mo(grade)", "beta", ""},
	{"positive", "x2 + 0.1 ~ x1", "gamma", ""},
	{"inverse", "exposure ~ x1", "gamma", "inverse"},
	{"lognormal", "exposure ~ x1", "lognormal", ""},
	{"weibull", "exposure ~ x1", "weibull", ""},
	{"ordinal", "grade ~ x1 + (1 | school)", "cumulative", "probit"},
	{"categories", "class ~ x1 + factor(arm)", "categorical", ""},
	{"weights", "y | weights(exposure) ~ x1", "gaussian", ""},
	{"names", "y ~ time.since + `in` + N", "gaussian", ""},
	{"both", "y ~ school + factor(arm) + (1 + arm | school) + (1 | arm)", "gaussian", ""},
	{"alone", "log(exposure) ~ 1", "gaussian", ""},
	{"curve", "wave ~ s(x1)", "gaussian", ""},
	{"words", "y ~ x1*town + (1 | town) + mo(dose)", "gaussian", ""},
	{"classes", "town ~ x1 + dose", "categorical", ""},
	{"grades", "dose ~ x1 + (1 | town)", "cumulative", ""},
	{"smooths", "y ~ s(x1, k = 6) + s(log1p(x2)) + (x1 | class)", "gaussian", ""},
}

// model makes the model of a formula of people.
func model(t *testing.T, text, family, link string) *Model {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Write(f, people(text), Options{Family: family, Link: link})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestModels: each formula gives the model of its file, and the model compiles.
func TestModels(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := model(t, c.formula, c.family, c.link)
			file := filepath.Join("testdata", c.name+".sg")
			if *update {
				if err := os.WriteFile(file, []byte(m.Text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, []byte(m.Text)) {
				t.Errorf("%s: another model than %s; -update writes it:\n%s",
					c.formula, file, m.Text)
			}
			compiled, diags := driver.Compile(source.New(c.name+".sg", m.Text), driver.Options{})
			if diags.Errors() || compiled == nil {
				var b strings.Builder
				diags.Render(&b, false)
				t.Fatalf("%s\n%s", b.String(), m.Text)
			}
		})
	}
}

// TestEveryFamily: each family and link gives a model that compiles.
func TestEveryFamily(t *testing.T) {
	for _, f := range families {
		for _, link := range f.links {
			y := map[string]string{"bool": "hit", "count": "count", "unit": "share",
				"index": "grade"}[f.typ]
			if y == "" {
				y = "exposure"
			}
			if f.trials {
				y += " | trials(n)"
			}
			m := model(t, y+" ~ x1", f.name, link)
			if _, diags := driver.Compile(source.New("m.sg", m.Text),
				driver.Options{}); diags.Errors() {
				var b strings.Builder
				diags.Render(&b, false)
				t.Errorf("%s, %s: %s\n%s", f.name, link, b.String(), m.Text)
			}
		}
	}
}

// TestEveryFunction: each function and operator of columns gives a model that compiles, with
// the prior of a slope by the values that the model computes.
func TestEveryFunction(t *testing.T) {
	var terms []string
	for name := range functions {
		terms = append(terms, name+"(exposure)")
	}
	for op := range arithmetic {
		terms = append(terms, "I(exposure "+op+" 2)", "I(2 "+op+" (x2 - n))",
			"I(-(x1 + 2) "+op+" exposure)")
	}
	slices.Sort(terms)
	for _, term := range terms {
		f, err := Parse("y ~ 0 + " + term)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Write(f, people("n"), Options{Family: "gaussian"})
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || !e.OfData {
				t.Errorf("%s: %v", term, err)
			}
			continue // of values that are not finite, or all 0
		}
		if _, diags := driver.Compile(source.New("m.sg", m.Text),
			driver.Options{}); diags.Errors() {
			var b strings.Builder
			diags.Render(&b, false)
			t.Errorf("%s: %s\n%s", term, b.String(), m.Text)
		}
	}
}

// TestLengths: columns of different lengths, as JSON may have them, are refused.
func TestLengths(t *testing.T) {
	f, err := Parse("y ~ x")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Write(f, &Table{Columns: []Column{{Name: "y", Values: []float64{1, 2}},
		{Name: "x", Values: []float64{1, 2, 3}}}}, Options{Family: "gaussian"})
	if err == nil || !strings.Contains(err.Error(), "same length") {
		t.Errorf("error %v", err)
	}
}
