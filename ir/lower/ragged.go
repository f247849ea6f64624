package lower

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Ragged sizes. A dim T(S) has a length for every index of S. Its axes are as long as the longest
// row; entries beyond a row's length are padding. Sums, plates and other reductions leave padding
// out by masks, which are made from the row lengths in the data. Elementwise operations compute
// values for padding that nothing reads.

// A boundIndex chooses a row: it is the index of a plate or comprehension, with its axis and first
// value, or an index computed from data.
type boundIndex struct {
	axis   *ir.Axis
	lo     types.Size
	chosen *ir.Value // computed from data; nil for a bound index
}

// padded replaces lengths of ragged rows by the length of the longest row.
func (l *Model) padded(p types.Size) types.Size {
	by := map[string]types.Size{}
	for _, d := range p.Dims() {
		if dim, of := types.SplitRagged(d); of != "" {
			by[d] = size.Dim(dim)
		}
	}
	if len(by) == 0 {
		return p
	}
	return types.SubstSize(p, by)
}

// isRagged reports whether a size, with the size variables of frames resolved,
// is the length of a row.
func (l *Model) isRagged(p types.Size) bool {
	for _, d := range l.own(p).Dims() {
		if _, of := types.SplitRagged(d); of != "" || l.ragged[d] {
			return true
		}
	}
	return false
}

// length is a size as a number: that of the current row, where it is ragged.
func (l *Model) length(p types.Size) *ir.Value {
	p = l.own(p)
	if !l.isRagged(p) {
		return l.B.Size(p)
	}
	return l.polynomial(p, func(d string) *ir.Value {
		dim, of := types.SplitRagged(d)
		if of == "" {
			return nil
		}
		at, ok := l.rows[of]
		if !ok {
			at = l.indices[of]
		}
		if at.chosen != nil {
			parent := l.axis(size.Dim(l.parents[dim]))
			return l.B.Gather(l.B.Leaf(ir.OpData, data.LengthsOf(dim), parent), at.chosen, parent)
		}
		return l.lengths(dim, at.axis, at.lo)
	})
}

// settled returns a size in which the rows chosen by visible bound indices have permanent names,
// valid after the indices go out of scope.
func (l *Model) settled(p types.Size) types.Size {
	by := map[string]types.Size{}
	for _, d := range p.Dims() {
		dim, of := types.SplitRagged(d)
		if at, ok := l.indices[of]; ok && of != "" {
			if _, settled := l.rows[of]; !settled {
				by[d] = size.Dim(types.Ragged(dim, l.rowNamed(at)))
			}
		}
	}
	if len(by) == 0 {
		return p
	}
	return types.SubstSize(p, by)
}

// rowNamed makes a name for a row. No name in a model can be equal to it.
func (l *Model) rowNamed(at boundIndex) string {
	index := at.chosen
	if index == nil {
		index = l.B.Add(l.B.Iota(at.axis), l.B.Size(at.lo))
	}
	name := fmt.Sprintf("#%d", index.ID)
	l.rows[name] = at
	return name
}

// chooseRow records the row that an expression of data chooses, since the types of enclosing
// expressions refer to its length.
func (l *Model) chooseRow(e ast.Expr, index *ir.Value) {
	row, ok := l.Checked.Rows[e]
	if !ok {
		return
	}
	name := l.rowNamed(boundIndex{chosen: index})
	if l.frame.sizes == nil {
		l.frame.sizes = map[string]types.Size{}
	}
	for dim := range l.ragged {
		l.frame.sizes[types.Ragged(dim, row)] = size.Dim(types.Ragged(dim, name))
	}
}

// chooseRows calls chooseRow for the rows T(g[n]) in an expression that is a size.
func (l *Model) chooseRows(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Paren:
		l.chooseRows(e.X)
	case *ast.Unary:
		l.chooseRows(e.X)
	case *ast.Binary:
		l.chooseRows(e.X)
		l.chooseRows(e.Y)
	case *ast.Range:
		for _, x := range []ast.Expr{e.Lo, e.Hi} {
			if x != nil {
				l.chooseRows(x)
			}
		}
	case *ast.Call:
		for _, a := range e.Args {
			if _, ok := l.Checked.Rows[a.Value]; ok {
				l.chooseRow(a.Value, l.expr(a.Value).v)
			}
		}
	}
}

// lengths returns the data of row lengths of a ragged dim, for the rows of an axis.
func (l *Model) lengths(dim string, rows *ir.Axis, lo types.Size) *ir.Value {
	parent := l.axis(size.Dim(l.parents[dim]))
	return l.B.Slice(l.B.Leaf(ir.OpData, data.LengthsOf(dim), parent), parent, rows, lo)
}

// inside is 1 for the entries along an axis that belong to the current row; nil where all do. The
// axis has the size p; shape and axes are those of the array it is one of, which may hold the rows
// themselves.
func (l *Model) inside(a *ir.Axis, p types.Size, shape types.Shape, axes []*ir.Axis) *ir.Value {
	if !l.isRagged(p) {
		return nil
	}
	own := l.own(p)
	for _, d := range own.Dims() {
		if !l.ragged[d] {
			continue
		}
		// A ragged dim that follows its parent dim in a shape: [S, T].
		for i, q := range shape {
			if name, ok := l.own(q).Name(); ok && name == l.parents[d] {
				n := l.lengths(d, axes[i], zeroSize)
				return l.B.Map(ir.OpLt, l.B.Iota(a), l.polynomial(own, func(x string) *ir.Value {
					if x == d {
						return n
					}
					return nil
				}))
			}
		}
		return nil
	}
	return l.B.Map(ir.OpLt, l.B.Iota(a), l.length(p))
}

// polynomial returns a size as a value; own gives the values of dims that are not fixed, nil for
// others.
func (l *Model) polynomial(p types.Size, own func(dim string) *ir.Value) *ir.Value {
	b := l.B
	sum := b.Num(0)
	for _, t := range p.Terms {
		v := b.Num(float64(t.Coef))
		for _, d := range t.Dims {
			n := own(d)
			if n == nil {
				n = b.Size(size.Dim(d))
			}
			v = b.Mul(v, n)
		}
		sum = b.Add(sum, v)
	}
	if p.Over > 1 {
		sum = b.Div(sum, b.Num(float64(p.Over)))
	}
	return sum
}

// neutral has, for each reduction, the number that padding is replaced by.
var neutral = map[string]float64{"sum": 0, "mean": 0, "any": 0, "all": 1, "sd": 0, "variance": 0,
	"prod": 1,
	"min":  math.Inf(1), "max": math.Inf(-1), "log_sum_exp": math.Inf(-1)}

// pad replaces padding along axes of plates and comprehensions by a number; the axes are looked up
// in masks.
func (l *Model) pad(v *ir.Value, with float64, axes []*ir.Axis) *ir.Value {
	for _, a := range axes {
		if mask := l.masks[a]; mask != nil {
			v = l.B.Map(ir.OpSelect, mask, v, l.B.Num(with))
		}
	}
	return v
}

// padArray replaces padding along the axes of an array by a number.
func (l *Model) padArray(t tensor, shape types.Shape, with float64) tensor {
	for i, a := range t.axes {
		if mask := l.inside(a, shape[i], shape, t.axes); mask != nil {
			t.v = l.B.Map(ir.OpSelect, mask, t.v, l.B.Num(with))
		}
	}
	return t
}

// counted returns the number of entries along axes, without padding.
func (l *Model) counted(over []*ir.Axis, masks []*ir.Value) *ir.Value {
	v := l.B.Num(1)
	for _, m := range masks {
		v = l.B.Mul(v, m)
	}
	return l.B.Sum(v, over...)
}

// OfEntry reports whether a local in these plates belongs to an entry of a row instead of to the
// row: whether a plate is ragged.
func (l *Model) OfEntry(plates []*ir.Axis) bool {
	return slices.ContainsFunc(plates, func(a *ir.Axis) bool { return l.masks[a] != nil })
}

// Here is 1 for the entries of a term that are not padding.
func (l *Model) Here(t *Term) *ir.Value {
	b, v := l.B, l.B.Num(1)
	if t.here != nil {
		v = t.here
	}
	for _, a := range t.Over {
		if mask := l.masks[a]; mask != nil {
			v = b.Mul(v, mask)
		}
	}
	return v
}
