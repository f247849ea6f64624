package plan

import "github.com/sgppl/sgppl/runtime/base/team"

// A Turn is some steps of the segment Rows, From to To − 1, that touch sums over rows. Blocks of
// rows may be computed by several functions at the same time, if these do the steps of each Turn in
// the order of the blocks.
type Turn struct{ From, To int }

// Turns returns the turns of the program, in order. ok is false if blocks must be computed by one
// function, one after another: an output of the program is itself a sum over rows.
func (p *Program) Turns() (turns []Turn, ok bool) {
	for _, b := range p.Buffers {
		if b.sum() && b.memory().Where != Temp {
			return nil, false
		}
	}
	for at, s := range p.Steps[Rows] {
		sums := false
		s.each(func(b *Buffer) { sums = sums || b.sum() })
		switch n := len(turns); {
		case !sums:
		case n > 0 && (turns[n-1].To == at || n == team.MostTurns):
			turns[n-1].To = at + 1
		default:
			turns = append(turns, Turn{at, at + 1})
		}
	}
	return turns, len(p.Steps[Rows]) > 0
}

// sum reports whether blocks of rows add to the buffer.
func (b *Buffer) sum() bool { return b.Acc || b.memory().Acc }

// Sums returns the temporaries that blocks of rows add to.
func (p *Program) Sums() []*Buffer {
	var out []*Buffer
	for _, b := range p.Buffers {
		if b.Acc && b.Where == Temp {
			out = append(out, b)
		}
	}
	return out
}
