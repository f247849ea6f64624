package opt

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/sgppl/sgppl/ir"
)

// A monomial is a number times a product of factors, summed over some axes.
type monomial struct {
	coef    float64
	factors []factor
	over    []*ir.Axis
}

// A factor is a value of the function or its inverse, with renamed axes: a sum that is expanded
// twice needs two copies of its axes.
type factor struct {
	v       *ir.Value
	as      renaming
	inverse bool
}

// A renaming maps axes to their new names. It is not changed after it is made.
type renaming map[*ir.Axis]*ir.Axis

func (r renaming) of(a *ir.Axis) *ir.Axis {
	if to := r[a]; to != nil {
		return to
	}
	return a
}

// with returns r with new names for the axes from.
func (r renaming) with(from, to []*ir.Axis) renaming {
	out := renaming{}
	for a, b := range r {
		out[a] = b
	}
	for i := range from {
		out[from[i]] = to[i]
	}
	return out
}

// Sums with more monomials, and monomials with more factors, are left as they are.
const (
	maxMonomials = 40
	maxFactors   = 9
)

// An opener expands a sum of products into monomials.
type opener struct {
	r      *reassociation
	opens  map[*ir.Value]bool // the inner sums and differences to expand; nil for all
	found  []*ir.Value        // the sums that were expanded or could have been
	used   map[*ir.Axis]bool
	bound  map[*ir.Axis]bool // axes that are summed over
	root   []*ir.Axis        // axes of the terms of the root
	failed bool
}

// monomials splits the root, a sum or a contraction, over the axes given.
// Its other axes stay.
func (o *opener) monomials(root *ir.Value, over []*ir.Axis) []monomial {
	o.used, o.bound = map[*ir.Axis]bool{}, map[*ir.Axis]bool{}
	for _, a := range over {
		o.bound[a] = true
	}
	for _, x := range root.Args {
		for _, a := range x.Axes {
			if !o.used[a] {
				o.used[a] = true
				o.root = append(o.root, a)
			}
		}
	}
	out := o.summand(root, nil)
	if o.failed {
		return nil
	}
	for i := range out {
		out[i].over = append(out[i].over, over...)
		o.canonical(&out[i], over)
	}
	return merged(out)
}

// summand returns the monomials of the value that a sum or contraction adds up.
func (o *opener) summand(v *ir.Value, as renaming) []monomial {
	if is(v, ir.OpContract) {
		return o.product(o.open(v.Args[0], as), o.open(v.Args[1], as))
	}
	return o.open(v.Args[0], as)
}

func (o *opener) open(v *ir.Value, as renaming) []monomial {
	atom := []monomial{{coef: 1, factors: []factor{{v: v, as: as}}}}
	if c, ok := v.Const(); ok {
		return []monomial{{coef: c}}
	}
	switch {
	case o.failed, o.r.once(v) && !readsSparse(v): // products of data alone are computed once
		return atom
	case !o.runs(v, as) && !is(v, ir.OpNeg): // a factor of all terms
		return atom
	}
	switch v.Op {
	case ir.OpNeg:
		return scaledBy(-1, o.open(v.Args[0], as))
	case ir.OpMul:
		return o.product(o.open(v.Args[0], as), o.open(v.Args[1], as))
	case ir.OpDiv:
		return o.product(o.open(v.Args[0], as), o.inverse(v.Args[1], as))
	case ir.OpPow:
		if v.Args[1].Is(2) {
			return o.product(o.open(v.Args[0], as), o.open(v.Args[0], as))
		}
	case ir.OpRename:
		return o.open(v.Args[0], as.with(v.Over, []*ir.Axis{as.of(v.To)}))
	case ir.OpSum, ir.OpContract:
		if !o.r.summable(v.Over) || !o.wanted(v) {
			return atom
		}
		var to []*ir.Axis
		for _, a := range v.Over {
			c := o.copy(a)
			to, o.bound[c] = append(to, c), true
		}
		out := o.summand(v, as.with(v.Over, to))
		for i := range out {
			out[i].over = append(slices.Clone(out[i].over), to...)
		}
		return out
	case ir.OpAdd, ir.OpSub:
		if o.r.inner(v) && o.wanted(v) {
			return o.terms(v, as)
		}
	}
	return atom
}

// terms expands nested sums together.
func (o *opener) terms(v *ir.Value, as renaming) []monomial {
	if !is(v, ir.OpAdd) && !is(v, ir.OpSub) || !o.r.inner(v) {
		return o.open(v, as)
	}
	x, y := o.terms(v.Args[0], as), o.terms(v.Args[1], as)
	if is(v, ir.OpSub) {
		y = scaledBy(-1, y)
	}
	if len(x)+len(y) > maxMonomials {
		o.failed = true
	}
	return slices.Concat(x, y)
}

// inverse returns the monomials of 1/v.
func (o *opener) inverse(v *ir.Value, as renaming) []monomial {
	if c, ok := v.Const(); ok && plain(c) {
		return []monomial{{coef: 1 / c}}
	}
	if is(v, ir.OpMul) && !o.r.once(v) && o.runs(v, as) {
		return o.product(o.inverse(v.Args[0], as), o.inverse(v.Args[1], as))
	}
	return []monomial{{coef: 1, factors: []factor{{v: v, as: as, inverse: true}}}}
}

// product returns the product of two sums of monomials.
func (o *opener) product(x, y []monomial) []monomial {
	if len(x)*len(y) > maxMonomials {
		o.failed = true
		return nil
	}
	var out []monomial
	for _, p := range x {
		for _, q := range y {
			out = append(out, monomial{p.coef * q.coef, slices.Concat(p.factors, q.factors),
				slices.Concat(p.over, q.over)})
		}
	}
	return out
}

func scaledBy(c float64, x []monomial) []monomial {
	out := slices.Clone(x)
	for i := range out {
		out[i].coef *= c
	}
	return out
}

// wanted reports whether the value is to be expanded, and records that it could be.
func (o *opener) wanted(v *ir.Value) bool {
	if o.r.pinned[v] {
		return false
	}
	if !slices.Contains(o.found, v) {
		o.found = append(o.found, v)
	}
	return o.opens == nil || o.opens[v]
}

// runs reports whether one of the sums so far runs over an axis of the value.
func (o *opener) runs(v *ir.Value, as renaming) bool {
	return slices.ContainsFunc(v.Axes, func(a *ir.Axis) bool { return o.bound[as.of(a)] })
}

// copy returns the axis, or a copy of it where it is in use.
func (o *opener) copy(a *ir.Axis) *ir.Axis {
	for i := 0; ; i++ {
		if c := o.r.copyOf(a, i); !o.used[c] {
			o.used[c] = true
			return c
		}
	}
}

// canonical renames the summed axes of m, except for those of the root, to the first free copies
// and sorts the factors, so that equal monomials have the same form.
func (o *opener) canonical(m *monomial, over []*ir.Axis) {
	var from, to []*ir.Axis
	taken := map[*ir.Axis]bool{}
	for _, a := range ir.Without(m.over, over) {
		origin := o.r.origin(a)
		for i := 0; ; i++ {
			c := o.r.copyOf(origin, i)
			if !taken[c] && !slices.Contains(o.root, c) {
				taken[c] = true
				from, to = append(from, a), append(to, c)
				break
			}
		}
	}
	swap := renaming(nil).with(from, to)
	m.over = slices.Clone(m.over)
	for i, a := range m.over {
		m.over[i] = swap.of(a)
	}
	sort.Slice(m.over, func(i, j int) bool { return m.over[i].ID < m.over[j].ID })
	m.factors = slices.Clone(m.factors)
	for i, f := range m.factors {
		as := renaming{}
		for _, a := range f.v.Axes {
			if c := swap.of(f.as.of(a)); c != a {
				as[a] = c
			}
		}
		m.factors[i].as = as
	}
	sort.SliceStable(m.factors,
		func(i, j int) bool { return m.factors[i].key() < m.factors[j].key() })
}

func (f factor) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%09d %t", f.v.ID, f.inverse)
	for _, a := range f.v.Axes {
		fmt.Fprintf(&b, " %d", f.as.of(a).ID)
	}
	return b.String()
}

// merged adds up monomials that are equal except for their coefficients.
func merged(list []monomial) []monomial {
	var out []monomial
	at := map[string]int{}
	for _, m := range list {
		var b strings.Builder
		for _, f := range m.factors {
			b.WriteString(f.key() + ";")
		}
		for _, a := range m.over {
			fmt.Fprintf(&b, " %d", a.ID)
		}
		key := b.String()
		if i, ok := at[key]; ok {
			out[i].coef += m.coef
			continue
		}
		at[key] = len(out)
		out = append(out, m)
	}
	return slices.DeleteFunc(out, func(m monomial) bool { return m.coef == 0 })
}

// readsSparse reports whether a product of data has a sparse factor, which
// kernels alone read.
func readsSparse(v *ir.Value) bool {
	switch v.Op {
	case ir.OpMul, ir.OpDiv, ir.OpNeg:
		return slices.ContainsFunc(v.Args, readsSparse)
	}
	return v.Sparse
}
