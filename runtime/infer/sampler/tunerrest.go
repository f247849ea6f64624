package sampler

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// In the first half of a warm-up a chain moves as fast as it can, as a run does that is
// too short to come to the posterior. In its second quarter the tuner looks whether the
// chain has come to rest: whether two halves of that time have the same mean. A posterior
// that this takes so long that the slower steps of a long run would never come there, such
// as that of a network, is better off with the fast ones.

const (
	restLooks       = 32   // states of a half
	restCoordinates = 2048 // that are looked at, at most
	// The squared distance of the means of the halves, over the variance within them: a
	// tenth for halves of ten effective draws, 4 for a random walk, 12 for a straight way.
	restMoving = 1.0
)

// A restWatch compares two halves of a time.
type restWatch struct {
	from, until int64 // steps; none if they are equal
	every       int64
	at          []int // coordinates
	n           [2]int64
	mean        [2][]float64
	within      []float64 // sums of squares about the means of both halves
	ratios      []float64
}

// newRestWatch returns a watch of the second quarter of the steps of a tuner.
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

// on reports whether there is something to watch.
func (w *restWatch) on() bool { return w.until > w.from }

// see looks at the position after a step.
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

// moving reports whether coordinates had not come to rest: by the median over those that
// moved at all.
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

// rests ends the part of the warm-up in which the parts of a chain hurry. A part goes on
// to do so if it had not come to rest and would, by the steps of a long run, have fewer
// than fewDraws effective draws of what it moves along: by the time that it has needed at
// least, and by how much less far it moves in a step then.
func (t *tuner) rests(c *Chain) {
	for k := range t.parts {
		p := &t.parts[k]
		if !p.hot {
			continue
		}
		reach := func() float64 { // of a step, by a velocity that forgets
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

// flag visits a bool.
func flag(d *loop.Codec, b *bool) {
	x := int64(0)
	if *b {
		x = 1
	}
	d.Int(&x)
	*b = x != 0
}
