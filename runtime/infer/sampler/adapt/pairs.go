package adapt

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A pairs holds states of a window of the warm-up with their gradients. For a Gaussian density g =
// −P (x − μ) exactly. Gradients then give as much information about the precision as states about
// the covariance, and pairs relate the two without sampling noise.
type pairs struct {
	dim, most   int
	seen, every int64 // states of the window so far; one in every is kept
	n           int
	x, g        []float64 // n states and gradients, one after another
	room        []float64 // space for copies of them; see copies
}

const (
	mostPairs     = 1024
	mostPairsLong = 128     // for more than largestEigen coordinates
	pairNumbers   = 1 << 20 // bound on the total of numbers kept
	fewestPairs   = 10      // fewer give no information on a direction
	keptCopies    = 1 << 16 // most numbers for which the space of copies is kept
	largestEigen  = 512     // most coordinates for which all eigenvectors are computed
)

func newPairs(dim int) pairs {
	most := mostPairs
	if dim > largestEigen {
		most = min(mostPairsLong, pairNumbers/dim)
	}
	if most < fewestPairs {
		most = 0
	}
	return pairs{dim: dim, most: most}
}

// Begin discards the pairs and prepares for a window with this many states.
func (p *pairs) Begin(states int64) {
	p.seen, p.n = 0, 0
	p.every = (states + int64(p.most) - 1) / int64(max(p.most, 1))
	p.reserve(int(min(states, int64(p.most))))
}

// reserve allocates memory for n states, or frees it for n = 0.
func (p *pairs) reserve(n int) {
	if len(p.x) < n*p.dim || n == 0 {
		p.x, p.g, p.room = make([]float64, n*p.dim), make([]float64, n*p.dim), nil
	}
}

// copies returns space for n numbers, twice, with any content. Those of the last call are not to be
// used after it: states of few coordinates share their space.
func (p *pairs) copies(n int) (a, b []float64) {
	if n > keptCopies {
		return make([]float64, n), make([]float64, n)
	}
	if len(p.room) < 2*n {
		p.room = make([]float64, 2*n)
	}
	return p.room[:n], p.room[n : 2*n]
}

// Add adds a state, unless it falls between those that are kept.
func (p *pairs) Add(x, g []float64) {
	if p.most == 0 {
		return
	}
	p.seen++
	if (p.seen-1)%max(p.every, 1) != 0 || len(p.x) < (p.n+1)*p.dim {
		return
	}
	copy(p.x[p.n*p.dim:], x)
	copy(p.g[p.n*p.dim:], g)
	p.n++
}

// Walk reads or writes the pairs, for a checkpoint.
func (p *pairs) Walk(d *loop.Codec) {
	n := int64(p.n)
	size := int64(0)
	if p.dim > 0 {
		size = int64(len(p.x) / p.dim)
	}
	d.Int(&p.seen)
	d.Int(&p.every)
	d.Int(&n)
	d.Int(&size)
	if d.Reading() {
		size = min(max(size, 0), int64(p.most))
		p.n = int(min(max(n, 0), size))
		p.reserve(int(size))
	}
	d.Floats(p.x[:p.n*p.dim])
	d.Floats(p.g[:p.n*p.dim])
}

// cost predicts the leapfrog steps of a trajectory in a metric: the longest deviation of x divided
// by the shortest length of curvature, in whitened coordinates. Both come from the largest
// eigenvalue of a covariance, that of z and that of the gradient with respect to z, which can be
// estimated from fewer states than there are coordinates.
func (p *pairs) cost(m *Metric, from, to int) float64 {
	n, rows := p.dim, to-from
	z, w := p.copies(rows * n)
	copy(z, p.x[from*n:to*n])
	for i := range rows {
		m.Solve(z[i*n : (i+1)*n])
		m.Transposed(p.g[(from+i)*n:(from+i+1)*n], w[i*n:(i+1)*n])
	}
	centre(z, rows, n)
	centre(w, rows, n)
	return math.Sqrt(float64(spike(z, rows, n) * spike(w, rows, n)))
}

// misfit is the largest deviation of a direction from that of a Gaussian in its own metric, where
// the gradient with respect to z is −z: (√c − 1/√c)² for a direction with c times the variance of
// the metric.
func (p *pairs) misfit(m *Metric) float64 {
	n := p.dim
	z, w := make([]float64, p.n*n), make([]float64, n)
	copy(z, p.x[:p.n*n])
	for i := range p.n {
		row := z[i*n : (i+1)*n]
		m.Solve(row)
		m.Transposed(p.g[i*n:(i+1)*n], w)
		for j, x := range w {
			row[j] += x
		}
	}
	centre(z, p.n, n)
	return largest(z, p.n, n)
}

// spike estimates the largest eigenvalue of the covariance of the law that the rows were drawn
// from. With fewer rows than coordinates that of the sample is too large, even where all true
// eigenvalues are 1: by λ = ℓ (1 + γ/(ℓ − 1)), γ = n/rows, in units of the others (Baik and
// Silverstein 2006, "Eigenvalues of large sample covariance matrices of spiked population models",
// theorem 1.1), if it is above the bulk's edge.
func spike(a []float64, rows, n int) float64 {
	most := largest(a, rows, n)
	gamma := float64(n) / float64(rows-1)
	if gamma <= 1 {
		return most
	}
	bulk := (flow.SumSquares(a)/float64(rows-1) - most) / float64(n-1)
	if !(bulk > 0) {
		return most
	}
	r := most/bulk + 1 - gamma
	edge := 1 + math.Sqrt(gamma)
	if most <= bulk*edge*edge {
		return bulk * edge
	}
	return bulk * (r + math.Sqrt(max(float64(r*r)-4*most/bulk, 0))) / 2
}

// centre subtracts the mean from rows of n numbers.
func centre(a []float64, rows, n int) {
	mean := make([]float64, n)
	for i := range rows {
		kernel.Axpy(1/float64(rows), a[i*n:(i+1)*n], mean)
	}
	for i := range rows {
		kernel.Axpy(-1, mean, a[i*n:(i+1)*n])
	}
}

// powerTurns is the number of power iterations that gives the largest eigenvalue within a tenth.
const powerTurns = 24

// largest returns the largest eigenvalue of the covariance of the rows, by power iteration that
// starts from the longest row.
func largest(a []float64, rows, n int) float64 {
	u, y := make([]float64, n), make([]float64, max(rows, n))[:rows]
	most := -1.0
	for i := range rows {
		if s := flow.SumSquares(a[i*n : (i+1)*n]); s > most {
			most = s
			copy(u, a[i*n:(i+1)*n])
		}
	}
	var gram []float64
	if n <= narrow {
		gram = products(a, rows, n)
		y = y[:n]
	}
	value := 0.0
	for range powerTurns {
		norm := math.Sqrt(flow.SumSquares(u))
		if !(norm > 0 && special.Finite(norm)) {
			return norm
		}
		for i := range u {
			u[i] /= norm
		}
		if gram != nil { // y is AᵀA u: the next u, whose product with u is the square of A u
			kernel.Gemv(y, gram, u, n, n, false)
			value = kernel.Dot(u, y) / float64(rows-1)
			copy(u, y)
			continue
		}
		kernel.Gemv(y, a, u, rows, n, false)
		value = flow.SumSquares(y) / float64(rows-1)
		kernel.GemvT(u, a, y, rows, n, false)
	}
	return value
}

// narrow is up to how many columns the products of columns cost less than two products with the
// rows for each power iteration.
const narrow = 32

// products returns AᵀA, n × n, of rows of n numbers.
func products(a []float64, rows, n int) []float64 {
	out := make([]float64, n*n)
	for i := range rows {
		row := a[i*n : (i+1)*n]
		for j, x := range row {
			kernel.Axpy(x, row[:j+1], out[j*n:j*n+j+1])
		}
	}
	for j := range n {
		for k := range j {
			out[k*n+j] = out[j*n+k]
		}
	}
	return out
}
