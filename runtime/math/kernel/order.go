package kernel

import "slices"

// Order writes, for each of batch lists of n numbers, where its entries stand
// in rising order: x[dst[0]] is the smallest. Equal entries keep their order,
// and NaN comes last.
func Order(dst, x []float64, batch, n int) { order(dst, x, batch, n) }

// Order32 is Order in single precision. Places beyond 2^24 are not exact.
func Order32(dst, x []float32, batch, n int) { order(dst, x, batch, n) }

func order[T float32 | float64](dst, x []T, batch, n int) {
	for m := range batch {
		to, from := dst[m*n:][:n], x[m*n:][:n]
		for i := range to {
			to[i] = T(i)
		}
		slices.SortFunc(to, func(a, b T) int {
			x, y := from[int(a)], from[int(b)]
			switch {
			case x < y || x == x && y != y:
				return -1
			case x > y || x != x && y == y:
				return 1
			case a < b: // a total order: the result does not depend on how it is sorted
				return -1
			}
			return 1
		})
	}
}
