package reference

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/stan"
	"github.com/sgppl/sgppl/stan/catalogue"
	"github.com/sgppl/sgppl/stan/syntax"
	"github.com/sgppl/sgppl/stan/translate"
)

// TestTable: every function of the table of Stan's reference is refused with its code, or has on
// its example the values and gradients of the interpreter, or of a closed form of TestFunctions.
func TestTable(t *testing.T) {
	for _, c := range catalogue.Functions() {
		for _, f := range c.Functions {
			if strings.HasSuffix(f.Name, "_rng") {
				continue
			}
			t.Run(c.Title+"/"+f.Name, func(t *testing.T) { row(t, f.Name, added(f), f.Refusal) })
		}
	}
}

// TestDistributionTable: the same for the densities and distribution functions.
func TestDistributionTable(t *testing.T) {
	for _, c := range catalogue.Distributions() {
		for _, d := range c.Distributions {
			for _, suffix := range suffixes(d) {
				fun := d.Name + suffix
				t.Run(fun, func(t *testing.T) {
					row(t, fun, fmt.Sprintf("target += %s(%s | %s);", fun, d.Of, d.Args), d.Refusal)
				})
			}
		}
	}
}

// suffixes are those of the densities and distribution functions of a distribution.
func suffixes(d catalogue.Distribution) []string {
	out := []string{"_lpdf"}
	if d.Discrete {
		out[0] = "_lpmf"
	}
	if d.CDF {
		out = append(out, "_lcdf", "_lccdf", "_cdf")
	}
	return out
}

// added adds the entries of a function's example to the density, each with a factor of its own.
func added(f catalogue.Function) string {
	switch base, _, _ := strings.Cut(f.Type, "["); {
	case f.Type == "int":
		return fmt.Sprintf("target += x * (%s);", f.Example)
	case f.Type == "":
		return fmt.Sprintf("target += %s;", f.Example)
	case base == "matrix" || strings.HasPrefix(f.Type, "array[") && strings.Contains(f.Type, ", "):
		return fmt.Sprintf("%s f = %s;\n  for (i in 1:size(f[ , 1])) {\n    for (j in "+
			"1:size(f[1])) target += cos(i + 3.0 * j) * f[i, j] * (1 + x);\n  }", f.Type, f.Example)
	}
	return fmt.Sprintf("%s f = %s;\n  for (i in 1:size(f)) target += cos(i) * f[i] * (1 + x);",
		f.Type, f.Example)
}

// row compares one row, whose statements are those of a model.
func row(t *testing.T, name, statements string, refused catalogue.Refusal) {
	text := catalogue.Program("model {\n  " + statements + "\n}\n")
	if refused.Code != "" {
		_, diags := stan.Model(source.New("f.stan", text))
		if len(diags) == 0 || diags[0].Code != refused.Code {
			t.Errorf("not refused with %s: %s", refused.Code, shown(diags))
		}
		return
	}
	for _, c := range functionPairs {
		if regexp.MustCompile(`\b` + name + `\(`).MatchString(c.expr) {
			return // TestFunctions compares it
		}
	}
	defer func() {
		if f, ok := recover().(fault); ok {
			t.Fatal("the interpreter: " + f.text)
		}
	}()
	base := catalogue.Program("model { /* " + statements + " */ }\n")
	one, none := comparisonOf(t, text), comparisonOf(t, base)
	points := make([][]float64, 3)
	constant := 0.0 // of matrices, whose interpreter drops factors of 2
	_, law := catalogue.FindLaw(name)
	loose := tolerance
	if strings.HasPrefix(name, "ode_") && !strings.Contains(name, "_tol") || name == "dae" {
		loose = 1e-6 // what Stan asks of its solvers
	}
	for i := range points {
		points[i] = make([]float64, one.n)
		for k := range points[i] {
			points[i][k] = 0.4*math.Sin(float64(5*k+7*i+1)) + 0.1
		}
		a := one.ours(points[i]) - none.ours(points[i])
		b := one.theirs(points[i]) - none.theirs(points[i])
		if i == 0 && law {
			constant = a - b
		}
		if !(math.Abs(a-b-constant) <= loose*(1+math.Abs(b))) {
			t.Fatalf("%v, and %v of the interpreter, at %v\n%s\n%s", a, b, points[i], text, one.text)
		}
	}
	slopes(t, points[0], one.theirs, one.gradient, loose)
}

// A comparison has the log density of a program as a model and by the interpreter.
type comparison struct {
	functionEvaluator
	theirs func(x []float64) float64
	text   string
}

func (c comparison) ours(x []float64) float64 { return c.LogDensity(x, nil, 1, 0) }

func (c comparison) gradient(x, g []float64) { c.Gradient(x, nil, 1, 0, g) }

func comparisonOf(t *testing.T, text string) comparison {
	t.Helper()
	path := dataFile(t, catalogue.Data)
	src := source.New("f.stan", text)
	prog, diags := syntax.Parse(src)
	if diags.Errors() {
		t.Fatal(shown(diags))
	}
	m, e, out := modelOf(t, src, path)
	values := fileData(t, prog, path)
	return comparison{functionEvaluator{e, m.Dim()},
		func(x []float64) float64 { return densityAt(prog, values, m, e, x) }, out.Text}
}

// modelOf is the model of a program for the data of a file.
func modelOf(t *testing.T, src *source.File, path string) (
	*model.Model, *model.Evaluator, *source.File,
) {
	t.Helper()
	out, _, diags := stan.ModelFor(src, func() map[string]*translate.Given {
		return stan.ReadData([]string{path}, nil)
	}, nil, func(m *source.File) diag.List {
		_, list := driver.Compile(m, driver.Options{})
		return list
	})
	if out == nil {
		t.Fatalf("refused:\n%s\n%s", shown(diags), src.Text)
	}
	c, list := driver.Compile(out, driver.Options{})
	if c == nil {
		t.Fatalf("does not compile:\n%s\n%s", shown(list), out.Text)
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{path}, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, m.Evaluator(0), out
}
