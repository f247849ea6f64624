package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/exchange"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A replicas is the hotter replicas of a chain, which swap states with each other and with the
// chain. Slot 0 has independent draws of the reference law; slots 1 to K − 2 have chains of their
// own; the last slot is the chain itself. Steps and metrics stay with a slot, and states move.
type replicas struct {
	q      *exchange.Reference
	ladder *exchange.Ladder
	hot    []*Chain // of slots 1 … K − 2
	at     []*exchange.Tempered
	x      []float64 // the state of slot 0
	grad   []float64
	ratios []float64 // log p − log q of the state of each slot
	// label has the number of the replica whose state each slot has, and stage what a replica has
	// seen, by number. trips counts the journeys from the posterior to the reference law and back.
	label, stage []int64
	trips        int64
	swap, draw   rng.Stream
	source       rng.Source // of a draw of the reference law
	noisy        noisyRatios
}

// Stages of a replica.
const (
	neverCold = iota
	wasCold   // the posterior was the last end that it saw
	wasHot    // the reference law was, and before it the posterior
)

const (
	referencePoints = 100 // starting points by which the reference law is set
	referenceDraws  = 100 // draws of the reference law by which the ladder is begun
	firstRound      = 64  // part of the warm-up after which the ladder is placed for the first time
	shortestRound   = 10  // states by which a ladder is placed
	replicaNumber   = 1 << 20
)

// newReplicas makes the hotter replicas of a chain, without their starts; nil without any.
func newReplicas(c *Chain, spaces []manifold.Factor) (*replicas, error) {
	k := c.cfg.Replicas
	if _, hot := c.target.(*exchange.Tempered); hot || k == 0 {
		return nil, nil
	}
	dim := c.target.Dim()
	r := &replicas{q: exchange.NewReference(spaces, dim), ladder: exchange.NewLadder(k),
		x: make([]float64, dim), grad: make([]float64, dim), ratios: make([]float64, k),
		label: make([]int64, k), stage: make([]int64, k), swap: c.stream(purposeSwap),
		draw: c.stream(purposeReference)}
	for i := range r.label {
		r.label[i] = int64(i)
	}
	if !c.row.Metropolis {
		r.noisy = newNoisyRatios(k, c.cfg.Batch, c.stream(purposeSwapRows))
	}
	for i := 1; i < k-1; i++ {
		t := exchange.NewTempered(c.target, c.eval, r.q)
		hot, err := newChain(t, c.cfg, c.number+i*replicaNumber)
		if err != nil {
			return nil, err
		}
		r.hot, r.at = append(r.hot, hot), append(r.at, t)
	}
	return r, nil
}

// start sets the reference law, the first ladder and the starts of the replicas.
func (r *replicas) start(c *Chain) error {
	at, spaces := c.startsFrom()
	var points [][]float64
	var failed error
	for k := range referencePoints {
		x := make([]float64, len(r.x))
		if err := at.Place(spaces, c.eval, k, x, r.grad); err != nil {
			failed = err
			continue
		}
		points = append(points, x)
	}
	if len(points) == 0 {
		return failed
	}
	r.q.Fit(points)
	ratios, finite := make([]float64, referenceDraws), false
	for k := range ratios {
		ratios[k] = r.fresh(c, -int64(k)-1)
		finite = finite || special.Finite(ratios[k])
	}
	if !finite {
		return &start.Error{Chain: c.number, Problem: "the log density, or its gradient, is not " +
			"finite at any draw of the reference law of replica exchange",
			Try: setting.Text("a smaller {init}")}
	}
	r.ladder.Begin(ratios)
	for i, h := range r.hot {
		r.at[i].Beta = r.ladder.Betas[i+1]
		if err := h.start(); err != nil {
			return err
		}
		h.number = c.number // that of messages
	}
	return nil
}

// fresh draws the state of slot 0, and returns its ratio; −∞ of a state that no other slot could
// go on from.
func (r *replicas) fresh(c *Chain, step int64) float64 {
	r.source = r.draw.At(uint64(step))
	r.q.Draw(&r.source, r.x)
	f := c.eval.LogDensityGradient(r.x, nil, 1, 1, r.grad)
	if !special.Finite(f) || special.FirstNonFinite(r.grad) >= 0 {
		return math.Inf(-1)
	}
	return f - r.q.Log(r.x)
}

// exchange moves the hotter replicas by a step, swaps states, and learns the ladder in the warm-up.
// It follows each step of the chain.
func (c *Chain) exchange() error {
	r, last := c.replicas, len(c.replicas.ratios)-1
	warm := c.step <= c.cfg.Warmup
	if !c.row.Metropolis {
		if err := r.advance(c); err != nil {
			return err
		}
		if c.step%exchangeEvery != 0 {
			if warm {
				r.learn(c)
			}
			return nil
		}
		r.estimate(c)
	} else if err := r.iterate(c); err != nil {
		return err
	}
	r.leave(0)
	noise, rows := r.noisy.variance, len(r.noisy.rows)
	r.ladder.See(r.ratios, noise, rows, warm)
	src := r.swap.At(uint64(c.step))
	cold := r.label[last]
	for i := range last {
		u := src.Float64() // drawn of all pairs, so that it does not depend on the swaps
		if int64(i)%2 == r.turn(c)%2 && u < r.ladder.Accept(i, r.ratios, noise, rows) {
			r.swapped(c, i)
		}
	}
	r.arrive(r.label[last], !warm)
	r.leave(0)
	if cold != r.label[last] && c.hmc != nil {
		if finite, err := c.hmc.Prime(c.step); !finite || err != nil {
			return c.diverged(c.stepSize())
		}
	}
	if warm {
		r.learn(c)
	}
	return nil
}

// iterate moves the hotter replicas of a chain with a Metropolis test, and computes the ratios.
func (r *replicas) iterate(c *Chain) error {
	r.ratios[0] = r.fresh(c, c.step)
	for i, h := range r.hot {
		if err := h.iterate(); err != nil {
			return err
		}
		h.step++
		f, _ := h.hmc.Density()
		r.ratios[i+1] = r.at[i].Ratio(f, h.state.X)
	}
	f, _ := c.hmc.Density()
	r.ratios[len(r.ratios)-1] = f - r.q.Log(c.state.X)
	return nil
}

// turn counts the exchanges.
func (r *replicas) turn(c *Chain) int64 {
	if c.row.Metropolis {
		return c.step
	}
	return c.step / exchangeEvery
}

// swapped exchanges the states of slots i and i + 1.
func (r *replicas) swapped(c *Chain, i int) {
	a, b := r.state(c, i), r.state(c, i+1)
	for k, v := range a {
		a[k], b[k] = b[k], v
	}
	r.ratios[i], r.ratios[i+1] = r.ratios[i+1], r.ratios[i]
	r.label[i], r.label[i+1] = r.label[i+1], r.label[i]
	if c.hmc == nil {
		return
	}
	if h := r.slot(c, i); h != nil {
		h.hmc.Forget()
	}
	r.slot(c, i+1).hmc.Forget()
}

// slot returns the chain of a slot; nil of slot 0.
func (r *replicas) slot(c *Chain, i int) *Chain {
	switch i {
	case 0:
		return nil
	case len(r.ratios) - 1:
		return c
	}
	return r.hot[i-1]
}

// state returns the state of a slot.
func (r *replicas) state(c *Chain, i int) []float64 {
	if h := r.slot(c, i); h != nil {
		return h.state.X
	}
	return r.x
}

// arrive marks that a replica is at the posterior.
func (r *replicas) arrive(label int64, counts bool) {
	if r.stage[label] == wasHot && counts {
		r.trips++
	}
	r.stage[label] = wasCold
}

// leave marks that the replica of a slot is at the reference law.
func (r *replicas) leave(slot int) {
	if p := &r.stage[r.label[slot]]; *p == wasCold {
		*p = wasHot
	}
}

// learn places the temperatures at the ends of rounds, each as long as all before it, up to the
// middle of the warm-up.
func (r *replicas) learn(c *Chain) {
	switch {
	case c.step == c.cfg.Warmup:
		r.ladder.Settle()
		return
	case !roundEnds(c.step, c.cfg.Warmup):
		return
	}
	r.ladder.Refit()
	for i, t := range r.at {
		t.Beta = r.ladder.Betas[i+1]
		if c.hmc != nil {
			r.hot[i].hmc.Forget()
		}
	}
}

// roundEnds reports whether a round of the warm-up ends with a step.
func roundEnds(step, warmup int64) bool {
	for end := warmup / 2; end >= max(warmup/firstRound, shortestRound); end /= 2 {
		if step == end {
			return true
		}
	}
	return false
}

// walk reads or writes the replicas, for a checkpoint.
func (r *replicas) walk(d *loop.Codec) {
	r.q.Walk(d)
	r.ladder.Walk(d)
	d.Int(&r.trips)
	for i := range r.label {
		d.Int(&r.label[i])
		d.Int(&r.stage[i])
	}
	for i, h := range r.hot {
		if h.hmc == nil {
			h.walk(d)
			if d.Reading() {
				r.at[i].Beta = r.ladder.Betas[i+1]
				h.restored()
			}
			continue
		}
		d.Count(&h.step)
		d.Floats(h.state.X)
		if a := h.adaptation(); a != nil {
			a.Walk(d)
		}
		if d.Reading() {
			r.at[i].Beta = r.ladder.Betas[i+1]
			h.hmc.Forget()
		}
	}
}
