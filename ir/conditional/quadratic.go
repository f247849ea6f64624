package conditional

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A degree is what is known of a value as a polynomial of the unknown's entries.
type degree struct {
	n int
	// entry says, for each axis of the unknown, which entries along it the value reads: an index, the
	// same for all of them; nil where the value reads several. It is of values of degree 1.
	entry []*ir.Value
}

// A polynomial computes degrees, and finds the axes along which entries are multiplied with each
// other.
type polynomial struct {
	*reader
	known   map[*ir.Value]degree
	coupled []bool // by axis of the unknown
	most    int    // the largest degree that is allowed
}

func (r *reader) polynomial(density *ir.Value, most int) *polynomial {
	p := &polynomial{r, map[*ir.Value]degree{}, make([]bool, len(r.u.axes())), most}
	for _, v := range ir.Reach(density) {
		if r.reads[v] {
			d := p.of(v)
			if d.n > most {
				r.u.refuse(v.Span,
					"here the log density has its power %d, and laws are known to power %d", d.n, most)
			}
			p.known[v] = d
		}
	}
	return p
}

// of returns the degree of a value that depends on the unknown, after those of its arguments.
func (p *polynomial) of(v *ir.Value) degree {
	b, axes := p.b, len(p.coupled)
	first := func() degree { return p.known[v.Args[0]] }
	switch {
	case p.u.is(v):
		d := degree{1, make([]*ir.Value, axes)}
		for i := range d.entry {
			d.entry[i] = b.Iota(v.Axes[i])
		}
		return d
	case linear(v.Op) && !p.anyReads(v.Args[1:]):
		return p.moved(v, first())
	case v.Op == ir.OpNeg:
		return first()
	case v.Op == ir.OpAdd, v.Op == ir.OpSub:
		return p.either(p.known[v.Args[0]], p.known[v.Args[1]])
	case v.Op == ir.OpSelect && !p.reads[v.Args[0]]:
		return p.either(p.known[v.Args[1]], p.known[v.Args[2]])
	case v.Op == ir.OpMul, v.Op == ir.OpMul0:
		return p.product(p.known[v.Args[0]], p.known[v.Args[1]])
	case v.Op == ir.OpDiv && !p.reads[v.Args[1]]:
		return first()
	case v.Op == ir.OpPow && v.Args[1].Is(2):
		return p.product(first(), first())
	case v.Op == ir.OpStack:
		out := degree{}
		for _, a := range v.Args {
			out = p.either(out, p.known[a])
		}
		return out
	case v.Op == ir.OpTriangularSolve && !p.reads[v.Args[0]]:
		d := p.known[v.Args[1]]
		return degree{d.n, make([]*ir.Value, len(d.entry))}
	}
	p.u.refuse(v.Span, "%s", within(v.Op))
	return degree{}
}

// moved is the degree of a value that has entries, or sums of entries, of another.
func (p *polynomial) moved(v *ir.Value, d degree) degree {
	out := degree{d.n, slices.Clone(d.entry)}
	for i, e := range d.entry {
		switch {
		case e == nil:
		case v.Op == ir.OpLayout:
		case selects(v.Op):
			if slices.ContainsFunc(v.Over, e.Has) {
				out.entry[i] = p.b.Like(v, append([]*ir.Value{e}, v.Args[1:]...))
			}
		case slices.ContainsFunc(v.Over, e.Has) || v.Op != ir.OpSum:
			out.entry[i] = nil
		}
	}
	return out
}

// either is the degree of a sum, of which a summand may be free of the unknown.
func (p *polynomial) either(x, y degree) degree {
	if x.n == 0 || y.n == 0 {
		return degree{max(x.n, y.n), append(slices.Clone(x.entry), y.entry...)}
	}
	out := degree{max(x.n, y.n), make([]*ir.Value, len(p.coupled))}
	for i := range out.entry {
		if x.n == 1 && y.n == 1 && x.entry[i] == y.entry[i] {
			out.entry[i] = x.entry[i]
		}
	}
	return out
}

func (p *polynomial) product(x, y degree) degree {
	if x.n == 0 || y.n == 0 {
		return p.either(x, y)
	}
	for i := range p.coupled {
		if x.entry[i] == nil || x.entry[i] != y.entry[i] {
			p.coupled[i] = true
		}
	}
	return degree{x.n + y.n, make([]*ir.Value, len(p.coupled))}
}

// normal is the conditional of real numbers under a density that is quadratic in them: with
// f(u) = h·u − ½ u·Λu + c it is N(Λ⁻¹h, Λ⁻¹). Entries that are not multiplied with each other are
// independent.
func (r *reader) normal(density *ir.Value) *Conditional {
	p := r.polynomial(density, 2)
	axes := r.u.axes()
	split := len(axes)
	if i := slices.Index(p.coupled, true); i >= 0 {
		split = i
	}
	each, joint := axes[:split], axes[split:]
	b := r.b
	g := r.gradient(density, r.u.Name, r.u.axes())
	h := r.zero(g)
	// The second derivatives along v: those of Σ g·v.
	const along = "direction"
	v := b.Leaf(ir.OpState, along, axes...)
	second := r.zero(r.gradient(b.Sum(b.Mul(g, v), axes...), r.u.Name, r.u.axes()))
	unified := ir.Unify(b, &ir.Func{ID: fn.Conditional.ID(),
		Outputs: []ir.Output{{Name: along, Value: second, Axes: axes}}}).Outputs[0]
	other := make([]*ir.Axis, len(joint))
	for i, a := range joint {
		other[i] = b.Axis(a.Name, a.Size)
	}
	second = ir.Rewrite(b, []*ir.Value{unified.Value},
		func(b *ir.Builder, x *ir.Value, args []*ir.Value) *ir.Value {
			switch {
			case x.Op == ir.OpState && x.Name == along:
				hit := b.Num(1)
				for i := range joint {
					hit = b.Mul(hit, b.Map(ir.OpEq, b.Iota(other[i]), b.Iota(x.Axes[split+i])))
				}
				return hit
			case x.Op == ir.OpSum:
				return picked(b, args[0], x.Over)
			case x.Op == ir.OpLayout:
				return args[0]
			case x.Op == ir.OpScatter: // it sums along the axes that its result has not
				more := ir.Without(args[0].Axes, ir.Without(args[0].Axes, other))
				return b.Scatter(args[0], args[1], x.To, append(slices.Clone(x.Axes), more...))
			}
			return nil
		})[0]
	second = b.OnAxes(second, unified.Axes, axes)
	c := &Conditional{Law: target.NormalLaw, Joint: joint, Outputs: []ir.Output{
		{Name: r.u.Said + " linear", Value: h, Axes: axes},
		{Name: r.u.Said + " precision", Value: b.Neg(second),
			Axes: slices.Concat(each, other, joint)}}}
	if len(joint) > 0 {
		c.Law = target.JointNormalLaw
	}
	return c
}

// picked is Σ over axes of x. Where x is a product with a 1 at one entry of such an axis and 0
// elsewhere, that is the other factor at the entry.
func picked(b *ir.Builder, x *ir.Value, over []*ir.Axis) *ir.Value {
	for _, a := range over {
		factors := factorsOf(x)
		for k, f := range factors {
			if f.Op != ir.OpEq || f.Args[1].Op != ir.OpIota || f.Args[1].Axes[0] != a ||
				f.Args[0].Op != ir.OpIota || len(factors) < 2 {
				continue
			}
			rest := slices.Delete(slices.Clone(factors), k, k+1)
			if !slices.ContainsFunc(rest, func(v *ir.Value) bool { return v.Has(f.Args[0].Axes[0]) }) {
				y := rest[0]
				for _, z := range rest[1:] {
					y = b.Mul(y, z)
				}
				return picked(b, b.Rename(y, a, f.Args[0].Axes[0]), ir.Without(over, []*ir.Axis{a}))
			}
		}
	}
	return b.Sum(x, over...)
}

// factorsOf lists the factors of a product.
func factorsOf(v *ir.Value) []*ir.Value {
	if v.Op == ir.OpMul {
		return append(factorsOf(v.Args[0]), factorsOf(v.Args[1])...)
	}
	return []*ir.Value{v}
}

// direction is the conditional of points on spheres under a density that is linear in them: a von
// Mises–Fisher law.
func (r *reader) direction(density *ir.Value) *Conditional {
	r.polynomial(density, 1)
	h := r.zero(r.gradient(density, r.u.Name, r.u.axes()))
	return &Conditional{Law: target.DirectionLaw, Joint: r.u.Own, Outputs: []ir.Output{
		{Name: r.u.Said + " linear", Value: h, Axes: r.u.axes()}}}
}

// gradient is the gradient of a value by the leaves of a name, along axes.
func (r *reader) gradient(value *ir.Value, name string, axes []*ir.Axis) *ir.Value {
	var leaves []*ir.Value
	for _, v := range ir.Reach(value) {
		if v.Op == ir.OpState && v.Name == name {
			leaves = append(leaves, v)
		}
	}
	cots, err := grad.Of(r.b, value, leaves)
	if err != nil {
		r.u.refuse(r.u.Span, "%v", err)
	}
	sum := r.b.Num(0)
	for i, leaf := range leaves {
		sum = r.b.Add(sum, r.b.OnAxes(cots[i], leaf.Axes, axes))
	}
	return sum
}

// zero is a value where the unknown is 0. Products with 0 are left out.
func (r *reader) zero(value *ir.Value) *ir.Value {
	return ir.Rewrite(r.b, []*ir.Value{value},
		func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
			zero := func(i int) bool { return i < len(args) && args[i].Is(0) }
			switch {
			case r.u.is(v):
				return b.Num(0)
			case (v.Op == ir.OpMul || v.Op == ir.OpMul0) && (zero(0) || zero(1)),
				(v.Op == ir.OpDiv || linear(v.Op) || v.Op == ir.OpNeg) && zero(0):
				return b.Num(0)
			case v.Op == ir.OpSelect && zero(1) && zero(2):
				return b.Num(0)
			}
			return nil
		})[0]
}
