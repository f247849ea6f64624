package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// An observer accumulates, block by block, the statistics of the dynamics whose values are known
// from theory, over the steps after the warm-up. With constant friction that is the kinetic
// temperature. A thermostat forces the kinetic temperature to T even if the draws are wrong. There
// the statistics are the mean and variance of the thermostats and the configurational temperature
// E[(x − x̄)·∇Ũ]/d (curvedHealth if x is on a curved space).
type observer struct {
	from   int64 // the first step that is observed
	stride int64
	// phase is the remainder, modulo stride, of observed steps. Where few are observed it is that of
	// the steps after which draws are taken, when the state is complete anyway.
	phase  int64
	dim    int
	blocks []blockHealth
	// Running means and co-moments, by coordinate and by thermostat variable:
	n, nXi     float64
	x, g, xg   record
	xx         record // for x, where the order of minibatches matters
	xi, xiVar  record
	velocity   bool // the velocity of some block is observed
	curved     curvedHealth
	mirrored   mirroredHealth
	accept     health.Series // for samplers with a Metropolis test
	directions directions
	terms      []float64
}

// A blockHealth has the scalar series of one block.
type blockHealth struct {
	kinetic, xi, xiVar, config health.Series
	along                      health.Series // for curved blocks, see curvedHealth
	temperature                float64
	still                      bool // the chain has no velocity
	thermostat                 bool
}

// longRun is the number of steps above which only every tenth step is observed, since an
// observation costs about as much as a step. In runs longer still, and for a state of many
// coordinates, over which each observation averages, it is every fiftieth step, for very many every
// hundredth.
const (
	longRun         = 20000
	longerRun       = 200000
	manyCoordinates = 10000
	veryMany        = 100000
)

// healthStride is the number of steps between observations.
func healthStride(steps int64, dim int) int64 {
	switch {
	case steps <= longRun:
		return 1
	case dim >= veryMany:
		return 100
	case dim >= manyCoordinates || steps > longerRun:
		return 50
	}
	return 10
}

func newHealth(c *Chain) *observer {
	s := c.state
	h := &observer{from: c.cfg.Warmup,
		stride: healthStride(c.cfg.BegunSteps()-c.cfg.Warmup, len(s.X)), dim: len(s.X),
		velocity: c.any(func(p *part) bool { return p.row.Velocity && !p.row.Tree })}
	if every := residentStride(&c.cfg, h.dim); every > 1 {
		h.stride = max(h.stride, every)
		h.phase = h.stride - 1
	}
	if h.stride > 10 {
		h.phase = h.stride - 1
	}
	h.blocks = make([]blockHealth, len(s.Factors))
	for k := range h.blocks {
		p := c.part(k)
		h.blocks[k].temperature, h.blocks[k].thermostat, h.blocks[k].still = p.cfg.Temperature,
			p.row.Thermostat(), !p.row.Velocity || p.row.Tree
	}
	h.terms = make([]float64, min(max(h.dim, len(s.Xi)), 1024))
	zeros := func(n int) record { return newRecord(n, c.singleRecords(), len(h.terms)) }
	h.x, h.g, h.xg = zeros(h.dim), zeros(h.dim), zeros(h.dim)
	if c.reshuffles() && c.any(func(p *part) bool { return p.row.Thermostat() }) {
		h.xx = zeros(h.dim)
	}
	h.xi, h.xiVar = zeros(len(s.Xi)), zeros(len(s.Xi))
	h.curved, h.mirrored = newCurvedHealth(c), newMirroredHealth(s)
	h.directions = newDirections(c)
	return h
}

// wants reports whether step t, counted from 0, is observed.
func (h *observer) wants(t int64) bool { return t >= h.from && (t-h.from)%h.stride == h.phase }

// gradient observes (x, ∇Ũ) at the point of the gradient, before the chain's step.
func (h *observer) gradient(c *Chain) {
	s := c.state
	h.n++
	inv := 1 / h.n
	for k := range s.Factors {
		f := &s.Factors[k]
		if !f.Flat {
			if space, subspaces := f.Space.(*manifold.Grassmann); subspaces {
				h.subspaceGradient(s, k, space)
			} else if !f.Framed() { // in frames, coordinates do not satisfy the identity
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
			x, g, xg := h.x.open(at, end), h.g.open(at, end), h.xg.open(at, end)
			kernel.WatchPair(s.X[at:end], s.Force[at:end], x, g, xg, t, inv)
			if !h.xx.empty() {
				h.squares(s.X[at:end], x, at)
			}
			h.x.close(at, x)
			h.g.close(at, g)
			h.xg.close(at, xg)
			sum += kernel.Sum(t)
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
	watched := 0 // several blocks may share a thermostat
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
				xi, squares := h.xi.open(at, end), h.xiVar.open(at, end)
				kernel.Watch(x, xi, squares, t, inv)
				h.xi.close(at, xi)
				h.xiVar.close(at, squares)
				watched = end
			} else {
				for i, a := range x {
					d := a - h.xi.at(at+i)
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

// Health returns the statistics of a run, computed over its chains, which must have the same
// settings. Before the end of the warm-up there are none. For latent values of rows, it runs some
// of their chains for observation, which takes a moment.
func Health(chains ...*Chain) []health.Row {
	return append(ofSteps(chains), localHealth(chains)...)
}

// ofSteps returns the statistics that were accumulated during the steps.
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
	out = appendReplicas(appendEnergies(appendAcceptance(out, chains), chains), chains)
	out = appendPermutations(out, chains)
	return appendFisher(appendCycles(out, chains), chains)
}

// Health returns the statistics of this chain alone that were accumulated during its steps.
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

// appendRow appends the row of a statistic that is a mean.
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

// appendConfigurational appends the row of E[(x − x̄)·∇Ũ]/d. Within a chain the estimate is too low
// by the covariance of the chain's means of x and ∇Ũ, which is large in a short run. The covariance
// is estimated across chains, added, and counted as an error too.
func appendConfigurational(out []health.Row, f *flow.Factor, chains []*Chain, k int) []health.Row {
	all := collect(chains, k, (*blockHealth).configSeries)
	if len(all) == 0 {
		return out
	}
	_, mcse := health.Merge(all) // its mean uses the running mean of x
	within, between, n := 0.0, 0.0, 0.0
	for i := f.Offset; i < f.Offset+f.Len; i++ {
		between += spread(chains,
			func(h *observer) (float64, float64, bool) { return h.x.at(i), h.g.at(i), h.n > 0 })
	}
	for _, c := range chains {
		for i := f.Offset; i < f.Offset+f.Len; i++ {
			within += c.health.xg.at(i)
		}
		n += c.health.n
	}
	d := float64(f.Dim())
	between /= d
	value := within/n/d + between
	mcse = math.Hypot(mcse, between)
	return append(out, chains[0].part(k).configurational(f.Name, value, mcse))
}

// configurational returns the row of the configurational temperature of a block.
func (p *part) configurational(block string, value, mcse float64) health.Row {
	t := p.cfg.Temperature
	judge := health.Judge
	if p.row.Metropolis {
		judge = health.JudgeExact
	}
	return health.Row{Block: block, Statistic: "configurational_temperature", Value: value,
		Expected: t, MCSE: mcse, Verdict: judge(value, t, mcse, health.Tolerance*t)}
}
