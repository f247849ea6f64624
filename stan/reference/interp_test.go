package reference

import (
	"math"

	"github.com/sgppl/sgppl/stan/syntax"
)

// A machine runs a program.
type machine struct {
	funcs  map[string][]*syntax.Func
	scope  []map[string]any
	target float64
	drawn  [][]float64 // draws of transformed data that are left
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

// logDensity runs a program on data, parameters and the draws of its transformed data, and returns
// target.
func logDensity(
	p *syntax.Program, data, params map[string]any, draws ...[]float64,
) float64 {
	m := newMachine(p)
	m.drawn = draws
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
		in := m.expr(s.In).(*list)
		if values = in.elems; in.kind == 'm' { // its entries by columns
			values = nil
			for _, x := range flat(mat(transpose(rows(in)))) {
				values = append(values, x)
			}
		}
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
