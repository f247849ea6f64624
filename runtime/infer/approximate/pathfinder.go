package approximate

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// findPathfinder is the method pathfinder: a mixture, in equal parts, of the best normal law of
// each climb.
func findPathfinder(f *finder) (*Mixture, error) {
	starts, err := f.starts()
	if err != nil {
		return nil, err
	}
	f.tell("%d climbs", len(starts))
	paths := make([]*path, len(starts))
	err = f.each(len(starts), func(k int) (err error) {
		paths[k], err = f.path(k, starts[k])
		return err
	})
	if err != nil {
		return nil, err
	}
	m := &Mixture{}
	failed, endless := 0, 0
	for _, p := range paths {
		m.Gradients += p.calls
		if p.end == unbounded {
			endless++
		}
		if p.best == nil {
			failed++
			continue
		}
		m.Components = append(m.Components, Component{Normal: p.best, in: p.in})
	}
	if len(m.Components) == 0 {
		return nil, refusal("none of %d climbs has a step: %s", len(paths), paths[0].why())
	}
	if endless > 0 {
		m.Doubts = append(m.Doubts, fmt.Sprintf("along %d of %d climbs the log density rises without "+
			"end: the posterior may be improper, or a scale goes to zero", endless, len(paths)))
	}
	for i := range m.Components {
		m.Components[i].weight = 1 / float64(len(m.Components))
	}
	if failed > 0 {
		m.Says = append(m.Says, fmt.Sprintf("%d of %d climbs have no step and are left out", failed,
			len(paths)))
	}
	return m, nil
}

// A path is a climb with the best normal law along it.
type path struct {
	in    *space
	best  *Normal
	elbo  float64
	end   end
	calls int
	flat  bool // the gradient at the start is zero
}

func (p *path) why() string {
	switch {
	case p.flat:
		return "the log density is flat at the start, and does not say where the posterior is: " +
			"is there a prior?"
	case p.end == unbounded:
		return "the log density rises without end from the start: it has no maximum, and the " +
			"posterior may be improper"
	}
	return "the log density does not rise along its gradient: `sgppl test` compares that with " +
		"differences"
}

// path climbs from a state, as Zhang et al. 2022, algorithms 1 to 4.
func (f *finder) path(number int, state []float64) (*path, error) {
	in, _, err := f.about(state)
	if err != nil {
		return nil, err
	}
	e := in.evaluator(1)
	d := in.dim()
	from := make([]float64, d)
	if j := e.coordinates(state, from); math.IsInf(j, -1) {
		clear(from)
	}
	c := newClimber(func(x, g []float64) float64 { return e.gradient(x, nil, 1, 1, g) }, from)
	p := &path{in: in, elbo: math.Inf(-1), flat: kernel.Dot(c.g, c.g) == 0}
	diagonal := make([]float64, d)
	for i := range diagonal {
		diagonal[i] = 1
	}
	draws := &elbo{e: e, stream: rng.New(f.c.Seed, number, purposeELBO), samples: f.c.Samples,
		u: make([]float64, d), z: make([]float64, d)}
	last := 0
	p.end, err = c.climb(f.ctx, f.c.Iterations, func() bool {
		last++
		if n := len(c.pairs); n > 0 {
			updateDiagonal(diagonal, &c.pairs[n-1])
		}
		law := quasiNewton(c.x, c.g, diagonal, c.pairs)
		if law == nil {
			return true
		}
		if v := draws.of(law, last); v > p.elbo {
			p.elbo, p.best = v, law
		}
		return true
	})
	p.calls = e.calls
	return p, err
}

// updateDiagonal takes a pair into the diagonal of the estimate of the covariance: equation (8)
// of Zhang et al. 2022, after Gilbert and Lemaréchal 1989.
func updateDiagonal(alpha []float64, p *pair) {
	a, b, c := 0.0, kernel.Dot(p.s, p.z), 0.0
	for i, v := range alpha {
		a += float64(float64(p.z[i]*v) * p.z[i])
		c += float64(p.s[i]*p.s[i]) / v
	}
	if !(b > 0) || !(a > 0) || !(c > 0) {
		return
	}
	for i, v := range alpha {
		inverse := a/float64(b*v) + float64(p.z[i]*p.z[i])/b -
			float64(a*float64(p.s[i]*p.s[i]))/float64(float64(b*c)*float64(v*v))
		if x := 1 / inverse; x > 0 && !math.IsInf(x, 0) {
			alpha[i] = x
		}
	}
}

// quasiNewton is the normal law about a point of a climb: its covariance is the inverse Hessian of
// the diagonal and the pairs in its compact form, and its mean is the point that a Newton step
// leads to (Zhang et al. 2022, algorithms 3 and 4). It is nil where that is no covariance.
func quasiNewton(x, g, diagonal []float64, pairs []pair) *Normal {
	d, m := len(x), len(pairs)
	scale := make([]float64, d)
	for i, v := range diagonal {
		scale[i] = math.Sqrt(v)
	}
	// With the rows of b = [scale ⊙ Z; S ⊘ scale] the covariance is
	// diag(scale) (I + bᵀ γ b) diag(scale).
	b := make([][]float64, 2*m)
	for k := range pairs {
		b[k], b[m+k] = make([]float64, d), make([]float64, d)
		for i := range d {
			b[k][i], b[m+k][i] = pairs[k].z[i]*scale[i], pairs[k].s[i]/scale[i]
		}
	}
	gamma := compact(pairs, b)
	if gamma == nil {
		return nil
	}
	q, r := orthonormal(b, d)
	rank := len(r)
	inner := make([]float64, rank*rank) // I + R γ Rᵀ
	for i := range rank {
		for j := range i + 1 {
			sum := 0.0
			for k := range 2 * m {
				sum += float64(r[i][k] * kernel.Dot(gamma[k], r[j]))
			}
			inner[i*rank+j] = sum
		}
		inner[i*rank+i]++
	}
	l := make([]float64, rank*rank)
	kernel.Cholesky(l, inner, 1, rank)
	for i := range rank {
		if !(l[i*rank+i] > 0) {
			return nil
		}
	}
	n := newLow(make([]float64, d), scale, q, l)
	n.newton(x, g)
	return n
}

// newton moves the mean to x + Σ g.
func (n *Normal) newton(x, g []float64) {
	d := len(x)
	y, scratch := make([]float64, d), make([]float64, 2*n.r)
	for i := range y {
		y[i] = n.Scale[i] * g[i]
	}
	n.inDirections(y, scratch, func(a, b []float64) { // L Lᵀ a
		for j := range n.r {
			b[j] = 0
		}
		t := make([]float64, n.r)
		for j := range n.r {
			for i := j; i < n.r; i++ {
				t[j] += float64(n.L[i*n.r+j] * a[i])
			}
		}
		for i := range n.r {
			b[i] = kernel.Dot(n.L[i*n.r:i*n.r+i+1], t[:i+1])
		}
	})
	for i := range y {
		n.Mean[i] = x[i] + float64(n.Scale[i]*y[i])
	}
}

// compact is γ of the compact form of the inverse Hessian (Byrd, Nocedal and Schnabel 1994,
// theorem 2.2), whose blocks are 0, −E⁻¹, −E⁻ᵀ and E⁻ᵀ (η + Z diag Zᵀ) E⁻¹, with E the upper
// triangle of S Zᵀ and η its diagonal.
func compact(pairs []pair, b [][]float64) [][]float64 {
	m := len(pairs)
	inv := make([]float64, m*m) // E⁻¹
	for j := range m {
		for i := j; i >= 0; i-- {
			sum := 0.0
			if i == j {
				sum = 1
			}
			for k := i + 1; k <= j; k++ {
				sum -= float64(kernel.Dot(pairs[i].s, pairs[k].z) * inv[k*m+j])
			}
			inv[i*m+j] = sum / kernel.Dot(pairs[i].s, pairs[i].z)
		}
	}
	middle := make([]float64, m*m)
	for i := range m {
		for j := range m {
			middle[i*m+j] = kernel.Dot(b[i], b[j])
		}
		middle[i*m+i] += kernel.Dot(pairs[i].s, pairs[i].z)
	}
	gamma := make([][]float64, 2*m)
	for i := range gamma {
		gamma[i] = make([]float64, 2*m)
	}
	for i := range m {
		for j := range m {
			gamma[i][m+j], gamma[m+j][i] = -inv[i*m+j], -inv[i*m+j]
			sum := 0.0
			for k := range i + 1 {
				for l := range j + 1 {
					sum += float64(float64(inv[k*m+i]*middle[k*m+l]) * inv[l*m+j])
				}
			}
			gamma[m+i][m+j] = sum
		}
	}
	for i := range gamma {
		for _, v := range gamma[i] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil
			}
		}
	}
	return gamma
}

// An elbo estimates the mean of log p − log q over draws of q.
type elbo struct {
	e       *evaluator
	stream  rng.Stream
	samples int
	u, z, w []float64
}

// of estimates that of a law; −∞ where the density of a draw is zero.
func (e *elbo) of(n *Normal, number int) float64 {
	if len(e.w) < n.scratch() {
		e.w = make([]float64, n.scratch())
	}
	sum := 0.0
	for k := range e.samples {
		e.stream.Normals(uint64(number)<<20|uint64(k), e.u)
		n.point(e.u, e.z, e.w)
		sum += e.e.logDensity(e.z) - n.logAt(e.u)
	}
	if math.IsNaN(sum) {
		return math.Inf(-1)
	}
	return sum / float64(e.samples)
}
