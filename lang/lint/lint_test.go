package lint

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

func lintText(t *testing.T, text string) diag.List {
	t.Helper()
	f, diags := parser.Parse(source.New("m.sg", text))
	m := check.Check(f, check.Options{})
	if diags.Errors() || m.Diags.Errors() {
		t.Fatalf("the program has errors:\n%s", text)
	}
	return Model(m)
}

// TestExamples: every lint is explained, and the example makes it alone.
func TestExamples(t *testing.T) {
	for _, x := range lints {
		e, ok := diag.Explain(x.code)
		if !ok {
			t.Errorf("%s is not explained", x.code)
			continue
		}
		got := lintText(t, e.Example)
		if len(got) != 1 || got[0].Code != x.code || got[0].Severity != diag.Warning {
			t.Errorf("the example of %s makes %v", x.code, told(got))
		}
	}
}

func told(l diag.List) (out []string) {
	for _, d := range l {
		out = append(out, string(d.Code)+" "+d.Message)
	}
	return out
}

// TestSilent: what is meant is not warned of.
func TestSilent(t *testing.T) {
	for _, text := range []string{
		"dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1)\n" +
			"for n in N { y[n] ~ normal(m, 1) }\n",
		"param m : interval(0, 10) ~ uniform(0, 10)\nparam u : unit ~ uniform(0, 1)\nfactor m * u\n",
		"param s : positive ~ gamma(2, 0.01)\ntrack t = s\n",
		"param p : unit\nparam t : simplex[3]\nfactor p * t[0]\n",
		"dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1)\n" +
			"for n in N { factor m * (if y[n] > 0 then 1 else 2) }\n",
		"param m : real\nm ~ normal(0, 1)\ntrack k = m\n",
		"use nn\nlayer l = Dense(2, 1)\nfactor sum(l.W) + sum(l.b)\n",
	} {
		if got := lintText(t, text); len(got) > 0 {
			t.Errorf("%v in\n%s", told(got), text)
		}
	}
}

// TestPlaces: a warning underlines what it speaks of.
func TestPlaces(t *testing.T) {
	text := "param m : real\nm ~ normal(0, 1)\nlet k = 3\n"
	got := lintText(t, text)
	if len(got) != 2 {
		t.Fatalf("%v", told(got))
	}
	for i, want := range []string{"m", "k"} {
		if at := text[got[i].Span.Start:got[i].Span.End]; at != want ||
			!strings.Contains(got[i].Message, want) {
			t.Errorf("%q, want %q", at, want)
		}
	}
}
