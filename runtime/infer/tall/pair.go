package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
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
	drawings     [ahead + 1]drawing
	both         *control.Batch // for the coarse step beside fine ones
	fetcher      target.Fetcher // is told which rows come; nil: that gains nothing
	xi, xj, sum  []float64      // random kicks of the fine steps, and of the coarse one
	batches      rng.Stream
	normals      rng.Stream
	steps        int64 // coarse steps taken
	single       bool  // there is no fine chain

	hold  int   // rows of a stream that are read at a time; 0 if all are in memory
	held  int64 // the rows of all steps before this one are in memory
	lists []int // buffers
}

// ahead is how many steps before they are taken the rows of a step are drawn: sparse rows are found
// by their bounds, which have to come to the processor's cache before the rows can.
const ahead = 2

// A drawing is the minibatches of a step: those of the two fine steps, or one where there is no
// fine chain.
type drawing struct {
	step    int64 // -1: of none
	batches []*control.Batch
}

// prepare makes the buffers for minibatches of n drawn rows, and finds out whether to tell the
// evaluator of coming rows.
func (p *pair) prepare(n int) {
	count := 2
	if p.single {
		count = 1
	} else {
		p.both = control.NewBatch(n, p.sizes)
	}
	for i := range p.drawings {
		p.drawings[i].step = -1
		for range count {
			p.drawings[i].batches = append(p.drawings[i].batches, control.NewBatch(n, p.sizes))
		}
	}
	if p.hold == 0 { // else rows change their places
		p.fetcher = control.Ahead(p.est.Eval)
	}
}

// of returns the minibatches of a step. They stay until those of a step more than ahead steps away
// are asked for.
func (p *pair) of(step int64) []*control.Batch {
	d := &p.drawings[step%int64(len(p.drawings))]
	if d.step != step {
		src := p.batches.At(uint64(step))
		for _, b := range d.batches {
			b.Draw(p.sizes, &src)
		}
		d.step = step
	}
	return d.batches
}

// fetch tells the evaluator which rows minibatch k of the next step has, and that of the one after.
func (p *pair) fetch(k int) {
	if p.fetcher != nil {
		next, after := p.of(p.steps + 1)[k], p.of(p.steps + 2)[k]
		p.fetcher.Coming(next.Rows[:next.Drawn], after.Rows[:after.Drawn])
	}
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
	each := 0
	for _, b := range p.drawings[0].batches {
		each += b.Drawn
	}
	until := p.steps + int64(max(p.hold/max(each, 1), 1))
	rows := append(p.lists[:0], p.sizes.Always()...)
	for step := p.steps; step < until; step++ {
		for _, b := range p.of(step) {
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
	if p.single {
		p.normals.Normals(uint64(2*p.steps), p.xi)
		p.fetch(0)
		p.coarse.step(p.kicks[0], p.est, p.of(p.steps)[0], p.xi)
		p.steps++
		return
	}
	batches := p.of(p.steps)
	one, two := batches[0], batches[1]
	p.both.Join(one, two)
	p.normals.Normals(uint64(2*p.steps), p.xi)
	p.normals.Normals(uint64(2*p.steps+1), p.xj)
	c := p.kicks[1].c
	by := 1 / math.Sqrt(1+float64(c*c))
	for i, x := range p.xi {
		p.sum[i] = by * (float64(c*x) + p.xj[i])
	}
	p.fetch(0)
	p.fine.step(p.kicks[1], p.est, one, p.xi)
	p.fetch(1)
	p.fine.step(p.kicks[1], p.est, two, p.xj)
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
