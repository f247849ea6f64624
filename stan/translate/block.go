package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A block holds statements of the output: the file, a plate, the body of a scan or of a function.
type block struct {
	stmts  []*stmt
	parent *block
}

type stmtKind int

const (
	letStmt stmtKind = iota
	tildeStmt
	factorStmt
	plateStmt
	noteStmt // a comment
)

// A stmt is one statement of the output.
type stmt struct {
	kind      stmtKind
	syms      []*sym // of a let; several of a scan that carries several
	track     bool
	generated bool // it is computed after a run
	quantity  bool // of the program's generated quantities
	declared  int  // where the program declares the variable that it tracks
	doc       string
	value     node // of a let or a factor
	conds     []node
	left      node // of ~
	law       *law
	binds     []bind // of a plate
	body      *block
	span      source.Span // in the Stan program
}

// let adds a named value to a block.
func (t *translator) let(blk *block, name string, v *value) *sym {
	s := t.newSym(name)
	s.def, s.unk = v.n, v.unk || t.unknown(v.n)
	s.local = blk.parent != nil
	t.shapes[s] = v.sh
	if v.t.base == intBase && v.t.arr > 0 {
		t.ints[s] = intInfo{neg: true}
	}
	blk.stmts = append(blk.stmts, &stmt{kind: letStmt, syms: []*sym{s}, value: v.n, span: t.here})
	return s
}

// rename gives a let the name of the variable whose value it is, if it has none of its own.
func (t *translator) rename(s *sym, v *variable) {
	if t.auto[s] || s.base == v.name {
		s.base = v.name
		delete(t.auto, s)
	}
}

// tops is the outermost block.
func (t *translator) tops() *block {
	b := t.blk
	for b.parent != nil {
		b = b.parent
	}
	return b
}

// inBlock runs f with a new block inside the present one.
func (t *translator) inBlock(f func()) *block {
	b := &block{parent: t.blk}
	t.blk = b
	defer func() { t.blk = b.parent }()
	f()
	return b
}

// factor adds a term to the log density, 0 where the present conditions do not hold.
func (t *translator) factor(v *value, at source.Span) {
	if t.quiet {
		return
	}
	t.terms++
	n := v.n
	if v.t.rank() > 0 {
		n = t.sum(v)
	}
	conds := slices.Clone(t.conds)
	if last := len(t.blk.stmts) - 1; last >= 0 && len(conds) == 1 {
		p := t.blk.stmts[last]
		if p.kind == factorStmt && len(p.conds) == 1 && t.same(not(p.conds[0]), conds[0]) {
			p.value, p.conds = t.choose(p.conds[0], p.value, n), nil
			return
		}
	}
	t.blk.stmts = append(t.blk.stmts, &stmt{kind: factorStmt, value: n, conds: conds, span: at})
}

func (t *translator) sum(v *value) node {
	if c, ok := v.n.(comp); ok && c.fun == "" && len(c.binds) == v.t.rank() {
		c.fun = "sum"
		return c
	}
	return call{fun: "sum", args: []node{flatted(v.n, v.t.rank())}}
}

// each visits the nodes of a statement and those of statements inside it.
func (s *stmt) each(f func(node) node) {
	if s.value != nil {
		s.value = f(s.value)
	}
	for i := range s.conds {
		s.conds[i] = f(s.conds[i])
	}
	if s.left != nil {
		s.left = f(s.left)
	}
	if s.law != nil {
		l := *s.law
		l.args = slices.Clone(l.args)
		for i := range l.args {
			l.args[i] = f(l.args[i])
		}
		if l.lo != nil {
			l.lo = f(l.lo)
		}
		if l.hi != nil {
			l.hi = f(l.hi)
		}
		s.law = &l
	}
	if s.body != nil {
		for _, x := range s.body.stmts {
			x.each(f)
		}
	}
}

// uses counts how often a sym stands in statements.
func (t *translator) uses(list []*stmt, s *sym) int {
	k := 0
	for _, x := range list {
		x.each(func(n node) node { k += t.mentions(n, s); return n })
		for _, b := range x.binds {
			k += t.mentions(whole{b.lo}, s) + t.mentions(whole{b.hi}, s)
		}
	}
	return k
}

// put puts nodes in the place of syms, in statements and those inside them.
func (t *translator) put(list []*stmt, s subst) {
	for _, x := range list {
		x.each(func(n node) node { return t.replace(n, s) })
		t.putBinds(x, s)
	}
}

func (t *translator) putBinds(x *stmt, s subst) {
	for i := range x.binds {
		x.binds[i].lo, _ = t.replacePoly(x.binds[i].lo, s)
		x.binds[i].hi, _ = t.replacePoly(x.binds[i].hi, s)
	}
	if x.body != nil {
		for _, y := range x.body.stmts {
			t.putBinds(y, s)
		}
	}
}

// tidy takes lets out that nothing reads, and puts those that are read once, and have a name that
// the program did not give, in their place.
func (t *translator) tidy(blk *block, extra ...node) {
	if len(blk.stmts) > manyStatements {
		t.tidyMany(blk, extra)
		return
	}
	for changed := true; changed; {
		changed = false
		for i := len(blk.stmts) - 1; i >= 0; i-- {
			x := blk.stmts[i]
			if x.kind != letStmt || x.track || len(x.syms) > 1 {
				continue
			}
			s := x.syms[0]
			k := t.uses(blk.stmts[i+1:], s)
			for _, n := range extra {
				k += t.mentions(n, s)
			}
			if k == 0 && (blk.parent != nil || t.auto[s]) {
				blk.stmts = slices.Delete(blk.stmts, i, i+1)
				changed = true
			} else if k == 1 && t.auto[s] && len(extra) == 0 && t.flat(blk.stmts[i+1:], s) {
				t.put(blk.stmts[i+1:], subst{s: x.value})
				blk.stmts = slices.Delete(blk.stmts, i, i+1)
				changed = true
			}
		}
	}
}

// manyStatements is the number of statements from which unused lets are found in one pass, and no
// let is put in the place of its only use.
const manyStatements = 400

// tidyMany takes lets out that nothing reads, from the last to the first.
func (t *translator) tidyMany(blk *block, extra []node) {
	uses := map[*sym]int{}
	count := func(n node, by int) {
		t.walk(n, func(x node) {
			if r, ok := x.(ref); ok {
				uses[r.s] += by
			}
		})
	}
	all := func(s *stmt, by int) {
		s.each(func(n node) node { count(n, by); return n })
		var binds func(s *stmt)
		binds = func(s *stmt) {
			for _, b := range s.binds {
				count(whole{b.lo}, by)
				count(whole{b.hi}, by)
			}
			if s.body != nil {
				for _, x := range s.body.stmts {
					binds(x)
				}
			}
		}
		binds(s)
	}
	for _, n := range extra {
		count(n, 1)
	}
	for _, s := range blk.stmts {
		all(s, 1)
	}
	var kept []*stmt
	for i := len(blk.stmts) - 1; i >= 0; i-- {
		s := blk.stmts[i]
		if s.kind == letStmt && !s.track && len(s.syms) == 1 && uses[s.syms[0]] == 0 &&
			(blk.parent != nil || t.auto[s.syms[0]]) {
			all(s, -1)
			continue
		}
		kept = append(kept, s)
	}
	slices.Reverse(kept)
	blk.stmts = kept
}

// flat reports whether no loop, sum or choice stands around the uses of a sym.
func (t *translator) flat(list []*stmt, s *sym) bool {
	ok := true
	for _, x := range list {
		if x.body != nil && t.uses([]*stmt{x}, s) > 0 {
			return false
		}
		x.each(func(n node) node {
			t.walk(n, func(y node) {
				switch y := y.(type) {
				case comp:
					ok = ok && t.mentions(y.elem, s) == 0
				case *scan:
					ok = ok && t.mentions(y, s) == 0
				}
			})
			return n
		})
	}
	return ok
}

// ---- loops that are open ----

// A memory is the state of a translation, to go back to.
type memory struct {
	vars  []variable
	stmts map[*block]int
	blk   *block
	loops int
	conds int
	scope []map[string]*variable
	quiet bool
	call  *source.Span
	fn    int
	spies [][2]int // what each has noted: assignments and reads
}

func (t *translator) remember() *memory {
	if t.bound != nil {
		t.bound.gen++
	}
	m := &memory{stmts: map[*block]int{}, blk: t.blk, loops: len(t.loops), conds: len(t.conds),
		scope: t.scope, quiet: t.quiet, call: t.callAt, fn: t.calls}
	for _, s := range t.spies {
		m.spies = append(m.spies, [2]int{len(s.writes), len(s.reads)})
	}
	m.vars = make([]variable, len(t.vars))
	for i, v := range t.vars {
		m.vars[i] = *v
	}
	for b := t.blk; b != nil; b = b.parent {
		m.stmts[b] = len(b.stmts)
	}
	return m
}

// letsSince are the lets that were written since a memory.
func letsSince(m *memory) map[*block][]*stmt {
	out := map[*block][]*stmt{}
	for b, n := range m.stmts {
		for _, s := range b.stmts[n:] {
			if s.kind == letStmt {
				out[b] = append(out[b], s)
			}
		}
	}
	return out
}

// forget goes back to a state. Statements are only ever added, so their number tells.
func (t *translator) forget(m *memory) {
	t.vars = t.vars[:len(m.vars)]
	for i, v := range t.vars {
		*v = m.vars[i]
	}
	for b, n := range m.stmts {
		b.stmts = b.stmts[:n]
	}
	t.blk, t.loops, t.conds, t.scope = m.blk, t.loops[:m.loops], t.conds[:m.conds], m.scope
	t.quiet, t.callAt, t.calls = m.quiet, m.call, m.fn
	for i, s := range t.spies[:min(len(t.spies), len(m.spies))] {
		s.writes, s.reads = s.writes[:m.spies[i][0]], s.reads[:m.spies[i][1]]
	}
}

type intInfo struct {
	typed *size.Poly
	top   *size.Poly
	neg   bool
	shift int
}
