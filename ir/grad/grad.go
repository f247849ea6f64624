// Package grad derives gradients of IR functions symbolically, in reverse
// mode: one loop over the values, one rule a row of the op table.
package grad

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// Of returns ∂f/∂x for each of the leaves x, where f has no axes. A leaf that
// f does not depend on gets the constant 0.
func Of(b *ir.Builder, f *ir.Value, leaves []*ir.Value) ([]*ir.Value, error) {
	if len(f.Axes) != 0 {
		return nil, fmt.Errorf("grad: the function has axes")
	}
	r := reverse{b: b, cot: map[*ir.Value]*ir.Value{f: b.Num(1)}, guarded: map[*ir.Value]bool{},
		risk: map[*ir.Value]bool{}}
	values := ir.Reach(f)
	r.unbound = unbound(values)
	if err := r.run(values, leaves); err != nil {
		return nil, err
	}
	out := make([]*ir.Value, len(leaves))
	for i, x := range leaves {
		out[i] = r.cot[x]
		if out[i] == nil {
			out[i] = b.Num(0)
		}
	}
	return releaseAll(b, out, values), nil
}

// run propagates the cotangents that are set so far from the values back to the leaves.
func (r *reverse) run(values, leaves []*ir.Value) error {
	r.active = active(values, leaves)
	recurrences := scans(values)
	for i := len(values) - 1; i >= 0; i-- {
		v := values[i]
		if v.Op == ir.OpScan {
			if parts := recurrences[v]; len(parts) > 0 && r.reached(parts) {
				if err := r.pushScan(parts); err != nil {
					return err
				}
			}
			continue
		}
		cot := r.cot[v]
		if cot == nil || !r.active[v] || v.Op.Class == ir.Leaf {
			continue
		}
		if v.Op == ir.OpOde {
			if err := r.pushOde(v, cot); err != nil {
				return err
			}
			continue
		}
		if err := r.push(v, cot); err != nil {
			return err
		}
	}
	return nil
}

// reached reports whether any active value of a recurrence has a cotangent.
func (r *reverse) reached(parts []*ir.Value) bool {
	for _, p := range parts {
		if r.cot[p] != nil && r.active[p] {
			return true
		}
	}
	return false
}

// An Error says which value has no gradient.
type Error struct{ Value *ir.Value }

func (e *Error) Error() string {
	return fmt.Sprintf("%s has no gradient: %s", e.Value.Op.Name, e.Value.Op.NoGradient)
}

type reverse struct {
	b   *ir.Builder
	cot map[*ir.Value]*ir.Value
	// guarded values are used under a branch: their cotangent may be an exact
	// zero that must win over an infinite derivative.
	guarded map[*ir.Value]bool
	risk    map[*ir.Value]bool // results of risky, by value
	unbound map[*ir.Value]bool // values that a constant that is not finite may reach
	active  map[*ir.Value]bool
	keep    []*ir.Axis // axes over which cotangents are not summed, though the arguments lack them
}

// active marks the values that depend on one of the leaves. Cotangents are formed for these alone.
func active(values []*ir.Value, leaves []*ir.Value) map[*ir.Value]bool {
	on := map[*ir.Value]bool{}
	for _, x := range leaves {
		on[x] = true
	}
	for _, v := range values {
		for _, a := range v.Args {
			if on[a] {
				on[v] = true
			}
		}
	}
	return on
}

// push sends the cotangent of v to its arguments.
func (r *reverse) push(v, cot *ir.Value) error {
	if v.Op.Class == ir.Map {
		if v.Op.Partial == nil {
			return &Error{v}
		}
		for i, a := range v.Args {
			if r.active[a] {
				r.pushMap(v, cot, i)
			}
		}
		return nil
	}
	if v.Op.Adjoint == nil {
		return &Error{v}
	}
	for i, c := range v.Op.Adjoint(r.b, v, cot) {
		a := v.Args[i]
		if c == nil || !r.active[a] {
			continue
		}
		if r.guarded[v] && v.Op.Class == ir.Structured && v.Op.Singular {
			// Every entry of an array contributes to every entry of its cotangent. c has the batch axes of
			// cot, and those that the argument lacks are summed over afterwards.
			any := r.b.Map(ir.OpGt, r.b.Sum(r.b.Map(ir.OpNe, cot, r.b.Num(0)), own(v)...),
				r.b.Num(0))
			c = r.b.Map(ir.OpSelect, any, c, r.b.Num(0))
		} else if r.guarded[v] && r.riskyFactor(v, i) {
			c = r.b.Map(ir.OpSelect, r.b.Map(ir.OpNe, cot, r.b.Num(0)), c, r.b.Num(0))
		}
		r.add(v, a, c, r.guarded[v])
	}
	return nil
}

func (r *reverse) pushMap(v, cot *ir.Value, i int) {
	if v.Op == ir.OpSelect {
		zero := r.b.Num(0)
		switch i {
		case 1:
			r.add(v, v.Args[1], r.b.Map(ir.OpSelect, v.Args[0], cot, zero), true)
		case 2:
			r.add(v, v.Args[2], r.b.Map(ir.OpSelect, v.Args[0], zero, cot), true)
		}
		return
	}
	if v.Op == ir.OpMul && v.Args[0] == v.Args[1] && !(r.guarded[v] && r.risky(v.Args[0])) {
		if i == 0 { // a square: its cotangent is 2x, formed in one step
			r.add(v, v.Args[0], r.b.Mul(cot, r.b.Mul(r.b.Num(2), v.Args[0])), r.guarded[v])
		}
		return
	}
	d := v.Op.Partial(r.b, v, i)
	if d == nil {
		return
	}
	guarded := r.guarded[v]
	if guarded && r.risky(d) {
		r.add(v, v.Args[i], r.b.Map(ir.OpMul0, cot, d), true)
		return
	}
	r.add(v, v.Args[i], r.b.Mul(cot, d), guarded)
}

// riskyFactor reports whether the adjoint of a reduction multiplies the
// cotangent of argument i by what may be infinite or NaN.
func (r *reverse) riskyFactor(v *ir.Value, i int) bool {
	switch {
	case v.Op == ir.OpContract:
		return r.risky(v.Args[1-i])
	case v.Op.Class == ir.Reduce && v.Op != ir.OpSum:
		return r.risky(v.Args[0])
	}
	return false
}

// risky reports whether a value may be infinite or NaN for finite leaves: it contains a function
// with a singularity, or one that overflows for moderate arguments.
func (r *reverse) risky(v *ir.Value) bool {
	if known, ok := r.risk[v]; ok {
		return known
	}
	var risky bool
	switch v.Op {
	case ir.OpConst, ir.OpCarry:
		risky = r.unbound[v]
	case ir.OpExp:
		// Positive locals are finite; a local that is the logarithm of a value may be anywhere.
		risky = v.Args[0].Op != ir.OpLocal || v.Args[0].Mode != ir.Logarithms
	case ir.OpExpm1, ir.OpSinh, ir.OpCosh, ir.OpTan:
		risky = true
	case ir.OpDiv:
		c, ok := v.Args[1].Const()
		risky = (!ok || c == 0) && !apart(v.Args[1])
	case ir.OpSqrt:
		risky = !apart(v.Args[0])
	default:
		risky = v.Op.Singular
	}
	for _, a := range v.Args {
		risky = risky || r.risky(a)
	}
	r.risk[v] = risky
	return risky
}

// add accumulates a contribution to the cotangent of a, summed over the axes
// that a lacks. A product with an indicator, log_sum_exp and recursions of it guard as well.
func (r *reverse) add(v, a, c *ir.Value, guarded bool) {
	c = r.b.Sum(c, ir.Without(extra(c, v, a), r.keep)...)
	if v.Op == ir.OpLogSumExp || v.Op == ir.OpLogForward {
		guarded = true
	}
	if guarded {
		r.guarded[a] = true
	}
	if old := r.cot[a]; old != nil {
		c = r.b.Add(old, c)
	}
	r.cot[a] = c
}

// extra lists the axes to be summed away: those of the contribution or of the
// use (a cotangent that is constant along an axis of the use still counts
// once for each of its entries) that the argument lacks.
func extra(c, v, a *ir.Value) []*ir.Axis {
	var out []*ir.Axis
	seen := map[*ir.Axis]bool{}
	use := v.Axes
	switch {
	case v.Op == ir.OpStack:
		use = ir.Without(use, []*ir.Axis{v.To})
	case v.Op.Class != ir.Map:
		use = nil // the adjoints of other classes return contributions with the right axes
	}
	for _, list := range [][]*ir.Axis{c.Axes, use} {
		for _, x := range list {
			if !a.Has(x) && !seen[x] {
				seen[x] = true
				out = append(out, x)
			}
		}
	}
	return out
}

// own lists the axes of the array that a structured op works on or makes.
func own(v *ir.Value) []*ir.Axis {
	if v.To == nil {
		return v.Over
	}
	return append(slices.Clone(v.Over), v.To)
}
