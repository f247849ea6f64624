package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/loop"
	"github.com/sgppl/sgppl/runtime/rng"
)

// The purposes of random streams, beside those of package rng and of package
// sampler. Draws depend on them: append, never renumber.
const (
	purposeBatch rng.Purpose = 1<<17 + iota
	purposeKick
	purposeWindowBatch
	purposeWindowKick
	purposeNoise
	purposeProbe
	purposeCurvature
	purposePilot
	purposePilotRows
	purposeHessian
	purposeStart
	purposeProjection
	purposeRivals
	purposeNear
	purposeJumps
)

// A pair is two chains: a coarse one, whose states are the draws, and a fine
// one of half the step and half the noise. The coarse step takes half of the rows of
// each of the fine steps' minibatches, and the random kick that both of theirs
// make together; see §Report in docs/tall-data.md.
type pair struct {
	number       int
	coarse, fine *walker
	kicks        [2]*kick // of the coarse and of the fine chain
	est          *estimator
	sizes        *Sizes
	one, two     *Batch    // of the fine steps
	both         *Batch    // of the coarse step
	xi, xj, sum  []float64 // random kicks of the fine steps, and of the coarse one
	batches      rng.Stream
	normals      rng.Stream
	steps        int64 // coarse steps taken
	single       bool  // without the fine chain
}

// step takes a coarse step, and two fine ones.
func (p *pair) step() {
	src := p.batches.At(uint64(p.steps))
	if p.single {
		p.both.draw(p.sizes, &src)
		p.normals.Normals(uint64(2*p.steps), p.xi)
		p.coarse.step(p.kicks[0], p.est, p.both, p.xi)
		p.steps++
		return
	}
	p.one.draw(p.sizes, &src)
	p.two.draw(p.sizes, &src)
	p.both.join(p.one, p.two)
	p.normals.Normals(uint64(2*p.steps), p.xi)
	p.normals.Normals(uint64(2*p.steps+1), p.xj)
	c := p.kicks[1].c
	by := 1 / math.Sqrt(1+c*c)
	for i, x := range p.xi {
		p.sum[i] = by * (float64(c*x) + p.xj[i])
	}
	p.fine.step(p.kicks[1], p.est, p.one, p.xi)
	p.fine.step(p.kicks[1], p.est, p.two, p.xj)
	p.coarse.step(p.kicks[0], p.est, p.both, p.sum)
	p.steps++
}

func (p *pair) walk(d *loop.Codec) {
	p.coarse.walk(d)
	if !p.single {
		p.fine.walk(d)
	}
	d.Int(&p.steps)
}
