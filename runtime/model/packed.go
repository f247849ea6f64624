package model

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/kernel"
)

// packs makes packed rows of a sparse datum when a full pass first wants them:
// full passes take the same blocks of rows each time, minibatches do not.
func (m *Model) packs(d *Datum, v *data.Value, rows kernel.Rows) func() *kernel.Packed {
	if !d.Sparse || !d.Rows || v == nil || v.CSR == nil || v.CSR.Bytes != nil {
		return nil
	}
	columns := v.CSR.Cols
	return sync.OnceValue(func() *kernel.Packed { return kernel.Pack(rows, columns, m.block) })
}

// packedBlock is the block of a datum that begins at row start, or nil where
// its rows are not packed.
func (e *Evaluator) packedBlock(i, start int) *kernel.PackedPass {
	if e.m.packed[i] == nil {
		return nil
	}
	if start == 0 && e.passes[i] == nil {
		e.passes[i] = e.m.packed[i]().Pass()
	}
	if e.passes[i] != nil {
		e.passes[i].To(start / e.m.block)
	}
	return e.passes[i]
}
