package special

import (
	"bufio"
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The rows of testdata/incomplete.txt by their letter: how many arguments stand
// before the values, the functions whose values follow, and the largest
// relative error of each. Where an upper or lower probability is
// near 1 its log is as small as the other, and keeps its digits.
var incomplete = map[string]struct {
	args  int
	funcs []func(x []float64) float64
	names []string
	tol   []float64
}{
	"G": {2, []func(x []float64) float64{
		func(x []float64) float64 { return LogGammaP(x[0], x[1]) },
		func(x []float64) float64 { return LogGammaQ(x[0], x[1]) },
		func(x []float64) float64 { return LogGammaPShape(x[0], x[1]) },
		func(x []float64) float64 { return LogGammaQShape(x[0], x[1]) },
		func(x []float64) float64 { return LogGammaPDeriv(x[0], x[1]) },
		func(x []float64) float64 { return LogGammaQDeriv(x[0], x[1]) },
	}, []string{"LogGammaP", "LogGammaQ", "LogGammaPShape", "LogGammaQShape", "LogGammaPDeriv",
		"LogGammaQDeriv"},
		[]float64{1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13}},
	"B": {3, []func(x []float64) float64{
		func(x []float64) float64 { return betaTails(x[0], x[1], x[2]).logP },
		func(x []float64) float64 { return betaTails(x[0], x[1], x[2]).logPa },
		func(x []float64) float64 { return betaTails(x[0], x[1], x[2]).logPb },
		func(x []float64) float64 { return betaTails(x[0], x[1], x[2]).p / x[2] },
	}, []string{"log I", "log I in a", "log I in b", "log I in w"},
		[]float64{1e-12, 2e-11, 5e-12, 5e-12}},
	"S": {2, []func(x []float64) float64{
		func(x []float64) float64 { return LogSkewNormalCDF(x[0], x[1]) },
		func(x []float64) float64 { return LogSkewNormalCDFZ(x[0], x[1]) },
		func(x []float64) float64 { return LogSkewNormalCDFShape(x[0], x[1]) },
	}, []string{"LogSkewNormalCDF", "LogSkewNormalCDFZ", "LogSkewNormalCDFShape"},
		[]float64{1e-12, 1e-12, 1e-12}},
	"N": {2, []func(x []float64) float64{func(x []float64) float64 { return Polygamma(x[0], x[1]) }},
		[]string{"Polygamma"}, []float64{2e-15}},
}

// TestIncomplete compares the incomplete functions and their derivatives in every
// argument with values computed with at least 60 digits from the defining series
// (for the skew normal by quadrature with 40), and central differences of them.
func TestIncomplete(t *testing.T) {
	file, err := os.Open("testdata/incomplete.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	worst, count := map[string]float64{}, map[string]int{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		row := incomplete[f[0]]
		var v []float64
		for _, s := range f[1:] {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		x := v[:row.args]
		for i, want := range v[row.args:] {
			got := row.funcs[i](x)
			e := math.Abs(got-want) / math.Abs(want)
			if got == want {
				e = 0
			}
			if !(e <= row.tol[i]) {
				t.Errorf("%s%v = %.17g, want %.17g: relative error %.2g", row.names[i], x, got, want, e)
			}
			worst[row.names[i]] = max(worst[row.names[i]], e)
			count[row.names[i]]++
		}
	}
	for _, row := range incomplete {
		for _, name := range row.names {
			t.Logf("%-22s %4d values, relative error %.1e", name, count[name], worst[name])
			if count[name] == 0 {
				t.Errorf("%s: no reference values", name)
			}
		}
	}
}

// TestIncompleteBits pins the bits of the incomplete functions as TestBits does.
func TestIncompleteBits(t *testing.T) {
	h := fnv.New64a()
	put := func(v ...float64) {
		for _, x := range v {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
			h.Write(b[:])
		}
	}
	for _, a := range []float64{1e-7, 0.3, 1, 2.5, 17, 59, 61, 1e3, 1e7} {
		for _, r := range []float64{1e-3, 0.2, 0.9, 1, 1.2, 7} {
			g := incGamma(a, a*r)
			put(g.logP, g.logQ, g.p, g.q, g.logPa, g.logQa)
			for _, b := range []float64{1e-7, 0.5, 3, 40, 1e6} {
				g = incBeta(a, b, a/b*r)
				put(g.logP, g.logQ, g.p, g.q, g.logPa, g.logQa, g.logPb, g.logQb)
			}
			put(LogStudentTCDF(a, 2*(r-1)), LogStudentTCDFNu(a, 2*(r-1)), Polygamma(2, a),
				Polygamma(5, a), LogErfcx(r-1), LogErfcxDeriv(a*(r-1)))
			for _, z := range []float64{-30, -2, -0.1, 0.3, 4} {
				g = skewNormalTails(z, r-1)
				put(g.logP, g.logQ, g.p, g.q, g.logPa)
			}
		}
	}
	const want = 0xf502f672c96925ec
	if got := h.Sum64(); got != want {
		t.Errorf("the bits of all results hash to %#x, want %#x", got, uint64(want))
	}
}

// TestIncompleteEdges holds the ends of the arguments.
func TestIncompleteEdges(t *testing.T) {
	for i, c := range []struct{ got, want float64 }{
		{LogGammaP(2, 0), -inf}, {LogGammaQ(2, 0), 0}, {LogGammaP(2, inf), 0},
		{LogGammaQ(2, inf), -inf}, {LogGammaP(0, 1), 0},
		{LogGammaQ(1, 700), -700}, {LogGammaQDeriv(1, 0), -1}, {LogGammaQDeriv(0.5, 0), -inf},
		{LogGammaQDeriv(3, 0), 0}, {LogGammaPDeriv(3, 0), inf},
		{LogGammaPShape(3, 0), 0}, {LogGammaQShape(3, inf), 0}, {LogGammaP(nan, 1), nan},
		{LogGammaP(1, nan), nan}, {LogGammaP(-1, 2), nan},
		{LogBetaIncLogit(2, 3, -inf), -inf}, {LogBetaIncLogit(2, 3, inf), 0},
		{LogBetaIncLogit(0, 3, 1), 0}, {LogBetaIncLogit(2, 0, 1), -inf},
		{LogBetaIncLogit(1, 1, -1e5), -1e5}, {LogBetaIncLogitS(0.25, 3, -1e5), 0.25},
		{LogBetaIncLogitS(0.25, 3, 1e5), 0},
		{LogBetaIncLogit(nan, 3, 1), nan}, {LogBetaIncLogit(2, nan, 1), nan},
		{LogBetaIncLogit(2, 3, nan), nan},
		{LogStudentTCDF(3, 0), -math.Ln2}, {LogStudentTCDF(3, inf), 0},
		{LogStudentTCDF(3, -inf), -inf}, {LogStudentTCDFNu(3, 0), 0}, {LogStudentTCDF(3, nan), nan},
		{LogErfcx(-inf), inf}, {LogErfcx(inf), -inf}, {LogErfcxDeriv(1e20), -1e-20},
		{LogSkewNormalCDF(inf, 3), 0}, {LogSkewNormalCDF(-inf, 3), -inf},
		{LogSkewNormalCDF(nan, 3), nan}, {LogSkewNormalCDF(1, nan), nan},
		{Polygamma(0, 2), Digamma(2)}, {Polygamma(1, 2), Trigamma(2)}, {Polygamma(2, -1), nan},
		{Polygamma(1.5, 1), nan}, {Polygamma(2, nan), nan}, {Polygamma(2, 0), nan},
	} {
		if c.got != c.want && !(c.got != c.got && c.want != c.want) {
			t.Errorf("case %d: %v, want %v", i, c.got, c.want)
		}
	}
	// The two sides make one, and the halves of a symmetric law are ½.
	for _, a := range []float64{1e-9, 0.3, 1, 4, 59, 61, 1e4, 1e9} {
		for _, r := range []float64{0.3, 0.9, 1, 1.1, 2} {
			if p, q := Exp(LogGammaP(a, a*r)), Exp(LogGammaQ(a, a*r)); math.Abs(p+q-1) > 1e-15 {
				t.Errorf("P + Q - 1 = %v at %v, %v", p+q-1, a, a*r)
			}
		}
		if l := LogBetaIncLogit(a, a, 0); math.Abs(l+math.Ln2) > 1e-14 {
			t.Errorf("I(½; %v, %v) has the log %v", a, a, l)
		}
	}
}

// TestLogErfcx compares with erfc where that is, and holds its derivative and that
// of Student's distribution function to differences.
func TestLogErfcx(t *testing.T) {
	for _, x := range []float64{-5, -1, -0.1, 0, 0.3, 2, 10, 20} {
		if got, want := LogErfcx(x),
			float64(x*x)+Log(Erfc(x)); math.Abs(got-want) > 2e-13*(1+math.Abs(want)) {
			t.Errorf("LogErfcx(%v) = %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{-5, -0.1, 0, 0.3, 10, 29.9, 30.1, 1e3, 1e5} {
		h := 1e-4 * (1 + math.Abs(x))
		if got, want := LogErfcxDeriv(x),
			(LogErfcx(x+h)-LogErfcx(x-h))/(2*h); math.Abs(got-want) > 2e-8*(1e-3+math.Abs(want)) {
			t.Errorf("the derivative of LogErfcx at %v is %v, want %v", x, got, want)
		}
	}
	for _, nu := range []float64{0.4, 3, 50, 1e5} {
		for _, z := range []float64{-1e3, -3, -0.2, 0, 0.5, 7} {
			h := 1e-4 * nu
			if got, want := LogStudentTCDFNu(nu, z),
				(LogStudentTCDF(nu+h, z)-LogStudentTCDF(nu-h, z))/(2*h); math.Abs(got-want) >
				2e-7*math.Abs(want)+1e-11/nu {
				t.Errorf("LogStudentTCDFNu(%v, %v) = %v, want %v", nu, z, got, want)
			}
		}
	}
}

func BenchmarkIncomplete(b *testing.B) {
	for _, c := range []struct {
		name string
		f    func(u float64)
	}{
		{"gamma", func(u float64) { LogGammaP(2.5, 7*u) }},
		{"gamma large", func(u float64) { LogGammaP(250, 200+100*u) }},
		{"beta", func(u float64) { LogBetaIncLogit(2.5, 3.5, 7*u-4) }},
		{"beta large", func(u float64) { LogBetaIncLogit(250, 350, u-0.8) }},
		{"skew normal", func(u float64) { LogSkewNormalCDF(6*u-3, 2) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for i := range b.N {
				c.f(float64(i%97+1) / 98)
			}
		})
	}
}

// TestIncompleteWide walks shapes and arguments over many orders: the sides make
// one, and the derivatives are those of the functions.
func TestIncompleteWide(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	wide := func(lo, hi float64) float64 { return math.Pow(10, lo+(hi-lo)*g.Float64()) }
	slope := func(name string, f func(x float64) float64, x, h, want float64) {
		if got := (f(x+h) - f(x-h)) / (2 * h); !(math.Abs(got-want) <= 1e-5*math.Abs(want)+
			1e-14*math.Abs(f(x))/h) {
			t.Errorf("%s at %v: derivative %v, differences give %v", name, x, want, got)
		}
	}
	for i := range 3000 {
		a, b, w := wide(-8, 6), wide(-8, 6), wide(-12, 12)
		if i%2 == 0 { // near the mode, where the methods meet
			w = a / b * math.Exp(2*(g.Float64()-0.5)*min(1, math.Sqrt(1/a+1/b)))
		}
		x := betaTails(a, b, w)
		if s := Exp(x.logP) + Exp(x.logQ); !(math.Abs(s-1) < 1e-14) {
			t.Errorf("P + Q = %v of a beta(%v, %v) at the odds %v", s, a, b, w)
		}
		if x.logP > -20 && x.logQ > -20 {
			slope("log P of a beta in s",
				func(s float64) float64 { return LogBetaIncLogit(a, b, s) }, Log(w),
				1e-4/math.Sqrt(1+a), x.p)
			slope("log P of a beta in a",
				func(a float64) float64 { return betaTails(a, b, w).logP }, a,
				1e-4*min(a, math.Sqrt(a)), x.logPa)
			slope("log P of a beta in b",
				func(b float64) float64 { return betaTails(a, b, w).logP }, b,
				1e-4*min(b, math.Sqrt(b)), x.logPb)
		}
		w = a * math.Exp(8*(g.Float64()-0.5)*min(1, 1/math.Sqrt(a)))
		if x = incGamma(a, w); x.logP > -20 && x.logQ > -20 {
			slope("log P of a gamma", func(a float64) float64 { return LogGammaP(a, w) }, a,
				1e-4*min(a, math.Sqrt(a)), x.logPa)
			slope("log Q of a gamma", func(a float64) float64 { return LogGammaQ(a, w) }, a,
				1e-4*min(a, math.Sqrt(a)), x.logQa)
		}
		if s := Exp(x.logP) + Exp(x.logQ); !(math.Abs(s-1) < 1e-14) {
			t.Errorf("P + Q = %v of a gamma(%v) at %v", s, a, w)
		}
	}
}
