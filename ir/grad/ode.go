package grad

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// pushOde sends the cotangent of an ode's solution to its start and to the inputs of its slope, by
// the sensitivities of the solution: z̄ᵀ ∂z/∂w. The derivatives of the slope are derived here; the
// solver integrates the sensitivities together with the solution.
func (r *reverse) pushOde(v, cot *ir.Value) error {
	b, n, times := r.b, v.Over[0], v.To
	for _, i := range []int{ir.OdeStartTime, ir.OdeTimes} {
		if r.active[v.Args[i]] {
			return &Error{v}
		}
	}
	inputs := slices.DeleteFunc(frontier(v), func(w *ir.Value) bool { return !r.active[w] })
	e := b.Axis(n.Name, n.Size)
	args := append([]*ir.Value(nil), v.Args[:ir.OdeJacobian]...)
	derivatives, err := Jacobian(b, v, e, inputs)
	if err != nil {
		return err
	}
	args = append(args, derivatives...)
	out := b.Rename(cot, n, e)
	push := func(w *ir.Value, part int) {
		s := b.Ode(args, []*ir.Axis{n, e}, times, v.Mode == ir.Stiff, part)
		r.add(v, w, b.Sum(b.Mul(out, s), times, e), r.guarded[v])
	}
	if r.active[v.Args[ir.OdeStart]] {
		push(v.Args[ir.OdeStart], 1)
	}
	for k, w := range inputs {
		push(w, 2+k)
	}
	return nil
}

// Jacobian derives ∂f/∂z and ∂f/∂w for the slope f of an ode, along the axis e of the entries of f.
func Jacobian(b *ir.Builder, v *ir.Value, e *ir.Axis, inputs []*ir.Value) ([]*ir.Value, error) {
	n, slope, point := v.Over[0], v.Args[ir.OdeSlope], v.Args[ir.OdePoint]
	leaves := append([]*ir.Value{point}, inputs...)
	inner := reverse{b: b, cot: map[*ir.Value]*ir.Value{}, guarded: map[*ir.Value]bool{},
		risk: map[*ir.Value]bool{},
		keep: append([]*ir.Axis{e}, ir.OdeBatch(v)...)}
	inner.cot[slope] = b.Map(ir.OpEq, b.Iota(e), b.Iota(n))
	values := body(v)
	if err := inner.run(values, leaves); err != nil {
		return nil, err
	}
	out := make([]*ir.Value, len(leaves))
	for i, x := range leaves {
		out[i] = b.Num(0)
		if c := inner.cot[x]; c != nil {
			out[i] = c
		}
		axes := ir.Without(x.Axes, ir.OdeBatch(v))
		out[i] = b.Spread(out[i], append([]*ir.Axis{e}, axes...)...)
	}
	return releaseAll(b, out, values), nil
}

// body lists the values of the slope that change with the time or the point, including those in the
// steps of scans.
func body(v *ir.Value) []*ir.Value {
	values := ir.Reach(v.Args[ir.OdeSlope])
	bound := leavesOf(v, values)
	free := ir.Carries(values)
	return slices.DeleteFunc(values, func(x *ir.Value) bool {
		return x.Op == ir.OpCarry || !meets(free[x], bound) && !meets(ir.Bound(x), bound)
	})
}

// leavesOf lists the time, the point, and the variables that scans and odes inside the slope bind
// and that depend on these two.
func leavesOf(v *ir.Value, values []*ir.Value) []*ir.Value {
	bound := slices.Clone(ir.Bound(v))
	free := ir.Carries(values)
	for more := true; more; {
		more = false
		for _, x := range values {
			if own := ir.Bound(x); len(own) > 0 && meets(free[x], bound) &&
				!slices.Contains(bound, own[0]) {
				bound, more = append(bound, own...), true
			}
		}
	}
	return bound
}

// frontier lists the values that the slope reads and that do not change with the time or the point.
func frontier(v *ir.Value) []*ir.Value {
	inside := body(v)
	bound := leavesOf(v, ir.Reach(v.Args[ir.OdeSlope]))
	var out []*ir.Value
	for _, x := range inside {
		for _, a := range x.Args {
			if !slices.Contains(inside, a) && !slices.Contains(bound, a) &&
				!slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	if slope := v.Args[ir.OdeSlope]; !slices.Contains(inside, slope) {
		out = append(out, slope)
	}
	return out
}
