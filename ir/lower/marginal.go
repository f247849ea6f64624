package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
)

// A Summed is a discrete unknown whose values lie along its own axis. The axis is summed out at the
// end of the unknown's plate.
type Summed struct {
	Name   string
	Axis   *ir.Axis
	Plates []*ir.Axis
	Prior  *ir.Value // log probability of every value, along Axis; nil without a prior
}

// declareSummed declares a discrete unknown with finitely many values.
func (l *Model) declareSummed(s *check.Symbol, g *ast.Group, i int) {
	v := &g.Vars[i]
	if len(s.Type.Shape) > 0 && s.Kind == check.Param {
		l.declareGrouped(s, g, i)
		return
	}
	if len(s.Type.Shape) > 0 {
		d := &diag.Diagnostic{Code: limits.StrategyNotLowered, File: l.Checked.File.Source,
			Span:    v.Span,
			Message: s.Name + " has several entries, which are not summed out together yet"}
		l.Diags.Add(d.Note("declare one in a plate: for k in K { local " + s.Name + " : … }"))
		panic(bail{})
	}
	if l.drawing() {
		l.drawLocal(s, g)
		return
	}
	z := &Summed{Name: s.Name, Axis: l.B.Axis(lowerName(s.Name), l.valuesOf(s.Type)),
		Plates: slices.Clone(l.plates)}
	value := tensor{v: l.B.Iota(z.Axis)}
	l.frame.values[s] = value
	l.Summed = append(l.Summed, z)
	if g.Prior != nil {
		d := l.bindUse(s.Prior, Variate{V: value.v}, g.Prior.Span)
		z.Prior = l.prior(s.Prior, d, value.v, &Param{Type: s.Type}, nil, nil)
		l.Terms = append(l.Terms,
			Term{V: z.Prior, Over: l.plates, Span: g.Prior.Span, Prior: true, Site: s.Name})
	}
}

// summedNamed returns the summed unknown with a name that is visible here; nil without one.
func (l *Model) summedNamed(name string) *Summed {
	for _, z := range l.Summed {
		if z.Name == name {
			return z
		}
	}
	return nil
}

// sumOut is called at the end of a plate. It replaces the terms that depend on an unknown declared
// in the plate by the logarithm of the sum over its values, the unknown declared last first. first
// is the index of the plate's first term.
func (l *Model) sumOut(first int, list []*Summed) {
	b := l.B
	for i := len(list) - 1; i >= 0; i-- {
		z := list[i]
		kept := l.Terms[:first:first]
		joint := Term{Over: z.Plates}
		for _, t := range l.Terms[first:] {
			if !t.V.Has(z.Axis) {
				kept = append(kept, t)
				continue
			}
			// For one value of the unknown, the plates within are products.
			v := b.Sum(t.V, ir.Without(t.Over, z.Plates)...)
			if joint.V != nil {
				v = b.Add(joint.V, v)
			}
			joint.V = v
			if joint.Span.End == 0 || !t.Prior {
				joint.Span = t.Span
			}
			if !t.Prior {
				joint.Site = t.Site
			}
		}
		if joint.V != nil {
			joint.V = b.Reduce(ir.OpLogSumExp, joint.V, z.Axis)
			kept = append(kept, joint)
		}
		l.Terms = kept
	}
}

// Expected returns the mean of v over the values of the summed unknowns under their priors; with
// log, v and the result are logarithms. It returns nil where the mean is not known.
func (l *Model) Expected(v *ir.Value, log bool) *ir.Value {
	b := l.B
	if l.GroupedIn(v) != nil {
		return nil
	}
	for i := len(l.Summed) - 1; i >= 0; i-- {
		z := l.Summed[i]
		switch {
		case !v.Has(z.Axis):
		case z.Prior == nil:
			return nil
		case log:
			v = b.Reduce(ir.OpLogSumExp, b.Add(v, z.Prior), z.Axis)
		default:
			v = b.Sum(b.Mul(v, b.Map(ir.OpExp, z.Prior)), z.Axis)
		}
	}
	return v
}
