package opt

import (
	"maps"
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// Reassociate puts sums of products in the order that costs least over all steps of the chains of
// rows. Within a chain the unknowns that all rows share are constant. With θ of the chain, β of the
// minibatch, x of data and t = Σk θ[n,k]·β[k,v]:
//
//	Σv t[n,v]·t[n,v]     → Σk θ[n,k]·(Σl θ[n,l]·G[k,l])    G = Σv β[k,v]·β[l,v], once a minibatch
//	Σv x[n,v]·t[n,v]/s[n] → (Σk θ[n,k]·B[n,k])/s[n]         B = Σv x[n,v]·β[k,v], once a row
//	Σv (x[n,v] − t[n,v])² → Σv x² − 2·Σk θ·B + Σkl θ·θ·G
//	Σj a[i,j]·(Σk b[j,k]·θ[k]) → Σk (Σj a[i,j]·b[j,k])·θ[k]
//
// A sum with nested sums, products and quotients is expanded to one sum, over all their axes, of
// monomials. Each monomial is multiplied in the order of least cost, where the cost of a product
// counts as often as its factors change. The algebra is exact but rounding differs: an expanded
// square has an error of about 10⁻¹⁶ times its largest term, before it was relative to its value.
// Nothing is done in functions without a chain, nor where less than half of the work would be
// saved.
//
// A sum with several readers is expanded only if all of them can be rewritten without it. A product
// of sparse data that no kernel computes, such as Σv x[n,v]·t[n,v] with sparse x, is put in an
// order that a kernel computes, also outside chains.
//
// It is applied to the log density before differentiation, so that the gradient is derived from the
// cheap form, and again to the gradient, where products with the two sides of a symmetric matrix
// become one. An unknown may then have leaves under several sets of axes, whose gradients are added
// up.
func Reassociate(b *ir.Builder, f *ir.Func, c Chain) *ir.Func {
	r := &reassociation{b: b, levels: newLevels(f, c), pinned: map[*ir.Value]bool{},
		copies: map[*ir.Axis][]*ir.Axis{}, origins: map[*ir.Axis]*ir.Axis{}}
	if !slices.ContainsFunc(f.Values(), r.inner) && !r.dense(roots(f)...) {
		return f
	}
	// Rebuilding makes equal values one.
	rebuilt := ir.RewriteFunc(b, f,
		func(*ir.Builder, *ir.Value, []*ir.Value) *ir.Value { return nil })
	for {
		g, again := r.run(rebuilt)
		if again {
			continue
		}
		if r.costs(nil, roots(g)...) >= r.costs(nil, roots(rebuilt)...) &&
			!r.dense(roots(rebuilt)...) {
			return f
		}
		return g
	}
}

func roots(f *ir.Func) []*ir.Value {
	var out []*ir.Value
	for _, o := range f.Outputs {
		out = append(out, o.Value)
	}
	return out
}

type reassociation struct {
	*levels
	b       *ir.Builder
	have    map[*ir.Value]bool // the values of the function
	pinned  map[*ir.Value]bool // sums that have other readers too
	copies  map[*ir.Axis][]*ir.Axis
	origins map[*ir.Axis]*ir.Axis // the axis that a copy was made of
}

// gain is the factor by which a rewrite must reduce the work, at least.
const gain = 2

// run rewrites f once. again says that a sum was expanded to no avail, because something still
// reads it; it is pinned now, and run is to be called again.
func (r *reassociation) run(f *ir.Func) (g *ir.Func, again bool) {
	now := map[*ir.Value]*ir.Value{}
	r.have = map[*ir.Value]bool{}
	for _, v := range f.Values() {
		r.have[v] = true
	}
	var opened []*ir.Value
	g = ir.RewriteFunc(r.b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		now[v] = b.Like(v, args)
		if w, opens := r.root(v, now); w != nil {
			now[v] = w
			opened = append(opened, opens...)
		}
		return now[v]
	})
	reached := map[*ir.Value]bool{}
	for _, v := range g.Values() {
		reached[v] = true
	}
	for _, v := range opened {
		if reached[now[v]] && !r.pinned[v] && (is(v, ir.OpSum) || is(v, ir.OpContract)) {
			r.pinned[v], again = true, true
		}
	}
	return g, again
}

// root returns v in a better order and the sums that were expanded for it; nil where there is none.
func (r *reassociation) root(v *ir.Value, now map[*ir.Value]*ir.Value) (*ir.Value, []*ir.Value) {
	if !is(v, ir.OpSum) && !is(v, ir.OpContract) {
		return nil, nil
	}
	var over, rows []*ir.Axis
	for _, a := range v.Over {
		if a.Rows {
			rows = append(rows, a)
		} else {
			over = append(over, a)
		}
	}
	if len(over) == 0 || !r.summable(over) {
		return nil, nil
	}
	all := &opener{r: r}
	list := all.monomials(v, over)
	// The values that all ways of writing the sum start from.
	stop, sparse := map[*ir.Value]bool{}, false
	for _, m := range list {
		for _, f := range m.factors {
			stop[now[f.v]] = true
			sparse = sparse || f.v.Sparse
		}
	}
	dense := sparse && r.dense(now[v])
	if len(list) == 0 || !r.inner(v) && !dense {
		return nil, nil
	}
	least := r.costs(stop, now[v]) / gain
	if dense {
		least = math.Inf(1)
	}
	// Values that the function computes anyway cost nothing.
	have := maps.Clone(stop)
	for x := range r.have {
		have[x] = true
	}
	for _, x := range interior(stop, now[v]) {
		delete(have, x)
	}
	var best, shared *ir.Value
	var opens []*ir.Value
	for _, set := range subsets(all.found) {
		o := &opener{r: r, opens: set}
		w := r.sum(o.monomials(v, over), rows, now)
		if w == nil || !ir.SameAxes(w.Axes, now[v].Axes) || sparse && r.dense(w) {
			continue
		}
		if c := r.costs(stop, w); c < least {
			best, least, opens = w, c, nil
			for _, x := range o.found {
				if set[x] && !dense {
					opens = append(opens, x)
				}
			}
		} else if best == nil && r.costs(have, w) < least {
			shared = w
		}
	}
	if best == nil {
		return shared, nil
	}
	return best, opens // sums expanded so that a kernel exists may be read elsewhere too
}

// interior returns the values from which the roots are computed, down to the stop set.
func interior(stop map[*ir.Value]bool, roots ...*ir.Value) []*ir.Value {
	var out []*ir.Value
	seen := map[*ir.Value]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if !seen[v] && !stop[v] {
			seen[v] = true
			for _, a := range v.Args {
				visit(a)
			}
			out = append(out, v)
		}
	}
	for _, v := range roots {
		visit(v)
	}
	return out
}

// costs returns the cost of computing the roots from the values in the stop set.
func (l *levels) costs(stop map[*ir.Value]bool, roots ...*ir.Value) float64 {
	sum := 0.0
	for _, v := range interior(stop, roots...) {
		sum += l.cost(v)
	}
	return sum
}

// sum adds up monomials; nil where one of them cannot be built.
func (r *reassociation) sum(
	list []monomial, rows []*ir.Axis, now map[*ir.Value]*ir.Value,
) *ir.Value {
	var out *ir.Value
	for _, m := range list {
		negative := m.coef < 0
		m.coef = math.Abs(m.coef)
		v := r.value(m, now)
		switch {
		case v == nil:
			return nil
		case out == nil && negative:
			out = r.b.Neg(v)
		case out == nil:
			out = v
		case negative:
			out = r.b.Sub(out, v)
		default:
			out = r.b.Add(out, v)
		}
	}
	if out == nil {
		return nil
	}
	return r.b.Sum(out, rows...)
}

// subsets returns the sets of sums that may be expanded together: all subsets if there are few,
// otherwise the whole list and the list without one of each.
func subsets(list []*ir.Value) []map[*ir.Value]bool {
	var out []map[*ir.Value]bool
	pick := func(keep func(i int) bool) {
		set := map[*ir.Value]bool{}
		for i, v := range list {
			if keep(i) {
				set[v] = true
			}
		}
		out = append(out, set)
	}
	if len(list) <= 4 {
		for s := range 1 << len(list) {
			pick(func(i int) bool { return s>>i&1 == 1 })
		}
		return out
	}
	pick(func(int) bool { return false })
	pick(func(int) bool { return true })
	for k := range list {
		pick(func(i int) bool { return i != k })
	}
	return out
}

// summable reports whether sums over the axes may be reordered. Sums over rows run over blocks, and
// sums over the steps of a scan stay outside of it, so they may not.
func (r *reassociation) summable(over []*ir.Axis) bool {
	return !slices.ContainsFunc(over, func(a *ir.Axis) bool { return a.Rows || r.steps[a] })
}

// dense reports whether the values read sparse data in a way that no kernel supports, after sums of
// products have become contractions.
func (r *reassociation) dense(values ...*ir.Value) bool {
	var sparse bool
	for _, v := range ir.Reach(values...) {
		sparse = sparse || v.Sparse
	}
	if !sparse {
		return false
	}
	f := &ir.Func{}
	for _, v := range values {
		f.Outputs = append(f.Outputs, ir.Output{Value: v, Axes: v.Axes})
	}
	for _, v := range contract(r.b, hoistSums(r.b, f)).Values() {
		for i, a := range v.Args {
			if a.Sparse && !product1(v, i) {
				return true
			}
		}
	}
	return false
}

// product1 reports whether a contraction with sparse data as argument i is computed by a kernel.
func product1(v *ir.Value, i int) bool {
	if !is(v, ir.OpContract) || len(v.Over) != 1 || v.Args[1-i].Sparse {
		return false
	}
	x, y := v.Args[i], v.Args[1-i]
	for _, a := range y.Axes {
		if !slices.Contains(v.Over, a) && (x.Has(a) || a.Rows) {
			return false
		}
	}
	return true
}

// renamed returns x with its axes renamed.
func (r *reassociation) renamed(x *ir.Value, as renaming) *ir.Value {
	var from, to []*ir.Axis
	for _, a := range x.Axes {
		if c := as.of(a); c != a {
			from, to = append(from, a), append(to, c)
		}
	}
	for len(from) > 0 {
		k := slices.IndexFunc(to, func(c *ir.Axis) bool { return !x.Has(c) })
		if k < 0 { // a cycle: one axis is first renamed to a temporary one
			aside := r.copyOf(from[0], len(r.copies[from[0]])+1)
			x, from[0] = r.b.Rename(x, from[0], aside), aside
			continue
		}
		x = r.b.Rename(x, from[k], to[k])
		from, to = slices.Delete(from, k, k+1), slices.Delete(to, k, k+1)
	}
	return x
}

// copyOf returns copy i of an axis; copy 0 is the axis itself. All sums share the copies.
func (r *reassociation) copyOf(a *ir.Axis, i int) *ir.Axis {
	for len(r.copies[a]) < i {
		c := r.b.Axis(a.Name, a.Size)
		c.Dim, c.Lo = a.Dim, a.Lo
		r.copies[a] = append(r.copies[a], c)
		r.origins[c] = a
	}
	if i == 0 {
		return a
	}
	return r.copies[a][i-1]
}

// origin returns the axis that a was copied from, or a itself.
func (r *reassociation) origin(a *ir.Axis) *ir.Axis {
	if o := r.origins[a]; o != nil {
		return o
	}
	return a
}
