package translate

import "github.com/sgppl/sgppl/stan/syntax"

// truncateByCalls translates y ~ d(…) T[lo, hi] of a law whose distribution function is a function
// in Stan, of the program or of the library: the density, less the logarithm of the probability of
// the interval. It reports whether the law is one.
func (t *translator) truncateByCalls(s *syntax.Tilde) bool {
	if !s.Trunc || s.Lo == nil && s.Hi == nil || dists[s.Dist].cdf && t.funcs[s.Dist+"_lpdf"] == nil &&
		t.funcs[s.Dist+"_lpmf"] == nil {
		return false
	}
	below, above := s.Dist+"_lcdf", s.Dist+"_lccdf"
	if t.funcs[below] == nil && t.funcs[above] == nil {
		return false
	}
	y := t.expr(s.Left)
	m := maker{s.Span}
	if y.t.rank() > 0 {
		t.truncateEach(s, y)
		return true
	}
	args := func(x syntax.Expr) []syntax.Expr { return append([]syntax.Expr{x}, s.Args...) }
	lcdf := func(x syntax.Expr) syntax.Expr {
		if t.funcs[below] == nil {
			return m.call("log1m_exp", m.call(above, args(x)...))
		}
		return m.call(below, args(x)...)
	}
	lccdf := func(x syntax.Expr) syntax.Expr {
		if t.funcs[above] == nil {
			return m.call("log1m_exp", m.call(below, args(x)...))
		}
		return m.call(above, args(x)...)
	}
	lo := s.Lo
	discrete := t.funcs[s.Dist+"_lpmf"] != nil || dists[s.Dist].discrete
	if discrete && lo != nil { // the last that is not in the interval any more
		lo = m.op("-", lo, m.whole(1))
	}
	var z syntax.Expr
	switch {
	case s.Hi == nil:
		z = lccdf(lo)
	case lo == nil:
		z = lcdf(s.Hi)
	default:
		z = m.call("log_diff_exp", lcdf(s.Hi), lcdf(lo))
	}
	if discrete && lo != nil { // counts below 0 have no probability
		all := syntax.Expr(m.real(0))
		if s.Hi != nil {
			all = lcdf(s.Hi)
		}
		if n, ok := t.intOf(t.expr(s.Lo), s.Lo.Pos()).Number(); ok && n <= 0 {
			z = all
		} else if !ok {
			z = &syntax.Cond{Span: s.Span, Cond: m.op("<", s.Lo, m.whole(1)), Then: all, Else: z}
		}
	}
	free := *s
	free.Trunc, free.Lo, free.Hi = false, nil, nil
	t.tilde(&free)
	t.statement(&syntax.Target{Span: s.Span, Value: &syntax.Unary{Span: s.Span, Op: "-", X: z}})
	for _, end := range []struct {
		op string
		e  syntax.Expr
	}{{">=", s.Lo}, {"<=", s.Hi}} {
		if end.e == nil {
			continue
		}
		if x := t.expr(end.e); !t.within(rootRef(y.n), x.n, end.op == "<=") {
			t.keepOut(y, binary{end.op, t.raw(y), t.raw(x)}, s.Pos())
		}
	}
	return true
}

// truncateEach does so for every entry of a container.
func (t *translator) truncateEach(s *syntax.Tilde, y *value) {
	m := maker{s.Span}
	const i = "entry "
	of := func(e syntax.Expr) syntax.Expr {
		if e == nil || t.expr(e).t.rank() == 0 {
			return e
		}
		return m.entry(e, m.one(m.name(i)))
	}
	one := *s
	one.Left, one.Lo, one.Hi, one.Args = of(s.Left), of(s.Lo), of(s.Hi), nil
	for _, a := range s.Args {
		one.Args = append(one.Args, of(a))
	}
	if y.t.rank() > 1 {
		t.fail(syntax.NoTruncation, s.Pos(), "the truncation of %v by %s has no counterpart", y.t, s.Dist)
	}
	t.statement(&syntax.For{Span: s.Span, Var: i, Lo: m.whole(1),
		Hi: m.call("num_elements", s.Left), Body: []syntax.Stmt{&one}})
}
