package latent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// mixedRows has locals of every kind in ragged rows.
const mixedRows = `
dim D, W(D), V = 5, K = 3
data w[D, W] : index[V]
data y[D] : real
param eta[K, V] : real ~ normal(0, 1)
param b : real ~ normal(0, 1)
for d in D {
  local theta : simplex[K] ~ dirichlet(0.5) by collapse
  local u : real ~ normal(b, 1) by gmc
  y[d] ~ normal(u, 0.5)
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[d, i] ~ categorical_logit(eta[z])
  }
}
`

func mixedModel(t *testing.T) *model.Model {
	t.Helper()
	c, diags := driver.Compile(source.New("m.sg", mixedRows), driver.Options{Sampled: true})
	if c == nil {
		t.Fatal(diags)
	}
	var words, y []float64
	var lengths []int
	for d := range 12 {
		lengths, y = append(lengths, 1+d*5%7), append(y, float64(d%4)-1.5)
		for i := range lengths[d] {
			words = append(words, float64((d*d+3*i)%5))
		}
	}
	bound, _, errs := data.Validate(&c.Spec.Schema,
		map[string]*data.Value{"w": data.Ragged(words, [][]int{{12}, lengths}),
			"y": data.Dense(y, 12)}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLocalDraws: what is drawn for a row is a function of the seed, the chain,
// the row and the visit alone, for whatever workers, and costs no memory.
func TestLocalDraws(t *testing.T) {
	m := mixedModel(t)
	x := make([]float64, m.Dim())
	for i := range x {
		x[i] = float64(i%5)*0.3 - 0.5
	}
	o := target.LocalOptions{BurnIn: 3, Kept: 4}
	gradient := func(threads int, seed uint64, chain int, visit uint64, rows []int) []float64 {
		o.Threads = threads
		e := m.Evaluator(8)
		e.Locals(o, seed, chain)
		e.Visit(visit, true)
		grad := make([]float64, m.Dim())
		e.Gradient(x, rows, 2, 1, grad)
		return grad
	}
	rows := []int{3, 0, 11, 7, 5}
	want := gradient(1, 9, 1, 4, rows)
	for threads := 2; threads <= 6; threads++ {
		if !slices.Equal(gradient(threads, 9, 1, 4, rows), want) {
			t.Errorf("%d threads give other bits", threads)
		}
	}
	for what, other := range map[string][]float64{"seed": gradient(1, 8, 1, 4, rows),
		"chain": gradient(1, 9, 0, 4, rows), "visit": gradient(1, 9, 1, 5, rows)} {
		if slices.Equal(other, want) {
			t.Errorf("another %s gives the same draws", what)
		}
	}
	// One visit draws once, whatever the state: inner steps share the draws.
	o.Threads = 1
	e, grad := m.Evaluator(8), make([]float64, m.Dim())
	e.Locals(o, 9, 1)
	e.Visit(4, true)
	e.Gradient(x, rows, 2, 1, grad)
	tuned := slices.Clone(e.LocalState())
	e.Gradient(make([]float64, m.Dim()), rows, 2, 1, grad)
	e.Gradient(x, rows, 2, 1, grad)
	if !slices.Equal(grad, want) || !slices.Equal(tuned, e.LocalState()) {
		t.Error("a visit was drawn again")
	}
	visit := uint64(10)
	all := make([]int, 8)
	step := func() {
		for k := range all {
			all[k] = (int(visit) + k) % 12
		}
		e.Visit(visit, true)
		e.Gradient(x, all, 2, 1, grad)
		visit++
	}
	for range 30 {
		step() // every length of row has been seen
	}
	if n := testing.AllocsPerRun(20, step); n > 0 {
		t.Errorf("a step allocates %v times", n)
	}
}

// TestLocalsTogether: the draws for a row do not depend on the rows that are drawn with it. Each
// worker draws for its rows together; here there are one to as many as there are rows.
func TestLocalsTogether(t *testing.T) {
	c, diags := driver.Compile(source.New("m.sg", `
dim D, V = 4, K = 3
data y[D, V] : real
param mu[K, V] : real ~ normal(0, 1)
for d in D {
  local theta : simplex[K] ~ dirichlet(2)
  local s : bool ~ bernoulli(0.3) by gibbs
  y[d] ~ normal(theta @ mu + (if s then 1 else 0), 0.5)
}`), driver.Options{Sampled: true})
	if diags.Errors() {
		t.Fatal(diags)
	}
	const D = 70
	y := make([]float64, D*4)
	for i := range y {
		y[i] = float64(i*7%11)*0.2 - 1
	}
	bound, _, errs := data.Validate(&c.Spec.Schema,
		map[string]*data.Value{"y": data.Dense(y, D, 4)}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, rows := make([]float64, m.Dim()), make([]int, D)
	for i := range x {
		x[i] = float64(i%5)*0.3 - 0.5
	}
	for i := range rows {
		rows[i] = i * 11 % D
	}
	gradient := func(threads int) []float64 {
		e := m.Evaluator(D)
		e.Locals(target.LocalOptions{BurnIn: 3, Kept: 2, Leapfrog: 3, Threads: threads}, 9, 1)
		e.Visit(2, true)
		grad := make([]float64, m.Dim())
		e.Gradient(x, rows, 2, 1, grad)
		return grad
	}
	want := gradient(D)
	for _, threads := range []int{1, 2, 3, 7, 40} {
		if !slices.Equal(gradient(threads), want) {
			t.Errorf("%d workers give other bits than one for each row", threads)
		}
	}
}

// TestLocalResume: a run that goes on from a checkpoint has the bits of one
// that was not interrupted, its tuned steps included.
func TestLocalResume(t *testing.T) {
	m := mixedModel(t)
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Scheme, cfg.Step, cfg.Friction, cfg.Batch = "msgnht", "split", 0.02, 1, 4
	cfg.Chains, cfg.Warmup, cfg.Draws, cfg.InnerSteps = 1, 10, 30, 2
	cfg.LocalOptions = target.LocalOptions{BurnIn: 2, Kept: 3, Leapfrog: 3}
	run := func(c *sampler.Chain, n int) []float64 {
		t.Helper()
		for range n {
			if err := c.Step(); err != nil {
				t.Fatal(err)
			}
		}
		out := make([]float64, m.OutputLen())
		c.Constrain(out)
		return out
	}
	c, err := sampler.NewChain(m, cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := run(c, 39)
	c, err = sampler.NewChain(m, cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	run(c, 21) // in the middle of two steps on one minibatch
	state, err := c.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if c, err = sampler.ResumeChain(m, cfg, 0, state); err != nil {
		t.Fatal(err)
	}
	if got := run(c, 18); !slices.Equal(got, want) {
		t.Errorf("resumed: %v\nin one go: %v", got[:4], want[:4])
	}
}

// TestUnusedLocals: a local that nothing depends on needs no chain.
func TestUnusedLocals(t *testing.T) {
	c, diags := driver.Compile(source.New("m.sg", `dim N
data y[N] : real
param mu : real ~ normal(0, 1)
for n in N {
  local a[3] : bool by gibbs
  y[n] ~ normal(mu, 0.5)
}
`), driver.Options{Sampled: true})
	if c == nil {
		t.Fatal(diags)
	}
	if c.Spec.Chain != nil {
		t.Errorf("there is a chain %+v", c.Spec.Chain)
	}
}

// TestNoValues: data that leave a local no value are refused when they are bound.
func TestNoValues(t *testing.T) {
	for name, local := range map[string]string{
		"index of size K = 0":   "local z : index[K] by gibbs\n y[n] ~ normal(m[z], 1)",
		"simplex of size K = 0": "local z : simplex[K] by gmc\n y[n] ~ normal(m @ z, 1)",
	} {
		c, diags := driver.Compile(source.New("m.sg",
			"dim N, K\ndata y[N] : real\nparam m[K] : real ~ normal(0, 1)\nfor n in N {\n "+local+
				"\n}\n"), driver.Options{Sampled: true})
		if c == nil {
			t.Fatal(diags)
		}
		bound, _, errs := data.Validate(&c.Spec.Schema,
			map[string]*data.Value{"y": data.Dense([]float64{0.3}, 1)}, map[string]int{"K": 0},
			data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		if _, err := c.VM(bound, nil); err == nil ||
			!strings.Contains(err.Error(), name+" has no value: the local z") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
