package vm

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// kernel makes a call of runtime/math/kernel ready. Generated code makes the same
// calls with the same sizes.
func (f *function) kernel(k *plan.Kernel) func() {
	switch dst := f.buffers[k.Dst.ID]; {
	case k.Name == "count_rows":
		return func() { dst.data[0] += float64(f.n) }
	case k.Name == "rand_multinomial":
		return f.multinomial(k, dst, f.buffers[k.Args[0].ID], f.buffers[k.Args[1].ID])
	case k.Name == "split_counts":
		return f.splitCounts(k, dst)
	case f.program.Single:
		return newKernel(f, k, &table32)
	}
	return newKernel(f, k, &table64)
}

// A caller is a kernel with its table and its arrays.
type caller[T float] struct {
	f    *function
	k    *plan.Kernel
	t    *table[T]
	dst  *array
	args [3]*array
	d    *[]T // the memory of dst; nil where it is a number of a program in single precision

	x, y, z *[]T // that of the arguments
}

func newKernel[T float](f *function, k *plan.Kernel, t *table[T]) func() {
	c := &caller[T]{f: f, k: k, t: t, dst: f.buffers[k.Dst.ID]}
	c.d = memory[T](c.dst)
	for i, a := range k.Args {
		c.args[i] = f.buffers[a.ID]
		m := memory[T](c.args[i])
		if m == nil && k.Name != "scatter" {
			panic("vm: " + k.Name + " of a number")
		}
		switch i {
		case 0:
			c.x = m
		case 1:
			c.y = m
		default:
			c.z = m
		}
	}
	switch sparse := c.args[0]; k.Name {
	case "scatter":
		return c.scatter()
	case "dot", "gemv", "gemvT", "gemm", "gemm_rows":
		return c.contraction()
	case "sparse_mul_vec":
		return func() { t.sparseMulVec((*c.d)[:t.rows(sparse)], sparse, *c.y, k.Acc) }
	case "sparse_mul_vecT":
		return c.zeroed(func() {
			t.sparseMulVecT((*c.d)[:c.dst.width], sparse, (*c.y)[:t.rows(sparse)])
		})
	case "sparse_mul_mat":
		h, _ := f.count(k.N)
		return func() { t.sparseMulMat((*c.d)[:t.rows(sparse)*h], sparse, *c.y, h, k.Acc) }
	case "sparse_mul_matT":
		h, _ := f.count(k.N)
		return c.zeroed(func() {
			t.sparseMulMatT((*c.d)[:c.dst.width], sparse, (*c.y)[:t.rows(sparse)*h], h)
		})
	}
	if t.reductions[k.Name] == nil && k.Name != "cumsum" {
		return c.structured()
	}
	return c.reduction()
}

// extent is the number of entries along axes in the block at hand.
func (f *function) extent(axes []*ir.Axis) int {
	n, rows := f.count(axes)
	if rows {
		n *= f.n
	}
	return n
}

func (f *function) multinomial(k *plan.Kernel, dst, x, y *array) func() {
	var counts []int
	return func() {
		m := f.extent(k.Along)
		counts = slices.Grow(counts[:0], m)[:m]
		for at := 0; at < f.extent(k.Batch)*m; at += m {
			f.source.Multinomial(counts, int(x.data[at]), y.data[at:at+m])
			for i, c := range counts {
				dst.data[at+i] = float64(c)
			}
		}
	}
}

// splitCounts parts counts among classes, in double precision alone.
func (f *function) splitCounts(k *plan.Kernel, dst *array) func() {
	args := [4]*array{}
	for i, a := range k.Args {
		args[i] = f.buffers[a.ID]
	}
	return func() {
		kernel.SplitCounts(dst.data, args[0].data, args[1].data, args[2].data, args[3].data, f.extent(k.Batch), f.extent(k.Along), f.extent(k.Inner))
	}
}

// structured runs a function of whole arrays.
func (c *caller[T]) structured() func() {
	k, t, along := c.k, c.t, c.f.extent
	n := func() int { return along(k.Along) }
	if f := t.elementwise[k.Name]; f != nil {
		return func() { m := n(); f((*c.d)[:m], (*c.x)[:m]) }
	}
	switch k.Name {
	case "add_relu":
		return func() { rows, m := along(k.Outer), n(); t.addRelu((*c.d)[:rows*m], *c.x, (*c.y)[:m], rows) }
	case "positive":
		return func() { m := n(); t.positive((*c.d)[:m], *c.x, *c.y) }
	case "category":
		return func() { t.categories(*c.d, *c.x, *c.y, along(k.Batch), along(k.Inner), n()) }
	case "add_at":
		return func() { t.addAt(*c.d, *c.x, *c.y, *c.z, along(k.Batch), n()) }
	case "copy":
		return func() { copy((*c.d)[:n()], *c.x) }
	case "cholesky":
		return func() { t.cholesky(*c.d, *c.x, along(k.Batch), n()) }
	case "eigen_sym":
		return func() { t.eigenSym(*c.d, *c.x, along(k.Batch), n()) }
	case "order":
		return func() { t.order(*c.d, *c.x, along(k.Batch), n()) }
	case "triangle":
		return func() { t.triangle(*c.d, *c.x, along(k.Batch), n(), along(k.Inner)) }
	case "cholesky_adjoint":
		return func() { t.choleskyAdjoint(*c.d, *c.x, *c.y, along(k.Batch), n()) }
	case "triangular_solve":
		return func() {
			t.triangularSolve(*c.d, *c.x, *c.y, along(k.Outer), along(k.Batch), along(k.Inner), n())
		}
	case "window", "window_add", "window_max", "window_max_add":
		call := map[string]func(dst, x []T, w kernel.Windows){"window": t.window, "window_add": t.windowAdd, "window_max": t.windowMax,
			"window_max_add": func(dst, x []T, w kernel.Windows) { t.windowMaxAdd(dst, x, *c.y, *c.z, w) }}[k.Name]
		return func() {
			w := kernel.Windows{Outer: along(k.Outer), Inner: along(k.Inner), In: [2]int{1, 1}, Pos: [2]int{1, 1}, Len: [2]int{1, 1}, Stride: k.Stride}
			for i := range k.Along {
				d := i + 2 - len(k.Along)
				w.In[d], w.Pos[d], w.Len[d] = along(k.Along[i:i+1]), along(k.M[i:i+1]), along(k.K[i:i+1])
			}
			call(*c.d, *c.x, w)
		}
	case "triangular_solveT":
		return func() {
			t.triangularSolveT(*c.d, *c.x, *c.y, along(k.Outer), along(k.Batch), along(k.Inner), n())
		}
	}
	panic("vm: no kernel " + k.Name)
}

// zeroed clears the destination of a kernel that only adds, unless blocks of
// rows add up in it.
func (c *caller[T]) zeroed(call func()) func() {
	if c.k.Acc {
		return call
	}
	return func() {
		n := c.dst.width
		if c.dst.buf.Rows() {
			n *= c.f.n
		}
		clear((*c.d)[:n])
		call()
	}
}

func (c *caller[T]) reduction() func() {
	f, k := c.f, c.k
	if k.Name == "cumsum" {
		return func() {
			outer, n, inner := f.extent(k.Outer), f.extent(k.Along), f.extent(k.Inner)
			c.t.cumSumAxis((*c.d)[:outer*n*inner], (*c.x)[:outer*n*inner], outer, n, inner, k.Reverse)
		}
	}
	if c.d == nil { // a number, in double precision
		whole := c.t.whole[k.Name]
		return func() {
			v := whole((*c.x)[:f.extent(k.Along)])
			if k.Acc {
				v += c.dst.data[0]
			}
			c.dst.data[0] = v
		}
	}
	reduce := c.t.reductions[k.Name]
	if !k.Acc {
		return func() {
			outer, n, inner := f.extent(k.Outer), f.extent(k.Along), f.extent(k.Inner)
			reduce((*c.d)[:outer*inner], (*c.x)[:outer*n*inner], outer, n, inner)
		}
	}
	part := make([]T, c.dst.width)
	return func() {
		outer, n, inner := f.extent(k.Outer), f.extent(k.Along), f.extent(k.Inner)
		reduce(part, (*c.x)[:outer*n*inner], outer, n, inner)
		for i, v := range part {
			(*c.d)[i] += v
		}
	}
}

// contraction runs a matrix kernel for every entry of the batch axes.
func (c *caller[T]) contraction() func() {
	f, k, t := c.f, c.k, c.t
	return func() {
		batch, m, n, kk := f.extent(k.Batch), f.extent(k.M), f.extent(k.N), f.extent(k.K)
		if k.Name == "gemm_rows" {
			c.gemmRows(batch, m, n, kk)
			return
		}
		for b := range batch {
			p, q := (*c.x)[b*m*kk:], (*c.y)[b*kk*n:]
			if k.Name == "dot" {
				v := t.dot(p[:kk], q[:kk])
				switch {
				case c.d == nil && k.Acc:
					c.dst.data[0] += v
				case c.d == nil:
					c.dst.data[0] = v
				case k.Acc:
					(*c.d)[b] += T(v)
				default:
					(*c.d)[b] = T(v)
				}
				continue
			}
			d := (*c.d)[b*m*n:]
			switch k.Name {
			case "gemv":
				t.gemv(d[:m], p[:m*kk], q[:kk], m, kk, k.Acc)
			case "gemvT":
				t.gemvT(d[:m], p[:m*kk], q[:kk], kk, m, k.Acc)
			default:
				lda, ldb := kk, n
				if k.TransA {
					lda = m
				}
				if k.TransB {
					ldb = kk
				}
				t.gemm(matrix[T]{d[:m*n], n}, matrix[T]{p[:m*kk], lda}, matrix[T]{q[:kk*n], ldb}, m, n, kk, k.TransA, k.TransB, k.Acc)
			}
		}
	}
}

// gemmRows multiplies matrices whose rows stand a batch apart.
func (c *caller[T]) gemmRows(batch, m, n, kk int) {
	k, dst, x, y := c.k, *c.d, *c.x, *c.y
	for b := range batch {
		if k.M[0].Rows {
			ldb := n
			if k.TransB {
				ldb = kk
			}
			c.t.gemm(matrix[T]{dst[b*n:], batch * n}, matrix[T]{x[b*kk:], batch * kk}, matrix[T]{y[b*kk*n:], ldb}, m, n, kk, false, k.TransB, k.Acc)
			continue
		}
		c.t.gemm(matrix[T]{dst[b*m*n:], n}, matrix[T]{x[b*m:], batch * m}, matrix[T]{y[b*n:], batch * n}, m, n, kk, true, false, k.Acc)
	}
}

// scatter adds entry by entry in row-major order of all axes.
func (c *caller[T]) scatter() func() {
	f, k, dst, from, index := c.f, c.k, c.dst, c.args[0], c.args[1]
	var axes []*ir.Axis
	add := func(list []*ir.Axis) {
		for _, a := range list {
			if a != k.To && !slices.Contains(axes, a) {
				axes = append(axes, a)
			}
		}
	}
	add(index.buf.Axes)
	add(from.buf.Axes)
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
	ds, fs, is := strides(dst), strides(from), strides(index)
	to := 0
	for j, y := range dst.buf.Axes {
		if y == k.To {
			to = dst.stride[j]
		}
	}
	at, length := make([]int, len(axes)), make([]int, len(axes))
	values, indices := access[T]{a: from, mem: c.x}, access[T]{a: index, mem: c.y}
	return c.zeroed(func() {
		total := 1
		for i, a := range axes {
			length[i] = f.length(a)
			total *= length[i]
		}
		clear(at)
		for range total {
			var d, s, x int
			for i, j := range at {
				d, s, x = d+j*ds[i], s+j*fs[i], x+j*is[i]
			}
			(*c.d)[d+int(indices.get(x))*to] += values.get(s)
			for i := len(at) - 1; i >= 0; i-- {
				if at[i]++; at[i] < length[i] {
					break
				}
				at[i] = 0
			}
		}
	})
}
