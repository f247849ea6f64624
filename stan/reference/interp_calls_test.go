package reference

import (
	"math"
	"strings"

	"github.com/sgppl/sgppl/stan/syntax"
)

// user calls a function of the program.
func (m *machine) user(name string, args []any) any {
	f := m.funcs[name][0]
	for _, g := range m.funcs[name] {
		if len(g.Args) == len(args) && fits(g, args) {
			f = g
		}
	}
	scope := m.scope
	defer func() { m.scope = scope }()
	m.scope = []map[string]any{{}}
	for i, a := range f.Args {
		v := clone(args[i])
		if a.Type.Base != "int" && v != nil {
			if l, ok := v.(*list); !ok || l.kind != 't' {
				v = each(func(x float64) float64 { return x }, v)
			}
		}
		m.scope[0][a.Name] = v
	}
	_, v := m.list(f.Body)
	return v
}

func fits(f *syntax.Func, args []any) bool {
	for i, a := range f.Args {
		_, isList := args[i].(*list)
		if isList != (len(a.Type.Array) > 0 || a.Type.Base != "int" && a.Type.Base != "real") {
			return false
		}
	}
	return true
}

func (m *machine) call(c *syntax.Call) any {
	name := c.Fun
	if n, ok := strings.CutSuffix(name, "_lupdf"); ok {
		name = n + "_lpdf"
	}
	if n, ok := strings.CutSuffix(name, "_lupmf"); ok {
		name = n + "_lpmf"
	}
	if strings.HasPrefix(name, "reduce_sum") {
		f := c.Args[0].(*syntax.Name).Name
		f = strings.NewReplacer("_lupdf", "_lpdf", "_lupmf", "_lpmf").Replace(f)
		x := m.expr(c.Args[1]).(*list)
		args := []any{x, 1, len(x.elems)}
		for _, a := range c.Args[3:] {
			args = append(args, m.expr(a))
		}
		return m.user(f, args)
	}
	if name == "map_rect" {
		out := &list{}
		theta := m.expr(c.Args[2]).(*list)
		for k := range theta.elems {
			args := []any{m.expr(c.Args[1]), theta.elems[k], m.expr(c.Args[3]).(*list).elems[k],
				m.expr(c.Args[4]).(*list).elems[k]}
			out.elems = append(out.elems, m.user(c.Args[0].(*syntax.Name).Name, args).(*list).elems...)
		}
		return out
	}
	if strings.HasPrefix(name, "ode_") || strings.HasPrefix(name, "integrate_ode") {
		return m.solve(c)
	}
	switch name {
	case "integrate_1d":
		var args []any
		for _, a := range c.Args[1:] {
			args = append(args, m.expr(a))
		}
		return m.integral(c.Args[0].(*syntax.Name).Name, args)
	case "dae", "dae_tol":
		return m.dae(c)
	case "solve_newton", "solve_powell", "solve_newton_tol", "solve_powell_tol", "algebra_solver",
		"algebra_solver_newton":
		return m.root(c)
	}
	var args []any
	for _, a := range c.Args {
		args = append(args, m.expr(a))
	}
	if m.funcs[name] != nil {
		return m.user(name, args)
	}
	if v, ok := m.transform(name, args); ok {
		return v
	}
	if f := library[name]; f != nil {
		return f(args)
	}
	if f := unary[name]; f != nil {
		if len(args) == 0 { // log2() and log10() are the logs of 2 and 10
			return map[string]float64{"log2": math.Ln2, "log10": math.Ln10}[name]
		}
		return each(f, args[0])
	}
	if f := pair[name]; f != nil {
		return both(f, args[0], args[1])
	}
	for _, s := range []string{"_lpdf", "_lpmf", "_log"} {
		if law, ok := strings.CutSuffix(name, s); ok && known(law) {
			return density(law, args)
		}
	}
	for _, s := range []string{"_lcdf", "_cdf_log"} {
		if law, ok := strings.CutSuffix(name, s); ok {
			return spread(logCDF(law), args)
		}
	}
	for _, s := range []string{"_lccdf", "_ccdf_log"} {
		if law, ok := strings.CutSuffix(name, s); ok {
			return spread(logCCDF(law), args)
		}
	}
	if law, ok := strings.CutSuffix(name, "_cdf"); ok {
		return math.Exp(spread(logCDF(law), args))
	}
	if law, ok := strings.CutSuffix(name, "_rng"); ok {
		return m.draw(law, args)
	}
	fail("no function %s", name)
	return nil
}

// tilde adds the density of y ~ d(…) T[lo, hi].
func (m *machine) tilde(s *syntax.Tilde, args []any) {
	for _, suffix := range []string{"_lpdf", "_lpmf", "_log"} {
		if m.funcs[s.Dist+suffix] != nil {
			m.target += num(m.user(s.Dist+suffix, args))
			m.cut(s, args, suffix == "_lpmf")
			return
		}
	}
	m.target += density(s.Dist, args)
	if !s.Trunc || s.Lo == nil && s.Hi == nil {
		return
	}
	end := func(e syntax.Expr, inf float64) any {
		if e == nil {
			return inf
		}
		return m.expr(e)
	}
	lo, hi := end(s.Lo, math.Inf(-1)), end(s.Hi, math.Inf(1))
	discrete := counts[s.Dist] != nil
	f := func(x []float64) float64 {
		y, a, b := x[0], x[1], x[2]
		if y < a || y > b {
			return math.Inf(1)
		}
		p := 1.0
		if !math.IsInf(b, 1) {
			p = math.Exp(logCDF(s.Dist)(append([]float64{b}, x[3:]...)))
		}
		if discrete {
			a--
		}
		if !math.IsInf(a, -1) {
			if math.IsInf(b, 1) {
				return logCCDF(s.Dist)(append([]float64{a}, x[3:]...))
			}
			p -= math.Exp(logCDF(s.Dist)(append([]float64{a}, x[3:]...)))
		}
		return math.Log(p)
	}
	m.target -= spread(f, append([]any{args[0], lo, hi}, args[1:]...))
}

// cut divides by the probability that a law of the program has between the ends of a truncation.
func (m *machine) cut(s *syntax.Tilde, args []any, discrete bool) {
	if !s.Trunc {
		return
	}
	upTo := func(x any) float64 {
		return math.Exp(num(m.user(s.Dist+"_lcdf", append([]any{x}, args[1:]...))))
	}
	low, high := 0.0, 1.0
	if s.Hi != nil {
		high = upTo(m.expr(s.Hi))
		if num(args[0]) > num(m.expr(s.Hi)) {
			m.target = math.Inf(-1)
		}
	}
	if s.Lo != nil {
		x := m.expr(s.Lo)
		if num(args[0]) < num(x) {
			m.target = math.Inf(-1)
		}
		if discrete {
			x = whole(x) - 1
		}
		low = upTo(x)
	}
	m.target -= math.Log(high - low)
}

// solve is an initial value problem by many steps of the fourth order.
func (m *machine) solve(c *syntax.Call) any {
	f := c.Args[0].(*syntax.Name).Name
	z := flat(m.expr(c.Args[1]))
	kind := byte('v')
	now := num(m.expr(c.Args[2]))
	times := flat(m.expr(c.Args[3]))
	rest := c.Args[4:]
	if strings.HasSuffix(c.Fun, "_tol") {
		rest = rest[3:]
	}
	if strings.HasPrefix(c.Fun, "integrate") {
		rest, kind = rest[:3], 'a'
	}
	var extra []any
	for _, a := range rest {
		extra = append(extra, m.expr(a))
	}
	slope := func(t float64, z []float64) []float64 {
		return flat(m.user(f, append([]any{t, vec(kind, z)}, extra...)))
	}
	out := &list{kind: 'a'}
	for _, end := range times {
		const steps = 2000
		h := (end - now) / steps
		for range steps {
			add := func(k []float64, w float64) []float64 {
				y := make([]float64, len(z))
				for i := range y {
					y[i] = z[i] + w*k[i]
				}
				return y
			}
			k1 := slope(now, z)
			k2 := slope(now+h/2, add(k1, h/2))
			k3 := slope(now+h/2, add(k2, h/2))
			k4 := slope(now+h, add(k3, h))
			for i := range z {
				z[i] += h / 6 * (k1[i] + 2*k2[i] + 2*k3[i] + k4[i])
			}
			now += h
		}
		now = end
		out.elems = append(out.elems, vec(kind, z))
	}
	return out
}
