package check

import (
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// size reads an expression as a size: dims, consts, whole numbers, + - *, and / by a number that
// divides whatever the dims are. If it is not one, it reports why and returns false.
func (c *checker) size(e ast.Expr) (types.Size, bool) {
	p, ok := c.sizeOf(e)
	if ok {
		c.m.Sizes[e] = p
	}
	return p, ok
}

func (c *checker) sizeOf(e ast.Expr) (types.Size, bool) {
	switch e := e.(type) {
	case *ast.Number:
		if e.Value != math.Trunc(e.Value) || math.Abs(e.Value) > 1<<40 {
			c.report(NotASize, e.Span, "a size is a whole number, and %s is not", e.Text)
			return types.Size{}, false
		}
		return size.Const(int(e.Value)), true
	case *ast.Name:
		return c.sizeNamed(e)
	case *ast.Paren:
		return c.size(e.X)
	case *ast.Unary:
		if e.Op == "-" {
			p, ok := c.size(e.X)
			return p.Neg(), ok
		}
	case *ast.Call:
		return c.raggedCall(e)
	case *ast.Binary:
		switch e.Op {
		case "+", "-", "*", "/", "^":
			x, ok := c.size(e.X)
			y, ok2 := c.size(e.Y)
			if !ok || !ok2 {
				return types.Size{}, false
			}
			if p, ok := sizeOp(e.Op, x, y); ok {
				return p, true
			}
			d := c.report(NotASize, e.Span,
				"%s is no size: sizes are made of dims, consts and whole numbers by + - *",
				c.text(e))
			if e.Op == "/" {
				d.Note("/ is for a number that divides whatever the dims are, as in K * (K - 1) / 2")
			}
			return types.Size{}, false
		}
	}
	c.report(NotASize, e.Pos(),
		"this is no size: sizes are made of dims, consts and whole numbers by + - *")
	return types.Size{}, false
}

// sizeOp computes with sizes; ok is false if the result is not a size.
func sizeOp(op string, x, y types.Size) (types.Size, bool) {
	// A polynomial that doubles at every product would outgrow the machine.
	if len(x.Terms)*len(y.Terms) > 256 {
		return types.Size{}, false
	}
	a, na := x.Number()
	b, nb := y.Number()
	switch op {
	case "+":
		return x.Add(y), true
	case "-":
		return x.Sub(y), true
	case "*":
		if na && nb && a != 0 && (a*b)/a != b || degree(x)+degree(y) > 16 {
			return types.Size{}, false
		}
		return x.Mul(y), true
	case "/":
		if nb {
			return x.Quotient(b)
		}
	case "^":
		if nb && b >= 0 && b <= 8 && degree(x)*b <= 16 && len(x.Terms) <= 4 {
			p := size.Const(1)
			for range b {
				p = p.Mul(x)
			}
			return p, true
		}
	}
	return types.Size{}, false
}

func degree(p types.Size) int {
	d := 0
	for _, t := range p.Terms {
		d = max(d, len(t.Dims))
	}
	return d
}

func (c *checker) sizeNamed(e *ast.Name) (types.Size, bool) {
	s := c.scope.find(e.Name)
	if s == nil {
		if c.fn != nil && c.fn.collect != nil {
			return c.fn.collect(e)
		}
		if c.lookup(e.Name, e.Span) == nil {
			return types.Size{}, false
		}
		return types.Size{}, false
	}
	c.m.Uses[e] = s
	p, ok := c.symbolSize(s, e)
	if !ok {
		return p, false
	}
	return p, true
}

// symbolSize returns the size that a name denotes.
func (c *checker) symbolSize(s *Symbol, at ast.Expr) (types.Size, bool) {
	switch s.Kind {
	case Dim:
		if s.Parent != nil {
			return c.raggedSize(s, at)
		}
		return size.Dim(s.Name), true
	case SizeVar:
		return size.Dim(s.Name), true
	case Const:
		if !s.HasValue {
			return types.Size{}, false
		}
		if s.Value != math.Trunc(s.Value) || math.Abs(s.Value) > 1<<40 {
			seeAlso(c.report(NotASize, at.Pos(), "a size is a whole number, and %s is %v", s.Name,
				s.Value), s, "declared here")
			return types.Size{}, false
		}
		return size.Const(int(s.Value)), true
	}
	if s.Type.Kind == types.Invalid {
		return types.Size{}, false
	}
	d := seeAlso(c.report(NotASize, at.Pos(), "%s is %s, and sizes are made of dims and consts",
		s.Name, s.Kind.article()), s, "declared here")
	switch s.Kind {
	case Data:
		if s.Type.Kind.Discrete() && len(s.Type.Shape) == 0 {
			d.Note("a size that the data tell is a dim: dim " + s.Name)
			c.redeclareDim(d, s)
		}
	case Let:
		if n, ok := s.Expr.(*ast.Name); ok {
			if of := c.m.Uses[n]; of != nil && (of.Kind == Dim || of.Kind == Const) {
				d.Note("it is "+of.Name).Suggest(at.Pos(), of.Name)
			}
		}
	}
	return types.Size{}, false
}

// redeclareDim suggests dim N for data N : int, where nothing else is declared with it.
func (c *checker) redeclareDim(d *diag.Diagnostic, s *Symbol) {
	text := c.in.file.Source.Text
	before := strings.TrimRight(text[:s.Span.Start], " \t")
	if s.Group == nil || s.Group.Type == nil || len(s.Group.Vars) != 1 || c.in != c.root ||
		!strings.HasSuffix(before, "data") {
		return
	}
	end := s.Group.Type.Span.End
	if rest := strings.TrimLeft(text[end:], " \t"); rest == "" || rest[0] == '\n' {
		d.Suggest(source.Span{Start: len(before) - len("data"), End: end}, "dim "+s.Name)
	}
}

// raggedSize returns the length T(s) for the ragged dim T, if an index of its parent is visible.
func (c *checker) raggedSize(s *Symbol, at ast.Expr) (types.Size, bool) {
	var found []string
	for sc := c.scope; sc != nil; sc = sc.outer {
		for _, b := range sc.names {
			if b.Kind != Bound || b.Range == nil {
				continue
			}
			if d, ok := dimOf(b.Range); ok && d == s.Parent.Name {
				found = append(found, b.Name)
			}
		}
	}
	slices.Sort(found)
	switch len(found) {
	case 0:
		seeAlso(c.report(RaggedAlone, at.Pos(),
			"%s is a length for every %s: it stands after %s in a shape, or where an index of %s "+
				"is in scope", s.Name, s.Parent.Name, s.Parent.Name, s.Parent.Name), s,
			"declared here")
		return types.Size{}, false
	case 1:
		return size.Dim(types.Ragged(s.Name, found[0])), true
	}
	c.report(RaggedAmbiguous, at.Pos(),
		"%s is the length of a row of %s, and both %s and %s are rows of it: write %s(%s)", s.Name,
		s.Parent.Name, found[0], found[1], s.Name, found[0])
	return types.Size{}, false
}

// raggedCall is T(s), the length of the row s.
func (c *checker) raggedCall(e *ast.Call) (types.Size, bool) {
	name, ok := e.Fun.(*ast.Name)
	if !ok || len(e.Args) != 1 {
		c.report(NotASize, e.Span,
			"a size is made of dims, consts and whole numbers by + - *, and calls nothing")
		return types.Size{}, false
	}
	s := c.scope.find(name.Name)
	if s == nil || s.Kind != Dim {
		if c.lost(name.Name) {
			return types.Size{}, false
		}
		d := c.report(NotASize, e.Span,
			"a size is made of dims, consts and whole numbers by + - *, and calls nothing")
		if h, ok := foreign.Functions[name.Name]; ok && h.Note != "" {
			d.Note(h.Note)
		}
		return types.Size{}, false
	}
	if s.Parent == nil {
		c.report(NotASize, e.Span, "%s is no ragged dim, so %s(…) is no size", name.Name, name.Name)
		return types.Size{}, false
	}
	c.m.Uses[name] = s
	arg, ok := e.Args[0].Value.(*ast.Name)
	var b *Symbol
	if ok {
		b = c.scope.find(arg.Name)
	}
	if b == nil || b.Kind != Bound || b.Range == nil {
		return c.raggedRow(s, e.Args[0].Value)
	}
	c.m.Uses[arg] = b
	if d, ok := dimOf(b.Range); !ok || d != s.Parent.Name {
		c.report(RaggedAlone, arg.Span, "%s(…) takes an index of %s, and %s is one of %s", s.Name,
			s.Parent.Name, b.Name, b.Range.Hi())
		return types.Size{}, false
	}
	return size.Dim(types.Ragged(s.Name, b.Name)), true
}

// raggedRow is T(g[n]), the length of the row that data choose.
func (c *checker) raggedRow(s *Symbol, e ast.Expr) (types.Size, bool) {
	v := c.expr(e)
	if v.bad() {
		return types.Size{}, false
	}
	parent := size.Dim(s.Parent.Name)
	if v.t.Kind != types.Index || len(v.t.Shape) > 0 || !v.t.Below.Equal(parent) {
		c.report(RaggedAlone, e.Pos(), "%s(…) takes an index of %s, and this is %s", s.Name,
			s.Parent.Name, article(v.t)).
			Note("an index of " + s.Parent.Name +
				" is bound by a plate or comprehension, or is data of the type index[" +
				s.Parent.Name + "]")
		return types.Size{}, false
	}
	row, ok := c.rowOf(e, v.lv)
	if !ok {
		c.report(RaggedAlone, e.Pos(),
			"%s(…) takes an index of %s that is known when data are, and this one depends on unknowns",
			s.Name, s.Parent.Name)
		return types.Size{}, false
	}
	return size.Dim(types.Ragged(s.Name, row)), true
}

// dimOf is the dim whose rows a range runs over.
func dimOf(r *Range) (string, bool) {
	if n, ok := r.Hi().Name(); ok {
		return n, true
	}
	dims := r.Hi().Dims()
	if len(dims) == 1 {
		return dims[0], true
	}
	return "", false
}

// shape reads a list of sizes. before has the sizes in front of them, which a ragged dim may refer
// to.
func (c *checker) shape(list []ast.Expr, before types.Shape) (types.Shape, bool) {
	out, good := types.Shape{}, true
	for _, e := range list {
		if n, ok := e.(*ast.Name); ok {
			if s := c.scope.find(n.Name); s != nil && s.Kind == Dim && s.Parent != nil &&
				hasDim(types.JoinShapes(before, out), s.Parent.Name) {
				p := size.Dim(s.Name)
				c.m.Uses[n], c.m.Sizes[e] = s, p
				out = append(out, p)
				continue
			} else if s != nil && s.Kind == Dim && s.Parent != nil && !good {
				continue // its row is perhaps the size that is wrong
			}
		}
		p, ok := c.size(e)
		if ok && negative(p) {
			c.report(NotASize, e.Pos(), "the size %s is below 0", p)
			ok = false
		}
		good = good && ok
		out = append(out, p)
	}
	return out, good
}

func hasDim(s types.Shape, name string) bool {
	for _, p := range s {
		if n, ok := p.Name(); ok && n == name {
			return true
		}
	}
	return false
}

// levelOf returns the level at which the sizes of a shape are known.
func levelOf(s types.Shape) Level {
	for _, p := range s {
		if _, ok := p.Number(); !ok {
			return Level{Stage: OfData}
		}
	}
	return Level{}
}

// nonnegative proves p ≥ 0 for all dims ≥ 0: no coefficient is below 0.
func nonnegative(p types.Size) bool {
	for _, t := range p.Terms {
		if t.Coef < 0 {
			return false
		}
	}
	return true
}

// negative proves p < 0 for all dims ≥ 0: p + 1 ≤ 0.
func negative(p types.Size) bool { return nonnegative(p.Add(size.Const(1)).Neg()) }

// atLeast proves p ≥ q, counting on dims of at least one.
func atLeast(p, q types.Size) bool { return atLeastWith(p, q, p.Sub(q).Dims()) }

// atLeastWith proves p ≥ q for all sizes of dims, where the dims of filled are at least 1.
func atLeastWith(p, q types.Size, filled []string) bool {
	// With every such dim d = 1 + d', the polynomial has no negative coefficient.
	d := p.Sub(q)
	if degree(d) > 6 || len(d.Terms) > 16 {
		return nonnegative(d)
	}
	by := map[string]types.Size{}
	for _, n := range filled {
		by[n] = size.Dim(n).Add(size.Const(1))
	}
	return nonnegative(types.SubstSize(d, by))
}

// positiveDims returns the dims that are at least 1 wherever the size p is.
func positiveDims(p types.Size) []string {
	var out []string
	for _, d := range p.Dims() {
		if !slices.ContainsFunc(p.Terms, func(t size.Term) bool {
			return t.Coef > 0 && !slices.Contains(t.Dims, d)
		}) {
			out = append(out, d)
		}
	}
	return out
}

// fitsBelow proves that an index below p is one below q too.
func fitsBelow(p, q types.Size) bool { return p.Equal(q) || atLeastWith(q, p, positiveDims(p)) }
