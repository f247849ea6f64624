package replicate

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// normal is N(0, 1) × N(0, 1/100), whose third output never changes.
type normal struct{}

func (normal) Name() string { return "normal" }
func (normal) Dim() int     { return 2 }
func (normal) Blocks() []target.Block {
	return []target.Block{{Name: "x", Len: 2,
		Geometry: target.Geometry{Kind: "euclidean", Points: 1, Dim: 2}}}
}
func (normal) Outputs() []target.Output {
	return []target.Output{{Name: "x", Shape: []int{2}, Len: 2},
		{Name: "c", Offset: 2, Len: 1, Track: true}}
}
func (normal) OutputLen() int                    { return 3 }
func (normal) Rows() int                         { return 0 }
func (normal) RowAxis() string                   { return "" }
func (normal) NewEvaluator(int) target.Evaluator { return normal{} }

func (normal) Gradient(x []float64, _ []int, _, _ float64, g []float64) {
	g[0], g[1] = -x[0], -100*x[1]
}
func (normal) LogDensity(x []float64, _ []int, _, _ float64) float64 {
	return -x[0]*x[0]/2 - 50*x[1]*x[1]
}
func (n normal) LogDensityGradient(x []float64, r []int, s, j float64, g []float64) float64 {
	n.Gradient(x, r, s, j, g)
	return n.LogDensity(x, r, s, j)
}
func (normal) Constrain(x, out []float64)               { out[0], out[1], out[2] = x[0], x[1], 7 }
func (normal) Unconstrain(out, x []float64) error       { copy(x, out[:2]); return nil }
func (normal) LogLik(x []float64, r []int, o []float64) {}

func work(t *testing.T, step float64) Work {
	t.Helper()
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Chains, cfg.Warmup, cfg.Seed = "nuts", 1, 300, 4
	if step > 0 {
		cfg.Sampler, cfg.Step, cfg.Leapfrog = "hmc", step, 1
	}
	cfg, err := cfg.Resolve(normal{})
	if err != nil {
		t.Fatal(err)
	}
	return Work{Config: cfg, Keep: 400, Most: 30}
}

// What is kept is as good as independent: of the target's moments, and without
// autocorrelation.
func TestSample(t *testing.T) {
	w := work(t, 0)
	k, err := Sample(context.Background(), normal{}, w)
	if err != nil {
		t.Fatal(err)
	}
	if len(k.States) != w.Keep || k.Short || k.ESS < 800 || k.Iterations < 1600 {
		t.Fatalf("%d states, %+v", len(k.States), k)
	}
	for i, sd := range []float64{1, 0.1} {
		x := make([]float64, w.Keep)
		mean, square := 0.0, 0.0
		for j, s := range k.States {
			x[j] = s[i]
			mean += s[i] / float64(w.Keep)
			square += s[i] * s[i] / float64(w.Keep)
		}
		n := float64(w.Keep)
		if math.Abs(mean) > 4*sd/math.Sqrt(n) || math.Abs(square/(sd*sd)-1) > 4*math.Sqrt(2/n) {
			t.Errorf("coordinate %d: mean %v, square %v", i, mean, square)
		}
		if ess := diagnose.ESSBulk([][]float64{x}); ess < 0.8*n {
			t.Errorf("coordinate %d: effective sample size %v of %v kept", i, ess, n)
		}
	}
	again, err := Sample(context.Background(), normal{}, w)
	if err != nil || !reflect.DeepEqual(k, again) {
		t.Error("a second time it is another")
	}
}

// A chain that hardly moves goes on to its bound, and says that it is short.
func TestShort(t *testing.T) {
	w := work(t, 0.002)
	w.Keep, w.Most = 50, 12
	k, err := Sample(context.Background(), normal{}, w)
	if err != nil {
		t.Fatal(err)
	}
	if !k.Short || k.Iterations != 600 || k.ESS > 100 || len(k.States) != 50 {
		t.Errorf("%d iterations, effective sample size %v, short: %v", k.Iterations, k.ESS, k.Short)
	}
}

func TestSampleErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Sample(ctx, normal{}, work(t, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	w := work(t, 0)
	w.Config.Init = [][]float64{{math.NaN(), 0}}
	var init *sampler.InitError
	if _, err := Sample(context.Background(), normal{}, w); !errors.As(err, &init) {
		t.Errorf("a start at NaN: %v", err)
	}
	none := func() (*model.Spec, model.Code) { return &model.Spec{}, nil }
	if err := Serve(bytes.NewReader(nil), &bytes.Buffer{}, none); err != nil {
		t.Errorf("no jobs: %v", err)
	}
	if err := Serve(bytes.NewReader([]byte("nonsense\n")), &bytes.Buffer{}, none); err == nil {
		t.Error("nonsense is served")
	}
}
