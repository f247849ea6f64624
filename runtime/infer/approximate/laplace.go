package approximate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A mode is where a climb ended.
type mode struct {
	in    *space
	x     []float64
	value float64
	end   end
	calls int
	pairs []pair
}

const (
	// sameMode is the distance, in standard deviations, within which two climbs have come to
	// one maximum.
	sameMode = 0.1
	// leftToGain is the most that a Newton step from a maximum may still gain.
	leftToGain = 1e-3
)

// findLaplace is the method laplace: the maxima that climbs come to, each with the normal law of
// its curvature, weighted by the mass that these laws say is about it.
func findLaplace(f *finder) (*Mixture, error) {
	starts, err := f.starts()
	if err != nil {
		return nil, err
	}
	f.tell("%d climbs", len(starts))
	modes := make([]*mode, len(starts))
	err = f.each(len(starts), func(k int) (err error) {
		modes[k], err = f.climb(starts[k])
		return err
	})
	if err != nil {
		return nil, err
	}
	sort.SliceStable(modes, func(i, j int) bool { return modes[i].value > modes[j].value })
	m := &Mixture{}
	var logs []float64
	var why error
	found := map[int]int{} // climbs that came to a component
	for k, o := range modes {
		m.Gradients += o.calls
		if o.end == unbounded {
			why = refusal("the log density rises without end along a line, so it has no maximum: " +
				"the posterior is improper, or one of its scales goes to zero; {method} " +
				"pathfinder needs no maximum, and nuts samples where the posterior is proper")
			continue
		}
		if at := same(m.Components, o); at >= 0 {
			found[at]++
			continue
		}
		f.tell("the curvature at the maximum of climb %d", k+1)
		c, value, err := f.curvature(o, k, m)
		var no *Refusal
		if errors.As(err, &no) {
			if why == nil {
				why = err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		found[len(m.Components)]++
		m.Components, logs = append(m.Components, *c), append(logs, value-c.log)
	}
	if len(m.Components) == 0 {
		return nil, why
	}
	weigh(m.Components, logs)
	m.Says = append(m.Says, maxima(m, found, len(starts)))
	drop(m)
	return m, nil
}

// maxima says in a sentence which maxima were found.
func maxima(m *Mixture, found map[int]int, climbs int) string {
	came := 0
	for _, n := range found {
		came += n
	}
	if len(m.Components) == 1 {
		return fmt.Sprintf("%d of %d climbs came to one maximum", came, climbs)
	}
	return fmt.Sprintf("%d of %d climbs came to %d maxima, whose parts of the mass are %s", came,
		climbs, len(m.Components), parts(m.Components))
}

func parts(c []Component) string {
	s := ""
	for i := range min(len(c), 8) {
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%.2g", c[i].weight)
	}
	if len(c) > 8 {
		s += ", …"
	}
	return s
}

// drop leaves out components without a share that a draw would have.
func drop(m *Mixture) {
	m.Components = slices.DeleteFunc(m.Components,
		func(c Component) bool { return !(c.weight > 1e-12) })
	total := 0.0
	for i := range m.Components {
		total += m.Components[i].weight
	}
	for i := range m.Components {
		m.Components[i].weight /= total
	}
}

// same is the component at whose mean a climb ended; −1 without one.
func same(of []Component, o *mode) int {
	if len(of) == 0 {
		return -1
	}
	state := make([]float64, o.in.stateLen())
	all := *o.in
	all.free = nil
	all.evaluator(1).state(o.x, state)
	for i := range of {
		c := &of[i]
		z, u, w := make([]float64, len(c.Mean)), make([]float64, len(c.Mean)),
			make([]float64, c.scratch())
		if j := c.in.evaluator(1).coordinates(state, z); math.IsInf(j, -1) {
			continue
		}
		c.standard(z, u, w)
		if math.Sqrt(kernel.Dot(u, u)) < sameMode {
			return i
		}
	}
	return -1
}

// climb goes from a state to a maximum.
func (f *finder) climb(state []float64) (*mode, error) {
	in, middle, err := f.about(state)
	if err != nil {
		return nil, err
	}
	e := in.evaluator(1)
	from := make([]float64, in.dim())
	e.coordinates(middle, from)
	c := newClimber(func(x, g []float64) float64 { return e.gradient(x, nil, 1, 1, g) }, from)
	how, err := c.climb(f.ctx, f.c.Iterations, nil)
	return &mode{in, c.x, c.value, how, e.calls, c.pairs}, err
}

// curvature makes the normal law about a maximum, and returns the log density there.
func (f *finder) curvature(o *mode, number int, m *Mixture) (*Component, float64, error) {
	in := o.in
	x := o.x
	if len(f.c.Only) > 0 {
		in, x = f.part(o)
	}
	e := in.evaluator(1)
	h := &hessian{f: f, in: in, x: x, sd: scales(in, o)}
	var law *Normal
	var err error
	switch f.c.Covariance {
	case Dense:
		law, err = h.dense()
	case Diagonal:
		law, err = h.diagonal()
	default:
		law, err = h.low(f.c.Rank, rng.New(f.c.Seed, number, purposeProbe))
	}
	m.Gradients += h.calls
	if err != nil {
		return nil, 0, err
	}
	g := make([]float64, in.dim())
	value := e.gradient(x, nil, 1, 1, g)
	if gain := law.gain(g); !(gain < leftToGain) {
		return nil, 0, refusal("a climb has not come to a maximum in %d steps: the log density is "+
			"still %.2g below where its curvature says the top is, most of all by %s. It may rise "+
			"without end, as where a scale goes to zero; {method} pathfinder needs no maximum",
			f.c.Iterations, gain, in.largest(slices.Clone(g)))
	}
	law.shift(g)
	return &Component{Normal: law, in: in}, value, nil
}

// part is the space of the params that are not held at the maximum.
func (f *finder) part(o *mode) (*space, []float64) {
	in := &space{of: o.in.of, curved: o.in.curved, free: []int{}, held: o.x}
	var x []float64
	for _, b := range o.in.of.Blocks() {
		if !slices.ContainsFunc(f.c.Only, func(g string) bool { return settings.Matches(g, b.Name) }) {
			continue
		}
		for i := b.Offset; i < b.Offset+b.Len; i++ {
			in.free, x = append(in.free, i), append(x, o.x[i])
		}
	}
	return in, x
}

// scales are standard deviations of coordinates, about, by the pairs of the climb.
func scales(in *space, o *mode) []float64 {
	d := len(o.x)
	diagonal := make([]float64, d)
	for i := range diagonal {
		diagonal[i] = 1
	}
	for k := range o.pairs {
		updateDiagonal(diagonal, &o.pairs[k])
	}
	for i := range diagonal {
		diagonal[i] = math.Sqrt(diagonal[i])
	}
	if in.free == nil {
		return diagonal
	}
	var out []float64
	for _, i := range in.free {
		out = append(out, diagonal[i])
	}
	return out
}

// gain is what a Newton step from the mean gains, ½ gᵀ Σ g.
func (n *Normal) gain(g []float64) float64 {
	y := n.times(g)
	return kernel.Dot(y, g) / 2
}

// times returns Σ g.
func (n *Normal) times(g []float64) []float64 {
	zero := make([]float64, len(g))
	shifted := *n
	shifted.Mean = zero
	if n.Chol == nil {
		shifted.newton(zero, g)
		return shifted.Mean
	}
	d := len(g)
	t, out := make([]float64, d), make([]float64, d)
	for i := range d {
		kernel.Axpy(g[i], n.Chol[i*d:i*d+i+1], t[:i+1])
	}
	for i := range d {
		out[i] = kernel.Dot(n.Chol[i*d:i*d+i+1], t[:i+1])
	}
	return out
}

// shift moves the mean by a Newton step.
func (n *Normal) shift(g []float64) {
	for i, v := range n.times(g) {
		n.Mean[i] += v
	}
}
