package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// health gathers the statistics of the dynamics whose values theory knows,
// block by block, over the steps after warm-up. With constant friction that is
// the kinetic temperature. A thermostat forces the kinetic temperature, right
// or wrong: there it is the thermostats' mean and variance and the
// configurational temperature E[(x − x̄)·∇Ũ]/d (curvedHealth where x lives on
// a curved space).
type observer struct {
	from   int64 // the first step that counts
	stride int64
	// of the stride: of very many coordinates the step that ends where draws are taken, after which
	// the state is whole
	phase  int64
	dim    int
	blocks []blockHealth
	// Running means and co-moments by coordinate, and of thermostat variables.
	n, nXi     float64
	x, g, xg   []float64
	xx         []float64 // of x, as far as the order of minibatches matters
	xi, xiVar  []float64
	velocity   bool // a block has one that is watched
	curved     curvedHealth
	mirrored   mirroredHealth
	accept     health.Series // of a Metropolis test
	directions directions
	terms      []float64
}

// A blockHealth has the scalar series of one block.
type blockHealth struct {
	kinetic, xi, xiVar, config health.Series
	along                      health.Series // on curved blocks, see curvedHealth
	temperature                float64
	still                      bool // the chain has no velocity
	thermostat                 bool
}

// longRun is the number of steps above which health looks at each tenth only:
// an observation costs about as much as a step. A state of many coordinates,
// over which each observation averages, is looked at every fiftieth, of very many
// every hundredth.
const (
	longRun         = 20000
	manyCoordinates = 10000
	veryMany        = 100000
)

// healthStride is the number of steps between observations.
func healthStride(steps int64, dim int) int64 {
	switch {
	case steps <= longRun:
		return 1
	case dim < manyCoordinates:
		return 10
	case dim < veryMany:
		return 50
	}
	return 100
}

func newHealth(c *Chain) *observer {
	s := c.state
	h := &observer{from: c.cfg.Warmup,
		stride: healthStride(c.cfg.BegunSteps()-c.cfg.Warmup, len(s.X)), dim: len(s.X),
		velocity: c.any(func(p *part) bool { return p.row.Velocity && !p.row.Tree })}
	if h.dim >= veryMany && h.stride > 1 {
		h.phase = h.stride - 1
	}
	h.blocks = make([]blockHealth, len(s.Factors))
	for k := range h.blocks {
		p := c.part(k)
		h.blocks[k].temperature, h.blocks[k].thermostat, h.blocks[k].still = p.cfg.Temperature,
			p.row.Thermostat(), !p.row.Velocity || p.row.Tree
	}
	h.x, h.g, h.xg = make([]float64, h.dim), make([]float64, h.dim), make([]float64, h.dim)
	if c.reshuffles() && c.any(func(p *part) bool { return p.row.Thermostat() }) {
		h.xx = make([]float64, h.dim)
	}
	h.xi, h.xiVar = make([]float64, len(s.Xi)), make([]float64, len(s.Xi))
	h.curved, h.mirrored = newCurvedHealth(c), newMirroredHealth(s)
	h.directions = newDirections(c)
	h.terms = make([]float64, min(max(h.dim, len(s.Xi)), 1024))
	return h
}

// wants reports whether step t, counted from 0, is observed.
func (h *observer) wants(t int64) bool { return t >= h.from && (t-h.from)%h.stride == h.phase }

// gradient observes (x, ∇Ũ) where the gradient was taken, before the chain's step.
func (h *observer) gradient(c *Chain) {
	s := c.state
	h.n++
	inv := 1 / h.n
	for k := range s.Factors {
		f := &s.Factors[k]
		if !f.Flat {
			// In frames coordinates have no such Laplacian, and the mean of a basis of a subspace
			// is 0, so that it has no direction.
			if !f.Framed() && f.Space.Kind() != "grassmann" {
				h.curvedGradient(s, k)
			}
			continue
		}
		if f.Space.Kind() == table.Mirrored {
			h.mirroredGradient(c, k)
			continue
		}
		lo, hi := f.Offset, f.Offset+f.Len
		sum := 0.0
		for at := lo; at < hi; at += len(h.terms) {
			end := min(at+len(h.terms), hi)
			t := h.terms[:end-at]
			kernel.WatchPair(s.X[at:end], s.Force[at:end], h.x[at:end], h.g[at:end], h.xg[at:end], t, inv)
			sum += kernel.Sum(t)
		}
		if h.xx != nil {
			h.squares(s.X[lo:hi], lo)
		}
		h.blocks[k].config.Add(sum / float64(f.Dim()))
	}
}

// state observes the velocity and the thermostats at the end of a step.
func (h *observer) state(s *flow.State) {
	h.nXi++
	inv := 1 / h.nXi
	if !h.velocity {
		return
	}
	watched := 0 // blocks may share a thermostat
	for k := range s.Factors {
		f, b := &s.Factors[k], &h.blocks[k]
		if b.still {
			continue
		}
		b.kinetic.Add(kinetic(s, f))
		if !b.thermostat {
			continue
		}
		lo, hi := f.XiAt, f.XiAt+f.XiLen
		mean, variance := 0.0, 0.0
		for at := lo; at < hi; at += len(h.terms) {
			end := min(at+len(h.terms), hi)
			x, t := s.Xi[at:end], h.terms[:end-at]
			if at >= watched {
				kernel.Watch(x, h.xi[at:end], h.xiVar[at:end], t, inv)
				watched = end
			} else {
				for i, a := range x {
					d := a - h.xi[at+i]
					t[i] = d * d
				}
			}
			mean += kernel.Sum(x)
			variance += kernel.Sum(t)
		}
		b.xi.Add(mean / float64(f.XiLen))
		b.xiVar.Add(variance / float64(f.XiLen))
	}
}

// Health gathers the statistics of one run over its chains, which must have the
// same settings. Nothing to report before the end of warm-up. Chains of latent
// values of rows are watched for it, which takes a moment.
func Health(chains ...*Chain) []health.Row {
	return append(ofSteps(chains), localHealth(chains)...)
}

// ofSteps are the statistics that the steps have gathered.
func ofSteps(chains []*Chain) []health.Row {
	var out []health.Row
	if len(chains) == 0 {
		return nil
	}
	c := chains[0]
	for k := range c.state.Factors {
		f := &c.state.Factors[k]
		p := c.part(k)
		if !p.row.Thermostat() && p.row.Velocity && !p.row.Tree {
			out = appendRow(out, f.Name, "kinetic_temperature", p.cfg.Temperature,
				collect(chains, k, (*blockHealth).kineticSeries))
		}
		if p.row.Thermostat() {
			out = c.appendThermostat(out, f, chains, k)
		}
		switch {
		case f.Space.Kind() == table.Mirrored:
			out = appendRow(out, f.Name, "configurational_temperature", p.cfg.Temperature,
				collect(chains, k, (*blockHealth).configSeries))
			out = appendReflections(out, f, chains, k)
		case f.Flat:
			out = appendConfigurational(out, f, chains, k)
		default:
			out = appendCurved(out, f, chains, k)
		}
	}
	out = appendDirections(appendPasses(out, chains), chains)
	return appendFisher(appendEnergies(appendAcceptance(out, chains), chains), chains)
}

// Health of this chain alone, as far as its steps have gathered it.
func (c *Chain) Health() []health.Row { return ofSteps([]*Chain{c}) }

func (b *blockHealth) kineticSeries() *health.Series { return &b.kinetic }
func (b *blockHealth) xiSeries() *health.Series      { return &b.xi }
func (b *blockHealth) xiVarSeries() *health.Series   { return &b.xiVar }
func (b *blockHealth) configSeries() *health.Series  { return &b.config }

func collect(chains []*Chain, k int, get func(*blockHealth) *health.Series) []*health.Series {
	var out []*health.Series
	for _, c := range chains {
		if s := get(&c.health.blocks[k]); s.N > 0 {
			out = append(out, s)
		}
	}
	return out
}

// appendRow reports a statistic that is a mean.
func appendRow(
	out []health.Row, block, statistic string, expected float64, all []*health.Series,
) []health.Row {
	if len(all) == 0 {
		return out
	}
	mean, mcse := health.Merge(all)
	return append(out, health.Judged(block, statistic, mean, expected, mcse,
		health.Tolerance*expected))
}

// appendConfigurational reports E[(x − x̄)·∇Ũ]/d. Within a chain it is low by the covariance of the
// chain's own means of x and ∇Ũ, which is large in a short run. The covariance is estimated across
// chains; it is added, and counts as an error too.
func appendConfigurational(out []health.Row, f *flow.Factor, chains []*Chain, k int) []health.Row {
	all := collect(chains, k, (*blockHealth).configSeries)
	if len(all) == 0 {
		return out
	}
	_, mcse := health.Merge(all) // its mean is of x less the mean until then
	within, between, n := 0.0, 0.0, 0.0
	for i := f.Offset; i < f.Offset+f.Len; i++ {
		between += spread(chains,
			func(h *observer) (float64, float64, bool) { return h.x[i], h.g[i], h.n > 0 })
	}
	for _, c := range chains {
		for i := f.Offset; i < f.Offset+f.Len; i++ {
			within += c.health.xg[i]
		}
		n += c.health.n
	}
	d := float64(f.Dim())
	between /= d
	value := within/n/d + between
	mcse = math.Hypot(mcse, between)
	t := chains[0].part(k).cfg.Temperature
	return append(out, health.Judged(f.Name, "configurational_temperature", value, t, mcse,
		health.Tolerance*t))
}
