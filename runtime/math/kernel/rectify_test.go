package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Units and their cotangents are those of the elementwise functions, at every
// level and width, with zeros of both signs, infinities and what is no number;
// nothing else is touched.
func TestRectify(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 200 {
			g := rand.New(rand.NewPCG(uint64(trial), 13))
			rows, width := g.IntN(6), 1+g.IntN(70)
			rectify(t, g, rows, width, special.Relu, special.Bool, AddRelu, Positive)
			rectify(t, g, rows, width, special.Relu32, special.Bool32, AddRelu32, Positive32)
		}
	})
}

func rectify[T float32 | float64](
	t *testing.T, g *rand.Rand, rows, width int, relu func(T) T, truth func(bool) T,
	addRelu func(dst, x, bias []T, rows int), positive func(dst, a, x []T),
) {
	draw := func(n int) []T {
		x := random[T](g, n, true)
		odd := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}
		for i := range x {
			if g.IntN(4) == 0 {
				x[i] = T(odd[g.IntN(len(odd))])
			}
		}
		return x
	}
	n := rows * width
	x, bias, got := draw(n), draw(width), draw(n+1)
	want := append([]T{}, got...)
	for i := range n {
		want[i] = relu(bias[i%width] + x[i])
	}
	addRelu(got[:n], x, bias, rows)
	agree(t, fmt.Sprintf("AddRelu of %T", x), got, want)

	a, got := draw(n), draw(n+1)
	want = append([]T{}, got...)
	for i := range n {
		want[i] = truth(a[i] > 0) * x[i]
	}
	positive(got[:n], a, x)
	agree(t, fmt.Sprintf("Positive of %T", x), got, want)
}
