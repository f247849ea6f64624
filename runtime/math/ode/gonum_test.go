package ode

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestLinearOfGonum compares solutions of dz/dt = A z and their sensitivities by the start
// with the matrix exponential of gonum: z(t) = exp(A t) z(0), ∂z(t)/∂z(0) = exp(A t).
func TestLinearOfGonum(t *testing.T) {
	const n = 5
	r := rand.New(rand.NewPCG(3, 4))
	a := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			a.Set(i, j, r.NormFloat64())
		}
		a.Set(i, i, a.At(i, i)-2) // so that most directions decay
	}
	start := []float64{1, -2, 0.5, 3, -1}
	p := problem{name: "linear", z0: start, ts: []float64{0.3, 1, 4},
		f: func(_ float64, z, _, f, j, _ []float64) {
			mat.NewVecDense(n, f).MulVec(a, mat.NewVecDense(n, z))
			copy(j, a.RawMatrix().Data)
		}}
	for _, o := range methods(&p) {
		z, byStart, _ := p.solve(t, o, start, nil, true)
		for k, at := range p.ts {
			var scaled, exp mat.Dense
			scaled.Scale(at, a)
			exp.Exp(&scaled)
			want := mat.NewVecDense(n, nil)
			want.MulVec(&exp, mat.NewVecDense(n, start))
			for i := range n {
				if got := z[k*n+i]; math.Abs(got-want.AtVec(i)) > 1e-6*(1+math.Abs(want.AtVec(i))) {
					t.Errorf("stiff %t: z[%d](%v) = %v, gonum has %v", o.Stiff, i, at, got,
						want.AtVec(i))
				}
				for j := range n {
					got, want := byStart[(k*n+i)*n+j], exp.At(i, j)
					if math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
						t.Errorf("stiff %t: ∂z[%d]/∂z0[%d](%v) = %v, gonum has %v", o.Stiff, i, j,
							at, got, want)
					}
				}
			}
		}
	}
}
