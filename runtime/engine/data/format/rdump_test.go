package format

import (
	"reflect"
	"strings"
	"testing"
)

// Files that dump and stan_rdump of R write: arrays are stored by columns.
func TestRDump(t *testing.T) {
	const text = `N <- 3
# a comment
y <-
c(1.5, -2, 3e2)
"k" <- c(1L, 2L, 0L)
m <- structure(c(1, 2, 3, 4, 5, 6), .Dim = c(2L, 3L))
r <- 2:4; e <- integer(0)
b <- structure(c(TRUE, FALSE), .Dim = 2L)
`
	tab, errs := readRDump("d.R", strings.NewReader(text))
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	want := map[string][]float64{"N": {3}, "y": {1.5, -2, 300}, "k": {1, 2, 0},
		"m": {1, 3, 5, 2, 4, 6}, "r": {2, 3, 4}, "e": nil, "b": {1, 0}}
	for name, x := range want {
		v, errs := tab.Field(name)
		if len(errs) > 0 || v == nil {
			t.Fatal(name, errs)
		}
		if got := v.Floats(); len(got) != len(x) || len(x) > 0 && !reflect.DeepEqual(got, x) {
			t.Errorf("%s is %v, and not %v", name, got, x)
		}
	}
	if v, _ := tab.Field("m"); !reflect.DeepEqual(v.Shape, []int{2, 3}) {
		t.Errorf("m has the shape %v", v.Shape)
	}
	for _, wrong := range []string{"N 3", "y <- c(1, 2", "m <- structure(c(1, 2), .Dim = c(3L))",
		"y <- d(3)", "x <- 1e999", "a <- \"b"} {
		if _, errs := readRDump("d.R", strings.NewReader(wrong)); len(errs) == 0 {
			t.Errorf("%q is read", wrong)
		}
	}
	if !sniffRDump([]byte("# x\nN <- 3\n")) || sniffRDump([]byte("a,b\n1,2\n")) {
		t.Error("an assignment of R is not recognised, or a table is one")
	}
}
