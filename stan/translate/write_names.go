package translate

import "slices"

// names chooses those of the whole file: what the program names keeps its name.
func (p *page) names() {
	for w := range words {
		p.globals[w] = true
	}
	for _, g := range p.data {
		p.take(g.s, g.s.base)
	}
	for _, q := range p.params {
		p.take(q.s, q.s.base)
	}
	var lets []*stmt
	for _, b := range []*block{p.before, p.root} {
		for _, s := range b.stmts {
			if s.kind == letStmt {
				lets = append(lets, s)
			}
		}
	}
	rank := func(s *stmt) int {
		switch {
		case s.track:
			return 0
		case !p.auto[s.syms[0]]:
			return 1
		}
		return 2
	}
	for k := range 3 {
		for _, s := range lets {
			if rank(s) != k {
				continue
			}
			for _, y := range s.syms {
				p.take(y, y.base)
			}
		}
	}
	for _, f := range p.translator.fns {
		p.take(f.s, f.s.base)
	}
	for name := range p.translator.dists {
		p.globals[name] = true
	}
}

// take gives a sym a name that no other has.
func (p *page) take(s *sym, name string) {
	s.text = name
	for k := 2; p.globals[s.text] && !s.fixed; k++ {
		s.text = name + "_" + itoa(k)
	}
	p.globals[s.text] = true
}

func (p *page) nameOf(s *sym) string {
	if s.text != "" {
		return s.text
	}
	return s.base
}

// bindIndex names an index while it is in scope.
func (p *page) bindIndex(s *sym) func() {
	old := s.text
	name := s.base
	for k := 2; p.globals[name] || slices.Contains(p.inner, name); k++ {
		name = s.base + itoa(k)
	}
	s.text = name
	p.inner = append(p.inner, name)
	n := len(p.inner)
	return func() { p.inner, s.text = p.inner[:n-1], old }
}

// local names a let of a plate or a scan, to the end of its block.
func (p *page) local(s *sym) {
	name := s.base
	for k := 2; p.globals[name] || slices.Contains(p.inner, name); k++ {
		name = s.base + "_" + itoa(k)
	}
	s.text = name
	p.inner = append(p.inner, name)
}
