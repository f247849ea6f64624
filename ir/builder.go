package ir

import (
	"math"
	"strconv"

	"github.com/sgppl/sgppl/runtime/math/size"
)

var negInf = math.Inf(-1)

func sizeConst(n int) size.Poly { return size.Const(n) }

// A Builder makes values. Equal values are made once (common subexpressions
// never arise), so a Builder is also the pass that removes them.
type Builder struct {
	next   int
	axes   int
	scans  int
	values map[string]*Value
	key    []byte // the identity of the value that is being made
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder { return &Builder{values: map[string]*Value{}} }

// Axis makes a fresh axis.
func (b *Builder) Axis(name string, n size.Poly) *Axis {
	b.axes++
	return &Axis{ID: b.axes, Name: name, Size: n}
}

// Make interns a value: op, arguments, axes and attributes decide its identity.
func (b *Builder) Make(v Value) *Value {
	if v.Op.Commutes && len(v.Args) == 2 && v.Args[0].ID > v.Args[1].ID {
		v.Args = []*Value{v.Args[1], v.Args[0]}
	}
	return b.MakeOrdered(v)
}

// MakeOrdered is Make for a value whose arguments must stay in their order.
func (b *Builder) MakeOrdered(v Value) *Value {
	b.key = b.identity(b.key[:0], &v)
	if old, ok := b.values[string(b.key)]; ok {
		if old.Hint == "" {
			old.Hint = v.Hint
		}
		return old
	}
	b.next++
	p := new(Value)
	*p = v
	p.ID = b.next
	p.state = p.Op == OpState || p.Op == OpLocal || p.Op == OpCarry && p.Mode == OfState
	p.rows = p.Op == OpSize && len(p.Over) > 0
	for _, a := range p.Args {
		p.state = p.state || a.state
		p.rows = p.rows || a.rows
	}
	for _, a := range p.Axes {
		p.rows = p.rows || a.Rows
	}
	b.values[string(b.key)] = p
	return p
}

// identity appends what decides which value v is: two values with one identity
// are one value. It is written by hand, for passes ask for it at every value.
func (b *Builder) identity(key []byte, v *Value) []byte {
	key = append(key, v.Op.Name...)
	for _, a := range v.Args {
		key = strconv.AppendInt(append(key, ' '), int64(a.ID), 10)
	}
	if v.Op == OpConst {
		key = strconv.AppendUint(append(key, ' '), math.Float64bits(v.Num), 16)
	}
	if v.Op.Draws() {
		key = strconv.AppendInt(append(key, " #"...), int64(b.next), 10) // no two draws are one
	}
	key = append(append(key, '|'), v.Name...)
	key = append(key, '|')
	if len(v.Off.Terms) > 0 {
		key = append(key, v.Off.String()...)
	}
	key = append(key, '|')
	key = strconv.AppendInt(key, int64(v.Mode), 10)
	key = strconv.AppendBool(key, v.Sparse)
	key = strconv.AppendInt(key, int64(v.Part+v.Stride), 10)
	key = append(key, '|')
	key = appendIDs(key, v.Over)
	if v.To != nil {
		key = strconv.AppendInt(append(key, '>'), int64(v.To.ID), 10)
	}
	return appendIDs(append(key, '|'), v.Axes)
}

func appendIDs(key []byte, axes []*Axis) []byte {
	for _, a := range axes {
		key = strconv.AppendInt(append(key, ' '), int64(a.ID), 10)
	}
	return key
}

// Num is a constant.
func (b *Builder) Num(x float64) *Value { return b.Make(Value{Op: OpConst, Num: x}) }

// Size is a size as a number.
func (b *Builder) Size(n size.Poly) *Value {
	if k, ok := n.Number(); ok {
		return b.Num(float64(k))
	}
	return b.Make(Value{Op: OpSize, Off: n})
}

// AxisSize is the length of an axis as a number: of the batch for the row axis.
func (b *Builder) AxisSize(a *Axis) *Value {
	if a.Rows {
		return b.Make(Value{Op: OpSize, Over: []*Axis{a}})
	}
	return b.Size(a.Size)
}

// Iota is the index along an axis.
func (b *Builder) Iota(a *Axis) *Value { return b.Make(Value{Op: OpIota, Axes: []*Axis{a}}) }

// Leaf is a state block, datum or run-time scalar.
func (b *Builder) Leaf(op *Op, name string, axes ...*Axis) *Value {
	return b.Make(Value{Op: op, Name: name, Axes: axes, Hint: name})
}

// LeafLike is the same leaf along other axes.
func (b *Builder) LeafLike(v *Value, axes ...*Axis) *Value {
	return b.Make(Value{Op: v.Op, Name: v.Name, Mode: v.Mode, Axes: axes, Hint: v.Name})
}

// Logarithm is a local that holds the logarithms of positive numbers, which are finite.
func (b *Builder) Logarithm(name string, axes ...*Axis) *Value {
	return b.Make(Value{Op: OpLocal, Name: name, Mode: Logarithms, Axes: axes, Hint: name})
}

// SparseData is a datum kept as compressed rows.
func (b *Builder) SparseData(name string, axes ...*Axis) *Value {
	return b.Make(Value{Op: OpData, Name: name, Axes: axes, Hint: name, Sparse: true})
}

// Map applies an elementwise op to values; the axes of the result are the union of theirs. It
// folds constants and removes operations without effect, such as x + 0, so derivative rules need
// not look for these.
func (b *Builder) Map(op *Op, args ...*Value) *Value {
	if v := b.fold(op, args); v != nil {
		return v
	}
	var axes []*Axis
	// The layout follows the argument with the most axes.
	for _, a := range args {
		if len(a.Axes) > len(axes) {
			axes = a.Axes
		}
	}
	for _, a := range args {
		axes = union(axes, a.Axes)
	}
	return b.Make(Value{Op: op, Args: args, Axes: axes})
}

// fold evaluates ops on constants and drops neutral elements.
func (b *Builder) fold(op *Op, args []*Value) *Value {
	constant := len(args) > 0
	var x [3]float64
	for i, a := range args {
		c, ok := a.Const()
		constant = constant && ok
		x[i] = c
	}
	if constant {
		return b.Num(op.Eval(x))
	}
	switch {
	case op == OpAdd && args[0].Is(0), op == OpMul && args[0].Is(1):
		return args[1]
	case op == OpAdd && args[1].Is(0), op == OpSub && args[1].Is(0),
		op == OpMul && args[1].Is(1), op == OpDiv && args[1].Is(1), op == OpPow && args[1].Is(1):
		return args[0]
	case op == OpSub && args[0].Is(0), op == OpMul && args[0].Is(-1):
		return b.Neg(args[len(args)-1])
	case op == OpMul && args[1].Is(-1):
		return b.Neg(args[0])
	case op == OpNeg && args[0].Op == OpNeg:
		return args[0].Args[0]
	case op == OpSelect && args[1] == args[2]:
		return args[1]
	case op == OpSelect:
		if c, ok := args[0].Const(); ok && c != 0 {
			return args[1]
		} else if ok {
			return args[2]
		}
	}
	return nil
}

func (b *Builder) Add(x, y *Value) *Value { return b.Map(OpAdd, x, y) }
func (b *Builder) Sub(x, y *Value) *Value { return b.Map(OpSub, x, y) }
func (b *Builder) Mul(x, y *Value) *Value { return b.Map(OpMul, x, y) }
func (b *Builder) Div(x, y *Value) *Value { return b.Map(OpDiv, x, y) }
func (b *Builder) Neg(x *Value) *Value    { return b.Map(OpNeg, x) }

// Sum sums over axes. One that the argument lacks multiplies by its size.
func (b *Builder) Sum(x *Value, over ...*Axis) *Value {
	var has []*Axis
	factor := b.Num(1)
	for _, a := range over {
		if x.Has(a) {
			has = append(has, a)
		} else {
			factor = b.Mul(factor, b.AxisSize(a))
		}
	}
	if len(has) > 0 {
		x = b.Make(Value{Op: OpSum, Args: []*Value{x}, Over: has, Axes: without(x.Axes, has)})
	}
	return b.Mul(factor, x)
}

// Reduce takes away an axis by prod, reduce_max, reduce_min or log_sum_exp;
// the largest and the smallest may be of several axes at once.
func (b *Builder) Reduce(op *Op, x *Value, axes ...*Axis) *Value {
	if len(axes) > 1 {
		if axes = without(axes, without(axes, x.Axes)); len(axes) == 0 {
			return x
		}
		return b.Make(Value{Op: op, Args: []*Value{x}, Over: axes, Axes: without(x.Axes, axes)})
	}
	over := axes[0]
	if !x.Has(over) {
		switch op {
		case OpProd:
			return b.Map(OpPow, x, b.AxisSize(over))
		case OpLogSumExp:
			return b.Add(x, b.Map(OpLog, b.AxisSize(over)))
		}
		return x
	}
	return b.Make(Value{Op: op, Args: []*Value{x}, Over: []*Axis{over},
		Axes: without(x.Axes, []*Axis{over})})
}

// Contract is Σ over the axes of x y.
func (b *Builder) Contract(x, y *Value, over ...*Axis) *Value {
	if len(without(over, x.Axes)) > 0 || len(without(over, y.Axes)) > 0 {
		return b.Sum(b.Mul(x, y), over...)
	}
	return b.Make(Value{Op: OpContract, Args: []*Value{x, y}, Over: over,
		Axes: without(union(x.Axes, y.Axes), over)})
}

// Random is a draw for every entry of the axes.
func (b *Builder) Random(op *Op, axes []*Axis, args ...*Value) *Value {
	for _, a := range args {
		axes = union(axes, a.Axes)
	}
	return b.Make(Value{Op: op, Args: args, Axes: axes})
}

// Like makes a value with the op and the attributes of v and with other arguments: the step of a
// pass that rebuilds a graph. Where the new arguments have other axes than the old ones, the axes
// of the result change with them.
func (b *Builder) Like(v *Value, args []*Value) *Value {
	out := b.like(v, args)
	if out.Hint == "" && v.Hint != "" && out.Op == v.Op {
		out.Hint = v.Hint
	}
	return out
}

func (b *Builder) like(v *Value, args []*Value) *Value {
	if v.Op.Rebuild != nil {
		return v.Op.Rebuild(b, v, args)
	}
	switch v.Op {
	case OpScan:
		return b.ScanPart(args, v.Over[0], v.To, v.Mode == Reverse, v.Part)
	case OpOde:
		return b.Ode(args, v.Over, v.To, v.Mode == Stiff, v.Part)
	case OpNow:
		return b.Now(args[0], v.Over[0], v.Name)
	}
	switch {
	case v.Op == OpContract:
		return b.Contract(args[0], args[1], v.Over...)
	case v.Op == OpSum:
		return b.Sum(args[0], v.Over...)
	case v.Op.Class == Map:
		return b.Map(v.Op, args...)
	case v.Op.Class == Reduce:
		return b.Reduce(v.Op, args[0], v.Over...)
	case v.Op.Class == Random:
		return b.Random(v.Op, v.Axes, args...)
	}
	switch v.Op {
	case OpGather:
		return b.Gather(args[0], args[1], v.Over[0])
	case OpScatter:
		return b.Scatter(args[0], args[1], v.To, v.Axes)
	case OpSlice:
		return b.Slice(args[0], v.Over[0], v.To, v.Off)
	case OpPad:
		return b.Pad(args[0], v.Over[0], v.To, v.Off)
	case OpExtend:
		return b.Extend(args[0], v.Over[0], v.To, v.Off)
	case OpRows:
		return b.Rows(args[0], v.Over[0], v.To)
	case OpAt:
		return b.At(args[0], v.Over[0], v.Off)
	case OpPlace:
		return b.Place(args[0], v.To, v.Off)
	case OpRename:
		return b.Rename(args[0], v.Over[0], v.To)
	case OpDiagonal:
		return b.Diagonal(args[0], v.Over[0], v.Over[1], v.To)
	case OpStack:
		return b.Stack(v.To, args...)
	case OpCumSum:
		return b.CumSum(args[0], v.Over[0], v.Mode == Reverse)
	case OpLayout:
		return b.Layout(args[0], v.Axes)
	}
	c := *v
	c.Args = args
	return b.Make(c)
}
