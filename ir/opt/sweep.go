package opt

import (
	"fmt"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/size"
)

// maxPieces bounds the affine forms that are swept: the work, once, is of
// their square.
const maxPieces = 16

// squares is Σn (Σk c_k[n] u_k)² by an orthogonal decomposition of the columns
// c_k: with D = Σ c_0², m_k = Σ c_0 c_k / D and c'_k = c_k − m_k c_0, which is
// orthogonal to c_0,
//
//	Σn (Σk c_k u_k)² = D·(u_0 + Σk≥1 m_k u_k)² + Σn (Σk≥1 c'_k u_k)²
//
// first within groups, one column after another that has an unknown of the
// group, then over all rows; what is left of the last column is a number. It is
// modified Gram–Schmidt, done twice a column so that c'_k is orthogonal to
// rounding (Björck 1994, Numerics of Gram–Schmidt orthogonalization, section
// 6). The column of ones comes first: then m are means, and c' deviations.
// The identity holds for any m: an error of it is no error of the sum.
func (c *collapser) squares(t addend, g *grouping, p *factors, pieces []piece, h *ir.Value) *ir.Value {
	pieces = c.merge(pieces)
	if len(pieces) > maxPieces {
		return nil
	}
	s := &sweep{c: c, g: g, outside: t.outside, h: h}
	for _, p := range pieces {
		s.columns = append(s.columns, column{c.whole(c.masked(t, p.coef)), p.u})
	}
	local := 0
	for _, p := range pieces {
		if p.group {
			local++
		}
	}
	if h != nil {
		local = len(pieces) // each group has a weight of its own: none mix
	}
	if local > 0 && g.index == nil {
		return nil
	}
	if local > 0 {
		s.index, s.axis = c.whole(g.index), g.axis
	}
	var out *ir.Value
	for k := range pieces {
		if k == local {
			s.index, s.axis = nil, nil
		}
		out = c.plus(out, s.take(k))
	}
	n, shared := len(pieces), len(pieces)-local
	after, note := size.Const(shared*(shared+1)/2), fmt.Sprint(shared)
	if local > 0 {
		after = after.Add(g.axis.Size.Mul(size.Const(local * n)))
		note = fmt.Sprintf("%d for each of %s", local, g.axis.Size)
		if shared > 0 {
			note += fmt.Sprintf(" and %d", shared)
		}
	}
	c.cost(n, after, note)
	return out
}

// merge adds up pieces of one unknown or of one column, and orders them: those
// by group first, ones before other columns, data last.
func (c *collapser) merge(pieces []piece) []piece {
	b := c.b
	var out []piece
	for _, p := range pieces {
		if !p.coef.Has(c.along) && p.u.State() {
			p.coef, p.u = b.Num(1), b.Mul(p.coef, p.u)
		}
		if !p.u.State() { // data: one piece, with the unknown 1
			p.coef, p.u = b.Mul(p.coef, p.u), b.Num(1)
		}
		joined := false
		for i := range out {
			switch q := &out[i]; {
			case q.u == p.u && q.group == p.group:
				q.coef, joined = b.Add(q.coef, p.coef), true
			case q.coef == p.coef && q.u.State() && p.u.State():
				q.u, q.group, joined = b.Add(q.u, p.u), q.group || p.group, true
			}
			if joined {
				break
			}
		}
		if !joined {
			out = append(out, p)
		}
	}
	rank := func(p piece) int {
		r := 0
		if !p.group {
			r += 4
		}
		if !p.u.State() {
			r += 2
		}
		if !p.coef.Is(1) {
			r++
		}
		return r
	}
	sorted := make([]piece, 0, len(out))
	for r := range 8 {
		for _, p := range out {
			if rank(p) == r {
				sorted = append(sorted, p)
			}
		}
	}
	return sorted
}

type column struct{ c, u *ir.Value }

type sweep struct {
	c       *collapser
	g       *grouping
	outside *ir.Value
	h       *ir.Value // by group, or nil
	columns []column
	index   *ir.Value // of groups, while columns are swept within them
	axis    *ir.Axis
}

// take is D·(u_k + Σ m u)² of column k, and sweeps the columns after it.
func (s *sweep) take(k int) *ir.Value {
	b := s.c.b
	w := s.columns[k]
	d := s.total(b.Mul(w.c, w.c))
	none := b.Map(ir.OpEq, d, b.Num(0))
	form := w.u
	for i := k + 1; i < len(s.columns); i++ {
		col := &s.columns[i]
		var m *ir.Value
		for range 2 {
			part := b.Map(ir.OpSelect, none, b.Num(0), b.Div(s.total(b.Mul(w.c, col.c)), d))
			col.c = b.Sub(col.c, b.Mul(s.spread(part), w.c))
			m = s.c.plus(m, part)
		}
		form = b.Add(form, b.Mul(s.c.statistic(m), col.u))
	}
	square := s.c.statistic(d)
	if !form.Is(1) {
		square = b.Mul(square, b.Mul(form, form))
	}
	if s.h != nil {
		square = b.Mul(square, s.h)
	}
	over := append([]*ir.Axis(nil), s.c.rest...)
	if s.axis != nil {
		over = append(over, s.axis)
	}
	return b.Sum(b.Mul(s.outside, square), over...)
}

// total is Σ of a column within its group.
func (s *sweep) total(x *ir.Value) *ir.Value {
	if s.index == nil {
		return s.c.b.Sum(x, s.c.rows())
	}
	return scatterTotal(s.c.b, x, s.index, s.axis, s.c.rows())
}

// spread is the number of a row's group.
func (s *sweep) spread(x *ir.Value) *ir.Value {
	if s.index == nil {
		return x
	}
	return s.c.b.Gather(x, s.index, s.axis)
}

// total is Σ by group.
func (g *grouping) total(x *ir.Value) *ir.Value {
	return scatterTotal(g.c.b, x, g.c.whole(g.index), g.axis, g.c.rows())
}

func scatterTotal(b *ir.Builder, x, index *ir.Value, to, rows *ir.Axis) *ir.Value {
	if !x.Has(rows) { // a count of rows
		x = b.Mul(x, b.Map(ir.OpEq, b.Iota(rows), b.Iota(rows)))
	}
	axes := append([]*ir.Axis{to}, ir.Without(x.Axes, []*ir.Axis{rows})...)
	return b.Scatter(x, index, to, axes)
}
