package vm

import (
	"math"
	"slices"

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
	args   [3]operand[T]
	n      int
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

// longer returns the index of an axis that may be much longer than the innermost one, so that
// strips along it save time: the axis of rows, or the longest. It returns −1 if there is none, or
// if the order of entries matters.
func longer(f *function, l *plan.Loop) int {
	last, k := len(l.Axes)-1, -1
	if last < 1 || l.Axes[last].Rows {
		return -1
	}
	for i, a := range l.Axes[:last] {
		switch {
		case a.Rows:
			k = i
		case k < 0 || !l.Axes[k].Rows && f.size(a.Size) > f.size(l.Axes[k].Size):
			k = i
		}
	}
	stored := map[int]bool{}
	for _, in := range l.Body {
		if in.Op != nil && in.Op.Class == ir.Random {
			return -1
		}
		for _, s := range in.Stores {
			stored[s.Buf.ID] = true
		}
	}
	for _, in := range l.Body {
		for _, o := range in.Args {
			if o.Kind == plan.Load && stored[o.Buf.ID] {
				return -1
			}
		}
	}
	return k
}

// lastly returns a list of axes with the k-th moved to the end.
func lastly(axes []*ir.Axis, k int) []*ir.Axis {
	return append(append(slices.Clone(axes[:k]), axes[k+1:]...), axes[k])
}

// muchLonger is the ratio of lengths above which strips run along a longer axis than the innermost
// one.
const muchLonger = 4

// either returns a function that runs the loop whose innermost axis suits the present lengths:
// inner, or turned, in which the k-th axis of inner is the innermost.
func either[T float](inner, turned *loop[T], k int) func() {
	last := len(inner.axes) - 1
	return func() {
		if inner.extent[k].now() > muchLonger*inner.extent[last].now() {
			turned.tiles()
			return
		}
		inner.run()
	}
}

func (l *loop[T]) compile(c *instr[T], in plan.Instr) {
	c.op, c.n = in.Op, len(in.Args)
	if c.op != nil {
		c.vector = vectorOf[T](c.op.Name)
	}
	for i, o := range in.Args {
		c.args[i] = l.operand(o)
	}
	for _, s := range in.Stores {
		at := s.At
		if at == nil {
			for _, a := range s.Buf.Axes {
				at = append(at, plan.Index{Axis: a})
			}
		}
		c.stores = append(c.stores, l.access(s.Buf, at, false))
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

// flatten reports whether every access runs through its buffer as the loop
// runs through its axes, so that all axes are one.
func (l *loop[T]) flatten() bool {
	if len(l.axes) < 2 {
		return false
	}
	full := make([]int, len(l.axes))
	step := 1
	for i := len(l.axes) - 1; i >= 0; i-- {
		full[i] = step
		if !l.axes[i].Rows {
			step *= l.f.size(l.axes[i].Size)
		} else if i > 0 {
			return false
		}
	}
	fits := func(a *access[T]) bool {
		if a.general {
			return false
		}
		all, none := true, true
		for i, s := range a.stride {
			all = all && s == full[i]
			none = none && s == 0
		}
		return all || none
	}
	for i := range l.body {
		in := &l.body[i]
		for k := range in.n {
			o := &in.args[k]
			if o.kind == plan.Iota || o.kind == plan.Load && !fits(&o.load) {
				return false
			}
		}
		for k := range in.stores {
			if !fits(&in.stores[k]) {
				return false
			}
		}
	}
	return true
}

func (l *loop[T]) run() {
	total := 1
	for i := range l.extent {
		l.length[i] = l.extent[i].now()
		total *= l.length[i]
	}
	if total == 0 {
		return
	}
	last := len(l.axes) - 1
	if l.flat || last < 0 {
		clear(l.index)
		l.strips(total)
		return
	}
	clear(l.index)
	for more := true; more; more = l.onward(last) {
		l.strips(l.length[last])
	}
}

// onward moves the index of the axes before the last; false when all have been gone through.
func (l *loop[T]) onward(last int) bool {
	for i := last - 1; i >= 0; i-- {
		l.index[i]++
		if l.index[i] < l.length[i] {
			return true
		}
		l.index[i] = 0
	}
	return false
}

// tiles runs the loop with strips of a long axis outermost, so that entries that are close in
// memory along the other axes are used together.
func (l *loop[T]) tiles() {
	last := len(l.axes) - 1
	total := 1
	for i := range l.extent {
		l.length[i] = l.extent[i].now()
		total *= l.length[i]
	}
	if total == 0 {
		return
	}
	clear(l.index)
	for start := 0; start < l.length[last]; start += strip {
		w := min(strip, l.length[last]-start)
		for more := true; more; more = l.onward(last) {
			for i := range l.body {
				l.step(&l.body[i], start, w)
			}
		}
	}
}

// strips runs the body along the inner axis at the outer index.
func (l *loop[T]) strips(n int) {
	for start := 0; start < n; start += strip {
		w := min(strip, n-start)
		for i := range l.body {
			l.step(&l.body[i], start, w)
		}
	}
}

func (l *loop[T]) step(in *instr[T], start, w int) {
	var x [3][]T
	for k := range in.n {
		x[k] = l.fetch(&in.args[k], start, w)
	}
	// The result is written directly to the first store that is contiguous.
	in.out = in.own[:w]
	direct := -1
	for k := range in.stores {
		if s := &in.stores[k]; s.mem != nil && (s.inner == 1 || w == 1) {
			base := l.base(s) + start*s.inner
			in.out = (*s.mem)[base : base+w]
			direct = k
			break
		}
	}
	switch {
	case in.op == nil:
		copy(in.out, x[0])
	case in.op.Class == ir.Random:
		for i := range in.out {
			var v [3]float64
			for k := range in.n {
				v[k] = float64(x[k][i])
			}
			in.out[i] = T(draw(l.f.source, in.op, v))
		}
	case in.vector != nil:
		in.vector(in.out, x[0], x[1], x[2])
	default:
		for i := range in.out {
			var v [3]float64
			for k := range in.n {
				v[k] = float64(x[k][i])
			}
			in.out[i] = T(in.op.Eval(v))
		}
	}
	for k := range in.stores {
		if k != direct {
			s := &in.stores[k]
			base := l.base(s) + start*s.inner
			if s.mem != nil {
				strew((*s.mem)[base:], in.out, s.inner)
				continue
			}
			for i, v := range in.out {
				s.set(base+i*s.inner, v)
			}
		}
	}
}

// get reads a number, rounded to the precision of the loop.
func (a *access[T]) get(i int) T {
	switch {
	case a.mem != nil:
		return (*a.mem)[i]
	case a.a.narrow:
		return T(a.a.single[i])
	}
	return T(a.a.data[i])
}

// set writes a number, rounded to the precision of the array.
func (a *access[T]) set(i int, v T) {
	switch {
	case a.mem != nil:
		(*a.mem)[i] = v
	case a.a.narrow:
		a.a.single[i] = float32(v)
	default:
		a.a.data[i] = float64(v)
	}
}

// base is the offset at the outer index.
func (l *loop[T]) base(a *access[T]) int {
	base := a.offset
	for i, now := range a.now {
		base += *now * a.step[i]
	}
	if !l.flat {
		for i := range len(a.stride) - 1 {
			base += l.index[i] * a.stride[i]
		}
	}
	return base
}

func (l *loop[T]) fetch(o *operand[T], start, w int) []T {
	switch o.kind {
	case plan.Local:
		return l.body[o.local].out
	case plan.Const, plan.Size:
		return o.ready[:w]
	case plan.Scalar:
		x := T(l.f.frame.Scale)
		if o.name == "jacobian" {
			x = T(l.f.frame.Jacobian)
		}
		if o.ready[0] != x {
			for i := range o.ready {
				o.ready[i] = x
			}
		}
		return o.ready[:w]
	case plan.Iota:
		t := o.temp[:w]
		for i := range t {
			if o.axis < 0 {
				t[i] = T(*o.now)
			} else if o.axis == len(l.axes)-1 {
				t[i] = T(start + i)
			} else {
				t[i] = T(l.index[o.axis])
			}
		}
		return t
	}
	return l.load(o, start, w)
}

func (l *loop[T]) load(o *operand[T], start, w int) []T {
	a := &o.load
	if a.general {
		return l.loadGeneral(o, start, w)
	}
	base := l.base(a)
	inner := a.inner
	switch {
	case inner == 1 && a.mem != nil:
		return (*a.mem)[base+start : base+start+w]
	case inner == 0:
		t := o.temp[:w]
		fill(t, a.get(base))
		return t
	}
	t := o.temp[:w]
	if a.mem != nil {
		gather(t, (*a.mem)[base+start*inner:], inner)
		return t
	}
	for i := range t {
		t[i] = a.get(base + (start+i)*inner)
	}
	return t
}

// loadGeneral reads entry by entry: gathers, and reads beyond the ends.
// fill writes x to all entries.
func fill[T float](t []T, x T) {
	const some = 16
	head := t[:min(some, len(t))]
	for i := range head {
		head[i] = x
	}
	for n := some; n < len(t); n *= 2 { // by copies, which are faster than single entries
		copy(t[n:], t[:n])
	}
}

// gather writes every step-th number of a list to t.
func gather[T float](t, from []T, step int) {
	at := 0
	for ; len(t) >= 4; t = t[4:] {
		t[0], t[1], t[2], t[3] = from[at], from[at+step], from[at+2*step], from[at+3*step]
		at += 4 * step
	}
	for i := range t {
		t[i] = from[at]
		at += step
	}
}

// strew writes numbers to every step-th entry of a list.
func strew[T float](to, x []T, step int) {
	at := 0
	for ; len(x) >= 4; x = x[4:] {
		to[at], to[at+step], to[at+2*step], to[at+3*step] = x[0], x[1], x[2], x[3]
		at += 4 * step
	}
	for _, v := range x {
		to[at] = v
		at += step
	}
}

func (l *loop[T]) loadGeneral(o *operand[T], start, w int) []T {
	a := &o.load
	t := o.temp[:w]
	last := len(l.axes) - 1
	from := a.from
	for k := range a.at {
		if p := &a.at[k]; p.from != nil {
			from[k] = l.fetch(p.from, start, w)
		}
	}
	if base, inner, outside, simple := l.affine(a, start, w); simple {
		switch {
		case outside:
			clear(t)
		case a.mem != nil:
			gather(t, (*a.mem)[base:], inner)
		default:
			for i := range t {
				t[i] = a.get(base + i*inner)
			}
		}
		return t
	}
	for i := range t {
		offset, outside := 0, false
		for k := range a.at {
			p := &a.at[k]
			at := p.off
			switch {
			case p.from != nil:
				at = int(math.RoundToEven(float64(from[k][i])))
			case p.axis == last && p.axis >= 0:
				at += start + i
			case p.axis >= 0:
				at += l.index[p.axis]
			case p.now != nil:
				at += *p.now
			}
			if p.clamp {
				at = max(0, min(at, p.size-1))
			}
			if a.guard && (at < 0 || at >= p.size) && !a.a.buf.Axes[k].Rows {
				outside = true
			}
			offset += at * p.step
		}
		if outside {
			t[i] = 0
		} else {
			t[i] = a.get(offset)
		}
	}
	return t
}

// affine finds where a general access reads whose guards and clamps are the same all along a
// strip: from base on, with a stride; or outside of its array.
func (l *loop[T]) affine(a *access[T], start, w int) (base, inner int, outside, simple bool) {
	last := len(l.axes) - 1
	for k := range a.at {
		p := &a.at[k]
		at := p.off
		switch {
		case p.from != nil:
			return 0, 0, false, false
		case p.axis == last && p.axis >= 0:
			at += start
			within := at >= 0 && at+w <= p.size
			if guarded := a.guard && !a.a.buf.Axes[k].Rows; !within && (guarded || p.clamp) {
				return 0, 0, false, false
			}
			inner += p.step
		case p.axis >= 0:
			at += l.index[p.axis]
		case p.now != nil:
			at += *p.now
		}
		if p.clamp {
			at = max(0, min(at, p.size-1))
		}
		if a.guard && (at < 0 || at >= p.size) && !a.a.buf.Axes[k].Rows {
			outside = true
		}
		base += at * p.step
	}
	return base, inner, outside, true
}
