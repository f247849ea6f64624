package scheme

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/flow"
	"github.com/sgppl/sgppl/runtime/rng"
)

// turning is how a program takes its steps with a turn.
type turning struct {
	turn     *flow.Turn
	gradient int       // which step it is
	left     bool      // the last step lacks its tail
	tail     []float64 // times of that
	moment   uint64    // its step
	finite   bool      // the last turn saw a state that is finite
}

// DrawFrom has the program draw the kick's normals itself, from the stream at
// State.Drawing.Moment, zeros where silent; then Step takes its steps. It
// reports false, and changes nothing, where there is no turn for its word and
// state.
func (p *Program) DrawFrom(stream rng.Stream, silent bool) bool {
	s := p.state
	if len(s.Spans) != 1 || !s.Spans[0].Flat || s.Spans[0].Offset != 0 || s.Spans[0].Len != len(s.X) || s.Extra != nil {
		return false
	}
	kinds := make([]flow.Kind, len(p.steps))
	for i, step := range p.steps {
		kinds[i] = step.Flow
	}
	at := slices.Index(kinds, flow.Gradient)
	for i := range flow.Turns {
		t := &flow.Turns[i]
		if t.Grain == s.Spans[0].Grain && slices.Equal(kinds[:at], t.Head) && slices.Equal(kinds[at+1:], t.Tail) {
			p.turning = turning{turn: t, gradient: at, tail: make([]float64, len(t.Tail))}
			s.Drawing = flow.NewDrawing(stream, silent, len(s.X))
			return true
		}
	}
	return false
}

// Step takes one step of size h of a program that draws. With leave, the flows
// after its gradient are left for the next call of Step, where they cost least,
// or of Settle; until then only what the gradient needs is up to date. It
// reports false where the step before was left and its end is not finite: that
// step is then settled, and this one not taken.
func (p *Program) Step(h float64, leave bool) bool {
	s, q := p.state, &p.turning
	for i := range p.steps {
		p.times[i] = float64(p.steps[i].Weight * h)
	}
	head := p.times[:q.gradient]
	if q.left {
		q.left = false
		now := s.Drawing.Moment
		s.Drawing.Moment = q.moment
		good := q.turn.Run(s, &s.Spans[0], q.tail, head)
		s.Drawing.Moment = now
		if !good {
			return false
		}
	} else {
		p.between(0, q.gradient)
	}
	s.Gradient()
	copy(q.tail, p.times[q.gradient+1:])
	q.moment, q.finite = s.Drawing.Moment, false
	switch {
	case !s.Plain():
		s.Drawing.All(s.Noise)
		p.between(q.gradient+1, len(p.steps))
	case len(head) == 0:
		q.finite = q.turn.Run(s, &s.Spans[0], q.tail, nil)
	case leave:
		q.left = true
	default:
		q.turn.Run(s, &s.Spans[0], q.tail, nil)
	}
	s.Primed = true
	return true
}

// Settle brings the state to the end of the last step, and says whether there
// was something left of it.
func (p *Program) Settle() bool {
	q := &p.turning
	if !q.left {
		return false
	}
	q.left = false
	p.state.Drawing.Moment = q.moment
	q.turn.Run(p.state, &p.state.Spans[0], q.tail, nil)
	return true
}

// Left says whether the last step lacks its end.
func (p *Program) Left() bool { return p.turning.left }

// Finite says whether the state is, which the last pass may have seen.
func (p *Program) Finite() bool { return p.turning.finite || p.state.Finite() }

// Forget drops what is left of a step, of a state that is replaced.
func (p *Program) Forget() { p.turning.left, p.turning.finite = false, false }
