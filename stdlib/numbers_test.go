package stdlib_test

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/stdlib"
)

// load parses every file once.
var load = sync.OnceValues(func() (*library, error) {
	lib := &library{map[string]*ast.Dist{}, map[string]*ast.Fn{}}
	for _, name := range stdlib.Names() {
		text, _ := stdlib.Source(name)
		file, diags := parser.Parse(source.New("stdlib/"+name+".sg", text))
		if len(diags) > 0 {
			return nil, &parseError{name, diags[0].Message}
		}
		for _, s := range file.Stmts {
			switch s := s.(type) {
			case *ast.Dist:
				lib.dists[s.Name.Name] = s
			case *ast.Fn:
				lib.fns[s.Name.Name] = s
			}
		}
	}
	return lib, nil
})

type parseError struct{ name, message string }

func (e *parseError) Error() string { return e.name + ".sg: " + e.message }

func mustLoad(t *testing.T) *library {
	t.Helper()
	lib, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// TestPoints evaluates every line `check logpdf(…) == v` to the digits written.
func TestPoints(t *testing.T) {
	lib := mustLoad(t)
	for _, name := range distributions {
		if !strings.Contains(lib.dists[name].Doc, "Source: ") {
			t.Errorf("%s: the parsed dist has lost its doc: %q", name, lib.dists[name].Doc)
		}
		points := 0
		for _, it := range lib.dists[name].Items {
			if it.Check == nil {
				continue
			}
			points++
			sc := scope{map[string]value{}, lib, nil}
			var args []value
			for _, a := range it.Check.Args {
				args = append(args, sc.eval(a.Value))
			}
			which := it.Check.Fun.(*ast.Name).Name
			want := sc.eval(it.Body).num()
			got := lib.call(lib.dists[name], which, args, nil, nil).num()
			if !agrees(got, want) {
				t.Errorf("%s: %s of %v is %.15g, written %.12g", name, which, args, got, want)
			}
		}
		if points < 4 {
			t.Errorf("%s: %d test points", name, points)
		}
	}
}

// agrees allows half a unit of the twelfth digit, and the rounding of terms
// near 1 that cancel.
func agrees(got, want float64) bool {
	if math.IsInf(want, 0) {
		return got == want
	}
	text := strconv.FormatFloat(math.Abs(want), 'e', 11, 64)
	exponent, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return math.Abs(got-want) <=
		math.Max(0.6*math.Pow(10, float64(exponent-11)), 2e-15*math.Min(1, 1e3*math.Abs(want)))
}

func vector(x ...float64) value { return value{[]int{len(x)}, x} }
