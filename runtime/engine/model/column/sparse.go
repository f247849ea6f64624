package column

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// sparse is a column of sparse rows, whose entries functions read where they lie.
type sparse struct {
	all    kernel.Rows
	single *kernel.Rows32
	pack   func() *kernel.Packed
	// records gives the rows as minibatches read them, nil where that is by their bounds
	records func() *kernel.Records
}

// Sparse returns a column of sparse rows. single has the same entries rounded, and is nil
// in double precision. pack, where it is not nil, gives the rows as full passes read them;
// it is called when the first one begins.
func Sparse(all kernel.Rows, single *kernel.Rows32, pack func() *kernel.Packed) Column {
	c := &sparse{all: all, single: single, pack: pack}
	c.records = sync.OnceValue(func() *kernel.Records { return kernel.NewRecords(all) })
	return c
}

func (c *sparse) Width() int { return 0 }

func (c *sparse) Fill(b *Buffer, rows Rows) {
	records := c.picks(rows)
	if records != nil && b.pick(records, rows) {
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

// picks are the records that the rows are picked from; nil where they are not.
func (c *sparse) picks(rows Rows) *kernel.Records {
	if rows.List == nil {
		return nil
	}
	return c.records()
}

// pick picks rows among records, and reports whether the targets have them: they do where they had
// other rows of these records before.
func (b *Buffer) pick(records *kernel.Records, rows Rows) bool {
	have := b.picked.Records == records && b.Sparse.Picked == &b.picked &&
		(b.Sparse32 == nil || b.Sparse32.Picked == &b.picked)
	b.picked.Pick(records, rows.List, rows.Start)
	return have
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
