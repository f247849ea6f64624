package lower

import (
	"fmt"

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

// logDet is log |A| = 2 Σ log L[k, k].
func (l *Model) logDet(a tensor) tensor {
	t := l.cholesky(a)
	k := l.B.Axis(t.axes[0].Name, t.axes[0].Size)
	d := l.B.Diagonal(t.v, t.axes[0], t.axes[1], k)
	return number(l.B.Mul(l.B.Num(2), l.B.Sum(l.B.Map(ir.OpLog, d), k)))
}

// triangularSolve is the x with L x = y, or Lᵀ x = y: along the columns or the
// rows of L.
func (l *Model) triangularSolve(t, y tensor, transposed bool) tensor {
	i, j := t.axes[0], t.axes[1]
	from, to := i, j
	if transposed {
		from, to = j, i
	}
	v := l.B.TriangularSolve(t.v, l.B.Rename(y.v, y.axes[0], from), i, j, transposed)
	return tensor{v: v, axes: []*ir.Axis{to}}
}

// solve is the x with L Lᵀ x = y.
func (l *Model) solve(t, y tensor) tensor {
	return l.triangularSolve(t, l.triangularSolve(t, y, false), true)
}

// inverse solves for the columns of the identity.
func (l *Model) inverse(a tensor) tensor {
	t := l.cholesky(a)
	row, col := l.B.Axis(a.axes[0].Name, a.axes[0].Size), l.B.Axis(a.axes[1].Name, a.axes[1].Size)
	x := l.solve(t, tensor{v: l.B.Map(ir.OpEq, l.B.Iota(row), l.B.Iota(col)), axes: []*ir.Axis{row}})
	return tensor{v: x.v, axes: []*ir.Axis{x.axes[0], col}}
}

func (l *Model) trace(a tensor) tensor {
	k := l.B.Axis(a.axes[0].Name, a.axes[0].Size)
	return number(l.B.Sum(l.B.Diagonal(a.v, a.axes[0], a.axes[1], k), k))
}

// trials refuses to draw counts without their number of trials: an argument of
// whole numbers with a default below 0 is implied by the value, which is what
// a simulation lacks.
func (d *Dist) trials() {
	for _, s := range d.def.Params {
		p, ok := s.Decl.(*ast.Param)
		if !ok || p.Default == nil || s.Type.Kind != types.Int {
			continue
		}
		if n, ok := d.fr.values[s].v.Const(); ok && n < 0 {
			d.l.Fail(limits.CannotSimulate, d.Span, "%s is implied by the value of %s, and a draw needs it: %s(…, %s = …)", s.Name, d.name(), d.name(), s.Name)
		}
	}
}

// reshape lays entries out along other axes. Where the number of entries is
// known only with the data it is checked then.
func (l *Model) reshape(e *ast.Call, t tensor, to []*ir.Axis) tensor {
	have, want := entries(t.axes), entries(to)
	if excess := have.Sub(want); len(excess.Terms) > 0 {
		src := l.Checked.File.Source
		if l.inLibrary() {
			panic("lower: reshape of unknown sizes in a library")
		}
		l.ranges = append(l.ranges, model.Range{Text: src.Text[e.Span.Start:e.Span.End],
			Place: fmt.Sprintf("%s:%d", src.Name, src.Position(e.Span.Start).Line), Size: excess, Zero: true})
	}
	flat := l.B.Axis("i", want)
	return tensor{v: l.B.Unflatten(l.B.Flatten(t.v, t.axes, flat), flat, to), axes: to}
}

// entries is the number of entries along axes.
func entries(axes []*ir.Axis) size.Poly {
	n := size.Const(1)
	for _, a := range axes {
		n = n.Mul(a.Size)
	}
	return n
}
