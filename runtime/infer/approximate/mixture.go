package approximate

import (
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Numbers of the streams that are drawn from.
const (
	purposeDraw rng.Purpose = 1<<19 + iota
	purposeELBO
	purposeGradient
	purposeRows
	purposeProbe
	purposeWeights
	purposeCompare
	purposeParticle
	purposeMove
)

// A Component is a normal law in the coordinates of a space, with its part of a mixture.
type Component struct {
	*Normal
	in     *space
	weight float64
}

// A Mixture is the law that draws are of.
type Mixture struct {
	Components []Component
	// Says is what the method found, in sentences.
	Says []string
	// ELBO is of advi its estimate, as the fit ended; else NaN.
	ELBO      float64
	Doubts    []string // why draws may not be right where their ratios look so
	Missed    string   // mass that the method knows of and has no draws in; "" without
	Gradients int      // evaluations of the density or its gradient
}

// A sampling draws from a mixture and evaluates its density. It is for one goroutine.
type sampling struct {
	m       *Mixture
	seed    uint64
	purpose rng.Purpose
	each    []*evaluator
	u, z, w []float64
	logs    []float64
}

func (m *Mixture) sampling(seed uint64, purpose rng.Purpose) *sampling {
	s := &sampling{m: m, seed: seed, purpose: purpose, logs: make([]float64, len(m.Components))}
	d, scratch := 0, 0
	for i := range m.Components {
		c := &m.Components[i]
		if i > 0 && c.in == m.Components[i-1].in {
			s.each = append(s.each, s.each[i-1])
		} else {
			s.each = append(s.each, c.in.evaluator(1))
		}
		d, scratch = max(d, len(c.Mean)), max(scratch, c.scratch())
	}
	s.u, s.z, s.w = make([]float64, d), make([]float64, d), make([]float64, scratch)
	return s
}

// draw writes the state of draw number i and returns the log densities there: of the posterior,
// up to its constant, and of the mixture, both in the coordinates of the component that it is of.
func (s *sampling) draw(i int, state []float64) (logp, logq float64) {
	k := s.component(i)
	c := &s.m.Components[k]
	d := len(c.Mean)
	u, z := s.u[:d], s.z[:d]
	rng.New(s.seed, k, s.purpose).Normals(uint64(i), u)
	c.point(u, z, s.w)
	own := special.Log(c.weight) + c.logAt(u)
	e := s.each[k]
	logp = e.logDensity(z)
	e.state(z, state)
	if len(s.m.Components) == 1 {
		return logp, own
	}
	jacobian := 0.0
	if e.chart != nil {
		jacobian = e.chart.Move(e.all(z))
	}
	for j := range s.m.Components {
		s.logs[j] = own
		if j == k {
			continue
		}
		o := &s.m.Components[j]
		d := len(o.Mean)
		other := s.each[j].coordinates(state, s.z[:d])
		if s.logs[j] = math.Inf(-1); math.IsInf(other, -1) {
			continue
		}
		o.standard(s.z[:d], s.u[:d], s.w)
		// the density by the measure of the space, and then in the coordinates of component k
		s.logs[j] = special.Log(o.weight) + o.logAt(s.u[:d]) - other + jacobian
	}
	return logp, logSumExp(s.logs)
}

// component is that of draw i: those of several are spread evenly, each with its share.
func (s *sampling) component(i int) int {
	if len(s.m.Components) == 1 {
		return 0
	}
	// a sequence whose parts are as even as can be (Weyl), which no draw's numbers depend on
	const golden = 0x9e3779b97f4a7c15
	at := float64((uint64(i)*golden+golden/2)>>11) / (1 << 53)
	sum := 0.0
	for k := range s.m.Components {
		if sum += s.m.Components[k].weight; at < sum {
			return k
		}
	}
	return len(s.m.Components) - 1
}

func logSumExp(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = max(top, v)
	}
	if math.IsInf(top, 0) {
		return top
	}
	sum := 0.0
	for _, v := range x {
		sum += special.Exp(v - top)
	}
	return top + special.Log(sum)
}

// weigh gives components weights in proportion to the exponentials of logs.
func weigh(of []Component, logs []float64) {
	total := logSumExp(logs)
	for i := range of {
		of[i].weight = special.Exp(logs[i] - total)
	}
}

// element names entry i of a block.
func element(b target.Block, i int) string {
	if b.Len == 1 {
		return b.Name
	}
	return fmt.Sprintf("%s (coordinate %d)", b.Name, i)
}

// largest names the coordinates of a direction that matter most.
func (s *space) largest(v []float64) string {
	var names []string
	for range min(3, len(v)) {
		best := 0
		for i, x := range v {
			if math.Abs(x) > math.Abs(v[best]) {
				best = i
			}
		}
		if len(names) > 0 && math.Abs(v[best]) < 0.2 {
			break
		}
		names = append(names, s.nameOf(best))
		v[best] = 0
	}
	return strings.Join(names, ", ")
}
