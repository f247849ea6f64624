package opt

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// maxPieces bounds the size of affine forms that are swept; computing the statistics takes work
// quadratic in it.
const maxPieces = 16

// squares returns Σn (Σk c_k[n] u_k)² by an orthogonal decomposition of the columns c_k: with D = Σ
// c_0², m_k = Σ c_0 c_k / D and c'_k = c_k − m_k c_0, which is
// orthogonal to c_0,
//
//	Σn (Σk c_k u_k)² = D·(u_0 + Σk≥1 m_k u_k)² + Σn (Σk≥1 c'_k u_k)²
//
// This is done first within groups, for one column after another that has an unknown of the group,
// then over all rows; the remainder of the last column is a number. It is
// modified Gram–Schmidt, done twice a column so that c'_k is orthogonal to
// rounding (Björck 1994, Numerics of Gram–Schmidt orthogonalization, section
// 6). The column of ones comes first: then m are means, and c' deviations.
// The identity holds for any m, so errors in m do not affect the sum.
//
// Columns of a matrix, which an unknown vector multiplies, are too many to be swept one by one. The
// remainders of these and of the last column become the triangle R of a QR decomposition, ‖C u‖² =
// ‖R u‖².
func (c *collapser) squares(t addend, g *grouping, pieces []piece, h *ir.Value) *ir.Value {
	pieces = c.merge(pieces)
	if wide(pieces) && pieces[len(pieces)-1].u.State() {
		pieces = append(pieces, piece{coef: c.b.Num(0), u: c.b.Num(1)})
	}
	s := &sweep{c: c, g: g, outside: t.outside, h: h}
	local, shared, blocks := 0, 0, size.Poly{}
	for _, p := range pieces {
		s.columns = append(s.columns, column{c.byRow(c.whole(c.masked(t, p.coef))), p.u, p.over})
		switch {
		case len(p.over) > 0:
			if h != nil || !c.matrix(p, g) {
				return nil
			}
			blocks = blocks.Add(p.over[0].Size)
		case p.group || h != nil: // with h each group has its own weight, so groups are not combined
			local++
		default:
			shared++
		}
	}
	if local+shared > maxPieces || local > 0 && g.index == nil {
		return nil
	}
	if local > 0 {
		s.index, s.axis = c.byRow(c.whole(g.index)), g.axis
	}
	s.begin(local)
	var out *ir.Value
	for k, p := range pieces {
		if k == local {
			s.index, s.axis = nil, nil
		}
		if len(p.over) > 0 {
			out = c.plus(out, s.triangle(k))
			break
		}
		out = c.plus(out, s.take(k))
	}
	c.out.Triangles = append(c.out.Triangles, s.merge)
	width := blocks.Add(size.Const(shared))
	after := width.Mul(width).Add(size.Const(shared * shared))
	note := fmt.Sprint(width)
	if local > 0 {
		after = after.Add(g.axis.Size.Mul(width.Add(size.Const(local))).Mul(size.Const(local)))
		note = fmt.Sprintf("%d for each of %s", local, g.axis.Size)
		if !width.Equal(size.Const(0)) {
			note += fmt.Sprintf(" and %s", width)
		}
	}
	c.cost(width.Add(size.Const(local)), after, note)
	return out
}

// matrix reports whether a piece is a matrix [rows, one axis] times a vector.
func (c *collapser) matrix(p piece, g *grouping) bool {
	return len(p.over) == 1 && !p.group && len(c.rest) == 0 && len(p.coef.Axes) == 2 &&
		len(p.u.Axes) == 1
}

// wide reports whether a piece sums over axes.
func wide(pieces []piece) bool {
	return slices.ContainsFunc(pieces, func(p piece) bool { return len(p.over) > 0 })
}

// merge adds up pieces that have the same unknown or the same column, and orders them: pieces by
// group first, ones before other columns, data last.
func (c *collapser) merge(pieces []piece) []piece {
	b := c.b
	var out []piece
	for _, p := range pieces {
		if len(p.over) > 0 {
			out = append(out, p)
			continue
		}
		if !p.coef.Has(c.along) && p.u.State() {
			p.coef, p.u = b.Num(1), b.Mul(p.coef, p.u)
		}
		if !p.u.State() { // data become one piece, with the unknown 1
			p.coef, p.u = b.Mul(p.coef, p.u), b.Num(1)
		}
		joined := false
		for i := range out {
			switch q := &out[i]; {
			case len(q.over) > 0:
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
		switch {
		case !p.u.State():
			r += 3
		case len(p.over) > 0:
			r += 2
		case !p.coef.Is(1):
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

// A column is c·u, or Σ c·u with over.
type column struct {
	c, u *ir.Value
	over []*ir.Axis
}

type sweep struct {
	c       *collapser
	g       *grouping
	outside *ir.Value
	h       *ir.Value // by group, or nil
	columns []column
	index   *ir.Value // index of a row's group, while columns are swept within groups
	axis    *ir.Axis

	merge model.Triangle
	loops []*ir.Axis // axes of the groups and the sum's other axes; nil without groups
}

// begin determines the axes of the statistics, and which columns are swept within groups.
func (s *sweep) begin(local int) {
	one := size.Const(1)
	s.merge.Groups, s.loops = one, []*ir.Axis{s.axis}
	if s.axis != nil {
		s.merge.Groups = s.axis.Size
	}
	for _, a := range s.c.rest {
		s.merge.Rest, s.loops = append(s.merge.Rest, a.Size), append(s.loops, a)
	}
	for k, col := range s.columns {
		c := model.Column{Width: one, Grouped: k < local}
		for _, a := range col.over {
			c.Width = c.Width.Mul(a.Size)
		}
		s.merge.Columns = append(s.merge.Columns, c)
	}
}

// entry makes a datum of a number of the sweep, and returns its place in the triangle. over are
// axes that it may have in addition to those of groups and of the sum.
func (s *sweep) entry(v *ir.Value, over ...*ir.Axis) (*ir.Value, model.Member) {
	if v.Is(0) {
		return v, model.Member{}
	}
	d := s.c.datum(v)
	loops := append(slices.Clone(s.loops), over...)
	e := model.Member{Name: d.Name}
	for _, a := range d.Axes {
		at := slices.Index(loops, a)
		s.c.out.Whole = s.c.out.Whole || at < 0
		e.Axes = append(e.Axes, at)
	}
	return d, e
}

// take returns D·(u_k + Σ m u)² for column k, and sweeps the columns after it.
func (s *sweep) take(k int) *ir.Value {
	b := s.c.b
	w := s.columns[k]
	d := s.total(b.Mul(w.c, w.c))
	to := &s.merge.Columns[k]
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
		mean, at := s.entry(m, col.over...)
		to.Means = append(to.Means, at)
		form = b.Add(form, b.Sum(b.Mul(mean, col.u), col.over...))
	}
	square, at := s.entry(d)
	to.Square = at
	if s.index == nil && !w.c.Has(s.c.rows()) {
		square = b.Mul(b.AxisSize(s.c.rows()), b.Mul(w.c, w.c))
	}
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

// triangle returns ‖R u‖² for the columns from k on, the last of which is of data alone.
func (s *sweep) triangle(k int) *ir.Value {
	b, rows := s.c.b, s.c.rows()
	n, width := len(s.columns)-1, size.Const(1)
	for _, col := range s.columns[k:n] {
		width = width.Add(col.over[0].Size)
	}
	all, i := b.Axis("column", width), b.Axis("i", width)
	var matrix *ir.Value
	at := size.Const(0)
	for _, col := range s.columns[k:n] {
		matrix = s.c.plus(matrix, b.Pad(col.c, col.over[0], all, at))
		at = at.Add(col.over[0].Size)
	}
	last := s.columns[n].c
	last = counted(b, last, rows)
	r, entry := s.entry(b.Triangle(b.Add(matrix, b.Place(last, all, at)), rows, all, i), i, all)
	s.merge.Rows = entry
	form := b.At(r, all, at)
	at = size.Const(0)
	for _, col := range s.columns[k:n] {
		part := b.Slice(r, all, col.over[0], at)
		form = b.Add(form, b.Sum(b.Mul(part, col.u), col.over...))
		at = at.Add(col.over[0].Size)
	}
	return b.Mul(s.outside, b.Sum(b.Mul(form, form), i))
}

// total returns the sum of a column within its group.
func (s *sweep) total(x *ir.Value) *ir.Value {
	if s.index == nil {
		return s.c.b.Sum(counted(s.c.b, x, s.c.rows()), s.c.rows())
	}
	return scatterTotal(s.c.b, x, s.index, s.axis, s.c.rows())
}

// spread gives every row the number of its group.
func (s *sweep) spread(x *ir.Value) *ir.Value {
	if s.index == nil {
		return x
	}
	return s.c.b.Gather(x, s.index, s.axis)
}

// total returns the sum by group.
func (g *grouping) total(x *ir.Value) *ir.Value {
	return scatterTotal(g.c.b, x, g.c.whole(g.index), g.axis, g.c.rows())
}

// counted returns x for each row. Where x is the same for all, it is multiplied by ones along the
// rows, so that its sum counts the current rows.
func counted(b *ir.Builder, x *ir.Value, rows *ir.Axis) *ir.Value {
	if x.Has(rows) || x.Is(0) {
		return x
	}
	return b.Mul(x, b.Map(ir.OpEq, b.Iota(rows), b.Iota(rows)))
}

func scatterTotal(b *ir.Builder, x, index *ir.Value, to, rows *ir.Axis) *ir.Value {
	x = counted(b, x, rows)
	axes := append([]*ir.Axis{to}, ir.Without(x.Axes, []*ir.Axis{rows})...)
	return b.Scatter(x, index, to, axes)
}
