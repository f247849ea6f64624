package opt

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Sufficient statistics: sums over many rows that depend on the unknowns by few functions are
// written with sums of data alone.
//
//	Σn (y[n] − a[g[n]] − b·x[n])²  → Σg N[g]·(ȳ[g] − a[g] − b·x̄[g])² + Sxx·(Syx/Sxx − b)² + Syy·x
//	Σn f(a[g[n]])·c[n]             → Σg f(a[g])·C[g]
//	Σn c[n]·b                      → b·C
//	Σn Σk c[n,k]·f(b)[k]           → Σk f(b)[k]·C[k]
//
// C, N, the means ȳ and x̄ by group and the sums of squares S within groups depend on data alone,
// and are computed once. The first line is an orthogonal decomposition (see sweep), which avoids
// the cancellation of Σ y² − 2 a Σ y + N a².
//
// The statistics are sums over all rows, so this applies only to the function of full passes, not
// to minibatches.

// A Collapse describes the result of Statistics.
type Collapse struct {
	// Statistics are outputs of data alone, which the new function reads as data.
	Statistics []ir.Output
	// Triangles are the statistics that belong to one sum of squares each. All other statistics are
	// additive: those of two sets of rows add up to those of both together.
	Triangles []model.Triangle
	// Whole says that a statistic is not a sum over rows, so that it must be computed from all rows at
	// once.
	Whole bool
	// Direct and Collapsed count the multiplications of the replaced sums, before and after.
	Direct, Collapsed size.Poly
	// Once counts the multiplications that computing the statistics takes.
	Once size.Poly
	// Notes says what each sum became, for messages.
	Notes []string
}

// StatisticName returns the name of the i-th statistic as a datum.
func StatisticName(i int) string { return fmt.Sprintf("statistic %d", i) }

// Statistics rewrites the sums of f that collapse; the Collapse is nil where none does. full is the
// axis of all rows, which replaces the row axis in values computed from data; nil when f has no row
// axis.
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
		case slices.Contains(v.Over, args[0].RowAxis()): // a sum over the rows themselves
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
	known  map[*ir.Value]*ir.Value // the datum that holds a statistic
	leaves map[string]*ir.Value    // the first leaf of each block of the state

	// For the sum being rewritten:
	along *ir.Axis   // the axis to be removed
	rest  []*ir.Axis // the sum's other axes
	plain size.Poly  // how many numbers of data remain, each multiplied by one of unknowns
}

// An addend is a term of a sum: sign·outside·body where mask is not 0. own are the axes of an inner
// sum, over which it is summed too.
type addend struct {
	outside, body, mask *ir.Value
	own                 []*ir.Axis
}

// sum tries to remove one axis after another; nil where nothing collapses.
func (c *collapser) sum(x *ir.Value, over []*ir.Axis) *ir.Value {
	for i, a := range over {
		if r := x.RowAxis(); !x.Has(a) || r != nil && r != a {
			continue // the result would have a number for every row
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
		// collapsing some terms while others still go over the rows saves next to nothing
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

// addends splits a term into summands: sums, products of a sum with factors that lack the axis, and
// choices by data between a sum and 0. A residual is kept whole.
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

// chosen splits a choice by data into its two sides, each masked to where it is chosen.
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

// opens reports whether the axes of an inner sum are used nowhere around it.
func (c *collapser) opens(t addend) bool {
	return !slices.ContainsFunc(t.body.Over, func(a *ir.Axis) bool {
		return a == c.along || t.outside.Has(a) || t.mask != nil && t.mask.Has(a) ||
			slices.Contains(c.rest, a) || slices.Contains(t.own, a)
	})
}

// product reports whether a term is a factor of data times a factor of unknowns that does not
// depend on the row.
func (c *collapser) product(t addend) bool {
	return !t.body.State() || !t.body.Has(c.along)
}

// collapse returns the sum of a term over all axes; nil where it needs every row.
func (c *collapser) collapse(t addend) *ir.Value {
	if t.mask == nil && !t.body.Has(c.along) { // the same for every row: there is nothing to save
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
		return nil // kernels for sparse data compute only products
	}
	g := c.grouping(t)
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

// sparse reports whether a value reads compressed rows.
func (c *collapser) sparse(v *ir.Value) bool {
	for _, x := range ir.Reach(v) {
		if x.Sparse {
			return true
		}
	}
	return false
}

// masked returns x where the mask of the term is not 0, else 0.
func (c *collapser) masked(t addend, x *ir.Value) *ir.Value {
	if t.mask == nil {
		return x
	}
	return c.b.Map(ir.OpSelect, t.mask, x, c.b.Num(0))
}

// linear returns Σ of u·Σn coef[n]: one number, or one for every entry of other axes.
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
			// where the mask excludes all rows it may be 0 times infinity
			v = c.b.Map(ir.OpSelect, c.b.Map(ir.OpEq, total, c.b.Num(0)), c.b.Num(0), v)
		}
		out = c.plus(out, c.b.Sum(v, c.rest...))
	}
	work := each.Mul(size.Const(len(pieces)))
	c.cost(work, work, "")
	return out
}

// grouped returns Σg f(a[g])·C[g].
func (c *collapser) grouped(t addend, g *grouping, p *factors, u *ir.Value) *ir.Value {
	weight := g.total(c.byRow(c.whole(c.masked(t, p.weight))))
	out := c.b.Mul(t.outside, c.b.Mul(u, c.statistic(weight)))
	c.cost(size.Const(2), g.axis.Size.Mul(size.Const(2)),
		fmt.Sprintf("1 for each of %s", g.axis.Size))
	return c.b.Sum(out, append([]*ir.Axis{g.axis}, c.rest...)...)
}

// rows returns the axis of all rows.
func (c *collapser) rows() *ir.Axis {
	if c.along.Rows {
		return c.full
	}
	return c.along
}

// whole returns a value of data alone with all rows in place of the current ones.
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

// byRow returns v, a value of data for each row. Where a row's value depends on other rows, it sets
// Whole, as statistics cannot be computed from some rows at a time.
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

// statistic makes a statistic of a value of data alone. Constants and sizes are returned unchanged.
func (c *collapser) statistic(v *ir.Value) *ir.Value {
	if _, ok := v.Const(); ok || v.Op == ir.OpSize {
		return v
	}
	return c.datum(v)
}

// datum is statistic for constants and sizes too.
func (c *collapser) datum(v *ir.Value) *ir.Value {
	if d := c.known[v]; d != nil {
		return d
	}
	name := StatisticName(len(c.out.Statistics))
	c.out.Statistics = append(c.out.Statistics,
		ir.Output{Name: name, Value: c.fromData(v), Axes: v.Axes})
	d := c.b.Leaf(ir.OpData, name, v.Axes...)
	c.known[v] = d
	return d
}

// fromData returns v with the values of the statistics that it reads, as all of them are computed
// at once. What reads a sum over rows need not be one, so it sets Whole then.
func (c *collapser) fromData(v *ir.Value) *ir.Value {
	of := map[string]*ir.Value{}
	for _, o := range c.out.Statistics {
		of[o.Name] = o.Value
	}
	return ir.Rewrite(c.b, []*ir.Value{v},
		func(_ *ir.Builder, x *ir.Value, _ []*ir.Value) *ir.Value {
			if x.Op != ir.OpData || of[x.Name] == nil {
				return nil
			}
			c.out.Whole = true
			return of[x.Name]
		})[0]
}

// cost adds the operations of a sum before and after to the counts. Sums of data alone get no note,
// since they do not justify a function by themselves.
func (c *collapser) cost(perRow, after size.Poly, note string) {
	n := c.rows().Size
	c.out.Direct = c.out.Direct.Add(n.Mul(perRow))
	c.out.Collapsed = c.out.Collapsed.Add(after)
	c.out.Once = c.out.Once.Add(n.Mul(perRow).Mul(perRow)).Add(n.Mul(perRow).Mul(perRow))
	if note != "" {
		c.out.Notes = append(c.out.Notes, fmt.Sprintf("%s terms become %s", n, note))
	}
}
