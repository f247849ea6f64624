package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
)

// noiseHealth predicts the temperature by direction from the measured noise of the gradient. Given
// ξ and the noise V, velocities along u are heated by u·(2DT + V h)u and damped by 2 u·Ξu. If the
// ratio of heating to T times damping lies between two factors in every direction, then the
// covariances of draws and velocities lie within the same factors of the right ones, for any
// curvature of the target: of two linear equations, the one with more noise, in the order of
// matrices, has the larger covariance. So the factors bound the error long before the draws show
// it.
type noiseHealth struct {
	d        *directionHealth
	chains   []*Chain
	p        *part
	tangent  matrix.Square    // the mean of Λ between directions of the basis
	friction matrix.Square    // the mean of Ξ Λ
	noise    [2]matrix.Square // V, from each half of the observations
	looks    float64          // the number of observations in both halves
	time     float64          // the time after the warm-up, summed over chains
	meanV    float64          // the mean of V over the directions of the state
	meanXi   float64
	xiError  float64 // relative error of Ξ along a direction
	own      float64 // the part of V that the sampler itself adds
}

// newNoiseHealth combines chains; it returns nil if the noise was not observed or if the
// size of the step changes.
func newNoiseHealth(d *directionHealth, chains []*Chain) *noiseHealth {
	c := chains[0]
	p, q := &c.parts[0], &c.health.directions
	if !(q.known || q.source == allRows) || c.mixed() || p.row.Preconditioner ||
		!p.schedule.Constant() {
		return nil
	}
	n := &noiseHealth{d: d, chains: chains, p: p}
	for _, o := range chains {
		q := &o.health.directions
		n.looks += float64(q.count)
		n.time += float64(float64(q.weight*float64(q.every)) * o.lastSize(p))
		n.meanV += q.trace
	}
	dofs := 0.0
	for _, k := range q.factors {
		dofs += float64(c.state.Factors[k].Dim())
	}
	n.meanV /= n.looks * dofs
	n.tangent = d.reduce(n.meanTangent())
	own := float64(c.gradientSD * c.gradientSD)
	if b := p.state.Diffusion; b > 0 {
		own += 2 * b / p.schedule.At(0)
	}
	n.own = own
	n.meanV += own
	for half := range n.noise {
		sum, count := matrix.New(q.n), 0.0
		for _, o := range chains {
			for i, x := range o.health.directions.sumN[half].A {
				sum.A[i] += x
			}
			count += float64((o.health.directions.count + int64(half)) / 2)
		}
		for i := range sum.A {
			sum.A[i] /= max(count, 1)
		}
		n.noise[half] = d.reduce(sum)
		for i, x := range n.tangent.A {
			n.noise[half].A[i] += float64(own * x)
		}
	}
	n.frictions(c)
	return n
}

// frictions computes Ξ.
func (n *noiseHealth) frictions(c *Chain) {
	q := &c.health.directions
	by := make([]float64, len(c.state.X))
	count := 0.0
	for _, k := range q.factors {
		f := &c.state.Factors[k]
		for i := f.Offset; i < f.Offset+f.Len; i++ {
			x := n.p.cfg.Friction
			if !n.p.row.Velocity {
				x = 1
			}
			if f.Grain != flow.Constant {
				at := f.XiAt
				switch f.Grain {
				case flow.Coordinate:
					at += i - f.Offset
				case flow.Point:
					at += (i - f.Offset) / f.Space.Ambient()
				}
				x = 0
				for _, o := range n.chains {
					x += o.health.xi.at(at) / float64(len(n.chains))
				}
			}
			by[i] = x
			n.meanXi += x
			count++
		}
	}
	n.meanXi /= count
	if n.p.row.Thermostat() {
		n.thermostats(c, by)
	}
	friction := c.alongDirections(by)
	if q.curved && q.leading == nil {
		friction = n.meanTangent()
		for i, k := range q.index {
			for j, l := range q.index {
				friction.A[i*q.n+j] *= math.Sqrt(math.Max(by[k], 0) * math.Max(by[l], 0))
			}
		}
	}
	if q.curved && q.leading != nil {
		tangent := n.meanTangent()
		for i := range q.n {
			for j := range q.n {
				friction.A[i*q.n+
					j] *= math.Sqrt(math.Max(tangent.At(i, i), 0) * math.Max(tangent.At(j, j), 0))
			}
		}
		if !n.p.row.Thermostat() { // the same in all directions
			friction = tangent
			for i := range friction.A {
				friction.A[i] *= n.injected()
			}
		}
	}
	n.friction = n.d.reduce(friction)
}

// meanTangent returns the mean of Λ over pairs of observed directions.
func (n *noiseHealth) meanTangent() matrix.Square {
	q := &n.chains[0].health.directions
	out, weight := matrix.New(q.n), 0.0
	for _, o := range n.chains {
		weight += o.health.directions.weight
		for i, x := range o.health.directions.sumL.A {
			out.A[i] += x
		}
	}
	for i := range out.A {
		out.A[i] /= weight
	}
	for _, k := range q.mirrored { // their noise is in units of their metric
		out.Set(k, k, 1)
	}
	return out
}

// roughXi is the relative error of a thermostat's mean above which the value predicted
// from the noise replaces it.
const roughXi = 0.01

// thermostats computes the error of Ξ. In a short run the mean of each thermostat is not
// known well enough; it is then replaced by the value that the noise it covers leads to,
// D + V h/(2T), which is known far better.
func (n *noiseHealth) thermostats(c *Chain, by []float64) {
	q, t := &c.health.directions, n.d.t
	least := math.Inf(1)
	for _, k := range q.factors {
		least = min(least, n.p.dofs(&c.state.Factors[k]))
	}
	th := thermoHealth{p: n.p, mean: n.meanXi}
	n.xiError = math.Sqrt(t/least*th.memory()/n.time) / max(n.meanXi, 1e-12)
	if n.xiError < roughXi || q.leading != nil {
		return
	}
	// Only the mean over the thermostats is used, and only if part of the noise
	// cancels.
	removed, left := n.removed(), n.left()
	n.xiError /= math.Sqrt(float64(len(q.index)) / least)
	if left == 1 {
		n.xiError = 0
	}
	heat := func(i int) float64 { // of the i-th observed coordinate
		v := 0.0
		for _, o := range n.chains {
			s := &o.health.directions
			v += (s.sumN[0].At(i, i) + s.sumN[1].At(i, i)) / n.looks
		}
		return float64(left*v) - removed.At(i, i)
	}
	size, at := n.p.schedule.At(0)/(2*t), 0
	for _, k := range q.factors {
		f := &c.state.Factors[k]
		each, dofs := 1, 1.0
		switch f.Grain {
		case flow.Point:
			each, dofs = f.Space.Ambient(), float64(f.Space.Dim())
		case flow.All:
			each, dofs = f.Len, float64(f.Dim())
		}
		for i := 0; i < f.Len; i += each {
			v := 0.0
			for j := i; j < i+each; j++ {
				v += heat(at+j) / dofs
			}
			for j := i; j < i+each; j++ {
				by[f.Offset+j] = n.p.cfg.Friction + float64((v+float64(left*n.own))*size)
			}
		}
		at += f.Len
	}
	if n.p.row.Grains[0] == flow.All || c.cfg.Thermostat == flow.All.String() {
		mean := 0.0
		for _, i := range q.index {
			mean += by[i] / float64(len(q.index))
		}
		for _, i := range q.index {
			by[i] = mean
		}
	}
}

// alongDirections expresses a diagonal matrix of the state in the observed directions.
func (c *Chain) alongDirections(diagonal []float64) matrix.Square {
	q := &c.health.directions
	out := matrix.New(q.n)
	for i := range q.n {
		if q.leading == nil {
			out.Set(i, i, diagonal[q.index[i]])
			continue
		}
		for j := range i + 1 {
			a, b := q.leading.direction(i), q.leading.direction(j)
			sum := 0.0
			for k, x := range diagonal {
				sum += float64(float64(x*float64(a[k])) * float64(b[k]))
			}
			out.Set(i, j, sum)
			out.Set(j, i, sum)
		}
	}
	return out
}

// injected returns D, or 1 for samplers without velocities.
func (n *noiseHealth) injected() float64 {
	if !n.p.row.Velocity {
		return 1
	}
	return n.p.cfg.Friction
}

// left returns the share of the noise that heats: 1 for independent minibatches; for
// passes without replacement it follows from the mean of temperatures or thermostats.
func (n *noiseHealth) left() float64 {
	c, t := n.chains[0], n.d.t
	size := n.meanV * n.p.schedule.At(0) / (2 * t)
	if !c.reshuffles() || size == 0 {
		return 1
	}
	excess := n.meanXi - n.injected()
	if !n.p.row.Thermostat() {
		of := ofPositions.of
		if n.p.row.Velocity {
			of = ofVelocities.of
		}
		sum, count := 0.0, 0.0
		n.d.each(func(_, _ int, o *observed) {
			m := of(o)
			for i := range m.N {
				sum += m.At(i, i)
				count++
			}
		})
		excess = sum / max(count, 1) / t * n.injected()
	}
	return min(max(excess/size, 0), 1)
}

// worst returns the predicted temperature along the direction where it deviates most, and
// its error. Directions are found on one half of the observations of the noise and
// judged on the other half.
func (n *noiseHealth) worst() (value, mcse float64) {
	t, h, left := n.d.t, n.p.schedule.At(0), n.left()
	lower := matrix.New(n.friction.N)
	copy(lower.A, n.friction.A)
	if !lower.Cholesky() {
		return math.NaN(), math.Inf(1)
	}
	removed := n.d.reduce(n.removed())
	var factors [2]matrix.Square
	for half := range factors {
		m := matrix.New(lower.N)
		for i := range m.N {
			for j := range m.N {
				x := (float64(left*n.noise[half].At(i, j)) - removed.At(i, j)) * h / (2 * t)
				x += float64(n.injected() * n.tangent.At(i, j))
				m.Set(i, j, x)
			}
		}
		factors[half] = congruent(lower, m)
	}
	value, mcse = t, 0
	for _, largest := range []bool{false, true} {
		var m [2]float64
		for half := range m {
			copyOf := matrix.New(lower.N)
			copy(copyOf.A, factors[1-half].A)
			m[half] = factors[half].Form(extreme(copyOf, largest))
		}
		mean := float64((m[0] + m[1]) / 2)
		share := max(mean-n.injected()/max(n.meanXi, 1e-12), 0)
		e := math.Hypot(math.Hypot(share*math.Sqrt(2/n.looks), (m[0]-m[1])/4), 1.5*n.xiError*mean)
		if math.Abs(mean-1) > math.Abs(value/t-1) || mcse == 0 {
			value, mcse = t*mean, t*e
		}
	}
	return value, mcse
}

// congruent returns L⁻¹ m L⁻ᵀ.
func congruent(lower, m matrix.Square) matrix.Square {
	n := m.N
	out, column := matrix.New(n), make([]float64, n)
	solve := func(from matrix.Square) {
		for j := range n {
			for i := range n {
				column[i] = from.At(i, j)
			}
			lower.LowerSolve(column)
			for i := range n {
				out.Set(j, i, column[i]) // transposed
			}
		}
	}
	solve(m)
	half := matrix.New(n)
	copy(half.A, out.A)
	solve(half)
	return out
}

// removed returns V̂, the covariance that the kick subtracts from its noise, over pairs of
// observed directions.
func (n *noiseHealth) removed() matrix.Square {
	c := n.chains[0]
	out := matrix.New(c.health.directions.n)
	if !n.p.row.Velocity {
		return out
	}
	for _, o := range n.chains {
		q := &o.health.directions
		if c.fisher.average != nil {
			for i, x := range q.sumR.A {
				out.A[i] += float64(x*o.meanNoiseScale()) / n.looks
			}
			continue
		}
		for i, x := range q.sumL.A {
			out.A[i] += n.p.cfg.GradNoise * x / q.weight / float64(len(n.chains))
		}
	}
	return out
}

// appendDirections appends rows of health for the worst directions: the temperature that
// the noise predicts, that of the draws, and that of the velocities.
func appendDirections(out []health.Row, chains []*Chain) []health.Row {
	c := chains[0]
	q := &c.health.directions
	if q.n == 0 {
		return out
	}
	block := "all"
	if len(c.state.Factors) == 1 {
		block = c.state.Factors[0].Name
	}
	var groups []*directionHealth
	var noises []*noiseHealth
	add := func(chains []*Chain) {
		if d := newDirectionHealth(chains); d != nil {
			groups = append(groups, d)
			if n := newNoiseHealth(d, chains); n != nil {
				noises = append(noises, n)
			}
		}
	}
	var seen []*Chain
	for _, c := range chains {
		if c.health.directions.count > 0 {
			seen = append(seen, c)
		}
	}
	if q.leading == nil && len(seen) > 0 {
		add(seen)
	} else {
		for i := range seen { // each chain has other directions
			add(seen[i : i+1])
		}
	}
	if len(groups) == 0 {
		return out
	}
	t := c.cfg.Temperature
	small := health.Tolerance * t
	rows := []health.Row{}
	value, mcse := worseOf(groups, ofPositions)
	rows = append(rows, health.Judged(block, "worst_temperature", value, t, mcse, small))
	if q.moving {
		value, mcse := worseOf(groups, ofVelocities)
		rows = append(rows, health.Judged(block, "worst_kinetic_temperature", value, t, mcse, small))
	}
	if len(noises) == 0 {
		return append(out, rows...)
	}
	noise := health.Row{Block: block, Statistic: "noise_temperature", Value: t, Expected: t, MCSE: 0}
	for i, n := range noises {
		v, e := n.worst()
		if i == 0 || math.Abs(v-t) > math.Abs(noise.Value-t) || math.IsNaN(v) {
			noise.Value, noise.MCSE = v, e
		}
	}
	noise.Verdict = health.Judge(noise.Value, t, noise.MCSE, small)
	settle(&noise, rows, small)
	if noises[0].meanV > 0 {
		out = append(out, noise)
	}
	return append(out, rows...)
}

// rough is the largest error, in units of the tolerance, with which a temperature counts as
// measured.
const rough = 3

// settle combines the verdicts on predicted and measured temperatures. If measured
// temperatures are known to be right, a wide bound on them is ignored. If the bound is
// narrow, temperatures that a short run cannot measure count as right unless they look
// wrong.
func settle(noise *health.Row, measured []health.Row, small float64) {
	clear := true
	for i := range measured {
		r := &measured[i]
		miss := math.Abs(r.Value - r.Expected)
		clear = clear && miss+2*r.MCSE <= small
		if r.Verdict == "unsure" && noise.Verdict == "ok" && !(miss > small && miss > 2*r.MCSE) &&
			r.MCSE <= rough*small {
			r.Verdict = "ok"
		}
	}
	if clear {
		noise.Verdict = "ok"
	}
}
