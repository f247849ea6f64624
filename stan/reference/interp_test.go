package reference

import (
	"math"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/stan/syntax"
)

// A machine runs a program.
type machine struct {
	funcs  map[string][]*syntax.Func
	scope  []map[string]any
	target float64
}

type signal int

const (
	goOn signal = iota
	brk
	cont
	ret
)

func newMachine(p *syntax.Program) *machine {
	m := &machine{funcs: map[string][]*syntax.Func{}, scope: []map[string]any{{}}}
	for _, f := range p.Functions {
		if f.Body != nil {
			m.funcs[f.Name] = append(m.funcs[f.Name], f)
		}
	}
	return m
}

// logDensity runs a program on data and parameters, and returns target.
func logDensity(p *syntax.Program, data, params map[string]any) float64 {
	m := newMachine(p)
	for k, v := range data {
		m.scope[0][k] = clone(v)
	}
	m.list(p.TransData)
	for k, v := range params {
		m.scope[0][k] = clone(v)
	}
	m.list(p.TransParams)
	for _, s := range p.TransParams {
		if d, ok := s.(*syntax.Decl); ok && !m.allowed(d) {
			return math.Inf(-1)
		}
	}
	m.scope = append(m.scope, map[string]any{})
	m.list(p.Model)
	return m.target
}

// allowed reports whether a transformed parameter keeps its bounds and its order.
func (m *machine) allowed(d *syntax.Decl) bool {
	v := m.scope[0][d.Name]
	if l, ok := v.(*list); ok && l.kind == 't' {
		return true
	}
	check := func(e syntax.Expr, ok func(x, end float64) bool) bool {
		if e == nil {
			return true
		}
		ends := flat(m.expr(e))
		for i, x := range flat(v) {
			if !ok(x, ends[min(i, len(ends)-1)]) {
				return false
			}
		}
		return true
	}
	if d.Type.Base == "ordered" {
		for i, x := range flat(v) {
			if i > 0 && !(x > flat(v)[i-1]) {
				return false
			}
		}
	}
	return check(d.Type.Lower, func(x, end float64) bool { return x >= end }) &&
		check(d.Type.Upper, func(x, end float64) bool { return x <= end })
}

func (m *machine) find(name string) map[string]any {
	for i := len(m.scope) - 1; i >= 0; i-- {
		if _, ok := m.scope[i][name]; ok {
			return m.scope[i]
		}
	}
	fail("%s is not declared", name)
	return nil
}

func (m *machine) inner(f func() (signal, any)) (signal, any) {
	m.scope = append(m.scope, map[string]any{})
	defer func() { m.scope = m.scope[:len(m.scope)-1] }()
	return f()
}

func (m *machine) list(l []syntax.Stmt) (signal, any) {
	for _, s := range l {
		if sg, v := m.stmt(s); sg != goOn {
			return sg, v
		}
	}
	return goOn, nil
}

// empty is a value of a type without numbers in it.
func (m *machine) empty(t *syntax.Type, axis int) any {
	if axis < len(t.Array) {
		out := &list{kind: 'a'}
		for range whole(m.expr(t.Array[axis])) {
			out.elems = append(out.elems, m.empty(t, axis+1))
		}
		return out
	}
	n := func(k int) int {
		if k >= len(t.Sizes) {
			k = len(t.Sizes) - 1
		}
		return whole(m.expr(t.Sizes[k]))
	}
	nan := func(k int) []float64 {
		out := make([]float64, k)
		for i := range out {
			out[i] = math.NaN()
		}
		return out
	}
	switch t.Base {
	case "int":
		return math.MinInt
	case "real":
		return math.NaN()
	case "vector", "simplex", "ordered", "positive_ordered", "unit_vector", "sum_to_zero_vector":
		return vec('v', nan(n(0)))
	case "row_vector":
		return vec('r', nan(n(0)))
	case "tuple":
		out := &list{kind: 't'}
		for _, p := range t.Tuple {
			out.elems = append(out.elems, m.empty(p, 0))
		}
		return out
	}
	out := &list{kind: 'm'}
	for range n(0) {
		out.elems = append(out.elems, vec('r', nan(n(1))))
	}
	return out
}

func (m *machine) stmt(s syntax.Stmt) (signal, any) {
	switch s := s.(type) {
	case *syntax.Decl:
		v := m.empty(s.Type, 0)
		if s.Value != nil {
			v = promote(m.expr(s.Value), s.Type)
		}
		m.scope[len(m.scope)-1][s.Name] = clone(v)
	case *syntax.Assign:
		v := m.expr(s.Value)
		if s.Op != "" {
			v = m.op(s.Op, m.expr(s.Left), v)
		}
		m.set(s.Left, clone(v))
	case *syntax.Tilde:
		args := []any{m.expr(s.Left)}
		for _, a := range s.Args {
			args = append(args, m.expr(a))
		}
		m.tilde(s, args)
	case *syntax.Target:
		for _, x := range flat(m.expr(s.Value)) {
			m.target += x
		}
	case *syntax.Block:
		return m.inner(func() (signal, any) { return m.list(s.Body) })
	case *syntax.If:
		if num(m.expr(s.Cond)) != 0 {
			return m.inner(func() (signal, any) { return m.list(s.Then) })
		}
		return m.inner(func() (signal, any) { return m.list(s.Else) })
	case *syntax.While:
		for num(m.expr(s.Cond)) != 0 {
			if sg, v := m.inner(func() (signal, any) { return m.list(s.Body) }); sg == brk {
				break
			} else if sg == ret {
				return sg, v
			}
		}
	case *syntax.For:
		return m.loop(s)
	case *syntax.Break:
		return brk, nil
	case *syntax.Continue:
		return cont, nil
	case *syntax.Return:
		if s.Value == nil {
			return ret, nil
		}
		return ret, m.expr(s.Value)
	case *syntax.Do:
		switch s.Call.Fun {
		case "print":
		case "reject", "fatal_error":
			m.target = math.Inf(-1)
		default:
			m.call(s.Call)
		}
	}
	return goOn, nil
}

func promote(v any, t *syntax.Type) any {
	if t.Base == "int" {
		return v
	}
	if l, ok := v.(*list); ok && l.kind == 't' {
		return v
	}
	return each(func(x float64) float64 { return x }, v)
}

func (m *machine) loop(s *syntax.For) (signal, any) {
	var values []any
	if s.In != nil {
		values = m.expr(s.In).(*list).elems
	} else {
		for i := whole(m.expr(s.Lo)); i <= whole(m.expr(s.Hi)); i++ {
			values = append(values, i)
		}
	}
	for _, v := range values {
		sg, out := m.inner(func() (signal, any) {
			m.scope[len(m.scope)-1][s.Var] = v
			return m.list(s.Body)
		})
		if sg == brk {
			break
		}
		if sg == ret {
			return sg, out
		}
	}
	return goOn, nil
}

// set assigns to a variable, an entry or a slice.
func (m *machine) set(left syntax.Expr, v any) {
	switch e := left.(type) {
	case *syntax.Name:
		scope := m.find(e.Name)
		if _, ok := scope[e.Name].(*list); !ok {
			if _, isReal := scope[e.Name].(float64); isReal {
				v = num(v)
			}
		}
		scope[e.Name] = v
	case *syntax.Tuple:
		for i, x := range e.Elems {
			m.set(x, v.(*list).elems[i])
		}
	case *syntax.Field:
		m.expr(e.X).(*list).elems[e.N-1] = v
	case *syntax.Index:
		base := m.expr(e.X).(*list) // not a copy: expr gives what is stored
		m.store(base, e.Subs, v)
	}
}

// indices are the places that a subscript names, and whether it names one alone.
func (m *machine) indices(s syntax.Sub, n int) (at []int, one bool) {
	if s.Range {
		lo, hi := 1, n
		if s.Lo != nil {
			lo = whole(m.expr(s.Lo))
		}
		if s.Hi != nil {
			hi = whole(m.expr(s.Hi))
		}
		for i := lo; i <= hi; i++ {
			at = append(at, i-1)
		}
		return at, false
	}
	v := m.expr(s.X)
	if l, ok := v.(*list); ok {
		for _, e := range l.elems {
			at = append(at, whole(e)-1)
		}
		return at, false
	}
	return []int{whole(v) - 1}, true
}

func (m *machine) store(l *list, subs []syntax.Sub, v any) {
	at, one := m.indices(subs[0], len(l.elems))
	for k, i := range at {
		if i < 0 || i >= len(l.elems) {
			fail("index %d of %d", i+1, len(l.elems))
		}
		x := v
		if !one {
			x = v.(*list).elems[k]
		}
		switch {
		case len(subs) > 1:
			m.store(l.elems[i].(*list), subs[1:], x)
		default:
			if _, isReal := l.elems[i].(float64); isReal {
				x = num(x)
			}
			if r, ok := l.elems[i].(*list); ok && r.kind == 'r' && l.kind == 'm' {
				x = vec('r', flat(x))
			}
			l.elems[i] = x
		}
	}
}

func (m *machine) load(v any, subs []syntax.Sub) any {
	if len(subs) == 0 {
		return v
	}
	l := v.(*list)
	at, one := m.indices(subs[0], len(l.elems))
	out := &list{kind: l.kind}
	for _, i := range at {
		if i < 0 || i >= len(l.elems) {
			fail("index %d of %d", i+1, len(l.elems))
		}
		x := m.load(l.elems[i], subs[1:])
		if one {
			return x
		}
		out.elems = append(out.elems, x)
	}
	if l.kind == 'm' && len(subs) > 1 && len(out.elems) > 0 {
		if _, isList := out.elems[0].(*list); !isList {
			out.kind = 'v' // x[:, j]
		}
	}
	return out
}

func (m *machine) expr(e syntax.Expr) any {
	switch e := e.(type) {
	case *syntax.Int:
		n, _ := strconv.Atoi(e.Text)
		return n
	case *syntax.Real:
		x, err := strconv.ParseFloat(e.Text, 64)
		if err != nil {
			fail("%v", err)
		}
		return x
	case *syntax.Name:
		return m.find(e.Name)[e.Name]
	case *syntax.Unary:
		x := m.expr(e.X)
		switch e.Op {
		case "-":
			if n, ok := x.(int); ok {
				return -n
			}
			return each(func(a float64) float64 { return -a }, x)
		case "+":
			return x
		case "!":
			return truth(num(x) == 0)
		}
		l := x.(*list)
		switch l.kind {
		case 'v':
			return &list{'r', l.elems}
		case 'r':
			return &list{'v', l.elems}
		}
		return mat(transpose(rows(l)))
	case *syntax.Binary:
		if e.Op == "&&" || e.Op == "||" {
			a := num(m.expr(e.X)) != 0
			if a == (e.Op == "||") {
				return truth(a)
			}
			return truth(num(m.expr(e.Y)) != 0)
		}
		return m.op(e.Op, m.expr(e.X), m.expr(e.Y))
	case *syntax.Cond:
		if num(m.expr(e.Cond)) != 0 {
			return m.expr(e.Then)
		}
		return m.expr(e.Else)
	case *syntax.Index:
		return m.load(m.expr(e.X), e.Subs)
	case *syntax.Array:
		out := &list{kind: 'a'}
		real := false
		for _, x := range e.Elems {
			v := clone(m.expr(x))
			_, is := v.(float64)
			real = real || is
			out.elems = append(out.elems, v)
		}
		if e.Row {
			out.kind = 'r'
			if _, is := out.elems[0].(*list); is {
				out.kind = 'm'
			} else {
				real = true
			}
		}
		for i, v := range out.elems {
			if n, ok := v.(int); ok && real {
				out.elems[i] = float64(n)
			}
		}
		return out
	case *syntax.Tuple:
		out := &list{kind: 't'}
		for _, x := range e.Elems {
			out.elems = append(out.elems, clone(m.expr(x)))
		}
		return out
	case *syntax.Field:
		return m.expr(e.X).(*list).elems[e.N-1]
	case *syntax.Call:
		return m.call(e)
	}
	fail("%T", e)
	return nil
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func kindOf(v any) byte {
	if l, ok := v.(*list); ok {
		return l.kind
	}
	return 0
}

func (m *machine) op(op string, x, y any) any {
	a, isA := x.(int)
	b, isB := y.(int)
	if isA && isB {
		switch op {
		case "+":
			return a + b
		case "-":
			return a - b
		case "*":
			return a * b
		case "/", "%/%":
			return a / b
		case "%":
			return a % b
		}
	}
	switch op {
	case "==":
		return truth(num(x) == num(y))
	case "!=":
		return truth(num(x) != num(y))
	case "<":
		return truth(num(x) < num(y))
	case "<=":
		return truth(num(x) <= num(y))
	case ">":
		return truth(num(x) > num(y))
	case ">=":
		return truth(num(x) >= num(y))
	case "+":
		return both(func(a, b float64) float64 { return a + b }, x, y)
	case "-":
		return both(func(a, b float64) float64 { return a - b }, x, y)
	case ".*":
		return both(func(a, b float64) float64 { return a * b }, x, y)
	case "./", "/":
		return both(func(a, b float64) float64 { return a / b }, x, y)
	case "\\":
		return library["mdivide_left"]([]any{x, y})
	case "^", ".^":
		return both(math.Pow, x, y)
	case "*":
		switch string([]byte{kindOf(x) | 32, kindOf(y) | 32}) {
		case "rv":
			s := 0.0
			u, v := flat(x), flat(y)
			for i := range u {
				s += u[i] * v[i]
			}
			return s
		case "vr":
			var out [][]float64
			for _, p := range flat(x) {
				var row []float64
				for _, q := range flat(y) {
					row = append(row, p*q)
				}
				out = append(out, row)
			}
			return mat(out)
		case "mv":
			return vec('v', flat(mat(product(rows(x), transpose([][]float64{flat(y)})))))
		case "rm":
			return vec('r', product([][]float64{flat(x)}, rows(y))[0])
		case "mm":
			return mat(product(rows(x), rows(y)))
		}
		return both(func(a, b float64) float64 { return a * b }, x, y)
	}
	fail("operator %s", op)
	return nil
}

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
	var args []any
	for _, a := range c.Args {
		args = append(args, m.expr(a))
	}
	if m.funcs[name] != nil {
		return m.user(name, args)
	}
	if f := library[name]; f != nil {
		return f(args)
	}
	if f := unary[name]; f != nil {
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
	fail("no function %s", name)
	return nil
}

// tilde adds the density of y ~ d(…) T[lo, hi].
func (m *machine) tilde(s *syntax.Tilde, args []any) {
	for _, suffix := range []string{"_lpdf", "_lpmf", "_log"} {
		if m.funcs[s.Dist+suffix] != nil {
			m.target += num(m.user(s.Dist+suffix, args))
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
