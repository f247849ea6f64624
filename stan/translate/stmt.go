package translate

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// statements translates a list. What stands behind an `if` that leaves the list, by continue or
// return, is a part of its other branch.
func (t *translator) statements(list []syntax.Stmt) {
	for k, s := range list {
		if b, ok := s.(*syntax.Block); ok && leaves(b.Body) != never {
			t.statements(append(slices.Clone(b.Body), list[k+1:]...))
			return
		}
		if c, ok := s.(*syntax.If); ok && (leaves(c.Then) != never || leaves(c.Else) != never) {
			rest := list[k+1:]
			follow := func(branch []syntax.Stmt) []syntax.Stmt {
				if leaves(branch) == always {
					return branch
				}
				return append(slices.Clone(branch), rest...)
			}
			t.ifElse(&syntax.If{Span: c.Span, Cond: c.Cond, Then: follow(c.Then), Else: follow(c.Else)})
			return
		}
		if l, c, r := searchLoop(s); l != nil && t.result != nil {
			t.firstReturn(l, c, r, list[k+1:])
			return
		}
		t.statement(s)
		switch s.(type) {
		case *syntax.Continue, *syntax.Return:
			return
		}
	}
}

// searchLoop finds a loop that looks for the first turn in which a condition holds, and returns a
// value then.
func searchLoop(s syntax.Stmt) (*syntax.For, *syntax.If, *syntax.Return) {
	l, ok := s.(*syntax.For)
	if !ok || l.In != nil {
		return nil, nil, nil
	}
	body := flatten(l.Body)
	for len(body) > 1 { // names of values before the condition
		if d, ok := body[0].(*syntax.Decl); !ok || d.Value == nil {
			break
		}
		body = body[1:]
	}
	if len(body) != 1 {
		return nil, nil, nil
	}
	c, ok := body[0].(*syntax.If)
	if !ok || len(c.Else) > 0 {
		return nil, nil, nil
	}
	then := flatten(c.Then)
	if len(then) != 1 {
		return nil, nil, nil
	}
	r, ok := then[0].(*syntax.Return)
	if !ok || r.Value == nil {
		return nil, nil, nil
	}
	return l, c, r
}

// firstReturn translates such a loop, and what follows it where no turn returns.
func (t *translator) firstReturn(
	l *syntax.For, c *syntax.If, r *syntax.Return, rest []syntax.Stmt,
) {
	lo := t.intOf(t.expr(l.Lo), l.Lo.Pos())
	hi := t.intOf(t.expr(l.Hi), l.Hi.Pos()).Add(size.Const(1))
	k := t.newIndex(l.Var, lo, hi)
	t.open()
	t.bindVar(l.Var, intVal(size.Dim(k.key)))
	t.lets(l)
	holds := t.truthOf(t.expr(c.Cond), c.Cond.Pos())
	t.close()
	first := t.atom(comp{fun: "min", elem: t.choose(holds, whole{size.Dim(k.key)}, whole{hi}),
		binds: []bind{{k, lo, hi}}}, &sym{neg: !t.atLeast(lo, size.Poly{})})
	found := t.compare("<", whole{first}, whole{hi})
	branch := func(c node, f func()) {
		t.conds = append(t.conds[:len(t.conds):len(t.conds)], c)
		f()
		t.conds = t.conds[:len(t.conds)-1]
	}
	branch(found, func() {
		t.open()
		t.bindVar(l.Var, intVal(first))
		t.lets(l)
		t.returns(r)
		t.close()
	})
	if len(rest) > 0 {
		branch(not(found), func() { t.statements(rest) })
	}
}

// lets declares the values that the body of a loop begins with.
func (t *translator) lets(l *syntax.For) {
	for _, s := range flatten(l.Body) {
		if d, ok := s.(*syntax.Decl); ok {
			val := t.expr(d.Value)
			tt, sh := t.typeOf(d.Type)
			t.bindVar(d.Name, t.fit(val, tt, sh, d.Pos()))
		}
	}
}

type leaving int

const (
	never leaving = iota
	perhaps
	always
)

// leaves says whether statements end the list that they stand in.
func leaves(list []syntax.Stmt) leaving {
	out := never
	for _, s := range list {
		got := never
		switch s := s.(type) {
		case *syntax.Return, *syntax.Continue:
			return always
		case *syntax.Block:
			got = leaves(s.Body)
		case *syntax.If:
			a, b := leaves(s.Then), leaves(s.Else)
			switch {
			case a == always && b == always:
				got = always
			case a != never || b != never:
				got = perhaps
			}
		}
		if got == always {
			return always
		}
		out = max(out, got)
	}
	return out
}

func (t *translator) statement(s syntax.Stmt) {
	old := t.here
	if t.callAt == nil {
		t.here = s.Pos()
	}
	defer func() { t.here = old }()
	switch s := s.(type) {
	case *syntax.Decl:
		t.declare(s)
	case *syntax.Assign:
		t.assignStmt(s)
	case *syntax.Tilde:
		t.tilde(s)
	case *syntax.Target:
		if s.Jacobian {
			t.diags.Add(t.warning(syntax.LeftOut, s.Pos(), "jacobian += adds to the density as target "+
				"+= does"))
		}
		t.target(s.Value)
	case *syntax.For:
		t.forLoop(s)
	case *syntax.If:
		t.ifElse(s)
	case *syntax.Block:
		t.open()
		t.statements(s.Body)
		t.close()
	case *syntax.Return:
		t.returns(s)
	case *syntax.Do:
		t.do(s)
	case *syntax.While:
		t.while(s)
	case *syntax.Break:
		t.fail(syntax.NoStatement, s.Pos(), "break has no counterpart: a loop ends where its range does").
			Note("put what follows under a condition")
	case *syntax.Continue:
	}
}

func (t *translator) warning(code diag.Code, at source.Span, format string,
	args ...any) *diag.Diagnostic {
	d := t.diagnostic(code, at, format, args...)
	d.Severity = diag.Warning
	return d
}

func (t *translator) while(s *syntax.While) {
	c := t.expr(s.Cond)
	if isFalse(c.n) {
		return
	}
	t.fail(syntax.NoStatement, s.Pos(),
		"a while loop has no counterpart: how often it turns is known "+
			"when it runs alone").Note("a loop over a range, for (i in 1:N), has one")
}

// typeOf is the type and shape of a declaration.
func (t *translator) typeOf(d *syntax.Type) (typ, []size.Poly) {
	var sh []size.Poly
	for _, e := range d.Array {
		sh = append(sh, t.sizeOf(e))
	}
	b, own := t.baseOf(d)
	return typ{b, len(d.Array)}, append(sh, own...)
}

func (t *translator) baseOf(d *syntax.Type) (base, []size.Poly) {
	var sh []size.Poly
	for _, e := range d.Sizes {
		sh = append(sh, t.sizeOf(e))
	}
	switch d.Base {
	case "int":
		return intBase, nil
	case "real":
		return realBase, nil
	case "row_vector":
		return rowBase, sh
	case "tuple":
		return tupleBase, nil
	case "matrix", "sum_to_zero_matrix", "column_stochastic_matrix", "row_stochastic_matrix":
		return matrixBase, sh
	case "corr_matrix", "cov_matrix", "cholesky_factor_corr", "cholesky_factor_cov":
		if len(sh) == 1 {
			sh = append(sh, sh[0])
		}
		return matrixBase, sh
	case "vector", "simplex", "unit_vector", "ordered", "positive_ordered", "sum_to_zero_vector":
		return vectorBase, sh
	}
	t.fail(syntax.NoType, d.Pos(), "complex numbers have no counterpart").
		Note("write the real and the imaginary part as two variables")
	return 0, nil
}

// declare declares a variable of a block, or a local one.
func (t *translator) declare(d *syntax.Decl) {
	v := t.newVariable(d.Type, d.Name, d.Span)
	v.doc, v.kept = d.Doc, true
	if d.Value != nil {
		val := t.expr(d.Value)
		t.scope[len(t.scope)-1][d.Name] = v
		t.assign(v, nil, t.fit(val, v.t, v.sh, d.Value.Pos()), false, d.Pos())
		return
	}
	t.scope[len(t.scope)-1][d.Name] = v
}

func (t *translator) newVariable(d *syntax.Type, name string, at source.Span) *variable {
	v := &variable{name: name, span: at, depth: len(t.loops), conds: len(t.conds), blk: t.blk}
	v.t, v.sh = t.typeOf(d)
	if v.t.base == tupleBase {
		if v.t.arr > 0 {
			t.fail(syntax.NoType, at, "arrays of tuples have no counterpart").
				Note("write an array for each part of the tuple")
		}
		for i, p := range d.Tuple {
			v.elems = append(v.elems, t.newVariable(p, name+"_"+itoa(i+1), at))
		}
	}
	t.vars = append(t.vars, v)
	return v
}

// fit makes a value one of a declared type: whole numbers become real, and sizes that are not the
// same polynomial are checked with the data.
func (t *translator) fit(val *value, want typ, sh []size.Poly, at source.Span) *value {
	if val.t.base == tupleBase || want.base == tupleBase {
		return val
	}
	ok := val.t.rank() == want.rank() && (val.t.arr == want.arr) &&
		(val.t.base == want.base || val.t.base == intBase && want.base == realBase)
	if !ok {
		t.fail(syntax.WrongType, at, "%v is assigned to %v", val.t, want)
	}
	out := *val
	out.n = t.raw(val)
	out.t = want
	if len(sh) == len(val.sh) && !samePolys(sh, val.sh) {
		out.n = t.reshaped(out.n, val.sh, sh)
		out.sh = sh
	}
	return &out
}

// reshaped gives a value the sizes that it should have by name.
func (t *translator) reshaped(n node, from, sh []size.Poly) node {
	if samePolys(from, sh) {
		return n
	}
	if c, ok := n.(call); ok && (c.fun == "zeros" || c.fun == "ones") {
		return call{fun: c.fun, args: wholes(sh)}
	}
	return call{fun: "reshape", args: append([]node{n}, wholes(sh)...)}
}

func wholes(sh []size.Poly) []node {
	out := make([]node, len(sh))
	for i, p := range sh {
		out[i] = whole{p}
	}
	return out
}

// assignStmt translates a = b and a += b.
func (t *translator) assignStmt(s *syntax.Assign) {
	if tup, ok := s.Left.(*syntax.Tuple); ok {
		val := t.expr(s.Value)
		if val.t.base != tupleBase || len(val.tup) != len(tup.Elems) {
			t.fail(syntax.WrongType, s.Pos(), "a tuple of %d parts is expected on the right",
				len(tup.Elems))
		}
		for i, e := range tup.Elems {
			v, idx, tt, sh := t.place(e)
			t.assign(v, idx, t.fit(val.tup[i], tt, sh, s.Pos()), false, s.Pos())
		}
		return
	}
	v, idx, tt, sh := t.place(s.Left)
	if v.t.base == tupleBase {
		val := t.expr(s.Value)
		for i, p := range v.elems {
			t.assign(p, nil, t.fit(val.tup[i], p.t, p.sh, s.Pos()), false, s.Pos())
		}
		return
	}
	if s.Op == "" {
		if e, sign := t.accumulates(s); e != nil {
			t.assign(v, idx, t.signed(t.fit(t.expr(e), tt, sh, s.Pos()), sign), true, s.Pos())
			return
		}
		t.assign(v, idx, t.fit(t.expr(s.Value), tt, sh, s.Value.Pos()), false, s.Pos())
		return
	}
	if s.Op == "+" || s.Op == "-" {
		val := t.expr(s.Value)
		if val.scalar() && tt.rank() > 0 {
			val = &value{n: val.n, t: tt, sh: sh, unk: val.unk}
		}
		if t.sums(v, idx) {
			t.assign(v, idx, t.signed(t.fit(val, tt, sh, s.Pos()), s.Op == "-"), true, s.Pos())
			return
		}
	}
	both := t.expr(&syntax.Binary{Span: s.Span, Op: s.Op, X: s.Left, Y: s.Value})
	t.assign(v, idx, t.fit(both, tt, sh, s.Pos()), false, s.Pos())
}

// sums reports whether a += may be a term of a sum over the turns of a loop: whether an open loop
// assigns the variable, and no entry of it that this turn knows.
func (t *translator) sums(v *variable, idx []sub) bool {
	if v.final != nil || v.window != nil || !t.assignedInside(v) || len(t.spies) > 0 {
		return false
	}
	var r []size.Poly
	for _, s := range idx {
		if s.slice || s.turn != nil {
			return true
		}
		r = append(r, s.p)
	}
	l := t.loops[len(t.loops)-1]
	if n := len(v.writes); n > 0 && n > l.start[v] && t.exact(v.writes[n-1], r) {
		return false // x[n] += after x[n] = in one turn
	}
	return true
}

// accumulates finds e in x = x + e, where x is a sum over the turns of a loop.
func (t *translator) accumulates(s *syntax.Assign) (e syntax.Expr, minus bool) {
	b, ok := s.Value.(*syntax.Binary)
	if !ok || b.Op != "+" && b.Op != "-" {
		return nil, false
	}
	v, idx, _, _ := t.place(s.Left)
	if !t.sums(v, idx) {
		return nil, false
	}
	left := t.sourceText(s.Left)
	switch {
	case t.sourceText(b.X) == left:
		return b.Y, b.Op == "-"
	case t.sourceText(b.Y) == left && b.Op == "+":
		return b.X, false
	}
	return nil, false
}

func (t *translator) sourceText(e syntax.Expr) string {
	p := e.Pos()
	return strings.Join(strings.Fields(t.prog.Source.Text[p.Start:p.End]), "")
}

func (t *translator) signed(v *value, minus bool) *value {
	if !minus {
		return v
	}
	out := *v
	out.n = neg(v.n)
	return &out
}

// place finds what the left side of an assignment names: a variable, subscripts, and the type and
// shape of the place.
func (t *translator) place(e syntax.Expr) (*variable, []sub, typ, []size.Poly) {
	switch e := e.(type) {
	case *syntax.Name:
		v := t.lookup(e.Name)
		if v == nil {
			t.unknownName(e)
		}
		if v.isBroken() {
			panic(stop{&diag.Diagnostic{}})
		}
		return v, nil, v.t, v.sh
	case *syntax.Field:
		v, idx, _, _ := t.place(e.X)
		if v.t.base != tupleBase || e.N < 1 || e.N > len(v.elems) || len(idx) > 0 {
			t.fail(syntax.WrongType, e.Pos(), "there is no part %d of it", e.N)
		}
		p := v.elems[e.N-1]
		return p, nil, p.t, p.sh
	case *syntax.Index:
		v, idx, tt, sh := t.place(e.X)
		for _, s := range e.Subs {
			if slices.ContainsFunc(idx, func(s sub) bool { return s.slice }) &&
				len(idx) >= v.t.rank() {
				break
			}
			k := len(idx)
			if k >= v.t.rank() {
				t.fail(syntax.WrongType, s.Span, "%s has %d axes", v.name, v.t.rank())
			}
			at := kept(idx)
			next, n := t.leftSub(s, v.sh[k])
			idx = append(idx, next)
			if next.turn != nil && at > 0 {
				t.fail(syntax.NoIndex, s.Span, "an array of indices behind a slice has no counterpart")
			}
			if next.slice || next.turn != nil {
				sh = slices.Clone(sh)
				sh[at] = n
				continue
			}
			tt = without(tt, at)
			sh = slices.Delete(slices.Clone(sh), at, at+1)
		}
		return v, idx, tt, sh
	}
	t.fail(syntax.NotStan, e.Pos(), "a variable is expected on the left side")
	return nil, nil, typ{}, nil
}

func kept(idx []sub) int {
	n := 0
	for _, s := range idx {
		if s.slice || s.turn != nil {
			n++
		}
	}
	return n
}

// without is a type less its axis k.
func without(t typ, k int) typ {
	if k < t.arr {
		return typ{t.base, t.arr - 1}
	}
	switch t.base {
	case matrixBase:
		if k == t.arr {
			return typ{rowBase, t.arr}
		}
		return typ{vectorBase, t.arr}
	}
	return typ{realBase, t.arr}
}

// leftSub translates a subscript of the left side; n is the length of a slice.
func (t *translator) leftSub(s syntax.Sub, axis size.Poly) (sub, size.Poly) {
	if s.Range {
		lo, hi := size.Poly{}, axis
		if s.Lo != nil {
			lo = t.intOf(t.expr(s.Lo), s.Lo.Pos()).Sub(size.Const(1))
		}
		if s.Hi != nil {
			hi = t.intOf(t.expr(s.Hi), s.Hi.Pos())
		}
		n := hi.Sub(lo)
		if t.moves(n) {
			t.fail(syntax.NoIndex, s.Span, "the length of this slice depends on entries of data or on an "+
				"index").Note("assign its entries in a loop")
		}
		return sub{p: lo, slice: true, n: n}, n
	}
	x := t.expr(s.X)
	if x.t.arr == 1 && x.t.base == intBase { // v[ids] = x
		k := t.newIndex("n", size.Poly{}, x.sh[0])
		one := t.intOf(t.at(x, size.Dim(k.key)), s.X.Pos())
		return sub{p: one.Sub(size.Const(1)), turn: &bind{k, k.lo, k.hi}}, x.sh[0]
	}
	return sub{p: t.intOf(x, s.X.Pos()).Sub(size.Const(1))}, size.Poly{}
}

// ifElse translates a choice: assignments and terms get its condition.
func (t *translator) ifElse(s *syntax.If) {
	c := t.truthOf(t.expr(s.Cond), s.Cond.Pos())
	branch := func(c node, list []syntax.Stmt) {
		t.conds = append(t.conds[:len(t.conds):len(t.conds)], c)
		t.open()
		t.statements(list)
		t.close()
		t.conds = t.conds[:len(t.conds)-1]
	}
	switch {
	case isTrue(c):
		t.open()
		t.statements(s.Then)
		t.close()
	case isFalse(c):
		t.open()
		t.statements(s.Else)
		t.close()
	default:
		branch(c, s.Then)
		if len(s.Else) > 0 {
			branch(not(c), s.Else)
		}
	}
}

// truthOf makes a condition of a value: a comparison is one, a number is where it is not 0.
func (t *translator) truthOf(v *value, at source.Span) node {
	if !v.scalar() {
		t.fail(syntax.WrongType, at, "a condition is a number, and this is %v", v.t)
	}
	switch n := v.n.(type) {
	case binary:
		if levelOf[n.op] <= pCompare && levelOf[n.op] >= pOr {
			return n
		}
	case unary:
		if n.op == "not" {
			return n
		}
	case ref:
		if n.s == trueSym || n.s == falseSym {
			return n
		}
	case whole:
		if s := t.boolAtom(n.p); s != nil {
			return s
		}
	}
	return t.compare("!=", v.n, num(0))
}

// boolAtom is the node of a whole number that is one comparison or truth value.
func (t *translator) boolAtom(p size.Poly) node {
	name, ok := p.Name()
	if !ok || t.syms[name] == nil || t.syms[name].atom == nil {
		return nil
	}
	a := t.syms[name].atom
	if b, ok := a.(binary); ok && levelOf[b.op] <= pCompare && levelOf[b.op] >= pOr {
		return a
	}
	if u, ok := a.(unary); ok && u.op == "not" {
		return a
	}
	return nil
}

func (t *translator) returns(s *syntax.Return) {
	if len(t.loops) > 0 && t.result != nil && t.result.depth < len(t.loops) {
		t.fail(syntax.NoStatement, s.Pos(), "a return inside a loop has no counterpart").
			Note("assign the result in the loop, and return it behind the loop")
	}
	if s.Value == nil || t.result == nil {
		return
	}
	val := t.expr(s.Value)
	if val.t.base == tupleBase {
		if len(t.conds) > t.result.conds {
			t.fail(syntax.NoStatement, s.Pos(), "a tuple that is returned under a condition has no "+
				"counterpart")
		}
		t.result.t, t.result.base = val.t, val
		return
	}
	r := t.result
	if r.base == nil && len(r.writes) == 0 {
		r.sh = val.sh
		if r.t.rank() != val.t.rank() {
			t.fail(syntax.WrongType, s.Pos(), "the function gives %v, and this is %v", r.t, val.t)
		}
	}
	t.assign(r, nil, t.fit(val, r.t, r.sh, s.Pos()), false, s.Pos())
}

// do translates a call that stands alone.
func (t *translator) do(s *syntax.Do) {
	switch s.Call.Fun {
	case "print":
		t.diags.Add(t.warning(syntax.LeftOut, s.Pos(), "print is left out"))
		return
	case "reject", "fatal_error":
		if t.inRNG || t.blk == t.before {
			t.diags.Add(t.warning(syntax.LeftOut, s.Pos(), "%s is left out: it does not change the density",
				s.Call.Fun))
			return
		}
		t.factor(&value{n: unary{"-", ref{infSym}}, t: typ{realBase, 0}}, s.Pos())
		return
	}
	t.callUser(s.Call, true)
}

// target adds a value to the log density, each term of a sum by itself.
func (t *translator) target(e syntax.Expr) {
	switch x := e.(type) {
	case *syntax.Binary:
		if x.Op == "+" && (isDensity(x.X) || isDensity(x.Y)) &&
			t.expr(x.X).scalar() && t.expr(x.Y).scalar() {
			t.target(x.X)
			t.target(x.Y)
			return
		}
	case *syntax.Call:
		if t.densityStmt(x) {
			return
		}
	}
	v := t.expr(e)
	if v.t.base == tupleBase {
		t.fail(syntax.WrongType, e.Pos(), "the log density is a number, and this is a tuple")
	}
	if !t.unknown(v.n) && !t.quiet {
		return // a constant
	}
	t.factor(v, e.Pos())
}

func isDensity(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Call:
		return strings.HasSuffix(e.Fun, "_lpdf") || strings.HasSuffix(e.Fun, "_lpmf")
	case *syntax.Binary:
		return e.Op == "+" && (isDensity(e.X) || isDensity(e.Y))
	}
	return false
}
