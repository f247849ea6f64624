package translate

import "github.com/sgppl/sgppl/stan/syntax"

// generated translates the generated quantities. What has no counterpart is left out, as it does
// not change the density.
func (t *translator) generated(list []syntax.Stmt) {
	lost := map[string]bool{}
	var decls []*syntax.Decl
	for _, s := range list {
		why := ""
		at := s.Pos()
		if name := t.lostIn(s, lost); name != "" {
			why = "it depends on " + name
		} else {
			m := t.remember()
			if d := t.trying(func() { t.statement(s) }); d != nil {
				t.forget(m)
				why, at = d.Message, d.Span
			}
		}
		d, isDecl := s.(*syntax.Decl)
		if isDecl {
			decls = append(decls, d)
		}
		if why == "" {
			continue
		}
		t.diags.Add(t.warning(syntax.LeftOut, at, "left out: %s", why))
		for v := range t.assignedIn([]syntax.Stmt{s}) {
			lost[v.name] = true
		}
		if isDecl {
			lost[d.Name] = true
		}
	}
	for _, d := range decls {
		v := t.lookup(d.Name)
		if v == nil || lost[d.Name] || v.isBroken() {
			continue
		}
		if err := t.trying(func() { t.settle(v, true) }); err != nil {
			t.diags.Add(t.warning(syntax.LeftOut, d.Pos(), "left out: %s", err.Message))
		}
	}
}

// lostIn finds a name that was left out in a statement.
func (t *translator) lostIn(s syntax.Stmt, lost map[string]bool) string {
	found := ""
	syntax.Walk([]syntax.Stmt{s}, func(x syntax.Stmt) {
		syntax.Exprs(x, func(e syntax.Expr) {
			if n, ok := e.(*syntax.Name); ok && lost[n.Name] && found == "" {
				found = n.Name
			}
		})
	})
	return found
}
