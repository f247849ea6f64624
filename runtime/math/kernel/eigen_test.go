package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	gonum "gonum.org/v1/gonum/mat"
)

// symmetric is a random matrix Q diag(values) Qᵀ.
func symmetric(r *rand.Rand, values []float64) []float64 {
	n := len(values)
	g := gonum.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			g.Set(i, j, r.NormFloat64())
		}
	}
	var qr gonum.QR
	qr.Factorize(g)
	var q, a, b gonum.Dense
	qr.QTo(&q)
	a.Mul(&q, gonum.NewDiagDense(n, values))
	b.Mul(&a, q.T())
	out := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			out[i*n+j], out[j*n+i] = b.At(i, j), b.At(i, j)
		}
	}
	return out
}

// TestEigenSym holds the decomposition against gonum's, and against what defines it.
func TestEigenSym(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for trial := range 200 {
		n := 1 + r.IntN(24)
		values := make([]float64, n)
		for k := range values {
			switch trial % 4 {
			case 0:
				values[k] = r.NormFloat64()
			case 1: // ties
				values[k] = float64(r.IntN(3))
			case 2: // of many magnitudes
				values[k] = math.Exp(20 * r.NormFloat64())
			case 3: // far from 1
				values[k] = r.NormFloat64() * 1e200
			}
		}
		a := symmetric(r, values)
		if trial%7 == 0 { // a matrix that is diagonal, or nearly
			for i := range n {
				for j := range n {
					if i != j {
						a[i*n+j] *= float64(trial%2) * 1e-300
					}
				}
			}
		}
		dst := make([]float64, (n+2)*n)
		EigenSym(dst, a, 1, n)
		var want gonum.EigenSym
		if !want.Factorize(gonum.NewSymDense(n, a), true) {
			t.Fatal("gonum finds no eigenvalues")
		}
		most := 0.0
		for _, x := range a {
			most = max(most, math.Abs(x))
		}
		tol := 40 * float64(n) * 0x1p-52 * most
		d, v, bound := dst[:n], dst[n:][:n*n], dst[(n+1)*n:]
		for k, x := range want.Values(nil) {
			if !(math.Abs(x-d[k]) <= tol) {
				t.Fatalf("trial %d, n %d: eigenvalue %d is %v, gonum's is %v", trial, n, k, d[k], x)
			}
			if k > 0 && d[k] < d[k-1] {
				t.Errorf("trial %d: eigenvalues do not rise", trial)
			}
		}
		for i := range n {
			for j := range n {
				dot, av := 0.0, 0.0
				for k := range n {
					dot += v[k*n+i] * v[k*n+j]
					av += a[i*n+k] * v[k*n+j]
				}
				one := 0.0
				if i == j {
					one = 1
				}
				if !(math.Abs(dot-one) <= 40*float64(n)*0x1p-52) {
					t.Fatalf("trial %d, n %d: columns %d and %d have the product %v", trial, n, i, j, dot)
				}
				if !(math.Abs(av-d[j]*v[i*n+j]) <= tol*2) {
					t.Fatalf("trial %d, n %d: A v is not λ v at %d, %d: %v, %v", trial, n, i, j, av,
						d[j]*v[i*n+j])
				}
			}
		}
		if trial%4 == 1 && trial%7 != 0 { // all ties are found, and nothing else
			for k := 1; k < n; k++ {
				if gap := d[k] - d[k-1]; gap > bound[k] && gap < 0.9 {
					t.Errorf("trial %d, n %d: a tie is taken for a gap of %v, beyond %v", trial, n,
						gap, bound[k])
				}
			}
		}
	}
	dst := make([]float64, 8)
	EigenSym(dst, []float64{1, 0, math.NaN(), 1}, 1, 2)
	for i, x := range dst {
		if x == x {
			t.Errorf("entry %d of a matrix with NaN is %v", i, x)
		}
	}
	EigenSym(dst, make([]float64, 4), 1, 2)
	if dst[0] != 0 || dst[1] != 0 || dst[2] != 1 || dst[5] != 1 {
		t.Errorf("of zeros: %v", dst)
	}
}

// TestEigenSym32 holds single precision against double.
func TestEigenSym32(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	const n, batch = 6, 3
	var a []float64
	for range batch {
		a = append(a, symmetric(r, []float64{-3, -1, 0.5, 2, 4, 9})...)
	}
	a32, back := make([]float32, len(a)), make([]float64, len(a))
	for i, x := range a {
		a32[i] = float32(x)
		back[i] = float64(a32[i])
	}
	got, want := make([]float32, batch*(n+2)*n), make([]float64, batch*(n+2)*n)
	EigenSym32(got, a32, batch, n)
	EigenSym(want, back, batch, n)
	for i := range got {
		if i%((n+2)*n) < (n+1)*n && got[i] != float32(want[i]) {
			t.Errorf("entry %d: %v, want %v", i, got[i], want[i])
		}
	}
}

// TestEigenSymBits: the bits are those of any machine, with any of the kernels.
func TestEigenSymBits(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	const n = 40
	a, dst := make([]float64, n*n), make([]float64, (n+2)*n)
	for i := range n {
		for j := range n {
			a[i*n+j] = r.NormFloat64()
		}
	}
	EigenSym(dst, a, 1, n)
	hash := uint64(14695981039346656037)
	for _, x := range dst {
		hash = (hash ^ math.Float64bits(x)) * 1099511628211
	}
	const want uint64 = 0x802cf80493d6b138
	if hash != want {
		t.Errorf("the bits are %#x, want %#x", hash, want)
	}
	if n := testing.AllocsPerRun(20, func() { EigenSym(dst, a, 1, n) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestOrder(t *testing.T) {
	x := []float64{3, math.NaN(), 1, 3, math.Inf(-1), 1, math.NaN(), math.Inf(1)}
	want := []float64{4, 2, 5, 0, 3, 7, 1, 6}
	dst, x32, dst32 := make([]float64, 2*len(x)), make([]float32, len(x)), make([]float32, len(x))
	Order(dst, append(x, x...), 2, len(x))
	for i, v := range x {
		x32[i] = float32(v)
	}
	Order32(dst32, x32, 1, len(x))
	for i := range want {
		if dst[i] != want[i] || dst[len(x)+i] != want[i] || float64(dst32[i]) != want[i] {
			t.Fatalf("order %v and %v, want %v", dst, dst32, want)
		}
	}
	if n := testing.AllocsPerRun(20, func() { Order(dst, x, 1, len(x)) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
