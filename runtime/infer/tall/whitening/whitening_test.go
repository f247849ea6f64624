package whitening

import (
	"math"
	"math/rand/v2"
	"testing"
)

// positive returns a random positive definite matrix.
func positive(r *rand.Rand, n int) []float64 {
	b, a := make([]float64, n*n), make([]float64, n*n)
	for i := range b {
		b[i] = r.NormFloat64()
	}
	for i := range n {
		for j := range n {
			for k := range n {
				a[i*n+j] += b[i*n+k] * b[j*n+k]
			}
		}
		a[i*n+i]++
	}
	return a
}

// TestInverseFactor: C Cᵀ a is the identity, and C a lower triangle.
func TestInverseFactor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 5, 17} {
		a := positive(r, n)
		c, ok := InverseFactor(a, n)
		if !ok {
			t.Fatal("no factor")
		}
		for i := range n {
			for j := range n {
				sum := 0.0
				for k := range n {
					for l := range n {
						sum += c[i*n+l] * c[k*n+l] * a[k*n+j]
					}
				}
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(sum-want) > 1e-9 || j > i && c[i*n+j] != 0 {
					t.Fatalf("n %d: entry %d, %d is %g", n, i, j, sum)
				}
			}
		}
	}
	if _, ok := InverseFactor([]float64{1, 2, 2, 1}, 2); ok {
		t.Error("a matrix that is not positive definite has a factor")
	}
}

// TestWhitening: Solve undoes Point, Pull is the adjoint of Apply, Compose multiplies
// from the right; of triangles and of diagonals.
func TestWhitening(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 7
	random := func() []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	for _, dense := range []bool{true, false} {
		w := New(random(), dense)
		c, _ := Factor(positive(r, n), n)
		w.Compose(c)
		z, g, x, back, pulled := random(), random(), make([]float64, n), make([]float64, n),
			make([]float64, n)
		w.Point(z, x)
		w.Solve(x, back)
		w.Pull(g, pulled)
		w.Apply(z, x)
		if math.Abs(dot(g, x)-dot(pulled, z)) > 1e-10 {
			t.Errorf("dense %t: Pull is not the adjoint of Apply", dense)
		}
		for i := range z {
			if math.Abs(back[i]-z[i]) > 1e-10 {
				t.Errorf("dense %t: Solve gives %v of %v", dense, back, z)
				break
			}
		}
		if !dense {
			continue
		}
		was := w.Clone()
		w.Compose(c)
		cz := (&Map{Mean: make([]float64, n), Chol: c})
		cz.Apply(z, z)
		was.Apply(z, back)
		cz.Solve(z, z)
		w.Apply(z, x)
		for i := range x {
			if math.Abs(back[i]-x[i]) > 1e-10 {
				t.Errorf("Compose gives %v, not %v", x, back)
				break
			}
		}
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
