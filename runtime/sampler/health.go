package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/flow"
)

// health gathers the statistics of the dynamics whose values theory knows,
// block by block, over the steps after warm-up. With constant friction that is
// the kinetic temperature. A thermostat forces the kinetic temperature, right
// or wrong: there it is the thermostats' mean and variance and the
// configurational temperature E[(x − x̄)·∇Ũ]/d (curvedHealth where x lives on
// a curved space).
type health struct {
	from   int64 // the first step that counts
	stride int64
	dim    int
	blocks []blockHealth
	// Running means and co-moments by coordinate, and of thermostat variables.
	n, nXi     float64
	x, g, xg   []float64
	xi, xiVar  []float64
	thermostat bool
	velocity   bool
	curved     curvedHealth
	accept     series // of a Metropolis test
}

// A blockHealth has the scalar series of one block.
type blockHealth struct {
	kinetic, xi, xiVar, config series
	along                      series // on curved blocks, see curvedHealth
}

// longRun is the number of steps above which health looks at each tenth only:
// an observation costs about as much as a step.
const longRun = 20000

func newHealth(c *Chain) *health {
	s := c.state
	h := &health{from: c.cfg.Warmup, stride: 1, dim: len(s.X), thermostat: c.row.Thermostat(), velocity: c.row.Velocity && !c.row.Tree}
	if c.cfg.Draws*c.cfg.Thin > longRun {
		h.stride = 10
	}
	h.blocks = make([]blockHealth, len(s.Factors))
	h.x, h.g, h.xg = make([]float64, h.dim), make([]float64, h.dim), make([]float64, h.dim)
	h.xi, h.xiVar = make([]float64, len(s.Xi)), make([]float64, len(s.Xi))
	h.curved = newCurvedHealth(c)
	return h
}

// wants says whether step t, counted from 0, is observed.
func (h *health) wants(t int64) bool { return t >= h.from && (t-h.from)%h.stride == 0 }

// gradient observes (x, ∇Ũ) where the gradient was taken.
func (h *health) gradient(s *flow.State) {
	h.n++
	inv := 1 / h.n
	for k := range s.Factors {
		f := &s.Factors[k]
		if !f.Flat {
			h.curvedGradient(s, k)
			continue
		}
		if f.Space.Kind() == "mirrored" {
			h.mirroredGradient(s, k)
			continue
		}
		lo, hi := f.Offset, f.Offset+f.Len
		x, force := s.X[lo:hi], s.Force[lo:hi]
		mx, mg, xg := h.x[lo:hi], h.g[lo:hi], h.xg[lo:hi]
		force, mx, mg, xg = force[:len(x)], mx[:len(x)], mg[:len(x)], xg[:len(x)]
		sum := 0.0
		for i, a := range x {
			u := -force[i]
			dx := a - mx[i]
			m := mx[i] + float64(dx*inv)
			g := mg[i] + float64((u-mg[i])*inv)
			mx[i], mg[i] = m, g
			xg[i] += float64(dx * (u - g))
			sum += float64((a - m) * u)
		}
		h.blocks[k].config.add(sum / float64(f.Dim()))
	}
}

// state observes the velocity and the thermostats at the end of a step.
func (h *health) state(s *flow.State) {
	h.nXi++
	inv := 1 / h.nXi
	if h.thermostat {
		mean, ss := h.xi[:len(s.Xi)], h.xiVar[:len(s.Xi)]
		for i, x := range s.Xi {
			d := x - mean[i]
			m := mean[i] + float64(d*inv)
			mean[i] = m
			ss[i] += float64(d * (x - m))
		}
	}
	if !h.velocity {
		return
	}
	for k := range s.Factors {
		f, b := &s.Factors[k], &h.blocks[k]
		b.kinetic.add(kinetic(s, f))
		if !h.thermostat {
			continue
		}
		mean, variance := 0.0, 0.0
		centre := h.xi[f.XiAt : f.XiAt+f.XiLen]
		for i, x := range s.Xi[f.XiAt : f.XiAt+f.XiLen] {
			d := x - centre[i]
			mean += x
			variance += float64(d * d)
		}
		b.xi.add(mean / float64(f.XiLen))
		b.xiVar.add(variance / float64(f.XiLen))
	}
}

// A HealthRow is one statistic of one block.
type HealthRow struct {
	Block     string // "all" for what concerns the whole state
	Statistic string
	Value     float64
	Expected  float64 // NaN where theory gives no number
	MCSE      float64 // Monte Carlo error of Value; +Inf in a run too short to tell
	Verdict   string  // "ok", "off", "unsure" (within a wide error), "" for what has no expectation
}

// Health gathers the statistics of one run over its chains, which must have the
// same settings. Nothing to report before the end of warm-up.
func Health(chains ...*Chain) []HealthRow {
	var out []HealthRow
	if len(chains) == 0 {
		return nil
	}
	c := chains[0]
	for k := range c.state.Factors {
		f := &c.state.Factors[k]
		if !c.row.Thermostat() && c.row.Velocity && !c.row.Tree {
			out = appendRow(out, f.Name, "kinetic_temperature", c.cfg.Temperature, collect(chains, k, (*blockHealth).kineticSeries))
		}
		if c.row.Thermostat() {
			out = c.appendThermostat(out, f, chains, k)
		}
		if f.Flat {
			out = appendConfigurational(out, f, chains, k)
		} else {
			out = appendCurved(out, f, chains, k)
		}
	}
	return appendFisher(appendNuts(appendAcceptance(out, chains), chains), chains)
}

// Health of this chain alone.
func (c *Chain) Health() []HealthRow { return Health(c) }

func (b *blockHealth) kineticSeries() *series { return &b.kinetic }
func (b *blockHealth) xiSeries() *series      { return &b.xi }
func (b *blockHealth) xiVarSeries() *series   { return &b.xiVar }
func (b *blockHealth) configSeries() *series  { return &b.config }

func collect(chains []*Chain, k int, get func(*blockHealth) *series) []*series {
	var out []*series
	for _, c := range chains {
		if s := get(&c.health.blocks[k]); s.n > 0 {
			out = append(out, s)
		}
	}
	return out
}

func appendRow(out []HealthRow, block, statistic string, expected float64, all []*series) []HealthRow {
	if len(all) == 0 {
		return out
	}
	mean, mcse := mergeSeries(all)
	return append(out, HealthRow{block, statistic, mean, expected, mcse, verdict(mean, expected, mcse)})
}

// tolerance is the relative error of a statistic that is called off, where it
// is more than Monte Carlo error can explain.
const tolerance = 0.05

func verdict(value, expected, mcse float64) string {
	switch {
	case math.IsNaN(expected):
		return ""
	case math.IsNaN(value):
		return "off"
	}
	allowed := tolerance * max(math.Abs(expected), 1e-300)
	miss := math.Abs(value - expected)
	switch {
	case miss > allowed && miss > 4*mcse:
		return "off"
	case 2*mcse > allowed:
		return "unsure"
	}
	return "ok"
}

// appendThermostat reports ξ̄ − D, what it says of the gradient's noise, and
// Var ξ. The law is ξ ~ N(D + (V − V̂) h/(2T), T/d).
func (c *Chain) appendThermostat(out []HealthRow, f *flow.Factor, chains []*Chain, k int) []HealthRow {
	all := collect(chains, k, (*blockHealth).xiSeries)
	if len(all) == 0 {
		return out
	}
	temp, h := c.cfg.Temperature, c.schedule.At(0)
	mean, mcse := mergeSeries(all)
	excess := mean - c.cfg.Friction
	expected, v := math.NaN(), c.knownNoise()
	if c.schedule.Constant() {
		expected = (v - c.meanNoise(f.Offset, f.Len)) * h / (2 * temp)
	}
	// A thermostat below D says that the dynamics lose energy: the step is too
	// large. Above D it only says how noisy the gradient is.
	row := HealthRow{f.Name, "xi_minus_friction", excess, expected, mcse, "ok"}
	unit := math.Sqrt(temp / c.dofs(f))
	switch {
	case math.IsNaN(excess), excess < -4*mcse && excess < -tolerance*unit:
		row.Verdict = "off"
	case !math.IsNaN(expected) && math.Abs(excess-expected) > max(4*mcse, tolerance*max(unit, expected)):
		row.Verdict = "off"
	case 2*mcse > max(tolerance*max(unit, excess), 0):
		row.Verdict = "unsure"
	}
	out = append(out, row)
	if c.schedule.Constant() {
		out = append(out, HealthRow{f.Name, "gradient_noise", c.meanNoise(f.Offset, f.Len) + 2*temp*excess/h, v, 2 * temp * mcse / h, ""})
	}
	return appendXiVariance(out, f, temp/c.dofs(f), all, collect(chains, k, (*blockHealth).xiVarSeries))
}

// appendXiVariance reports Var ξ. The variance about a mean that is taken from
// the same chain is low by the variance of that mean, which in a short run is
// no small part of it: it is added, and counts as an error too.
func appendXiVariance(out []HealthRow, f *flow.Factor, expected float64, xi, variance []*series) []HealthRow {
	value, mcse := mergeSeries(variance)
	short := 0.0
	for _, s := range xi {
		e := s.slowest() // of the mean over the block's variables
		short += float64(e*e) * float64(f.XiLen) / float64(len(xi))
	}
	if math.IsInf(short, 1) {
		short = 0
	}
	value, mcse = value+short, math.Hypot(mcse, short)
	return append(out, HealthRow{f.Name, "xi_variance", value, expected, mcse, verdict(value, expected, mcse)})
}

// dofs is the intrinsic dimension under one thermostat of a block.
func (c *Chain) dofs(f *flow.Factor) float64 {
	switch f.Grain {
	case flow.Coordinate:
		return 1
	case flow.Point:
		return float64(f.Space.Dim())
	}
	d := 0
	for i := range c.state.Factors {
		d += c.state.Factors[i].Dim()
	}
	return float64(d)
}

// knownNoise is the variance V of the gradient's noise as far as it is made
// here: NaN with minibatches.
func (c *Chain) knownNoise() float64 {
	if c.batches != nil && c.cfg.Batch < c.target.Rows() {
		return math.NaN()
	}
	// Diffusion N(0, 2Bh) in the impulse h ∇Ũ is V = 2B/h.
	v := float64(c.gradientSD * c.gradientSD)
	if b := c.state.Diffusion; b > 0 {
		v += 2 * b / c.schedule.At(0)
	}
	return v
}

// appendConfigurational reports E[(x − x̄)·∇Ũ]/d from the co-moments, whose
// running mean is better than the series' (it knows the final x̄).
func appendConfigurational(out []HealthRow, f *flow.Factor, chains []*Chain, k int) []HealthRow {
	all := collect(chains, k, (*blockHealth).configSeries)
	if len(all) == 0 {
		return out
	}
	_, mcse := mergeSeries(all)
	sum, n := 0.0, 0.0
	for _, c := range chains {
		h := c.health
		for i := f.Offset; i < f.Offset+f.Len && h.n > 0; i++ {
			sum += h.xg[i]
		}
		n += h.n
	}
	value := sum / n / float64(f.Dim())
	t := chains[0].cfg.Temperature
	return append(out, HealthRow{f.Name, "configurational_temperature", value, t, mcse, verdict(value, t, mcse)})
}
