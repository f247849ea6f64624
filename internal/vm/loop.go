package vm

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// strip is the number of entries that an instruction processes at a time: enough to hide the cost
// of dispatch, few enough that all numbers of a body stay in cache.
const strip = 256

// A float is the precision that a loop or a kernel computes in.
type float interface{ float32 | float64 }

// memory returns the memory of an array; nil if its numbers have the other precision.
func memory[T float](a *array) *[]T {
	if a.narrow {
		m, _ := any(&a.single).(*[]T)
		return m
	}
	m, _ := any(&a.data).(*[]T)
	return m
}

// A loop is a plan's loop made ready: an odometer over the outer axes, strips
// along the inner one.
type loop[T float] struct {
	f      *function
	axes   []*ir.Axis // after collapsing: nil stands for "all in one"
	flat   bool       // all axes are run as one
	body   []instr[T]
	index  []int
	extent []extent // of axes
	length []int    // in the current block
	room   *scratch[T]
	temps  int // number of strips that operands of the current instruction use
}

type instr[T float] struct {
	op     *ir.Op
	vector vector[T]
	args   [4]operand[T] // the last one may be a condition
	n      int
	when   plan.When
	stores []access[T]
	out    []T // where this strip's numbers are
	own    *[strip]T
}

type operand[T float] struct {
	kind  plan.OperandKind
	local int
	ready []T // const, size, scalar: a strip full of it
	name  string
	load  access[T]
	axis  int  // iota: place of its axis in the loop
	now   *int // iota: the index of a sequence around the loop
	temp  []T
}

// An access finds entries of a buffer: offset plus strides times loop indices.
type access[T float] struct {
	a       *array
	mem     *[]T // its numbers; nil where they are of the other precision
	offset  int
	stride  []int  // by loop axis
	now     []*int // the indices of sequences around the loop, and their strides
	step    []int
	inner   int  // stride of the innermost axis, or of the flat loop
	general bool // guarded, clamped or gathered: entry by entry
	guard   bool
	at      []position[T]
	from    [][]T // of gathers: the strip of indices, by axis of the buffer
}

// A position along one axis of the buffer, for general accesses.
type position[T float] struct {
	axis  int  // loop axis, -1 for none
	now   *int // the index of a sequence around the loop
	off   int
	clamp bool
	size  int
	step  int
	from  *operand[T]
}

func newLoop[T float](f *function, l *plan.Loop) func() {
	lp := loopOver[T](f, l, l.Axes)
	if k := longer(f, l); k >= 0 && !lp.flat {
		return either(lp, loopOver[T](f, l, lastly(l.Axes, k)), k)
	}
	return lp.run
}

// loopOver makes a loop over axes in an order. Its numbers do not depend on the order.
func loopOver[T float](f *function, l *plan.Loop, axes []*ir.Axis) *loop[T] {
	lp := &loop[T]{f: f, axes: axes, index: make([]int, len(axes)),
		length: make([]int, len(axes)), room: scratchOf[T](f)}
	lp.body = make([]instr[T], len(l.Body))
	for i, in := range l.Body {
		lp.body[i].own, lp.temps = lp.room.instr(i), 0
		lp.compile(&lp.body[i], in)
	}
	for _, a := range axes {
		lp.extent = append(lp.extent, f.extent(a))
	}
	lp.flat = lp.flatten()
	return lp
}

func (l *loop[T]) compile(c *instr[T], in plan.Instr) {
	c.op, c.n, c.when = in.Op, len(in.Args), in.When
	if c.op != nil {
		c.vector = vectorOf[T](c.op.Name)
	}
	for i, o := range in.Args {
		c.args[i] = l.operand(o)
	}
	for _, s := range in.Stores {
		c.stores = append(c.stores, l.access(s.Buf, storeAt(s), false))
	}
}

func (l *loop[T]) place(a *ir.Axis) int {
	for i, x := range l.axes {
		if x == a {
			return i
		}
	}
	return -1
}

func (l *loop[T]) operand(o plan.Operand) operand[T] {
	out := operand[T]{kind: o.Kind, local: o.Local, name: o.Name}
	switch o.Kind {
	case plan.Const:
		out.ready = l.room.filled(T(o.Num))
	case plan.Size:
		out.ready = l.room.filled(T(l.f.size(o.Size)))
	case plan.Scalar:
		out.ready = make([]T, strip)
	case plan.Iota:
		out.axis, out.now = l.place(o.Axis), l.f.now[o.Axis]
		out.temp = l.temp()
	case plan.Load:
		out.load = l.access(o.Buf, o.At, o.Guard)
		out.temp = l.temp()
	}
	return out
}

// temp returns a strip for an operand that only the current instruction reads.
func (l *loop[T]) temp() []T {
	l.temps++
	return l.room.operand(l.temps - 1)
}

func (l *loop[T]) access(b *plan.Buffer, at []plan.Index, guard bool) access[T] {
	a := l.f.buffers[b.ID]
	acc := access[T]{a: a, mem: memory[T](a), stride: make([]int, len(l.axes)), guard: guard,
		general: guard}
	acc.from = make([][]T, len(at))
	for i, x := range at {
		p := position[T]{axis: -1, step: a.stride[i], size: a.shape[i], clamp: x.Clamp}
		p.off = l.f.size(x.Off)
		if x.Neg {
			p.off = -p.off
		}
		if x.Axis != nil {
			if p.axis = l.place(x.Axis); p.axis < 0 {
				p.now = l.f.now[x.Axis]
				acc.now, acc.step = append(acc.now, p.now), append(acc.step, p.step)
			}
		}
		if x.From != nil {
			from := l.operand(*x.From)
			p.from = &from
		}
		acc.general = acc.general || x.Clamp || x.From != nil
		acc.at = append(acc.at, p)
		acc.offset += p.off * p.step
		if p.axis >= 0 {
			acc.stride[p.axis] += p.step
		}
	}
	if n := len(l.axes); n > 0 {
		acc.inner = acc.stride[n-1]
	}
	return acc
}
