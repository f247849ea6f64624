package model

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// packs makes packed rows of a sparse datum when a full pass first wants them:
// full passes take the same blocks of rows each time, minibatches do not.
func (m *Model) packs(d *Datum, v *array.Value, rows kernel.Rows) func() *kernel.Packed {
	if !d.Sparse || !d.Rows || v == nil || v.CSR == nil || v.CSR.Bytes != nil {
		return nil
	}
	columns := v.CSR.Cols
	return sync.OnceValue(func() *kernel.Packed { return kernel.Pack(rows, columns, m.block) })
}

// narrowColumns are the columns of rows without values in a byte each, where they
// fit: a minibatch then comes from a nearer cache.
func narrowColumns(r kernel.Rows, columns int) []uint8 {
	if r.Value != nil || columns > 256 {
		return nil
	}
	out := make([]uint8, len(r.Index))
	for k, c := range r.Index {
		out[k] = uint8(c)
	}
	return out
}
