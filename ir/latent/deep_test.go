package latent_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir/irtest"

	"github.com/sgppl/sgppl/internal/vm"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// deepFactors is three-layer deep Poisson factor analysis (Gan, Chen, Henao,
// Carlson and Carin 2015, Scalable deep Poisson factor analysis for topic
// modeling, §3), small enough to be enumerated.
const deepFactors = `
dim D, V, K1 = 2, K2 = 2, K3 = 1
data x[D] : bag[V]
param phi[K1] : simplex[V] ~ dirichlet(1.5)
param W1[K1, K2], W2[K2, K3] : real ~ normal(0, 1)
param c1[K1], c2[K2], c3[K3] : real ~ normal(0, 1)
param r[K1] : positive ~ gamma(3, 2)

for d in D {
  local h3[K3] : bool ~ bernoulli_logit(c3)
  local h2[K2] : bool ~ bernoulli_logit(W2 @ h3 + c2)
  local h1[K1] : bool ~ bernoulli_logit(W1 @ h2 + c1)
  local psi[K1] : positive ~ gamma(r, 1)
  x[d] ~ poisson((psi * h1) @ phi)
}
`

// deepBound compiles it and has bags of counts as its data; block, where not 0,
// is how many rows a block of a pass has.
func deepBound(t *testing.T, counts [][]float64, block int) (*driver.Compiled, *data.Bound) {
	t.Helper()
	c, diags := driver.Compile(source.New("deep.sg", deepFactors), driver.Options{Sampled: true})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	bound, _, errs := data.Validate(&c.Spec.Schema, map[string]*data.Value{"x": irtest.Bag(counts)},
		nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	if block > 0 {
		c.Spec.Work = append(c.Spec.Work, size.Const(model.BlockNumbers/block))
	}
	return c, bound
}

func deepModel(t *testing.T, counts [][]float64, block int) *model.Model {
	t.Helper()
	c, bound := deepBound(t, counts, block)
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// deepParams are the params of deepFactors at a state.
type deepParams struct {
	phi            [2][3]float64
	w1             [2][2]float64
	w2, c1, c2, rr [2]float64
	c3             float64
}

func deepParamsAt(t *testing.T, m *model.Model, x []float64) deepParams {
	t.Helper()
	out := make([]float64, m.OutputLen())
	m.Evaluator(1).Constrain(x, out)
	var p deepParams
	next := func(to ...*float64) {
		for _, v := range to {
			*v, out = out[0], out[1:]
		}
	}
	for k := range 2 {
		next(&p.phi[k][0], &p.phi[k][1], &p.phi[k][2])
	}
	next(&p.w1[0][0], &p.w1[0][1], &p.w1[1][0], &p.w1[1][1], &p.w2[0], &p.w2[1], &p.c1[0], &p.c1[1],
		&p.c2[0], &p.c2[1], &p.c3, &p.rr[0], &p.rr[1])
	if len(out) != 0 {
		t.Fatalf("%d numbers are left", len(out))
	}
	return p
}

// given is log p(counts, h1) with the factors integrated out, and the means of
// the factors given both: the counts are parted among the classes in all ways, and
//
//	∫ ψ^n e^(−ψ) Gamma(ψ; r, 1) dψ = Γ(r + n)/Γ(r)·2^−(r + n)
func (p *deepParams) given(counts []float64, h [2]int) (weight float64, psi [2]float64) {
	each := func(n [2]float64, w float64) {
		for k := range 2 {
			if h[k] == 0 {
				continue
			}
			a, _ := math.Lgamma(p.rr[k] + n[k])
			b, _ := math.Lgamma(p.rr[k])
			w *= math.Exp(a - b - (p.rr[k]+n[k])*math.Ln2)
		}
		weight += w
		for k := range 2 {
			mean := p.rr[k]
			if h[k] == 1 {
				mean = (p.rr[k] + n[k]) / 2
			}
			psi[k] += w * mean
		}
	}
	var part func(v int, n [2]float64, w float64)
	part = func(v int, n [2]float64, w float64) {
		if v == len(counts) {
			each(n, w)
			return
		}
		for a := 0.0; a <= counts[v]; a++ {
			b := counts[v] - a
			if a > 0 && h[0] == 0 || b > 0 && h[1] == 0 {
				continue
			}
			q := w * math.Pow(p.phi[0][v], a) * math.Pow(p.phi[1][v],
				b) / (math.Gamma(a+1) * math.Gamma(b+1))
			part(v+1, [2]float64{n[0] + a, n[1] + b}, q)
		}
	}
	part(0, [2]float64{}, 1)
	return weight, psi
}

// posterior is the joint law of the bits of a row, h3, h2 and h1 from the lowest
// bit of its index on, and the means of the factors.
func (p *deepParams) posterior(counts []float64) (bits [32]float64, psi [2]float64) {
	logistic := func(bit int, a float64) float64 {
		if bit == 0 {
			a = -a
		}
		return 1 / (1 + math.Exp(-a))
	}
	total := 0.0
	for s := range bits {
		h3, h2, h1 := s&1, [2]int{s >> 1 & 1, s >> 2 & 1}, [2]int{s >> 3 & 1, s >> 4 & 1}
		q := logistic(h3, p.c3)
		for j := range 2 {
			q *= logistic(h2[j], p.w2[j]*float64(h3)+p.c2[j])
		}
		for k := range 2 {
			q *= logistic(h1[k], p.w1[k][0]*float64(h2[0])+p.w1[k][1]*float64(h2[1])+p.c1[k])
		}
		weight, mean := p.given(counts, h1)
		bits[s] = q * weight
		total += bits[s]
		for k := range 2 {
			psi[k] += q * mean[k]
		}
	}
	for s := range bits {
		bits[s] /= total
	}
	psi[0], psi[1] = psi[0]/total, psi[1]/total
	return bits, psi
}

// TestDeepDraws: the bits of a row's network, all together, and its factors have
// their posterior law, over many chains from starts of their own, whose spread is
// the error of their mean. Factors of a large shape hold bits fast once counts
// are parted, for a class that is on gets many; a count that stands alone goes
// from one class to another through both alone, for which these chains are too
// short where the shape is 12.
func TestDeepDraws(t *testing.T) {
	t.Run("factors of any shape", func(t *testing.T) {
		deepDraws(t, 0, [][]float64{{2, 0, 1}, {0, 0, 0}, {0, 1, 0}, {1, 3, 2}})
	})
	t.Run("factors of shape 12", func(t *testing.T) {
		deepDraws(t, 12, [][]float64{{2, 0, 1}, {0, 0, 0}, {1, 3, 2}})
	})
}

// deepDraws is the test for these counts, with that shape of the factors where it is not 0.
func deepDraws(t *testing.T, shape float64, counts [][]float64) {
	t.Helper()
	m := deepModel(t, counts, 0)
	x := make([]float64, m.Dim())
	for i := range x {
		x[i] = 0.9 * math.Sin(float64(3*i+1))
		if i >= len(x)-2 && shape > 0 { // r stands last
			x[i] = math.Log(shape)
		}
	}
	p := deepParamsAt(t, m, x)
	const starts, draws = 160, 60
	e := m.Evaluator(len(counts))
	e.Locals(target.LocalOptions{BurnIn: 40}, 20151, 0)
	rows := []int{0, 1, 2, 3}[:len(counts)]
	traces := e.Watch(x, rows, starts, draws)
	of := func(name string, row int) [][][]float64 {
		i := slices.IndexFunc(traces, func(l target.LocalTrace) bool { return l.Name == name })
		if i < 0 {
			t.Fatalf("%s is not drawn", name)
		}
		return traces[i].Rows[row]
	}
	for row := range counts {
		bits, psi := p.posterior(counts[row])
		h3, h2, h1, logs := of("h3", row), of("h2", row), of("h1", row), of("psi", row)
		all := append(append(append([][][]float64{}, h3...), h2...), h1...)
		if len(all) != 5 || len(logs) != 2 {
			t.Fatalf("%d bits and %d factors", len(all), len(logs))
		}
		// Of every start, how often each state was, and the means of the factors.
		stat := make([][]float64, 34)
		for s := range stat {
			stat[s] = make([]float64, starts)
		}
		for start := range starts {
			for k := range draws {
				state := 0
				for b, bit := range all {
					state += int(bit[start][k]) << b
				}
				stat[state][start] += 1. / draws
				for j := range 2 {
					stat[32+j][start] += math.Exp(logs[j][start][k]) / draws
				}
			}
		}
		for s, v := range stat {
			want, name := 0.0, "a state"
			if s < 32 {
				want = bits[s]
			} else {
				want, name = psi[s-32], "a factor"
			}
			mean, square := 0.0, 0.0
			for _, a := range v {
				mean += a / starts
			}
			for _, a := range v {
				square += (a - mean) * (a - mean) / (starts - 1)
			}
			// Rare states are seldom seen: no error is below that of counting draws that are
			// independent.
			se := math.Sqrt(max(square, want/draws) / starts)
			if s >= 32 {
				se = math.Sqrt(square / starts)
			}
			if !(math.Abs(mean-want) <= 4*se+1e-12) || s >= 32 && !(se < 0.05*want) {
				t.Errorf("row %d, %s, %d: %.4f ± %.4f, exact %.4f", row, name, s, mean, se, want)
			}
		}
	}
}

// deepCounts are bags of several lengths, some empty.
func deepCounts(n int) [][]float64 {
	out := make([][]float64, n)
	for d := range out {
		out[d] = []float64{float64(d % 3), float64(d * d % 4), float64(d % 5 / 3)}
		if d%4 == 3 {
			out[d] = make([]float64, 3)
		}
	}
	return out
}

// A blockCounter counts the blocks of rows that gradients take.
type blockCounter struct {
	model.Code
	blocks int
}

type countedBlocks struct {
	model.Func
	of *blockCounter
}

func (c *blockCounter) Func(name string, dims map[string]int, capacity int) model.Func {
	f := c.Code.Func(name, dims, capacity)
	if name == "gradient" {
		return &countedBlocks{f, c}
	}
	return f
}

func (f *countedBlocks) Rows(frame *model.Frame)    { f.of.blocks++; f.Func.Rows(frame) }
func (f *countedBlocks) Resize(dims map[string]int) { f.Func.(model.Resizable).Resize(dims) }

// TestDeepBlocks: what is drawn for a row depends neither on the threads nor on
// the blocks that a minibatch is taken in, also at the second of two inner steps,
// which takes the draws of the first; sums over rows differ by rounding alone.
func TestDeepBlocks(t *testing.T) {
	counts, rows := deepCounts(11), []int{3, 0, 10, 7, 5, 1, 4}
	var x []float64
	var code *blockCounter
	run := func(block, threads int) (out [][]float64) {
		c, bound := deepBound(t, counts, block)
		code = &blockCounter{Code: &vm.Code{Spec: c.Spec, Programs: c.Table()}}
		m, err := model.New(c.Spec, code, bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		if x == nil {
			x = make([]float64, m.Dim())
			for i := range x {
				x[i] = 0.5 * math.Cos(float64(2*i))
			}
		}
		e := m.Evaluator(len(rows))
		e.Locals(target.LocalOptions{BurnIn: 3, Kept: 4, Threads: threads}, 9, 1)
		for visit := range 2 {
			e.Visit(uint64(visit), true)
			for inner := range 3 {
				at, g := slices.Clone(x), make([]float64, m.Dim())
				for i := range at {
					at[i] += 0.1 * float64(inner)
				}
				e.Gradient(at, rows, 2, 1, g)
				out = append(out, g)
			}
		}
		return out
	}
	whole := run(0, 1)
	for _, block := range []int{1, 2, 3} {
		cut := run(block, 1)
		if want := 6 * (len(rows) + block - 1) / block; code.blocks < want {
			t.Errorf("%d blocks of %d rows, want %d", code.blocks, block, want)
		}
		for i := range whole {
			irtest.Near(t, "blocks", cut[i], whole[i])
		}
		for _, threads := range []int{2, 5} {
			for i, g := range run(block, threads) {
				if !slices.Equal(g, cut[i]) {
					t.Errorf("%d threads and blocks of %d rows give other bits", threads, block)
				}
			}
		}
	}
	// The draws of a visit are kept: with others the gradient at a state is another.
	if slices.Equal(whole[0], whole[3]) {
		t.Error("two visits have the same draws")
	}
}

// TestDeepResume: a run by blocks of samplers goes on from a checkpoint in the
// middle of its inner steps with the bits of one that was not interrupted, in one
// block of rows and in several.
func TestDeepResume(t *testing.T) {
	for _, block := range []int{0, 2} {
		m := deepModel(t, deepCounts(11), block)
		cfg := sampler.DefaultConfig()
		cfg.Sampler, cfg.Scheme, cfg.Step, cfg.Friction, cfg.Batch = "msgnht", "split", 0.02, 1, 5
		cfg.Chains, cfg.Warmup, cfg.Draws, cfg.InnerSteps = 1, 10, 40, 4
		cfg.LocalOptions = target.LocalOptions{BurnIn: 2, Kept: 3}
		run := func(c *sampler.Chain, n int) []float64 {
			t.Helper()
			for range n {
				if err := c.Step(); err != nil {
					t.Fatal(err)
				}
			}
			return slices.Clone(c.Position())
		}
		chain := func(state []byte) *sampler.Chain {
			t.Helper()
			c, err := sampler.NewChain(m, cfg, 0)
			if state != nil {
				c, err = sampler.ResumeChain(m, cfg, 0, state)
			}
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		want := run(chain(nil), 45)
		for _, at := range []int{20, 21, 23} {
			// between minibatches, and behind one and three steps on one
			c := chain(nil)
			run(c, at)
			state, err := c.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if got := run(chain(state), 45-at); !slices.Equal(got, want) {
				t.Errorf("blocks of %d rows, stopped after %d steps: %v\nin one go: %v", block, at,
					got[:4], want[:4])
			}
		}
	}
}
