package examples_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// tempered runs smc, 20 runs of it, on a model. The seed was set before any run.
func tempered(
	t *testing.T, m *model.Model, change func(c *approximate.Config),
) (*approximate.Result, *approximate.Particles) {
	t.Helper()
	c := approximate.DefaultConfig()
	c.Method, c.Chains, c.Draws, c.Seed = "smc", 20, 1000, 7
	change(&c)
	r, err := approximate.Run(context.Background(), m, c, loop.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &r.Exactness
	p := x.Particles
	verdict, why := x.Verdict()
	t.Logf("log evidence %.4f ± %.4f, spread %.3f, %d temperatures, accepted %.2f, least %.0f, "+
		"%d gradients: %s %s", p.LogEvidence, p.Error, p.Spread, p.Temperatures, p.Accepted,
		p.LeastESS, x.Gradients, verdict, why)
	if verdict == approximate.Off {
		t.Errorf("%s: %s", verdict, why)
	}
	return r, p
}

// byRun is the mean of a function of the numbers of a model, with its error by the means of runs.
func byRun(r *approximate.Result, of func(x []float64) float64) (mean, mcse float64) {
	d := r.Collect()
	n := float64(len(d.Chains))
	means := make([]float64, len(d.Chains))
	for k, c := range d.Chains {
		for i := 0; i < len(c); i += d.Width {
			means[k] += of(c[i:i+d.Width]) * float64(d.Width) / float64(len(c))
		}
		mean += means[k] / n
	}
	for _, v := range means {
		mcse += (v - mean) * (v - mean) / (n - 1) / n
	}
	return mean, math.Sqrt(mcse)
}

func near(t *testing.T, what string, got, mcse, want float64) {
	t.Helper()
	z := (got - want) / mcse
	t.Logf("%s: %.4f ± %.4f, exactly %.4f, z %.1f", what, got, mcse, want, z)
	if !(math.Abs(z) <= 4) {
		t.Errorf("%s: z = %.1f", what, z)
	}
}

// TestSMCRegression: of a regression with known noise smc has the evidence, which is the normal
// density of the observations, y ~ N(0, σ² I + τ² X Xᵀ), and the means and deviations of weights.
func TestSMCRegression(t *testing.T) {
	m, in := knownNoise(t)
	n, p := len(in.Y), m.Dim()
	x := mat.NewDense(n, p, nil)
	for i, row := range in.X {
		x.SetRow(i, row)
	}
	y := mat.NewVecDense(n, in.Y)
	v := mat.NewSymDense(n, nil)
	v.SymOuterK(in.Tau*in.Tau, x)
	for i := range n {
		v.SetSym(i, i, v.At(i, i)+in.Sigma*in.Sigma)
	}
	var chol mat.Cholesky
	var solved mat.VecDense
	if !chol.Factorize(v) {
		t.Fatal("the covariance of the observations is singular")
	}
	if err := chol.SolveVecTo(&solved, y); err != nil {
		t.Fatal(err)
	}
	evidence := -(float64(n)*math.Log(2*math.Pi) + chol.LogDet() + mat.Dot(y, &solved)) / 2
	r, found := tempered(t, m, func(*approximate.Config) {})
	near(t, "log evidence", found.LogEvidence, found.Error, evidence)
	var cov, all mat.Dense // posterior: τ² I − τ⁴ Xᵀ V⁻¹ X, mean τ² Xᵀ V⁻¹ y
	if err := chol.SolveTo(&all, x); err != nil {
		t.Fatal(err)
	}
	cov.Mul(x.T(), &all)
	for i := range p {
		mean := in.Tau * in.Tau * mat.Dot(x.ColView(i), &solved)
		got, mcse := byRun(r, func(b []float64) float64 { return b[i] })
		near(t, "mean", got, mcse, mean)
		got, mcse = byRun(r, func(b []float64) float64 { return (b[i] - mean) * (b[i] - mean) })
		near(t, "variance", got, mcse, in.Tau*in.Tau-math.Pow(in.Tau, 4)*cov.At(i, i))
	}
}

// TestSMCMixture: of a mixture of two normals as a target, smc has the weights of the modes, and
// the density is normed.
func TestSMCMixture(t *testing.T) {
	m := onVM(t, compile(t, "gaussian_mixture_1d"), "models/gaussian_mixture_1d.json")
	r, p := tempered(t, m, func(*approximate.Config) {})
	near(t, "log evidence", p.LogEvidence, p.Error, 0)
	below := func(x float64) float64 { // of the mixture of the file
		return 0.4*math.Erfc(-(x+1.5)/0.8/math.Sqrt2)/2 + 0.6*math.Erfc(-(x-1.5)/0.8/math.Sqrt2)/2
	}
	got, mcse := byRun(r, func(x []float64) float64 {
		if x[0] < 0 {
			return 1
		}
		return 0
	})
	near(t, "mass of the first mode", got, mcse, below(0))
}

// TestSMCTwoNormals: on the clustering of a line smc has the means of a long run of nuts. A quarter
// of the rows is enough; TestSMCTwoNormalsWhole has all.
func TestSMCTwoNormals(t *testing.T) { twoNormalsAgree(t, 75, 1000) }

// twoNormalsAgree holds smc on the first n rows of the example against nuts.
func twoNormalsAgree(t *testing.T, n int, draws int64) {
	t.Helper()
	text, err := os.ReadFile("models/two_normals.json")
	var in struct {
		Y []float64 `json:"y"`
	}
	if err == nil {
		err = json.Unmarshal(text, &in)
	}
	if err != nil {
		t.Fatal(err)
	}
	in.Y = in.Y[:n]
	m := onVM(t, compile(t, "two_normals"), jsonFile(t, in))
	r, _ := tempered(t, m, func(c *approximate.Config) { c.Chains, c.Draws = 4, 400 })
	c := sampler.DefaultConfig()
	c.Sampler, c.Draws, c.Seed = "nuts", draws, 7
	long, err := sampler.Collect(context.Background(), m, c, loop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.OutputLen() {
		a, mcse := byRun(r, func(x []float64) float64 { return x[i] })
		chains := coordinate(long, i)
		var w diagnose.Workspace
		b := 0.0
		for _, chain := range chains {
			for _, v := range chain {
				b += v / float64(len(chains)*len(chain))
			}
		}
		near(t, "mean", a, math.Hypot(mcse, w.MCSEMean(chains)), b)
	}
}
