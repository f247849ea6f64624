package plan

import "github.com/sgppl/sgppl/ir"

// rectify replaces loops of rectified units (relu) by kernels: the loop that adds a bias and
// rectifies,
//
//	for n, i { t[n, i] = relu(b[i] + x[n, i]) }
//
// and the loop of its cotangent,
//
//	for n, i { d[n, i] = (t[n, i] > 0) · c[n, i] }
//
// The kernels give the same bits as the loops.
func rectify(steps []Step) {
	for i, s := range steps {
		switch {
		case s.Sequence != nil:
			rectify(s.Sequence.Steps)
		case s.Loop != nil:
			if k := rectified(s.Loop); k != nil {
				steps[i] = Step{Kernel: k}
			}
		}
	}
}

// rectified returns the kernel that replaces a loop, or nil.
func rectified(l *Loop) *Kernel {
	if len(l.Body) != 2 || !many(l.Axes) {
		return nil
	}
	first, last := l.Body[0], l.Body[1]
	if len(first.Stores) > 0 || len(last.Stores) != 1 {
		return nil
	}
	to := last.Stores[0]
	if to.At != nil || to.Buf.Where != Temp || !equal(to.Buf.Axes, l.Axes) {
		return nil
	}
	switch {
	case first.Op == ir.OpAdd && last.Op == ir.OpRelu && last.Args[0].Kind == Local:
		for k, bias := range first.Args {
			x := first.Args[1-k]
			outer := len(l.Axes) - len(bias.At)
			if outer > 0 && walks(bias, l.Axes[max(outer, 0):]) && walks(x, l.Axes) {
				return &Kernel{Name: "add_relu", Dst: to.Buf, Args: []*Buffer{x.Buf, bias.Buf},
					Outer: l.Axes[:outer], Along: l.Axes[outer:]}
			}
		}
	case first.Op == ir.OpGt && last.Op == ir.OpMul:
		a, zero := first.Args[0], first.Args[1]
		if zero.Kind != Const || zero.Num != 0 || !walks(a, l.Axes) {
			return nil
		}
		for k, mask := range last.Args {
			if x := last.Args[1-k]; mask.Kind == Local && walks(x, l.Axes) {
				return &Kernel{Name: "positive", Dst: to.Buf, Args: []*Buffer{a.Buf, x.Buf},
					Along: l.Axes}
			}
		}
	}
	return nil
}

// walks reports whether an operand reads a whole array of numbers in the order of loops over the
// axes.
func walks(o Operand, axes []*ir.Axis) bool {
	if o.Kind != Load || o.Guard || o.Buf.Sparse || len(axes) == 0 || len(o.At) != len(axes) {
		return false
	}
	for i, at := range o.At {
		if at.Axis != axes[i] || at.From != nil || at.Clamp || at.Neg || len(at.Off.Terms) > 0 ||
			!sameSize(o.Buf.Axes[i], axes[i]) {
			return false
		}
	}
	return true
}

// many reports whether there may be many entries along axes, judging by the known sizes.
func many(axes []*ir.Axis) bool {
	entries := 1
	for _, a := range axes {
		n, known := a.Size.Number()
		if a.Rows || !known {
			return len(axes) > 0
		}
		entries *= int(n)
	}
	return entries >= fewEntries
}
