package diagnose

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	x := make([]float64, 1001)
	var all Moments
	for i := range x {
		x[i] = 1e6 + rng.NormFloat64()
		all.Add(x[i])
	}
	near(t, "mean", all.Mean, mean(x), 1e-14)
	near(t, "variance", all.Variance(), variance(x), 1e-9)
	for _, cut := range []int{0, 1, 500, 1001} {
		var a, b Moments
		for _, v := range x[:cut] {
			a.Add(v)
		}
		for _, v := range x[cut:] {
			b.Add(v)
		}
		a.Merge(b)
		near(t, "merged variance", a.Variance(), all.Variance(), 1e-9)
		if a.N != all.N {
			t.Error("merged count", a.N)
		}
	}
}

// The standard error of the mean of an autoregression is known.
func TestBatchMeans(t *testing.T) {
	const phi, n = 0.9, 200000
	want := 1 / (1 - phi) / math.Sqrt(n) // innovations of variance 1
	var merged BatchMeans
	var squares float64
	for chain := range 10 {
		rng := rand.New(rand.NewPCG(11, uint64(chain)))
		var b BatchMeans
		x := rng.NormFloat64() / math.Sqrt(1-phi*phi)
		var sum float64
		for range n {
			x = phi*x + rng.NormFloat64()
			sum += x
			b.Add(x)
		}
		if b.Count() != n {
			t.Fatalf("%d values counted", b.Count())
		}
		near(t, "mean", b.Mean(), sum/n, 1e-10)
		near(t, "standard error", b.StdErr(), want, 0.35)
		squares += b.StdErr() * b.StdErr() / 10
		merged.Merge(&b)
	}
	near(t, "mean square of the errors", math.Sqrt(squares), want, 0.1)
	near(t, "error of ten chains", merged.StdErr(), want/math.Sqrt(10), 0.1)
	if math.Abs(merged.Mean()) > 4*merged.StdErr() || merged.Count() != 10*n {
		t.Errorf("mean of ten chains %v ± %v", merged.Mean(), merged.StdErr())
	}
	var few BatchMeans
	if few.Add(1); few.Mean() != 1 || !math.IsNaN(few.StdErr()) {
		t.Errorf("one value: %v ± %v", few.Mean(), few.StdErr())
	}
}

func TestCoMoment(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const n, dim = 300, 3
	all, a, b := NewCoMoment(dim), NewCoMoment(dim), NewCoMoment(dim)
	xs, gs := make([][]float64, dim), make([][]float64, dim)
	for k := range n {
		x, g := make([]float64, dim), make([]float64, dim)
		for i := range x {
			x[i] = rng.NormFloat64() + 100
			g[i] = 2*x[i] + rng.NormFloat64()
			xs[i], gs[i] = append(xs[i], x[i]), append(gs[i], g[i])
		}
		all.Add(x, g)
		if k < 120 {
			a.Add(x, g)
		} else {
			b.Add(x, g)
		}
	}
	var want float64
	for i := range dim {
		mx, mg := mean(xs[i]), mean(gs[i])
		for k := range n {
			want += (xs[i][k] - mx) * (gs[i][k] - mg) / (n - 1)
		}
	}
	near(t, "covariance", all.Covariance(), want, 1e-12)
	a.Merge(b)
	near(t, "merged covariance", a.Covariance(), want, 1e-12)
}

// feed gives a block a Gaussian of temperature temp and precision 1/variance
// in R^dim, with independent draws.
func feed(h *BlockHealth, rng *rand.Rand, n int, temp, variance, friction float64) {
	dim := h.Dim
	x, g, v, xi := make([]float64, dim), make([]float64, dim), make([]float64, dim), make([]float64, dim)
	for range n {
		for i := range x {
			x[i] = 5 + math.Sqrt(temp*variance)*rng.NormFloat64()
			g[i] = (x[i]-5)/variance + rng.NormFloat64() // a noisy gradient
			v[i] = math.Sqrt(temp) * rng.NormFloat64()
			xi[i] = friction + float64(i) + math.Sqrt(temp)*rng.NormFloat64()
		}
		h.AddVelocity(v)
		h.AddGradient(x, g)
		h.AddXi(xi)
	}
}

func TestBlockHealth(t *testing.T) {
	const dim, temp, friction = 4, 0.7, 3.0
	h := NewBlockHealth(dim, dim, dim)
	other := NewBlockHealth(dim, dim, dim)
	rng := rand.New(rand.NewPCG(9, 9))
	feed(h, rng, 20000, temp, 2.5, friction)
	feed(other, rng, 20000, temp, 2.5, friction)
	h.Merge(other)
	statistic := func(name string, want float64) func(value, stderr float64) {
		return func(value, stderr float64) {
			if !(math.Abs(value-want) < 4*stderr && stderr < 0.03*want) {
				t.Errorf("%s is %v ± %v, want %v", name, value, stderr, want)
			}
			if v := Judge(value, want, stderr, 0.05); v != OK {
				t.Errorf("%s is judged %q", name, v)
			}
			if v := Judge(value, 2*want, stderr, 0.05); v != Low {
				t.Errorf("half the expected %s is judged %q", name, v)
			}
		}
	}
	statistic("the kinetic temperature", temp)(h.KineticTemperature())
	statistic("the configurational temperature", temp)(h.ConfigurationalTemperature())
	statistic("the excess friction", 1.5)(h.ExcessFriction(friction)) // mean of 0…3
	statistic("the variance of ξ", temp)(h.XiVariance())
	n := testing.AllocsPerRun(100, func() { h.AddGradient(h.Config.X, h.Config.G); h.AddVelocity(h.Config.X); h.AddXi(h.XiSpread.X) })
	if n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}

// On S² with U = −κ a·x the density of u = a·x is ∝ exp(κu), and
// a·Λ∇U = −κ(1 − u²).
func TestDirectionalTemperature(t *testing.T) {
	const kappa = 3.0
	rng := rand.New(rand.NewPCG(2, 4))
	h := NewBlockHealth(2, 3, 0)
	for range 40000 {
		u := math.Log(math.Exp(-kappa)+rng.Float64()*(math.Exp(kappa)-math.Exp(-kappa))) / kappa
		h.AddDirection(u, -kappa*(1-u*u))
	}
	if value, stderr := h.DirectionalTemperature(); !(math.Abs(value-1) < 3*stderr && stderr < 0.02) {
		t.Errorf("temperature %v ± %v, want 1", value, stderr)
	}
}

// A state saved and restored goes on as the one that was not.
func TestState(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 200} {
		a := NewBlockHealth(2, 2, 2)
		feed(a, rand.New(rand.NewPCG(1, 1)), n, 1, 1, 1)
		for i := range n {
			a.AddDirection(float64(i), 1)
		}
		if n > 1 {
			a.Merge(a)
		}
		b, err := a.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		back := NewBlockHealth(2, 2, 2)
		feed(back, rand.New(rand.NewPCG(8, 1)), 70, 1, 1, 1) // forgotten
		if err := back.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		for _, h := range []*BlockHealth{a, back} {
			feed(h, rand.New(rand.NewPCG(2, 2)), 130, 1, 1, 1)
		}
		x, _ := a.MarshalBinary()
		y, _ := back.MarshalBinary()
		if !reflect.DeepEqual(x, y) {
			t.Errorf("after %d draws the restored state goes on differently", n)
		}
		for cut := range len(b) {
			if err := new(BlockHealth).UnmarshalBinary(b[:cut]); err == nil {
				t.Fatalf("%d of %d bytes were taken for a state", cut, len(b))
			}
		}
		if err := new(BlockHealth).UnmarshalBinary(append(b, 0)); err == nil {
			t.Fatal("a longer state was taken")
		}
	}
}

func TestJudge(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		value, expected, stderr, tolerance float64
		want                               Verdict
	}{
		{1.04, 1, 0, 0.05, OK}, {1.06, 1, 0, 0.05, High}, {0.94, 1, 0, 0.05, Low}, {1.2, 1, 0.1, 0.05, OK},
		{1.2, 1, 0.5, 0.05, Unknown}, {9, 1, 0.5, 0.05, High}, {nan, 1, 0, 0, Unknown}, {1, 1, nan, 0, Unknown}, {0.1, 0, 0.1, 0, OK},
	} {
		if got := Judge(c.value, c.expected, c.stderr, c.tolerance); got != c.want {
			t.Errorf("Judge%v = %q", c, got)
		}
	}
	for v, want := range map[float64]Verdict{-1: Low, -0.2: OK, 5: OK, nan: Unknown} {
		if got := JudgeAtLeast(v, 0, 0.1); got != want {
			t.Errorf("JudgeAtLeast(%v) = %q", v, got)
		}
	}
}
