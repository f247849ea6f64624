package column

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// sparse is a column of sparse rows, whose entries functions read where they lie.
type sparse struct {
	all    kernel.Rows
	single *kernel.Rows32
	pack   func() *kernel.Packed
	// own has the rows as minibatches read them, in their own order; nil where they are read by their
	// bounds.
	own func() *kernel.Records
	// Many rows are in an arrangement instead, if callers know where the rows of minibatches lie.
	order    func() *batch.Arrangement // nil: there are few rows
	arranged func() *kernel.Records
	laid     atomic.Bool // arranged is in use
}

// Sparse returns a column of sparse rows. single has the same entries rounded, and is nil
// in double precision. pack, where it is not nil, gives the rows as full passes read them;
// it is called when the first one begins. order, where it is not nil, gives the arrangement of the
// rows, in which those of minibatches may lie.
func Sparse(
	all kernel.Rows, single *kernel.Rows32, pack func() *kernel.Packed,
	order func() *batch.Arrangement,
) Column {
	c := &sparse{all: all, single: single, pack: pack, order: order}
	c.own = sync.OnceValue(func() *kernel.Records { return kernel.NewRecords(all, nil) })
	if order != nil {
		c.arranged = sync.OnceValue(func() *kernel.Records {
			return kernel.NewRecords(all, func() []uint32 { return order().Places() })
		})
	}
	return c
}

func (c *sparse) Width() int { return 0 }

func (c *sparse) Fill(b *Buffer, rows Rows) {
	records, places := c.picks(b, rows)
	if records != nil && b.pick(records, rows, places) {
		return
	}
	all := &c.all
	v := kernel.Rows{Index: all.Index, Value: all.Value, Narrow: all.Narrow}
	if records != nil {
		v.Picked = &b.picked
	} else if rows.List == nil {
		end := rows.Start + rows.Count
		v.Lo, v.Hi = all.Lo[rows.Start:end], all.Hi[rows.Start:end]
		v.Packed = c.block(b, rows)
	} else {
		v.Lo, v.Hi = b.bounds(rows.Count)
		for k, r := range rows.List {
			v.Lo[k], v.Hi[k] = all.Lo[r], all.Hi[r]
		}
	}
	*b.Sparse = v
	if s := c.single; s != nil {
		*b.Sparse32 = kernel.Rows32{Lo: v.Lo, Hi: v.Hi, Index: s.Index, Value: s.Value,
			Narrow: v.Narrow, Packed: v.Packed, Picked: v.Picked}
	}
}

// picks returns the records that rows are picked from, and the places of the rows; nil where they
// are not picked. Records take memory: once they are in an arrangement, places that a caller does
// not know are looked up, so that no others are made.
func (c *sparse) picks(b *Buffer, rows Rows) (records *kernel.Records, places []int) {
	switch {
	case rows.List == nil:
		return nil, nil
	case rows.Places != nil && c.order != nil:
		return c.lay(), rows.Places
	case !c.laid.Load():
		return c.own(), rows.List
	}
	if records = c.arranged(); records != nil {
		places = b.find(rows.List, c.order().Places())
	}
	return records, places
}

// lay returns the records in the arrangement, which are in use from now on.
func (c *sparse) lay() *kernel.Records {
	if !c.laid.Load() {
		c.laid.Store(true)
	}
	return c.arranged()
}

// pick picks rows among records, and reports whether the targets have them: they do where they had
// other rows of these records before.
func (b *Buffer) pick(records *kernel.Records, rows Rows, places []int) bool {
	have := b.picked.Records == records && b.Sparse.Picked == &b.picked &&
		(b.Sparse32 == nil || b.Sparse32.Picked == &b.picked)
	start := rows.Start
	if rows.Places != nil {
		b.picked.Coming(rows.Soon)
		start = 0
	}
	b.picked.Pick(records, rows.List, places, start)
	return have
}

// find looks up the places of rows.
func (b *Buffer) find(rows []int, places []uint32) []int {
	b.places = slices.Grow(b.places[:0], len(rows))[:len(rows)]
	for k, r := range rows {
		b.places[k] = int(places[r])
	}
	return b.places
}

// block is the block of packed rows that the rows are; nil where they are not packed.
func (c *sparse) block(b *Buffer, rows Rows) *kernel.PackedPass {
	if c.pack == nil {
		return nil
	}
	if rows.Start == 0 && b.pass == nil {
		b.pass = c.pack().Pass()
	}
	if b.pass != nil {
		b.pass.To(rows.Start / rows.Block)
	}
	return b.pass
}
