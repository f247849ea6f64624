package check

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// typePlace says where a type stands.
type typePlace struct {
	kind Kind      // Data, Param, LocalVar, FnArg, Dist, …
	vars []ast.Var // of a declaration: a ragged dim may follow their sizes
}

// typeExpr reads a type. Its shape has only what the type expression gives.
func (c *checker) typeExpr(t *ast.TypeExpr, p typePlace) (types.Type, bool) {
	if t == nil {
		return types.Type{}, false
	}
	if len(t.Tuple) > 0 {
		out := types.Type{Kind: types.Tuple}
		good := true
		for _, part := range t.Tuple {
			pt, ok := c.typeExpr(part, p)
			good = good && ok
			out.Parts = append(out.Parts, pt)
		}
		if !good {
			return types.Type{}, false
		}
		return out, true
	}
	k, ok := types.KindNamed(t.Name.Name)
	if !ok {
		d := c.report(NoSuchType, t.Name.Span, "there is no type %s", t.Name.Name)
		if h, ok := foreign.Types[strings.ToLower(t.Name.Name)]; ok && h.Note != "" {
			d.Note(h.Note)
		} else if ok {
			d.Note("here it is written "+h.Name).Suggest(t.Name.Span, h.Name)
		} else if name := strings.ToLower(t.Name.Name); len(t.Ends) > 0 &&
			c.findDist(name) != nil && p.kind != Data {
			d.Note("after the colon stands a type; a distribution follows ~").
				Suggest(t.Name.Span, "real ~ "+name)
		} else {
			suggest(d, t.Name.Span, t.Name.Name, kindNames())
		}
		return types.Type{}, false
	}
	info := k.Info()
	out := types.Type{Kind: k, Own: info.Own, Sparse: t.Sparse, Optional: t.Optional}
	good := c.typeEnds(t, k, &out, p.kind == Param)
	var before types.Shape
	if len(p.vars) == 1 {
		c.quiet++
		before, _ = c.shape(p.vars[0].Sizes, nil)
		c.quiet--
	}
	if info.Sizes < 0 && c.boundsForSizes(t, k, p.kind) {
		return types.Type{}, false
	}
	sizes, ok := c.shape(t.Sizes, before)
	good = good && ok
	if info.Sizes >= 0 && len(t.Sizes) != info.Sizes {
		if len(t.Ends) > 0 {
			return types.Type{}, false // the wrong brackets have been reported
		}
		one := "one size"
		if info.Sizes == 2 {
			one = "two sizes"
		}
		c.report(TypeSizes, t.Span,
			"%s takes %s in its brackets, not %d; more axes are a family, w[N] : %s[…]", k, one,
			len(t.Sizes), k)
		return types.Type{}, false
	}
	if good {
		switch k {
		case types.Index:
			out.Below = sizes[0]
		case types.CorrChol, types.CovChol:
			out.Shape = types.Shape{sizes[0], sizes[0]}
		default:
			out.Shape = sizes
		}
	}
	good = c.typeMarks(t, k, &out, p) && good
	return out, good
}

// typeEnds reads the ends of an interval. Only those of a param may be arrays,
// along its axes: see endsFit.
func (c *checker) typeEnds(t *ast.TypeExpr, k types.Kind, out *types.Type, arrays bool) bool {
	if k != types.Interval {
		if len(t.Ends) > 0 {
			d := c.report(TypeEnds, t.Span,
				"%s takes no values in round brackets; sizes stand in square ones", k)
			first, last := t.Ends[0].Pos(), t.Ends[len(t.Ends)-1].Pos()
			if n := k.Info().Sizes; n == len(t.Ends) && len(t.Sizes) == 0 {
				d.Suggest(source.Span{Start: t.Name.Span.End, End: last.End + 1},
					"["+c.source(source.Span{Start: first.Start, End: last.End})+"]")
			} else if k == types.Real && len(t.Ends) == 2 {
				d.Suggest(t.Name.Span, "interval")
			}
			return false
		}
		return true
	}
	if len(t.Ends) != 2 {
		c.report(TypeEnds, t.Span, "interval takes two ends, interval(a, b)")
		return false
	}
	good := true
	for i, e := range t.Ends {
		v := c.expr(e)
		if v.t.Kind == types.Invalid {
			good = false
		} else if len(v.t.Shape) > 0 && !arrays {
			c.report(TypeEnds, e.Pos(), "an end of an interval is a number, and this has shape %s",
				v.t.Shape)
			good = false
		}
		out.Ends[i] = e
	}
	a, ok := c.constant(t.Ends[0])
	b, ok2 := c.constant(t.Ends[1])
	if ok && ok2 && !(a < b) {
		d := c.report(TypeEnds, t.Span, "the interval from %v to %v is empty", a, b)
		if a > b {
			d.Note("the lower end comes first")
			c.exchange(d, t.Ends[0].Pos(), t.Ends[1].Pos())
		}
		return false
	}
	return good
}

// endsFit checks the ends of an interval against the shape of the declared name: each end is a
// number, or fits the shape.
func (c *checker) endsFit(t types.Type) bool {
	for _, e := range t.Ends {
		if e == nil {
			continue
		}
		have := c.m.Types[e].Shape
		_, ways := types.Fit(have, t.Shape)
		switch {
		case ways == 1:
			continue
		case len(t.Shape) == 0:
			c.report(TypeEnds, e.Pos(), "an end of an interval is a number, and this has shape %s",
				have)
		default:
			c.report(TypeEnds, e.Pos(),
				"an end of the interval has shape %s, which does not fit %s%s", have, t.Shape,
				why(have, t.Shape))
		}
		return false
	}
	return true
}

// typeMarks reads sparse, ? and from.
func (c *checker) typeMarks(t *ast.TypeExpr, k types.Kind, out *types.Type, p typePlace) bool {
	good := true
	if t.Sparse && (p.kind != Data || k == types.Bag) {
		c.report(TypeMark, t.Span, "sparse is a storage of data, and of arrays of numbers alone")
		good = false
	}
	if t.Optional && (p.kind != Data || k.Discrete() || out.Own > 0) {
		c.report(TypeMark, t.Span,
			"only data that is a real number can have missing entries, real?")
		good = false
	}
	if k == types.Bag && p.kind != Data {
		c.report(TypeMark, t.Span, "bag is a storage of data; other counts are count[V]")
		good = false
	}
	if t.From != nil {
		if p.kind != Data || k != types.Index && !(k == types.Bool && len(t.Sizes) > 0) {
			d := c.report(TypeMark, t.From.Pos(),
				"from says where an index[K] of the data counts from")
			if k == types.Bool && p.kind == Data {
				d.Note("behind a bool it says that the file lists the indices that are on, and " +
					"their number stands in brackets: bool[K] from 0")
			}
			good = false
		} else if k == types.Bool && c.endsRagged(out.Shape) {
			c.report(TypeMark, t.From.Pos(),
				"from behind a bool says that the file lists the indices that are on, out of %s, "+
					"which must be one number", out.Shape[len(out.Shape)-1])
			good = false
		} else if n, ok := c.size(t.From); ok {
			if v, isNumber := n.Number(); isNumber {
				out.From, out.Listed = v, k == types.Bool
			} else {
				c.report(TypeMark, t.From.Pos(), "the file counts from a whole number")
			}
		}
	}
	return good
}

// endsRagged reports whether the last of some sizes is the length of a ragged row.
func (c *checker) endsRagged(s types.Shape) bool {
	if len(s) == 0 {
		return false
	}
	name, _ := s[len(s)-1].Name()
	sym := c.scope.find(name)
	return sym != nil && sym.Kind == Dim && sym.Parent != nil
}

func kindNames() []string {
	var names []string
	for _, k := range types.Kinds {
		if k.Name != "" {
			names = append(names, k.Name)
		}
	}
	return names
}

// why adds to a shape mismatch which size is not which, where one pair tells.
func why(a, b types.Shape) string {
	if _, ways := types.Fit(a, b); ways > 1 {
		return ": it fits in more than one way"
	}
	if len(a) == len(b) {
		for i := range a {
			if !a[i].Equal(b[i]) {
				return ": " + a[i].String() + " is not " + b[i].String()
			}
		}
	}
	for _, p := range a {
		found := false
		for _, q := range b {
			found = found || p.Equal(q)
		}
		if !found {
			if len(b) == 1 {
				return ": " + p.String() + " is not " + b[0].String()
			}
			return ": there is no axis " + p.String()
		}
	}
	return ""
}

var one = size.Const(1)

// boundsForSizes reports two sizes that are bounds, as in real[0, 10]: as sizes they would be of an
// array without entries.
func (c *checker) boundsForSizes(t *ast.TypeExpr, k types.Kind, of Kind) bool {
	if len(t.Sizes) != 2 {
		return false
	}
	low, is := literal(t.Sizes[0])
	high, too := literal(t.Sizes[1])
	if !is || !too || low > 0 || high <= low {
		return false
	}
	lo, hi := c.text(t.Sizes[0]), c.text(t.Sizes[1])
	d := c.report(NotASize, t.Span, "brackets have sizes, and %s[%s, %s] would have no entries", k,
		lo, hi)
	switch {
	case k == types.Real:
		kind := fmt.Sprintf("interval(%s, %s)", lo, hi)
		d.Note("numbers between bounds are "+kind).Suggest(t.Span, kind)
	case low == 0 && high == 1 && of == Data:
		d.Note("0 or 1 is bool").Suggest(t.Span, "bool")
	case low == 0 && of == Data:
		d.Note("whole numbers from 0 are count, and those below K are index[K]")
	}
	return true
}
