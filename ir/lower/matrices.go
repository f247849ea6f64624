package lower

import (
	"fmt"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/size"
)

func (l *lowerer) cholesky(a tensor) tensor {
	return tensor{v: l.b.Cholesky(a.v, a.axes[0], a.axes[1]), axes: a.axes}
}

// logDet is log |A| = 2 Σ log L[k, k].
func (l *lowerer) logDet(a tensor) tensor {
	t := l.cholesky(a)
	k := l.b.Axis(t.axes[0].Name, t.axes[0].Size)
	d := l.b.Diagonal(t.v, t.axes[0], t.axes[1], k)
	return number(l.b.Mul(l.b.Num(2), l.b.Sum(l.b.Map(ir.OpLog, d), k)))
}

// triangularSolve is the x with L x = y: along the columns of L.
func (l *lowerer) triangularSolve(t, y tensor) tensor {
	i, j := t.axes[0], t.axes[1]
	v := l.b.TriangularSolve(t.v, l.b.Rename(y.v, y.axes[0], i), i, j, false)
	return tensor{v: v, axes: []*ir.Axis{j}}
}

// reshape lays entries out along other axes. Where the number of entries is
// known only with the data it is checked then.
func (l *lowerer) reshape(e *ast.Call, t tensor, to []*ir.Axis) tensor {
	have, want := entries(t.axes), entries(to)
	if excess := have.Sub(want); len(excess.Terms) > 0 {
		src := l.model.File.Source
		if l.inLibrary() {
			panic("lower: reshape of unknown sizes in a library")
		}
		l.ranges = append(l.ranges, model.Range{Text: src.Text[e.Span.Start:e.Span.End],
			Place: fmt.Sprintf("%s:%d", src.Name, src.Position(e.Span.Start).Line), Size: excess, Zero: true})
	}
	flat := l.b.Axis("i", want)
	return tensor{v: l.b.Unflatten(l.b.Flatten(t.v, t.axes, flat), flat, to), axes: to}
}

// entries is the number of entries along axes.
func entries(axes []*ir.Axis) size.Poly {
	n := size.Const(1)
	for _, a := range axes {
		n = n.Mul(a.Size)
	}
	return n
}
