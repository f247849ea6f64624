package check

import (
	"math"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/math/special"
)

func (c *checker) dims(s *ast.Dim) {
	for i := range s.Items {
		it := &s.Items[i]
		sym := &Symbol{Kind: Dim, Doc: doc(s.Doc, it.Doc), Decl: it, Level: Level{Stage: OfData},
			Type: types.Scalar(types.Count)}
		if it.Default != nil {
			if p, ok := c.size(it.Default); ok {
				if negative(p) {
					c.report(NotASize, it.Default.Pos(), "the size %s is below 0", p)
				}
				sym.Default = p
				if n, ok := p.Number(); ok {
					sym.HasValue, sym.Value = true, float64(n)
				}
			}
		}
		if v, ok := c.opts.Set[it.Name.Name]; ok && c.in.name == "" {
			sym.HasValue, sym.Value = true, v
			if v != math.Trunc(v) || v < 0 {
				c.report(NotASize, it.Name.Span, "--set %s=%v: a size is a whole number from 0",
					it.Name.Name, v)
			} else {
				sym.Default = size.Const(int(v))
			}
		}
		if it.Parent != nil {
			p := c.lookup(it.Parent.Name, it.Parent.Span)
			switch {
			case p == nil:
				p = &Symbol{Kind: Dim, Name: it.Parent.Name}
			case p.Kind != Dim || p.Parent != nil:
				seeAlso(c.report(RaggedParent, it.Parent.Span,
					"%s(%s) has one length for each %s, so %s must be a plain dim", it.Name.Name,
					p.Name, p.Name, p.Name), p, "%s is declared here as %s", p.Name,
					p.Kind.article())
			}
			c.m.Uses[it.Parent] = p
			sym.Parent = p
		}
		c.declare(&it.Name, sym)
	}
}

// doc joins the doc of a declaration and of one name in it.
func doc(outer, inner string) string {
	if inner != "" {
		return inner
	}
	return outer
}

func (c *checker) consts(s *ast.Const) {
	for i := range s.Items {
		it := &s.Items[i]
		sym := &Symbol{Kind: Const, Doc: doc(s.Doc, it.Doc), Decl: it,
			Type: types.Scalar(types.Real)}
		if v, ok := c.opts.Set[it.Name.Name]; ok && c.in.name == "" {
			sym.HasValue, sym.Value = true, v
		}
		if it.Default != nil {
			v := c.expr(it.Default)
			x, ok := c.constant(it.Default)
			switch {
			case v.t.Kind == types.Invalid:
			case !ok:
				c.report(ConstValue, it.Default.Pos(),
					"the value of the const %s is not known at compile time", it.Name.Name).
					Note("a value of data or unknowns is named with let, a size that the data " +
						"tell is a dim")
			case !sym.HasValue:
				sym.HasValue, sym.Value = true, x
			}
		}
		if sym.HasValue {
			sym.Type = types.Scalar(kindOfNumber(sym.Value))
		}
		c.declare(&it.Name, sym)
	}
}

// kindOfNumber is the narrowest kind of a number.
func kindOfNumber(v float64) types.Kind {
	switch whole := v == math.Trunc(v) && math.Abs(v) < 1<<53; {
	case whole && v >= 0:
		return types.Count
	case whole:
		return types.Int
	case v > 0:
		return types.Positive
	}
	return types.Real
}

// constant computes an expression of numbers and consts.
func (c *checker) constant(e ast.Expr) (float64, bool) {
	switch e := e.(type) {
	case *ast.Number:
		return e.Value, true
	case *ast.Inf:
		return math.Inf(1), true
	case *ast.Paren:
		return c.constant(e.X)
	case *ast.Name:
		if s := c.m.Uses[e]; s != nil && s.Kind == Const && s.HasValue {
			return s.Value, true
		}
	case *ast.Unary:
		if x, ok := c.constant(e.X); ok && e.Op == "-" {
			return -x, true
		}
	case *ast.Binary:
		x, ok := c.constant(e.X)
		y, ok2 := c.constant(e.Y)
		if !ok || !ok2 {
			return 0, false
		}
		switch e.Op {
		case "+":
			return x + y, true
		case "-":
			return x - y, true
		case "*":
			return float64(x * y), true
		case "/":
			return x / y, true
		case "%":
			return special.Mod(x, y), true
		case "^":
			return math.Pow(x, y), true
		}
	case *ast.Call:
		if len(e.Args) != 1 {
			return 0, false
		}
		name, ok := e.Fun.(*ast.Name)
		x, ok2 := c.constant(e.Args[0].Value)
		if !ok || !ok2 {
			return 0, false
		}
		switch name.Name {
		case "sqrt":
			return math.Sqrt(x), true
		case "log":
			return math.Log(x), true
		case "exp":
			return math.Exp(x), true
		}
	}
	return 0, false
}

// A declaration in the wrong place, such as a param in a plate or a local
// outside, is the parser's to refuse.
func (c *checker) groups(groups []ast.Group, kind Kind, text string) {
	for i := range groups {
		c.group(&groups[i], kind, text)
	}
}

// group declares names that share a type, prior, default and strategy.
func (c *checker) group(g *ast.Group, kind Kind, text string) []*Symbol {
	base, ok := c.typeExpr(g.Type, typePlace{kind: kind, vars: g.Vars})
	level := Level{Stage: OfData}
	if kind != Data {
		level = Level{Stage: OfParams, Row: kind == LocalVar}
	}
	var syms []*Symbol
	for i := range g.Vars {
		v := &g.Vars[i]
		t := base
		family, good := c.shape(v.Sizes, nil)
		if !ok || !good {
			t = types.Type{}
		} else {
			t.Shape = types.JoinShapes(family, base.Shape)
			if kind == Param && !c.endsFit(t) {
				t = types.Type{}
			}
		}
		sym := &Symbol{Kind: kind, Name: v.Name.Name, Doc: doc(text, v.Doc), Decl: v, Group: g,
			Type: t, Level: level}
		if kind == Data && t.Optional && c.in.left[v.Name.Name] {
			sym.Missing, sym.Level = true, Level{Stage: OfParams}
		}
		if g.By != nil {
			sym.By = g.By.Name
		}
		syms = append(syms, sym)
	}
	// The default and the prior may not use the names being declared.
	if g.Default != nil && kind == Data {
		c.dataDefault(g, syms)
	}
	if g.Prior != nil && kind != Data {
		failed := false
		for i, sym := range syms {
			// A mistake in the prior is reported once, not for every name that shares the prior.
			before := len(c.m.Diags)
			if failed {
				c.quiet++
			}
			sym.Prior = c.distUse(g.Prior,
				target{t: sym.Type, what: g.Vars[i].Name.Name, span: g.Vars[i].Name.Span,
					prior: true, group: g})
			if failed {
				c.quiet--
			}
			failed = failed || len(c.m.Diags) > before
		}
	}
	c.initLaw(g, syms)
	for i := range g.Vars {
		c.declare(&g.Vars[i].Name, syms[i])
		c.checkUnknown(syms[i], g)
	}
	return syms
}

// dataDefault checks data alpha : positive = 0.1.
func (c *checker) dataDefault(g *ast.Group, syms []*Symbol) {
	v := c.expr(g.Default)
	if v.t.Kind == types.Invalid {
		return
	}
	if v.lv.Stage == OfParams {
		c.report(DefaultPlace, g.Default.Pos(),
			"a default is made of numbers, consts, dims and data, not of unknowns")
		return
	}
	for _, sym := range syms {
		if sym.Type.Kind == types.Invalid {
			continue
		}
		if _, ways := types.Fit(v.t.Shape, sym.Type.Shape); ways != 1 {
			c.report(ShapeMismatch, g.Default.Pos(), "the default has shape %s and %s has %s%s",
				v.t.Shape, sym.Name, sym.Type.Shape, why(v.t.Shape, sym.Type.Shape))
			return
		}
		c.takes(g.Default, v.t, sym.Type, "the default of "+sym.Name)
	}
}

// let declares a value, or the parts of a tuple. Track is a stored let, Generate one that is
// computed after a run.
func (c *checker) let(s *ast.Let) {
	kind := Let
	if s.Track {
		kind = Track
	}
	before, generating := c.defining, c.generating
	c.defining, c.generating = s.Names, generating || s.Generate
	v := c.exprTuple(s.Value)
	c.defining, c.generating = before, generating
	if s.Generate {
		kind = Generated
		v.lv.Stage = OfParams
	}
	if len(s.Names) == 0 {
		return
	}
	if !s.Tuple && len(s.Names) == 1 {
		if v.t.Kind == types.Tuple {
			c.report(TupleUse, s.Value.Pos(),
				"this gives %d values: write let (a, b) = … with a name for each", len(v.t.Parts))
			v.t = types.Type{}
		}
		c.declare(&s.Names[0],
			&Symbol{Kind: kind, Doc: s.Doc, Decl: s, Type: v.t, Level: v.lv, Expr: s.Value,
				Part: -1})
		return
	}
	if v.t.Kind != types.Tuple {
		if v.t.Kind != types.Invalid {
			c.report(TupleUse, s.Value.Pos(),
				"this gives one value, and there are %d names on the left", len(s.Names))
		}
	} else if len(v.t.Parts) != len(s.Names) {
		c.report(TupleUse, s.Value.Pos(),
			"this gives %d values, and there are %d names on the left", len(v.t.Parts),
			len(s.Names))
	}
	for i := range s.Names {
		t := types.Type{}
		if v.t.Kind == types.Tuple && len(v.t.Parts) == len(s.Names) {
			t = v.t.Parts[i]
		}
		c.declare(&s.Names[i],
			&Symbol{Kind: kind, Doc: s.Doc, Decl: s, Type: t, Level: v.lv, Expr: s.Value, Part: i})
	}
}

// factor adds a number to the log density.
func (c *checker) factor(s *ast.Factor) {
	v := c.expr(s.Value)
	if v.t.Kind == types.Invalid {
		return
	}
	if len(v.t.Shape) > 0 {
		c.report(FactorShape, s.Value.Pos(),
			"factor takes a number, and this has shape %s: take its sum", v.t.Shape).
			Suggest(s.Value.Pos(), "sum("+c.source(s.Value.Pos())+")")
		return
	}
	if v.lv.Stage != OfParams {
		c.warn(FactorConstant, s.Value.Pos(),
			"this factor has no unknown in it and changes nothing")
	}
}

// plate checks for n in N { … }.
func (c *checker) plate(s *ast.For) {
	c.within(func() {
		outer := c.plates
		for i := range s.Binds {
			if b := c.bind(&s.Binds[i], true); b != nil {
				c.plates = append(c.plates[:len(c.plates):len(c.plates)], b)
			}
		}
		for _, st := range s.Body {
			c.statement(st)
		}
		c.plates = outer
	})
}

// bind declares a bound index. In a plate the index belongs to a row.
func (c *checker) bind(b *ast.Bind, plate bool) *Symbol {
	r, ok := c.rangeOf(b.In)
	sym := &Symbol{Kind: Bound, Decl: b, Level: Level{Stage: OfData, Row: plate}, Part: -1}
	if ok {
		sym.Level = sym.Level.join(r.Level)
		r.Var = sym
		sym.Range = r
		sym.Type = types.Type{Kind: types.Index, Below: r.Hi()}
		c.m.Ranges[b] = r
	}
	return c.declare(&b.Var, sym)
}

// rangeOf reads N, lo:hi, or a ragged dim.
func (c *checker) rangeOf(e ast.Expr) (*Range, bool) {
	r := &Range{}
	if rg, ok := e.(*ast.Range); ok {
		if rg.Lo == nil || rg.Hi == nil {
			c.report(RangeEnds, rg.Span, "a range to run over needs both ends, lo:hi")
			return nil, false
		}
		if c.moves(rg.Lo) || c.moves(rg.Hi) {
			return r, c.movingRange(r, rg)
		}
		lo, ok := c.size(rg.Lo)
		hi, ok2 := c.size(rg.Hi)
		if !ok || !ok2 {
			return nil, false
		}
		r.Lo, r.Len = lo, hi.Sub(lo)
		if negative(lo) {
			c.report(RangeEnds, rg.Lo.Pos(), "the range starts at %s, below 0", lo)
			return nil, false
		}
	} else {
		if a, ok := e.(*ast.Name); ok {
			if s := c.scope.find(a.Name); s != nil && s.Kind != Dim && s.Kind != Const &&
				s.Kind != SizeVar && s.Type.Kind != types.Invalid {
				c.m.Uses[a] = s
				d := seeAlso(c.report(NotASize, a.Span,
					"an index runs over a dim or a range lo:hi, and %s is %s", a.Name,
					s.Kind.article()), s, "declared here")
				if s.Type.Kind.Discrete() && len(s.Type.Shape) == 0 {
					d.Note("in a sum or a plate it may be the end of a range, 0:" + a.Name)
				}
				return nil, false
			}
		}
		if ix, isIndex := e.(*ast.Index); isIndex {
			c.report(NotASize, ix.Span,
				"an index runs over a dim or a range lo:hi, and this is an entry of an array").
				Note("in a sum or a plate it may be the end of a range, 0:" + c.text(ix) +
					", where its type has a highest value, as index[K] has").
				Note(ofGroups)
			return nil, false
		}
		n, ok := c.size(e)
		if !ok {
			return nil, false
		}
		r.Len = n
	}
	if negative(r.Len) {
		c.report(RangeEnds, e.Pos(), "the range has %s entries, fewer than none", r.Len)
		return nil, false
	}
	for _, name := range r.Hi().Dims() {
		if d, of := types.SplitRagged(name); of != "" {
			r.Ragged, r.Of = c.scope.find(d), c.scope.find(of)
		}
	}
	return r, true
}
