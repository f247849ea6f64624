package translate

import "slices"

// attach moves the laws of params to their declarations, where all that they read is declared by
// then.
func (t *translator) attach() {
	kept := t.root.stmts[:0]
	for _, s := range t.root.stmts {
		if x := t.withoutPlates(s); x == nil || !t.attachOne(x) {
			kept = append(kept, s)
		}
	}
	t.root.stmts = kept
}

// withoutPlates is a statement with ~, or what is one for all entries of a param where plates over
// its axes have it for each, with one law: for j in J { b[j] ~ normal(0, 1) }. nil of others.
func (t *translator) withoutPlates(s *stmt) *stmt {
	var binds []bind
	for s.kind == plateStmt && len(s.body.stmts) == 1 {
		binds = append(binds, s.binds...)
		s = s.body.stmts[0]
	}
	if s.kind != tildeStmt || len(binds) == 0 {
		if s.kind == tildeStmt {
			return s
		}
		return nil
	}
	x, ok := s.left.(index)
	if !ok || !s.law.same || len(x.subs) != len(binds) || t.paramOf(x) == nil {
		return nil
	}
	for _, b := range binds {
		if slices.ContainsFunc(s.law.args, func(a node) bool { return t.mentions(a, b.v) > 0 }) {
			return nil
		}
	}
	out := *s
	out.left = x.x
	return &out
}

func (t *translator) attachOne(s *stmt) bool {
	r, ok := s.left.(ref)
	if !ok || s.law.trunc {
		return false
	}
	k := slices.IndexFunc(t.params, func(p *param) bool { return p.s == r.s })
	if k < 0 || t.params[k].law != nil {
		return false
	}
	for _, a := range s.law.args {
		fine := true
		t.walk(a, func(n node) {
			x, ok := n.(ref)
			if !ok || !x.s.unk || x.s.local {
				return
			}
			j := slices.IndexFunc(t.params, func(p *param) bool { return p.s == x.s })
			fine = fine && j >= 0 && j < k
		})
		if !fine || t.weight(a) > 12 {
			return false
		}
	}
	t.params[k].law = s.law
	return true
}

// tidyAll drops lets of the file that nothing reads and the program does not name.
func (t *translator) tidyAll() {
	var all []node
	for _, p := range t.params {
		for _, e := range []node{p.lower, p.upper} {
			if e != nil {
				all = append(all, e)
			}
		}
		if p.law != nil {
			all = append(all, p.law.args...)
		}
		for _, f := range append(slices.Clone(p.fam), p.own...) {
			all = append(all, whole{f})
		}
	}
	t.tidy(t.root)
	for _, f := range t.fns {
		all = append(all, f.value)
		for _, s := range f.body.stmts {
			all = append(all, s.value)
		}
	}
	var rest []node
	for _, s := range t.root.stmts {
		s.each(func(n node) node { rest = append(rest, n); return n })
		for _, b := range s.binds {
			rest = append(rest, whole{b.lo}, whole{b.hi})
		}
	}
	t.tidy(t.before, append(all, rest...)...)
}
