package examples_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// TestClassesExact: the log likelihood of a row whose class is summed out is the
// log of the sum over its classes, written out.
func TestClassesExact(t *testing.T) {
	c := compile(t, "hidden_classes")
	b := bind(t, c, data.Options{})
	m := onVM(t, c)
	x, y := b.Values["x"].Floats(), b.Values["y"].Floats()
	e := m.Evaluator(0)
	share, level, slope, sigma := []float64{0.3, 0.7}, []float64{-0.8, 0.4},
		[]float64{0.5, -0.2, -1.5, 0.9}, 0.7
	state := make([]float64, m.Dim())
	if err := e.Unconstrain(append(append(append(append([]float64{}, share...), level...),
		slope...), sigma), state); err != nil {
		t.Fatal(err)
	}
	got := make([]float64, len(y))
	e.LogLik(state, nil, got)
	for n := range y {
		p := 0.0
		for k, w := range share {
			z := (y[n] - level[k] - slope[2*k]*x[2*n] - slope[2*k+1]*x[2*n+1]) / sigma
			p += w * math.Exp(-z*z/2) / (sigma * math.Sqrt(2*math.Pi))
		}
		if want := math.Log(p); !(math.Abs(got[n]-want) < 1e-12*(1+math.Abs(want))) {
			t.Fatalf("row %d: %.15g, written out %.15g", n, got[n], want)
		}
	}
}

// TestClassesPosterior: means of the posterior are those of a long run, two
// chains of nuts with 4,000 draws each, whose errors are next to them.
func TestClassesPosterior(t *testing.T) {
	long := []struct {
		name      string
		mean, err float64
	}{
		{"share[0]", 0.3354, 0.0003}, {"share[1]", 0.6646, 0.0003}, {"level[0]", -1.064, 0.0008},
		{"level[1]", 0.9613, 0.0004},
		{"slope[0,0]", 0.9546, 0.0007}, {"slope[0,1]", -0.009405, 0.0005},
		{"slope[1,0]", -0.9718, 0.0005}, {"slope[1,1]", 0.4818, 0.0004},
		{"sigma", 0.4829, 0.00024},
	}
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Seed = "nuts", 2, 200, 300, seed
	cfg.InitRadius = 0.5 // with classes the other way round there is a mode of its own, far below
	d := collect(t, onVM(t, compile(t, "hidden_classes")), cfg)
	for i, l := range long {
		s := diagnose.Summarize(coordinate(d, i))
		z := (s.Mean - l.mean) / math.Hypot(s.MCSEMean, l.err)
		t.Logf("%s: %.4f ± %.4f, long run %.4f, z = %.2f", l.name, s.Mean, s.MCSEMean, l.mean, z)
		if !(math.Abs(z) <= maxZ) || !(s.MCSEMean < 0.1*s.SD) {
			t.Errorf("%s: %.4f ± %.4f, long run %.4f", l.name, s.Mean, s.MCSEMean, l.mean)
		}
	}
}
