package approximate

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Sequential Monte Carlo (Del Moral, Doucet and Jasra 2006, "Sequential Monte Carlo samplers",
// section 3.3.2.3) takes particles from a wide normal law q to the posterior p through the
// densities q^(1−t) p^t. The temperatures t are such that each step keeps a conditional effective
// sample size (Zhou, Johansen and Aston 2016, "Toward automatic model comparison: an adaptive
// sequential Monte Carlo approach", section 3.4.2). Particles are resampled systematically and in
// order, so that those with a common ancestor are neighbours, and moved by Hamiltonian
// trajectories.
const (
	keptShare   = 0.9  // conditional effective share of a step
	resampledAt = 0.5  // effective share below which particles are resampled
	nearestEnd  = 1e-8 // 1 − t, below which the posterior is not reached
	leastWidth  = 2    // standard deviation of a coordinate under q
	startWidth  = 2    // standard deviations under q, in those of the starting points
	leastLive   = 20   // particles at which the density is not zero
)

// A Tempering says how runs of smc went.
type Tempering struct {
	Runs         int     `json:"runs"`
	Particles    int     `json:"particles"`    // of a run
	Temperatures int     `json:"temperatures"` // of the run with most
	LogEvidence  float64 `json:"log_evidence"` // logarithm of the mean of the runs' estimates
	Error        float64 `json:"log_evidence_error"`
	Spread       float64 `json:"log_evidence_sd"` // between the estimates of runs
	LeastESS     float64 `json:"least_ess"`       // of a run's particles, on the way
	Accepted     float64 `json:"accepted"`        // least mean acceptance at a temperature
	// Drift is the most that moves of the finished particles change a mean, or a mean distance
	// from the mean, beyond noise, in standard deviations, and DriftOf the coordinate.
	Drift   float64 `json:"drift"`
	DriftOf string  `json:"drift_of,omitempty"`
	// Kept is the largest correlation of a coordinate before and after these moves, and Roots the
	// effective number, of all runs, of the particles at the start that draws come from.
	Kept   float64 `json:"kept"`
	KeptOf string  `json:"kept_of,omitempty"`
	Roots  float64 `json:"roots"`
}

// Particles are the draws of smc, a cloud for each run.
type Particles struct {
	Tempering
	clouds []*cloud
	calls  int
}

// A cloud is the particles of a run, in the coordinates of a space.
type cloud struct {
	f          *finder
	in         *space
	law        *Normal // q
	run, n, d  int
	z, grad    []float64 // of particles, one after the other; grad is that of log p
	logp, logq []float64
	weight     []float64 // sum to one
	root       []int32   // the particle at the start that each comes from
	t          float64
	evidence   float64 // logarithm
	step       float64 // of trajectories
	sweeps     int
	steps      int     // temperatures
	least      float64 // effective number
	accepted   float64
	movers     []*mover  // by worker
	before     []float64 // z, before the moves by which drift is seen
}

// sampleSMC is the method smc: as many independent runs as there are chains.
func sampleSMC(f *finder) (*Particles, error) {
	in, law, err := f.wide()
	if err != nil {
		return nil, err
	}
	runs := f.c.Chains
	p := &Particles{Tempering: Tempering{Runs: runs, LeastESS: math.Inf(1), Accepted: 1,
		Particles: int((f.c.Candidates + int64(runs) - 1) / int64(runs))}}
	logs := make([]float64, runs)
	for k := range runs {
		f.tell("run %d of %d: %d particles", k+1, runs, p.Particles)
		c, err := f.cloud(in, law, k, p.Particles)
		if err != nil {
			return nil, err
		}
		if err := c.temper(); err != nil {
			return nil, err
		}
		if err := c.goOn(); err != nil {
			return nil, err
		}
		logs[k] = c.evidence
		p.Temperatures = max(p.Temperatures, c.steps)
		p.LeastESS, p.Accepted = min(p.LeastESS, c.least), min(p.Accepted, c.accepted)
		for _, m := range c.movers {
			if m != nil {
				p.calls += m.calls
			}
		}
		c.movers, c.grad, c.weight = nil, nil, nil
		p.clouds = append(p.clouds, c)
	}
	p.summarise(logs)
	p.drifts()
	return p, nil
}

// summarise computes the evidence of several runs: the logarithm of the mean of estimates that
// have no bias but for the choice of temperatures and steps, with its error by the delta method.
func (p *Particles) summarise(logs []float64) {
	n := float64(len(logs))
	p.LogEvidence = logSumExp(logs) - special.Log(n)
	mean, between, relative := 0.0, 0.0, 0.0
	for _, v := range logs {
		mean += v / n
		r := special.Exp(v-p.LogEvidence) - 1
		relative += float64(r*r) / (n - 1)
	}
	for _, v := range logs {
		between += float64((v-mean)*(v-mean)) / (n - 1)
	}
	p.Spread, p.Error = math.Sqrt(between), math.Sqrt(relative/n)
}

// wide is the law at t = 0: normal, with the means of starting points and at least twice their
// standard deviations.
func (f *finder) wide() (*space, *Normal, error) {
	starts, err := f.starts()
	if err != nil {
		return nil, nil, err
	}
	in := spaceOf(f.t, starts[0])
	e := in.evaluator(1)
	d := in.dim()
	z, mean, sd := make([]float64, d), make([]float64, d), make([]float64, d)
	count := 0.0
	for _, x := range starts {
		if math.IsInf(e.coordinates(x, z), -1) {
			continue
		}
		count++
		for i, v := range z { // Welford's sums
			before := v - mean[i]
			mean[i] += before / count
			sd[i] += float64(before * (v - mean[i]))
		}
	}
	for i, v := range sd {
		sd[i] = max(startWidth*math.Sqrt(v/max(count-1, 1)), leastWidth)
	}
	return in, newLow(mean, sd, nil, nil), nil
}

// cloud draws the particles of a run from q.
func (f *finder) cloud(in *space, law *Normal, run, n int) (*cloud, error) {
	d := in.dim()
	c := &cloud{f: f, in: in, law: law, run: run, n: n, d: d, z: make([]float64, n*d),
		grad: make([]float64, n*d), logp: make([]float64, n), logq: make([]float64, n),
		weight: make([]float64, n), root: make([]int32, n), least: float64(n), accepted: 1,
		step: firstMove / special.Pow(float64(d), 0.25)}
	stream := rng.New(f.c.Seed, run, purposeParticle)
	live := 0
	err := c.each(func(m *mover, i int) {
		z := c.z[i*d : (i+1)*d]
		stream.Normals(uint64(i), m.p)
		law.point(m.p, z, m.next)
		c.logq[i] = law.logAt(m.p)
		c.logp[i] = m.density(z, c.grad[i*d:(i+1)*d])
		c.root[i] = int32(i)
	})
	if err != nil {
		return nil, err
	}
	for _, v := range c.logp {
		if !math.IsInf(v, -1) {
			live++
		}
	}
	if live < leastLive {
		return nil, refusal("the density is zero, or not a number, at %d of %d particles of the law "+
			"that smc begins with; {init} with a point or a smaller radius moves it", n-live, n)
	}
	for i, v := range c.logp {
		if !math.IsInf(v, -1) {
			c.weight[i] = 1 / float64(live)
		}
	}
	c.evidence = special.Log(float64(live) / float64(n))
	return c, nil
}

// temper takes the particles to the posterior, where all have one weight.
func (c *cloud) temper() error {
	for c.t < 1 {
		if c.steps == c.f.c.Iterations {
			return refusal("%d temperatures are over, and the last is %.2g, not 1: the posterior is "+
				"far from the law that smc begins with, or improper; {init} moves that law",
				c.steps, c.t)
		}
		by := c.next()
		c.steps++
		c.reweigh(by)
		if c.t += by; by == 0 || c.t < 1 && 1-c.t < nearestEnd {
			return refusal("the temperatures come near to 1 and never there: the posterior is improper, " +
				"or much wider than the law that smc begins with; {init} with a larger radius widens it")
		}
		ess := c.effective()
		c.least = min(c.least, ess)
		if c.t == 1 || ess < resampledAt*float64(c.n) {
			c.resample()
		}
		if err := c.move(); err != nil {
			return err
		}
	}
	return nil
}

// ratio is log p − log q of a particle; −∞ where p is zero.
func (c *cloud) ratio(i int) float64 { return c.logp[i] - c.logq[i] }

// kept is the conditional effective share of a step of t.
func (c *cloud) kept(by float64) float64 {
	top := math.Inf(-1)
	for i, w := range c.weight {
		if w > 0 {
			top = max(top, c.ratio(i))
		}
	}
	one, two := 0.0, 0.0
	for i, w := range c.weight {
		if w > 0 {
			v := special.Exp(by * (c.ratio(i) - top))
			one += float64(w * v)
			two += float64(float64(w*v) * v)
		}
	}
	return one * one / two
}

// next is the longest step of t that keeps the share, by bisection.
func (c *cloud) next() float64 {
	low, high := 0.0, 1-c.t
	if c.kept(high) >= keptShare {
		return high
	}
	for range 400 {
		middle := (low + high) / 2
		if c.kept(middle) >= keptShare {
			low = middle
		} else {
			high = middle
		}
		if high-low < 1e-3*low {
			break
		}
	}
	return low
}

// reweigh multiplies the weights by the powers of the ratios, and takes the mean of these into
// the evidence.
func (c *cloud) reweigh(by float64) {
	logs := make([]float64, c.n)
	for i, w := range c.weight {
		logs[i] = math.Inf(-1)
		if w > 0 {
			logs[i] = special.Log(w) + float64(by*c.ratio(i))
		}
	}
	total := logSumExp(logs)
	c.evidence += total
	for i, v := range logs {
		c.weight[i] = special.Exp(v - total)
	}
}

// effective is the effective number of the weights.
func (c *cloud) effective() float64 { return 1 / kernel.Dot(c.weight, c.weight) }

// resample draws the particles by their weights: systematically, with one random number, in
// order.
func (c *cloud) resample() {
	src := rng.New(c.f.c.Seed, c.run, purposeWeights).At(uint64(c.steps))
	u := src.Float64()
	last := c.n - 1
	for c.weight[last] == 0 { // rounding must not choose it
		last--
	}
	from, sum := 0, c.weight[0]
	old := *c
	c.z, c.grad = make([]float64, c.n*c.d), make([]float64, c.n*c.d)
	c.logp, c.logq, c.root = make([]float64, c.n), make([]float64, c.n), make([]int32, c.n)
	for i := range c.n {
		for want := (float64(i) + u) / float64(c.n); sum <= want && from < last; {
			from++
			sum += c.weight[from]
		}
		copy(c.z[i*c.d:(i+1)*c.d], old.z[from*c.d:(from+1)*c.d])
		copy(c.grad[i*c.d:(i+1)*c.d], old.grad[from*c.d:(from+1)*c.d])
		c.logp[i], c.logq[i], c.root[i] = old.logp[from], old.logq[from], old.root[from]
	}
	for i := range c.weight {
		c.weight[i] = 1 / float64(c.n)
	}
}

// each calls do for each particle, several at once.
func (c *cloud) each(do func(m *mover, i int)) error {
	const part = 32
	parts := (c.n + part - 1) / part
	if c.movers == nil {
		c.movers = make([]*mover, parts)
	}
	return loop.Parallel(c.f.ctx, parts, c.f.threads, func(worker, k int) error {
		if c.movers[worker] == nil {
			c.movers[worker] = newMover(c.in)
		}
		for i := k * part; i < min((k+1)*part, c.n); i++ {
			do(c.movers[worker], i)
		}
		return c.f.ctx.Err()
	})
}

// particle is the number of the particle of a run that is draw index of n.
func (p *Particles) particle(index, n int64) int {
	return int((2*index + 1) * int64(p.Particles) / (2 * n))
}
