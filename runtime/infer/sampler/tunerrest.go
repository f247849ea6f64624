package sampler

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// In the first half of a warm-up a chain takes the largest steps that it can, like a run that is
// too short to reach the posterior. In its second quarter the tuner tests whether the chain has
// settled: whether two halves of that time have the same mean. For some posteriors, such as those
// of networks, settling takes so long that the smaller steps of a long run would never get there;
// for these the large steps are kept.

const (
	restLooks       = 32   // states in each half
	restCoordinates = 2048 // most coordinates that are observed
	// The squared distance of the means of the halves, over the variance within them: a
	// tenth for halves of ten effective draws, 4 for a random walk, 12 for a straight way.
	restMoving = 1.0
)

// A restWatch compares the states of two halves of a time.
type restWatch struct {
	from, until int64 // steps; equal if there is nothing to observe
	every       int64
	at          []int // the observed coordinates
	n           [2]int64
	mean        [2][]float64
	within      []float64 // sums of squares about the means of both halves
	ratios      []float64
}

// newRestWatch returns a watch over the second quarter of the tuner's steps.
func newRestWatch(from, until int64, dim int) restWatch {
	w := restWatch{from: from + (until-from)/4, until: from + (until-from)/2}
	if w.until-w.from < 2*restLooks {
		w.until = w.from
		return w
	}
	w.every = (w.until - w.from) / (2 * restLooks)
	n := min(dim, restCoordinates)
	for k := range n {
		w.at = append(w.at, k*dim/n)
	}
	w.mean[0], w.mean[1], w.within, w.ratios = make([]float64, n), make([]float64, n),
		make([]float64, n), make([]float64, n)
	return w
}

// on reports whether there are steps to observe.
func (w *restWatch) on() bool { return w.until > w.from }

// see observes the position after a step.
func (w *restWatch) see(step int64, x []float64) {
	if step < w.from || step >= w.until || (step-w.from)%w.every != 0 {
		return
	}
	half := 0
	if 2*(step-w.from) >= w.until-w.from {
		half = 1
	}
	w.n[half]++
	mean := w.mean[half]
	for k, i := range w.at {
		d := x[i] - mean[k]
		mean[k] += d / float64(w.n[half])
		w.within[k] += float64(d * (x[i] - mean[k]))
	}
}

// moving reports whether coordinates have not settled, by the median over those that moved at all.
func (w *restWatch) moving(in func(coordinate int) bool) bool {
	n := float64(w.n[0] + w.n[1] - 2)
	if n < restLooks {
		return false
	}
	ratios := w.ratios[:0]
	for k, i := range w.at {
		if w.within[k] > 0 && in(i) {
			d := w.mean[1][k] - w.mean[0][k]
			ratios = append(ratios, d*d*n/w.within[k])
		}
	}
	if len(ratios) == 0 {
		return false
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2] > restMoving
}

func (w *restWatch) walk(d *loop.Codec) {
	d.Int(&w.n[0])
	d.Int(&w.n[1])
	d.Floats(w.mean[0])
	d.Floats(w.mean[1])
	d.Floats(w.within)
}

// rests ends the part of the warm-up in which a chain takes its largest steps. A part continues
// with them if it has not settled and would, with the steps of a long run, have fewer than fewDraws
// effective draws in the direction of its movement. That is judged by the time that it has needed
// at least, and by how much shorter its steps would be.
func (t *tuner) rests(c *Chain) {
	for k := range t.parts {
		p := &t.parts[k]
		if !p.hot {
			continue
		}
		reach := func() float64 { // distance of a step, for a velocity that is soon forgotten
			h, friction := p.rule(&c.parts[k].cfg)
			if of := c.parts[k].row; of.Thermostat() {
				friction += p.inner * p.trace / p.dim * h / (2 * c.parts[k].cfg.Temperature)
			}
			return h / max(friction, 1/(p.steps*h))
		}
		fast := reach()
		p.hot = false
		slow, bound := reach(), p.bound
		moving := t.rest.moving(func(i int) bool {
			for _, b := range p.blocks {
				if f := &c.state.Factors[b]; i >= f.Offset && i < f.Offset+f.Len {
					return true
				}
			}
			return false
		})
		half := float64(t.rest.until-t.rest.from) / 2
		p.draws = p.steps * slow / (half * fast)
		p.moving = moving && p.draws < fewDraws
		p.bound = bound
	}
}

// flag reads or writes a bool of a checkpoint.
func flag(d *loop.Codec, b *bool) {
	x := int64(0)
	if *b {
		x = 1
	}
	d.Int(&x)
	*b = x != 0
}
