package opt

import "github.com/sgppl/sgppl/ir"

// factors holds the factors of a product: weight depends on data alone; state has the factors that
// depend on unknowns and on the axis.
type factors struct {
	c      *collapser
	front  *ir.Value // the factors without the axis
	weight *ir.Value
	nums   []*ir.Value // factors of data alone, one by one
	dens   []*ir.Value
	state  []*ir.Value
	below  []*ir.Value // divisors with unknowns
}

// factors splits the body of a sum into its factors.
func (c *collapser) factors(body *ir.Value) *factors {
	p := &factors{c: c, front: c.b.Num(1), weight: c.b.Num(1)}
	p.open(body, false)
	return p
}

func (p *factors) open(x *ir.Value, inverse bool) {
	b := p.c.b
	switch {
	case is(x, ir.OpMul):
		p.open(x.Args[0], inverse)
		p.open(x.Args[1], inverse)
	case is(x, ir.OpDiv):
		p.open(x.Args[0], inverse)
		p.open(x.Args[1], !inverse)
	case !x.Has(p.c.along) && inverse:
		p.front = b.Div(p.front, x)
	case !x.Has(p.c.along):
		p.front = b.Mul(p.front, x)
	case x.State() && inverse:
		p.below = append(p.below, x)
	case x.State():
		p.state = append(p.state, x)
	case inverse:
		p.weight, p.dens = b.Div(p.weight, x), append(p.dens, x)
	default:
		p.weight, p.nums = b.Mul(p.weight, x), append(p.nums, x)
	}
}

// square returns q with q²·h equal to the product, where h (1 or nil) is a function of groups. Data
// that weigh the square are squares themselves, and become part of q.
func (p *factors) square(g *grouping) (q, h *ir.Value, ok bool) {
	b := p.c.b
	pair := func(list []*ir.Value) (root *ir.Value, ok bool) {
		root = b.Num(1)
		count := map[*ir.Value]int{}
		for _, v := range list {
			count[v]++
		}
		for _, v := range list {
			if count[v] == 0 {
				continue
			}
			if count[v]%2 != 0 {
				return nil, false
			}
			for range count[v] / 2 {
				root = b.Mul(root, v)
			}
			count[v] = 0
		}
		return root, true
	}
	up, ok1 := pair(p.nums)
	down, ok2 := pair(p.dens)
	if !ok1 || !ok2 {
		return nil, nil, false
	}
	for i, x := range p.state {
		for j := i + 1; j < len(p.state) && q == nil; j++ {
			if p.state[j] != x || !g.opens(x) {
				continue
			}
			q = b.Div(b.Mul(x, up), down)
			for k, y := range p.state {
				if k == i || k == j {
					continue
				}
				l := g.lift(y)
				if l == nil {
					return nil, nil, false
				}
				h = p.c.times(h, l)
			}
		}
	}
	if q == nil {
		return nil, nil, false
	}
	for _, y := range p.below {
		l := g.lift(y)
		if l == nil {
			return nil, nil, false
		}
		h = b.Div(p.c.times(h, b.Num(1)), l)
	}
	return q, h, true
}

func (c *collapser) times(x, y *ir.Value) *ir.Value {
	if x == nil {
		return y
	}
	return c.b.Mul(x, y)
}

// lifted returns the product of the factors with unknowns as a function of groups.
func (p *factors) lifted(g *grouping) *ir.Value {
	out := p.c.b.Num(1)
	for _, x := range p.state {
		l := g.lift(x)
		if l == nil {
			return nil
		}
		out = p.c.b.Mul(out, l)
	}
	for _, x := range p.below {
		l := g.lift(x)
		if l == nil {
			return nil
		}
		out = p.c.b.Div(out, l)
	}
	if g.index == nil {
		return nil
	}
	return out
}

// single returns the only factor with unknowns; nil when there are others.
func (p *factors) single() *ir.Value {
	if len(p.state) == 1 && len(p.below) == 0 {
		return p.state[0]
	}
	return nil
}

// A grouping describes how a term depends on the axis through its unknowns: by one index of data,
// which is found at the first gather.
type grouping struct {
	c     *collapser
	taken map[*ir.Axis]bool // axes that the term has or sums over
	index *ir.Value         // nil: none
	axis  *ir.Axis          // of the groups
}

// grouping returns the grouping of a term, before its index is found.
func (c *collapser) grouping(t addend) *grouping {
	g := &grouping{c: c, taken: map[*ir.Axis]bool{c.along: true}}
	take := func(axes []*ir.Axis) {
		for _, a := range axes {
			g.taken[a] = true
		}
	}
	take(c.rest)
	take(t.outside.Axes)
	if t.mask != nil {
		take(t.mask.Axes)
	}
	seen := map[*ir.Value]bool{}
	var walk func(v *ir.Value)
	walk = func(v *ir.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		take(v.Axes)
		if is(v, ir.OpGather) && v.Has(c.along) && !v.Args[0].Has(c.along) { // see gather
			walk(v.Args[1])
			return
		}
		take(v.Over)
		if v.To != nil {
			g.taken[v.To] = true
		}
		for _, a := range v.Args {
			walk(a)
		}
	}
	walk(t.body)
	return g
}

// lift returns v by group: v itself where it lacks the axis, and entry g where it reads entry
// index[n]. It returns nil where v depends on the row in another way.
func (g *grouping) lift(v *ir.Value) *ir.Value {
	if !v.Has(g.c.along) {
		return v
	}
	if is(v, ir.OpGather) {
		return g.gather(v)
	}
	if v.Op.Class != ir.Map || !v.State() {
		return nil
	}
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		if args[i] = g.lift(a); args[i] == nil {
			return nil
		}
	}
	return g.c.b.Map(v.Op, args...)
}

func (g *grouping) gather(v *ir.Value) *ir.Value {
	x, index := v.Args[0], v.Args[1]
	if x.Has(g.c.along) || !x.State() || index.State() || len(index.Axes) != 1 ||
		index.Axes[0] != g.c.along {
		return nil
	}
	if g.index == nil {
		g.index, g.axis = index, g.canonical(x, v.Over[0])
	}
	if g.index != index || !v.Over[0].Size.Equal(g.axis.Size) ||
		x.Has(g.axis) && v.Over[0] != g.axis {
		return nil
	}
	return g.c.rename(x, v.Over[0], g.axis)
}

// canonical returns the axis along which the function reads a block of the state elsewhere, so that
// both reads share a loop. Where the term has that axis, its entries and the groups would be the
// same index: then the axis is the gather's own, or a new one.
func (g *grouping) canonical(x *ir.Value, along *ir.Axis) *ir.Axis {
	for _, v := range ir.Reach(x) {
		if v.Op != ir.OpState || !v.Has(along) {
			continue
		}
		first := g.c.leaves[v.Name]
		for i, a := range v.Axes {
			if a == along && len(first.Axes) == len(v.Axes) && !x.Has(first.Axes[i]) &&
				!first.Axes[i].Rows && !g.taken[first.Axes[i]] &&
				a.Size.Equal(first.Axes[i].Size) {
				return first.Axes[i]
			}
		}
	}
	if g.taken[along] {
		return g.c.b.Axis(along.Name, along.Size)
	}
	return along
}

// rename returns x with one axis renamed, at the leaves if no op in between works along either
// axis.
func (c *collapser) rename(x *ir.Value, from, to *ir.Axis) *ir.Value {
	if from == to {
		return x
	}
	for _, v := range ir.Reach(x) {
		if v.Op.Class != ir.Leaf && v.Op.Class != ir.Map || v.Has(to) {
			return c.b.Rename(x, from, to)
		}
	}
	return ir.Rewrite(c.b, []*ir.Value{x}, func(b *ir.Builder, v *ir.Value,
		args []*ir.Value) *ir.Value {
		if v.Op.Class == ir.Leaf {
			return b.Rename(v, from, to)
		}
		return nil
	})[0]
}

// A piece is coef[n]·u, a summand of an affine form: coef depends on data alone, u lacks the axis;
// group says that u depends on the group. With over, the piece is a sum over those axes: a matrix
// of data times a vector of unknowns.
type piece struct {
	coef, u *ir.Value
	group   bool
	over    []*ir.Axis
}

// opens reports whether expanding a squared factor saves work. A factor that is a function of
// groups alone is kept whole.
func (g *grouping) opens(x *ir.Value) bool {
	return (&grouping{c: g.c, taken: g.taken}).lift(x) == nil
}

// affine writes v as a sum of pieces; false where v is not affine.
func (g *grouping) affine(v *ir.Value) ([]piece, bool) {
	b, one := g.c.b, g.c.b.Num(1)
	if !v.State() {
		return []piece{{coef: v, u: one}}, true
	}
	if l := g.lift(v); l != nil {
		return []piece{{coef: one, u: l, group: g.index != nil && l.Has(g.axis)}}, true
	}
	scale := func(x *ir.Value, by func(p piece) piece) ([]piece, bool) {
		pieces, ok := g.affine(x)
		out := make([]piece, len(pieces))
		for i, p := range pieces {
			out[i] = by(p)
			ok = ok && out[i].coef != nil
			out[i].group = g.index != nil && out[i].u.Has(g.axis)
		}
		return out, ok
	}
	if is(v, ir.OpSum) {
		return g.summed(v)
	}
	switch v.Op {
	case ir.OpNeg:
		return scale(v.Args[0], func(p piece) piece { p.u = b.Neg(p.u); return p })
	case ir.OpAdd, ir.OpSub:
		l, ok := g.affine(v.Args[0])
		if !ok {
			return nil, false
		}
		r, ok := scale(v.Args[1], func(p piece) piece {
			if v.Op == ir.OpSub {
				p.u = b.Neg(p.u)
			}
			return p
		})
		return append(l, r...), ok
	case ir.OpMul:
		for i, s := range v.Args {
			x := v.Args[1-i]
			if !s.State() {
				return scale(x,
					func(p piece) piece { p.coef = b.Mul(p.coef, s); return p.apart(s) })
			}
			if l := g.lift(s); l != nil {
				return scale(x, func(p piece) piece { p.u = b.Mul(p.u, l); return p.apart(s) })
			}
		}
	case ir.OpDiv:
		x, s := v.Args[0], v.Args[1]
		if !s.State() {
			return scale(x, func(p piece) piece { p.coef = b.Div(p.coef, s); return p.apart(s) })
		}
		if l := g.lift(s); l != nil {
			return scale(x, func(p piece) piece { p.u = b.Div(p.u, l); return p.apart(s) })
		}
	case ir.OpSelect:
		if m := v.Args[0]; !m.State() {
			l, ok1 := scale(v.Args[1],
				func(p piece) piece {
					p.coef = b.Map(ir.OpSelect, m, p.coef, b.Num(0))
					return p.apart(m)
				})
			r, ok2 := scale(v.Args[2],
				func(p piece) piece {
					p.coef = b.Map(ir.OpSelect, m, b.Num(0), p.coef)
					return p.apart(m)
				})
			return append(l, r...), ok1 && ok2
		}
	}
	return nil, false
}

// apart returns p if the factor s, which was multiplied into it, has none of the axes that p sums
// over; otherwise a piece without a coefficient, which marks failure.
func (p piece) apart(s *ir.Value) piece {
	for _, a := range p.over {
		if s.Has(a) {
			p.coef = nil
		}
	}
	return p
}

// summed returns the pieces of a sum over axes other than the rows.
func (g *grouping) summed(v *ir.Value) ([]piece, bool) {
	b := g.c.b
	pieces, ok := g.affine(v.Args[0])
	out := make([]piece, 0, len(pieces))
	for _, p := range pieces {
		for _, a := range v.Over {
			switch inCoef, inU := p.coef.Has(a), p.u.Has(a); {
			case inCoef && inU:
				p.over = append(append([]*ir.Axis(nil), p.over...), a)
			case inCoef:
				p.coef = b.Sum(p.coef, a)
			default: // also where neither has the axis: then multiplied by its size
				p.u = b.Sum(p.u, a)
			}
		}
		if len(p.over) > 0 && !p.coef.Has(g.c.along) {
			p.coef, p.u, p.over = b.Num(1), b.Sum(b.Mul(p.coef, p.u), p.over...), nil
		}
		out = append(out, p)
	}
	return out, ok
}
