package approximate

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A fit is the law of a family on its way. Its coordinates are x = mean + B v of the base, a law
// of pathfinder: v has the law that is fitted.
type fit struct {
	f      *finder
	in     *space
	base   *Normal
	kind   string
	rank   int
	params []float64 // see layout
	each   []*fitEvaluator
	steps  int
	step   float64

	batches *batch.Batcher
	rows    []int
	scale   float64
	grads   [][]float64 // of each sample
}

// A fitEvaluator has what one sample of a gradient needs.
type fitEvaluator struct {
	*evaluator
	u, v, x, g, w []float64
}

// newFit begins at a law of pathfinder: of the diagonal kinds at its variances.
func newFit(f *finder, at *Component) *fit {
	d := len(at.Mean)
	a := &fit{f: f, in: at.in, kind: f.c.Covariance, rank: f.c.Rank, scale: 1}
	if a.kind == Dense {
		a.base = at.Normal
	} else {
		sd := at.variances()
		for i, v := range sd {
			sd[i] = math.Sqrt(v)
		}
		a.base = newLow(at.Mean, sd, nil, nil)
	}
	size := map[string]int{Dense: d + d*(d+1)/2, Diagonal: 2 * d, LowRank: (2 + a.rank) * d}[a.kind]
	a.params = make([]float64, size)
	if a.kind == LowRank { // not at zero, where its gradient is zero
		src := rng.New(f.c.Seed, 0, purposeProbe).At(0)
		for i := 2 * d; i < size; i++ {
			if k := i/d - 2; i%d >= k {
				a.params[i] = 0.1 * src.Normal()
			}
		}
	}
	if n := f.c.Batch; n > 0 && n < f.t.Rows() {
		a.batches = batch.New(f.t.Rows(), n, batch.Shuffle, rng.New(f.c.Seed, 0, purposeRows))
	}
	for range f.c.Samples {
		e := &fitEvaluator{evaluator: a.in.evaluator(f.c.Batch)}
		for _, p := range []*[]float64{&e.u, &e.v, &e.x, &e.g} {
			*p = make([]float64, d)
		}
		e.w = make([]float64, a.base.scratch()+2*a.rank+d)
		a.each, a.grads = append(a.each, e), append(a.grads, make([]float64, size))
	}
	return a
}

func (a *fit) calls() int {
	sum := 0
	for _, e := range a.each {
		sum += e.calls
	}
	return sum
}

// inner is the law of v: the params are the mean, then the logarithms of a diagonal, then the
// rows of the triangle below it, or the directions of low-rank.
func (a *fit) inner(params []float64) *Normal {
	d := len(a.base.Mean)
	mean, diagonal := params[:d], make([]float64, d)
	kernel.Exp(diagonal, params[d:2*d])
	switch a.kind {
	case Dense:
		chol := make([]float64, d*d)
		at := 2 * d
		for i := range d {
			copy(chol[i*d:], params[at:at+i])
			chol[i*d+i] = diagonal[i]
			at += i
		}
		return newDense(mean, chol)
	case Diagonal:
		return newLow(mean, diagonal, nil, nil)
	}
	// diag² + Σ b bᵀ = diag (I + Σ c cᵀ) diag, c = b ⊘ diag
	rows := make([][]float64, a.rank)
	for k := range rows {
		rows[k] = make([]float64, d)
		for i := range d {
			rows[k][i] = params[(2+k)*d+i] / diagonal[i]
		}
	}
	q, r := orthonormal(rows, d)
	n := len(r)
	in := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			in[i*n+j] = kernel.Dot(r[i], r[j])
		}
		in[i*n+i]++
	}
	l := make([]float64, n*n)
	kernel.Cholesky(l, in, 1, n)
	return newLow(mean, diagonal, q, l)
}

// sample adds to the gradient of the ELBO that of one draw of v: the derivative along the path of
// the draw alone, whose noise vanishes where the law is the posterior (Roeder, Wu and Duvenaud
// 2017, "Sticking the landing").
func (a *fit) sample(k int, law *Normal, e *fitEvaluator) {
	d := len(e.u)
	grad := a.grads[k]
	stream := rng.New(a.f.c.Seed, k/2, purposeGradient)
	stream.Normals(uint64(a.steps), e.u)
	eta := e.w[:a.rank]
	if a.kind == LowRank {
		src := stream.At(uint64(a.steps))
		for i := range eta {
			eta[i] = src.Normal()
		}
	}
	if k%2 == 1 { // in pairs: what is odd in the draw cancels
		negate(e.u)
		negate(eta)
	}
	a.path(law, eta, e)
	a.base.point(e.v, e.x, e.w[a.rank:])
	e.gradient(e.x, a.rows, a.scale, 1, e.g)
	a.base.pullTo(e.g, e.x, e.w[a.rank:]) // by v
	scratch := e.w[a.rank:]
	law.standard(e.v, e.g, scratch)
	law.pull(e.g, e.g, scratch)
	for i := range d {
		e.g[i] = e.x[i] - e.g[i] // ∇ log p − ∇ log q
	}
	copy(grad, e.g)
	for i := range d {
		grad[d+i] = float64(e.g[i]*e.u[i]) * law.spread(i)
	}
	switch a.kind {
	case Dense:
		at := 2 * d
		for i := range d {
			for j := range i {
				grad[at+j] = float64(e.g[i] * e.u[j])
			}
			at += i
		}
	case LowRank:
		for r := range a.rank {
			for i := r; i < d; i++ { // zeros before: rotations of the directions are one law
				grad[(2+r)*d+i] = float64(e.g[i] * eta[r])
			}
		}
	}
}

// path writes the draw of v that the standard normal numbers u, and eta along the directions of
// low-rank, give.
func (a *fit) path(law *Normal, eta []float64, e *fitEvaluator) {
	if a.kind != LowRank {
		law.point(e.u, e.v, e.w[a.rank:])
		return
	}
	d := len(e.u)
	for i := range d {
		e.v[i] = law.Mean[i] + float64(law.Scale[i]*e.u[i])
	}
	for r, by := range eta {
		kernel.Axpy(by, a.params[(2+r)*d:(3+r)*d], e.v)
	}
}

// spread is the entry of the diagonal that a param has the logarithm of.
func (n *Normal) spread(i int) float64 {
	if n.Chol != nil {
		return n.Chol[i*len(n.Mean)+i]
	}
	return n.Scale[i]
}

// pullTo writes the gradient by standard normal numbers from that by points, Bᵀ g.
func (n *Normal) pullTo(g, out, scratch []float64) {
	for i, v := range g {
		out[i] = n.Scale[i] * v
	}
	n.inDirections(out, scratch, func(a, b []float64) { // Lᵀ a
		for j := range n.r {
			b[j] = 0
			for i := j; i < n.r; i++ {
				b[j] += float64(n.L[i*n.r+j] * a[i])
			}
		}
	})
}

func negate(x []float64) {
	for i := range x {
		x[i] = -x[i]
	}
}

// law is the law of x = m + B v.
func (a *fit) law() *Normal {
	v := a.inner(a.params)
	d := len(v.Mean)
	mean := make([]float64, d)
	a.base.point(v.Mean, mean, make([]float64, a.base.scratch()))
	if a.kind != Dense {
		scale := make([]float64, d)
		for i := range scale {
			scale[i] = float64(a.base.Scale[i] * v.Scale[i])
		}
		return newLow(mean, scale, v.Q, v.L)
	}
	// B C is square: its covariance is factored anew
	columns := make([]float64, d*d) // (B C)ᵀ by rows
	unit, scratch := make([]float64, d), make([]float64, a.base.scratch())
	centred := *a.base
	centred.Mean = make([]float64, d)
	for j := range d {
		for i := range d {
			unit[i] = v.Chol[i*d+j]
		}
		centred.point(unit, columns[j*d:(j+1)*d], scratch)
	}
	cov := make([]float64, d*d)
	for j := range d {
		kernel.Ger(cov, columns[j*d:(j+1)*d], columns[j*d:(j+1)*d], d, d, true)
	}
	chol := make([]float64, d*d)
	kernel.Cholesky(chol, cov, 1, d)
	return newDense(mean, chol)
}
