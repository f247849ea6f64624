package translate

import "slices"

// attach moves the laws of params to their declarations, where all that they read is declared by
// then.
func (t *translator) attach() {
	kept := t.root.stmts[:0]
	for _, s := range t.root.stmts {
		if s.kind != tildeStmt || !t.attachOne(s) {
			kept = append(kept, s)
		}
	}
	t.root.stmts = kept
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
