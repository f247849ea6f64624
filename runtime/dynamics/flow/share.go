package flow

import (
	"github.com/sgppl/sgppl/runtime/base/team"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// leastJoined is how many coordinates a step join has at least for a team to share it.
const leastJoined = 1 << 15

// A span is the coordinates from to to − 1 of a step join, with its normals.
type span[T float32 | float64] struct {
	from, to int
	drawing  *DrawingOf[T]
}

// A sharing has step joins done by the members of a team, each on its part of the coordinates. What
// happens to a coordinate does not depend on others, so the parts change no bits.
type sharing struct {
	team *team.Team
	pace team.Pace

	wide   []span[float64] // of the members
	narrow []span[float32]
	good   []bool // of the parts: they were finite

	join       *Join // the call at hand
	s          *State
	f          *Factor
	tail, head []float64
}

// Share sets a team that shares long step joins; nil: there is none.
func (s *State) Share(t *team.Team) {
	if s.sharing = nil; t != nil && len(s.X) >= leastJoined {
		s.sharing = &sharing{team: t, good: make([]bool, t.Size())}
	}
}

// begin reports whether the next call is shared.
func (h *sharing) begin(s *State) bool { return h != nil && h.pace.Begin(h.team) }

// end follows a call.
func (h *sharing) end(s *State) {
	if h != nil {
		h.pace.End(float64(len(s.X)))
	}
}

// run is Join.Run.
func (h *sharing) run(t *Join, s *State, f *Factor, tail, head []float64) bool {
	if s.Single != nil {
		h.narrow = spans(h.narrow, &s.Single.Drawing, len(s.X), h.team.Size())
	} else {
		h.wide = spans(h.wide, &s.Drawing, len(s.X), h.team.Size())
	}
	h.join, h.s, h.f, h.tail, h.head = t, s, f, tail, head
	h.team.Run(h)
	for _, good := range h.good {
		if !good {
			return false
		}
	}
	return true
}

// Do implements team.Job.
func (h *sharing) Do(member int) {
	if q := h.s.Single; q != nil {
		h.good[member] = h.join.run32(q, &h.narrow[member], h.tail, h.head)
	} else {
		h.good[member] = h.join.run(h.s, h.f, &h.wide[member], h.tail, h.head)
	}
}

// spans returns the parts of n coordinates, which it makes at its first call. The parts draw at the
// moment of d.
func spans[T float32 | float64](old []span[T], d *DrawingOf[T], n, members int) []span[T] {
	if old == nil {
		pieces := (n + drawPiece - 1) / drawPiece
		for i := range members {
			r := span[T]{i * pieces / members * drawPiece,
				min((i+1)*pieces/members*drawPiece, n), d}
			if i > 0 {
				part := NewDrawing[T](d.Stream, d.Silent, n)
				part.jump = rng.NewJump[T](r.from)
				r.drawing = &part
			}
			old = append(old, r)
		}
	}
	for i := range old {
		old[i].drawing.Stream, old[i].drawing.Moment = d.Stream, d.Moment
	}
	return old
}
