package ast_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

func parse(t *testing.T, text string) *ast.File {
	t.Helper()
	f, diags := parser.Parse(source.New("m.sg", text))
	if len(diags) > 0 {
		t.Fatalf("%s: %s", diags[0].Code, diags[0].Message)
	}
	return f
}

const everything = `/// All.
use nn
dim N, K = inf, T(N)
data x[N] : interval(1, 2)[3], y : real[4] = 5
param w[6] : real ~ mixture(7, normal(8, 9) for k in K) truncated(10, 11) censored(12, 13)
let (a, b) = scan t in 14:15 from (a = 16, b = 17) {
  let c = -18
  ([19, 20][21:22], (23))
}
fn f(x : real[24] = 25) -> (real, real[26]) { if 27 < 28 then f(29, q = 30) else sum(31 for k in 32) }
layer D(n, prior ~ normal(33, 34)) { param W[35] : real }
layer l[36] = D(37, prior ~ normal(38, 39))
dist d(s : real) on index[40] from 41 {
  let a = 42
  logpdf(x) = 43
  check logpdf(44) == 45
}
for n in 46 {
  local z : real ~ normal(47, 48) by gmc
  y[49] ~ normal(50, inf)
  factor 51
}
`

// TestInspect checks that every number of the text is visited once, in the order of the text.
func TestInspect(t *testing.T) {
	var seen []float64
	ast.InspectFile(parse(t, everything), func(node ast.Node) bool {
		if num, ok := node.(*ast.Number); ok {
			seen = append(seen, num.Value)
		}
		return true
	})
	for i, v := range seen {
		if v != float64(i+1) {
			t.Fatalf("number %d is %v: %v", i+1, v, seen)
		}
	}
	if len(seen) != 51 {
		t.Errorf("%d numbers are visited", len(seen))
	}
}

// TestInspectStops checks that a false keeps out of a node.
func TestInspectStops(t *testing.T) {
	n := 0
	ast.InspectFile(parse(t, "let a = f(1, 2)\nlet b = 3\n"), func(node ast.Node) bool {
		n++
		_, call := node.(*ast.Call)
		return !call
	})
	if n != 4 { // two lets, the call, the 3
		t.Errorf("%d nodes", n)
	}
}

// strip takes the places and the source out of a tree.
func strip(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			strip(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			strip(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[source.Span]() {
			v.SetZero()
			return
		}
		for i := range v.NumField() {
			strip(v.Field(i))
		}
	}
}

// TestPrintWithoutSource prints trees that have no places, as a program would build them.
func TestPrintWithoutSource(t *testing.T) {
	text := "/// All.\ndim N\n/// Doc of x.\n/// More.\ndata x[N] : real\n" +
		"let c = (1 + 2) * x^-2\nfor n in N { x[n] ~ normal(0, 1) }\n" +
		"let h = scan t in 1:N from h = x[0] {\n  let q = h + t\n  q\n}\n"
	f := parse(t, text)
	g := parse(t, text)
	g.Source, g.Comments = nil, nil
	strip(reflect.ValueOf(g))
	if d := cmp.Diff(ast.Print(f), ast.Print(g)); d != "" {
		t.Error(d)
	}
}

// TestPrintParentheses prints trees that need parentheses and have none.
func TestPrintParentheses(t *testing.T) {
	name := func(s string) ast.Expr { return &ast.Name{Name: s} }
	bin := func(x ast.Expr, op string, y ast.Expr) ast.Expr {
		return &ast.Binary{Op: op, X: x, Y: y}
	}
	neg := func(x ast.Expr) ast.Expr { return &ast.Unary{Op: "-", X: x} }
	not := func(x ast.Expr) ast.Expr { return &ast.Unary{Op: "not", X: x} }
	a, b, c := name("a"), name("b"), name("c")
	choice := &ast.If{Cond: a, Then: b, Else: c}
	for want, e := range map[string]ast.Expr{
		"(a + b) * c":              bin(bin(a, "+", b), "*", c),
		"a + b * c":                bin(a, "+", bin(b, "*", c)),
		"a - (b - c)":              bin(a, "-", bin(b, "-", c)),
		"a - b - c":                bin(bin(a, "-", b), "-", c),
		"(a^b)^c":                  bin(bin(a, "^", b), "^", c),
		"a^b^c":                    bin(a, "^", bin(b, "^", c)),
		"(-a)^b":                   bin(neg(a), "^", b),
		"-a^b":                     neg(bin(a, "^", b)),
		"a^-b":                     bin(a, "^", neg(b)),
		"(a < b) == c":             bin(bin(a, "<", b), "==", c),
		"(not a) == b":             bin(not(a), "==", b),
		"not a == b":               not(bin(a, "==", b)),
		"(a or b) and c":           bin(bin(a, "or", b), "and", c),
		"1 + (if a then b else c)": bin(&ast.Number{Text: "1"}, "+", choice),
		"(a + b)[c]":               &ast.Index{X: bin(a, "+", b), Subs: []ast.Expr{c}},
		"(-a)(b)":                  &ast.Call{Fun: neg(a), Args: []ast.Arg{{Value: b}}},
		"-(a + b)":                 neg(bin(a, "+", b)),
		"a @ -b":                   bin(a, "@", neg(b)),
	} {
		f := &ast.File{Stmts: []ast.Stmt{&ast.Factor{Value: e}}}
		if got := ast.Print(f); got != "factor "+want+"\n" {
			t.Errorf("got %swant factor %s", got, want)
		}
	}
}
