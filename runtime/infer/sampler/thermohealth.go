package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// thermoHealth judges the thermostats of one block. The law is ξ ~ N(D + (V − V̂) h/(2T), T/d),
// with d the dimension under one thermostat. Its time scale is known: unless ξ̄ is small, ⟨v²⟩
// follows ξ as (D + Vh/2T)T/ξ, so that ξ returns at the rate T/ξ̄, and it takes at least about
// 1/√T. A short run underestimates Monte Carlo errors, so the larger of the measured and the
// theoretical error is used.
type thermoHealth struct {
	c      *Chain
	p      *part
	f      *flow.Factor
	chains []*Chain
	k      int
	sd     float64 // √(T/d), the standard deviation of ξ
	time   float64 // time of all chains after the warm-up
	least  float64 // time of one chain
	count  float64 // number of chains
	mean   float64 // ξ̄
	mcse   float64
}

// appendThermostat appends the rows of a block's thermostats: ξ̄ − D, its meaning for the
// gradient's noise, Var ξ and, if it is off, the kinetic temperature.
func (c *Chain) appendThermostat(
	out []health.Row, f *flow.Factor, chains []*Chain, k int,
) []health.Row {
	all := collect(chains, k, (*blockHealth).xiSeries)
	if len(all) == 0 {
		return out
	}
	p := c.part(k)
	t := p.cfg.Temperature
	q := &thermoHealth{c: c, p: p, f: f, chains: chains, k: k, sd: math.Sqrt(t / p.dofs(f)),
		least: math.Inf(1)}
	for _, o := range chains {
		if n := o.health.nXi; n > 0 {
			time := float64(n * float64(o.health.stride) * o.lastSize(o.part(k)))
			q.time += time
			q.least = min(q.least, time)
			q.count++
		}
	}
	q.mean, q.mcse = health.Merge(all)
	q.mcse = max(q.mcse, q.theoryError(f.XiLen))
	if q.least < q.memory() { // ξ is still near its start
		q.mcse = max(q.mcse, q.sd)
	}
	out = q.kinetic(out)
	out = q.excess(out)
	return q.variance(out)
}

// memory returns twice the integrated autocorrelation time of ξ.
func (q *thermoHealth) memory() float64 {
	t := q.p.cfg.Temperature
	return 2*max(q.mean, 0)/t + 1/math.Sqrt(t)
}

// squareMemory returns twice the integrated autocorrelation time of (ξ − ξ̄)².
func (q *thermoHealth) squareMemory() float64 {
	t := q.p.cfg.Temperature
	return max(q.mean, 0)/t + 2/math.Sqrt(t)
}

// theoryError returns the standard error of the mean of n thermostats.
func (q *thermoHealth) theoryError(n int) float64 {
	return q.sd * math.Sqrt(q.memory()/q.time/float64(n))
}

// kinetic appends the row of the kinetic temperature if it is off. In the long run ⟨v·v/d⟩ = T +
// (ξ_n − ξ_0)/(n h) even if the draws are wrong. A difference beyond the thermostats' fluctuation
// shows that they had not settled.
func (q *thermoHealth) kinetic(out []health.Row) []health.Row {
	all := collect(q.chains, q.k, (*blockHealth).kineticSeries)
	if len(all) == 0 {
		return out
	}
	t := q.p.cfg.Temperature
	value, mcse := health.Merge(all)
	if q.f.Grain == flow.Coordinate || q.f.Grain == flow.Point {
		seen := 0.0
		for _, s := range all {
			seen += float64(s.N)
		}
		wander := q.sd * math.Sqrt(2*q.count/float64(q.f.XiLen)) / q.time
		mcse = math.Hypot(wander, t*math.Sqrt(2/seen/float64(q.f.Dim())))
	}
	if v := health.Judge(value, t, mcse, health.Tolerance*t); v == "off" {
		return append(out, health.Row{Block: q.f.Name, Statistic: "kinetic_temperature",
			Value: value, Expected: t, MCSE: mcse, Verdict: v})
	}
	return out
}

// excess appends the row of ξ̄ − D. Below the expected value, the dynamics lose energy, since the
// step is too large. Above D, it measures the noise of the gradient, which is harmless unless
// passes without replacement cancel that noise.
func (q *thermoHealth) excess(out []health.Row) []health.Row {
	c, p, f := q.c, q.p, q.f
	t, h := p.cfg.Temperature, p.schedule.At(0)
	known := c.knownNoise(p)
	excess, expected := q.mean-p.cfg.Friction, math.NaN()
	if p.schedule.Constant() {
		expected = (known - c.meanNoise(p, f.Offset, f.Len)) * h / (2 * t)
	}
	row := health.Row{Block: f.Name, Statistic: "xi_minus_friction", Value: excess,
		Expected: expected, MCSE: q.mcse}
	if math.IsNaN(expected) {
		allowed := health.XiTolerance * max(p.cfg.Friction, q.sd)
		row.Verdict = health.Judge(min(excess, 0), 0, q.mcse,
			max(allowed, health.XiTolerance*excess))
		if row.Verdict == "ok" && c.reshuffles() {
			row.Verdict = q.narrowing(excess)
		}
	} else {
		row.Verdict = health.Judge(excess, expected, q.mcse,
			health.XiTolerance*max(p.cfg.Friction+max(expected, 0), q.sd))
	}
	out = append(out, row)
	if p.schedule.Constant() {
		out = append(out, health.Row{Block: f.Name, Statistic: "gradient_noise",
			Value: c.meanNoise(p, f.Offset, f.Len) + 2*t*excess/h, Expected: known,
			MCSE: 2 * t * q.mcse / h})
	}
	return out
}

// variance appends the row of Var ξ about the mean of each chain. That is too low by the variance
// of these means: the theoretical value of the latter is added, and counted as an error too. (The
// spread of the chains does not give it: chains that label clusters differently have different
// thermostats.)
func (q *thermoHealth) variance(out []health.Row) []health.Row {
	f := q.f
	_, mcse := health.Merge(collect(q.chains, q.k, (*blockHealth).xiVarSeries))
	value, n := 0.0, 0.0
	for _, c := range q.chains {
		for i := f.XiAt; i < f.XiAt+f.XiLen; i++ {
			value += c.health.xiVar.at(i)
		}
		n += c.health.nXi
	}
	expected := float64(q.sd * q.sd)
	// The variance of a mean over the time t, for the autocorrelation e^{−s/τ}.
	short := float64(expected * real(triangle(complex(2*q.time/q.count/q.memory(), 0))))
	value = value/n/float64(f.XiLen) + short
	mcse = max(mcse, short, expected*math.Sqrt(2*q.squareMemory()/q.time/float64(f.XiLen)))
	if q.least < q.memory() {
		mcse = math.Inf(1)
	}
	return append(out, health.Judged(f.Name, "xi_variance", value, expected, mcse,
		health.VarianceTolerance*expected))
}

// dofs returns the intrinsic dimension under one thermostat of a block.
func (p *part) dofs(f *flow.Factor) float64 {
	switch f.Grain {
	case flow.Coordinate:
		return 1
	case flow.Point:
		return float64(f.Space.Dim())
	}
	d := 0
	for i := range p.state.Factors {
		d += p.state.Factors[i].Dim()
	}
	return float64(d)
}

// exact reports whether every minibatch has all rows, each once.
func (c *Chain) exact() bool {
	return c.cfg.Batch >= c.target.Rows() && c.cfg.BatchOrder != string(batch.Replace)
}

// knownNoise returns the variance V of the gradient's noise that is added to a part on purpose; NaN
// with minibatches, whose noise is unknown.
func (c *Chain) knownNoise(p *part) float64 {
	if c.batches != nil && !c.exact() {
		return math.NaN()
	}
	// Diffusion N(0, 2Bh) in the impulse h ∇Ũ corresponds to V = 2B/h.
	v := float64(c.gradientSD * c.gradientSD)
	if b := p.state.Diffusion; b > 0 {
		v += 2 * b / p.schedule.At(0)
	}
	return v
}
