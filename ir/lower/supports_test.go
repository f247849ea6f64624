package lower

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// charted is a chart with its axes, evaluated by the reference evaluator.
type charted struct {
	constrain, unconstrain *ir.Func
	ny, nx                 int
}

func chartOf(c *chart, k int, matrix bool, lo, hi float64) charted {
	b := ir.NewBuilder()
	args := chartArgs{lo: b.Num(lo), hi: b.Num(hi)}
	out := charted{ny: 1, nx: 1}
	var y, x *ir.Value
	var yAxes, xAxes []*ir.Axis
	if k > 0 {
		n, _ := c.state(types.Shape{sizeNumber(k)})[0].Number()
		args.y, args.x = b.Axis("y", sizeNumber(n)), b.Axis("x", sizeNumber(k))
		yAxes, xAxes = []*ir.Axis{args.y}, []*ir.Axis{args.x}
		out.ny, out.nx = n, k
		if matrix {
			args.cols = b.Axis("z", sizeNumber(k))
			xAxes, out.nx = append(xAxes, args.cols), k*k
		}
	}
	y, x = b.Leaf(ir.OpState, "y", yAxes...), b.Leaf(ir.OpState, "x", xAxes...)
	value, logJ := c.constrain(b, args, y)
	out.constrain = &ir.Func{ID: fn.Constrain.ID(),
		Outputs: []ir.Output{{Name: "x", Value: b.Layout(value, xAxes), Axes: xAxes},
			{Name: "logJ", Value: logJ}}}
	out.unconstrain = &ir.Func{ID: fn.Unconstrain.ID(),
		Outputs: []ir.Output{{Name: "y", Value: c.unconstrain(b, args, x), Axes: yAxes}}}
	return out
}

func (c charted) forward(t *testing.T, y []float64) (x []float64, logJ float64) {
	t.Helper()
	if err := ir.Verify(c.constrain); err != nil {
		t.Fatal(err)
	}
	out := ir.Eval(c.constrain, &ir.Env{State: map[string][]float64{"y": y}})
	return out["x"].Data, out["logJ"].Data[0]
}

func (c charted) back(t *testing.T, x []float64) []float64 {
	t.Helper()
	if err := ir.Verify(c.unconstrain); err != nil {
		t.Fatal(err)
	}
	return ir.Eval(c.unconstrain, &ir.Env{State: map[string][]float64{"x": x}})["y"].Data
}

// coordinates are the entries of a value whose Lebesgue measure is the base
// measure of the type; of sum_to_zero all entries, for the measure of the plane.
func coordinates(kind types.Kind, n int) (out []int) {
	k := int(math.Sqrt(float64(n)))
	for i := range n {
		switch row, col := i/max(k, 1), i%max(k, 1); {
		case kind == types.Simplex && i == n-1, kind == types.CorrChol && col >= row,
			kind == types.CovChol && col > row:
		default:
			out = append(out, i)
		}
	}
	return out
}

// logVolume is ½ log det JᵀJ of rows of the Jacobian ∂x/∂y, by differences:
// log|det J| where J is square.
func (c charted) logVolume(t *testing.T, y []float64, rows []int) float64 {
	t.Helper()
	n := len(y)
	const h = 1e-5
	jac := make([][]float64, n) // columns
	for j := range y {
		up, down := append([]float64(nil), y...), append([]float64(nil), y...)
		up[j] += h
		down[j] -= h
		a, _ := c.forward(t, up)
		b, _ := c.forward(t, down)
		jac[j] = make([]float64, len(rows))
		for i, r := range rows {
			jac[j][i] = (a[r] - b[r]) / (2 * h)
		}
	}
	// Gram–Schmidt: the volume is the product of the heights.
	sum := 0.0
	for j := range jac {
		for k := range j {
			dot, norm := 0.0, 0.0
			for i := range jac[j] {
				dot, norm = dot+jac[j][i]*jac[k][i], norm+jac[k][i]*jac[k][i]
			}
			for i := range jac[j] {
				jac[j][i] -= dot / norm * jac[k][i]
			}
		}
		norm := 0.0
		for _, v := range jac[j] {
			norm += v * v
		}
		sum += 0.5 * math.Log(norm)
	}
	return sum
}

// Every row of the table of charts: there and back, the Jacobian against
// differences, the type's own conditions, far coordinates.
func TestCharts(t *testing.T) {
	inf := math.Inf(1)
	for kind, c := range charts {
		if c.doc == "" {
			t.Errorf("%s has no doc", kind)
		}
		if kind == types.Grassmann {
			continue // see TestSubspaceBasis
		}
		var cases []charted
		switch kind {
		case types.Interval:
			for _, e := range [][2]float64{{-1, 2}, {-inf, 0.5}, {0.25, inf}, {-inf, inf},
				{100, 101}} {
				cases = append(cases, chartOf(c, 0, false, e[0], e[1]))
			}
		case types.Ordered, types.PositiveOrdered, types.Simplex, types.SumToZero, types.CorrChol,
			types.CovChol:
			matrix := kind == types.CorrChol || kind == types.CovChol
			for k := 1; k <= 5; k++ {
				cases = append(cases, chartOf(c, k, matrix, -inf, inf))
			}
		default:
			cases = append(cases, chartOf(c, 0, false, -inf, inf))
		}
		for i, m := range cases {
			t.Run(fmt.Sprintf("%s %d", kind, i), func(t *testing.T) { checkChart(t, kind, m) })
		}
	}
}

func checkChart(t *testing.T, kind types.Kind, m charted) {
	y := make([]float64, m.ny)
	for s := range 5 {
		for i := range y {
			y[i] = 1.5 * math.Sin(float64(1+3*s+7*i))
		}
		x, logJ := m.forward(t, y)
		for i, v := range m.back(t, x) {
			if math.Abs(v-y[i]) > 1e-8*(1+math.Abs(y[i])) {
				t.Errorf("coordinate %d = %v comes back as %v", i, y[i], v)
			}
		}
		if want := m.logVolume(t, y, coordinates(kind, m.nx)); math.Abs(logJ-want) > 1e-5 {
			t.Errorf("log|J| = %v at %v, differences give %v", logJ, y, want)
		}
		if err := belongs(kind, x); err != "" {
			t.Errorf("%v is no %s: %s", x, kind, err)
		}
	}
	for _, far := range []float64{-300, -40, 40, 300} {
		for i := range y {
			y[i] = far * float64(1-2*(i%2))
		}
		x, logJ := m.forward(t, y)
		for _, v := range append(x, logJ) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("at %v: x = %v, log|J| = %v", y, x, logJ)
				break
			}
		}
	}
}

func belongs(kind types.Kind, x []float64) string {
	sum := 0.0
	if kind == types.CorrChol || kind == types.CovChol {
		return belongsTriangle(kind, x)
	}
	for i, v := range x {
		sum += v
		switch {
		case (kind == types.Positive || kind == types.PositiveOrdered || kind == types.Simplex ||
			kind == types.Unit) && v <= 0:
			return "not positive"
		case (kind == types.Ordered || kind == types.PositiveOrdered) && i > 0 && v <= x[i-1]:
			return "not rising"
		case kind == types.Unit && v >= 1:
			return "not below 1"
		}
	}
	if want := map[types.Kind]float64{types.Simplex: 1, types.SumToZero: 0}; len(x) > 0 {
		if w, ok := want[kind]; ok && math.Abs(sum-w) > 1e-12 {
			return "wrong sum"
		}
	}
	return ""
}

func belongsTriangle(kind types.Kind, x []float64) string {
	k := int(math.Sqrt(float64(len(x))))
	for i := range k {
		sum := 0.0
		for j, v := range x[i*k : (i+1)*k] {
			sum += v * v
			switch {
			case j > i && v != 0:
				return "not 0 above the diagonal"
			case j == i && v <= 0:
				return "not positive on the diagonal"
			}
		}
		if kind == types.CorrChol && math.Abs(sum-1) > 1e-14 {
			return "a row that is no unit vector"
		}
	}
	return ""
}

// At coordinates 0 a Cholesky factor is the identity; far out the inverse of a
// correlation factor keeps its digits.
func TestTriangleCharts(t *testing.T) {
	for _, kind := range []types.Kind{types.CorrChol, types.CovChol} {
		m := chartOf(charts[kind], 4, true, 0, 0)
		x, logJ := m.forward(t, make([]float64, m.ny))
		for i, v := range x {
			if want := map[bool]float64{true: 1}[i%5 == 0]; v != want {
				t.Errorf("%s: entry %d of %v is not the identity's", kind, i, x)
			}
		}
		if logJ != 0 {
			t.Errorf("%s: log|J| = %v at 0", kind, logJ)
		}
	}
	m := chartOf(charts[types.CorrChol], 3, true, 0, 0)
	for _, y := range [][]float64{{12, -9, 7}, {-1e-9, 1e-12, 15}, {16, 1e-20, -3}} {
		x, _ := m.forward(t, y)
		for i, v := range m.back(t, x) {
			if math.Abs(v-y[i]) > 1e-8*math.Abs(y[i]) {
				t.Errorf("%v comes back as %v", y, m.back(t, x))
				break
			}
		}
	}
}
