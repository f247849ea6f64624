package check

import (
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// moves reports whether the end of a range is made of an index or of data, so
// that the range differs from entry to entry of a plate, so it is not a size.
func (c *checker) moves(e ast.Expr) bool {
	found := false
	walk(e, func(x ast.Expr) {
		name, ok := x.(*ast.Name)
		if !ok {
			return
		}
		s := c.scope.find(name.Name)
		found = found || s != nil &&
			(s.Kind == Bound ||
				(s.Kind == Data || s.Kind == Let || s.Kind == LocalVar) && s.Type.Kind.Discrete())
	})
	if call, ok := e.(*ast.Call); ok && found {
		if f, ok := call.Fun.(*ast.Name); ok {
			if s := c.scope.find(f.Name); s != nil && s.Kind == Dim {
				return false // T(s), the length of a row
			}
		}
	}
	return found
}

// movingRange reads a range whose ends change with an index or with data. It runs
// over the widest that it can be, of which the entries outside the ends count as
// nothing.
func (c *checker) movingRange(r *Range, rg *ast.Range) bool {
	var ends [2]types.Size
	for i, e := range []ast.Expr{rg.Lo, rg.Hi} {
		v := c.expr(e)
		if v.bad() {
			return false
		}
		if len(v.t.Shape) > 0 || !v.t.Kind.Discrete() {
			c.report(RangeEnds, e.Pos(), "an end of a range is a whole number, and this is %s",
				article(v.t))
			return false
		}
		if v.lv.Stage == OfParams {
			c.report(RangeEnds, e.Pos(),
				"the ends of a range are made of sizes, indices and data, and this depends on unknowns").
				Note("over a range that does not, write if k < " + c.text(e) + " then … else 0")
			return false
		}
		r.Level = r.Level.join(v.lv)
		f, ok := c.form(e)
		if ok {
			ends[i], ok = f.extreme(i == 1, false)
		}
		if !ok {
			c.unboundedEnd(e, i == 1)
			return false
		}
		if len(f.atoms) > 0 {
			r.Ends[i] = e
		}
	}
	if negative(ends[0]) {
		c.report(RangeEnds, rg.Lo.Pos(), "the range may start at %s, below 0", ends[0])
		return false
	}
	r.Lo, r.Len = ends[0], ends[1].Sub(ends[0])
	// Where a dim may be 0 the length of the range must not become negative: the range begins earlier
	// if it can, and otherwise ends later. A dim cannot be 0 if an array has an axis one shorter, such
	// as c[K - 1] with 0:k for k below K.
	if short := -constantOf(r.Len); short > 0 && !c.someAxis(r.Len) {
		earlier := min(short, max(0, constantOf(r.Lo)))
		r.Lo = r.Lo.Sub(size.Const(earlier))
		r.Len = r.Len.Add(size.Const(short))
		if earlier > 0 && r.Ends[0] == nil {
			r.Ends[0] = rg.Lo
		}
		r.Ends[1] = rg.Hi
	}
	if !nonnegative(r.Len) && !c.someAxis(r.Len) {
		c.report(RangeEnds, rg.Span,
			"how long the range can be is not known: it has at most %s entries, which may be below 0", r.Len)
		return false
	}
	if !r.Moves() { // such as 0:t - t + 3
		r.Ends[1] = rg.Hi
	}
	return true
}

// someAxis reports whether a visible array has an axis of n entries, so that n is not negative.
func (c *checker) someAxis(n types.Size) bool {
	for _, d := range n.Dims() {
		if _, of := types.SplitRagged(d); of != "" {
			return false // a length for each row
		}
	}
	for s := c.scope; s != nil; s = s.outer {
		for _, sym := range s.names {
			if slices.ContainsFunc(sym.Type.Shape, n.Equal) {
				return true
			}
		}
		if s.barrier {
			break // the scope outside has dims with other names
		}
	}
	return false
}

// constantOf returns the constant term of a size.
func constantOf(p types.Size) int {
	for _, t := range p.Terms {
		if len(t.Dims) == 0 {
			return t.Coef
		}
	}
	return 0
}

// ofGroups is what to write in the place of places and counts of rows.
const ofGroups = "rows that stand one group behind the other, of as many as a count says, are a " +
	"ragged dim: dim T(G), data y[G, T], y[g, t] for t in T"

// unboundedEnd reports an end that nothing bounds.
func (c *checker) unboundedEnd(e ast.Expr, high bool) {
	if !high {
		c.report(RangeEnds, e.Pos(),
			"how low this end of the range can be is not known: an index[K], a count or a bound "+
				"index has a lowest value")
		return
	}
	d := c.report(RangeEnds, e.Pos(),
		"how high this end of the range can be is not known, so neither is how many entries are computed")
	d.Note("declare the data with a highest value, as index[K], which is below K; or run over a " +
		"dim and choose: if k < " + c.text(e) + " then … else 0")
	d.Note(ofGroups)
}

// fixedRanges refuses indices whose ranges move where each would make an axis of
// the result.
func (c *checker) fixedRanges(syms []*Symbol, what string) bool {
	for _, s := range syms {
		if s.Range != nil && s.Range.Moves() {
			b, _ := s.Decl.(*ast.Bind)
			at := s.Span
			if b != nil {
				at = b.In.Pos()
			}
			c.report(RangeEnds, at,
				"the range of %s changes from entry to entry, so the length of %s would: run "+
					"over the widest range, and choose entries by if", s.Name, what)
			return false
		}
	}
	return true
}
