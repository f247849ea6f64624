package vm

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/kernels"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// kernel makes a call of runtime/math/kernel ready, from its row in package
// kernels. Generated code makes the same calls with the same sizes.
func (f *function) kernel(k *plan.Kernel) func() {
	if f.program.Single {
		return newKernel[float32](f, k)
	}
	return newKernel[float64](f, k)
}

func newKernel[T float](f *function, k *plan.Kernel) func() {
	row := kernels.Lookup(k.Name)
	if row == nil {
		panic("vm: no kernel " + k.Name)
	}
	c := &caller[T]{f: f, k: k, run: kernels.Run[T](row), number: kernels.Number[T](row)}
	c.measure()
	if c.constantSizes() {
		c.sizes()
		c.constant = true
	}
	c.dst = f.buffers[k.Dst.ID]
	c.mem = memory[T](c.dst)
	c.call.Source, c.call.Acc, c.call.Reverse = f.source, k.Acc, k.Reverse
	c.call.TransA, c.call.TransB = k.TransA, k.TransB
	c.call.RowM = len(k.M) > 0 && k.M[0].Rows
	for i, a := range k.Args {
		c.args = append(c.args,
			argument[T]{f.buffers[a.ID], memory[T](f.buffers[a.ID]), c.place(i)})
	}
	switch {
	case k.Name == "scatter":
		return scatter[T](f, k)
	case row.Product:
		return c.product
	case len(k.Dst.Axes) == 0 && c.number != nil:
		return c.sum
	case c.run == nil:
		panic("vm: the kernel " + k.Name + " has no form in the precision of its function")
	case k.Acc && !row.Adds():
		part := make([]T, c.dst.width)
		return func() { c.added(part) }
	}
	return func() {
		c.ready()
		c.run(&c.call)
	}
}

// A caller is a kernel with its arrays and the call that it makes.
type caller[T float] struct {
	f      *function
	k      *plan.Kernel
	run    func(c *kernels.Call[T])
	number func(c *kernels.Call[T]) float64
	dst    *array
	mem    *[]T // memory of dst; nil for a number of a program in single precision
	args   []argument[T]
	call   kernels.Call[T]

	outer, batch, along, inner, m, n, depth extent      // of the axes of k
	constant                                bool        // they, and what follows from them, stay
	window                                  [][3]extent // of each axis that is read through windows
}

// An argument is an array with its memory and its place in the call.
type argument[T float] struct {
	a     *array
	mem   *[]T
	place *[]T
}

// place returns the memory of the call's i-th argument.
func (c *caller[T]) place(i int) *[]T {
	call := &c.call
	return [...]*[]T{&call.X, &call.Y, &call.Z, &call.W, &call.V, &call.U, &call.S, &call.R,
		&call.Q}[i]
}

// entries returns the numbers of an array in the current block.
func entries[T float](f *function, a *array, mem *[]T) []T {
	if a.buf.Rows() {
		return (*mem)[:a.width*f.n]
	}
	return (*mem)[:a.width]
}

// ready brings the arrays and sizes of the call up to date.
func (c *caller[T]) ready() {
	f, call := c.f, &c.call
	call.Team, call.Rows = f.frame.Team, f.n
	if c.mem != nil {
		call.Dst = entries(f, c.dst, c.mem)
	}
	for _, x := range c.args {
		switch {
		case x.a.buf.Sparse:
			call.Sparse, call.Sparse32 = x.a.rows, x.a.rows32
		case x.mem == nil:
			call.Number = x.a.data[0]
		case len(x.a.buf.Axes) == 0:
			call.Number = x.a.data[0]
			*x.place = entries(f, x.a, x.mem)
		default:
			*x.place = entries(f, x.a, x.mem)
		}
	}
	if !c.constant {
		c.sizes()
	}
}

// constantSizes reports whether no size of the call depends on rows or windows.
func (c *caller[T]) constantSizes() bool {
	for _, e := range []extent{c.outer, c.batch, c.along, c.inner, c.m, c.n, c.depth} {
		if e.rows {
			return false
		}
	}
	return c.k.Stride == 0
}

// sizes brings the sizes of the call up to date.
func (c *caller[T]) sizes() {
	k, call := c.k, &c.call
	call.Outer, call.Batch = c.outer.now(), c.batch.now()
	call.Along, call.Inner = c.along.now(), c.inner.now()
	call.M, call.N, call.K = c.m.now(), c.n.now(), c.depth.now()
	if call.LDA = call.K; k.TransA {
		call.LDA = call.M
	}
	if call.LDB = call.N; k.TransB {
		call.LDB = call.K
	}
	if k.Stride > 0 {
		call.Windows = c.windows()
	}
}

// windows returns the windows through which an array is read, along one axis or two.
func (c *caller[T]) windows() kernel.Windows {
	k := c.k
	w := kernel.Windows{Outer: c.call.Outer, Inner: c.call.Inner, Stride: k.Stride}
	w.In, w.Pos, w.Len = [2]int{1, 1}, [2]int{1, 1}, [2]int{1, 1}
	for i := range k.Along {
		d := i + 2 - len(k.Along)
		w.In[d], w.Pos[d], w.Len[d] = c.window[i][0].now(), c.window[i][1].now(),
			c.window[i][2].now()
	}
	return w
}

// measure finds the extents of the axes of the kernel.
func (c *caller[T]) measure() {
	f, k := c.f, c.k
	c.outer, c.batch = f.extent(k.Outer...), f.extent(k.Batch...)
	c.along, c.inner = f.extent(k.Along...), f.extent(k.Inner...)
	c.m, c.n, c.depth = f.extent(k.M...), f.extent(k.N...), f.extent(k.K...)
	for i := 0; k.Stride > 0 && i < len(k.Along); i++ {
		c.window = append(c.window,
			[3]extent{f.extent(k.Along[i]), f.extent(k.M[i]), f.extent(k.K[i])})
	}
}

// sum stores or adds a result that is a number; it is in double precision.
func (c *caller[T]) sum() {
	c.ready()
	v := c.number(&c.call)
	if c.k.Acc {
		v += c.dst.data[0]
	}
	c.dst.data[0] = v
}

// added runs a kernel that cannot add into a buffer, and adds that.
func (c *caller[T]) added(part []T) {
	c.ready()
	sums := c.call.Dst
	c.call.Dst = part
	c.run(&c.call)
	for i, v := range part {
		sums[i] += v
	}
}

// product runs a matrix kernel for every entry of the batch, on its part of the arrays.
func (c *caller[T]) product() {
	c.ready()
	call := &c.call
	m, n, k := call.M, call.N, call.K
	dst, x, y := call.Dst, call.X, call.Y
	for b := range call.Batch {
		call.X, call.Y = x[b*m*k:][:m*k], y[b*k*n:][:k*n]
		if c.number == nil {
			call.Dst = dst[b*m*n:][:m*n]
			c.run(call)
			continue
		}
		v := c.number(call)
		switch acc := c.k.Acc; {
		case c.mem == nil && acc:
			c.dst.data[0] += v
		case c.mem == nil:
			c.dst.data[0] = v
		case acc:
			dst[b] += T(v)
		default:
			dst[b] = T(v)
		}
	}
}

// scatter adds entry by entry in row-major order of all axes.
func scatter[T float](f *function, k *plan.Kernel) func() {
	dst, from, index := f.buffers[k.Dst.ID], f.buffers[k.Args[0].ID], f.buffers[k.Args[1].ID]
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
	var extents []extent
	for _, a := range axes {
		extents = append(extents, f.extent(a))
	}
	values := access[T]{a: from, mem: memory[T](from)}
	indices := access[T]{a: index, mem: memory[T](index)}
	sums := memory[T](dst)
	return func() {
		if !k.Acc {
			clear(entries(f, dst, sums))
		}
		total := 1
		for i := range extents {
			length[i] = extents[i].now()
			total *= length[i]
		}
		clear(at)
		for range total {
			var d, s, x int
			for i, j := range at {
				d, s, x = d+j*ds[i], s+j*fs[i], x+j*is[i]
			}
			(*sums)[d+int(indices.get(x))*to] += values.get(s)
			for i := len(at) - 1; i >= 0; i-- {
				if at[i]++; at[i] < length[i] {
					break
				}
				at[i] = 0
			}
		}
	}
}
