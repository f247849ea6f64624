package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// The purposes of random streams, in addition to those of package rng and of package sampler. Draws
// depend on them: append, never renumber.
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
	purposeMissed
)

// A pair is two chains: a coarse chain, whose states are the draws, and a fine one with half the
// step and half the noise. The coarse step uses half of the rows of each of the two fine steps'
// minibatches, and the sum of their random kicks; see §Report in docs/tall-data.md.
type pair struct {
	number       int
	coarse, fine *walker
	kicks        [2]*kick // of the coarse and of the fine chain
	est          *control.Estimator
	sizes        *pick.Sizes
	one, two     *control.Batch // for the two fine steps
	both         *control.Batch // for the coarse step
	xi, xj, sum  []float64      // random kicks of the fine steps, and of the coarse one
	batches      rng.Stream
	normals      rng.Stream
	steps        int64 // coarse steps taken
	single       bool  // there is no fine chain

	hold  int   // rows of a stream that are read at a time; 0 if all are in memory
	held  int64 // the rows of all steps before this one are in memory
	lists []int // buffers
}

// unread reports whether the rows of the next step are not in memory.
func (p *pair) unread() bool { return p.hold > 0 && p.steps >= p.held }

// read reads the rows of the next steps into memory, unless they are there. The rows of a step
// depend only on its number, so draws do not depend on when rows are read. also, which may be nil,
// appends the further rows that are needed between two steps.
func (p *pair) read(also func(from, to int64, rows []int) []int) error {
	if !p.unread() {
		return nil
	}
	batches := []*control.Batch{p.one, p.two}
	if p.single {
		batches = []*control.Batch{p.both}
	}
	each := len(batches) * batches[0].Drawn
	until := p.steps + int64(max(p.hold/max(each, 1), 1))
	rows := append(p.lists[:0], p.sizes.Always()...)
	for step := p.steps; step < until; step++ {
		src := p.batches.At(uint64(step))
		for _, b := range batches {
			b.Draw(p.sizes, &src)
			rows = append(rows, b.Rows[:b.Drawn]...)
		}
	}
	if also != nil {
		rows = also(p.steps, until, rows)
	}
	p.lists = rows
	if err := pick.Hold(p.est.Eval, rows); err != nil {
		return err
	}
	p.held = until
	return nil
}

// step takes one coarse step and two fine steps.
func (p *pair) step() {
	src := p.batches.At(uint64(p.steps))
	if p.single {
		p.both.Draw(p.sizes, &src)
		p.normals.Normals(uint64(2*p.steps), p.xi)
		p.coarse.step(p.kicks[0], p.est, p.both, p.xi)
		p.steps++
		return
	}
	p.one.Draw(p.sizes, &src)
	p.two.Draw(p.sizes, &src)
	p.both.Join(p.one, p.two)
	p.normals.Normals(uint64(2*p.steps), p.xi)
	p.normals.Normals(uint64(2*p.steps+1), p.xj)
	c := p.kicks[1].c
	by := 1 / math.Sqrt(1+float64(c*c))
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
