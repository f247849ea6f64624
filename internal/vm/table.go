package vm

import "github.com/sgppl/sgppl/runtime/math/kernel"

// A matrix has rows Stride apart.
type matrix[T float] struct {
	data   []T
	stride int
}

// A table is the kernels of one precision.
type table[T float] struct {
	elementwise map[string]func(dst, x []T)                      // of every entry of an array
	reductions  map[string]func(dst, x []T, outer, n, inner int) // along an axis
	whole       map[string]func(x []T) float64                   // of a whole array, to a number; in single precision alone

	cumSumAxis                        func(dst, x []T, outer, n, inner int, reverse bool)
	dot                               func(x, y []T) float64
	gemv, gemvT                       func(dst, a, x []T, m, n int, acc bool)
	gemm                              func(c, a, b matrix[T], m, n, k int, transA, transB, acc bool)
	cholesky                          func(dst, a []T, batch, n int)
	choleskyAdjoint                   func(dst, l, cot []T, batch, n int)
	triangle                          func(dst, x []T, batch, n, k int)
	eigenSym, order                   func(dst, x []T, batch, n int)
	triangularSolve, triangularSolveT func(dst, l, b []T, outer, batch, inner, n int)
	addRelu                           func(dst, x, bias []T, rows int)
	positive                          func(dst, a, x []T)
	categories                        func(dst, w, u []T, batch, times, n int) // of chains, in double precision alone
	addAt                             func(dst, x, at, c []T, batch, n int)    // likewise
	window, windowAdd, windowMax      func(dst, x []T, w kernel.Windows)
	windowMaxAdd                      func(dst, x, most, cot []T, w kernel.Windows)
	rows                              func(a *array) int
	sparseMulVec                      func(dst []T, a *array, w []T, acc bool)
	sparseMulVecT                     func(dst []T, a *array, d []T)
	sparseMulMat                      func(dst []T, a *array, w []T, h int, acc bool)
	sparseMulMatT                     func(dst []T, a *array, d []T, h int)
}

var table64 = table[float64]{
	elementwise: map[string]func(dst, x []float64){
		"exp": kernel.Exp, "expm1": kernel.Expm1, "log": kernel.Log, "log1p": kernel.Log1p, "tanh": kernel.Tanh,
		"sigmoid": kernel.Sigmoid, "log_sigmoid": kernel.LogSigmoid, "log1p_exp": kernel.Softplus,
	},
	reductions: map[string]func(dst, x []float64, outer, n, inner int){
		"sum": kernel.SumAxis, "prod": kernel.ProdAxis, "reduce_max": kernel.MaxAxis,
		"reduce_min": kernel.MinAxis, "log_sum_exp": kernel.LogSumExpAxis,
	},
	cumSumAxis: kernel.CumSumAxis, dot: kernel.Dot, gemv: kernel.Gemv, gemvT: kernel.GemvT,
	gemm: func(c, a, b matrix[float64], m, n, k int, transA, transB, acc bool) {
		kernel.Gemm(kernel.Matrix{Data: c.data, Stride: c.stride}, kernel.Matrix{Data: a.data, Stride: a.stride},
			kernel.Matrix{Data: b.data, Stride: b.stride}, m, n, k, transA, transB, acc)
	},
	cholesky: kernel.Cholesky, choleskyAdjoint: kernel.CholeskyAdjoint, triangle: kernel.Triangle,
	eigenSym: kernel.EigenSym, order: kernel.Order,
	triangularSolve: kernel.TriangularSolve, triangularSolveT: kernel.TriangularSolveT,
	addRelu: kernel.AddRelu, positive: kernel.Positive, categories: kernel.Categories, addAt: kernel.AddAt,
	window: kernel.Window, windowAdd: kernel.WindowAdd, windowMax: kernel.WindowMax, windowMaxAdd: kernel.WindowMaxAdd,
	rows:         func(a *array) int { return a.rows.Len() },
	sparseMulVec: func(dst []float64, a *array, w []float64, acc bool) { kernel.SparseMulVec(dst, a.rows, w, acc) },
	sparseMulVecT: func(dst []float64, a *array, d []float64) {
		kernel.SparseMulVecT(dst, a.rows, d, true)
	},
	sparseMulMat: func(dst []float64, a *array, w []float64, h int, acc bool) {
		kernel.SparseMulMat(dst, a.rows, w, h, acc)
	},
	sparseMulMatT: func(dst []float64, a *array, d []float64, h int) {
		kernel.SparseMulMatT(dst, a.rows, d, h, true)
	},
}

var table32 = table[float32]{
	elementwise: map[string]func(dst, x []float32){
		"exp": kernel.Exp32, "expm1": kernel.Expm132, "log": kernel.Log32, "log1p": kernel.Log1p32, "tanh": kernel.Tanh32,
		"sigmoid": kernel.Sigmoid32, "log_sigmoid": kernel.LogSigmoid32, "log1p_exp": kernel.Softplus32,
	},
	reductions: map[string]func(dst, x []float32, outer, n, inner int){
		"sum": kernel.SumAxis32, "prod": kernel.ProdAxis32, "reduce_max": kernel.MaxAxis32,
		"reduce_min": kernel.MinAxis32, "log_sum_exp": kernel.LogSumExpAxis32,
	},
	whole: map[string]func(x []float32) float64{
		"sum":         kernel.Sum32,
		"prod":        func(x []float32) float64 { return float64(kernel.Prod32(x)) },
		"reduce_max":  func(x []float32) float64 { return float64(kernel.Max32(x)) },
		"reduce_min":  func(x []float32) float64 { return float64(kernel.Min32(x)) },
		"log_sum_exp": func(x []float32) float64 { return float64(kernel.LogSumExp32(x)) },
	},
	cumSumAxis: kernel.CumSumAxis32, dot: kernel.Dot32, gemv: kernel.Gemv32, gemvT: kernel.GemvT32,
	gemm: func(c, a, b matrix[float32], m, n, k int, transA, transB, acc bool) {
		kernel.Gemm32(kernel.Matrix32{Data: c.data, Stride: c.stride}, kernel.Matrix32{Data: a.data, Stride: a.stride},
			kernel.Matrix32{Data: b.data, Stride: b.stride}, m, n, k, transA, transB, acc)
	},
	cholesky: kernel.Cholesky32, choleskyAdjoint: kernel.CholeskyAdjoint32, triangle: kernel.Triangle32,
	eigenSym: kernel.EigenSym32, order: kernel.Order32,
	triangularSolve: kernel.TriangularSolve32, triangularSolveT: kernel.TriangularSolveT32,
	addRelu: kernel.AddRelu32, positive: kernel.Positive32,
	window: kernel.Window32, windowAdd: kernel.WindowAdd32, windowMax: kernel.WindowMax32, windowMaxAdd: kernel.WindowMaxAdd32,
	rows:         func(a *array) int { return a.rows32.Len() },
	sparseMulVec: func(dst []float32, a *array, w []float32, acc bool) { kernel.SparseMulVec32(dst, a.rows32, w, acc) },
	sparseMulVecT: func(dst []float32, a *array, d []float32) {
		kernel.SparseMulVecT32(dst, a.rows32, d, true)
	},
	sparseMulMat: func(dst []float32, a *array, w []float32, h int, acc bool) {
		kernel.SparseMulMat32(dst, a.rows32, w, h, acc)
	},
	sparseMulMatT: func(dst []float32, a *array, d []float32, h int) {
		kernel.SparseMulMatT32(dst, a.rows32, d, h, true)
	},
}
