package codegen

import (
	"fmt"
	"go/parser"
	"math"
	"strconv"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/size"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ name, local, exported string }{
		{"w", "w", "W"}, {"W", "w", "W"}, {"beta_1", "beta1", "Beta1"},
		{"log_sd", "logSd", "LogSd"},
		{"l1.W", "l1W", "L1W"}, {"β", "beta", "Beta"}, {"Σ_ab", "sigmaAb", "SigmaAb"},
		{"SD", "sd", "SD"}, {"HTTPPort", "httpPort", "HTTPPort"},
		{"_", "v", "V"}, {"2x", "v2x", "V2x"}, {"名", "名", "X名"}, {"a b", "aB", "AB"},
		{"", "v", "V"},
	} {
		if got := local(c.name); got != c.local {
			t.Errorf("local(%q) = %q, want %q", c.name, got, c.local)
		}
		if got := exported(c.name); got != c.exported {
			t.Errorf("exported(%q) = %q, want %q", c.name, got, c.exported)
		}
	}
	s := newScope(universe())
	for _, c := range [][2]string{{"x", "x"}, {"x", "x2"}, {"x", "x3"}, {"x1", "x1"},
		{"x1", "x1_2"}, {"func", "func2"}, {"kernel", "kernel2"}, {"len", "len2"}} {
		if got := s.fresh(c[0]); got != c[1] {
			t.Errorf("fresh(%q) = %q, want %q", c[0], got, c[1])
		}
	}
	inner := newScope(s)
	if got := inner.fresh("x"); got != "x4" {
		t.Errorf("inner x is %q", got)
	}
}

// Go reads every constant as the number it was.
func TestNumbers(t *testing.T) {
	for _, x := range []float64{0, 1, -1, 0.1, 1.0 / 3, -2.5e-300, math.MaxFloat64,
		math.SmallestNonzeroFloat64, math.Pi, 1e22, 123456789012345678} {
		text := number(x).text
		got, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Float64bits(got) != math.Float64bits(x) {
			t.Errorf("%v is written %s", x, text)
		}
	}
	for x, want := range map[float64]string{math.Inf(1): "math.Inf(1)",
		math.Inf(-1): "math.Inf(-1)"} {
		if got := number(x).text; got != want {
			t.Errorf("%v is written %s", x, got)
		}
	}
	if got := number(math.Copysign(0, -1)).text; got != "math.Copysign(0, -1)" {
		t.Errorf("−0 is written %s", got)
	}
}

// Every op on every op's result keeps the order of operations: what the text
// computes, as Go groups it, is the tree that was written.
func TestPrecedence(t *testing.T) {
	a, b, c := primary("a"), primary("b"), primary("c")
	for _, outer := range ir.Ops() {
		if outer.Go == "" {
			continue
		}
		for _, inner := range ir.Ops() {
			if inner.Go == "" {
				continue
			}
			x, err := apply(inner, []expr{a, b, c}[:inner.Arity])
			if err != nil {
				t.Fatal(err)
			}
			for place := range outer.Arity {
				args := []expr{a, b, c}[:outer.Arity:outer.Arity]
				args = append([]expr{}, args...)
				args[place] = x
				got, err := apply(outer, args)
				if err != nil {
					t.Fatal(err)
				}
				args[place] = primary("(%s)", x.text)
				safe, _ := apply(outer, args)
				if grouped(t, got.text) != grouped(t, safe.text) {
					t.Errorf("%s of %s: %s is not %s", outer.Name, inner.Name, got.text, safe.text)
				}
			}
		}
	}
	if got, _ := apply(ir.OpDiv, []expr{number(1), number(2)}); got.text !=
		"float64(1) / float64(2)" {
		t.Errorf("1/2 is written %s", got.text)
	}
}

// grouped writes the syntax tree of an expression without its parentheses.
func grouped(t *testing.T, text string) string {
	e, err := parser.ParseExpr(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return tree(e)
}

func TestKindNames(t *testing.T) {
	// Kinds print as in the language; the Go names are theirs in camel case.
	for k := data.Real; k <= data.Hyperbolic; k++ {
		if want := exported(fmt.Sprint(k)); kindName(k) != want {
			t.Errorf("kind %v is called %s", k, kindName(k))
		}
	}
	if len(kindNames) != int(data.Hyperbolic)+1 {
		t.Errorf("%d names of kinds", len(kindNames))
	}
}

func TestWritePoly(t *testing.T) {
	dim := func(d string) string { return d }
	T, K := size.Dim("T"), size.Dim("K")
	for _, c := range []struct {
		p    size.Poly
		want string
	}{
		{size.Const(0), "0"}, {size.Const(7), "7"}, {T, "T"}, {T.Sub(size.Const(1)), "T - 1"},
		{size.Const(1).Sub(T), "1 - T"},
		{T.Mul(K).Add(size.Const(2)), "K*T + 2"}, {size.Const(3).Mul(T).Mul(T), "3*T*T"},
		{size.Const(0).Sub(size.Const(4)), "-4"},
	} {
		if got := writePoly(c.p, dim).text; got != c.want {
			t.Errorf("%s is written %s", c.p, got)
		}
	}
}
