package opt

import (
	"maps"
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// Reassociate: sums of products in the steps of a row's own chain, where the
// unknowns that all rows share are constant, are taken in the order that costs
// least over all steps. With θ of the chain, β of a minibatch, x of data, t = Σk θ[n,k]·β[k,v]:
//
//	Σv t[n,v]·t[n,v]     → Σk θ[n,k]·(Σl θ[n,l]·G[k,l])    G = Σv β[k,v]·β[l,v], once a minibatch
//	Σv x[n,v]·t[n,v]/s[n] → (Σk θ[n,k]·B[n,k])/s[n]         B = Σv x[n,v]·β[k,v], once a row
//	Σv (x[n,v] − t[n,v])² → Σv x² − 2·Σk θ·B + Σkl θ·θ·G
//	Σj a[i,j]·(Σk b[j,k]·θ[k]) → Σk (Σj a[i,j]·b[j,k])·θ[k]
//
// A sum with nested sums, products and quotients in it is one sum, over all
// their axes, of monomials; each is multiplied in the order of least cost, a
// product counting as often as what is in it changes. The algebra is exact; what
// is rounded differs: a square that is opened has an error of about 10⁻¹⁶ times
// its largest term, where it was of its value before. Nothing is done where there is no
// inner level, nor where less than half of the work would go.
//
// A sum that is read elsewhere too is opened only if all of its readers can do
// without it. A product of sparse data that no kernel computes, as Σv x[n,v]·t[n,v]
// of sparse x, is put in an order in which one does, whatever its level.
//
// It is meant for the log density before it is differentiated, so that the
// gradient is of what is cheap, and for the gradient again, where products by the two
// sides of a symmetric matrix become one. Leaves of the unknowns may come to be
// read under other axes: their gradients add up.
func Reassociate(b *ir.Builder, f *ir.Func, c Chain) *ir.Func {
	r := &reassociation{b: b, levels: newLevels(f, c), pinned: map[*ir.Value]bool{},
		copies: map[*ir.Axis][]*ir.Axis{}, origins: map[*ir.Axis]*ir.Axis{}}
	if !slices.ContainsFunc(f.Values(), r.inner) && !r.dense(roots(f)...) {
		return f
	}
	// Rebuilt, what is the same is one value.
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
	have    map[*ir.Value]bool // the function's values
	pinned  map[*ir.Value]bool // sums that something else reads as well
	copies  map[*ir.Axis][]*ir.Axis
	origins map[*ir.Axis]*ir.Axis // of copies
}

// gain is the factor by which the work must shrink, at least.
const gain = 2

// run rewrites f once. again says that a sum was opened in vain, because
// something still reads it: it is pinned now.
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

// root is v in a better order, and what was opened for it; nil where there is none.
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
	// What all ways of writing it start from.
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
	// What the function has anyway is worth it as well.
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
	return best, opens // what is opened for a kernel to exist may well be read elsewhere
}

// interior is what the roots are computed from, as far as the stop set.
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

// costs is what it takes to compute the roots from what is in the stop set.
func (l *levels) costs(stop map[*ir.Value]bool, roots ...*ir.Value) float64 {
	sum := 0.0
	for _, v := range interior(stop, roots...) {
		sum += l.cost(v)
	}
	return sum
}

// sum adds up monomials; nil where one cannot be made.
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

// subsets lists sets of what may be opened: all of them where they are few,
// else all at once and all but one.
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

// summable reports whether sums over the axes may be taken in another order:
// sums over rows run over blocks, those over the steps of a scan stay outside.
func (r *reassociation) summable(over []*ir.Axis) bool {
	return !slices.ContainsFunc(over, func(a *ir.Axis) bool { return a.Rows || r.steps[a] })
}

// dense reports whether the values read sparse data in a way that no kernel
// does, once sums of products are contractions.
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

// product1 reports whether a contraction with sparse data as argument i is one
// of its kernels.
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

// renamed is x with its axes under other identities.
func (r *reassociation) renamed(x *ir.Value, as renaming) *ir.Value {
	var from, to []*ir.Axis
	for _, a := range x.Axes {
		if c := as.of(a); c != a {
			from, to = append(from, a), append(to, c)
		}
	}
	for len(from) > 0 {
		k := slices.IndexFunc(to, func(c *ir.Axis) bool { return !x.Has(c) })
		if k < 0 { // a cycle: one of them waits elsewhere
			aside := r.copyOf(from[0], len(r.copies[from[0]])+1)
			x, from[0] = r.b.Rename(x, from[0], aside), aside
			continue
		}
		x = r.b.Rename(x, from[k], to[k])
		from, to = slices.Delete(from, k, k+1), slices.Delete(to, k, k+1)
	}
	return x
}

// copyOf is copy i of an axis; 0 is the axis. All sums share them.
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

// origin is the axis that a is a copy of.
func (r *reassociation) origin(a *ir.Axis) *ir.Axis {
	if o := r.origins[a]; o != nil {
		return o
	}
	return a
}
