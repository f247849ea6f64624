//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// vectorLogit64 takes n rows from row at on, a multiple of eight; it returns how many it took
// before eight that it leaves to Go.
func vectorLogit64(
	g []float64, r Rows, w []float64, bias float64, y, d []float64, lanes *sumLanes, at, n int,
) int {
	lo, hi, table := &r.Lo[at], &r.Hi[at], special.ExpTable()
	switch {
	case r.narrow():
		return vec.SparseLogitBytes64avx512(&g[0], &w[0], &r.Narrow[0], lo, hi, &y[at], &d[at],
			&bias, (*[8]wide)(lanes), table, n, len(w))
	case r.Value == nil:
		return vec.SparseLogitOnes64avx512(&g[0], &w[0], &r.Index[0], lo, hi, &y[at], &d[at],
			&bias, (*[8]wide)(lanes), table, n, len(w))
	}
	return vec.SparseLogitValues64avx512(&g[0], &w[0], &r.Value[0], &r.Index[0], lo, hi, &y[at],
		&d[at], &bias, (*[8]wide)(lanes), table, n, len(w))
}

// vectorRecordLogit64 is vectorLogit64 of rows in records.
func vectorRecordLogit64(
	g []float64, p *Picked, w []float64, bias float64, y, d []float64, lanes *sumLanes, at, n int,
) int {
	c := p.Records
	return vec.RecordLogit64avx512(&g[0], &w[0], &c.record[0], &p.place[at], &p.next[at], &y[at],
		&d[at], &bias, (*[8]wide)(lanes), special.ExpTable(), n,
		min(len(w), len(g), recordColumns), len(c.lo), c.stride, c.vectors)
}
