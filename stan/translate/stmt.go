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
	if t.bound != nil && len(t.loops) == 0 {
		t.exec(list)
		return
	}
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
	body := merged(l.Body)
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
	for _, s := range merged(l.Body) {
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
		if t.bound != nil && len(t.loops) == 0 {
			t.boundLoop(s)
			return
		}
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
		if t.bound != nil && len(t.loops) == 0 {
			t.boundWhile(s)
			return
		}
		t.while(s)
	case *syntax.Break:
		t.failNote("put what follows under a condition",
			syntax.NoStatement, s.Pos(), "break has no counterpart: a loop ends where its range does")
	case *syntax.Continue:
	}
}

func (t *translator) warning(code diag.Code, at source.Span, format string,
	args ...any) *diag.Diagnostic {
	d := t.diagnostic(code, at, format, args...)
	d.Severity = diag.Warning
	return d
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
	return t.decided(t.truthAt(v, at))
}

func (t *translator) truthAt(v *value, at source.Span) node {
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
		t.failNote("assign the result in the loop, and return it behind the loop",
			syntax.NoStatement, s.Pos(), "a return inside a loop has no counterpart")
	}
	if s.Value == nil || t.result == nil {
		return
	}
	val := t.expr(s.Value)
	if val.t.base == tupleBase {
		r := t.result
		if c := t.condition(min(r.conds, len(t.conds))); r.base != nil && !isTrue(c) {
			val = t.eitherTuple(c, val, r.base, s.Pos())
		}
		r.t, r.base = val.t, val
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
			t.isNumber(x.X) && t.isNumber(x.Y) {
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
	if t.constant(v.n) && !t.quiet {
		return
	}
	t.factor(v, e.Pos())
}

// isNumber reports whether an expression is one number. Terms that its functions add to the density
// are not added yet.
func (t *translator) isNumber(e syntax.Expr) bool {
	m := t.remember()
	t.quiet = true
	is := t.expr(e).scalar()
	t.forget(m)
	return is
}

// constant reports whether a term is the same for all parameters: neither it nor a condition around
// it depends on them.
func (t *translator) constant(n node) bool {
	return !t.unknown(n) && !slices.ContainsFunc(t.conds, t.unknown)
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

// eitherTuple is one tuple where a condition holds, and else another, part by part.
func (t *translator) eitherTuple(c node, a, b *value, at source.Span) *value {
	if len(a.tup) != len(b.tup) {
		t.fail(syntax.WrongType, at, "tuples of %d and of %d parts are returned", len(a.tup), len(b.tup))
	}
	out := &value{t: a.t, sh: a.sh}
	for i, x := range a.tup {
		y := b.tup[i]
		if x.t.base == tupleBase {
			out.tup = append(out.tup, t.eitherTuple(c, x, y, at))
			continue
		}
		w := *x
		w.n, w.unk = t.choose(c, t.raw(x), t.reshaped(t.raw(y), y.sh, x.sh)), true
		if w.isIntScalar() {
			w.n = whole{t.atom(w.n, &sym{neg: true})}
		}
		out.tup = append(out.tup, &w)
	}
	return out
}
