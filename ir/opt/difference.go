package opt

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Differences moves a subtraction through linear ops, where both sides are computed in the same way
// from two states. It is for the function "difference", whose outputs are gradients at a state
// minus those at an anchor. A product with a row's data is then computed once instead of once for
// each state.
//
//	contract(a, x) − contract(b, x)        → contract(a − b, x)
//	Σ a − Σ b                              → Σ (a − b)
//	scatter(a at i) − scatter(b at i)      → scatter((a − b) at i), and so for gather, rename, slice, …
//	x·a − x·b,  a/x − b/x                  → x·(a − b),  (a − b)/x
//	s·contract(a, x) − t·contract(b, x)    → contract(s·a − t·b, x), s and t numbers that depend on no row; so for sums and scatters
//	(where c: a, else 0) − (… b, else 0)   → where c: a − b, else 0
//	(y − a) − (y − b)                      → −(a − b)
//
// The two sides are twins: the same ops on the same leaves, except for the states, which on one
// side are the anchor's (model.AnchorPrefix). A value with several users is kept, since it is
// computed anyway, until all its users have become the same subtraction.
func Differences(b *ir.Builder, f *ir.Func) *ir.Func {
	for {
		d := newDifferences(b, f)
		values := f.Values()
		moved := map[*ir.Value]*ir.Value{}
		for _, v := range values {
			if is(v, ir.OpSub) {
				if out := d.moved(v.Args[0], v.Args[1]); out != nil {
					moved[v] = out
				}
			}
		}
		if len(moved) == 0 {
			return f
		}
		f = ir.RewriteFunc(b, f,
			func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value { return moved[v] })
	}
}

type differences struct {
	b     *ir.Builder
	users map[*ir.Value]int
	looks map[*ir.Value]uint64
	known map[[2]*ir.Value]*ir.Value // results of moved
}

func newDifferences(b *ir.Builder, f *ir.Func) *differences {
	d := &differences{b: b, users: map[*ir.Value]int{}, looks: map[*ir.Value]uint64{},
		known: map[[2]*ir.Value]*ir.Value{}}
	for _, v := range f.Values() {
		d.looks[v] = d.look(v)
		for _, a := range v.Args {
			d.users[a]++
		}
	}
	for _, o := range f.Outputs {
		d.users[o.Value]++
	}
	return d
}

// look returns a hash that is equal for twins, and rarely for other values. It does not depend on
// the order of commuting arguments, which may differ between twins.
func (d *differences) look(v *ir.Value) uint64 {
	key := []byte(v.Op.Name + "|")
	name := v.Name
	switch v.Op {
	case ir.OpState:
		name = strings.TrimPrefix(name, model.AnchorPrefix)
	case ir.OpCarry: // its number is unique to it
		name = ""
	}
	key = append(append(key, name...), '|')
	if v.Op == ir.OpConst {
		key = strconv.AppendFloat(key, v.Num, 'g', -1, 64)
	}
	args := make([]uint64, len(v.Args))
	for i, a := range v.Args {
		args[i] = d.looks[a]
	}
	if v.Op.Commutes {
		slices.Sort(args)
	}
	for _, a := range args {
		key = strconv.AppendUint(append(key, ' '), a, 16)
	}
	key = strconv.AppendInt(append(append(key, v.Off.String()...), '|'), int64(v.Part+v.Stride), 10)
	key = strconv.AppendBool(strconv.AppendBool(key, v.Mode != ir.Plain), v.Sparse)
	for _, a := range v.Over {
		key = strconv.AppendInt(append(key, ' '), int64(a.ID), 10)
	}
	if v.To != nil {
		key = strconv.AppendInt(append(key, '>'), int64(v.To.ID), 10)
	}
	var ids []int
	for _, a := range v.Axes {
		ids = append(ids, a.ID)
	}
	slices.Sort(ids) // sorted, since order does not matter
	for _, id := range ids {
		key = strconv.AppendInt(append(key, '.'), int64(id), 10)
	}
	h := fnv.New64a()
	h.Write(key)
	return h.Sum64()
}

// twins reports whether two values are twins that nothing else uses.
func (d *differences) twins(u, v *ir.Value) bool {
	return u.Op == v.Op && d.looks[u] == d.looks[v] && d.users[u] == 1 && d.users[v] == 1 &&
		ir.SameAxes(u.Axes, v.Axes) && slices.Equal(u.Over, v.Over) && u.To == v.To
}

// sub returns u − v with the subtraction moved as far inside as possible.
func (d *differences) sub(u, v *ir.Value) *ir.Value {
	if u == v {
		return d.b.Num(0)
	}
	if out := d.moved(u, v); out != nil {
		return out
	}
	return d.b.Sub(u, v)
}

// moved returns u − v with the subtraction inside; nil where it stays outside.
func (d *differences) moved(u, v *ir.Value) *ir.Value {
	if !d.twins(u, v) || u == v {
		return nil
	}
	pair := [2]*ir.Value{u, v}
	out, ok := d.known[pair]
	if !ok {
		out = d.move(u, v)
		d.known[pair] = out
	}
	return out
}

func (d *differences) move(u, v *ir.Value) *ir.Value {
	switch u.Op {
	case ir.OpAdd, ir.OpSub, ir.OpNeg:
		return d.terms(u, v)
	case ir.OpMul, ir.OpContract:
		for i, x := range u.Args {
			if j := slices.Index(v.Args, x); j >= 0 {
				return d.b.Like(u, []*ir.Value{d.sub(u.Args[1-i], v.Args[1-j]), x})
			}
		}
		return d.scaled(u, v)
	case ir.OpMul0:
		switch { // a value that is 0 where its first argument is
		case u.Args[1] == v.Args[1]:
			return d.b.Map(ir.OpMul0, d.sub(u.Args[0], v.Args[0]), u.Args[1])
		case u.Args[0] == v.Args[0]:
			return d.b.Map(ir.OpMul0, u.Args[0], d.sub(u.Args[1], v.Args[1]))
		}
	case ir.OpSelect:
		if u.Args[0] == v.Args[0] {
			return d.b.Map(ir.OpSelect, u.Args[0], d.sub(u.Args[1], v.Args[1]),
				d.sub(u.Args[2], v.Args[2]))
		}
	case ir.OpDiv, ir.OpGather, ir.OpScatter:
		if u.Args[1] == v.Args[1] {
			return d.b.Like(u, []*ir.Value{d.sub(u.Args[0], v.Args[0]), u.Args[1]})
		}
	case ir.OpTriangularSolve:
		if u.Args[0] == v.Args[0] {
			return d.b.Like(u, []*ir.Value{u.Args[0], d.sub(u.Args[1], v.Args[1])})
		}
	case ir.OpSum, ir.OpRename, ir.OpSlice, ir.OpPad, ir.OpAt, ir.OpPlace, ir.OpDiagonal,
		ir.OpCumSum, ir.OpLayout,
		ir.OpSpread, ir.OpFlatten, ir.OpUnflatten, ir.OpWindow, ir.OpWindowAdd:
		return d.b.Like(u, []*ir.Value{d.sub(u.Args[0], v.Args[0])})
	case ir.OpStack:
		args := make([]*ir.Value, len(u.Args))
		for i := range args {
			args[i] = d.sub(u.Args[i], v.Args[i])
		}
		return d.b.Like(u, args)
	}
	return nil
}

// scaled returns s·u − t·v, with numbers s and t that depend on no row and sums over rows u and v,
// with the numbers moved inside; nil where that gains nothing.
func (d *differences) scaled(u, v *ir.Value) *ir.Value {
	s, u := d.core(u)
	t, v := d.core(v)
	if s == nil || t == nil || u == v || !d.twins(u, v) {
		return nil
	}
	inside := func(x, y *ir.Value) *ir.Value { return d.b.Sub(d.b.Mul(s, x), d.b.Mul(t, y)) }
	switch u.Op {
	case ir.OpContract:
		for i, x := range u.Args {
			if j := slices.Index(v.Args, x); j >= 0 {
				return d.b.Like(u, []*ir.Value{inside(u.Args[1-i], v.Args[1-j]), x})
			}
		}
	case ir.OpScatter:
		if u.Args[1] == v.Args[1] {
			return d.b.Like(u, []*ir.Value{inside(u.Args[0], v.Args[0]), u.Args[1]})
		}
	case ir.OpSum:
		return d.b.Like(u, []*ir.Value{inside(u.Args[0], v.Args[0])})
	}
	return nil
}

// core splits a product into a number that depends on no row, and the rest; the number is nil
// without such a factor.
func (d *differences) core(v *ir.Value) (number, rest *ir.Value) {
	for rest = v; is(rest, ir.OpMul) && (rest == v || d.users[rest] == 1); {
		i := slices.IndexFunc(rest.Args,
			func(a *ir.Value) bool { return len(a.Axes) == 0 && !a.AnyRows() })
		if i < 0 || !rest.Args[1-i].AnyRows() {
			break
		}
		if number == nil {
			number = rest.Args[i]
		} else {
			number = d.b.Mul(number, rest.Args[i])
		}
		rest = rest.Args[1-i]
	}
	return number, rest
}

// A termOf is one of the terms of a sum.
type termOf struct {
	v     *ir.Value
	minus bool
}

// termsOf splits a sum into its terms; parts with other users are kept whole.
func (d *differences) termsOf(v *ir.Value, minus, top bool) []termOf {
	if top || d.users[v] == 1 {
		switch v.Op {
		case ir.OpNeg:
			return d.termsOf(v.Args[0], !minus, false)
		case ir.OpAdd, ir.OpSub:
			return append(d.termsOf(v.Args[0], minus, false),
				d.termsOf(v.Args[1], minus != is(v, ir.OpSub), false)...)
		}
	}
	return []termOf{{v, minus}}
}

// terms returns the difference of two sums, with each term paired with its twin; nil where no pair
// gains anything.
func (d *differences) terms(u, v *ir.Value) *ir.Value {
	left, right := d.termsOf(u, false, true), d.termsOf(v, true, true)
	var out []termOf
	gained := false
	for _, t := range left {
		at := slices.IndexFunc(right,
			func(s termOf) bool { return s.minus != t.minus && d.looks[s.v] == d.looks[t.v] })
		if at < 0 {
			out = append(out, t)
			continue
		}
		s := right[at]
		right = slices.Delete(right, at, at+1)
		if s.v == t.v { // equal on both sides
			gained = true
			continue
		}
		x := d.moved(t.v, s.v)
		gained = gained || x != nil
		if x == nil {
			x = d.b.Sub(t.v, s.v)
		}
		out = append(out, termOf{x, t.minus})
	}
	if !gained {
		return nil
	}
	out = append(out, right...)
	if len(out) == 0 {
		return d.b.Num(0)
	}
	sum := out[0].v
	if out[0].minus {
		sum = d.b.Neg(sum)
	}
	for _, t := range out[1:] {
		if t.minus {
			sum = d.b.Sub(sum, t.v)
		} else {
			sum = d.b.Add(sum, t.v)
		}
	}
	return sum
}
