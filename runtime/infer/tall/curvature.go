package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A curvature has the extreme eigenvalues of minus the second derivative of the log density at a
// state, in whitened coordinates.
type curvature struct{ least, most float64 }

// lanczosTurns is the number of products with the second derivative after which its extreme
// eigenvalues are known.
const lanczosTurns = 24

// curvatureAt finds the extreme eigenvalues at z by Lanczos' method with full orthogonalisation
// (Golub and Van Loan 2013, section 10.1), for the second derivative of the rows of b. start may be
// any direction.
func curvatureAt(e *control.Estimator, z []float64, b *control.Batch, start []float64) curvature {
	n := len(z)
	turns := min(lanczosTurns, n)
	var basis [][]float64
	u := append([]float64(nil), start...)
	alpha, beta := make([]float64, 0, turns), make([]float64, 0, turns)
	h := newHessian(e, b)
	for len(basis) < turns && normalise(u) {
		next := make([]float64, n)
		h.along(z, u, next)
		basis = append(basis, u)
		alpha = append(alpha, dot(next, u))
		for range 2 { // twice is enough
			for _, q := range basis {
				by := dot(next, q)
				for i, x := range q {
					next[i] -= float64(by * x)
				}
			}
		}
		size := math.Sqrt(dot(next, next))
		if size <= 1e-8*(1+math.Abs(alpha[0])) {
			break
		}
		beta = append(beta, size)
		u = next
	}
	k := len(alpha)
	a := make([]float64, k*k)
	for i := range k {
		a[i*k+i] = alpha[i]
		if i > 0 {
			a[i*k+i-1], a[(i-1)*k+i] = beta[i-1], beta[i-1]
		}
	}
	out := make([]float64, (k+2)*k)
	kernel.EigenSym(out, a, 1, k)
	return curvature{out[0], out[k-1]}
}

// A hessian computes products of minus the second derivative with directions, by central
// differences of gradients.
type hessian struct {
	e         *control.Estimator
	b         *control.Batch
	by        float64 // distance from the state at which gradients are taken
	at, other []float64
}

// smoothStep is the distance between the gradients of a finite difference, in posterior standard
// deviations.
const smoothStep = 1e-3

func newHessian(e *control.Estimator, b *control.Batch) *hessian {
	n := len(e.X)
	h := &hessian{e, b, smoothStep, make([]float64, n), make([]float64, n)}
	if e.Kinked {
		h.by = kinkedStep(e.All, len(b.Rows))
	}
	return h
}

// along writes −∇²f(z) u to out.
func (h *hessian) along(z, u, out []float64) {
	by := h.by
	for i, x := range u {
		h.at[i] = z[i] + float64(by*x)
	}
	h.e.Of(h.at, h.b, h.other)
	for i, x := range u {
		h.at[i] = z[i] - float64(by*x)
	}
	h.e.Of(h.at, h.b, out)
	for i, x := range h.other {
		out[i] = (out[i] - x) / (2 * by)
	}
}

// matrix returns −∇²f(z), symmetric, d × d by rows.
func (h *hessian) matrix(z []float64) []float64 {
	n := len(z)
	a, u := make([]float64, n*n), make([]float64, n)
	for j := range n {
		u[j] = 1
		h.along(z, u, a[j*n:(j+1)*n])
		u[j] = 0
	}
	for i := range n {
		for j := range i {
			mean := (a[i*n+j] + a[j*n+i]) / 2
			a[i*n+j], a[j*n+i] = mean, mean
		}
	}
	return a
}

// fixedBatch draws a minibatch once, for functions that must not change between calls.
func fixedBatch(s *pick.Sizes, n int, stream rng.Stream) *control.Batch {
	b := control.NewBatch(n, s)
	src := stream.At(0)
	b.Draw(s, &src)
	return b
}
