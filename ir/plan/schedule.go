package plan

import (
	"sort"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// schedule returns the steps of a segment, or of a scan in it, by depth. Steps of one depth are the
// kernels first, then one loop for each set of axes, in the order of their first value.
func (p *planner) schedule(seg Segment, in *recurrence) []Step {
	type cell struct{ depth, loop int } // loop 0 is a kernel
	groups := map[cell][]*ir.Value{}
	var order []cell
	var sets [][]*ir.Axis
	for _, v := range p.values {
		at := p.place[v]
		if leaf(v) || at.seg != seg || at.in != in {
			continue
		}
		c := cell{depth: at.depth}
		if inLoop(v) {
			axes := v.Axes
			if v.Op == ir.OpStack {
				axes = ir.Without(axes, []*ir.Axis{v.To})
			}
			for i, s := range sets {
				if ir.SameAxes(s, axes) {
					c.loop = i + 1
				}
			}
			if c.loop == 0 {
				sets = append(sets, axes)
				c.loop = len(sets)
			}
		}
		if groups[c] == nil {
			order = append(order, c)
		}
		groups[c] = append(groups[c], v)
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := order[i], order[j]
		if a.depth != b.depth {
			return a.depth < b.depth
		}
		return a.loop == 0 && b.loop != 0
	})
	var steps []Step
	saved := p.now
	p.now = &steps
	defer func() { p.now = saved }()
	for _, c := range order {
		if c.loop != 0 {
			steps = append(steps, Step{Loop: p.loop(groups[c], rowsFirst(sets[c.loop-1]))})
			continue
		}
		for _, v := range groups[c] {
			if r := p.scan[v]; r == nil {
				k := p.kernel(v) // it may add steps before itself
				steps = append(steps, Step{Kernel: k})
			} else if !r.emitted {
				r.emitted = true
				if r.solution != nil {
					p.emitOde(r, seg)
				} else {
					p.emitScan(r, seg)
				}
			}
		}
	}
	return steps
}

// emitScan adds the steps that set the starts of a scan's carries, and the scan.
func (p *planner) emitScan(r *recurrence, seg Segment) {
	read, _ := r.offsets()
	start := size.Const(0)
	if r.reverse {
		start = r.t.Size
	}
	for k, x := range r.inits {
		*p.now = append(*p.now, p.put(x, r, k, Index{Off: start}))
	}
	steps := p.schedule(seg, r)
	for k, x := range r.nexts {
		if !p.direct(r, x) {
			steps = append(steps, p.put(x, r, k, Index{Axis: r.t, Off: size.Const(1 - read)}))
		}
	}
	*p.now = append(*p.now, Step{Sequence: &Sequence{Axis: r.t, Reverse: r.reverse, Steps: steps}})
}

// put returns a step that copies a value into a carry's buffer at a position along the steps.
func (p *planner) put(x *ir.Value, r *recurrence, k int, at Index) Step {
	dst := p.buffer[r.parts[k]]
	axes := ir.Without(dst.Axes, []*ir.Axis{r.to})
	return Step{Loop: &Loop{Axes: axes,
		Body: []Instr{{Args: []Operand{p.stored(x)}, Value: x,
			Stores: []Store{p.carriedAt(r, k, at)}}}}}
}

// carriedAt returns the store of carried value k at a position along the steps.
func (p *planner) carriedAt(r *recurrence, k int, at Index) Store {
	dst := p.buffer[r.parts[k]]
	st := Store{Buf: dst, At: make([]Index, len(dst.Axes))}
	for i, a := range dst.Axes {
		st.At[i] = Index{Axis: a}
		if a == r.to {
			st.At[i] = at
		}
	}
	return st
}

// loop makes one loop of values with the same axes.
func (p *planner) loop(values []*ir.Value, axes []*ir.Axis) *Loop {
	l := &Loop{Axes: axes}
	local := map[*ir.Value]int{}
	for _, v := range values {
		if v.Op == ir.OpStack {
			continue
		}
		in := Instr{Op: v.Op, Value: v}
		if view(v) {
			in.Op = nil
			in.Args = []Operand{p.load(v, local)}
		} else {
			for _, a := range v.Args {
				in.Args = append(in.Args, p.operand(a, local))
			}
			p.only(&in, v, local)
		}
		if b := p.buffer[v]; b != nil {
			in.Stores = []Store{{Buf: b}}
		}
		if r := p.region[v]; r != nil && p.direct(r, v) {
			_, write := r.offsets()
			for k, x := range r.nexts {
				if x == v {
					in.Stores = append(in.Stores,
						p.carriedAt(r, k, Index{Axis: r.t, Off: size.Const(write)}))
				}
			}
		}
		local[v] = len(l.Body)
		l.Body = append(l.Body, in)
	}
	// The parts of a stack come last, since they read stored values.
	for _, v := range values {
		if v.Op != ir.OpStack {
			continue
		}
		for k, a := range v.Args {
			l.Body = append(l.Body, Instr{Args: []Operand{p.operand(a, nil)}, Value: v,
				Stores: []Store{{Buf: p.buffer[v], At: stackIndex(v, k)}}})
		}
	}
	l.Axes = along(l)
	return l
}

// along orders the axes of a loop so that the innermost axis is the one along which most of its
// arrays are contiguous. The rows stay outermost, and loops with draws keep their order.
func along(l *Loop) []*ir.Axis {
	if len(l.Axes) < 2 {
		return l.Axes
	}
	count := map[*ir.Axis]int{}
	lies := func(b *Buffer, at []Index) {
		if len(at) == 0 {
			for _, a := range b.Axes {
				at = append(at, Index{Axis: a})
			}
		}
		if n := len(at); n > 1 && at[n-1].From == nil {
			count[at[n-1].Axis]++
		}
	}
	for _, in := range l.Body {
		if in.Op != nil && in.Op.Class == ir.Random {
			return l.Axes
		}
		for _, o := range in.Args {
			if o.Kind == Load {
				lies(o.Buf, o.At)
			}
		}
		for _, s := range in.Stores {
			lies(s.Buf, s.At)
		}
	}
	inner := l.Axes[len(l.Axes)-1]
	for _, a := range l.Axes {
		if !a.Rows && count[a] > count[inner] {
			inner = a
		}
	}
	return append(ir.Without(l.Axes, []*ir.Axis{inner}), inner)
}

func stackIndex(v *ir.Value, k int) []Index {
	at := make([]Index, len(v.Axes))
	for i, a := range v.Axes {
		if a == v.To {
			at[i] = Index{Off: size.Const(k)}
		} else {
			at[i] = Index{Axis: a}
		}
	}
	return at
}

// operand returns how an argument is read: as a local number of the same loop, a leaf, or from a
// buffer.
func (p *planner) operand(a *ir.Value, local map[*ir.Value]int) Operand {
	if i, ok := local[a]; ok {
		return Operand{Kind: Local, Local: i}
	}
	return p.stored(a)
}

// stored returns how a value is read that is not a local number.
func (p *planner) stored(a *ir.Value) Operand {
	switch {
	case a.Op == ir.OpConst:
		return Operand{Kind: Const, Num: a.Num}
	case a.Op == ir.OpScalar:
		return Operand{Kind: Scalar, Name: a.Name}
	case a.Op == ir.OpIota:
		return Operand{Kind: Iota, Axis: a.Axes[0]}
	case a.Op == ir.OpSize && !countsRows(a):
		return Operand{Kind: Size, Size: a.Off}
	case a.Op == ir.OpCarry && p.buffer[a] == nil:
		r, k := p.carried(a)
		read, _ := r.offsets()
		o := p.carriedAt(r, k, Index{Axis: r.t, Off: size.Const(read)})
		return Operand{Kind: Load, Buf: o.Buf, At: o.At}
	}
	b := p.buffer[a]
	at := make([]Index, len(b.Axes))
	for i, x := range b.Axes {
		at[i] = Index{Axis: p.axisIn(a, x)}
	}
	return Operand{Kind: Load, Buf: b, At: at}
}

// axisIn is what an axis of the buffer of a value is in the value: one buffer is that of several
// scans, which differ in the axis of their steps.
func (p *planner) axisIn(a *ir.Value, x *ir.Axis) *ir.Axis {
	if r := p.scan[a]; r != nil && x == r.to && a.To != nil {
		return a.To
	}
	return x
}

// load returns the read of a view: from its source's buffer, at the positions that the view
// selects.
func (p *planner) load(v *ir.Value, local map[*ir.Value]int) Operand {
	src := v.Args[0]
	o := p.stored(src)
	if v.Op == ir.OpNow && o.Kind == Load {
		for i, x := range o.Buf.Axes {
			if p.axisIn(src, x) == v.Over[0] {
				o.At[i] = Index{Axis: v.Over[0]}
			}
		}
		return o
	}
	if o.Kind != Load {
		return o // a view of an index or a constant along other axes
	}
	at := func(a *ir.Axis) *Index {
		for i, x := range o.Buf.Axes {
			if p.axisIn(src, x) == a {
				return &o.At[i]
			}
		}
		return &Index{}
	}
	switch v.Op {
	case ir.OpGather:
		from := p.operand(v.Args[1], local)
		*at(v.Over[0]) = Index{From: &from}
	case ir.OpSlice, ir.OpRename:
		*at(v.Over[0]) = Index{Axis: v.To, Off: v.Off}
	case ir.OpPad:
		*at(v.Over[0]) = Index{Axis: v.To, Off: v.Off, Neg: true}
		o.Guard = true
	case ir.OpExtend:
		*at(v.Over[0]) = Index{Axis: v.To, Off: v.Off, Neg: true, Clamp: true}
		o.Guard = true // an empty axis has no last entry to repeat
	case ir.OpAt:
		*at(v.Over[0]) = Index{Off: v.Off}
	case ir.OpDiagonal:
		*at(v.Over[0]) = Index{Axis: v.To}
		*at(v.Over[1]) = Index{Axis: v.To}
	}
	return o
}
