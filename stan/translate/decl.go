package translate

import (
	"strconv"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A given is one input.
type given struct {
	s        *sym
	dim      bool // a size
	kind     string
	levels   size.Poly // of an index
	info     intInfo
	sh       []size.Poly
	own      int // how many of them are the type's own, as of a simplex
	doc      string
	span     source.Span
	observed syntax.Stmt
	hidden   bool // it stands in the model as a number
}

// A param is one unknown.
type param struct {
	s            *sym
	kind         string
	lower, upper node
	ends         bool // they depend on unknowns
	fam          []size.Poly
	own          []size.Poly
	prior        bool // a statement gives its law
	chol         bool // it stands for the matrix L @ transpose(L)
	matrix       *variable
	law          *law // of the declaration
	doc          string
	span         source.Span
}

// literal is the value of a bound that is a number.
func literal(e syntax.Expr) (float64, bool) {
	switch e := e.(type) {
	case *syntax.Int:
		x, err := strconv.ParseFloat(e.Text, 64)
		return x, err == nil
	case *syntax.Real:
		x, err := strconv.ParseFloat(e.Text, 64)
		return x, err == nil
	case *syntax.Unary:
		x, ok := literal(e.X)
		if e.Op == "-" {
			x = -x
		}
		return x, ok
	}
	return 0, false
}

func is(e syntax.Expr, x float64) bool {
	y, ok := literal(e)
	return ok && x == y
}

// words are what no name of the language may be.
var words = map[string]bool{"for": true, "in": true, "if": true, "then": true, "else": true,
	"and": true, "or": true, "not": true, "true": true, "false": true, "inf": true, "scan": true,
	"factor": true}

// ownName is the name of data or of a param in the language.
func (t *translator) ownName(name string, at source.Span, data bool) string {
	if !words[name] {
		return name
	}
	d := t.warning(syntax.Renamed, at, "%s is a word of the language, and the name is %s_ here", name,
		name)
	if data {
		d.Note("give it as --data " + name + "_=FILE:" + name)
	}
	t.diags.Add(d)
	return name + "_"
}

// dataDecl translates a declaration of the data block.
func (t *translator) dataDecl(s syntax.Stmt) {
	d, ok := s.(*syntax.Decl)
	if !ok {
		return
	}
	if t.scope[0][d.Name] != nil {
		t.fail(syntax.NotStan, d.Pos(), "%s is declared already", d.Name)
	}
	if d.Type.Base == "tuple" && t.bound == nil {
		t.failNote("with --data the parts stand in the model as numbers",
			syntax.NoType, d.Pos(), "data that are tuples have no counterpart where the data are not "+
				"known")
	}
	name := t.ownName(d.Name, d.Pos(), true)
	y := &sym{key: name, base: name, fixed: true}
	t.syms[name] = y
	g := &given{s: y, doc: d.Doc, span: d.Pos()}
	v := t.newVariable(d.Type, d.Name, d.Span)
	if v.t.base == tupleBase {
		t.givenData(d, v, y)
		t.scope[0][d.Name] = v
		return
	}
	if t.bound != nil {
		t.givenData(d, v, y)
	}
	v.fixed, v.doc = true, d.Doc
	g.sh = v.sh
	v.base = &value{n: ref{y}, t: v.t, sh: v.sh}
	if v.t.base == intBase {
		t.intData(d, v, g)
	} else {
		t.realData(d, v, g)
	}
	t.shapes[y] = v.sh
	t.data = append(t.data, g)
	t.scope[0][d.Name] = v
}

func (t *translator) realData(d *syntax.Decl, v *variable, g *given) {
	ty := d.Type
	g.kind = "real"
	switch {
	case ty.Base == "simplex":
		g.kind, g.own = "simplex", 1
	case is(ty.Lower, 0) && is(ty.Upper, 1):
		g.kind = "unit"
	case is(ty.Lower, 0):
		g.kind = "nonnegative"
	}
}

// intData decides what whole numbers of the data are: sizes, truth values, indices or counts.
func (t *translator) intData(d *syntax.Decl, v *variable, g *given) {
	ty := d.Type
	low, hasLow := literal(ty.Lower)
	u := t.used[d.Name]
	if v.t.arr == 0 && t.bound != nil {
		v.base.n = literalOf(t.bound.values[g.s], true)
		g.hidden = true
		return
	}
	if v.t.arr == 0 {
		if u.law == "" && (t.sizes[d.Name] || hasLow && low >= 1) {
			g.dim = true
			t.minDim[g.s.key] = 0
			if hasLow && low > 0 {
				t.minDim[g.s.key] = int(low)
			}
			v.base.n = whole{size.Dim(g.s.key)}
			return
		}
	}
	law := dists[u.law]
	g.info = intInfo{neg: !hasLow || low < 0}
	var top *size.Poly
	if ty.Upper != nil {
		if d := try(func() {
			p := t.intOf(t.expr(ty.Upper), ty.Upper.Pos())
			if !t.moves(p) {
				top = &p
			}
		}); d != nil {
			top = nil
		}
	}
	if most := t.bound.highest(g.s); top == nil && most > 0 && hasLow && u.law == "" {
		p := size.Const(most) // what a category may be that functions of the program take
		top = &p
	}
	switch {
	case law.shift && (!hasLow || low == 1): // else other values mark what is missing
		g.info.shift, g.info.neg = 1, false
		if top != nil && is(ty.Lower, 1) {
			g.kind, g.levels = "index", *top
			g.info.typed, g.info.top = top, top
		}
	case law.kind == "bool" || law.kind == "" && is(ty.Lower, 0) && is(ty.Upper, 1):
		g.kind = "bool"
		two := size.Const(2)
		g.info.top, g.info.neg = &two, false
	case law.kind == "count" && hasLow && low >= 0:
		g.kind = "count"
	case law.kind == "count":
		g.kind = "int" // a value below 0 may mark what is missing
	case hasLow && (low == 0 || low == 1) && top != nil && u.law == "":
		levels := top.Add(size.Const(1 - int(low)))
		g.kind, g.levels = "index", levels
		g.info.shift, g.info.typed, g.info.top = int(low), &levels, &levels
	case hasLow && low >= 0:
		g.kind = "count"
	default:
		g.kind = "int"
	}
	t.ints[g.s] = g.info
	if v.t.arr == 0 {
		a := t.atom(ref{g.s}, &sym{typed: g.info.typed, top: g.info.top, neg: g.info.neg})
		v.base.n = whole{a.Add(size.Const(g.info.shift))}
	}
}

// paramDecl translates a declaration of the parameters block.
func (t *translator) paramDecl(s syntax.Stmt) {
	d, ok := s.(*syntax.Decl)
	if !ok {
		return
	}
	if t.lookup(d.Name) != nil {
		t.fail(syntax.NotStan, d.Pos(), "%s is declared already", d.Name)
	}
	v := t.paramVar(d.Type, d.Name, d)
	v.doc = d.Doc
	t.scope[0][d.Name] = v
}

func (t *translator) paramVar(ty *syntax.Type, name string, d *syntax.Decl) *variable {
	if ty.Base == "int" {
		t.fail(syntax.NoType, ty.Pos(), "unknowns are real in Stan, and this is an int")
	}
	v := t.newVariable(ty, name, d.Span)
	v.fixed = true
	if v.t.base == tupleBase {
		v.fixed = false
		for i, part := range ty.Tuple {
			v.elems[i] = t.paramVar(partOf(ty, part), name+"_"+itoa(i+1), d)
		}
		return v
	}
	name = t.ownName(name, d.Pos(), false)
	if t.rectangle(ty, name, v, d) {
		return v
	}
	p := &param{doc: d.Doc, span: d.Pos(), fam: v.sh, kind: "real"}
	own := 0
	switch ty.Base {
	case "simplex", "ordered", "positive_ordered":
		p.kind, own = ty.Base, 1
	case "unit_vector":
		p.kind, own = "sphere", 1
	case "sum_to_zero_vector":
		p.kind, own = "sum_to_zero", 1
	case "row_stochastic_matrix", "column_stochastic_matrix":
		p.kind, own = "simplex", 1
	case "cholesky_factor_corr", "corr_matrix":
		p.kind, own = "corr_chol", 2
	case "cholesky_factor_cov", "cov_matrix":
		p.kind, own = "cov_chol", 2
	default:
		t.bounds(p, ty)
	}
	if ty.Base == "column_stochastic_matrix" {
		k := len(v.sh)
		p.fam = append(append([]size.Poly{}, v.sh[:k-2]...), v.sh[k-1], v.sh[k-2])
	}
	k := len(v.sh) - own
	p.fam, p.own = p.fam[:k], append([]size.Poly{}, p.fam[k:]...)
	inner := name
	if ty.Base == "corr_matrix" || ty.Base == "cov_matrix" {
		inner, p.chol = "L_"+name, true
		for t.syms[inner] != nil || t.declared(inner) {
			inner = "L" + inner
		}
	}
	if ty.Base == "column_stochastic_matrix" {
		inner = name + "_columns"
	}
	p.s = &sym{key: inner, base: inner, fixed: true, unk: true}
	t.syms[inner] = p.s
	t.shapes[p.s] = append(append([]size.Poly{}, p.fam...), p.own...)
	t.params = append(t.params, p)
	v.base = &value{n: ref{p.s}, t: v.t, sh: v.sh, unk: true}
	t.derived(v, p, ty, name)
	return v
}

// declared reports whether the program declares a name in a block.
func (t *translator) declared(name string) bool {
	found := false
	pr := t.prog
	for _, b := range [][]syntax.Stmt{pr.Data, pr.TransData, pr.Params, pr.TransParams, pr.Model,
		pr.Generated} {
		syntax.Walk(b, func(s syntax.Stmt) {
			if d, ok := s.(*syntax.Decl); ok && d.Name == name {
				found = true
			}
		})
	}
	return found
}

// bounds reads <lower, upper> of a param.
func (t *translator) bounds(p *param, ty *syntax.Type) {
	end := func(e syntax.Expr) node {
		if e == nil {
			return nil
		}
		v := t.expr(e)
		p.ends = p.ends || t.unknown(v.n)
		return t.raw(v)
	}
	p.lower, p.upper = end(ty.Lower), end(ty.Upper)
	if u, ok := p.lower.(unary); ok && t.same(u.x, ref{infSym}) {
		p.lower = nil
	}
	if r, ok := p.upper.(ref); ok && r.s == infSym {
		p.upper = nil
	}
	switch {
	case p.lower == nil && p.upper == nil:
	case p.lower != nil && isNum(p.lower, 0) && p.upper == nil:
		p.kind = "positive"
	case p.lower != nil && p.upper != nil && isNum(p.lower, 0) && isNum(p.upper, 1):
		p.kind = "unit"
	default:
		p.kind = "interval"
	}
}
