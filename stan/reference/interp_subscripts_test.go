package reference

import (
	"github.com/sgppl/sgppl/stan/syntax"
)

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
