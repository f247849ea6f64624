package main

import (
	"errors"
	"math"
	"strconv"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

const well = "examples/models/double_well.sg"

// The cells of the double well's histogram: of the width 0.01 about −5, −4.99, …, 5. The first and
// the last have what lies beyond.
const (
	wellLow, wellWidth = -5, 0.01
	wellCells          = 1001
)

var wells = []experiment{
	{"doublewell", []string{"scheme", "h", "seed"}, []string{"kl", "xi"}, wellSteps},
	{"doublewell_samples", []string{"scheme", "h", "seed"}, []string{"what", "at", "value"},
		wellSamples},
	{"doublewell_santa", []string{"algorithm", "seed"}, []string{"step", "theta"}, wellSanta},
}

// wellConfig is the protocol of Li et al. (2016), §3: noise N(0, 2Bh) with B = 1 in the gradient's
// impulse, none injected, ξ = 1 and θ = 0 at first, no burn-in.
func wellConfig(scheme, h, seed string, steps int64) (sampler.Config, error) {
	one := 1.0
	c := sampler.DefaultConfig()
	var errs [2]error
	c.Step, errs[0] = strconv.ParseFloat(h, 64)
	c.Seed, errs[1] = strconv.ParseUint(seed, 10, 64)
	c.Sampler, c.Scheme, c.Friction, c.Xi0 = "msgnht", scheme, 0, &one
	c.SyntheticNoise, c.InitRadius = "diffusion:1", 0
	c.Chains, c.Warmup, c.Draws, c.Thin = 1, 0, steps, 1
	return c, errors.Join(errs[:]...)
}

// wellExact is the density at the middle of each cell.
func wellExact(m *model.Model) []float64 {
	e := m.Evaluator(0)
	p, z := make([]float64, wellCells), 0.0
	for i := range p {
		p[i] = math.Exp(e.LogDensity([]float64{wellLow + wellWidth*float64(i)}, nil, 1, 1))
		z += p[i] * wellWidth
	}
	for i := range p {
		p[i] /= z
	}
	return p
}

// cell is where a state is counted.
func cell(x float64) int {
	return int(min(max(math.Round((x-wellLow)/wellWidth), 0), wellCells-1))
}

// wellSteps are chains of 10⁶ steps by step size: the symmetrised KL divergence from the exact
// density, summed over the cells without their width as in the authors' program, and the mean ξ.
func wellSteps(*bench) (all []run, err error) {
	m, err := bound(well, data.Options{})
	if err != nil {
		return nil, err
	}
	exact := wellExact(m)
	for _, h := range []string{"0.001", "0.01", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3"} {
		for _, scheme := range []string{"split", "euler"} {
			for _, seed := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"} {
				all = append(all, run{[]string{scheme, h, seed}, func() ([][]string, error) {
					c, err := wellConfig(scheme, h, seed, 1000000)
					if err != nil {
						return nil, err
					}
					hist, xi := make([]float64, wellCells), 0.0
					diverged, err := states(m, c, func(_ int64, c *sampler.Chain) {
						xi += c.Xi()[0]
						hist[cell(c.Position()[0])]++
					})
					if diverged || err != nil {
						return [][]string{{"diverged", ""}}, err
					}
					n, kl := float64(c.Draws), 0.0
					for i, e := range exact {
						y, e := hist[i]/n/wellWidth+1e-60, e+1e-60
						kl += 0.5 * (y - e) * math.Log(y/e)
					}
					return [][]string{{number(kl, 5), number(xi/n, 5)}}, nil
				}})
			}
		}
	}
	return all, nil
}

// wellSamples are the first 10⁵ steps at the smallest and at a large step size: a histogram in
// cells of 0.1 from −5 to 5, and ξ averaged so far.
func wellSamples(*bench) (all []run, err error) {
	m, err := bound(well, data.Options{})
	if err != nil {
		return nil, err
	}
	for _, h := range []string{"0.001", "0.2"} {
		for _, scheme := range []string{"split", "euler"} {
			for _, seed := range seeds {
				all = append(all, run{[]string{scheme, h, seed}, func() ([][]string, error) {
					c, err := wellConfig(scheme, h, seed, 100000)
					if err != nil {
						return nil, err
					}
					hist, xi := make([]float64, 100), 0.0
					var rows [][]string
					diverged, err := states(m, c, func(step int64, c *sampler.Chain) {
						xi += c.Xi()[0]
						hist[int(min(max((c.Position()[0]+5)*10, 0), 99))]++
						if step%2500 == 0 {
							rows = append(rows, []string{"xi", strconv.FormatInt(step, 10),
								number(xi/float64(step), 4)})
						}
					})
					if diverged {
						err = errors.New("not finite")
					}
					for i, n := range hist {
						rows = append(rows, []string{"density", number(-4.95+0.1*float64(i), 4),
							number(n/float64(c.Draws)/0.1, 4)})
					}
					return rows, err
				}})
			}
		}
	}
	return all, nil
}

// wellSanta are Santa and RMSprop from θ = 4: learning rate t^−0.3/10, β_t = t², exploration in
// the first half of 10,000 steps, σ = 0.9999 and v = 0 at first.
func wellSanta(*bench) (all []run, err error) {
	m, err := bound(well, data.Options{})
	if err != nil {
		return nil, err
	}
	ptr := func(x float64) *float64 { return &x }
	for _, name := range []string{"santa", "rmsprop"} {
		for _, seed := range seeds {
			all = append(all, run{[]string{name, seed}, func() ([][]string, error) {
				c := optimize.DefaultConfig()
				if c.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
					return nil, err
				}
				c.Algorithm, c.Init, c.Decay = name, [][]float64{{4}}, ptr(0.9999)
				c.Schedule = "poly:0.1,1,0.3"
				if name == "santa" { // its h is the root of the learning rate
					c.Schedule = "poly:0.31622776601683794,1,0.15"
					c.AnnealA, c.AnnealGamma, c.V0 = ptr(1), ptr(2), ptr(0)
				}
				ch, err := optimize.NewChain(m, nil, c, 0)
				if err != nil {
					return nil, err
				}
				rows := [][]string{{"0", "4"}}
				for next := int64(1); !ch.Done(); {
					if err := ch.Step(); err != nil {
						return nil, err
					}
					if ch.Steps() >= next || ch.Done() {
						rows = append(rows, []string{strconv.FormatInt(ch.Steps(), 10),
							number(ch.Position()[0], 6)})
						next = max(next+1, next*21/20)
					}
				}
				return rows, nil
			}})
		}
	}
	return all, nil
}
