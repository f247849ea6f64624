package scheme

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// joining is how a program takes its steps with a step join.
type joining struct {
	join     *flow.Join // nil in single precision where there is none
	gradient int        // which step it is
	left     bool       // the last step lacks its tail
	tail     []float64  // times of that
	moment   uint64     // its step
	finite   bool       // the last step join saw a state that is finite
	unseen   bool       // the state in single precision is not published
	kinds    []flow.Kind
}

// DrawFrom has the program draw the kick's normals itself, from the stream at State.Drawing.Moment,
// zeros where silent; then Step takes its steps. It reports false, and changes nothing, if its word
// and state have no step join.
func (p *Program) DrawFrom(stream rng.Stream, silent bool) bool {
	s := p.state
	if len(s.Spans) != 1 || !s.Spans[0].Flat || s.Spans[0].Offset != 0 ||
		s.Spans[0].Len != len(s.X) || s.Extra != nil {
		return false
	}
	q, ok := p.joins()
	if !ok {
		return false
	}
	p.joining = q
	s.Drawing = flow.NewDrawing[float64](stream, silent, len(s.X))
	return true
}

// BeSingle is DrawFrom with the state in single precision, where no step join is
// needed. Whoever changes the state between steps calls Forget.
func (p *Program) BeSingle(stream rng.Stream, silent bool) bool {
	if !p.state.BeSingle(p.kinds(), stream, silent) {
		return false
	}
	p.joining, _ = p.joins()
	return true
}

func (p *Program) kinds() []flow.Kind {
	kinds := make([]flow.Kind, len(p.steps))
	for i, step := range p.steps {
		kinds[i] = step.Flow
	}
	return kinds
}

// joins finds the step join of the program's word.
func (p *Program) joins() (joining, bool) {
	kinds := p.kinds()
	at := slices.Index(kinds, flow.Gradient)
	for i := range flow.Joins {
		t := &flow.Joins[i]
		if t.Grain == p.state.Spans[0].Grain && slices.Equal(kinds[:at], t.Head) &&
			slices.Equal(kinds[at+1:], t.Tail) {
			return joining{join: t, gradient: at, kinds: kinds, tail: make([]float64, len(t.Tail))},
				true
		}
	}
	return joining{gradient: at, kinds: kinds, tail: make([]float64, len(kinds)-at-1)}, false
}

// Step takes one step of size h of a program that draws. With leave, the flows
// after its gradient are left for the next call of Step, where they cost least,
// or of Settle; until then only what the gradient needs is up to date, and of a
// state in single precision nothing. It
// reports false where the step before was left and its end is not finite: that
// step is then settled, and this one not taken.
func (p *Program) Step(h float64, leave bool) bool {
	s, q := p.state, &p.joining
	p.aim(h)
	head, moment := p.times[:q.gradient], s.Drawing.Moment
	if s.Single != nil {
		s.Single.Take()
	}
	if q.left {
		q.left = false
		good := p.join(q.moment, head)
		s.Drawing.Moment = moment
		if !good {
			p.Publish()
			return false
		}
	} else {
		p.between(0, q.gradient)
	}
	s.Gradient()
	copy(q.tail, p.times[q.gradient+1:])
	q.moment, q.finite, q.unseen = moment, false, s.Single != nil
	switch {
	case q.join == nil || !s.Plain():
		p.draw()
		p.between(q.gradient+1, len(p.steps))
	case len(head) == 0:
		q.finite = p.join(q.moment, nil)
	case leave:
		q.left = true
	default:
		p.join(q.moment, nil)
	}
	s.Primed = true
	if !leave {
		p.Publish()
	}
	return true
}

// join runs it with the normals of a step.
func (p *Program) join(moment uint64, head []float64) bool {
	p.at(moment)
	return p.joining.join.Run(p.state, &p.state.Spans[0], p.joining.tail, head)
}

// at says which step's normals are drawn.
func (p *Program) at(moment uint64) {
	p.state.Drawing.Moment = moment
	if q := p.state.Single; q != nil {
		q.Drawing.Moment = moment
	}
}

// draw has the normals of the step in memory, for flows.
func (p *Program) draw() {
	p.at(p.joining.moment)
	if q := p.state.Single; q != nil {
		q.Draw()
		return
	}
	p.state.Drawing.All(p.state.Noise)
}

// Publish lets the state be seen, of which flows change a twin.
func (p *Program) Publish() {
	if p.joining.unseen {
		p.joining.unseen = false
		p.state.Single.Publish()
	}
}

// Settle completes the last step, whose end a step join has left for the next; it says whether
// anything was left.
func (p *Program) Settle() bool {
	q := &p.joining
	left := q.left
	if left {
		q.left = false
		p.join(q.moment, nil)
	}
	p.Publish()
	return left
}

// Left reports whether the last step lacks its end.
func (p *Program) Left() bool { return p.joining.left }

// Finite reports whether the state is, which the last pass may have seen.
func (p *Program) Finite() bool { return p.joining.finite || p.state.Finite() }

// Forget drops the unfinished part of a step. It is called when the state is replaced.
func (p *Program) Forget() {
	p.joining.left, p.joining.finite, p.joining.unseen = false, false, false
	if q := p.state.Single; q != nil {
		q.Drop()
	}
}
