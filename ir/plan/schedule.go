package plan

import (
	"sort"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/size"
)

// schedule emits the steps of each segment by depth: at one depth first the
// kernels, then one loop for each set of axes, in the order of their first value.
func (p *planner) schedule() {
	type cell struct {
		place
		loop int // 0: a kernel
	}
	groups := map[cell][]*ir.Value{}
	var order []cell
	var sets [][]*ir.Axis
	for _, v := range p.values {
		if leaf(v) {
			continue
		}
		c := cell{place: p.place[v]}
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
		if a.seg != b.seg {
			return a.seg < b.seg
		}
		if a.depth != b.depth {
			return a.depth < b.depth
		}
		return a.loop == 0 && b.loop != 0
	})
	for _, c := range order {
		steps := &p.program.Steps[c.seg]
		if c.loop == 0 {
			for _, v := range groups[c] {
				*steps = append(*steps, Step{Kernel: p.kernel(v)})
			}
			continue
		}
		*steps = append(*steps, Step{Loop: p.loop(groups[c], rowsFirst(sets[c.loop-1]))})
	}
}

// loop fuses values of one set of axes.
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
		}
		if b := p.buffer[v]; b != nil {
			in.Stores = []Store{{Buf: b}}
		}
		local[v] = len(l.Body)
		l.Body = append(l.Body, in)
	}
	// The parts of a stack come last: they read what is stored.
	for _, v := range values {
		if v.Op != ir.OpStack {
			continue
		}
		for k, a := range v.Args {
			l.Body = append(l.Body, Instr{Args: []Operand{p.operand(a, nil)}, Value: v,
				Stores: []Store{{Buf: p.buffer[v], At: stackIndex(v, k)}}})
		}
	}
	return l
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

// operand reads an argument: a local of the same loop, a leaf, or a buffer.
func (p *planner) operand(a *ir.Value, local map[*ir.Value]int) Operand {
	if i, ok := local[a]; ok {
		return Operand{Kind: Local, Local: i}
	}
	return p.stored(a)
}

// stored reads a value that no local holds.
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
	}
	b := p.buffer[a]
	at := make([]Index, len(b.Axes))
	for i, x := range b.Axes {
		at[i] = Index{Axis: x}
	}
	return Operand{Kind: Load, Buf: b, At: at}
}

// load makes the read of a view: its source's buffer at positions that say
// what the view does.
func (p *planner) load(v *ir.Value, local map[*ir.Value]int) Operand {
	src := v.Args[0]
	o := p.stored(src)
	if o.Kind != Load {
		return o // a view of an index or a constant along other axes
	}
	at := func(a *ir.Axis) *Index {
		for i, x := range o.Buf.Axes {
			if x == a {
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
		o.Guard = true // an empty axis has no end to repeat
	case ir.OpAt:
		*at(v.Over[0]) = Index{Off: v.Off}
	case ir.OpDiagonal:
		*at(v.Over[0]) = Index{Axis: v.To}
		*at(v.Over[1]) = Index{Axis: v.To}
	}
	return o
}
