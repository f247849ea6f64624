package lsp

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
)

// value computes a term by the reference semantics of the ops.
func (t *term) value(test *testing.T, env map[string]float64) float64 {
	var x [3]float64
	for i, a := range t.args {
		x[i] = a.value(test, env)
	}
	switch t.op {
	case "number":
		return t.num
	case "name":
		v, ok := env[t.text]
		if !ok {
			test.Fatalf("no value of %s", t.text)
		}
		return v
	case "neg":
		return -x[0]
	case "+":
		return x[0] + x[1]
	case "-":
		return x[0] - x[1]
	case "*":
		return x[0] * x[1]
	case "/":
		return x[0] / x[1]
	case "^":
		return math.Pow(x[0], x[1])
	}
	f, ok := builtin.Lookup(t.text)
	if !ok {
		test.Fatalf("%s is no function", t.text)
	}
	if t.text == "square" {
		return x[0] * x[0]
	}
	if op, ok := ir.Lookup(f.Op); ok && op.Eval != nil {
		return op.Eval(x)
	}
	if f.Op == "lbeta" || t.text == "lbeta" {
		a, _ := math.Lgamma(x[0])
		b, _ := math.Lgamma(x[1])
		c, _ := math.Lgamma(x[0] + x[1])
		return a + b - c
	}
	if t.text == "log1m" {
		return math.Log1p(-x[0])
	}
	test.Errorf("%s has no reference here", t.text)
	return 0
}

// agree holds a derivative against a difference of its term.
func agree(t *testing.T, what string, of, by *term, name string, env map[string]float64) {
	x := env[name]
	h := 1e-5 * math.Max(1e-2, math.Abs(x))
	at := func(x float64) float64 {
		shifted := maps.Clone(env)
		shifted[name] = x
		return of.value(t, shifted)
	}
	want := (at(x-2*h) - 8*at(x-h) + 8*at(x+h) - at(x+2*h)) / (12 * h)
	got := by.value(t, env)
	noise := 1e-10 * (1 + math.Abs(at(x))) / h
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return
	}
	if math.Abs(got-want) > 1e-5*math.Abs(want)+noise {
		t.Errorf("%s: d/d%s = %s is %v at %v, and the difference %v", what, name, by, got, env, want)
	}
}

// TestPartials holds the table of derivatives against differences of the functions.
func TestPartials(t *testing.T) {
	for name, p := range partials() {
		t.Run(name, func(t *testing.T) {
			call := &term{op: "call", text: name}
			env := map[string]float64{}
			for i, a := range p.args {
				call.args = append(call.args, &term{op: "name", text: a})
				env[a] = 0.3 + 0.4*float64(i)
			}
			for i, a := range p.args {
				env := maps.Clone(env)
				if name == "log1m_exp" {
					env[a] = -0.7
				}
				agree(t, name, call, p.by[i], p.args[i], env)
			}
		})
	}
}

// TestDensityDerivatives holds the derivatives that hover shows of distributions against
// differences of their log densities, at the points where the library checks these.
func TestDensityDerivatives(t *testing.T) {
	var shown []string
	for name, list := range library() {
		for _, e := range list {
			if e.decl == nil {
				continue
			}
			density, names := logDensity(e.decl)
			if density == nil {
				continue
			}
			t.Run(name, func(t *testing.T) {
				for _, env := range points(e.decl) {
					for _, by := range names {
						if d := density.by(by); d != nil {
							agree(t, name, density, d, by, env)
						}
					}
				}
			})
			if len(e.derivatives()) > 0 {
				shown = append(shown, name)
			}
		}
	}
	slices.Sort(shown)
	if len(shown) < 15 {
		t.Errorf("only of %v", shown)
	}
	t.Log(shown)
}

// points are the values and arguments of a distribution's checks of its log density.
func points(d *ast.Dist) []map[string]float64 {
	var names []string
	for _, it := range d.Items {
		if it.Name.Name == "logpdf" {
			names = append(names, it.Params[0].Name)
		}
	}
	for _, p := range d.Params {
		names = append(names, p.Name.Name)
	}
	var out []map[string]float64
	for _, it := range d.Items {
		f, ok := ast.Expr(nil), false
		if it.Check != nil {
			f, ok = it.Check.Fun, len(it.Check.Args) == len(names)
		}
		if n, isName := f.(*ast.Name); !ok || !isName || n.Name != "logpdf" {
			continue
		}
		env := map[string]float64{}
		for i, a := range it.Check.Args {
			if v := readTerm(a.Value, nil); v != nil && v.op == "number" && math.Abs(v.num) < 1e4 {
				env[names[i]] = v.num
			}
		}
		if len(env) == len(names) {
			out = append(out, env)
		}
	}
	return out
}

// TestLongDensity: densities that double with each line are shown at once, and no long derivative.
func TestLongDensity(t *testing.T) {
	for _, form := range []string{"exp(a%[2]d) * log(a%[2]d)", "a%[2]d * a%[2]d", "a%[2]d + a%[2]d",
		"1 / (a%[2]d + 1 / a%[2]d)"} {
		text := "dist twice(m : real) on real {\n  let a0 = m + 1\n"
		for i := range 60 {
			text += fmt.Sprintf("  let a%[1]d = "+form+"\n", i+1, i)
		}
		c := open(t, text+"  logpdf(x) = a60 * x\n}\n")
		h := result[*hoverResult](c, c.request("textDocument/hover", c.at("twice", 1)))
		if h == nil || !strings.Contains(h.Contents.Value, "twice(m : real)") ||
			len(h.Contents.Value) > 1000 {
			t.Errorf("%s: %+v", form, h)
		}
	}
}

func TestHoverDerivatives(t *testing.T) {
	c := open(t, "dim N\ndata y[N] : real\nparam mu, s : real ~ normal(0, 1)\n"+
		"for n in N { y[n] ~ normal(2 * mu, exp(s)) }\n")
	for _, tt := range []struct{ mark, want string }{
		{"~ normal(2", "d log p / d y[n] = ((2 * mu) - y[n]) / exp(s)^2"},
		{"normal(0", "d logpdf / d mu = "},
		{"exp(s", "d exp / d x = exp(x)"},
	} {
		h := result[*hoverResult](c, c.request("textDocument/hover", c.at(tt.mark, 0)))
		if h == nil || !strings.Contains(h.Contents.Value, tt.want) {
			t.Errorf("at %q: %+v", tt.mark, h)
		}
	}
}
