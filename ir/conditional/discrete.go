package conditional

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A choice is a value as a function of a discrete unknown.
type choice struct {
	// at reads one entry of the unknown for every entry of the value, and each is the value with all
	// that the entry may be along the axis of values; at is nil for the other form.
	at, each *ir.Value
	affine   *ir.Value // affine in the indicators of values, with leaves for these
}

// An enumeration writes a log density as a function that is affine in the indicators of values of a
// discrete unknown, 1[z = k].
type enumeration struct {
	*reader
	values *ir.Axis
	known  map[*ir.Value]choice
}

const indicator = "indicator"

// categories is the conditional of discrete numbers: the log weight of each value of each entry is
// the derivative of the density by the indicator of the value.
func (r *reader) categories(density *ir.Value) *Conditional {
	x := &enumeration{r, r.b.Axis("value", r.u.Values), map[*ir.Value]choice{}}
	for _, v := range ir.Reach(density) {
		if r.reads[v] {
			x.known[v] = x.of(v)
		}
	}
	axes := append(r.u.axes(), x.values)
	whole, name := x.written(density), r.u.Name+" "+indicator
	return &Conditional{Law: target.CategoryLaw, Outputs: []ir.Output{
		{Name: r.u.Said + " weights", Value: r.gradient(whole, name, axes), Axes: axes}}}
}

// written is a value as one that is affine in the indicators.
func (x *enumeration) written(v *ir.Value) *ir.Value {
	if !x.reads[v] {
		return v
	}
	c := x.known[v]
	if c.at == nil {
		return c.affine
	}
	hit := ir.Rewrite(x.b, []*ir.Value{c.at},
		func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
			if !x.u.is(v) {
				return nil
			}
			return b.Leaf(ir.OpState, x.u.Name+" "+indicator,
				append(slices.Clone(v.Axes), x.values)...)
		})[0]
	return x.b.Sum(x.b.Mul(hit, c.each), x.values)
}

// of is the form of a value that depends on the unknown, after those of its arguments.
func (x *enumeration) of(v *ir.Value) choice {
	b := x.b
	if x.u.is(v) {
		return choice{at: v, each: b.Iota(x.values)}
	}
	if selects(v.Op) && !x.anyReads(v.Args[1:]) {
		if c := x.known[v.Args[0]]; c.at != nil {
			like := func(y *ir.Value) *ir.Value {
				if v.Op == ir.OpLayout {
					return y
				}
				return b.Like(v, append([]*ir.Value{y}, v.Args[1:]...))
			}
			return choice{at: like(c.at), each: like(c.each)}
		}
	}
	if v.Op.Class == ir.Reduce {
		if c := x.known[v.Args[0]]; c.at != nil && !slices.ContainsFunc(v.Over, c.at.Has) {
			return choice{at: c.at, each: b.Like(v, []*ir.Value{c.each})}
		}
	}
	if v.Op.Class == ir.Map || v.Op == ir.OpGather {
		if c, ok := x.mapped(v); ok {
			return c
		}
	}
	return choice{affine: x.affine(v)}
}

// mapped is a function of one entry of the unknown, and of what is free of it.
func (x *enumeration) mapped(v *ir.Value) (choice, bool) {
	var at *ir.Value
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		if args[i] = a; !x.reads[a] {
			continue
		}
		c := x.known[a]
		if c.at == nil || at != nil && at != c.at {
			return choice{}, false
		}
		at, args[i] = c.at, c.each
	}
	if v.Op == ir.OpGather {
		along := v.Over[0]
		if args[1] == x.b.Iota(x.values) && along.Size.Equal(x.values.Size) && !args[0].Has(x.values) {
			return choice{at: at, each: x.b.Rename(args[0], along, x.values)}, true
		}
	}
	return choice{at: at, each: x.b.Like(v, args)}, true
}

// affine is a value of ops that are linear in what depends on the unknown.
func (x *enumeration) affine(v *ir.Value) *ir.Value {
	args := slices.Clone(v.Args)
	ok := false
	switch {
	case linear(v.Op) && !x.anyReads(v.Args[1:]):
		ok, args[0] = true, x.written(v.Args[0])
	case v.Op == ir.OpAdd, v.Op == ir.OpSub, v.Op == ir.OpNeg, v.Op == ir.OpStack:
		ok = true
	case v.Op == ir.OpMul, v.Op == ir.OpMul0:
		ok = !x.reads[v.Args[0]] || !x.reads[v.Args[1]]
	case v.Op == ir.OpDiv:
		ok = !x.reads[v.Args[1]]
	case v.Op == ir.OpSelect:
		ok = !x.reads[v.Args[0]]
	}
	if !ok {
		x.u.refuse(v.Span, "here several of its entries are inside %s together, so that they depend on "+
			"each other", v.Op.Name)
	}
	for i, a := range v.Args {
		args[i] = x.written(a)
	}
	return x.b.Like(v, args)
}
