package special

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// table lists every function with the largest error it may have, in ulp of
// the true value. floor is an absolute error that is let pass: not zero where
// a function is documented as accurate in the absolute sense alone.
var table = []struct {
	name  string
	f     func(x, y float64) float64
	ulp   float64
	floor float64
}{
	{"Exp", one(Exp), 1.1, 0},
	{"Expm1", one(Expm1), 2, 0},
	{"Log", one(Log), 1, 0},
	{"Log1p", one(Log1p), 2, 0},
	{"Tanh", one(Tanh), 3, 0},
	{"Sigmoid", one(Sigmoid), 2.5, 0},
	{"Softplus", one(Softplus), 3, 0},
	{"LogSigmoid", one(LogSigmoid), 3, 0},
	{"Logit", one(Logit), 4, 0},
	{"Log1mExp", one(Log1mExp), 4, 0},
	{"Lgamma", one(Lgamma), 5, 0},
	{"Digamma", one(Digamma), 4, 4e-14},
	{"Trigamma", one(Trigamma), 6, 0},
	{"Erf", one(Erf), 2, 0},
	{"Erfc", one(Erfc), 5, 0},
	{"NormalCDF", one(NormalCDF), 5, 0},
	{"LogNormalCDF", one(LogNormalCDF), 8, 0},
	{"LogNormalCDFDeriv", one(LogNormalCDFDeriv), 6, 0},
	{"NormalQuantile", one(NormalQuantile), 8, 0},
	{"Sin", one(Sin), 1, 0},
	{"Cos", one(Cos), 1, 0},
	{"Tan", one(Tan), 3, 0},
	{"Atan", one(Atan), 2, 0},
	{"Asin", one(Asin), 4, 0},
	{"Acos", one(Acos), 4, 0},
	{"Sinh", one(Sinh), 4, 0},
	{"Cosh", one(Cosh), 4, 0},
	{"Asinh", one(Asinh), 4, 0},
	{"Acosh", one(Acosh), 5, 0},
	{"Atanh", one(Atanh), 5, 0},
	{"Pow", Pow, 1.1, 0},
	{"Lbeta", Lbeta, 6, 1e-14},
	{"Lchoose", Lchoose, 6, 0},
	{"Atan2", Atan2, 3, 0},
}

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

// TestReference compares every function with values computed with 50 digits,
// each given as head and tail: name, x, y (or -), value, tail.
func TestReference(t *testing.T) {
	file, err := os.Open("testdata/reference.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	type worst struct {
		ulp, x, y, got, want float64
		n                    int
	}
	found := map[string]*worst{}
	byName := map[string]int{}
	for i, row := range table {
		found[row.name] = &worst{}
		byName[row.name] = i
	}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		num := func(s string) float64 {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		i, ok := byName[f[0]]
		if !ok {
			t.Fatalf("no row for %s", f[0])
		}
		x, y := num(f[1]), 0.0
		if f[2] != "-" {
			y = num(f[2])
		}
		want, tail := num(f[3]), num(f[4])
		got := table[i].f(x, y)
		diff := math.Abs((got - want) - tail)
		if diff <= table[i].floor {
			diff = 0
		}
		w := found[f[0]]
		w.n++
		if e := diff / ulp(want); !(e <= w.ulp) {
			w.ulp, w.x, w.y, w.got, w.want = e, x, y, got, want
		}
	}
	for _, row := range table {
		w := found[row.name]
		t.Logf("%-18s %4d values, %.2f ulp", row.name, w.n, w.ulp)
		if w.n == 0 {
			t.Errorf("%s: no reference values", row.name)
		}
		if !(w.ulp <= row.ulp) {
			t.Errorf("%s(%v, %v) = %v, want %v: %.3g ulp, at most %v", row.name, w.x, w.y, w.got,
				w.want, w.ulp, row.ulp)
		}
	}
}

// ulp returns the distance between the numbers around x in its binade.
func ulp(x float64) float64 {
	x = math.Abs(x)
	if _, e := math.Frexp(x); e > -1021 {
		return math.Ldexp(1, e-53)
	}
	return math.SmallestNonzeroFloat64
}
