package vm

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/kernel"
)

// kernel makes a call of runtime/kernel ready. Generated code makes the same
// calls with the same sizes.
func (f *function) kernel(k *plan.Kernel) func() {
	dst := f.buffers[k.Dst.ID]
	var args [2]*array
	for i, a := range k.Args {
		args[i] = f.buffers[a.ID]
	}
	switch k.Name {
	case "count_rows":
		return func() { dst.data[0] += float64(f.n) }
	case "scatter":
		return f.scatter(k, dst, args[0], args[1])
	case "dot", "gemv", "gemvT", "gemm", "gemm_rows":
		return f.contraction(k, dst, args[0], args[1])
	case "sparse_mul_vec":
		return func() { kernel.SparseMulVec(dst.data[:args[0].rows.Len()], args[0].rows, args[1].data, k.Acc) }
	case "sparse_mul_vecT":
		return f.zeroed(k, dst, func() {
			kernel.SparseMulVecT(dst.data[:dst.width], args[0].rows, args[1].data[:args[0].rows.Len()], true)
		})
	case "sparse_mul_mat":
		h, _ := f.count(k.N)
		return func() {
			kernel.SparseMulMat(dst.data[:args[0].rows.Len()*h], args[0].rows, args[1].data, h, k.Acc)
		}
	case "sparse_mul_matT":
		h, _ := f.count(k.N)
		return f.zeroed(k, dst, func() {
			kernel.SparseMulMatT(dst.data[:dst.width], args[0].rows, args[1].data[:args[0].rows.Len()*h], h, true)
		})
	}
	if reductions[k.Name] == nil && k.Name != "cumsum" {
		return f.structured(k, dst, args[0], args[1])
	}
	return f.reduction(k, dst, args[0])
}

// elementwise are the kernels of every entry of an array.
var elementwise = map[string]func(dst, x []float64){
	"exp": kernel.Exp, "expm1": kernel.Expm1, "log": kernel.Log, "log1p": kernel.Log1p, "tanh": kernel.Tanh,
	"sigmoid": kernel.Sigmoid, "log_sigmoid": kernel.LogSigmoid, "log1p_exp": kernel.Softplus,
}

// structured runs a function of whole arrays.
func (f *function) structured(k *plan.Kernel, dst, x, y *array) func() {
	along := func(axes []*ir.Axis) int {
		n, rows := f.count(axes)
		if rows {
			n *= f.n
		}
		return n
	}
	n := func() int { return along(k.Along) }
	if f := elementwise[k.Name]; f != nil {
		return func() { m := n(); f(dst.data[:m], x.data[:m]) }
	}
	switch k.Name {
	case "copy":
		return func() { copy(dst.data[:n()], x.data) }
	case "cholesky":
		return func() { kernel.Cholesky(dst.data, x.data, along(k.Batch), n()) }
	case "triangle":
		return func() { kernel.Triangle(dst.data, x.data, along(k.Batch), n(), along(k.Inner)) }
	case "cholesky_adjoint":
		return func() { kernel.CholeskyAdjoint(dst.data, x.data, y.data, along(k.Batch), n()) }
	case "rand_multinomial":
		var counts []int
		return func() {
			m := n()
			counts = slices.Grow(counts[:0], m)[:m]
			for at := 0; at < along(k.Batch)*m; at += m {
				f.source.Multinomial(counts, int(x.data[at]), y.data[at:at+m])
				for i, c := range counts {
					dst.data[at+i] = float64(c)
				}
			}
		}
	case "triangular_solve":
		return func() {
			kernel.TriangularSolve(dst.data, x.data, y.data, along(k.Outer), along(k.Batch), along(k.Inner), n())
		}
	case "window", "window_add":
		call := map[string]func(dst, x []float64, w kernel.Windows){"window": kernel.Window, "window_add": kernel.WindowAdd}[k.Name]
		return func() {
			w := kernel.Windows{Outer: along(k.Outer), Inner: along(k.Inner), In: [2]int{1, 1}, Pos: [2]int{1, 1}, Len: [2]int{1, 1}, Stride: k.Stride}
			for i := range k.Along {
				d := i + 2 - len(k.Along)
				w.In[d], w.Pos[d], w.Len[d] = along(k.Along[i:i+1]), along(k.M[i:i+1]), along(k.K[i:i+1])
			}
			call(dst.data, x.data, w)
		}
	case "triangular_solveT":
		return func() {
			kernel.TriangularSolveT(dst.data, x.data, y.data, along(k.Outer), along(k.Batch), along(k.Inner), n())
		}
	}
	panic("vm: no kernel " + k.Name)
}

// zeroed clears the destination of a kernel that only adds, unless blocks of
// rows add up in it.
func (f *function) zeroed(k *plan.Kernel, dst *array, call func()) func() {
	if k.Acc {
		return call
	}
	return func() {
		n := dst.width
		if dst.buf.Rows() {
			n *= f.n
		}
		clear(dst.data[:n])
		call()
	}
}

var reductions = map[string]func(dst, x []float64, outer, n, inner int){
	"sum": kernel.SumAxis, "prod": kernel.ProdAxis, "reduce_max": kernel.MaxAxis,
	"reduce_min": kernel.MinAxis, "log_sum_exp": kernel.LogSumExpAxis,
}

func (f *function) reduction(k *plan.Kernel, dst, x *array) func() {
	sizes := func() (outer, n, inner int) {
		lengths := [3]int{}
		for i, axes := range [][]*ir.Axis{k.Outer, k.Along, k.Inner} {
			c, rows := f.count(axes)
			if rows {
				c *= f.n
			}
			lengths[i] = c
		}
		return lengths[0], lengths[1], lengths[2]
	}
	if k.Name == "cumsum" {
		return func() {
			outer, n, inner := sizes()
			kernel.CumSumAxis(dst.data[:outer*n*inner], x.data[:outer*n*inner], outer, n, inner, k.Reverse)
		}
	}
	reduce := reductions[k.Name]
	if !k.Acc {
		return func() {
			outer, n, inner := sizes()
			reduce(dst.data[:outer*inner], x.data[:outer*n*inner], outer, n, inner)
		}
	}
	part := make([]float64, dst.width)
	return func() {
		outer, n, inner := sizes()
		reduce(part, x.data[:outer*n*inner], outer, n, inner)
		for i, v := range part {
			dst.data[i] += v
		}
	}
}

// contraction runs a matrix kernel for every entry of the batch axes.
func (f *function) contraction(k *plan.Kernel, dst, x, y *array) func() {
	return func() {
		var c [4]int // batch, m, n, k
		for i, axes := range [][]*ir.Axis{k.Batch, k.M, k.N, k.K} {
			n, rows := f.count(axes)
			if rows {
				n *= f.n
			}
			c[i] = n
		}
		m, n, kk := c[1], c[2], c[3]
		if k.Name == "gemm_rows" {
			gemmRows(k, dst.data, x.data, y.data, c[0], m, n, kk)
			return
		}
		for b := range c[0] {
			d, p, q := dst.data[b*m*n:], x.data[b*m*kk:], y.data[b*kk*n:]
			switch k.Name {
			case "dot":
				v := kernel.Dot(p[:kk], q[:kk])
				if k.Acc {
					v += d[0]
				}
				d[0] = v
			case "gemv":
				kernel.Gemv(d[:m], p[:m*kk], q[:kk], m, kk, k.Acc)
			case "gemvT":
				kernel.GemvT(d[:m], p[:m*kk], q[:kk], kk, m, k.Acc)
			default:
				lda, ldb := kk, n
				if k.TransA {
					lda = m
				}
				if k.TransB {
					ldb = kk
				}
				kernel.Gemm(kernel.Matrix{Data: d[:m*n], Stride: n}, kernel.Matrix{Data: p[:m*kk], Stride: lda},
					kernel.Matrix{Data: q[:kk*n], Stride: ldb}, m, n, kk, k.TransA, k.TransB, k.Acc)
			}
		}
	}
}

// gemmRows multiplies matrices whose rows stand a batch apart.
func gemmRows(k *plan.Kernel, dst, x, y []float64, batch, m, n, kk int) {
	for b := range batch {
		if k.M[0].Rows {
			ldb := n
			if k.TransB {
				ldb = kk
			}
			kernel.Gemm(kernel.Matrix{Data: dst[b*n:], Stride: batch * n}, kernel.Matrix{Data: x[b*kk:], Stride: batch * kk},
				kernel.Matrix{Data: y[b*kk*n:], Stride: ldb}, m, n, kk, false, k.TransB, k.Acc)
			continue
		}
		kernel.Gemm(kernel.Matrix{Data: dst[b*m*n:], Stride: n}, kernel.Matrix{Data: x[b*m:], Stride: batch * m},
			kernel.Matrix{Data: y[b*n:], Stride: batch * n}, m, n, kk, true, false, k.Acc)
	}
}

// scatter adds entry by entry in row-major order of all axes.
func (f *function) scatter(k *plan.Kernel, dst, c, index *array) func() {
	var axes []*ir.Axis
	add := func(list []*ir.Axis) {
		for _, a := range list {
			seen := a == k.To
			for _, x := range axes {
				seen = seen || x == a
			}
			if !seen {
				axes = append(axes, a)
			}
		}
	}
	add(index.buf.Axes)
	add(c.buf.Axes)
	add(dst.buf.Axes)
	strides := func(a *array) []int {
		out := make([]int, len(axes))
		for i, x := range axes {
			for j, y := range a.buf.Axes {
				if x == y {
					out[i] = a.stride[j]
				}
			}
		}
		return out
	}
	ds, cs, is := strides(dst), strides(c), strides(index)
	to := 0
	for j, y := range dst.buf.Axes {
		if y == k.To {
			to = dst.stride[j]
		}
	}
	at, length := make([]int, len(axes)), make([]int, len(axes))
	return f.zeroed(k, dst, func() {
		total := 1
		for i, a := range axes {
			length[i] = f.length(a)
			total *= length[i]
		}
		clear(at)
		for range total {
			var d, s, x int
			for i, j := range at {
				d, s, x = d+j*ds[i], s+j*cs[i], x+j*is[i]
			}
			dst.data[d+int(index.data[x])*to] += c.data[s]
			for i := len(at) - 1; i >= 0; i-- {
				if at[i]++; at[i] < length[i] {
					break
				}
				at[i] = 0
			}
		}
	})
}
