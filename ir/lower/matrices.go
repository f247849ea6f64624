package lower

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

func (l *Model) cholesky(a tensor) tensor {
	return tensor{v: l.B.Cholesky(a.v, a.axes[0], a.axes[1]), axes: a.axes}
}

// logDet returns log |A| = 2 Σ log L[k, k].
func (l *Model) logDet(a tensor) tensor {
	t := l.cholesky(a)
	k := l.B.Axis(t.axes[0].Name, t.axes[0].Size)
	d := l.B.Diagonal(t.v, t.axes[0], t.axes[1], k)
	return number(l.B.Mul(l.B.Num(2), l.B.Sum(l.B.Map(ir.OpLog, d), k)))
}

// triangularSolve returns the x with L x = y, or Lᵀ x = y if transposed.
func (l *Model) triangularSolve(t, y tensor, transposed bool) tensor {
	i, j := t.axes[0], t.axes[1]
	from, to := i, j
	if transposed {
		from, to = j, i
	}
	v := l.B.TriangularSolve(t.v, l.B.Rename(y.v, y.axes[0], from), i, j, transposed)
	return tensor{v: v, axes: []*ir.Axis{to}}
}

// solve returns the x with L Lᵀ x = y.
func (l *Model) solve(t, y tensor) tensor {
	return l.triangularSolve(t, l.triangularSolve(t, y, false), true)
}

// inverse returns A⁻¹, by solving for the columns of the identity.
func (l *Model) inverse(a tensor) tensor {
	t := l.cholesky(a)
	row, col := l.B.Axis(a.axes[0].Name, a.axes[0].Size), l.B.Axis(a.axes[1].Name, a.axes[1].Size)
	x := l.solve(t, tensor{v: l.B.Map(ir.OpEq, l.B.Iota(row), l.B.Iota(col)),
		axes: []*ir.Axis{row}})
	return tensor{v: x.v, axes: []*ir.Axis{x.axes[0], col}}
}

func (l *Model) trace(a tensor) tensor {
	k := l.B.Axis(a.axes[0].Name, a.axes[0].Size)
	return number(l.B.Sum(l.B.Diagonal(a.v, a.axes[0], a.axes[1], k), k))
}

// trials refuses to draw counts without their number of trials. An integer argument with a default
// below 0 is implied by the observed value, which a simulation does not have.
func (d *Dist) trials() {
	for _, s := range d.def.Params {
		p, ok := s.Decl.(*ast.Param)
		if !ok || p.Default == nil || s.Type.Kind != types.Int {
			continue
		}
		if n, ok := d.fr.values[s].v.Const(); ok && n < 0 {
			d.l.Fail(limits.CannotSimulate, d.Span,
				"%s is implied by the value of %s, and a draw needs it: %s(…, %s = …)", s.Name,
				d.name(), d.name(), s.Name)
		}
	}
}

// reshape lays entries out along other axes. If the number of entries depends on data, it is
// checked when data are bound.
func (l *Model) reshape(e *ast.Call, t tensor, to []*ir.Axis) tensor {
	have, want := entries(t.axes), entries(to)
	if excess := have.Sub(want); len(excess.Terms) > 0 {
		src := l.Checked.File.Source
		if l.inLibrary() {
			panic("lower: reshape of unknown sizes in a library")
		}
		l.ranges = append(l.ranges, model.Range{Text: src.Text[e.Span.Start:e.Span.End],
			Place: src.Place(e.Span.Start), Size: excess,
			Zero: true})
	}
	flat := l.B.Axis("i", want)
	return tensor{v: l.B.Unflatten(l.B.Flatten(t.v, t.axes, flat), flat, to), axes: to}
}

// entries returns the number of entries along axes.
func entries(axes []*ir.Axis) size.Poly {
	n := size.Const(1)
	for _, a := range axes {
		n = n.Mul(a.Size)
	}
	return n
}

// eigenpairs returns the eigenvalues and eigenvectors of a symmetric matrix. The two functions of
// the language that use it share one decomposition.
func (l *Model) eigenpairs(a tensor) *ir.Value {
	i, j := a.axes[0], a.axes[1]
	return l.B.Eigenpairs(a.v, i, j, l.B.Axis(i.Name, i.Size.Add(size.Const(2))))
}

// qr decomposes X = Q R. The rounding errors of Q = X R⁻¹ grow with the condition number of R. The
// condition number of the first Q is near 1, so decomposing it once more gives columns that are
// orthonormal to full precision. Source: Giraud, Langou, Rozložník & van den Eshof (2005), Rounding
// error analysis of the classical Gram-Schmidt orthogonalization process: twice is enough.
func (l *Model) qr(x tensor) (q, r tensor) {
	b, row, col := l.B, x.axes[0], x.axes[1]
	t, u := b.Axis(col.Name, col.Size), b.Axis(col.Name, col.Size)
	once := b.Triangle(x.v, row, col, t)
	first := b.Orthonormal(x.v, once, row, col, t) // [row, t]
	again := b.Triangle(first, row, t, u)          // [u, t]
	q = tensor{v: b.Orthonormal(first, again, row, t, u), axes: []*ir.Axis{row, u}}
	return q, tensor{v: b.Sum(b.Mul(again, once), t), axes: []*ir.Axis{u, col}}
}

// sorted returns the entries of an array in rising order.
func (l *Model) sorted(x tensor) tensor {
	along := x.axes[0]
	to := l.B.Axis(along.Name, along.Size)
	v := l.B.Spread(x.v, along)
	return tensor{v: l.B.Gather(v, l.B.Order(v, along, to), along), axes: []*ir.Axis{to}}
}

// quantile interpolates between the entries around position p (N − 1) of the sorted array; NaN
// where p is not between 0 and 1, or where there are no entries. The array has an entry more, so
// that position 0 can be read in any case.
func (l *Model) quantile(x tensor, p *ir.Value) *ir.Value {
	b, s := l.B, l.sorted(x)
	from := s.axes[0]
	to := b.Axis(from.Name, from.Size.Add(size.Const(1)))
	entries := b.Pad(s.v, from, to, zeroSize)
	last := b.Sub(b.AxisSize(from), b.Num(1))
	defined := b.Map(ir.OpAnd, b.Map(ir.OpGe, last, b.Num(0)),
		b.Map(ir.OpAnd, b.Map(ir.OpGe, p, b.Num(0)), b.Map(ir.OpLe, p, b.Num(1))))
	place := b.Map(ir.OpSelect, defined, b.Mul(p, last), b.Num(0))
	below := b.Map(ir.OpFloor, place)
	low := b.Gather(entries, below, to)
	high := b.Gather(entries, b.Map(ir.OpCeil, place), to)
	between := b.Add(low, b.Mul(b.Sub(place, below), b.Sub(high, low)))
	return b.Map(ir.OpSelect, defined, between, b.Div(b.Num(0), b.Num(0)))
}
