//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/kernel/vec"

// mostInTurn is up to how many kinds of categories there is assembly for.
const mostInTurn = 64

// vector draws the categories from number i on, of 4 to mostInTurn kinds, and returns the number of
// the first that it leaves: it is the number of all, or a category that has left the counts.
func (d *inTurn) vector(i int, room *[128]float64) int {
	draw := vec.DrawInTurn32avx512
	if len(d.a) > 32 {
		draw = vec.DrawInTurn64avx512
	}
	return draw(&d.to[0], &d.z[0], &d.u[0], &d.c[0], &d.w[0], &d.a[0], &d.s[0], room, i, len(d.to),
		len(d.a))
}
