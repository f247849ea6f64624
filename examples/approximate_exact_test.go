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
)

// approximates runs a method on a model, whose numbers are to have means and standard deviations
// within Monte Carlo error, by the effective number of the weights.
func approximates(
	t *testing.T, m *model.Model, change func(c *approximate.Config), mean, sd []float64,
) {
	t.Helper()
	c := approximate.DefaultConfig()
	c.Seed = 5
	change(&c)
	r, err := approximate.Run(context.Background(), m, c, loop.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := r.Exactness
	if verdict, why := x.Verdict(); verdict == approximate.Off {
		t.Errorf("%s: %s", c.Method, why)
	}
	d := r.Collect()
	n := x.Effective
	for i := range mean {
		sum, square, count := 0.0, 0.0, 0.0
		for _, chain := range coordinate(d, i) {
			for _, v := range chain {
				sum, square, count = sum+v, square+(v-mean[i])*(v-mean[i]), count+1
			}
		}
		z := (sum/count - mean[i]) / sd[i] * math.Sqrt(n)
		zsd := (math.Sqrt(square/count)/sd[i] - 1) * math.Sqrt(2*n)
		if math.Abs(z) > 4 || math.Abs(zsd) > 4 {
			t.Errorf("%s %s, batch %d, number %d: z %.1f, of the deviation %.1f", c.Method,
				c.Covariance, c.Batch, i, z, zsd)
		}
	}
	t.Logf("%s %s, batch %d: k %.2f, %.0f effective", c.Method, c.Covariance, c.Batch, x.K, n)
}

// TestApproximateDirichlet: on a simplex, in its chart, draws have the moments of the Dirichlet.
func TestApproximateDirichlet(t *testing.T) {
	m := onVM(t, compile(t, "dirichlet_categorical"), "models/dirichlet_categorical.json")
	text, err := os.ReadFile("models/dirichlet_categorical.json")
	var in struct {
		Z     []int
		Alpha *float64
	}
	if err == nil {
		err = json.Unmarshal(text, &in)
	}
	if err != nil {
		t.Fatal(err)
	}
	k := m.Dim() + 1
	alpha, total := make([]float64, k), 0.0
	for i := range alpha {
		alpha[i] = 1
		if in.Alpha != nil {
			alpha[i] = *in.Alpha
		}
	}
	for _, z := range in.Z {
		alpha[z]++
	}
	for _, a := range alpha {
		total += a
	}
	mean, sd := make([]float64, k), make([]float64, k)
	for i, a := range alpha {
		mean[i] = a / total
		sd[i] = math.Sqrt(mean[i] * (1 - mean[i]) / (total + 1))
	}
	for _, method := range approximate.Names() {
		approximates(t, m, func(c *approximate.Config) { c.Method = method }, mean, sd)
	}
}

// A regression has the data of models/linear_regression.json.
type regression struct {
	X          [][]float64
	Y          []float64
	Sigma, Tau float64
}

// knownNoise is the model of a regression with known noise, and its data.
func knownNoise(t *testing.T) (*model.Model, regression) {
	t.Helper()
	in := regression{Tau: 2}
	text, err := os.ReadFile("models/linear_regression.json")
	if err == nil {
		err = json.Unmarshal(text, &in)
	}
	if err != nil {
		t.Fatal(err)
	}
	return onVM(t, compile(t, "linear_regression"), "models/linear_regression.json"), in
}

// TestApproximateRegression: of a regression with known noise, all methods and advi on minibatches
// have the normal posterior that gonum has.
func TestApproximateRegression(t *testing.T) {
	m, in := knownNoise(t)
	p := m.Dim()
	precision, right := mat.NewDense(p, p, nil), mat.NewVecDense(p, nil)
	for i := range p {
		precision.Set(i, i, 1/(in.Tau*in.Tau))
	}
	for n, row := range in.X {
		x := mat.NewVecDense(p, row)
		precision.RankOne(precision, 1/(in.Sigma*in.Sigma), x, x)
		right.AddScaledVec(right, in.Y[n]/(in.Sigma*in.Sigma), x)
	}
	var cov mat.Dense
	var at mat.VecDense
	if err := cov.Inverse(precision); err != nil {
		t.Fatal(err)
	}
	at.MulVec(&cov, right)
	mean, sd := make([]float64, p), make([]float64, p)
	for i := range mean {
		mean[i], sd[i] = at.AtVec(i), math.Sqrt(cov.At(i, i))
	}
	for _, change := range []func(c *approximate.Config){
		func(c *approximate.Config) { c.Method = "laplace" },
		func(c *approximate.Config) { c.Method = "pathfinder" },
		func(c *approximate.Config) { c.Method = "advi" },
		func(c *approximate.Config) { c.Method, c.Batch = "advi", max(m.Rows()/4, 1) },
		func(c *approximate.Config) { c.Method, c.Covariance, c.Rank = "advi", "low-rank", 2 },
	} {
		approximates(t, m, change, mean, sd)
	}
}
