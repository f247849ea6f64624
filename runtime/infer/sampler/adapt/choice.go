package adapt

import "github.com/sgppl/sgppl/runtime/math/special"

// The cost of a metric is predicted: leapfrog steps of a trajectory times the operations of a step.
// The operations of a gradient are not known; they are assumed to be proportional to rows and
// coordinates.
const (
	gradientBase       = 1000
	gradientCoordinate = 100
	gradientRow        = 20
	// slackening is the least predicted ratio of trajectory lengths that counts as a gain: the lengths
	// of trajectories are powers of two, and eigenvalues near 1 are noise.
	slackening = 1.15
	// worthwhile is the factor by which a metric that mixes coordinates must be predicted to be
	// cheaper than a diagonal one, on states that it was not estimated from.
	worthwhile = 1.25
	// fitting is the misfit of a diagonal metric below which no other metric is tried. It is the
	// misfit in a direction of a Gaussian whose variance is wrong by a half.
	fitting = 0.17
	// manyEigen is the number of coordinates above which two shrinkages are tried instead of three,
	// since computing eigenvectors takes longer than the choice is worth.
	manyEigen = 128
)

// A Chooser finds which kind of metric suits the states of a window.
type Chooser struct {
	Pairs    pairs
	gradient float64 // cost of a gradient, in operations
	only     bool    // only low-rank metrics are considered
	price    float64 // predicted price of the chosen metric: trajectory length times cost of a step
	// predicted length of a trajectory in the metric that was taken, in leapfrog steps
	Cost float64
}

// NewChooser returns a chooser if the kind or the rank of the named metric is found in the warm-up;
// nil for other names.
func NewChooser(name string, dim, rows int) *Chooser {
	if !Finds(name) {
		return nil
	}
	return &Chooser{
		Pairs: newPairs(dim), only: name == MetricLowRank,
		gradient: gradientBase + float64(gradientCoordinate*float64(dim)) +
			float64(gradientRow*float64(rows)),
	}
}

// A shape is a kind of metric with its predicted price: trajectory times step.
type shape struct {
	rank  int // −1: dense
	price float64
}

// shape returns the cheapest kind for a spectrum.
func (c *Chooser) shape(s *spectrum) shape {
	n := float64(len(s.scale))
	best := shape{0, max(s.remains(0), slackening) * c.gradient}
	for k := 1; k <= len(s.value); k++ {
		if p := max(s.remains(k), slackening) * (c.gradient + float64(8*n*float64(k))); p < best.price {
			best = shape{k, p}
		}
	}
	if p := slackening * (c.gradient + float64(2*n*n)); s.whole && !c.only && p <= best.price {
		best = shape{-1, p}
	}
	return best
}

// metric returns the metric of a shape.
func (c *Chooser) metric(s *spectrum, of shape) *Metric {
	if of.rank < 0 {
		return s.dense()
	}
	return s.lowRank(of.rank)
}

// work returns the operations of a leapfrog step in a metric.
func (c *Chooser) work(m *Metric) float64 {
	n := float64(m.N)
	switch {
	case m.L != nil:
		return c.gradient + float64(2*n*n)
	case len(m.root) > 0:
		return c.gradient + float64(8*n*float64(len(m.root)))
	}
	return c.gradient
}

// keeps returns the shares of the estimated covariances that an estimate may keep; the rest is
// shrunk to the identity.
func (c *Chooser) keeps(states int) []float64 {
	n := float64(c.Pairs.dim)
	strong := n / (n + float64(states))
	if c.Pairs.dim > manyEigen {
		return []float64{1 - 1e-5, 1 - strong}
	}
	return []float64{1 - 1e-5, 1 - float64(0.1*strong), 1 - strong}
}

// Prefers reports whether old is to be kept: the states do not show that the metric chosen from
// some of them is cheaper than old, which was estimated from earlier states.
func (c *Chooser) Prefers(old *Metric) bool {
	p := &c.Pairs
	if p.n < fewestPairs {
		return true
	}
	before := p.cost(old, p.n/2, p.n)
	if before*c.work(old) <= worthwhile*c.price {
		c.Cost = before
		return true
	}
	return false
}

// Choose replaces m, the diagonal metric of all states of the window, by the metric with the lowest
// predicted cost. Estimates from the first half of the states are judged on the second half, so
// that patterns which a small window has by chance do not count.
func (c *Chooser) Choose(m *Metric) {
	p := &c.Pairs
	if p.n < fewestPairs {
		return
	}
	if !c.only && p.dim > manyEigen/2 {
		if f := p.misfit(m); f < fitting {
			c.Cost = p.cost(m, p.n/2, p.n)
			c.price = c.Cost * c.gradient
			return
		}
	}
	half := p.n / 2
	least, keep, best := 0.0, 0.0, shape{}
	for _, k := range c.keeps(half) {
		s := newSpectrum(p, 0, half, k)
		if s == nil {
			continue
		}
		of := c.shape(s)
		if try := c.metric(s, of); try != nil {
			if price := p.cost(try, half, p.n) * c.work(try); special.Finite(price) &&
				(keep == 0 || price < least) {
				least, keep, best = price, k, of
			}
		}
	}
	c.Cost = p.cost(m, half, p.n)
	c.price = c.Cost * c.gradient
	if keep == 0 || best.rank == 0 || !c.only && !(worthwhile*least < c.Cost*c.gradient) {
		return
	}
	s := newSpectrum(p, 0, p.n, keep)
	if s == nil {
		return
	}
	of := c.shape(s)
	if try := c.metric(s, of); of.rank != 0 && try != nil {
		m.Become(try)
		c.price = least
		c.Cost = p.cost(m, half, p.n)
	}
}
