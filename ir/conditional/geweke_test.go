package conditional_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/gibbs"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// TestGeweke is the joint distribution test of Geweke (2004), Getting it right: data are drawn
// given the unknowns, a sweep draws the unknowns given the data, and so on. Then the unknowns and
// the data have the law of the model, from which they are drawn without a sampler too.
func TestGeweke(t *testing.T) {
	const rows, iterations, batches = 4, 10000, 20
	m := compiled(t, "m.sg", `dim N
data y[N] : real
param p : unit ~ beta(2, 3)
param a : real ~ normal(-1, 1)
param v : positive ~ inv_gamma(5, 4)
for n in N {
  local z : bool ~ bernoulli(p)
  y[n] ~ normal(if z then a else 1, sqrt(v))
}`, file(t, map[string]any{"y": make([]float64, rows)}))
	src := rng.New(7, 0, rng.Test).At(0)
	var p, a, v float64
	z, y := make([]float64, rows), make([]float64, rows)
	observe := func() {
		for n := range y {
			mean := 1.0
			if z[n] != 0 {
				mean = a
			}
			y[n] = mean + math.Sqrt(v)*src.Normal()
		}
	}
	prior := func() {
		p, a, v = src.Beta(2, 3), -1+src.Normal(), 4*src.InvGamma(5)
		for n := range z {
			z[n] = float64(src.Bernoulli(p))
		}
		observe()
	}
	functions := func() []float64 {
		return []float64{p, p * p, a, a * a, math.Log(v), math.Log(v) * math.Log(v), y[0], y[0] * y[0],
			a * y[1], z[0], z[0] * y[0], p * z[1], z[0] * z[1], y[0] * y[1]}
	}
	count := len(functions())
	direct, chain := make([][]float64, count), make([][]float64, count)
	for range iterations {
		prior()
		for i, f := range functions() {
			direct[i] = append(direct[i], f)
		}
	}
	prior()
	x, values := make([]float64, m.Dim()), make([]float64, m.OutputLen())
	for k := range iterations {
		bound, _, errs := data.Validate(&m.Spec.Schema,
			map[string]*data.Value{"y": data.Dense(slices.Clone(y), rows)}, nil, data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		now, err := m.Rebind(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := now.NewEvaluator(0).(target.ConditionalEvaluator)
		copy(e.Hidden(), z)
		if err := e.Unconstrain([]float64{p, a, v}, x); err != nil {
			t.Fatal(err)
		}
		stream := rng.New(8, 0, rng.Test)
		if err := gibbs.New(now, e, now.Conditionals(), stream, stream).Sweep(int64(k), x); err != nil {
			t.Fatal(err)
		}
		e.Constrain(x, values)
		p, a, v = values[0], values[1], values[2]
		copy(z, e.Hidden())
		observe()
		for i, f := range functions() {
			chain[i] = append(chain[i], f)
		}
	}
	// mean is the mean and the variance of that, by means of batches.
	mean := func(x []float64) (float64, float64) {
		sum, square := 0.0, 0.0
		for b := range batches {
			part := 0.0
			for _, f := range x[b*len(x)/batches : (b+1)*len(x)/batches] {
				part += f * batches / float64(len(x))
			}
			sum += part / batches
			square += part * part / batches
		}
		return sum, (square - sum*sum) / (batches - 1)
	}
	for i := range count {
		one, e1 := mean(direct[i])
		two, e2 := mean(chain[i])
		if s := (two - one) / math.Sqrt(e1+e2); !(math.Abs(s) <= 4) {
			t.Errorf("function %d has the mean %g under the model and %g by sweeps, z = %.1f", i, one,
				two, s)
		}
	}
}

// TestCompiledResume: chains of compiled models go on from a checkpoint with the same bits, their
// latent values too, and sweeps allocate nothing.
func TestCompiledResume(t *testing.T) {
	for _, name := range []string{"mixture", "switching regressions", "words", "topics"} {
		i := slices.IndexFunc(cases, func(c modelCase) bool { return c.name == name })
		c := modelCase{name, topicModel, `{"V": 3, "w": [[0, 1, 1], [2, 0], [2, 2, 1, 0]]}`}
		if i >= 0 {
			c = cases[i]
		}
		m := compiledText(t, c)
		cfg := sampler.DefaultConfig()
		cfg.Sampler, cfg.Warmup, cfg.Draws, cfg.Thin = "gibbs", 5, 20, 2
		whole, err := sampler.NewChain(m, cfg, 1)
		if err != nil {
			t.Fatal(err)
		}
		step := func(c *sampler.Chain, n int) {
			for range n {
				if err := c.Step(); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
		step(whole, 11)
		state, err := whole.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		other, err := sampler.ResumeChain(m, cfg, 1, state)
		if err != nil {
			t.Fatal(err)
		}
		step(whole, 10)
		step(other, 10)
		a, _ := whole.MarshalBinary()
		b, _ := other.MarshalBinary()
		if !bytes.Equal(a, b) {
			t.Errorf("%s: after a checkpoint the chain is another one", name)
		}
		if n := testing.AllocsPerRun(10, func() { step(whole, 1) }); n != 0 {
			t.Errorf("%s: %g allocations a sweep", name, n)
		}
	}
}

const topicModel = `dim D, W(D), V, K = 2
data w[D, W] : index[V]
param phi[K] : simplex[V] ~ dirichlet(0.5)
for d in D {
  local theta : simplex[K] ~ dirichlet(0.7)
  for i in W {
    local z : index[K] ~ categorical(theta)
    w[d, i] ~ categorical(phi[z])
  }
}`
