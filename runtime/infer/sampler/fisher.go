package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/noise"
)

// A fisher estimates V̂, the covariance of the gradient's noise, by the
// empirical Fisher information of the minibatch:
//
//	V̂ = N²/|S| (1 − |S|/N) Cov(∇ log p(row)),
//
// without the factor in brackets if rows are drawn with replacement. The covariance is estimated
// from the spread between m slices of the minibatch, whose weighted mean is the gradient of the
// step: an estimate costs m − 1 more gradient calls and no more rows. Estimates are averaged,
// equally at first and exponentially later. The average is of N² Cov, so that V̂ is right for
// batches that differ by a row.
//
// For up to 32 coordinates it is the whole matrix. For more it is a diagonal (on a curved block,
// one number per point, the mean over tangent directions) plus the leading directions that exceed
// it; see noise.Shape. The averages by coordinate are always kept.
type fisher struct {
	average []float64 // average of N² Cov by coordinate; nil: V̂ is not estimated
	n       int64     // number of estimates in it
	calls   int64     // gradient calls in addition to one per step
	grad    []float64 // gradient of a slice
	spread  []float64 // N² Cov by this estimate
	scratch []float64 // buffer for one point
	shape   noise.Shape
	err     error // set when a step must be refused
}

const (
	fisherDecay = 0.998 // decay of the average, per estimate
	// fisherSettle is the number of estimates that are made at consecutive steps before they are made
	// at intervals. With 8 slices the average is then accurate to 8 % for each coordinate.
	fisherSettle = 50
)

func newFisher(c *Chain) fisher {
	if !c.cfg.Fisher {
		return fisher{}
	}
	n := len(c.state.X)
	f := fisher{average: make([]float64, n), grad: make([]float64, n), spread: make([]float64, n),
		scratch: make([]float64, n)}
	f.shape = noise.New(c.state)
	c.state.Shaped = true
	return f
}

// estimates reports whether this step makes an estimate.
func (c *Chain) estimates() bool {
	e := &c.fisher
	return len(c.rows) > 1 && (e.n < fisherSettle || c.step%int64(c.cfg.FisherEvery) == 0)
}

// estimate computes the minibatch's gradient as the mean over its slices, and from them a new
// estimate. Slices j of n_j rows give gradients g_j at scale N/n_j; Σ n_j (g_j − ḡ)²/(m − 1) has
// the expectation N² Cov.
func (c *Chain) estimate() {
	s, e := c.state, &c.fisher
	m := min(c.cfg.FisherSlices, len(c.rows))
	if restart := c.cfg.Warmup / 2; c.step == restart && restart >= 2*fisherSettle {
		e.n = 0 // earlier estimates were made far from the posterior
	}
	e.n++
	keep := min(1-1/float64(e.n), fisherDecay)
	add := (1 - keep) / float64(m-1)
	e.shape.Begin(keep)
	clear(e.spread)
	clear(s.Force)
	for j := range m {
		lo, hi := j*len(c.rows)/m, (j+1)*len(c.rows)/m
		n := float64(hi - lo)
		c.eval.Gradient(s.X, c.rows[lo:hi], float64(c.growth.rows)/n, c.cfg.Temperature, e.grad)
		part := n / float64(hi) // the slice's share of the rows so far
		for i, g := range e.grad {
			d := g - s.Force[i]
			e.grad[i] = d
			s.Force[i] += float64(part * d)
		}
		if weight := float64(n * (1 - part)); j > 0 {
			c.addSpread(weight)
			e.shape.Row(s, e.grad, float64(add*weight))
		}
	}
	e.calls += int64(m - 1)
	for i, x := range e.spread {
		e.average[i] = float64(keep*e.average[i]) + float64(add*x)
	}
	e.shape.End(s, e.average)
}

// addSpread adds, for a slice, the weighted squared differences of its gradient from the mean of
// the slices before it.
func (c *Chain) addSpread(weight float64) {
	s, e := c.state, &c.fisher
	for k := range s.Factors {
		f := &s.Factors[k]
		lo, hi := f.Offset, f.Offset+f.Len
		if f.Flat {
			for i, d := range e.grad[lo:hi] {
				e.spread[lo+i] += float64(weight * float64(d*d))
			}
			continue
		}
		m, dim := f.Space.Ambient(), float64(f.Space.Dim())
		for ; lo < hi; lo += m {
			u := e.scratch[:m]
			copy(u, e.grad[lo:lo+m])
			f.Space.Project(s.X[lo:lo+m], u)
			sum := 0.0
			for _, d := range u {
				sum += float64(d * d)
			}
			sum = float64(weight*sum) / dim
			for i := lo; i < lo+m; i++ {
				e.spread[i] += sum
			}
		}
	}
}

// noiseScale returns the factor by which N² Cov becomes V̂ of a minibatch; inverse is 1/|S|.
func (c *Chain) noiseScale(inverse float64) float64 {
	if c.cfg.BatchOrder == string(batch.Replace) {
		return inverse
	}
	return inverse - 1/float64(c.growth.rows)
}

// meanNoiseScale is noiseScale averaged over minibatches of different size.
func (c *Chain) meanNoiseScale() float64 {
	if c.cfg.BatchOrder == string(batch.Replace) {
		return c.noiseScale(1 / float64(c.cfg.Batch))
	}
	return c.noiseScale(c.batches.Cut().Inverse())
}

// correct reduces the noise of the kick by V̂, so that both together have the variance that the
// kick needs. It refuses a V̂ that is larger. In the first half of the warm-up, far from the
// posterior, and before the average has settled, the kick then has no noise instead.
func (c *Chain) correct() {
	s, e := c.state, &c.fisher
	scale, h, have := c.noiseScale(1/float64(len(c.rows))), c.stepSize(),
		2*s.Params.Friction*s.Temperature
	e.shape.Kick(s, s.Noise, have, scale, h)
	if e.n < fisherSettle || c.step < c.cfg.Warmup/2 {
		return
	}
	v, at := e.shape.Largest()
	need := v * scale * h
	if need <= have {
		return
	}
	n := &NoiseError{Chain: c.number, Step: c.step + 1, StepSize: h, Noise: v * scale, Have: have,
		Friction: math.Ceil(need / (2 * s.Temperature) * roomy)}
	n.Block, n.Index = c.blockOf(at)
	e.err = n
}

// roomy is the factor by which the advised friction exceeds the one that the present estimate
// needs, since later estimates may be larger.
const roomy = 1.1

// A NoiseError stops a chain at a step whose kick needs less noise than the gradient has by its
// estimate: 2DT < V̂h.
type NoiseError struct {
	Chain    int
	Block    string
	Index    int   // the coordinate in the block
	Step     int64 // counted from 1
	StepSize float64
	Noise    float64 // V̂
	Have     float64 // 2DT
	Friction float64 // the friction that would be enough
}

func (e *NoiseError) Error() string {
	return setting.Sprintf("chain %d, step %d: {grad-noise} fisher estimates V̂ = %.3g along a "+
		"direction of block %s, most of all its coordinate %d, and the kick's noise 2DT = %.3g "+
		"is less than V̂h = %.3g; try {friction} %g, a larger {batch}, or a smaller {step} "+
		"(below %.2g)",
		e.Chain, e.Step, e.Noise, e.Block, e.Index, e.Have, e.Noise*e.StepSize, e.Friction,
		e.Have/e.Noise)
}

// NoiseEstimate writes the current V̂ by coordinate into out, averaged over minibatches. On a
// curved block, every coordinate of a point has the mean over the point's tangent directions. It
// returns false without --grad-noise fisher.
func (c *Chain) NoiseEstimate(out []float64) bool {
	if c.fisher.average == nil {
		return false
	}
	scale := c.meanNoiseScale()
	for i, x := range c.fisher.average {
		out[i] = float64(x * scale)
	}
	return true
}

// appendFisher appends rows for the estimates, as means over blocks, and for what they cost.
func appendFisher(out []health.Row, chains []*Chain) []health.Row {
	c := chains[0]
	if c.fisher.average == nil {
		return out
	}
	mean := func(get func(*Chain) float64) float64 {
		sum := 0.0
		for _, c := range chains {
			sum += get(c)
		}
		return sum / float64(len(chains))
	}
	for k := range c.state.Factors {
		f := &c.state.Factors[k]
		v := mean(func(c *Chain) float64 { return c.meanNoise(&c.parts[0], f.Offset, f.Len) })
		out = append(out, health.Row{Block: f.Name, Statistic: "noise_estimate", Value: v,
			Expected: math.NaN(), MCSE: math.NaN()})
	}
	calls := mean(func(c *Chain) float64 {
		return float64(c.fisher.calls) / float64(max(c.step, 1))
	})
	return append(out, health.Row{Block: "all", Statistic: "noise_estimate_calls", Value: calls,
		Expected: math.NaN(), MCSE: math.NaN()})
}

// meanNoise returns the variance by which the kick is reduced, averaged over a block of a part.
func (c *Chain) meanNoise(p *part, at, n int) float64 {
	if c.fisher.average == nil {
		return p.cfg.GradNoise
	}
	sum := 0.0
	for _, x := range c.fisher.average[at : at+n] {
		sum += x
	}
	return sum / float64(n) * c.meanNoiseScale()
}
