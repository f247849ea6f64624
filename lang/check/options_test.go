package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/cputime"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

func TestSet(t *testing.T) {
	f, _ := parser.Parse(source.New("set",
		"const H = 3\ndim K = 20, M = 2 * K\nparam w[H, K, M] : real\n"))
	m := check.Check(f, check.Options{Set: map[string]float64{"H": 5, "K": 7}})
	if len(m.Diags) > 0 {
		t.Fatal(show(m.Diags))
	}
	if got := m.Symbols[3].Type.Shape.String(); got != "[5, K, M]" {
		t.Errorf("w has shape %s", got)
	}
	if k := m.Symbols[1]; !k.HasValue || k.Value != 7 || k.Default.String() != "7" {
		t.Errorf("K is %+v", k)
	}
	if got := m.Symbols[2].Default.String(); got != "2*K" {
		t.Errorf("M is %s by default", got)
	}
	if m := check.Check(f, check.Options{Set: map[string]float64{"K": 1.5}}); !m.Diags.Errors() {
		t.Error("K = 1.5 is accepted")
	}
}

// TestLocals looks at what each local's strategy is, asked for or picked.
func TestLocals(t *testing.T) {
	const head = "dim N, K, V\ndata y[N] : real\ndata w[N] : index[V]\nparam b : real\n" +
		"param phi[K] : simplex[V] ~ dirichlet(1)\nfor n in N {\n"
	for body, want := range map[string]string{
		"local z : bool ~ bernoulli(0.5)\ny[n] ~ normal(b * z, 1)":         "z marginal",
		"local z[K] : bool ~ bernoulli(0.5)\ny[n] ~ normal(b * sum(z), 1)": "z gibbs",
		"local z : count ~ poisson(2)\ny[n] ~ normal(b * z, 1)":            "z gibbs",
		"local z : real ~ normal(0, 1)\ny[n] ~ normal(b * z, 1)":           "z gmc",
		"local t : simplex[K] ~ dirichlet(1) by collapse\n" +
			"local z : index[K] ~ categorical(t) by gibbs\nw[n] ~ categorical(phi[z])": "t collapse " +
			"dirichlet-categorical z gibbs",
		"local z : real ~ normal(0, 1) by collapse\ny[n] ~ normal(b * z, 1)": "z collapse normal-normal",
	} {
		m, diags := checkText("locals", head+body+"\n}\n")
		if diags.Errors() {
			t.Errorf("%s\n%s", body, show(diags))
			continue
		}
		var got []string
		for _, l := range m.Locals {
			got = append(got, l.Symbol.Name, l.Strategy)
			if l.With != "" {
				got = append(got, l.With)
			}
			if l.Asked != strings.Contains(body, "by "+l.Strategy) {
				t.Errorf("%s: asked is %v", body, l.Asked)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", body, got, want)
		}
	}
}

// TestLevels: a value is known as early as what it is made of.
func TestLevels(t *testing.T) {
	m, diags := checkText("levels",
		"dim N\nconst H = 2\ndata y[N] : real\nparam w : real\nlet a = sqrt(H)\n"+
			"let b = zeros(H)\nlet c = zeros(N)\nlet d = mean(y) + a\nlet e = y * w\n"+
			"for n in N {\n  let f = y[n]\n  let g = f * w\n}\n"+
			"fn h(x : real) -> real { x * w }\nlet i = h(1)\n"+
			"fn j(x : real) -> real { 2 * x }\nlet k = j(H)\n")
	if diags.Errors() {
		t.Fatal(show(diags))
	}
	want := map[string]check.Level{
		"a": {}, "b": {}, "c": {Stage: check.OfData}, "d": {Stage: check.OfData},
		"e": {Stage: check.OfParams},
		"f": {Stage: check.OfData, Row: true}, "g": {Stage: check.OfParams, Row: true},
		"i": {Stage: check.OfParams}, "k": {},
	}
	for _, s := range m.Uses {
		if l, ok := want[s.Name]; ok {
			if s.Level != l {
				t.Errorf("%s is %+v, want %+v", s.Name, s.Level, l)
			}
			delete(want, s.Name)
		}
	}
	if len(want) > 0 {
		t.Errorf("not seen: %v", want)
	}
}

// TestTime: no nesting takes for ever.
func TestTime(t *testing.T) {
	nested := "w"
	for i := range 30 {
		name := strings.Repeat("u", i+1)
		nested = "(scan t" + name + " in 2 from a" + name + " = 0 { a" + name + " + " + nested +
			" })[1]"
	}
	doubling := "fn f0(x : real[2]) -> real { sum(x) * w }\n"
	for i := range 30 {
		doubling += fmt.Sprintf("fn f%d(x : real[2]) -> real { f%d(x) + f%d(2 * x) }\n", i+1, i, i)
	}
	last := "f30"
	for name, text := range map[string]string{
		"scans": "param w : real\nlet r = " + nested + "\n",
		"calls": "dim N\ndata x[N, 2] : real\nparam w : real\n" + doubling +
			"for n in N { factor " + last + "(x[n]) }\n",
		"shapes": "dim H\ndata a[" + strings.Repeat("H, ", 19) + "H], b[" +
			strings.Repeat("H, ", 9) + "H] : real\nlet c = a + b\n",
		"sizes": "dim A, B, C, D\ndata x[" + strings.Repeat("(A + B + C + D) * ", 40) +
			"1] : real\n",
	} {
		start := cputime.Now()
		if _, diags := checkText(name, text); diags.Errors() &&
			(name == "scans" || name == "calls") {
			t.Errorf("%s is refused:\n%s", name, show(diags))
		}
		if d := cputime.Now() - start; d > 5*time.Second {
			t.Errorf("%s took %v", name, d)
		}
	}
}
