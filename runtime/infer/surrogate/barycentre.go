package surrogate

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// WASP (Srivastava, Li and Dunson 2018) raises the likelihood of the rows of each of S shards to
// the power S, with the whole prior, so that each subposterior is about as wide as the posterior,
// and takes their barycentre in the Wasserstein distance of order 2. Here the subposteriors are
// normal distributions with the means and covariances of their draws. Their barycentre is N(m, Σ),
// m the average of the means, and Σ the fixed point of
//
//	Σ ← Σ^(−1/2) (average of (Σ^(1/2) C_s Σ^(1/2))^(1/2))² Σ^(−1/2)
//
// (Álvarez-Esteban, del Barrio, Cuesta-Albertos and Matrán 2016, theorem 4.2). Of one unknown the
// standard deviation is the average of the standard deviations.

const (
	// MostBarycentre is how many unknowns a barycentre is made for: an iteration takes the
	// eigenvectors of a matrix for each shard.
	MostBarycentre = 150
	mostIterations = 100
	fixed          = 1e-10 // how much the last iteration may change Σ, by its size
)

// barycentreOf is the map x = m + L z of the barycentre of subposteriors, L Lᵀ = Σ.
func barycentreOf(list []*Moments) (*whitening.Map, error) {
	d := len(list[0].Mean)
	mean, cov := make([]float64, d), matrix.New(d)
	n := float64(len(list))
	for k, s := range list {
		if err := s.agree(k); err != nil {
			return nil, err
		}
		for i, v := range s.Mean {
			mean[i] += v / n
		}
		for i, v := range s.Cov {
			cov.A[i] += v / n
		}
	}
	for range mostIterations {
		next, ok := towards(cov, list)
		if !ok {
			return nil, refuse("the subposteriors have no barycentre: the draws of one have no " +
				"covariance that can be inverted")
		}
		size, change := 0.0, 0.0
		for i, v := range next.A {
			size, change = max(size, math.Abs(v)), max(change, math.Abs(v-cov.A[i]))
		}
		if cov = next; change <= fixed*size {
			return mapOf(mean, cov)
		}
	}
	return nil, refuse("the barycentre of the subposteriors was not found in %d iterations",
		mostIterations)
}

// towards is an iteration.
func towards(cov matrix.Square, list []*Moments) (matrix.Square, bool) {
	root, inverse, ok := roots(cov)
	if !ok {
		return cov, false
	}
	sum := matrix.New(cov.N)
	for _, s := range list {
		inner, _, ok := roots(around(root, matrix.Square{N: cov.N, A: s.Cov}))
		if !ok {
			return cov, false
		}
		for i, v := range inner.A {
			sum.A[i] += v / float64(len(list))
		}
	}
	out := around(inverse, times(sum, sum))
	return out, true
}

// roots are the square root of a symmetric matrix, if it is positive definite, and its inverse.
func roots(m matrix.Square) (root, inverse matrix.Square, ok bool) {
	d := m.N
	values := matrix.Square{N: d, A: append([]float64(nil), m.A...)}
	vectors := matrix.New(d)
	values.Eigen(vectors)
	root, inverse = matrix.New(d), matrix.New(d)
	for k := range d {
		v := values.At(k, k)
		if !(v > 0) || math.IsInf(v, 1) {
			return root, inverse, false
		}
		s, column := math.Sqrt(v), vectors.Column(k)
		for i, a := range column {
			for j, b := range column {
				root.A[i*d+j] += float64(s * float64(a*b))
				inverse.A[i*d+j] += float64(a*b) / s
			}
		}
	}
	return root, inverse, true
}

// around is b m b for symmetric matrices.
func around(b, m matrix.Square) matrix.Square {
	out := times(times(b, m), b)
	out.Symmetrise()
	return out
}

// times is a·b.
func times(a, b matrix.Square) matrix.Square {
	d := a.N
	out := matrix.New(d)
	for i := range d {
		to := out.A[i*d : (i+1)*d]
		for k := range d {
			x := a.At(i, k)
			for j, v := range b.A[k*d : (k+1)*d] {
				to[j] += float64(x * v)
			}
		}
	}
	return out
}
