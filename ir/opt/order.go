package opt

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/sgppl/sgppl/ir"
)

// An ordering finds the cheapest order in which to multiply the factors of a monomial and to sum
// over its axes: a binary tree over subsets of the factors, found by dynamic programming. An axis
// is summed as soon as no factor outside the subset has it.
type ordering struct {
	r     *reassociation
	parts []part
	sums  []*ir.Axis // the monomial's summed axes that some part has
	axes  []*ir.Axis // all axes of the parts: bit i of a set is axes[i]
	best  []plan     // the cheapest plan, by subset of the parts
}

// A part is a factor of the monomial, with a renaming of axes that is not applied yet.
type part struct {
	v    *ir.Value
	as   renaming
	axes uint64
}

// A plan is the cheapest way to compute a subset of the parts: from two smaller subsets, or a part
// by itself.
type plan struct {
	left, right uint
	cost        float64
	axes        uint64 // axes of the result
}

// value builds the monomial. now maps the function's values to their rewritten forms. It returns
// nil where no order is possible.
func (r *reassociation) value(m monomial, now map[*ir.Value]*ir.Value) *ir.Value {
	b := r.b
	o := &ordering{r: r}
	var above, below []*ir.Value
	outside := b.Num(m.coef)
	summed := map[*ir.Axis]bool{}
	for _, f := range m.factors {
		v := now[f.v]
		runs := slices.ContainsFunc(v.Axes,
			func(a *ir.Axis) bool { return slices.Contains(m.over, f.as.of(a)) })
		switch {
		case !runs && f.inverse:
			below = append(below, r.renamed(v, f.as))
			continue
		case !runs:
			above = append(above, r.renamed(v, f.as))
			continue
		case f.inverse:
			v = b.Div(b.Num(1), v)
		}
		p := part{v: v, as: f.as}
		for _, a := range v.Axes {
			a = f.as.of(a)
			summed[a] = true
			p.axes |= 1 << o.bit(a)
		}
		o.parts = append(o.parts, p)
	}
	if len(o.parts) > maxFactors || len(o.axes) > 60 {
		return nil
	}
	for _, a := range m.over {
		if !summed[a] {
			outside = b.Mul(outside, b.AxisSize(a))
		} else {
			o.sums = append(o.sums, a)
		}
	}
	if len(o.parts) > 0 {
		v := o.solve()
		if v == nil {
			return nil
		}
		above = append(above, v)
	}
	return b.Mul(outside, r.quotient(above, below))
}

// quotient multiplies and divides the given values, those with fewer axes first.
func (r *reassociation) quotient(above, below []*ir.Value) *ir.Value {
	all := func(list []*ir.Value) *ir.Value {
		sort.SliceStable(list, func(i, j int) bool { return len(list[i].Axes) < len(list[j].Axes) })
		out := r.b.Num(1)
		for _, v := range list {
			out = r.b.Mul(out, v)
		}
		return out
	}
	return r.b.Div(all(above), all(below))
}

func (o *ordering) bit(a *ir.Axis) int {
	i := slices.Index(o.axes, a)
	if i < 0 {
		i, o.axes = len(o.axes), append(o.axes, a)
	}
	return i
}

func (o *ordering) set(list []*ir.Axis) uint64 {
	var s uint64
	for _, a := range list {
		s |= 1 << o.bit(a)
	}
	return s
}

func (o *ordering) list(s uint64) []*ir.Axis {
	var out []*ir.Axis
	for ; s != 0; s &= s - 1 {
		out = append(out, o.axes[bits.TrailingZeros64(s)])
	}
	return out
}

// solve finds the best plan and builds its value; nil where there is none.
func (o *ordering) solve() *ir.Value {
	n := uint(len(o.parts))
	full := uint(1)<<n - 1
	sums := o.set(o.sums)
	o.best = make([]plan, full+1)
	has := make([]uint64, full+1) // axes of all parts in a subset
	for s := uint(1); s <= full; s++ {
		low := uint(bits.TrailingZeros(s))
		has[s] = has[s&(s-1)] | o.parts[low].axes
	}
	for s := uint(1); s <= full; s++ {
		left := has[s] &^ (sums &^ has[full&^s])
		if s&(s-1) == 0 {
			p := plan{axes: left}
			if left != has[s] {
				p.cost = o.cost(s, has[s])
			}
			o.best[s] = p
			continue
		}
		p := plan{cost: math.Inf(1), axes: left}
		// Each split is tried once, with the lowest part on the left. Of splits that cost the same, the
		// first one has the last copy of a factor alone on the right.
		for l := s & -s; l != s; l = (l - s) & s {
			r := s &^ l
			if l&-l > r&-r {
				continue
			}
			all := o.best[l].axes | o.best[r].axes
			c := o.best[l].cost + o.best[r].cost + o.cost(s, all)
			if c < p.cost*(1-1e-9) && o.possible(l, r, all&^left) && o.possible(r, l, all&^left) {
				p.cost, p.left, p.right = c, l, r
			}
		}
		o.best[s] = p
	}
	if math.IsInf(o.best[full].cost, 1) {
		return nil
	}
	v, as := o.build(full)
	return o.r.renamed(v, as)
}

// cost returns the cost of a loop over the axes, multiplied by how often the parts of subset s
// change.
func (o *ordering) cost(s uint, axes uint64) float64 {
	repeated, once, filled := false, true, 1.0
	for i, p := range o.parts {
		if s>>i&1 == 0 {
			continue
		}
		repeated = repeated || o.r.of(p.v).repeated
		once = once && o.r.once(p.v)
		if p.v.Sparse && s&(s-1) == 0 {
			filled = nominalFilled
		}
	}
	return filled * o.r.entries(o.list(axes)) * o.r.times(repeated, once)
}

// possible reports whether subset s may be multiplied by another, summing over the axes given:
// kernels for sparse data can only multiply by a matrix.
func (o *ordering) possible(s, other uint, over uint64) bool {
	if s&(s-1) != 0 {
		return true
	}
	p := o.parts[bits.TrailingZeros(s)]
	if !p.v.Sparse {
		return true
	}
	common := p.axes & o.best[other].axes
	for _, a := range o.list(o.best[other].axes) {
		if a.Rows && common>>o.bit(a)&1 == 0 {
			return false
		}
	}
	if t := bits.TrailingZeros(other); other&(other-1) == 0 && o.parts[t].v.Sparse {
		return false
	}
	return bits.OnesCount64(common) == 1 && common == over && o.best[s].axes == p.axes
}

// build builds the value of a subset's plan. The renaming that it returns is not applied yet.
func (o *ordering) build(s uint) (*ir.Value, renaming) {
	p, b := o.best[s], o.r.b
	if s&(s-1) == 0 {
		x := o.parts[bits.TrailingZeros(s)]
		if gone := x.axes &^ p.axes; gone != 0 {
			return b.Sum(o.r.renamed(x.v, x.as), o.list(gone)...), nil
		}
		return x.v, x.as
	}
	x, xAs := o.build(p.left)
	y, yAs := o.build(p.right)
	over := o.list((o.best[p.left].axes | o.best[p.right].axes) &^ p.axes)
	if len(over) == 0 {
		return o.r.times2(o.r.renamed(x, xAs), o.r.renamed(y, yAs), nil), nil
	}
	if v, as := o.r.turned(x, xAs, y, yAs, over); v != nil {
		return v, as
	}
	if v, as := o.r.turned(y, yAs, x, xAs, over); v != nil {
		return v, as
	}
	if v := o.r.back(x, xAs, y, yAs, over); v != nil {
		return v, nil
	}
	if v := o.r.back(y, yAs, x, xAs, over); v != nil {
		return v, nil
	}
	return o.r.times2(o.r.renamed(x, xAs), o.r.renamed(y, yAs), over), nil
}

// times2 returns a product or contraction, with arguments in a fixed order so that equal products
// are one value.
func (r *reassociation) times2(x, y *ir.Value, over []*ir.Axis) *ir.Value {
	if x.ID > y.ID {
		x, y = y, x
	}
	if len(over) == 0 {
		return r.b.Mul(x, y)
	}
	return r.b.Contract(x, y, over...)
}

// back returns the contraction of x and y with x renamed in place of y, so that y needs no copy
// with renamed axes; nil where that is not possible. Leaves are not renamed: under other axes, one
// would be another leaf when the function is differentiated.
//
//	Σl h[n,l]·θ[n,k as l] → Σk (h[n,l as k])·θ[n,k]
func (r *reassociation) back(
	x *ir.Value, xAs renaming, y *ir.Value, yAs renaming, over []*ir.Axis,
) *ir.Value {
	if len(yAs) == 0 || x.Op.Class == ir.Leaf || !r.inner(x) || !r.inner(y) {
		return nil
	}
	undo := renaming{}
	for _, a := range y.Axes {
		if to := yAs.of(a); to != a {
			if !slices.Contains(over, to) {
				return nil
			}
			undo[to] = a
		}
	}
	// x may not get an axis that it has already, nor y one that it had under another name.
	for _, a := range x.Axes {
		a = xAs.of(a)
		for _, c := range undo {
			if a == c {
				return nil
			}
		}
	}
	for _, a := range y.Axes {
		if yAs.of(a) == a && undoes(undo, a) {
			return nil
		}
	}
	sums := slices.Clone(over)
	for i, a := range sums {
		sums[i] = undo.of(a)
	}
	return r.times2(r.renamed(x, r.then(x, xAs, undo)), y, sums)
}

func undoes(undo renaming, a *ir.Axis) bool {
	for _, c := range undo {
		if c == a {
			return true
		}
	}
	return false
}

// turned returns the product of x and a symmetric matrix, always along the same axis of the matrix,
// so that it is one value whichever side is asked for.
//
//	Σl x[n,l]·G[k,l] → (Σk (x[n,l as k])·G[k,l]) with l as k
func (r *reassociation) turned(
	x *ir.Value, xAs renaming, y *ir.Value, yAs renaming, over []*ir.Axis,
) (*ir.Value, renaming) {
	k, l := r.symmetric(y)
	if k == nil || len(yAs) > 0 || len(over) != 1 || over[0] != l {
		return nil, nil
	}
	for _, a := range x.Axes {
		if xAs.of(a) == k {
			return nil, nil
		}
	}
	x = r.renamed(x, r.then(x, xAs, renaming{l: k}))
	return r.times2(x, y, []*ir.Axis{k}), renaming{l: k}
}

// symmetric returns the axes k and l, k the older, of a contraction that does not change when the
// two are exchanged, as Σ w·a[k]·a[l]; nil where it does not recognise one.
func (r *reassociation) symmetric(v *ir.Value) (k, l *ir.Axis) {
	if !is(v, ir.OpContract) || len(v.Axes) != 2 {
		return nil, nil
	}
	if k, l = v.Axes[0], v.Axes[1]; k.ID > l.ID {
		k, l = l, k
	}
	o := &opener{r: r, opens: map[*ir.Value]bool{}}
	list := o.monomials(v, v.Over)
	if len(list) != 1 || !k.Size.Equal(l.Size) {
		return nil, nil
	}
	keys := func(swap renaming) []string {
		var out []string
		for _, f := range list[0].factors {
			key := fmt.Sprintf("%d %t", f.v.ID, f.inverse)
			if f.v.Op.Class == ir.Leaf { // a leaf under other axes is another value
				key = fmt.Sprintf("%s %s %t", f.v.Op.Name, f.v.Name, f.inverse)
			}
			for _, a := range f.v.Axes {
				key += fmt.Sprintf(" %d", swap.of(f.as.of(a)).ID)
			}
			out = append(out, key)
		}
		sort.Strings(out)
		return out
	}
	if !slices.Equal(keys(nil), keys(renaming{k: l, l: k})) {
		return nil, nil
	}
	return k, l
}

// then returns the composition of two renamings on the axes of x.
func (r *reassociation) then(x *ir.Value, first, second renaming) renaming {
	out := renaming{}
	for _, a := range x.Axes {
		if c := second.of(first.of(a)); c != a {
			out[a] = c
		}
	}
	return out
}
