package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A nuts is what a chain of the no-U-turn sampler has besides its state:
// multinomial sampling from trajectories that double until they turn back
// (Hoffman and Gelman 2014; Betancourt 2017, appendix A), with the generalised
// criterion and its checks across subtrees, as Stan has it.
//
// On curved spaces a leaf is a step of geodesic Monte Carlo (Byrne and Girolami
// 2013): reversible and volume-preserving as the leapfrog, which is all that
// the trajectory asks for. Momenta are tangent vectors in the coordinates of
// the embedding, where they are added up; at an end the part of the sum that is
// not tangent there has no product with the momentum.
//
// A doubling is built leaf by leaf with a stack of complete subtrees instead
// of by recursion: no more than one a level waits for its neighbour.
type nuts struct {
	metric      *adapt.Metric // nil where a block is curved
	maxDepth    int
	directions  rng.Stream
	src         rng.Source
	left, right adapt.Phase // the ends of the trajectory
	rho         []float64   // sum of its momenta
	joint       []float64   // momentum of the end from which it is being doubled
	pending     []node      // by level, of the doubling
	current     node
	leaf        []float64 // momentum of the leaf that waits for its neighbour
	leafKinetic float64   // twice its kinetic energy

	// The candidate of the doubling: a leaf with probability ∝ its weight.
	x, g                     []float64
	density, energy          float64
	start                    float64 // energy of the start
	offset                   float64 // weights are e^{−ΔH/T − offset}
	total, weight            float64 // of the trajectory, and of the doubling
	acceptance               float64 // summed over leaves
	steps, depth             int
	diverging                bool
	sampleEnergy, meanAccept float64
	health                   nutsHealth
}

// A node is a subtree: the momenta of its ends and their sum over its leaves.
type node struct{ first, last, rho []float64 }

func newNode(room *[]float64, n int) node {
	return node{take(room, n), take(room, n), take(room, n)}
}

func take(room *[]float64, n int) []float64 {
	out := (*room)[:n:n]
	*room = (*room)[n:]
	return out
}

func newNuts(c *Chain) *nuts {
	n := len(c.state.X)
	t := &nuts{maxDepth: c.cfg.MaxDepth, directions: c.stream(rng.Direction)}
	if c.adapt != nil {
		t.metric = c.adapt.metric
	} else if allFlat(c.state.Factors) {
		t.metric = adapt.NewMetric(n, false)
	}
	mixes := t.metric != nil && t.metric.Mixes()
	t.left, t.right = adapt.NewPhase(n, mixes), adapt.NewPhase(n, mixes)
	room := make([]float64, (3*(t.maxDepth+1)+5)*n)
	for range t.maxDepth {
		t.pending = append(t.pending, newNode(&room, n))
	}
	t.current = newNode(&room, n)
	for _, p := range []*[]float64{&t.rho, &t.joint, &t.leaf, &t.x, &t.g} {
		*p = take(&room, n)
	}
	return t
}

// grow is one step of the sampler with leapfrog steps of size h.
func (c *Chain) grow(h float64) {
	s, m, t := c.state, &c.trajectory, c.nuts
	temperature := c.cfg.Temperature
	c.freshVelocity(temperature)
	t.begin(c)
	x, force, density := s.X, s.Force, m.density // of the draw
	if t.metric == nil {                         // leaves are computed in the chain's state
		x, force = m.x, m.force
		copy(x, s.X)
		copy(force, s.Force)
		copy(m.v, s.V)
	}
	for t.depth < t.maxDepth {
		end, far := &t.right, &t.left
		step := h
		if t.src.Uint64()>>63 == 0 {
			end, far = far, end
			step = -h
		}
		if t.metric != nil {
			t.metric.Aim(step)
		}
		copy(t.joint, end.R)
		if !t.double(c, end, step) {
			break
		}
		t.depth++
		if float64(t.src.Float64()*t.total) < t.weight {
			copy(x, t.x)
			copy(force, t.g)
			density, t.sampleEnergy = t.density, t.energy
		}
		t.total += t.weight
		if !merge(node{far.R, t.joint, t.rho}, t.current) {
			break
		}
		t.rho, t.current.rho = t.current.rho, t.rho
	}
	m.density = density
	if t.metric == nil {
		copy(s.X, x)
		copy(s.Force, force)
		copy(s.V, m.v)
	}
	t.meanAccept = t.acceptance / float64(t.steps)
	m.acceptance, m.diverging = t.meanAccept, t.diverging
	if c.step >= c.cfg.Warmup {
		t.health.add(t)
	}
}

// begin makes the start the whole trajectory.
func (t *nuts) begin(c *Chain) {
	s, m := c.state, &c.trajectory
	t.src = t.directions.At(uint64(c.step))
	t.left.Set(s.X, s.V, s.Force, m.density)
	if t.metric != nil {
		t.metric.Whiten(&t.left)
	}
	t.right.Set(s.X, s.V, s.Force, m.density)
	copy(t.right.W, t.left.W)
	copy(t.rho, s.V)
	t.start = float64(0.5*flow.SumSquares(s.V)) - m.density
	t.sampleEnergy = t.start
	t.offset, t.total, t.acceptance = 0, 1, 0
	t.steps, t.depth, t.diverging = 0, 0, false
}

// double adds 2^depth leaves beyond an end, as t.current with a candidate and
// its weight. It stops, false, where one of them diverges or a subtree turns.
func (t *nuts) double(c *Chain, p *adapt.Phase, h float64) bool {
	t.weight = 0
	last := 1<<t.depth - 1
	for k := 0; k <= last; k++ {
		if t.metric != nil {
			t.metric.Leap(c.eval, c.cfg.Temperature, p)
		} else {
			c.geodesicLeap(h, p)
		}
		t.steps++
		twice := flow.SumSquares(p.R)
		if !t.weigh(p, float64(0.5*twice)-p.Density, c.cfg.Temperature) {
			t.diverging = true
			return false
		}
		if k&1 == 0 {
			copy(t.leaf, p.R)
			t.leafKinetic = twice
			continue
		}
		if !t.pair(p.R, twice) {
			return false
		}
		level := 1
		for ; k>>level&1 == 1; level++ {
			a := &t.pending[level]
			if !merge(*a, t.current) {
				return false
			}
			a.first, t.current.first = t.current.first, a.first
		}
		if k < last {
			t.pending[level], t.current = t.current, t.pending[level]
		}
	}
	if last == 0 {
		copy(t.current.first, p.R)
		copy(t.current.last, p.R)
		copy(t.current.rho, p.R)
	}
	return true
}

// geodesicLeap is one step of geodesic Monte Carlo from p to p, below 0 back in time.
func (c *Chain) geodesicLeap(h float64, p *adapt.Phase) {
	s := c.state
	copy(s.X, p.X)
	copy(s.V, p.R)
	copy(s.Force, p.G)
	c.program.Run(h)
	copy(p.X, s.X)
	copy(p.R, s.V)
	copy(p.G, s.Force)
	p.Density = c.trajectory.density
}

// weigh gives a leaf its weight and its chance to be the candidate, in the
// proportion of its weight to those so far. False: it diverges.
func (t *nuts) weigh(p *adapt.Phase, energy, temperature float64) bool {
	fall := (t.start - energy) / temperature
	if !(-fall < divergence) || !special.Finite(fall) {
		return false
	}
	if fall-t.offset > 500 { // far from the typical set: keep sums in range
		shift := special.Exp(t.offset - fall)
		t.total *= shift
		t.weight *= shift
		t.offset = fall
	}
	w := special.Exp(fall - t.offset)
	switch {
	case fall >= 0:
		t.acceptance++
	case t.offset == 0:
		t.acceptance += w
	default:
		t.acceptance += special.Exp(fall)
	}
	t.weight += w
	if float64(t.src.Float64()*t.weight) < w {
		copy(t.x, p.X)
		copy(t.g, p.G)
		t.density, t.energy = p.Density, energy
	}
	return true
}

// pair joins the waiting leaf a with its neighbour b. All checks of two leaves
// are a·(a+b) > 0 and b·(a+b) > 0.
func (t *nuts) pair(b []float64, twice float64) bool {
	n := len(b)
	a, last, rho := t.leaf[:n], t.current.last[:n], t.current.rho[:n]
	dot := 0.0
	for i, y := range b {
		x := a[i]
		last[i] = y
		rho[i] = x + y
		dot += float64(x * y)
	}
	t.leaf, t.current.first = t.current.first, t.leaf
	return t.leafKinetic+dot > 0 && twice+dot > 0
}

// merge joins neighbouring subtrees, first to last: the sum of momenta goes to
// b.rho. False: the whole, or what overlaps their border, has turned back
// (Betancourt 2017, appendix A.4.2; the overlaps as in Stan since 2.21).
// Whitened, p♯·ρ is r·ρ; reversal in time changes none of it.
func merge(a, b node) bool {
	n := len(b.rho)
	a0, a1, ra := a.first[:n], a.last[:n], a.rho[:n]
	b0, b1, rb := b.first[:n], b.last[:n], b.rho[:n]
	var whole0, whole1, left0, left1, right0, right1 float64
	for i, u := range ra {
		v := rb[i]
		x0, x1, y0, y1 := a0[i], a1[i], b0[i], b1[i]
		sum, left, right := u+v, u+y0, x1+v
		rb[i] = sum
		whole0 += float64(x0 * sum)
		whole1 += float64(y1 * sum)
		left0 += float64(x0 * left)
		left1 += float64(y0 * left)
		right0 += float64(x1 * right)
		right1 += float64(y1 * right)
	}
	return whole0 > 0 && whole1 > 0 && left0 > 0 && left1 > 0 && right0 > 0 && right1 > 0
}

// nutsHealth is what Health says of trajectories after warm-up.
type nutsHealth struct {
	diverging, deepest float64 // counts
	n, mean, m2        float64 // of the energy
	last, jumps        float64 // and Σ(E_n − E_{n−1})²
}

func (h *nutsHealth) walk(d *loop.Codec) {
	for _, p := range []*float64{&h.diverging, &h.deepest, &h.n, &h.mean, &h.m2, &h.last,
		&h.jumps} {
		d.Float(p)
	}
}

func (h *nutsHealth) add(t *nuts) {
	h.diverging += special.Bool(t.diverging)
	h.deepest += special.Bool(t.depth == t.maxDepth)
	e := t.sampleEnergy
	if h.n > 0 {
		d := e - h.last
		h.jumps += float64(d * d)
	}
	h.last = e
	h.n++
	d := e - h.mean
	h.mean += d / h.n
	h.m2 += float64(d * (e - h.mean))
}

// bfmi is the energy's Bayesian fraction of missing information (Betancourt
// 2016): E[(E_n − E_{n−1})²]/Var E, 2 for independent draws; small where
// momenta, drawn afresh, change the energy by little of its spread.
func (h *nutsHealth) bfmi() float64 {
	if h.n < 3 || h.m2 == 0 {
		return math.NaN()
	}
	return h.jumps / h.m2
}

// fewDivergences is the share of the draws up to which divergences leave a
// doubt; more say that the draws avoid a part of the space.
const fewDivergences = 1e-3

// leastBFMI is the value below which heavy tails are explored too slowly.
const leastBFMI = 0.3

// appendNuts reports divergences, trajectories of the greatest depth, and the
// least E-BFMI of the chains.
func appendNuts(out []health.Row, chains []*Chain) []health.Row {
	if len(chains) == 0 || !chains[0].row.Tree {
		return out
	}
	n, diverging, deepest, least := 0.0, 0.0, 0.0, math.Inf(1)
	for _, c := range chains {
		h := &c.nuts.health
		n += h.n
		diverging += h.diverging
		deepest += h.deepest
		if b := h.bfmi(); !(b >= least) {
			least = b
		}
	}
	if n == 0 {
		return out
	}
	verdict := func(ok bool, otherwise string) string {
		if ok {
			return "ok"
		}
		return otherwise
	}
	nan, many := math.NaN(), "unsure"
	if diverging > fewDivergences*n {
		many = "off"
	}
	out = append(out,
		health.Row{Block: "all", Statistic: "divergences", Value: diverging, Expected: 0, MCSE: nan,
			Verdict: verdict(diverging == 0, many)},
		health.Row{Block: "all", Statistic: "max_tree_depth_hits", Value: deepest, Expected: 0,
			MCSE: nan, Verdict: verdict(deepest == 0, "unsure")})
	if !math.IsNaN(least) {
		out = append(out, health.Row{Block: "all", Statistic: "e_bfmi", Value: least, Expected: nan,
			MCSE: nan, Verdict: verdict(least >= leastBFMI, "off")})
	}
	return out
}

// stats writes what the last trajectory was.
func (t *nuts) stats(st *Stats) {
	st.Depth, st.Leapfrogs, st.Deepest, st.Energy = t.depth, t.steps, t.depth == t.maxDepth,
		t.sampleEnergy
	for i := range st.Kinetic {
		st.Kinetic[i] = math.NaN() // of the draw it is not kept
	}
}
