package model

import "github.com/sgppl/sgppl/runtime/engine/model/column"

// RowNumbers returns rows of the datum at an index of Spec.Data, in single precision, one row after
// another. The numbers are valid until the next call, for at most as many rows as the evaluator was
// made for. The model computes in single precision, and the datum has rows and is not sparse.
func (e *Evaluator) RowNumbers(datum int, rows []int) []float32 {
	c := e.m.columns[datum]
	c.Fill(&e.buffers[datum], column.Rows{List: rows, Count: len(rows), Block: e.m.block})
	return e.frame.Dense32[datum][:len(rows)*c.Width()]
}

// Numbers returns the entries of the datum at an index of Spec.Data that has no rows: in single
// precision, or in double precision if it is one number. The other slice is nil.
func (e *Evaluator) Numbers(datum int) (single []float32, double []float64) {
	if len(e.m.Spec.Data[datum].Shape) == 0 {
		return nil, e.frame.Dense[datum]
	}
	return e.frame.Dense32[datum], nil
}
