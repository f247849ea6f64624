package latent_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// watchedChain is a short run of a model with data y[40] and latent values of rows.
func watchedChain(t *testing.T, text string, o target.LocalOptions, steps int) *sampler.Chain {
	t.Helper()
	c, diags := driver.Compile(source.New("m.sg", text), driver.Options{Sampled: true})
	if c == nil {
		t.Fatal(diags)
	}
	y := make([]float64, 40)
	for i := range y {
		y[i] = float64(i%5) - 2
	}
	m, err := c.VM(&data.Bound{Dims: map[string]int{"N": 40},
		Values: map[string]*data.Value{"y": data.Dense(y, 40)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Step, cfg.Friction, cfg.Batch = "msgnht", 0.01, 1, 20
	cfg.Warmup, cfg.Draws, cfg.Chains, cfg.Seed, cfg.LocalOptions = 0, int64(steps), 1, 3, o
	ch, err := sampler.NewChain(m, cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := ch.Advance(int64(steps)); err != nil {
		t.Fatal(err)
	}
	return ch
}

// local finds a statistic of a latent value.
func local(t *testing.T, rows []sampler.HealthRow, block, statistic string) sampler.HealthRow {
	t.Helper()
	i := slices.IndexFunc(rows,
		func(r sampler.HealthRow) bool { return r.Block == block && r.Statistic == statistic })
	if i < 0 {
		t.Fatalf("no %s of %s among %v", statistic, block, rows)
	}
	return rows[i]
}

const coupledBits = `
dim N
data y[N] : real
data j : real = %g
param mu : real ~ normal(0, 1)
for n in N {
  local a, b : bool ~ bernoulli(0.5) by gibbs
  factor j * (if a then (if b then 1 else 0) else (if b then 0 else 1))
  y[n] ~ normal(mu, 1)
}`

// TestWatchedBits: of two bits that agree with probability p = 1/(1 + e^−j) given
// one another, a sweep keeps the correlation ρ = (2p − 1)²; so their
// autocorrelation time is (1 + ρ)/(1 − ρ), and a visit has as many fewer draws.
func TestWatchedBits(t *testing.T) {
	for _, j := range []float64{0.5, 2.5} {
		p := 1 / (1 + math.Exp(-j))
		rho := (2*p - 1) * (2*p - 1)
		time := (1 + rho) / (1 - rho)
		ch := watchedChain(t, fmt.Sprintf(coupledBits, j), target.LocalOptions{BurnIn: 4, Kept: 40}, 400)
		rows := sampler.Health(ch)
		for _, name := range []string{"a", "b"} {
			tau, ess := local(t, rows, name, "local_autocorrelation"),
				local(t, rows, name, "local_ess")
			if math.Abs(tau.Value-time) > 4*tau.MCSE || !(tau.MCSE < 0.3*time) ||
				math.Abs(ess.Value*time/40-1) > 0.2 {
				t.Errorf("j %g, %s: autocorrelation %.2f ± %.2f, %.2f draws of 40, want %.2f and %.2f", j, name,
					tau.Value, tau.MCSE, ess.Value, time, 40/time)
			}
			if want := map[bool]string{true: "ok", false: "off"}[time <= 5]; tau.Verdict != want {
				t.Errorf("j %g: %s is %s, want %s", j, name, tau.Verdict, want)
			}
		}
		says := strings.Join(health.Advice(rows, ch.Config()), "\n")
		if strings.Contains(says, "BurnIn") != (time > 5) {
			t.Errorf("j %g: %s", j, says)
		}
	}
}

// TestWatchedReals: a normal local has the acceptance that steps are tuned to,
// and draws that are nearly independent; watching changes no draw, and threads
// change nothing.
func TestWatchedReals(t *testing.T) {
	const text = `
dim N
data y[N] : real
param mu : real ~ normal(0, 1)
for n in N {
  local u[3] : real ~ normal(mu, 1) by gmc
  y[n] ~ normal(sum(u), 1)
}`
	var says []string
	for _, threads := range []int{1, 3} {
		o := target.LocalOptions{BurnIn: 10, Kept: 10, Leapfrog: 5, Threads: threads}
		ch := watchedChain(t, text, o, 100)
		rows := sampler.Health(ch)
		if a := local(t, rows, "u", "local_acceptance"); math.Abs(a.Value-0.8) > 0.1 ||
			a.Verdict != "ok" {
			t.Errorf("acceptance %v", a)
		}
		if s := local(t, rows, "u", "local_step"); !(s.Value > 0.05 && s.Value < 2) {
			t.Errorf("step %v", s)
		}
		if e, m := local(t, rows, "u", "local_ess"),
			local(t, rows, "u", "local_ess_min"); !(m.Value > 2 && m.Value <= e.Value &&
			e.Value <= 10) {
			t.Errorf("effective sample sizes %v, %v", e, m)
		}
		other := watchedChain(t, text, o, 100)
		for _, c := range []*sampler.Chain{ch, other} {
			if err := c.Advance(20); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(ch.Position(), other.Position()) {
			t.Error("a chain that was watched goes on otherwise")
		}
		says = append(says, fmt.Sprint(rows))
	}
	if says[0] != says[1] {
		t.Errorf("threads change what is seen:\n%s\n%s", says[0], says[1])
	}
}

// TestWatchedWords: what pads ragged rows is not watched.
func TestWatchedWords(t *testing.T) {
	c, diags := driver.Compile(source.New("m.sg", `
dim D, W(D), V = 3, K = 2
data w[D, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
for d in D {
  for i in W {
    local z : index[K] ~ categorical([0.5 for k in K]) by gibbs
    w[d, i] ~ categorical_logit(eta[z])
  }
}`), driver.Options{})
	if c == nil {
		t.Fatal(diags[0])
	}
	lengths := [][]int{{2}, {40, 3}}
	bound, _, errs := data.Validate(&c.Spec.Schema,
		map[string]*data.Value{"w": data.Ragged(make([]float64, 43), lengths)}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := m.Evaluator(2)
	e.Locals(target.LocalOptions{}, 1, 0)
	for r, row := range e.Watch(make([]float64, m.Dim()), []int{0, 1}, 2, 10)[0].Rows {
		if want := []int{40, 3}[r]; len(row) != want {
			t.Errorf("row %d: %d entries are watched of %d", r, len(row), want)
		}
	}
}
