package translate

import (
	"strconv"
	"strings"

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

// A use says how a program uses whole numbers of the data.
type use struct {
	law  string // of which they are values
	size bool
}

// uses finds how names are used, before anything is translated: declarations come first.
func uses(prog *syntax.Program) map[string]use {
	out := map[string]use{}
	root := func(e syntax.Expr) string {
		for {
			switch x := e.(type) {
			case *syntax.Index:
				e = x.X
				continue
			case *syntax.Name:
				return x.Name
			}
			return ""
		}
	}
	note := func(e syntax.Expr, law string) {
		if n := root(e); n != "" {
			u := out[n]
			if u.law == "" {
				u.law = law
			}
			out[n] = u
		}
	}
	for _, b := range [][]syntax.Stmt{prog.TransData, prog.TransParams, prog.Model, prog.Generated} {
		syntax.Walk(b, func(s syntax.Stmt) {
			if x, ok := s.(*syntax.Tilde); ok {
				note(x.Left, strings.TrimSuffix(x.Dist, "_glm"))
			}
			syntax.Exprs(s, func(e syntax.Expr) {
				if c, ok := e.(*syntax.Call); ok && len(c.Args) > 0 {
					if name, of := lawName(c.Fun); of == "logpdf" {
						note(c.Args[0], strings.TrimSuffix(name, "_glm"))
					}
				}
			})
		})
	}
	return out
}

// sizeNames are the whole numbers of the data that stand in sizes, in the ends of loops, and as
// arguments of functions, which may make sizes of them.
func sizeNames(prog *syntax.Program, funcs map[string][]*syntax.Func) map[string]bool {
	out := map[string]bool{}
	all := func(e syntax.Expr) {
		if e != nil {
			syntax.WalkExpr(e, func(x syntax.Expr) {
				if n, ok := x.(*syntax.Name); ok {
					out[n.Name] = true
				}
			})
		}
	}
	sizes := func(d *syntax.Type) {
		for _, e := range d.Sizes {
			all(e)
		}
		for _, e := range d.Array {
			all(e)
		}
	}
	makers := map[string]bool{"rep_vector": true, "rep_row_vector": true, "rep_array": true,
		"rep_matrix": true, "identity_matrix": true, "ones_vector": true, "zeros_vector": true,
		"ones_row_vector": true, "zeros_row_vector": true, "head": true, "tail": true, "segment": true,
		"linspaced_vector": true, "linspaced_row_vector": true, "linspaced_array": true,
		"one_hot_vector": true, "to_matrix": true, "block": true, "linspaced_int_array": true}
	for _, b := range [][]syntax.Stmt{prog.Data, prog.TransData, prog.Params, prog.TransParams,
		prog.Model, prog.Generated} {
		syntax.Walk(b, func(s syntax.Stmt) {
			switch s := s.(type) {
			case *syntax.Decl:
				sizes(s.Type)
				if s.Type.Base == "int" && len(s.Type.Array) == 0 {
					all(s.Value)
				}
			case *syntax.For:
				all(s.Lo)
				all(s.Hi)
			}
			syntax.Exprs(s, func(e syntax.Expr) {
				switch e := e.(type) {
				case *syntax.Call:
					if makers[e.Fun] || funcs[e.Fun] != nil {
						for _, a := range e.Args {
							all(a)
						}
					}
				case *syntax.Index:
					for _, s := range e.Subs {
						if s.Range {
							all(s.Lo)
							all(s.Hi)
						}
					}
				}
			})
		})
	}
	return out
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
	name := t.ownName(d.Name, d.Pos(), true)
	y := &sym{key: name, base: name, fixed: true}
	t.syms[name] = y
	g := &given{s: y, doc: d.Doc, span: d.Pos()}
	v := t.newVariable(d.Type, d.Name, d.Span)
	if v.t.base == tupleBase {
		t.fail(syntax.NoType, d.Pos(), "data that are tuples have no counterpart").
			Note("give each part as data of its own")
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
	switch {
	case law.shift:
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
			v.elems[i] = t.paramVar(part, name+"_"+itoa(i+1), d)
		}
		return v
	}
	name = t.ownName(name, d.Pos(), false)
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
		if !v.sh[len(v.sh)-1].Equal(v.sh[len(v.sh)-2]) {
			t.fail(syntax.NoType, ty.Pos(), "a Cholesky factor with more rows than columns has no "+
				"counterpart")
		}
	case "sum_to_zero_matrix":
		t.fail(syntax.NoType, ty.Pos(), "a matrix whose rows and columns sum to 0 has no counterpart")
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

// derived writes the value that a param stands for, where that is not the param itself.
func (t *translator) derived(v *variable, p *param, ty *syntax.Type, name string) {
	var f func(n node) node
	switch {
	case p.chol:
		f = func(n node) node { return binary{"@", n, call{fun: "transpose", args: []node{n}}} }
	case ty.Base == "column_stochastic_matrix":
		f = func(n node) node { return call{fun: "transpose", args: []node{n}} }
	default:
		return
	}
	val := &value{t: v.t, sh: v.sh, unk: true}
	outer := v.sh[:v.t.arr]
	if len(outer) == 0 {
		val.n = f(ref{p.s})
	} else {
		val.n = t.eachOf(outer, func(r []size.Poly) node {
			return f(index{ref{p.s}, wholes(r)})
		})
	}
	s := t.let(t.root, name, val)
	t.mark(s, true, v)
	val.n = ref{s}
	v.base = val
	p.matrix = v
}

// jacobians adds, for each matrix whose prior is not one of its factor, the logarithm of the
// derivative of the matrix by its factor.
func (t *translator) jacobians() {
	for _, p := range t.params {
		if !p.chol || p.prior {
			continue
		}
		k := p.own[0]
		i := t.newIndex("k", size.Poly{}, k)
		power := k.Sub(size.Dim(i.key))
		if p.kind == "corr_chol" {
			power = power.Sub(size.Const(1))
		}
		binds := []bind{}
		var subs []node
		for n, f := range p.fam {
			j := t.newIndex(axisName(n, 0), size.Poly{}, f)
			binds = append(binds, bind{j, size.Poly{}, f})
			subs = append(subs, whole{size.Dim(j.key)})
		}
		at := whole{size.Dim(i.key)}
		elem := times(whole{power}, call{fun: "log", args: []node{index{ref{p.s},
			append(subs, at, at)}}})
		binds = append(binds, bind{i, size.Poly{}, k})
		t.root.stmts = append(t.root.stmts, &stmt{kind: factorStmt, span: p.span,
			value: comp{fun: "sum", elem: elem, binds: binds}})
	}
}

// matrixPrior gives the law of a correlation or covariance matrix to its Cholesky factor.
func (t *translator) matrixPrior(l *lawCall, s *syntax.Tilde) bool {
	var p *param
	for _, q := range t.params {
		if q.chol && q.matrix != nil && t.same(q.matrix.base.n, l.y.n) {
			p = q
		}
	}
	if p == nil || len(t.conds) > 0 || len(t.loops) > 0 || s.Trunc || p.prior {
		return false
	}
	w := &law{}
	switch {
	case l.name == "lkj_corr" && p.kind == "corr_chol":
		w.name, w.args = "lkj_corr_cholesky", []node{t.raw(l.args[0])}
	case (l.name == "wishart" || l.name == "inv_wishart") && p.kind == "cov_chol":
		w.name = l.name + "_cholesky"
		w.args = []node{t.raw(l.args[0]), t.factorOf(l.args[1].n)}
	default:
		return false
	}
	p.prior = true
	t.terms++
	t.blk.stmts = append(t.blk.stmts, &stmt{kind: tildeStmt, left: ref{p.s}, law: w, span: s.Pos()})
	return true
}

// factorOf is the Cholesky factor of a matrix.
func (t *translator) factorOf(n node) node {
	if c, ok := n.(call); ok {
		switch c.fun {
		case "identity":
			return c
		}
	}
	if b, ok := n.(binary); ok && b.op == "@" { // L @ transpose(L)
		if c, ok := b.y.(call); ok && c.fun == "transpose" && t.same(c.args[0], b.x) {
			for _, p := range t.params {
				if p.kind == "cov_chol" && t.same(ref{p.s}, b.x) {
					return b.x
				}
			}
		}
	}
	return call{fun: "cholesky", args: []node{n}}
}

// matrixLaw is the density of lkj_corr, which the language has of factors alone.
func (t *translator) matrixLaw(l *lawCall) node {
	if l.name != "lkj_corr" {
		return nil
	}
	return times(minus(t.raw(l.args[0]), num(1)), call{fun: "log_det", args: []node{l.y.n}})
}
