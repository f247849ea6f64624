//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// vectorExpLanes adds exp(x[i] − m) to lane i mod 8 and returns how many numbers it took, in
// eights, before eight that it leaves to Go.
func vectorExpLanes(lane *[8]float64, x []float64, m float64) int {
	return vec.ExpLanes64avx512(lane, &x[0], &m, special.ExpTable(), len(x))
}

// vectorExpLines writes the maximum m of each line of n numbers, and Σ exp(x[i] − m) in the lanes
// of LogSumExp. It returns how many lines it took before one that it leaves to Go.
func vectorExpLines(sums, maxima, x []float64, n int) int {
	return vec.ExpLines64avx512(&sums[0], &maxima[0], &x[0], special.ExpTable(), len(sums), n)
}
