package special

import (
	"math"
	"math/rand/v2"
	"testing"
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
	neg = math.Copysign(0, -1)
)

// same tells whether two numbers are the same, NaN and the sign of 0 included.
func same(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

func TestEdges(t *testing.T) {
	const tiny = math.SmallestNonzeroFloat64
	for _, c := range []struct {
		name    string
		f       func(float64) float64
		x, want float64
	}{
		{"Exp", Exp, inf, inf}, {"Exp", Exp, -inf, 0}, {"Exp", Exp, 710, inf},
		{"Exp", Exp, -746, 0},
		{"Exp", Exp, 0, 1}, {"Exp", Exp, neg, 1}, {"Exp", Exp, tiny, 1}, {"Exp", Exp, -745, tiny},
		{"Exp", Exp, -1e300, 0}, {"Exp", Exp, 1e300, inf},
		{"Expm1", Expm1, inf, inf}, {"Expm1", Expm1, -inf, -1}, {"Expm1", Expm1, neg, neg},
		{"Expm1", Expm1, tiny, tiny}, {"Expm1", Expm1, 800, inf},
		{"Log", Log, 0, -inf}, {"Log", Log, neg, -inf}, {"Log", Log, -1, nan},
		{"Log", Log, inf, inf}, {"Log", Log, 1, 0}, {"Log", Log, -inf, nan},
		{"Log", Log, tiny, -744.4400719213812}, {"Log", Log, math.MaxFloat64, 709.782712893384},
		{"Log1p", Log1p, -1, -inf}, {"Log1p", Log1p, -2, nan}, {"Log1p", Log1p, inf, inf},
		{"Log1p", Log1p, neg, neg}, {"Log1p", Log1p, tiny, tiny}, {"Log1p", Log1p, -inf, nan},
		{"Tanh", Tanh, inf, 1}, {"Tanh", Tanh, -inf, -1}, {"Tanh", Tanh, neg, neg},
		{"Tanh", Tanh, tiny, tiny},
		{"Sigmoid", Sigmoid, inf, 1}, {"Sigmoid", Sigmoid, -inf, 0}, {"Sigmoid", Sigmoid, 0, 0.5},
		{"Sigmoid", Sigmoid, -745, tiny},
		{"Softplus", Softplus, inf, inf}, {"Softplus", Softplus, -inf, 0},
		{"Softplus", Softplus, 0, math.Ln2}, {"Softplus", Softplus, 1e300, 1e300},
		{"Softplus", Softplus, -745, tiny},
		{"LogSigmoid", LogSigmoid, -inf, -inf}, {"LogSigmoid", LogSigmoid, inf, 0},
		{"LogSigmoid", LogSigmoid, -1e300, -1e300},
		{"Logit", Logit, 0, -inf}, {"Logit", Logit, 1, inf}, {"Logit", Logit, 0.5, 0},
		{"Logit", Logit, 2, nan},
		{"Log1mExp", Log1mExp, 0, -inf}, {"Log1mExp", Log1mExp, -inf, neg},
		{"Log1mExp", Log1mExp, 1, nan},
		{"Lgamma", Lgamma, 0, inf}, {"Lgamma", Lgamma, 1, 0}, {"Lgamma", Lgamma, 2, 0},
		{"Lgamma", Lgamma, inf, inf}, {"Lgamma", Lgamma, -3, inf}, {"Lgamma", Lgamma, 3, math.Ln2},
		{"Lgamma", Lgamma, tiny, 744.4400719213812},
		{"Digamma", Digamma, 0, nan}, {"Digamma", Digamma, -1, nan}, {"Digamma", Digamma, inf, inf},
		{"Trigamma", Trigamma, 0, inf}, {"Trigamma", Trigamma, inf, 0},
		{"Erf", Erf, inf, 1}, {"Erf", Erf, -inf, -1}, {"Erf", Erf, neg, neg},
		{"Erfc", Erfc, inf, 0}, {"Erfc", Erfc, -inf, 2}, {"Erfc", Erfc, 0, 1},
		{"NormalCDF", NormalCDF, inf, 1}, {"NormalCDF", NormalCDF, -inf, 0},
		{"NormalCDF", NormalCDF, 0, 0.5},
		{"LogNormalCDF", LogNormalCDF, inf, neg}, {"LogNormalCDF", LogNormalCDF, -inf, -inf},
		{"LogNormalCDFDeriv", LogNormalCDFDeriv, inf, 0},
		{"LogNormalCDFDeriv", LogNormalCDFDeriv, -inf, inf},
		{"NormalQuantile", NormalQuantile, 0, -inf}, {"NormalQuantile", NormalQuantile, 1, inf},
		{"NormalQuantile", NormalQuantile, 0.5, 0}, {"NormalQuantile", NormalQuantile, -1, nan},
		{"NormalQuantile", NormalQuantile, 2, nan},
		{"Sin", Sin, neg, neg}, {"Sin", Sin, inf, nan}, {"Sin", Sin, 0, 0}, {"Cos", Cos, 0, 1},
		{"Cos", Cos, inf, nan}, {"Tan", Tan, neg, neg},
		{"Atan", Atan, inf, math.Pi / 2}, {"Atan", Atan, neg, neg}, {"Asin", Asin, 1, math.Pi / 2},
		{"Asin", Asin, 2, nan}, {"Acos", Acos, 1, 0}, {"Acos", Acos, -1, math.Pi},
		{"Acos", Acos, 2, nan},
		{"Sinh", Sinh, -inf, -inf}, {"Sinh", Sinh, neg, neg}, {"Cosh", Cosh, -inf, inf},
		{"Cosh", Cosh, 0, 1},
		{"Asinh", Asinh, -inf, -inf}, {"Asinh", Asinh, neg, neg}, {"Acosh", Acosh, 1, 0},
		{"Acosh", Acosh, 0.5, nan}, {"Acosh", Acosh, inf, inf},
		{"Atanh", Atanh, 1, inf}, {"Atanh", Atanh, -1, -inf}, {"Atanh", Atanh, 2, nan},
		{"Atanh", Atanh, neg, neg},
	} {
		if got := c.f(c.x); !same(got, c.want) {
			t.Errorf("%s(%v) = %v, want %v", c.name, c.x, got, c.want)
		}
		if got := c.f(nan); got == got {
			t.Errorf("%s(NaN) = %v", c.name, got)
		}
	}
}

// TestPowEdges compares every pair of special arguments with math.Pow.
func TestPowEdges(t *testing.T) {
	v := []float64{-inf, -math.MaxFloat64, -1e10, -3, -2, -1, -0.5, -math.SmallestNonzeroFloat64,
		neg, 0, math.SmallestNonzeroFloat64, 0.5, 1, 2, 3, 1e10, 1e300, math.MaxFloat64, inf, nan}
	for _, x := range v {
		for _, y := range v {
			got, want := Pow(x, y), math.Pow(x, y)
			if !same(got, want) && !(math.Abs(got-want) <= 1e-15*math.Abs(want)) {
				t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestAtan2Edges(t *testing.T) {
	v := []float64{-inf, -1, neg, 0, 1, inf, nan, 1e300, 1e-300}
	for _, y := range v {
		for _, x := range v {
			if got, want := Atan2(y, x), math.Atan2(y, x); !same(got, want) {
				t.Errorf("Atan2(%v, %v) = %v, want %v", y, x, got, want)
			}
		}
	}
}

// TestAgainstMath walks many arguments that the reference table does not hold:
// bits drawn at random, so every binade and both ends.
func TestAgainstMath(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 1))
	for range 200000 {
		x := (g.Float64() - 0.5) * 1417 // math.Exp overflows early on amd64 (Go 1.26)
		if want, got := math.Exp(x), Exp(x); got != want && !(math.Abs(got-want) <= 2*ulp(want)) {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
		y := x * 0.01
		if want, got := math.Expm1(y), Expm1(y); !(math.Abs(got-want) <= 3*ulp(want)) {
			t.Fatalf("Expm1(%v) = %v, want %v", y, got, want)
		}
		if want, got := math.Sin(x), Sin(x); !(math.Abs(got-want) <= 2*ulp(1)) {
			t.Fatalf("Sin(%v) = %v, want %v", x, got, want)
		}
		y = math.Abs(x)
		if want, _ := math.Lgamma(y); !(math.Abs(Lgamma(y)-want) <= 1e-14*(1+math.Abs(want))) {
			t.Fatalf("Lgamma(%v) = %v, want %v", y, Lgamma(y), want)
		}
		x = math.Float64frombits(g.Uint64() >> 1)
		want := math.Log(x)
		if x < 0x1p-1022 { // where math.Log is wrong on amd64 (Go 1.26)
			want = math.Log(x*0x1p60) - 60*math.Ln2
		}
		if got := Log(x); !same(got, want) && !(math.Abs(got-want) <= 2*ulp(want)) {
			t.Fatalf("Log(%v) = %v, want %v", x, got, want)
		}
		if want, got := math.Log1p(x), Log1p(x); !same(got, want) &&
			!(math.Abs(got-want) <= 2*ulp(want)) {
			t.Fatalf("Log1p(%v) = %v, want %v", x, got, want)
		}
	}
}

// TestSlices compares every slice form with its function, bit for bit, in
// place and into another slice, special values among the rest.
func TestSlices(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 2))
	special := []float64{0, neg, inf, -inf, nan, 1, -1, 710, -746, 708, -708, 1e300, 5e-324, 1e-310,
		-1e-20, 40, -40}
	for _, c := range []struct {
		name  string
		slice func(dst, src []float64)
		f     func(float64) float64
	}{
		{"Exp", ExpSlice, Exp}, {"Expm1", Expm1Slice, Expm1}, {"Log", LogSlice, Log},
		{"Log1p", Log1pSlice, Log1p}, {"Tanh", TanhSlice, Tanh},
		{"Sigmoid", SigmoidSlice, Sigmoid}, {"Softplus", SoftplusSlice, Softplus},
		{"LogSigmoid", LogSigmoidSlice, LogSigmoid},
		{"LogNormalCDF", LogNormalCDFSlice, LogNormalCDF},
	} {
		for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, 1000} {
			src := make([]float64, n)
			for i := range src {
				if src[i] = g.NormFloat64() * 20; i%5 == 0 {
					src[i] = special[g.IntN(len(special))]
				}
			}
			dst := make([]float64, n+1)
			dst[n] = 42
			c.slice(dst, src)
			for i, x := range src {
				if want := c.f(x); !same(dst[i], want) {
					t.Fatalf("%s: dst[%d] = %v for %v, want %v", c.name, i, dst[i], x, want)
				}
			}
			if dst[n] != 42 {
				t.Fatalf("%s wrote beyond the source", c.name)
			}
			c.slice(src, src)
			for i, x := range src {
				if !same(dst[i], x) {
					t.Fatalf("%s in place differs", c.name)
				}
			}
		}
	}
}
