package diagnose

import (
	"errors"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

func TestUndefined(t *testing.T) {
	constant := [][]float64{{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}}
	statistics := map[string]func([][]float64) float64{
		"RhatBasic": RhatBasic, "Rhat": Rhat, "ESSBulk": ESSBulk, "ESSTail": ESSTail,
		"ESSMean": ESSMean, "ESSSD": ESSSD,
		"MCSEMean": MCSEMean, "MCSESD": MCSESD,
		"MCSEQuantile": func(c [][]float64) float64 { return MCSEQuantile(c, 0.5) },
	}
	for name, f := range statistics {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			y := series(20, 2)
			y[1][7] = bad
			if x := f(y); !math.IsNaN(x) {
				t.Errorf("%s with a draw %v is %v", name, bad, x)
			}
		}
		for _, few := range [][][]float64{constant, nil, {}, {{}}, {{1}}} {
			if x := f(few); !math.IsNaN(x) {
				t.Errorf("%s of %v is %v", name, few, x)
			}
		}
		if x := f(series(20, 1)); math.IsNaN(x) {
			t.Errorf("%s of one chain is NaN", name)
		}
	}
	s := Summarize(constant)
	if math.Abs(s.Mean-0.1) > 1e-16 || s.SD > 1e-16 || s.Q5 != 0.1 || s.Q50 != 0.1 ||
		s.Q95 != 0.1 || !math.IsNaN(s.Rhat) || !math.IsNaN(s.MCSEMean) || !math.IsNaN(s.ESSTail) {
		t.Errorf("a constant: %+v", s)
	}
	y := series(20, 2)
	y[0][0] = math.Inf(1)
	if s := Summarize(y); !math.IsNaN(s.Mean) || !math.IsNaN(s.Q50) {
		t.Errorf("with an infinity: %+v", s)
	}
}

// The statistics of ranks do not know the scale; no statistic changes its input.
func TestInvariance(t *testing.T) {
	y := series(101, 3)
	z := make([][]float64, len(y))
	for c := range y {
		for _, x := range y[c] {
			z[c] = append(z[c], math.Exp(3*x))
		}
	}
	near(t, "bulk of a monotone transform", ESSBulk(z), ESSBulk(y), 1e-14)
	near(t, "tail of a monotone transform", ESSTail(z), ESSTail(y), 1e-14)
	small := make([][]float64, len(y))
	for c := range y {
		for _, x := range y[c] {
			small[c] = append(small[c], x*0x1p-200)
		}
	}
	a, b := Summarize(y), Summarize(small)
	if a.Rhat != b.Rhat || a.ESSBulk != b.ESSBulk || a.MCSESD*0x1p-200 != b.MCSESD {
		t.Errorf("at a tiny scale %+v, was %+v", b, a)
	}
	if !slices.EqualFunc(y, series(101, 3), slices.Equal) {
		t.Error("the draws were changed")
	}
}

// Scores by rank against their definition: ties, both signs of zero, odd and
// even lengths, and folding.
func TestNormalScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var w Workspace
	for _, n := range []int{2, 3, 40, 41} {
		x := [][]float64{nil, nil, nil}
		for c := range x {
			for range n { // many ties
				x[c] = append(x[c], math.Floor(8*rng.Float64()-4)*math.Pow(-1, float64(c)))
			}
		}
		w.sortDraws(x)
		if !slices.IsSorted(w.sorted) {
			t.Fatal("the draws are not in order")
		}
		scores(t, w.bulk(x), x)
		const m = 0.5
		w.fold(m)
		folded := [][]float64{nil, nil, nil}
		for c := range x {
			for _, v := range x[c] {
				folded[c] = append(folded[c], math.Abs(v-m))
			}
		}
		scores(t, w.normalScores(w.spare, w.like(1, x)), folded)
	}
}

func scores(t *testing.T, got, x [][]float64) {
	t.Helper()
	halves := new(Workspace).split(x)
	all := slices.Concat(halves...)
	for h, half := range halves {
		for i, v := range half {
			below, same := 0, 0
			for _, o := range all {
				if o < v {
					below++
				} else if o == v {
					same++
				}
			}
			rank := float64(below) + float64(same+1)/2
			want := math.Sqrt2 * math.Erfinv(2*(rank-0.375)/(float64(len(all))+0.25)-1)
			if !(math.Abs(got[h][i]-want) < 1e-14) {
				t.Fatalf("score %d of half %d of %v is %v, want %v", i, h, x, got[h][i], want)
			}
		}
	}
}

func TestAutocovariance(t *testing.T) {
	for _, n := range []int{3, 4, 31, 32, 33} {
		for _, chains := range []int{1, 2, 5} {
			y := series(n, chains)
			var w Workspace
			w.autocovariance(y)
			for lag := range n {
				var want float64
				for _, c := range y {
					m := mean(c)
					for i := range n - lag {
						want += (c[i] - m) * (c[i+lag] - m) / float64(n*chains)
					}
				}
				if math.Abs(w.acov[lag]-want) > 1e-15 {
					t.Fatalf("%d chains of %d: lag %d is %v, want %v", chains, n, lag,
						w.acov[lag], want)
				}
			}
		}
	}
}

func TestFFT(t *testing.T) {
	for _, n := range []int{1, 2, 8, 64} {
		a := make([]complex128, n)
		for i := range a {
			a[i] = complex(math.Sin(float64(3*i+1)), math.Cos(float64(i*i)))
		}
		b := slices.Clone(a)
		var f fft
		f.resize(n)
		f.transform(b)
		for k := range b {
			var want complex128
			for i, z := range a {
				want += z * cmplx.Exp(complex(0, -2*math.Pi*float64(k*i%n)/float64(n)))
			}
			if cmplx.Abs(b[k]-want) > 1e-13 {
				t.Fatalf("n = %d, k = %d: %v, want %v", n, k, b[k], want)
			}
		}
	}
}

func TestQuantile(t *testing.T) {
	x := [][]float64{{4, 1}, {3, 2}}
	for p, want := range map[float64]float64{0: 1, 0.05: 1.15, 0.5: 2.5, 0.95: 3.85, 1: 4} {
		near(t, "quantile", Quantile(x, p), want, 1e-15)
	}
	if q := Quantile([][]float64{{7}}, 0.3); q != 7 {
		t.Errorf("quantile of one draw: %v", q)
	}
	for _, q := range []float64{Quantile(nil, 0.5), Quantile(x, 1.1), Quantile(x, math.NaN()),
		Quantile([][]float64{{1, math.NaN()}}, 0.5)} {
		if !math.IsNaN(q) {
			t.Errorf("%v instead of NaN", q)
		}
	}
}

func TestSpecial(t *testing.T) {
	for p, z := range map[float64]float64{ // Φ⁻¹ to 16 digits
		0.975: 1.959963984540054, 0.5: 0, 0.25: -0.6744897501960817, 1e-3: -3.090232306167813,
		1e-10: -6.361340902404056,
	} {
		if got := special.NormalQuantile(p); math.Abs(got-z) > 1e-15*max(1, math.Abs(z)) {
			t.Errorf("Φ⁻¹(%v) = %.17g, want %.17g", p, got, z)
		}
	}
	for _, x := range []float64{0, 0.01, 0.3, 0.5, 0.77, 1} {
		for _, a := range []float64{1, 2.5, 40} {
			near(t, "I_x(a, 1)", betaCDF(x, a, 1), math.Pow(x, a), 1e-13)
			near(t, "I_x(1, a)", betaCDF(x, 1, a), -math.Expm1(a*math.Log1p(-x)), 1e-13)
		}
	}
	// I_x(a, b) is the chance of at least a of a+b−1 tosses.
	var want float64
	for j := 7; j <= 16; j++ {
		c := 1.0
		for i := range j {
			c = c * float64(16-i) / float64(i+1)
		}
		want += c * math.Pow(0.37, float64(j)) * math.Pow(0.63, float64(16-j))
	}
	near(t, "I_x(7, 10)", betaCDF(0.37, 7, 10), want, 1e-13)
	for _, ab := range [][2]float64{{1, 1}, {1.5, 900}, {30, 3}, {51, 951}, {5e4, 2e5}} {
		for _, p := range []float64{1e-3, 0.1586553, 0.5, 0.8413447} {
			near(t, "I at its quantile", betaCDF(betaQuantile(p, ab[0], ab[1]), ab[0], ab[1]),
				p, 1e-9)
		}
	}
}

// An autoregression of known autocorrelation: ESS/S = (1 − φ)/(1 + φ). A sum
// over M lags has a relative error near √(2(2M + 1)/S): with M = 30 and these
// draws 0.025, a quarter of what is allowed.
func TestESSOfAutoregression(t *testing.T) {
	for _, phi := range []float64{-0.5, 0, 0.8} {
		rng := rand.New(rand.NewPCG(7, 7))
		y := make([][]float64, 4)
		for c := range y {
			x := rng.NormFloat64() / math.Sqrt(1-phi*phi)
			for range 50000 {
				x = phi*x + rng.NormFloat64()
				y[c] = append(y[c], x)
			}
		}
		want := 200000 * (1 - phi) / (1 + phi)
		near(t, "ESSMean", ESSMean(y), want, 0.1)
		near(t, "ESSBulk", ESSBulk(y), want, 0.1)
		if r := Rhat(y); !(r > 0.999 && r < 1.005) {
			t.Errorf("R-hat %v", r)
		}
		for i := range y[0] {
			y[0][i] += 2
		}
		if r := Rhat(y); r < 1.05 {
			t.Errorf("R-hat of a shifted chain %v", r)
		}
		for i := range y[0] {
			y[0][i] = (y[0][i] - 2) * 3
		}
		if r := Rhat(y); r < 1.05 {
			t.Errorf("R-hat of a wider chain %v", r)
		}
	}
}

func TestSummarizeMany(t *testing.T) {
	load := func(i int, dst [][]float64) error {
		for c, x := range series(60, 3) {
			for d := range x {
				dst[c][d] = x[d] * float64(1+i) * float64((d+i)%7)
			}
		}
		return nil
	}
	one, err := SummarizeMany(50, 3, 60, 1, load)
	if err != nil {
		t.Fatal(err)
	}
	four, _ := SummarizeMany(50, 3, 60, 4, load)
	if !slices.Equal(one, four) || one[3] == one[4] {
		t.Error("the summaries depend on the number of workers")
	}
	bad := errors.New("no such file")
	_, err = SummarizeMany(50, 3, 60, 4, func(i int, dst [][]float64) error {
		if i == 20 {
			return bad
		}
		return load(i, dst)
	})
	if err != bad {
		t.Errorf("the error came back as %v", err)
	}
}

func TestSummarizeAllocates(t *testing.T) {
	y := series(500, 4)
	var w Workspace
	w.Summarize(y)
	if n := testing.AllocsPerRun(20, func() { w.Summarize(y) }); n != 0 {
		t.Errorf("%v allocations a summary", n)
	}
}

func BenchmarkSummarize(b *testing.B) {
	y := series(1000, 4)
	var w Workspace
	for b.Loop() {
		w.Summarize(y)
	}
}

func BenchmarkSummarizeLong(b *testing.B) {
	y := series(100000, 4)
	var w Workspace
	for b.Loop() {
		w.Summarize(y)
	}
}

// TestAutocorrelationByHand: autocorrelations are those of the definition.
func TestAutocorrelationByHand(t *testing.T) {
	x := []float64{1, 3, 2, 5, 4, 4, 0}
	var w Workspace
	got := w.Autocorrelation(x, 3)
	m, square := 0.0, 0.0
	for _, v := range x {
		m += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - m) * (v - m)
	}
	for lag, r := range got {
		want := 0.0
		for i := range len(x) - lag {
			want += (x[i] - m) * (x[i+lag] - m) / square
		}
		if math.Abs(r-want) > 1e-14 {
			t.Errorf("lag %d: %g, by hand %g", lag, r, want)
		}
	}
	if len(got) != 4 || len(w.Autocorrelation(x, 100)) != len(x) {
		t.Errorf("%d lags", len(got))
	}
	for _, bad := range [][]float64{{}, {1}, {2, 2, 2}, {1, math.NaN()}, {-1e308, 1e308}} {
		if r := w.Autocorrelation(bad, 2); r != nil {
			t.Errorf("%v: %v", bad, r)
		}
	}
}

// TestESSTogether: sizes of bulk and tails are the same together as each alone.
func TestESSTogether(t *testing.T) {
	var w Workspace
	for _, chains := range [][][]float64{
		{{1, 3, 2, 5, 4, 4, 0, 7}, {2, 2, 5, 1, 8, 3, 3, 4}}, {{1, 1}}, {{math.NaN(), 1, 2, 3}},
	} {
		bulk, tail := w.ESS(chains)
		if math.Float64bits(bulk) != math.Float64bits(ESSBulk(chains)) ||
			math.Float64bits(tail) != math.Float64bits(ESSTail(chains)) {
			t.Errorf("%v: %g and %g, alone %g and %g", chains, bulk, tail, ESSBulk(chains),
				ESSTail(chains))
		}
	}
}
