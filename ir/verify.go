package ir

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// Verify checks the invariants of a function after a pass: arguments fit their op, no axis occurs
// twice in a value, the axes of a value follow from its arguments, and the graph has no cycle. An
// error is a bug of the compiler.
func Verify(f *Func) error {
	values := f.Values()
	seen := make(map[*Value]bool, len(values))
	for _, v := range values {
		seen[v] = true
		if v.verified != v { // values do not change
			if err := verifyValue(v); err != nil {
				return fmt.Errorf("%s: %%%d = %s: %w", f.ID, v.ID, v.Op.Name, err)
			}
			v.verified = v
		}
		for _, a := range v.Args {
			if !seen[a] {
				return fmt.Errorf("%s: %%%d uses %%%d before it is made", f.ID, v.ID, a.ID)
			}
		}
	}
	for _, o := range f.Outputs {
		if extra := without(o.Value.Axes, o.Axes); len(extra) > 0 {
			return fmt.Errorf("%s: output %s has no axis %s of its value", f.ID, o.Name,
				axesText(extra))
		}
	}
	return nil
}

func verifyValue(v *Value) error {
	if v.Op.Arity >= 0 && v.Op.Class != Leaf && len(v.Args) != v.Op.Arity {
		return fmt.Errorf("has %d arguments, wants %d", len(v.Args), v.Op.Arity)
	}
	if v.Mode != Plain && v.Mode != v.Op.Mode {
		return fmt.Errorf("is a variant that the op does not have")
	}
	if v.Part != 0 && v.Op.Class != Sequential || v.Stride != 0 && !windowed(v.Op) {
		return fmt.Errorf("has a part or a stride, which are of other ops")
	}
	for i, a := range v.Axes {
		if indexOf(v.Axes[i+1:], a) >= 0 {
			return fmt.Errorf("has axis %s twice", a.Name)
		}
	}
	for i, a := range v.Over {
		if indexOf(v.Over[i+1:], a) >= 0 {
			return fmt.Errorf("works along axis %s twice", a.Name)
		}
	}
	want, err := resultAxes(v)
	if err != nil {
		return err
	}
	if v.Op.Class != Leaf && v.Op.Class != Random && !SameAxes(want, v.Axes) {
		return fmt.Errorf("has axes %s, its arguments give %s", axesText(v.Axes), axesText(want))
	}
	return nil
}

// resultAxes is the shape rule of every class.
func resultAxes(v *Value) ([]*Axis, error) {
	var all []*Axis
	for _, a := range v.Args {
		all = union(all, a.Axes)
	}
	need := func(axes ...*Axis) error {
		for _, a := range axes {
			if indexOf(all, a) < 0 {
				return fmt.Errorf("works along %s, which no argument has", a.Name)
			}
		}
		return nil
	}
	switch {
	case v.Op.Shape != nil:
		return v.Op.Shape(v, all)
	case v.Op.Class == Leaf, v.Op.Class == Map, v.Op.Class == Random:
		return all, nil
	case v.Op == OpContract:
		for _, a := range v.Over {
			if !v.Args[0].Has(a) || !v.Args[1].Has(a) {
				return nil, fmt.Errorf("contracts %s, which one argument lacks", a.Name)
			}
		}
		return without(all, v.Over), nil
	case v.Op.Class == Reduce:
		return without(all, v.Over), need(v.Over...)
	}
	switch v.Op {
	case OpSpread:
		if len(without(v.Over, all)) != len(v.Over) {
			return nil, fmt.Errorf("spreads over an axis that the argument has")
		}
		return append(all, v.Over...), nil
	case OpFlatten:
		if v.To == nil || len(v.Over) == 0 || indexOf(all, v.To) >= 0 {
			return nil, fmt.Errorf("needs axes to flatten and a new one")
		}
		return append(without(all, v.Over), v.To), need(v.Over...)
	case OpUnflatten:
		if v.To == nil || len(v.Over) == 0 || len(without(v.Over, all)) != len(v.Over) {
			return nil, fmt.Errorf("needs new axes in place of one")
		}
		return append(without(all, []*Axis{v.To}), v.Over...), need(v.To)
	case OpTriangle:
		if len(v.Over) != 2 || v.To == nil || !v.Over[1].Size.Equal(v.To.Size) ||
			indexOf(all, v.To) >= 0 {
			return nil, fmt.Errorf("needs rows, columns, and an axis as long as the columns")
		}
		return append(without(all, v.Over[:1]), v.To), need(v.Over...)
	case OpEigenSym:
		if v.To == nil || indexOf(all, v.To) >= 0 || len(v.Over) != 2 ||
			!v.To.Size.Equal(v.Over[0].Size.Add(size.Const(2))) {
			return nil, fmt.Errorf("needs an axis that is longer by two than the matrix")
		}
		rest, err := matrixAxes(v, all)
		return append(without(rest, v.Over[:1]), v.To), err
	case OpOrder:
		if v.To == nil || indexOf(all, v.To) >= 0 || len(v.Over) != 1 ||
			!v.To.Size.Equal(v.Over[0].Size) {
			return nil, fmt.Errorf("needs an axis and another as long")
		}
		return append(without(all, v.Over), v.To), need(v.Over...)
	case OpScan:
		return scanAxes(v)
	case OpOde:
		return verifyOde(v)
	case OpNow:
		return without(all, v.Over), need(v.Over...)
	case OpGather:
		if len(v.Over) == 1 && v.Args[1].Has(v.Over[0]) {
			return nil, fmt.Errorf("has the axis %s in its index", v.Over[0].Name)
		}
		return union(v.Args[1].Axes, without(v.Args[0].Axes, v.Over)), need(v.Over...)
	case OpScatter:
		if indexOf(all, v.To) >= 0 {
			return nil, fmt.Errorf("scatters what has the axis %s already", v.To.Name)
		}
		if !SameAxes(v.Axes, union(v.Over, []*Axis{v.To})) {
			return nil, fmt.Errorf("has axes %s, keeps %s", axesText(v.Axes), axesText(v.Over))
		}
		return v.Axes, nil
	case OpPlace, OpStack:
		return append(all, v.To), nil
	case OpAt:
		return without(all, v.Over), need(v.Over...)
	case OpCumSum, OpLayout:
		return all, need(v.Over...)
	}
	if v.To == nil {
		return nil, fmt.Errorf("lacks its new axis")
	}
	return append(without(all, v.Over), v.To), need(v.Over...)
}

// matrixAxes is the shape rule of the ops of square matrices.
func matrixAxes(v *Value, all []*Axis) ([]*Axis, error) {
	if len(v.Over) != 2 || !v.Over[0].Size.Equal(v.Over[1].Size) {
		return nil, fmt.Errorf("works along axes %s, which are no square matrix", axesText(v.Over))
	}
	i, j := v.Over[0], v.Over[1]
	for k, a := range v.Args {
		want := v.Over
		if v.Op == OpTriangularSolve && k == 1 {
			want = []*Axis{i}
			if v.Mode == Transposed {
				want = []*Axis{j}
			}
		}
		if has := without(v.Over, without(v.Over, a.Axes)); !SameAxes(has, want) {
			return nil, fmt.Errorf("argument %d has axes %s of the matrix, wants %s", k,
				axesText(has), axesText(want))
		}
	}
	if v.Op == OpTriangularSolve {
		drop := i
		if v.Mode == Transposed {
			drop = j
		}
		return without(all, []*Axis{drop}), nil
	}
	return all, nil
}
