package tall

import (
	"context"
	"math"
	"math/bits"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

const (
	pilotChains     = 4
	pilotIterations = 150 // least number of iterations
	longestPilot    = 600
	pilotRows       = 10000 // least number of rows; at least 20 for each coordinate
	// A trajectory of the pilot reads at most this many rows, or has 63 steps.
	pilotTrajectory = 1 << 20
	// modesRhat is the split R-hat of the pilot above which its chains count as disagreeing.
	modesRhat = 1.2
	// agreeRhat is the R-hat below which the pilot is long enough.
	agreeRhat = 1.1
	// apartRhat is the R-hat above which a longer pilot is not tried: the chains are at different
	// modes, as for networks, or far from their target.
	apartRhat = 2
)

// A pilot has the results of short chains of nuts on some of the rows.
type pilot struct {
	rows     int // of the subset
	weight   float64
	states   [][]float64 // by chain, one state after another
	mean     []float64
	cov      []float64 // d × d by rows; only its diagonal where d > denseLimit
	rhat     float64   // the largest over coordinates
	worst    int       // the coordinate of rhat
	perStep  float64   // gradients per iteration, in the second half
	ess      float64   // the smallest over coordinates, per iteration
	diverged int       // iterations of the second half that diverged
	count    int64     // rows evaluated
}

// denseLimit is the most coordinates for which L is a full triangle.
const denseLimit = 1500

// PilotSize returns how many of n rows the pilot takes for d unknowns.
func PilotSize(n, d int) int { return min(n, max(pilotRows, 20*d)) }

// runPilot runs the pilot until its chains agree, until they clearly disagree, or for longestPilot
// iterations.
func runPilot(ctx context.Context, t target.Target, set Settings, o loop.Options) (*pilot, error) {
	seed, weight := set.Seed, set.Weight
	n, d := t.Rows(), t.Dim()
	p := &pilot{rows: PilotSize(n, d), weight: weight, states: make([][]float64, pilotChains)}
	src := rng.New(seed, 0, purposePilot).At(0)
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Warmup, cfg.Draws, cfg.Chains = "nuts", longestPilot, 0, pilotChains
	cfg.Seed, cfg.Init, cfg.InitRadius = src.Uint64(), set.Init, set.Radius
	cfg.MaxDepth = min(max(bits.Len(uint(pilotTrajectory/p.rows))-1, 6), 10)
	of, err := pick.Some(t, p.rows, weight, rng.New(seed, 0, purposePilotRows))
	if err != nil {
		return nil, err
	}
	if c, ok := t.(*chart.Target); ok {
		some, err := pick.Some(c.Target, p.rows, weight, rng.New(seed, 0, purposePilotRows))
		if err != nil {
			return nil, err
		}
		if cfg.Init, err = startsIn(c, set, some); err != nil {
			return nil, err
		}
	}
	if cfg, err = cfg.Resolve(of); err != nil {
		return nil, err
	}
	chains := make([]*sampler.Chain, pilotChains)
	for k := range chains {
		if chains[k], err = sampler.NewChain(of, cfg, k); err != nil {
			return nil, err
		}
	}
	for length := pilotIterations; ; length *= 2 {
		if err := p.advance(ctx, chains, length, o); err != nil {
			return nil, err
		}
		if p.judge(d); p.rhat <= agreeRhat || p.rhat > apartRhat || length >= longestPilot {
			return p, nil
		}
	}
}

// advance continues the chains to a number of iterations, and keeps the states of the second half.
func (p *pilot) advance(
	ctx context.Context, chains []*sampler.Chain, length int, o loop.Options,
) error {
	gradients, all, diverged := make([]float64, len(chains)), make([]int64, len(chains)),
		make([]int, len(chains))
	err := loop.Each(ctx, len(chains), loop.Options{Threads: o.Threads},
		func(ctx context.Context, k int, _ loop.Options) error {
			p.states[k] = p.states[k][:0]
			for c := chains[k]; c.Steps() < int64(length); {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := c.Step(); err != nil {
					return err
				}
				s := c.Stats()
				all[k] += int64(s.Leapfrogs)
				if c.Steps() <= int64(length/2) {
					continue
				}
				gradients[k] += float64(s.Leapfrogs)
				if s.Diverging {
					diverged[k]++
				}
				p.states[k] = append(p.states[k], c.Position()...)
			}
			return nil
		})
	p.perStep, p.diverged = 0, 0
	for k := range chains {
		p.perStep += gradients[k] / float64(len(chains)*length/2)
		p.diverged += diverged[k]
		p.count += all[k] * int64(p.rows)
	}
	return err
}

// judge computes mean, covariance, R-hat and effective sizes of the states.
func (p *pilot) judge(d int) {
	p.mean = make([]float64, d)
	n := 0.0
	for _, s := range p.states {
		for at := 0; at < len(s); at += d {
			n++
			for i := range p.mean {
				p.mean[i] += s[at+i]
			}
		}
	}
	for i := range p.mean {
		p.mean[i] /= n
	}
	dense := d <= denseLimit
	if dense {
		p.cov = make([]float64, d*d)
	} else {
		p.cov = make([]float64, d)
	}
	dev := make([]float64, d)
	for _, s := range p.states {
		for at := 0; at < len(s); at += d {
			for i, m := range p.mean {
				dev[i] = s[at+i] - m
			}
			for i, x := range dev {
				if !dense {
					p.cov[i] += float64(x*x) / (n - 1)
					continue
				}
				for j := range i + 1 {
					p.cov[i*d+j] += float64(x*dev[j]) / (n - 1)
				}
			}
		}
	}
	if dense {
		for i := range d {
			for j := range i {
				p.cov[j*d+i] = p.cov[i*d+j]
			}
		}
	}
	var w diagnose.Workspace
	series := make([][]float64, len(p.states))
	p.rhat, p.ess = 1, math.Inf(1)
	for i := range d {
		for k, s := range p.states {
			series[k] = series[k][:0]
			for at := i; at < len(s); at += d {
				series[k] = append(series[k], s[at])
			}
		}
		if r := w.Rhat(series); r > p.rhat {
			p.rhat, p.worst = r, i
		}
		p.ess = min(p.ess, w.ESSBulk(series)/n)
	}
}

// spread returns a whitening map from the pilot's mean and its covariance times a number. The
// covariance is shrunk towards its diagonal, since few states give poor estimates of many
// correlations.
func (p *pilot) spread(by float64) *whitening.Map {
	d := len(p.mean)
	w := whitening.New(p.mean, d <= denseLimit)
	n := float64(float64(len(p.states)*len(p.states[0])/d) * min(p.ess, 1))
	keep := n / (n + 5 + float64(d))
	if w.Chol == nil {
		for i, v := range p.cov {
			w.Diag[i] = math.Sqrt(by * max(v, 1e-300))
		}
		return w
	}
	a := make([]float64, d*d)
	for i, v := range p.cov {
		a[i] = keep * by * v
	}
	for i := range d {
		a[i*d+i] = by * max(p.cov[i*d+i], 1e-300)
	}
	c, ok := whitening.Factor(a, d)
	if !ok {
		c = make([]float64, d*d)
		for i := range d {
			c[i*d+i] = math.Sqrt(a[i*d+i])
		}
	}
	w.Chol = c
	return w
}
