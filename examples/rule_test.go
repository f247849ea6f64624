package examples_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// A method is a sampler and a scheme.
type method struct{ sampler, scheme string }

var methods = []method{
	{"sgld", "euler"}, {"psgld", "euler"},
	{"sghmc", "split"}, {"sghmc", "euler"},
	{"sgnht", "split"}, {"sgnht", "euler"},
	{"msgnht", "split"}, {"msgnht", "euler"},
}

// effective is the size of a sample of independent draws with an error of a
// mean of a seventieth of the standard deviation; runs are about so long.
const effective = 5000

// settings chooses step, friction and length for a posterior by these rules,
// with k = 1/σ² a curvature of the potential and V the gradient's variance:
//
//   - split: the variance's bias is h²/4 in every direction, so h = σ/10 of the
//     narrowest coordinate makes it ¼ %;
//   - Euler with friction: h D/2 of it, so h = 1/(50 D) makes that 1 %, and at
//     most σ/50;
//   - SGLD: h/2 in every direction, so h = σ²/50 makes it 1 %, and at most
//     σ²/20 of the stiffest, whose temperature it raises by h k/2; pSGLD the
//     same, with h g for h;
//   - minibatches heat by V h/2 without velocity and by V h/(2D) with a constant
//     friction; a thermostat takes away V where it is the same in all that it
//     covers, and no more is relied on: both stay below 2 %. Batches of half of
//     the rows that are not drawn with replacement come in pairs whose noise
//     cancels, and what is left is of the next order: there V counts a tenth.
//
// The autocorrelation time is 2σ² D of the widest direction, or 2σ if that is
// longer (2σ² for Langevin), times what the posterior's modes make of it.
func (p *posterior) settings(
	t *testing.T, m *model.Model, by method, minibatch bool,
) sampler.Config {
	c := sampler.DefaultConfig()
	c.Sampler, c.Scheme, c.InitRadius = by.sampler, by.scheme, 0.5
	// Of their own for each method: with the same noise, two of them move together.
	c.Seed = uint64(1 + 2*slices.Index(methods, by))
	noise := 0.0
	c.FullBatch = !minibatch
	c.Friction = 1 / p.wide
	if minibatch {
		c.Batch = p.batch
		c.Seed++
		c.Friction = 3 / p.wide
		c.BatchOrder = p.order
		noise = gradientNoise(t, m, p.center, p.batch, p.order == "replace")
	}
	var time float64 // of autocorrelation
	stretch := 1.0   // steps that the preconditioner makes shorter
	switch by.sampler {
	case "sgld", "psgld":
		c.Step = min(p.narrow*p.narrow/50, p.stiff*p.stiff/20)
		if noise > 0 {
			c.Step = min(c.Step, 0.04/noise)
		}
		time = 2 * p.wide * p.wide
		if by.sampler == "psgld" {
			// g = N/√(k + V) at the narrowest, which is 1/h of this per unit of h g.
			rows := math.Max(float64(m.Rows()), 1)
			stretch = math.Sqrt(1 + noise*p.stiff*p.stiff)
			c.Step *= 1 / (p.narrow * rows)
		}
	default:
		c.Step = min(p.narrow/10, 0.3*p.stiff)
		if by.scheme == "euler" {
			c.Step = min(p.narrow/50, 0.02/c.Friction)
		}
		if noise > 0 {
			c.Step = min(c.Step, 0.04*c.Friction/noise)
		}
		time = 2 * max(c.Friction*p.wide*p.wide, p.wide)
	}
	inSteps := c.Step
	if by.sampler == "psgld" {
		inSteps = c.Step * p.narrow * math.Max(float64(m.Rows()), 1)
	}
	steps := effective * time * p.modes * stretch / inSteps
	c.Chains, c.Draws = 4, 5000
	c.Thin = int64(math.Ceil(steps / float64(c.Draws) / float64(c.Chains)))
	c.Warmup = c.Draws * c.Thin / 10
	return c
}

// gradientNoise is the trace of the covariance of the gradient at a point:
// N²/S Cov(∇ log p(row)), and without replacement, by halves, a tenth of it
// times 1 − S/N.
func gradientNoise(
	t *testing.T, m *model.Model, center []float64, batch int, replace bool,
) float64 {
	t.Helper()
	e := m.Evaluator(1)
	x := make([]float64, m.Dim())
	if err := e.Unconstrain(center, x); err != nil {
		t.Fatal(err)
	}
	n, s := float64(m.Rows()), float64(batch)
	prior, g := make([]float64, len(x)), make([]float64, len(x))
	e.Gradient(x, nil, 0, 1, prior)
	sum, square := make([]float64, len(x)), 0.0
	for r := range m.Rows() {
		e.Gradient(x, []int{r}, 1, 1, g)
		for i := range g {
			d := g[i] - prior[i]
			sum[i] += d
			square += d * d
		}
	}
	for _, a := range sum {
		square -= a * a / n
	}
	v := n * n / s * square / (n - 1)
	if !replace {
		v *= 0.1 * (1 - s/n)
	}
	return v
}

// check runs a method on a posterior. Health is for the exact gradients of
// which theory speaks.
func (p *posterior) check(t *testing.T, by method, minibatch bool) {
	m := p.target(t)
	c := p.settings(t, m, by, minibatch)
	d := collect(t, m, c)
	worst := meets(t, d, p.want)
	t.Logf("%s of %s: h = %.3g, D = %.3g, batch %d, %d steps: largest |z| %.2f", by.sampler,
		by.scheme, c.Step, c.Friction, c.Batch, int64(c.Chains)*c.Steps(), worst)
	if !minibatch {
		healthy(t, d.Health)
	}
}
