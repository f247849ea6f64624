// Package noisebench is the yardstick for the noise of minibatches: posteriors whose
// variances are known exactly, on R^n, spheres, Stiefel manifolds and simplexes,
// with noise that differs by direction. It runs every sampler on stochastic
// gradients in every order of minibatches, and holds the draws against the exact
// variances, and the verdicts of health against what the draws are.
package noisebench

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// A Quantity is a function of the state whose law is known.
type Quantity struct {
	Name     string
	Of       func(x []float64) float64
	Mean, SD float64
}

// A Case is a posterior with settings for its runs.
type Case struct {
	Name       string
	Target     target.Target
	Quantities []Quantity
	Samplers   []string
	Step       float64
	Friction   float64
	Batch      int
	Draws      int64
}

var (
	flatSamplers = []string{"sgld", "psgld", "sghmc", "sgnht", "msgnht", "geodesic_sghmc",
		"geodesic_sgnht"}
	curvedSamplers = []string{"geodesic_sghmc", "geodesic_sgnht"}
	// Orders are those of minibatches.
	Orders = []string{"replace", "shuffle", "sequential", "blocks"}
)

func coordinate(k int) func(x []float64) float64 {
	return func(x []float64) float64 { return x[k] }
}

func along(u []float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		sum := 0.0
		for i, a := range u {
			sum += a * x[i]
		}
		return sum
	}
}

// even is the unit vector (1, 1, …)/√n.
func even(n int) []float64 {
	u := make([]float64, n)
	for i := range u {
		u[i] = 1 / math.Sqrt(float64(n))
	}
	return u
}

func axis(n, k int) []float64 {
	u := make([]float64, n)
	u[k] = 1
	return u
}

// Cases are the posteriors of the bench.
func Cases() []Case {
	var out []Case
	for _, n := range []int{6, 60} {
		out = append(out, Case{
			Name:   fmt.Sprintf("normal %d, noise along (1, 1, …)", n),
			Target: normal(n).tilt(even(n), 0.3), Samplers: flatSamplers,
			Quantities: []Quantity{{"along", along(even(n)), 0, 1}, {"x[0]", coordinate(0), 0, 1},
				{"x[1] − x[0]", func(x []float64) float64 { return x[1] - x[0] }, 0, math.Sqrt2}},
			Step: 0.05, Friction: 1, Batch: 20, Draws: 60000,
		})
	}
	t, mean, cov := regression(1000, 5)
	r := Case{Name: "regression", Target: t, Samplers: flatSamplers, Step: 0.001, Friction: 1,
		Batch: 50, Draws: 200000}
	total, all := 0.0, 0.0
	for j := range mean {
		r.Quantities = append(r.Quantities,
			Quantity{fmt.Sprintf("w[%d]", j), coordinate(j), mean[j], math.Sqrt(cov[j][j])})
		all += mean[j]
		for k := range mean {
			total += cov[j][k]
		}
	}
	r.Quantities = append(r.Quantities,
		Quantity{"sum", along([]float64{1, 1, 1, 1, 1}), all, math.Sqrt(total)})
	out = append(out, r)
	const kappa = 9
	v := math.Sqrt(sphereVariance(6, kappa))
	out = append(out, Case{
		Name: "sphere in R^6, noise along an axis",
		Target: pulled(target.Geometry{Kind: "sphere", Points: 1, Dim: 6}, kappa,
			0).tilt(axis(6, 1), 0.6), Samplers: curvedSamplers,
		Quantities: []Quantity{{"along", coordinate(1), 0, v}, {"across", coordinate(2), 0, v}},
		Step:       0.03, Friction: 1, Batch: 20, Draws: 60000,
	})
	v = math.Sqrt(stiefelVariance(kappa))
	out = append(out, Case{
		Name: "Stiefel 3 by 2, noise along an entry",
		Target: pulled(target.Geometry{Kind: "stiefel", Points: 1, Dim: 3, Cols: 2}, kappa, 0,
			3).tilt(axis(6, 4), 0.6), Samplers: curvedSamplers,
		Quantities: []Quantity{{"along", coordinate(4), 0, v}, {"across", coordinate(5), 0, v}},
		Step:       0.03, Friction: 1, Batch: 20, Draws: 60000,
	})
	n := []int{120, 60, 15, 5}
	simplex := func(name string, samplers []string, step float64, t target.Target,
		share func([]float64, int) float64) Case {
		c := Case{Name: name, Target: t, Samplers: samplers, Step: step, Friction: 1, Batch: 10,
			Draws: 100000}
		a := 0.0
		for _, m := range n {
			a += float64(m) + 1
		}
		for k, m := range n {
			p := (float64(m) + 1) / a
			c.Quantities = append(c.Quantities,
				Quantity{fmt.Sprintf("pi[%d]", k), func(x []float64) float64 { return share(x, k) },
					p, math.Sqrt(p * (1 - p) / (a + 1))})
		}
		return c
	}
	t, share := ilr(n)
	out = append(out, simplex("simplex by ilr", flatSamplers, 0.03, t, share))
	t, share = expandedMean(n)
	out = append(out, simplex("simplex by expanded_mean", []string{"sgrld"}, 0.002, t, share))
	return out
}

// A Run is what came of one case, sampler and order.
type Run struct {
	Case, Sampler, Order string
	Fisher               bool
	Worst                string  // the quantity whose standard deviation is furthest off
	Ratio                float64 // it over the exact one
	Error                float64 // of Ratio
	Off, Unsure          []string
	Health               []sampler.HealthRow
	Refused              error
}

// wrong is how far a standard deviation may be off.
const wrong = 0.05

// Wrong reports whether a standard deviation is off by more than 5 % and three errors.
func (r *Run) Wrong() bool { return math.Abs(r.Ratio-1) > wrong+3*r.Error || r.Ratio != r.Ratio }

// Green reports whether every verdict is ok.
func (r *Run) Green() bool { return len(r.Off)+len(r.Unsure) == 0 }

func (r *Run) String() string {
	what := "ok"
	if len(r.Off) > 0 {
		what = "off " + fmt.Sprint(r.Off)
	} else if len(r.Unsure) > 0 {
		what = "unsure " + fmt.Sprint(r.Unsure)
	}
	if r.Refused != nil {
		return fmt.Sprintf("%-40s %-15s %-10s refused: %v", r.Case, r.Sampler, r.Order, r.Refused)
	}
	name := r.Sampler
	if r.Fisher {
		name += "+fisher"
	}
	return fmt.Sprintf("%-40s %-22s %-10s sd ratio %.3f ± %.3f (%s), %s", r.Case, name, r.Order,
		r.Ratio, r.Error, r.Worst, what)
}

// Do runs a case with a sampler and an order, of so many chains. With a friction
// above 0 the estimate of the noise is taken out, and that is the friction.
func (c *Case) Do(name, order string, chains int, fisher float64) Run {
	out := Run{Case: c.Name, Sampler: name, Order: order, Fisher: fisher > 0}
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Step, cfg.Friction = name, c.Step, c.Friction
	cfg.Batch, cfg.BatchOrder, cfg.Chains = c.Batch, order, chains
	cfg.Warmup, cfg.Draws = c.Draws/5, c.Draws
	cfg.InitRadius = 0.5
	switch {
	case name == "sgld": // overdamped: a step is a time h, not h²
		cfg.Step = c.Step * c.Step
	case name == "psgld":
		cfg.Step = c.Step * c.Step * float64(c.Target.Rows()) / 100
	case fisher > 0:
		cfg.Fisher, cfg.Friction = true, fisher
	}
	var all []*sampler.Chain
	seen := make([][]float64, len(c.Quantities)) // squares in units of the variance, by batch
	for k := range chains {
		ch, err := sampler.NewChain(c.Target, cfg, k)
		if err != nil {
			out.Refused = err
			return out
		}
		all = append(all, ch)
		const batches = 32
		for i := range cfg.Steps() {
			if err := ch.Step(); err != nil {
				out.Refused = err
				return out
			}
			if i < cfg.Warmup {
				continue
			}
			at := k*batches + int((i-cfg.Warmup)*batches/cfg.Draws)
			for q := range c.Quantities {
				w := &c.Quantities[q]
				for len(seen[q]) <= at {
					seen[q] = append(seen[q], 0)
				}
				z := (w.Of(ch.Position()) - w.Mean) / w.SD
				seen[q][at] += z * z * batches / float64(cfg.Draws)
			}
		}
	}
	c.judge(&out, seen)
	out.take(sampler.Health(all...))
	return out
}

// judge finds the quantity whose standard deviation is furthest off, from means of
// squares in units of the variance, by batch.
func (c *Case) judge(out *Run, seen [][]float64) {
	for q, s := range seen {
		mean, square := 0.0, 0.0
		for _, x := range s {
			mean += x / float64(len(s))
		}
		for _, x := range s {
			square += (x - mean) * (x - mean)
		}
		ratio := math.Sqrt(mean)
		e := math.Sqrt(square/float64(len(s))/float64(len(s)-1)) / (2 * ratio)
		if q == 0 || math.Abs(ratio-1) > math.Abs(out.Ratio-1) {
			out.Worst, out.Ratio, out.Error = c.Quantities[q].Name, ratio, e
		}
	}
}

// take has the verdicts of health.
func (out *Run) take(health []sampler.HealthRow) {
	out.Health = health
	for _, r := range out.Health {
		switch r.Verdict {
		case "off":
			out.Off = append(out.Off, r.Statistic)
		case "unsure":
			out.Unsure = append(out.Unsure, r.Statistic)
		}
	}
	slices.Sort(out.Off)
	slices.Sort(out.Unsure)
}
