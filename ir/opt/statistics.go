package opt

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Sufficient statistics: sums over many rows of few functions of the unknowns.
//
//	Σn (y[n] − a[g[n]] − b·x[n])²  → Σg N[g]·(ȳ[g] − a[g] − b·x̄[g])² + Sxx·(Syx/Sxx − b)² + Syy·x
//	Σn f(a[g[n]])·c[n]             → Σg f(a[g])·C[g]
//	Σn c[n]·b                      → b·C
//	Σn Σk c[n,k]·f(b)[k]           → Σk f(b)[k]·C[k]
//
// C, N, the means ȳ and x̄ by group and the sums of squares S within groups are
// of data alone, and are computed once. The first line is an orthogonal
// decomposition (see sweep): nothing large is subtracted from anything large,
// which Σ y² − 2 a Σ y + N a² would do.
//
// This holds for all rows together, not for a minibatch: it is done for the
// function that full passes call.

// A Collapse is what Statistics did.
type Collapse struct {
	// Statistics are of data alone: the new function reads them as data.
	Statistics []ir.Output
	// Triangles are the statistics that belong to one sum of squares. All others add
	// up: of some rows and of others to those of both.
	Triangles []model.Triangle
	// Whole says that a statistic is no sum of what each row says, so that it is to be
	// computed of all rows at once.
	Whole bool
	// Direct and Collapsed count multiplications before and after, of the sums
	// that were replaced.
	Direct, Collapsed size.Poly
	// Once counts the multiplications that the statistics take.
	Once size.Poly
	// Notes say of each sum what it became.
	Notes []string
}

// StatisticName is the name of the i-th statistic as a datum.
func StatisticName(i int) string { return fmt.Sprintf("statistic %d", i) }

// Statistics rewrites f; the Collapse is nil where no sum of it collapses. full
// is the axis of all rows, which stands for the row axis in what is computed
// from data; nil when f has no row axis.
func Statistics(b *ir.Builder, f *ir.Func, full *ir.Axis) (*ir.Func, *Collapse) {
	c := &collapser{b: b, full: full, out: &Collapse{}, known: map[*ir.Value]*ir.Value{},
		leaves: map[string]*ir.Value{}}
	for _, v := range f.Values() {
		if v.Op == ir.OpState && c.leaves[v.Name] == nil {
			c.leaves[v.Name] = v
		}
	}
	g := ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		switch {
		case is(v, ir.OpSize) && len(v.Over) > 0:
			return b.Size(full.Size)
		case !is(v, ir.OpSum):
			return nil
		case args[0].State():
			return c.sum(args[0], v.Over)
		case slices.Contains(v.Over, args[0].RowAxis()): // not a sum within each row
			c.along = args[0].RowAxis()
			return c.statistic(b.Sum(c.byRow(c.whole(args[0])),
				append(ir.Without(v.Over, []*ir.Axis{c.along}), full)...))
		}
		return nil
	})
	if len(c.out.Notes) == 0 {
		return f, nil
	}
	return g, c.out
}

type collapser struct {
	b      *ir.Builder
	full   *ir.Axis
	out    *Collapse
	known  map[*ir.Value]*ir.Value // the datum of a statistic
	leaves map[string]*ir.Value    // the first of each block of the state

	// Of the sum at hand:
	along *ir.Axis   // the axis that is to go
	rest  []*ir.Axis // the sum's other axes
	plain size.Poly  // how many numbers of data are left, each times one of unknowns
}

// A term of a sum: sign·outside·body, where mask is not 0. Its own axes are those of a
// sum within, which are summed over besides.
type addend struct {
	outside, body, mask *ir.Value
	own                 []*ir.Axis
}

// sum tries one axis after the other; nil where nothing collapses.
func (c *collapser) sum(x *ir.Value, over []*ir.Axis) *ir.Value {
	for i, a := range over {
		if r := x.RowAxis(); !x.Has(a) || r != nil && r != a {
			continue // what is left of rows would have to be kept row by row
		}
		c.along, c.plain = a, size.Poly{}
		rest := append(append([]*ir.Axis(nil), over[:i]...), over[i+1:]...)
		c.rest = rest
		var done, left *ir.Value
		for _, t := range c.addends(addend{outside: c.b.Num(1), body: x}, nil) {
			c.rest = append(slices.Clip(rest), t.own...)
			if v := c.collapse(t); v != nil {
				done = c.plus(done, v)
				continue
			}
			body := c.b.Mul(t.outside, t.body)
			if t.mask != nil {
				body = c.b.Map(ir.OpSelect, t.mask, body, c.b.Num(0))
			}
			left = c.plus(left, sum(c.b, body, t.own))
		}
		if done == nil {
			continue
		}
		if left != nil {
			return c.b.Add(done, sum(c.b, left, over))
		}
		// collapsing some terms of a sum while others stay saves next to nothing
		if len(c.plain.Terms) > 0 {
			c.out.Notes = append(c.out.Notes,
				fmt.Sprintf("%s terms become %s", c.rows().Size, c.plain))
		}
		return done
	}
	return nil
}

func (c *collapser) plus(x, y *ir.Value) *ir.Value {
	if x == nil {
		return y
	}
	return c.b.Add(x, y)
}

// addends opens sums, products of a sum with what the axis does not run over,
// and choices by data between a sum and nothing. A residual stays whole.
func (c *collapser) addends(t addend, out []addend) []addend {
	x := t.body
	switch {
	case !x.Has(c.along) || !x.State():
	case is(x, ir.OpNeg):
		t.outside, t.body = c.b.Neg(t.outside), x.Args[0]
		return c.addends(t, out)
	case (is(x, ir.OpAdd) || is(x, ir.OpSub)) && !residual(x):
		t.body = x.Args[0]
		out = c.addends(t, out)
		if t.body = x.Args[1]; is(x, ir.OpSub) {
			t.outside = c.b.Neg(t.outside)
		}
		return c.addends(t, out)
	case is(x, ir.OpMul):
		for i, s := range x.Args {
			if !s.Has(c.along) {
				t.outside, t.body = c.b.Mul(t.outside, s), x.Args[1-i]
				return c.addends(t, out)
			}
		}
	case is(x, ir.OpDiv) && !x.Args[1].Has(c.along):
		t.outside, t.body = c.b.Div(t.outside, x.Args[1]), x.Args[0]
		return c.addends(t, out)
	case is(x, ir.OpSelect) && !x.Args[0].State() && t.mask == nil:
		return c.chosen(t, out)
	case is(x, ir.OpSum) && c.opens(t):
		t.own, t.body = append(slices.Clip(t.own), x.Over...), x.Args[0]
		if inner := c.addends(t, nil); !slices.ContainsFunc(inner,
			func(t addend) bool { return !c.product(t) }) {
			return append(out, inner...)
		}
		t.own, t.body = t.own[:len(t.own)-len(x.Over)], x
	}
	return append(out, t)
}

// chosen opens a choice by data: each side where it is taken.
func (c *collapser) chosen(t addend, out []addend) []addend {
	x := t.body
	for i, mask := range []*ir.Value{x.Args[0], c.b.Map(ir.OpNot, x.Args[0])} {
		if side := x.Args[1+i]; !side.Is(0) {
			t.body, t.mask = side, mask
			out = c.addends(t, out)
		}
	}
	return out
}

// opens reports whether the axes of a sum within are none that stand around it.
func (c *collapser) opens(t addend) bool {
	return !slices.ContainsFunc(t.body.Over, func(a *ir.Axis) bool {
		return a == c.along || t.outside.Has(a) || t.mask != nil && t.mask.Has(a) ||
			slices.Contains(c.rest, a) || slices.Contains(t.own, a)
	})
}

// product reports whether a term is a number of data times one of unknowns that do not
// depend on the row.
func (c *collapser) product(t addend) bool {
	return !t.body.State() || !t.body.Has(c.along)
}

// collapse is the sum of a term over all axes; nil where it needs every row.
func (c *collapser) collapse(t addend) *ir.Value {
	if t.mask == nil && !t.body.Has(c.along) { // the same for every row: no sum to save
		return nil
	}
	if !t.body.State() || !t.body.Has(c.along) {
		coef, u := c.masked(t, c.b.Num(1)), t.body
		if !u.State() {
			coef, u = c.masked(t, u), c.b.Num(1)
		}
		if t.outside.State() && c.sparse(coef) {
			return nil
		}
		return c.linear(t, []piece{{coef: coef, u: u}})
	}
	if c.sparse(t.body) {
		return nil // kernels for sparse data know products alone
	}
	g := &grouping{c: c}
	p := c.factors(t.body)
	t.outside = c.b.Mul(t.outside, p.front)
	if q, h, ok := p.square(g); ok {
		pieces, ok := g.affine(q)
		if !ok {
			return nil
		}
		return c.squares(t, g, pieces, h)
	}
	if u := p.lifted(g); u != nil {
		return c.grouped(t, g, p, u)
	}
	if q := p.single(); q != nil && !residual(q) {
		if pieces, ok := g.affine(q); ok && g.index == nil && !wide(pieces) {
			for i := range pieces {
				pieces[i].coef = c.masked(t, c.b.Mul(p.weight, pieces[i].coef))
			}
			return c.linear(t, pieces)
		}
	}
	return nil
}

// sparse reports whether a value is made of compressed rows.
func (c *collapser) sparse(v *ir.Value) bool {
	for _, x := range ir.Reach(v) {
		if x.Sparse {
			return true
		}
	}
	return false
}

// masked is a coefficient where the term counts, else 0.
func (c *collapser) masked(t addend, x *ir.Value) *ir.Value {
	if t.mask == nil {
		return x
	}
	return c.b.Map(ir.OpSelect, t.mask, x, c.b.Num(0))
}

// linear is Σ of u·Σn coef[n]: one number, or one for every entry of other axes.
func (c *collapser) linear(t addend, pieces []piece) *ir.Value {
	var out *ir.Value
	rows, each := c.rows(), size.Const(1)
	for _, a := range c.rest {
		each = each.Mul(a.Size)
	}
	for _, p := range pieces {
		coef, u := p.coef, p.u
		if !u.State() {
			coef, u = c.b.Mul(coef, u), c.b.Num(1)
		}
		total := c.b.Mul(c.b.AxisSize(rows), coef)
		if coef = c.whole(coef); coef.Has(rows) {
			total = c.statistic(c.b.Sum(c.byRow(coef), rows))
		}
		v := c.b.Mul(t.outside, u)
		if v.State() {
			c.plain = c.plain.Add(each)
		}
		if v = c.b.Mul(v, total); t.mask != nil && v.State() {
			// where no row counts, it may be 0 times infinity
			v = c.b.Map(ir.OpSelect, c.b.Map(ir.OpEq, total, c.b.Num(0)), c.b.Num(0), v)
		}
		out = c.plus(out, c.b.Sum(v, c.rest...))
	}
	work := each.Mul(size.Const(len(pieces)))
	c.cost(work, work, "")
	return out
}

// grouped is Σg f(a[g])·C[g].
func (c *collapser) grouped(t addend, g *grouping, p *factors, u *ir.Value) *ir.Value {
	weight := g.total(c.byRow(c.whole(c.masked(t, p.weight))))
	out := c.b.Mul(t.outside, c.b.Mul(u, c.statistic(weight)))
	c.cost(size.Const(2), g.axis.Size.Mul(size.Const(2)),
		fmt.Sprintf("1 for each of %s", g.axis.Size))
	return c.b.Sum(out, append([]*ir.Axis{g.axis}, c.rest...)...)
}

// rows is the axis of all rows.
func (c *collapser) rows() *ir.Axis {
	if c.along.Rows {
		return c.full
	}
	return c.along
}

// whole is a value of data alone for all rows instead of those at hand.
func (c *collapser) whole(v *ir.Value) *ir.Value {
	if !c.along.Rows {
		return v
	}
	row := c.along
	return ir.Rewrite(c.b, []*ir.Value{v}, func(b *ir.Builder, v *ir.Value,
		args []*ir.Value) *ir.Value {
		switch {
		case is(v, ir.OpRows):
			return b.Rename(args[0], v.Over[0], c.full)
		case is(v, ir.OpSize) && len(v.Over) > 0:
			return b.Size(c.full.Size)
		case v.Op.Class == ir.Leaf && v.Has(row):
			w := *v
			w.Axes = append([]*ir.Axis(nil), v.Axes...)
			for i, a := range w.Axes {
				if a == row {
					w.Axes[i] = c.full
				}
			}
			return b.Make(w)
		}
		return nil
	})[0]
}

// byRow is v, a value of data for each row. Where it takes other rows than its own,
// statistics cannot be computed of some rows at a time.
func (c *collapser) byRow(v *ir.Value) *ir.Value {
	for _, x := range ir.Reach(v) {
		for _, a := range x.Over {
			if x.Op != ir.OpRename && slices.ContainsFunc(c.rows().Size.Dims(), a.Size.Mentions) {
				c.out.Whole = true
			}
		}
	}
	return v
}

// statistic makes a value of data alone a datum.
func (c *collapser) statistic(v *ir.Value) *ir.Value {
	if _, ok := v.Const(); ok || v.Op == ir.OpSize {
		return v
	}
	return c.datum(v)
}

// datum is statistic, of constants too.
func (c *collapser) datum(v *ir.Value) *ir.Value {
	if d := c.known[v]; d != nil {
		return d
	}
	name := StatisticName(len(c.out.Statistics))
	c.out.Statistics = append(c.out.Statistics, ir.Output{Name: name, Value: v, Axes: v.Axes})
	d := c.b.Leaf(ir.OpData, name, v.Axes...)
	c.known[v] = d
	return d
}

// cost counts the operations of a sum before and after. Sums of data among other terms have no
// note: alone they are not worth a function.
func (c *collapser) cost(perRow, after size.Poly, note string) {
	n := c.rows().Size
	c.out.Direct = c.out.Direct.Add(n.Mul(perRow))
	c.out.Collapsed = c.out.Collapsed.Add(after)
	c.out.Once = c.out.Once.Add(n.Mul(perRow).Mul(perRow)).Add(n.Mul(perRow).Mul(perRow))
	if note != "" {
		c.out.Notes = append(c.out.Notes, fmt.Sprintf("%s terms become %s", n, note))
	}
}
