package lower

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// matrixChart is a chart of d × k matrices whose state is one too.
func matrixChart(c *chart, d, k int) charted {
	b := ir.NewBuilder()
	axes := func(r, c string) []*ir.Axis {
		return []*ir.Axis{b.Axis(r, sizeNumber(d)), b.Axis(c, sizeNumber(k))}
	}
	y, x := axes("y", "p"), axes("x", "q")
	args := chartArgs{y: y[0], yCols: y[1], x: x[0], cols: x[1]}
	value, logJ := c.constrain(b, args, b.Leaf(ir.OpState, "y", y...))
	back := c.unconstrain(b, args, b.Leaf(ir.OpState, "x", x...))
	return charted{ny: d * k, nx: d * k,
		constrain: &ir.Func{ID: fn.Constrain.ID(),
			Outputs: []ir.Output{{Name: "x", Value: b.Layout(value, x), Axes: x},
				{Name: "logJ", Value: logJ}}},
		unconstrain: &ir.Func{ID: fn.Unconstrain.ID(),
			Outputs: []ir.Output{{Name: "y", Value: back, Axes: y}}}}
}

// TestSubspaceBasis: the basis that the model reads is orthonormal, has the span of the state,
// begins with a lower triangle of positive diagonal, and does not change with the state's basis.
func TestSubspaceBasis(t *testing.T) {
	const d, k = 5, 3
	m := matrixChart(charts[types.Grassmann], d, k)
	random := mat.NewDense(d, k, nil)
	for i := range d {
		for j := range k {
			random.Set(i, j, math.Sin(float64(3+7*i+11*j)))
		}
	}
	var qr mat.QR
	qr.Factorize(random)
	var q, turn, turned mat.Dense
	qr.QTo(&q)
	y := mat.DenseCopyOf(q.Slice(0, d, 0, k))
	qr.Factorize(mat.NewDense(k, k, []float64{1, 2, 3, -1, 0.5, 2, 4, 1, -2}))
	qr.QTo(&turn)
	turned.Mul(y, &turn)
	x, logJ := m.forward(t, y.RawMatrix().Data)
	other, _ := m.forward(t, turned.RawMatrix().Data)
	if logJ != 0 {
		t.Errorf("log|J| = %v", logJ)
	}
	got, again := mat.NewDense(d, k, x), mat.NewDense(d, k, other)
	if !mat.EqualApprox(got, again, 1e-12) {
		t.Errorf("of two bases of one subspace: %v and %v", x, other)
	}
	var gram, p, want mat.Dense
	gram.Mul(got.T(), got)
	p.Mul(got, got.T())
	want.Mul(y, y.T())
	for i := range k {
		for j := range k {
			one := 0.0
			if i == j {
				one = 1
			}
			if math.Abs(gram.At(i, j)-one) > 1e-12 {
				t.Errorf("columns %d and %d have the product %v", i, j, gram.At(i, j))
			}
			if v := got.At(i, j); j > i && v != 0 || i == j && !(v > 0) {
				t.Errorf("entry %d, %d is %v", i, j, v)
			}
		}
	}
	if !mat.EqualApprox(&p, &want, 1e-12) {
		t.Error("the span is another")
	}
	for i, v := range m.back(t, x) {
		if v != x[i] {
			t.Errorf("entry %d comes back as %v, not %v", i, v, x[i])
		}
	}
}

// TestAffineInvariantJacobian: the measure of the entries of the factor by the volume is the
// determinant of the map from an orthonormal frame, S → L Φ(S), to these entries.
func TestAffineInvariantJacobian(t *testing.T) {
	const k = 3
	l := []float64{0.7, 0, 0, -1.2, 2, 0, 0.4, 0.3, 0.05}
	m := matrixChart(namedCharts["affine_invariant"], k, k)
	x, logJ := m.forward(t, l)
	for i := range l {
		if x[i] != l[i] {
			t.Errorf("entry %d is %v, not %v", i, x[i], l[i])
		}
	}
	var places [][2]int
	for i := range k {
		for j := range i + 1 {
			places = append(places, [2]int{i, j})
		}
	}
	jacobian := mat.NewDense(len(places), len(places), nil)
	for c, p := range places {
		phi := mat.NewDense(k, k, nil)
		phi.Set(p[0], p[1], math.Sqrt(0.5)) // S has it twice, and the length 1
		if p[0] == p[1] {
			phi.Set(p[0], p[1], 0.5)
		}
		var dl mat.Dense
		dl.Mul(mat.NewDense(k, k, l), phi)
		for r, q := range places {
			jacobian.Set(r, c, dl.At(q[0], q[1]))
		}
	}
	if want, _ := mat.LogDet(jacobian); math.Abs(logJ-want) > 1e-12 {
		t.Errorf("log|J| = %v, want %v", logJ, want)
	}
}
