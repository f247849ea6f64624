package translate

import (
	"strings"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

func brokenDiag() *diag.Diagnostic { return &diag.Diagnostic{} }

// A function is a fn of the output.
type function struct {
	s      *sym
	args   []*sym
	types  []string
	result string
	body   *block
	value  node
	doc    string
	span   source.Span
}

// mostCalls bounds how deeply functions may call functions.
const mostCalls = 30

// mostDeep bounds it where the data are known, and decide how often a function calls itself.
const mostDeep = 400

// inFunction begins the body of a function; what it returns ends it.
func (t *translator) inFunction() func() {
	b := t.bound
	if b == nil {
		return func() {}
	}
	frames, left, from := b.frames, b.left, b.from
	b.frames, b.left, b.from = nil, nil, len(t.conds)
	return func() { b.frames, b.left, b.from = frames, left, from }
}

// findUser finds a function of the program by its name and arguments: whole numbers may stand for
// numbers where none takes them as they are.
func (t *translator) findUser(name string, args []*value) *syntax.Func {
	var loose, raised *syntax.Func
	for _, f := range t.funcs[name] {
		if len(f.Args) != len(args) {
			continue
		}
		exact, fits := takes(f, args)
		if exact {
			return f
		}
		if fits && raised == nil {
			raised = f
		}
		if loose == nil {
			loose = f
		}
	}
	if raised != nil {
		return raised
	}
	return loose
}

// takes reports whether a function takes values of these types, as they are or with whole numbers
// as numbers.
func takes(f *syntax.Func, args []*value) (exact, fits bool) {
	exact, fits = true, true
	for i, a := range f.Args {
		if args[i].fn != "" {
			continue
		}
		want, got := headType(a.Type), args[i].t
		exact = exact && want == got
		fits = fits && want.arr == got.arr && (want.base == got.base || got.base == intBase &&
			want.base == realBase)
	}
	return exact, fits
}

// headType is the type of an argument in the head of a function.
func headType(d *syntax.Type) typ {
	for b, n := range baseNames {
		if n == d.Base {
			return typ{base(b), len(d.Array)}
		}
	}
	return typ{realBase, len(d.Array)}
}

// callUser expands a call of a function of the program in its place.
func (t *translator) callUser(c *syntax.Call, void bool) *value {
	var args []*value
	for _, a := range c.Args {
		args = append(args, t.argOf(a))
	}
	return t.expand(c.Fun, args, c.Pos(), void)
}

// argOf is an argument: a value, or the name of a function.
func (t *translator) argOf(e syntax.Expr) *value {
	if n, ok := e.(*syntax.Name); ok && t.lookup(n.Name) == nil && t.funcs[n.Name] != nil {
		return &value{fn: n.Name, t: typ{voidBase, 0}}
	}
	return t.expr(e)
}

// noUser refuses a call of a function that the program does not define, or with other arguments.
func (t *translator) noUser(name string, args int, at source.Span) {
	if list := t.funcs[name]; len(list) > 0 {
		t.fail(syntax.UnknownCall, at, "%s takes %d arguments, and this call has %d", name,
			len(list[0].Args), args)
	}
	d := t.diagnostic(syntax.UnknownCall, at, "there is no function %s", name)
	var names []string
	for n := range t.funcs {
		names = append(names, n)
	}
	if near := spelling.Nearest(name, names); near != "" {
		d.Note("did you mean " + near + "?")
	} else {
		d.Note("a statement is an assignment, ~, target +=, or a call of a function that the block " +
			"functions defines")
	}
	panic(stop{d})
}

// expand expands a call of a function in its place.
func (t *translator) expand(name string, args []*value, at source.Span, void bool) *value {
	f := t.findUser(name, args)
	if f == nil {
		t.noUser(name, len(args), at)
	}
	f = t.entrywise(f, args)
	if t.calls++; t.calls > mostCalls && (t.bound == nil || t.calls > mostDeep) {
		t.fail(syntax.BadRecursion, at, "%s calls itself, or functions call others more than %d deep",
			name, t.calls-1)
	}
	defer t.inFunction()()
	if f.Library {
		t.aside++
		defer func() { t.aside-- }()
		if isRule(f) {
			defer t.asLoops()()
		}
	}
	scope, call, result := t.scope, t.callAt, t.result
	defer func() { t.scope, t.callAt, t.result, t.calls = scope, call, result, t.calls-1 }()
	t.scope = []map[string]*variable{{}}
	if t.callAt == nil {
		t.callAt = &at
	}
	for i, a := range f.Args {
		want := headType(a.Type)
		val := args[i]
		if val.fn == "" && val.t.base != tupleBase {
			if val.t.rank() != want.rank() || val.t.arr != want.arr ||
				val.t.base != want.base && !(val.t.base == intBase && want.base == realBase) {
				t.fail(syntax.WrongType, at, "argument %d of %s is %v, and this is %v", i+1, name, want,
					val.t)
			}
			if val.t.base != want.base {
				w := *val
				w.n, w.t = t.raw(val), want
				val = &w
			}
		}
		val = t.nameArg(val, a.Name)
		t.bindVar(a.Name, val).fixed = true
	}
	if f.Result == nil {
		t.result = nil
		t.statements(f.Body)
		if !void {
			t.fail(syntax.WrongType, at, "%s gives no value", name)
		}
		return nil
	}
	r := &variable{name: name, t: headType(f.Result), depth: len(t.loops), conds: len(t.conds),
		blk: t.blk, span: at}
	t.vars = append(t.vars, r)
	t.result = r
	t.open()
	t.statements(f.Body)
	t.close()
	if void {
		return nil
	}
	if r.t.base == tupleBase {
		if r.base == nil {
			t.fail(syntax.NotFilled, at, "%s returns nothing", name)
		}
		return r.base
	}
	if r.base == nil && len(r.writes) == 0 {
		t.fail(syntax.NotFilled, at, "%s returns nothing", name)
	}
	if len(r.writes) == 0 {
		return r.base
	}
	return t.build(r, nil, at)
}

// isRule reports whether the loops of a function have a number of turns that it says itself, such
// as those over the nodes of a rule of integration.
func isRule(f *syntax.Func) bool {
	loops, rules := 0, 0
	syntax.Walk(f.Body, func(s syntax.Stmt) {
		if l, ok := s.(*syntax.For); ok {
			loops++
			if _, isNumber := l.Hi.(*syntax.Int); isNumber {
				rules++
			}
		}
	})
	return loops > 0 && rules == loops
}

// nameArg names an argument that is a longer expression, so that the body does not repeat it.
func (t *translator) nameArg(v *value, name string) *value {
	if v.fn != "" || v.t.base == tupleBase || len(t.conds) > 0 || t.lazy(v) ||
		v.t.base == intBase || t.weight(v.n) <= 6 {
		return v
	}
	s := t.let(t.blk, name, v)
	t.auto[s] = true
	out := *v
	out.n = ref{s}
	return &out
}

// fnOf writes a function of the program as a fn, for values of given shapes.
func (t *translator) fnOf(name string, args []*value, at source.Span) *function {
	f := t.findUser(name, args)
	if f == nil {
		t.noUser(name, len(args), at)
	}
	key := name
	for _, a := range args {
		key += "|" + a.t.String()
		for _, p := range a.sh {
			key += "," + p.String()
		}
		if a.isIntScalar() {
			key += t.text(a.n)
		}
	}
	if fn := t.bodies[key]; fn != nil {
		return fn
	}
	fn := &function{s: t.newSym(name), body: &block{}, span: f.Span}
	scope, call, result, loops, conds, blk, quiet := t.scope, t.callAt, t.result, t.loops, t.conds,
		t.blk, t.quiet
	defer func() {
		t.scope, t.callAt, t.result, t.loops, t.conds, t.blk, t.quiet = scope, call, result, loops,
			conds, blk, quiet
	}()
	t.scope, t.callAt, t.loops, t.conds = []map[string]*variable{{}}, &at, nil, nil
	defer t.inFunction()()
	t.blk = &block{parent: &block{}} // names in it are its own
	fn.body = t.blk
	for i, a := range f.Args {
		val := args[i]
		if val.isIntScalar() && !t.unknown(val.n) && !t.moves(t.intOf(val, at)) {
			t.bindVar(a.Name, val).fixed = true // part of the body
			continue
		}
		s := t.newSym(a.Name)
		s.local, s.unk = true, true
		want := headType(a.Type)
		t.shapes[s] = val.sh
		w := &value{n: ref{s}, t: want, sh: val.sh, unk: true}
		if w.isIntScalar() {
			w.n = whole{t.atom(ref{s}, &sym{neg: true})}
		}
		if want.base == intBase {
			t.ints[s] = intInfo{neg: true}
		}
		t.bindVar(a.Name, w).fixed = true
		fn.args = append(fn.args, s)
		fn.types = append(fn.types, t.typeText(want, val.sh))
	}
	r := &variable{name: name, t: headType(f.Result), blk: t.blk, span: at}
	t.vars = append(t.vars, r)
	t.result = r
	t.open()
	t.statements(f.Body)
	t.close()
	val := t.build(r, nil, at)
	if len(r.writes) == 0 {
		val = r.base
	}
	fn.value = val.n
	fn.result = t.typeText(val.t, val.sh)
	t.tidy(fn.body, fn.value)
	t.bodies[key] = fn
	t.fns = append(t.fns, fn)
	return fn
}

// typeText is a type in the head of a fn.
func (t *translator) typeText(ty typ, sh []size.Poly) string {
	name := "real"
	if ty.base == intBase {
		name = "int"
	}
	if len(sh) == 0 {
		return name
	}
	w := writer{t: t, name: func(s *sym) string { return s.base }}
	return name + "[" + w.list(wholes(sh)) + "]"
}

// solveOde translates the solvers of initial value problems.
func (t *translator) solveOde(c *syntax.Call) *value {
	if len(c.Args) < 4 {
		t.fail(syntax.WrongType, c.Pos(), "%s takes a function, a state, a time and times", c.Fun)
	}
	name, ok := c.Args[0].(*syntax.Name)
	if !ok || t.funcs[name.Name] == nil {
		t.fail(syntax.UnknownCall, c.Args[0].Pos(), "a function of the program is expected here")
	}
	args := make([]*value, len(c.Args))
	for i, a := range c.Args[1:] {
		args[i+1] = t.expr(a)
	}
	kw := []named{}
	rest := args[4:]
	old := strings.HasPrefix(c.Fun, "integrate_ode")
	tol := strings.HasSuffix(c.Fun, "_tol")
	switch {
	case tol && len(rest) >= 3:
		kw = append(kw, named{"rtol", t.raw(t.folded(rest[0]))}, named{"atol", t.raw(t.folded(rest[1]))})
		rest = rest[3:]
	case old && len(rest) > 3:
		if len(rest) >= 5 {
			kw = append(kw, named{"rtol", t.raw(t.folded(rest[3]))}, named{"atol", t.raw(t.folded(rest[4]))})
		}
		rest = rest[:3]
	}
	if strings.Contains(c.Fun, "bdf") {
		kw = append(kw, named{"stiff", truth(true)})
	}
	z0, t0, ts := args[1], args[2], args[3]
	if z0.t.rank() != 1 || ts.t.rank() != 1 || t0.t.rank() != 0 {
		t.fail(syntax.WrongType, c.Pos(), "%s takes a state, a number and an array of times", c.Fun)
	}
	now := realVal(num(0), true)
	state := *z0
	if z0.t.base == intBase {
		state.t = typ{realBase, z0.t.arr}
	}
	fnArgs := append([]*value{now, &state}, rest...)
	fn := t.fnOf(name.Name, fnArgs, c.Pos())
	call := call{fun: "ode", args: []node{ref{fn.s}, t.raw(z0), t.raw(t0), t.raw(ts)}, kw: kw}
	for _, a := range rest {
		if a.isIntScalar() && !t.unknown(a.n) && !t.moves(t.intOf(a, c.Pos())) {
			continue
		}
		call.args = append(call.args, t.raw(a))
	}
	out := &value{n: call, sh: append([]size.Poly{ts.sh[0]}, z0.sh...), unk: true}
	out.t = typ{vectorBase, 1}
	if old {
		out.t = typ{realBase, 2}
	}
	return out
}
