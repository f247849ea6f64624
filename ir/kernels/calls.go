package kernels

import (
	"github.com/sgppl/sgppl/runtime/base/team"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// The functions below adapt those of package kernel, by their arguments, to a Call.

// each is the row of a kernel for every entry, with the name of an op.
func each(name, call string, f64 func(dst, x []float64), f32 func(dst, x []float32)) {
	row(Row{Name: name, Doc: name + " of every entry", Emit: call + "($dst, $x)",
		Run64: func(c *Call[float64]) { f64(c.Dst, c.X) }, Each64: f64,
		Run32: func(c *Call[float32]) { f32(c.Dst, c.X) }, Each32: f32})
}

// axis is for reductions of [outer, along, inner].
func axis[T Float](f func(dst, x []T, outer, n, inner int)) func(c *Call[T]) {
	return func(c *Call[T]) { f(c.Dst, c.X, c.Outer, c.Along, c.Inner) }
}

// number is for reductions of a whole array.
func number[T, R Float](f func(x []T) R) func(c *Call[T]) float64 {
	return func(c *Call[T]) float64 { return float64(f(c.X)) }
}

// factor is for functions of a batch of vectors or square matrices.
func factor[T Float](f func(dst, x []T, batch, n int)) func(c *Call[T]) {
	return func(c *Call[T]) { f(c.Dst, c.X, c.Batch, c.Along) }
}

// solve is for triangular systems with right-hand sides [outer, batch, inner, along].
func solve[T Float](f func(dst, l, b []T, outer, batch, inner, n int)) func(c *Call[T]) {
	return func(c *Call[T]) { f(c.Dst, c.X, c.Y, c.Outer, c.Batch, c.Inner, c.Along) }
}

// window is for functions of an array and the windows on it.
func window[T Float](f func(dst, x []T, w kernel.Windows)) func(c *Call[T]) {
	return func(c *Call[T]) { f(c.Dst, c.X, c.Windows) }
}

// A matrix has rows that are stride numbers from one another.
type matrix[T Float] struct {
	data   []T
	stride int
}

// A product is one of matrices, in either precision.
type product[T Float] func(t *team.Team, dst, x, y matrix[T], m, n, k int, transA, transB, acc bool)

func gemm64(
	t *team.Team, dst, x, y matrix[float64], m, n, k int, transA, transB, acc bool,
) {
	kernel.TeamGemm(t, kernel.Matrix{Data: dst.data, Stride: dst.stride},
		kernel.Matrix{Data: x.data, Stride: x.stride},
		kernel.Matrix{Data: y.data, Stride: y.stride}, m, n, k, transA, transB, acc)
}

func gemm32(
	t *team.Team, dst, x, y matrix[float32], m, n, k int, transA, transB, acc bool,
) {
	kernel.TeamGemm32(t, kernel.Matrix32{Data: dst.data, Stride: dst.stride},
		kernel.Matrix32{Data: x.data, Stride: x.stride},
		kernel.Matrix32{Data: y.data, Stride: y.stride}, m, n, k, transA, transB, acc)
}

func gemm[T Float](f product[T]) func(c *Call[T]) {
	return func(c *Call[T]) {
		f(c.Team, matrix[T]{c.Dst, c.N}, matrix[T]{c.X, c.LDA}, matrix[T]{c.Y, c.LDB},
			c.M, c.N, c.K, c.TransA, c.TransB, c.Acc)
	}
}

// gemmRows multiplies, for each entry of the batch, matrices whose rows are the
// rows of the minibatch: these are M of x and of the result, or K of x and y.
func gemmRows[T Float](f product[T]) func(c *Call[T]) {
	return func(c *Call[T]) {
		m, n, k := c.M, c.N, c.K
		for b := range c.Batch {
			if c.RowM {
				f(c.Team, matrix[T]{c.Dst[b*n:], c.Batch * n}, matrix[T]{c.X[b*k:], c.Batch * k},
					matrix[T]{c.Y[b*k*n:], c.LDB}, m, n, k, false, c.TransB, c.Acc)
				continue
			}
			f(c.Team, matrix[T]{c.Dst[b*m*n:], n}, matrix[T]{c.X[b*m:], c.Batch * m},
				matrix[T]{c.Y[b*n:], c.Batch * n}, m, n, k, true, false, c.Acc)
		}
	}
}

// multinomial draws counts, one array of them for each entry of the batch; the
// number of trials is the same along the array.
func multinomial(c *Call[float64]) {
	counts := make([]int, c.Along)
	for at := 0; at < c.Batch*c.Along; at += c.Along {
		c.Source.Multinomial(counts, int(c.X[at]), c.Y[at:at+c.Along])
		for j, n := range counts {
			c.Dst[at+j] = float64(n)
		}
	}
}
