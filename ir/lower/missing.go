package lower

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// imputed returns a modelled datum with unknowns in place of its missing entries. They are one
// block of the state, in the order of the entries; its length is known when data are bound.
func (l *Model) imputed(
	g *ast.Group, v *ast.Var, s *check.Symbol, x *ir.Value, axes []*ir.Axis,
) *ir.Value {
	if l.o.Redrawn {
		return l.redrawn(g, s, x, axes)
	}
	b := l.B
	name := data.MissingDim(s.Name)
	count := size.Dim(name)
	t := types.Type{Kind: s.Type.Kind, Shape: types.Shape{count}, Ends: s.Type.Ends}
	p := l.param(name, "the missing entries of "+s.Name+", in their order", t,
		g.Type.Ends, "", &v.Name)
	// The unknowns and one more entry, which the entries that are present refer to.
	whole := b.Axis("missing", count.Add(sizeNumber(1)))
	unknowns := b.Pad(p.X, p.Family[0], whole, zeroSize)
	absent := b.Map(ir.OpNe, x, x)
	place := l.running(absent, axes)
	slot := b.Map(ir.OpSelect, absent, b.Sub(place, b.Num(1)), b.Size(count))
	filled := b.Map(ir.OpSelect, absent, b.Gather(unknowns, slot, whole), x)
	if l.complete == nil {
		l.complete = map[*ir.Value]*ir.Value{}
	}
	l.complete[filled] = x
	return filled
}

// A Redrawn is a datum of new rows whose missing entries are drawn from their distribution.
type Redrawn struct {
	Name string
	Leaf *ir.Value // the draws, of all entries
	In   *Param    // its type
}

// redrawn returns a modelled datum with draws in place of its missing entries.
func (l *Model) redrawn(g *ast.Group, s *check.Symbol, x *ir.Value, axes []*ir.Axis) *ir.Value {
	r := &Redrawn{Name: s.Name, Leaf: l.B.Leaf(ir.OpData, model.DrawnPrefix+s.Name, axes...)}
	r.In = &Param{Name: s.Name, Type: types.Type{Kind: s.Type.Kind, Ends: s.Type.Ends},
		Family: axes}
	copy(r.In.ends[:], g.Type.Ends)
	l.Redrawn = append(l.Redrawn, r)
	filled := l.B.Map(ir.OpSelect, l.B.Map(ir.OpNe, x, x), r.Leaf, x)
	if l.complete == nil {
		l.complete = map[*ir.Value]*ir.Value{}
	}
	l.complete[filled] = x
	return filled
}

// asData returns a value with the data themselves, where it reads unknowns in place of missing
// entries.
func (l *Model) asData(v *ir.Value) *ir.Value {
	if len(l.complete) == 0 {
		return v
	}
	return ir.Rewrite(l.B, []*ir.Value{v},
		func(_ *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value { return l.complete[v] })[0]
}

// seen returns the log density f of the data y, with 0 where an entry of y is missing; nil if no
// entry can be.
func (l *Model) seen(f, y *ir.Value, own []*ir.Axis) *ir.Value {
	b, data := l.B, l.asData(y)
	if data == y {
		return nil
	}
	absent := b.Map(ir.OpGt, b.Sum(b.Map(ir.OpNe, data, data), own...), b.Num(0))
	return b.Map(ir.OpSelect, absent, b.Num(0), f)
}

// running returns the cumulative sum of v over its entries in row-major order.
func (l *Model) running(v *ir.Value, axes []*ir.Axis) *ir.Value {
	b := l.B
	switch len(axes) {
	case 0:
		return v
	case 1:
		return b.CumSum(v, axes[0], false)
	}
	flat := l.oneAxis(tensor{v: v, axes: axes})
	return b.Unflatten(b.CumSum(b.Flatten(v, axes, flat), flat, false), flat, axes)
}
