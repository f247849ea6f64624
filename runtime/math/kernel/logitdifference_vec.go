//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// vectorRecordDifference takes n rows in records from row at on, a multiple of eight; it returns
// how many it took before eight that it leaves to Go.
func vectorRecordDifference(
	g []float64, p *Picked, w, anchor []float64, bias *[2]float64, weight, d, e []float64,
	lanes *sumLanes, at, n int,
) int {
	c := p.Records
	return vec.RecordLogitDifference64avx512(&g[0], &w[0], &anchor[0], &c.record[0], &p.place[at],
		&p.next[at], &weight[at], &d[at], &e[at], bias, (*[8]float64)(lanes), special.ExpTable(), n,
		min(len(w), len(g), recordColumns), len(c.lo), c.stride, c.vectors)
}
