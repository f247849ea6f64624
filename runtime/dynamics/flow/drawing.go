package flow

import (
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A DrawingOf says where the kick's normals come from, for step joins.
type DrawingOf[T float32 | float64] struct {
	Stream rng.Stream
	Moment uint64 // the step
	Silent bool   // the kick's noise has no size: zeros
	pieces [2][]T // the normals at hand, and those to come
	normal rng.SequenceOf[T]
	ahead  rng.AheadOf[T] // for states of one piece
	draws  kernel.DrawsOf[T]
	jump   *rng.Jump // to the first coordinate that is drawn for; nil: that is the first of all
}

// Drawing is that of states in double precision.
type Drawing = DrawingOf[float64]

// drawPiece is how many coordinates a step join takes at a time: its normals stay in
// the first cache. It is whole rounds of generators.
const drawPiece = 1024

// NewDrawing allocates the pieces of n coordinates.
func NewDrawing[T float32 | float64](stream rng.Stream, silent bool, n int) DrawingOf[T] {
	d := DrawingOf[T]{Stream: stream, Silent: silent}
	d.pieces[0] = make([]T, min(n, drawPiece))
	if n > drawPiece {
		d.pieces[1] = make([]T, drawPiece)
	} else {
		d.ahead = rng.NewAhead[T](n)
	}
	return d
}

// All writes the normals of the whole step.
func (d *DrawingOf[T]) All(dst []T) {
	if d.Silent {
		clear(dst)
		return
	}
	d.normal.Begin(d.Stream, d.Moment)
	d.normal.Fill(dst)
}

// each calls pass for every piece of the coordinates from to to − 1 of n, with its normals and,
// where draws is not nil, with where the next may go that it makes on its way.
func (d *DrawingOf[T]) each(
	from, to, n int, pass func(lo, hi int, u []T, draws *kernel.DrawsOf[T]),
) {
	if n <= drawPiece && !d.Silent {
		pass(0, n, d.ahead.At(d.Stream, d.Moment)[:n], nil)
		return
	}
	u, next := d.pieces[0], d.pieces[1]
	if d.Silent {
		clear(u)
		for lo := from; lo < to; lo += drawPiece {
			hi := min(lo+drawPiece, to)
			pass(lo, hi, u[:hi-lo], nil)
		}
		return
	}
	d.normal.Begin(d.Stream, d.Moment)
	if d.jump != nil {
		d.normal.Skip(d.jump)
	}
	d.normal.Fill(u)
	for lo := from; lo < to; lo += drawPiece {
		hi := min(lo+drawPiece, to)
		ahead := min(to-hi, drawPiece)
		if ahead == 0 {
			pass(lo, hi, u[:hi-lo], nil)
			return
		}
		d.draws = kernel.DrawsOf[T]{To: next, Lanes: d.normal.Lanes()}
		pass(lo, hi, u, &d.draws)
		if made := d.draws.Made; made < ahead {
			// else there may be more than are needed, at the end
			d.normal.Fill(next[made:ahead])
		}
		u, next = next, u
	}
}
