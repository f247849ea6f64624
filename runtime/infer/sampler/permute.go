package sampler

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/exchange"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A permutation exchanges two random entries along a dim in all params, by a Metropolis test that
// follows each step after the warm-up. Labels of a mixture then mix, which no trajectory exchanges
// (Frühwirth-Schnatter 2001, "Markov chain Monte Carlo estimation of classical and dynamic
// switching and mixture models", where labels are permuted without a test).
type permutation struct {
	size   int // of the dim
	params []permuted
	stream rng.Stream
	// out has the params at the state in the model's coordinates, swapped the same after the exchange,
	// back those at the proposed state x. y is swapped as a state.
	out, swapped, back, x, y []float64
	tests, accepted          float64 // the number of tests, and the sum of their probabilities
}

// A permuted is a param with the dim.
type permuted struct {
	at, length int // its place in the state
	out        target.Output
	strides    []int // of its axes along the dim
}

// permutedWithin is the largest difference, relative to 1 plus the size, with which a proposed
// state is what it should be. Values whose exchange leaves their support, such as rising numbers,
// are not.
const permutedWithin = 1e-8

// newPermutation returns the permutation of a chain at the posterior; nil without one.
func newPermutation(c *Chain) *permutation {
	if _, hot := c.target.(*exchange.Tempered); hot || c.cfg.Permute == "" {
		return nil
	}
	n := c.target.OutputLen()
	p := &permutation{stream: c.stream(purposePermute), out: make([]float64, n),
		swapped: make([]float64, n), back: make([]float64, n), x: make([]float64, c.target.Dim()),
		y: make([]float64, c.target.Dim())}
	blocks := c.target.Blocks()
	for _, o := range c.target.Outputs() {
		at := slices.IndexFunc(blocks, func(b target.Block) bool { return b.Name == o.Name })
		if o.Track || at < 0 || !slices.Contains(o.Dims, c.cfg.Permute) {
			continue
		}
		q := permuted{at: blocks[at].Offset, length: blocks[at].Len, out: o}
		stride := 1
		for k := len(o.Shape) - 1; k >= 0; k-- {
			if o.Dims[k] == c.cfg.Permute {
				q.strides, p.size = append(q.strides, stride), o.Shape[k]
			}
			stride *= o.Shape[k]
		}
		p.params = append(p.params, q)
	}
	return p
}

// permute proposes an exchange, and takes it with the probability of Metropolis. The map between
// states keeps volumes in the model's coordinates, so densities are compared in these.
func (c *Chain) permute() error {
	p := c.permutation
	src := p.stream.At(uint64(c.step))
	a := int(src.Float64() * float64(p.size))
	b := int(src.Float64() * float64(p.size-1))
	if b >= a {
		b++
	}
	u := src.Float64()
	p.tests++
	if !p.propose(c.eval, c.state.X, a, b) {
		return nil
	}
	gain := c.eval.LogDensity(p.x, nil, 1, 0) - c.eval.LogDensity(c.state.X, nil, 1, 0)
	if math.IsNaN(gain) {
		return nil
	}
	accept := special.Exp(min(gain, 0))
	p.accepted += accept
	if !(u < accept) {
		return nil
	}
	copy(c.state.X, p.x)
	c.hmc.Forget()
	finite, err := c.hmc.Prime(c.step)
	if !finite && err == nil {
		return c.diverged(c.stepSize())
	}
	return err
}

// propose sets x to a state with entries a and b exchanged, and reports whether there is one.
func (p *permutation) propose(eval target.Evaluator, state []float64, a, b int) bool {
	eval.Constrain(state, p.out)
	copy(p.swapped, p.out)
	for i := range p.params {
		p.params[i].exchange(p.out, p.swapped, p.size, a, b)
	}
	if eval.Unconstrain(p.swapped, p.y) != nil {
		return false
	}
	copy(p.x, state)
	for i := range p.params {
		q := &p.params[i]
		copy(p.x[q.at:q.at+q.length], p.y[q.at:])
	}
	eval.Constrain(p.x, p.back)
	for i := range p.params {
		o := &p.params[i].out
		for k := o.Offset; k < o.Offset+o.Len; k++ {
			want := p.swapped[k]
			if !(math.Abs(p.back[k]-want) <= permutedWithin*(1+math.Abs(want))) {
				return false
			}
		}
	}
	return true
}

// exchange writes the param with entries a and b exchanged along each axis that has the dim.
func (q *permuted) exchange(from, to []float64, size, a, b int) {
	for i := range q.out.Len {
		at := i
		for _, stride := range q.strides {
			switch i / stride % size {
			case a:
				at += (b - a) * stride
			case b:
				at += (a - b) * stride
			}
		}
		to[q.out.Offset+i] = from[q.out.Offset+at]
	}
}

// appendPermutations appends the row of the mean probability of an exchange.
func appendPermutations(out []health.Row, chains []*Chain) []health.Row {
	tests, accepted := 0.0, 0.0
	for _, c := range chains {
		if p := c.permutation; p != nil {
			tests += p.tests
			accepted += p.accepted
		}
	}
	if tests == 0 {
		return out
	}
	return append(out, health.Row{Block: "all", Statistic: "label_exchange",
		Value: accepted / tests, Expected: math.NaN(), MCSE: math.NaN(), Verdict: ""})
}

// walk reads or writes what is counted, for a checkpoint.
func (p *permutation) walk(d *loop.Codec) {
	d.Float(&p.tests)
	d.Float(&p.accepted)
}
