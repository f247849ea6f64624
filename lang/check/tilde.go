package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// An observation is which entries of a name one ~ speaks of.
type observation struct {
	sym   *Symbol
	span  source.Span
	cover []cover
}

// A cover is the entries of one axis, lo up to hi; unknown when data chooses them.
type cover struct {
	lo, hi  types.Size
	unknown bool
}

// tilde checks y[n] ~ dist(…).
func (c *checker) tilde(s *ast.Tilde) {
	name, subs := leftName(s.Left)
	if name == nil {
		// The parser has said that only a name or its entries stand here.
		c.expr(s.Left)
		c.argsOf(s.Dist)
		return
	}
	before := len(c.m.Diags)
	v := c.expr(s.Left)
	sym := c.m.Uses[name]
	if len(c.m.Diags) == before+1 && len(c.plates) == 0 && c.m.Diags[before].Code == NoSuchValue {
		c.undeclaredLeft(c.m.Diags[before], s, name, subs)
	}
	if v.bad() || sym == nil {
		c.quietly(func() { c.distUse(s.Dist, target{t: v.t, what: name.Name, span: s.Left.Pos()}) })
		c.argsOf(s.Dist)
		return
	}
	t := target{t: v.t, what: c.text(s.Left), span: s.Left.Pos(), group: sym.Group}
	switch sym.Kind {
	case Data:
	case Let, Track:
		if sym.Level.Stage == OfParams {
			seeAlso(c.report(TildeUnknown, s.Left.Pos(),
				"%s is computed from unknowns, and ~ would count its density twice or not at "+
					"all: use factor", name.Name), sym, "%s is declared here", name.Name)
			return
		}
	case Param, LocalVar:
		t.prior = true
	default:
		seeAlso(c.report(TildeLeft, s.Left.Pos(),
			"%s is %s, and ~ observes data or gives a prior to a param or local", name.Name,
			sym.Kind.article()), sym, "declared here")
		return
	}
	use := c.distUse(s.Dist, t)
	if t.prior && sym.Prior != nil {
		seeAlso(c.report(TildeTwice, s.Left.Pos(), "%s has a prior already: each entry has one ~",
			name.Name), sym, "it is given here")
		return
	}
	if use == nil {
		return
	}
	if t.prior && sym.Prior == nil && len(subs) == 0 && len(c.plates) == len(sym.Plate) {
		defer func() { sym.Prior = use }()
	}
	c.observe(s, sym, subs)
}

// undeclaredLeft advises on y[n] ~ … without a plate, and on mu ~ normal(0, 1)
// without a declaration, which Stan has elsewhere and BUGS nowhere.
func (c *checker) undeclaredLeft(
	d *diag.Diagnostic, s *ast.Tilde, name *ast.Name, subs []ast.Expr,
) {
	for _, sub := range subs {
		if n, ok := sub.(*ast.Name); ok && n.Span == d.Span {
			d.Notes, d.Edits = nil, nil
			d.Note("an index is bound by a plate: for " + n.Name + " in N { " + c.text(s.Left) +
				" ~ … }")
			return
		}
	}
	if len(subs) > 0 || len(d.Edits) > 0 || d.Span != name.Span {
		return
	}
	kind := "real"
	if def := c.findDist(s.Dist.Name.Name); def != nil && def.On.IsScalar() {
		kind = unknownKind(def.On.Entry())
	}
	d.Note("an unknown is declared with its type and its prior").
		Suggest(source.Span{Start: name.Span.Start, End: name.Span.Start}, "param ").
		Suggest(source.Span{Start: name.Span.End, End: name.Span.End}, " : "+kind)
}

func (c *checker) quietly(f func()) {
	c.quiet++
	f()
	c.quiet--
}

// argsOf reports the mistakes inside the arguments of a distribution whose left side is not known.
func (c *checker) argsOf(d *ast.DistExpr) {
	if d.Comp == nil && d.Name.Name != "mixture" {
		c.quietDist(d)
	}
}

// leftName is the name left of ~ and its subscripts.
func leftName(e ast.Expr) (*ast.Name, []ast.Expr) {
	switch e := e.(type) {
	case *ast.Paren:
		return leftName(e.X)
	case *ast.Name:
		return e, nil
	case *ast.Index:
		if n, ok := e.X.(*ast.Name); ok {
			return n, e.Subs
		}
	}
	return nil, nil
}

// observe notes which entries are spoken of, and refuses a plate that repeats them.
func (c *checker) observe(s *ast.Tilde, sym *Symbol, subs []ast.Expr) {
	o := &observation{sym: sym, span: s.Left.Pos()}
	named := map[*Symbol]bool{}
	for _, p := range sym.Plate {
		named[p] = true
	}
	for i, axis := range sym.Type.Shape {
		if i >= len(subs) {
			o.cover = append(o.cover, cover{hi: axis})
			continue
		}
		o.cover = append(o.cover, c.coverOf(subs[i], axis, named))
	}
	for _, p := range c.plates {
		if !named[p] && p.Range != nil {
			if n, ok := p.Range.Len.Number(); ok && n <= 1 {
				continue
			}
			d := c.report(TildeRepeats, s.Left.Pos(),
				"this stands in the plate over %s and does not depend on %s: each entry of %s "+
					"would have one ~ for every %s", p.Name, p.Name, sym.Name, p.Name)
			d.Note("give it the subscript " + p.Name + ", or move it out of the plate")
			return
		}
	}
	c.observed = append(c.observed, o)
}

// coverOf returns what part of an axis one subscript covers, and records the plate indices in it.
func (c *checker) coverOf(sub ast.Expr, axis types.Size, named map[*Symbol]bool) cover {
	if r, ok := sub.(*ast.Range); ok {
		out := cover{hi: axis}
		for i, e := range []ast.Expr{r.Lo, r.Hi} {
			if e == nil {
				continue
			}
			f, ok := c.form(e)
			if !ok || len(f.atoms) > 0 {
				c.noteIndices(e, named)
				return cover{unknown: true}
			}
			if i == 0 {
				out.lo = f.poly
			} else {
				out.hi = f.poly
			}
		}
		return out
	}
	c.noteIndices(sub, named)
	f, ok := c.form(sub)
	if !ok || len(c.m.Types[sub].Shape) > 0 {
		return cover{unknown: true}
	}
	for _, a := range f.atoms {
		if !a.attained {
			return cover{unknown: true}
		}
	}
	lo, ok := f.extreme(false, true)
	hi, ok2 := f.extreme(true, true)
	if !ok || !ok2 {
		return cover{unknown: true}
	}
	// Only n + c covers every entry in between.
	if len(f.atoms) > 1 {
		return cover{unknown: true}
	}
	return cover{lo: lo, hi: hi.Add(size.Const(1))}
}

// noteIndices marks the bound indices in an expression.
func (c *checker) noteIndices(e ast.Expr, named map[*Symbol]bool) {
	walk(e, func(x ast.Expr) {
		if n, ok := x.(*ast.Name); ok {
			if s := c.m.Uses[n]; s != nil && s.Kind == Bound {
				named[s] = true
			} else if s != nil {
				for _, p := range s.Plate {
					if s.Kind == Let || s.Kind == LocalVar {
						named[p] = true
					}
				}
			}
		}
	})
}

// checkObserved reports entries with two ~ for sure.
func (c *checker) checkObserved() {
	reported := map[*Symbol]bool{}
	for i, a := range c.observed {
		for _, b := range c.observed[:i] {
			if a.sym != b.sym || reported[a.sym] || !overlap(a.cover, b.cover) {
				continue
			}
			reported[a.sym] = true
			c.report(TildeTwice, a.span, "%s has a ~ already: each entry has one", a.sym.Name).
				NoteAt(c.in.file.Source, b.span, "the other is here")
		}
	}
}

func overlap(a, b []cover) bool {
	for i := range a {
		if i >= len(b) || a[i].unknown || b[i].unknown {
			return false
		}
		// A range that is not empty overlaps what contains it.
		if atLeast(a[i].lo, b[i].lo) && atLeast(b[i].hi, a[i].hi) ||
			atLeast(b[i].lo, a[i].lo) && atLeast(a[i].hi, b[i].hi) {
			continue
		}
		if !atLeast(a[i].hi, b[i].lo.Add(one)) || !atLeast(b[i].hi, a[i].lo.Add(one)) {
			return false
		}
	}
	return true
}
