package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// A curvedHealth observes the configurational temperature on curved blocks.
// For a fixed a the Laplacian of a·x is −λ a·x, where λ = d/ρ² with d the
// intrinsic dimension of a point and ρ its length (spheres: d; Stiefel
// manifolds: d over the number of columns; Takahashi 1966: both lie minimally
// in a sphere of radius ρ). Integrated by parts that is
//
//	E[a·Λ∇Ũ] = −T λ E[a·x].
//
// On Grassmann manifolds a function of the subspace takes the place of a·x, of
// manifold.Grassmann.Overlap, whose λ is twice the dimension of the space around.
//
// a is the sum of x (for subspaces, see leanTowards) over a part of the warm-up, taken well before
// its end. It is the most informative direction if x has a preferred one, and is independent of the
// observations. Without a warm-up there is no a, and nothing is reported.
type curvedHealth struct {
	from, to int64     // the steps of the warm-up over which a is summed
	scratch  []float64 // buffer for two points
}

func newCurvedHealth(c *Chain) curvedHealth {
	n := 0
	for i := range c.state.Factors {
		if f := &c.state.Factors[i]; !f.Flat {
			n = max(n, f.Space.Ambient())
		}
	}
	w := c.cfg.Warmup
	return curvedHealth{from: w / 2, to: w - w/4, scratch: make([]float64, 2*n)}
}

// warmUp adds to a, which is stored in the place of the means of flat blocks.
func (h *observer) warmUp(s *flow.State, step int64) {
	q := &h.curved
	if len(q.scratch) == 0 || step < q.from || step >= min(q.to, h.from) || step%4 != 0 {
		return
	}
	for k := range s.Factors {
		f := &s.Factors[k]
		if f.Flat {
			continue
		}
		if space, subspaces := f.Space.(*manifold.Grassmann); subspaces {
			h.leanTowards(s, f, space, float64((step-q.from)/4+1))
			continue
		}
		for i := f.Offset; i < f.Offset+f.Len; i++ {
			h.x.wide[i] += s.X[i]
		}
	}
}

// leanTowards moves a by a share 1/n towards its projection x xᵀ a onto the current subspace, so
// that it leans to the directions that the subspaces prefer, whatever bases they have. The first
// a is a basis.
func (h *observer) leanTowards(
	s *flow.State, f *flow.Factor, space *manifold.Grassmann, n float64,
) {
	m := space.Ambient()
	projection := h.curved.scratch[:m]
	for at := f.Offset; at < f.Offset+f.Len; at += m {
		x, a := s.X[at:at+m], h.x.wide[at:at+m]
		if n == 1 {
			copy(a, x)
			continue
		}
		space.Overlap(x, a, projection) // twice the projection
		for i, p := range projection {
			a[i] += p / (2 * n)
		}
	}
}

// curvedGradient observes (x, ∇Ũ) on a curved block. The series along gets a·x; config gets a
// number with mean 0, −a·Λ∇Ũ/λ − T a·x.
func (h *observer) curvedGradient(s *flow.State, k int) {
	f := &s.Factors[k]
	m := f.Space.Ambient()
	u := h.curved.scratch[:m]
	along, force, length := 0.0, 0.0, 0.0
	for at := f.Offset; at < f.Offset+f.Len; at += m {
		x, a := s.X[at:at+m], h.x.wide[at:at+m]
		copy(u, s.Force[at:at+m])
		f.Space.Project(x, u)
		for i, p := range a {
			along += float64(p * x[i])
			force += float64(p * u[i])
			length += float64(x[i] * x[i])
		}
	}
	// ρ²/d = Σρ²/Σd
	b := &h.blocks[k]
	b.along.Add(along)
	b.config.Add(float64(force*(length/float64(f.Dim()))) - float64(h.blocks[k].temperature*along))
}

// subspaceGradient is curvedGradient for a block of subspaces, by their overlap with a.
func (h *observer) subspaceGradient(s *flow.State, k int, space *manifold.Grassmann) {
	f := &s.Factors[k]
	m := space.Ambient()
	u, slope := h.curved.scratch[:m], h.curved.scratch[m:2*m]
	along, force := 0.0, 0.0
	for at := f.Offset; at < f.Offset+f.Len; at += m {
		x := s.X[at : at+m]
		along += space.Overlap(h.x.wide[at:at+m], x, slope)
		copy(u, s.Force[at:at+m])
		space.Project(x, u)
		for i, g := range slope {
			force += float64(g * u[i])
		}
	}
	b := &h.blocks[k]
	b.along.Add(along)
	b.config.Add(force/float64(2*space.Rows()) - float64(b.temperature*along))
}

// appendCurved appends the row of the configurational temperature of a curved block.
func appendCurved(out []health.Row, f *flow.Factor, chains []*Chain, k int) []health.Row {
	all := collect(chains, k, (*blockHealth).configSeries)
	if len(all) == 0 {
		return out
	}
	excess, mcse := health.Merge(all)
	along, _ := health.Merge(collect(chains, k, (*blockHealth).alongSeries))
	if along == 0 {
		return out
	}
	t := chains[0].part(k).cfg.Temperature
	value := t + excess/along
	mcse /= math.Abs(along)
	return append(out, chains[0].part(k).configurational(f.Name, value, mcse))
}

func (b *blockHealth) alongSeries() *health.Series { return &b.along }
