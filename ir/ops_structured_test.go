package ir_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

func init() {
	builds["spread"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		return w.b.Spread(w.b.Map(ir.OpSin, w.leaf(wide, b)), a, c)
	}
	builds["flatten"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		// one axis is missing, one stays
		return w.b.Flatten(w.leaf(wide, c, b), []*ir.Axis{b, a}, w.b.Axis("f", a.Size.Mul(b.Size)))
	}
	builds["unflatten"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		from := w.b.Axis("f", a.Size.Mul(b.Size))
		return w.b.Unflatten(w.leaf(wide, c, from), from, []*ir.Axis{b, a})
	}
	builds["cholesky"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		q := w.b.Axis("q", b.Size)
		return w.b.Cholesky(w.matrix(q, b, a), b, q)
	}
	builds["triangular_solve"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		// triangles along a; right-hand sides along c alone, along a as well, the same for all rows
		q := w.b.Axis("q", b.Size)
		x := w.b.TriangularSolve(w.matrix(q, b, a), w.leaf(wide, c, b), b, q, false)
		y := w.b.TriangularSolve(w.matrix(a, q, b), w.leaf(wide, q, a, c), b, q, true)
		z := w.b.TriangularSolve(w.matrix(b, q), w.leaf(wide, a), b, q, false)
		return w.b.Add(w.b.Add(x, z), w.b.Rename(y, b, q))
	}
}

// matrix is a leaf with the diagonal of the last two of b and q added: far
// from singular, and positive definite by its lower triangle.
func (w *walk) matrix(axes ...*ir.Axis) *ir.Value {
	var own []*ir.Axis
	for _, a := range axes {
		if a.Name == "b" || a.Name == "q" {
			own = append(own, a)
		}
	}
	same := w.b.Map(ir.OpEq, w.b.Iota(own[0]), w.b.Iota(own[1]))
	return w.b.Add(w.leaf([2]float64{-0.4, 0.4}, axes...), w.b.Mul(w.b.Num(3), same))
}

// The factor of a kernel matrix gives it back, and the solve its inverse.
func TestCholeskyReference(t *testing.T) {
	b := ir.NewBuilder()
	i, j, k := b.Axis("i", size.Dim("N")), b.Axis("j", size.Dim("N")), b.Axis("k", size.Dim("N"))
	d := b.Sub(b.Iota(i), b.Iota(j))
	same := b.Map(ir.OpEq, b.Iota(i), b.Iota(j))
	a := b.Add(b.Map(ir.OpExp, b.Mul(b.Num(-0.3), b.Mul(d, d))), b.Mul(b.Num(0.1), same))
	l := b.Cholesky(a, i, j)
	back := b.Contract(b.Rename(b.Rename(l, j, k), i, b.Axis("r", i.Size)), b.Rename(l, j, k), k)
	y := b.Map(ir.OpSin, b.Iota(i))
	x := b.TriangularSolve(l, y, i, j, false)
	again := b.Contract(l, x, j)
	z := b.TriangularSolve(l, b.Rename(y, i, j), i, j, true)
	transposed := b.Contract(l, z, i)
	f := &ir.Func{ID: fn.ID{Kind: "f"}}
	for _, v := range []struct {
		name  string
		value *ir.Value
	}{{"a", b.Layout(a, []*ir.Axis{i, j})}, {"back", back}, {"y", y}, {"again", again},
		{"transposed", transposed}} {
		f.Outputs = append(f.Outputs, ir.Output{Name: v.name, Value: v.value, Axes: v.value.Axes})
	}
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	out := ir.Eval(f, &ir.Env{Sizes: map[string]int{"N": 6}})
	for _, pair := range [][2]string{{"back", "a"}, {"again", "y"}, {"transposed", "y"}} {
		for at, want := range out[pair[1]].Data {
			if got := out[pair[0]].Data[at]; !(math.Abs(got-want) < 1e-14) {
				t.Errorf("%s[%d] = %v, want %v", pair[0], at, got, want)
			}
		}
	}
}

// Under a branch that is not taken, a matrix without factor contributes zeros.
func TestStructuredGuard(t *testing.T) {
	b := ir.NewBuilder()
	i, j := b.Axis("i", size.Const(2)), b.Axis("j", size.Const(2))
	x, y := b.Leaf(ir.OpState, "x"), b.Leaf(ir.OpState, "y")
	same := b.Map(ir.OpEq, b.Iota(i), b.Iota(j))
	l := b.Cholesky(b.Mul(x, same), i, j)
	solved := b.TriangularSolve(l, b.Mul(y, b.Iota(i)), i, j, false)
	f := b.Map(ir.OpSelect, b.Map(ir.OpGt, x, b.Num(0)), b.Sum(b.Add(l, solved), i, j), b.Mul(x, y))
	cots, err := grad.Of(b, f, []*ir.Value{x, y})
	if err != nil {
		t.Fatal(err)
	}
	fn := &ir.Func{Outputs: []ir.Output{{Name: "f", Value: f}, {Name: "x", Value: cots[0]},
		{Name: "y", Value: cots[1]}}}
	for _, c := range []struct{ x, y, f, dx, dy float64 }{
		{-2, 3, -6, 3, -2},
		// Σ L = 2√x, and Σ over i and j of y/√x
		{4, 3, 4 + 2*3/2.0, 0.5 - 2*3/16.0, 2 / 2.0},
	} {
		out := ir.Eval(fn, &ir.Env{State: map[string][]float64{"x": {c.x}, "y": {c.y}}})
		got := [3]float64{out["f"].Data[0], out["x"].Data[0], out["y"].Data[0]}
		for k, want := range [3]float64{c.f, c.dx, c.dy} {
			if !(math.Abs(got[k]-want) < 1e-14) {
				t.Errorf("at %v, %v: value and gradient %v, want %v, %v, %v", c.x, c.y, got, c.f,
					c.dx, c.dy)
				break
			}
		}
	}
}

// A branch over a batch axis that only the right-hand sides have: the triangle
// is shared, and what is not taken leaves the others alone.
func TestStructuredGuardOfBatch(t *testing.T) {
	w := newWalk(3, map[string]int{"B": 3, "C": 4})
	c, j, q := w.b.Axis("c", size.Dim("C")), w.b.Axis("b", size.Dim("B")),
		w.b.Axis("q", size.Dim("B"))
	x := w.b.TriangularSolve(w.b.Cholesky(w.matrix(j, q), j, q), w.leaf(wide, c, j), j, q, false)
	taken := w.b.Map(ir.OpLt, w.b.Iota(c), w.b.Num(2))
	w.differentiate(t, "taken for some",
		w.b.Map(ir.OpSelect, taken, w.b.Map(ir.OpTanh, x), w.b.Num(0.5)))
}

func init() {
	builds["eigen_sym"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		// matrices along a, with eigenvalues apart: one for each entry of the diagonal
		q := w.b.Axis("q", b.Size)
		same := w.b.Map(ir.OpEq, w.b.Iota(b), w.b.Iota(q))
		x := w.b.Add(w.leaf([2]float64{-0.3, 0.3}, q, b, a),
			w.b.Mul(same, w.b.Mul(w.b.Iota(b), w.b.Num(2))))
		return w.b.Eigenpairs(x, b, q, w.b.Axis("t", b.Size.Add(size.Const(2))))
	}
	builds["log_forward"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		// recursions along a of states b, one for every entry of c, with the same steps
		q, to := w.b.Axis("q", b.Size), w.b.Axis("t", a.Size.Add(size.Const(1)))
		return w.b.LogForward(w.leaf(wide, b, c), w.leaf(wide, q, b), w.leaf(wide, c, a, b),
			[]*ir.Axis{a, q, b}, to)
	}
	builds["order"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		x := w.leaf(wide, b, a)
		to := w.b.Axis("t", b.Size)
		return w.b.Gather(x, w.b.Order(x, b, to), b)
	}
	builds["triangle"] = func(w *walk, a, b, c *ir.Axis) *ir.Value {
		// more rows than columns
		row := w.b.Axis("n", b.Size.Add(size.Const(2)))
		x := w.b.Add(w.leaf([2]float64{-0.4, 0.4}, row, a, b),
			w.b.Map(ir.OpEq, w.b.Iota(row), w.b.Iota(b)))
		return w.b.Triangle(x, row, b, w.b.Axis("t", b.Size))
	}
}

// Functions of eigenvalues alone have their gradient at ties too: of the sum of
// λ³ it is 3 A², with 2 for 1 below the diagonal. Eigenvectors have none there.
func TestEigenTies(t *testing.T) {
	const n = 4
	for _, c := range []struct {
		name string
		a    [n][n]float64
	}{
		{"identity", [n][n]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}},
		{"exchangeable", [n][n]float64{{2, 0.3, 0.3, 0.3}, {0.3, 2, 0.3, 0.3}, {0.3, 0.3, 2, 0.3},
			{0.3, 0.3, 0.3, 2}}},
	} {
		b := ir.NewBuilder()
		i, j := b.Axis("i", size.Const(n)), b.Axis("j", size.Const(n))
		x := b.Leaf(ir.OpState, "x", i, j)
		pairs := b.Eigenpairs(x, i, j, b.Axis("t", size.Const(n+2)))
		values, vectors := b.Eigenvalues(pairs), b.Eigenvectors(pairs, i)
		cube := b.Sum(b.Mul(values, b.Mul(values, values)), j)
		first := b.Sum(b.Mul(b.At(vectors, j, size.Const(0)), b.Map(ir.OpSin, b.Iota(i))), i)
		var at []float64
		for _, row := range c.a {
			at = append(at, row[:]...)
		}
		gradient := func(f *ir.Value) []float64 {
			cots, err := grad.Of(b, f, []*ir.Value{x})
			if err != nil {
				t.Fatal(err)
			}
			fn := &ir.Func{Outputs: []ir.Output{{Name: "g", Value: b.Layout(cots[0], x.Axes),
				Axes: x.Axes}}}
			return ir.Eval(fn, &ir.Env{State: map[string][]float64{"x": at}})["g"].Data
		}
		corner := b.At(b.At(vectors, i, size.Const(1)), j, size.Const(1))
		for what, f := range map[string]*ir.Value{"an eigenvector": first,
			"an entry that no small rotation changes": corner} {
			finite := true
			for k, d := range gradient(f) {
				finite = finite && (k/n < k%n || !math.IsNaN(d) && !math.IsInf(d, 0))
			}
			if finite {
				t.Errorf("%s: the gradient of %s of a tie is finite", c.name, what)
			}
		}
		got := gradient(cube)
		for r := range n {
			for s := range n {
				want := 0.0
				for k := range n {
					want += 3 * c.a[r][k] * c.a[k][s]
				}
				switch {
				case s > r:
					want = 0
				case s < r:
					want *= 2
				}
				if d := got[r*n+s]; !(math.Abs(d-want) < 1e-12) {
					t.Errorf("%s: ∂Σλ³/∂A[%d, %d] = %v, want %v", c.name, r, s, d, want)
				}
			}
		}
	}
}
