package sampler

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A record is an array of statistics, a number for each coordinate. It is in double precision; for
// a chain in single precision with very many coordinates it is in single precision, too.
type record struct {
	wide   []float64
	narrow []float32
	room   []float64 // for a part of narrow
}

// newRecord returns a record of n zeros, of which parts of room numbers are opened at most.
func newRecord(n int, single bool, room int) record {
	if single {
		return record{narrow: make([]float32, n), room: make([]float64, room)}
	}
	return record{wide: make([]float64, n)}
}

// singleRecords reports whether the records of a chain are in single precision. The statistics of
// curved and of mirrored blocks are not.
func (c *Chain) singleRecords() bool {
	mirrored := func(f flow.Factor) bool { return f.Space.Kind() == table.Mirrored }
	return c.single != nil && len(c.state.X) >= veryMany &&
		!slices.ContainsFunc(c.state.Factors, mirrored)
}

// open returns numbers lo to hi, to be read and changed until the next call.
func (r *record) open(lo, hi int) []float64 {
	if r.narrow == nil {
		return r.wide[lo:hi]
	}
	part := r.room[:hi-lo]
	kernel.Widen(part, r.narrow[lo:hi])
	return part
}

// close keeps what is in the part that was opened last, from number lo on.
func (r *record) close(lo int, part []float64) {
	if r.narrow != nil {
		kernel.Narrow(r.narrow[lo:lo+len(part)], part)
	}
}

// at returns a number.
func (r *record) at(i int) float64 {
	if r.narrow == nil {
		return r.wide[i]
	}
	return float64(r.narrow[i])
}

// empty reports whether there are no numbers.
func (r *record) empty() bool { return len(r.wide)+len(r.narrow) == 0 }

// walk reads or writes the numbers, for a checkpoint.
func (r *record) walk(d *loop.Codec) {
	d.Floats(r.wide)
	d.Singles(r.narrow)
}
