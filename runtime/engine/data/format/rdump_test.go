package format

import (
	"math"
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
named <- structure(c(1, 2, 3, 4), .Dimnames = list(NULL, c("a, )", 'b"')), .Dim = c(2L, 2L),
  class = "table")
` + "`a b` <- -7L; my.var = 3:1; neg <- -1:1; cube <- structure(1:8, .Dim = c(2, 2, 2))\n" +
		"none <- structure(integer(0), .Dim = 0L); x <- -1.5E+2; miss <- c(1, NA, -Inf)\n"
	tab, errs := readRDump("d.R", strings.NewReader(text))
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	want := map[string][]float64{"N": {3}, "y": {1.5, -2, 300}, "k": {1, 2, 0},
		"m": {1, 3, 5, 2, 4, 6}, "r": {2, 3, 4}, "e": nil, "b": {1, 0},
		"named": {1, 3, 2, 4}, "a b": {-7}, "my.var": {3, 2, 1}, "neg": {-1, 0, 1},
		"cube": {1, 5, 3, 7, 2, 6, 4, 8}, "none": nil, "x": {-150}}
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
	if v, _ := tab.Field("miss"); !math.IsNaN(v.Floats()[1]) || !math.IsInf(v.Floats()[2], -1) {
		t.Errorf("c(1, NA, -Inf) is %v", v.Floats())
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
