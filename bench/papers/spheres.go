package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/special"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

var spheres = []experiment{
	{"circle", []string{"sampler", "seed"}, []string{"what", "at", "value"}, circleRuns},
	{"mixture", []string{"sampler", "seed"}, []string{"what", "at", "value"}, mixtureRuns},
	{"mises", []string{"d", "sampler", "seed"}, []string{"exact", "mean", "mcse", "sd ratio",
		"length"}, misesRuns},
}

// A sphereRun is a sampler with its settings.
type sphereRun struct {
	name string
	set  func(c *sampler.Config)
}

// circleSamplers have noise of variance 1000 in every gradient, but for gmc, and h = 0.01.
var circleSamplers = []sphereRun{
	{"SGGMC", func(c *sampler.Config) { c.Sampler, c.GradNoise = "geodesic_sghmc", 1000 }},
	{"SGGMC, V ignored", func(c *sampler.Config) { c.Sampler = "geodesic_sghmc" }},
	{"gSGNHT", func(c *sampler.Config) { c.Sampler = "geodesic_sgnht" }},
	{"GMC", func(c *sampler.Config) {
		c.Sampler, c.SyntheticNoise, c.Leapfrog, c.Thin, c.Step = "gmc", "", 10, 1, 0.3
	}},
	{"SGGMC, 100 steps a draw", func(c *sampler.Config) {
		c.Sampler, c.GradNoise, c.Thin = "geodesic_sghmc", 1000, 100
	}},
	{"SGGMC, V ignored, 100 steps a draw", func(c *sampler.Config) {
		c.Sampler, c.Thin = "geodesic_sghmc", 100
	}},
	{"gSGNHT, 100 steps a draw", func(c *sampler.Config) {
		c.Sampler, c.Thin = "geodesic_sgnht", 100
	}},
}

// bins of angles from −π to π, or of a narrower range.
const bins = 60

// angleBins counts an angle.
type angleBins struct {
	lo, hi float64
	count  [bins]float64
	n      float64
}

func (a *angleBins) add(x, weight float64) {
	a.n += weight
	if x >= a.lo && x < a.hi {
		a.count[min(int((x-a.lo)/(a.hi-a.lo)*bins), bins-1)] += weight
	}
}

// against is the total variation distance of two histograms.
func (a *angleBins) against(b *angleBins) float64 {
	sum := 0.0
	for i := range a.count {
		sum += math.Abs(a.count[i]/a.n-b.count[i]/b.n) / 2
	}
	return sum
}

// rows are the densities of the bins at their middles.
func (a *angleBins) rows(what string) [][]string {
	wide := (a.hi - a.lo) / bins
	var out [][]string
	for i, c := range a.count {
		out = append(out, []string{what, number(a.lo+wide*(float64(i)+0.5), 4),
			number(c/a.n/wide, 4)})
	}
	return out
}

func value(what string, x float64) []string { return []string{what, "", number(x, 5)} }

func sphereConfig(s *sphereRun, seed string) (c sampler.Config, err error) {
	c = sampler.DefaultConfig()
	c.Chains, c.Warmup = 1, 1000
	c.Seed, err = strconv.ParseUint(seed, 10, 64)
	return c, err
}

// circleRuns are 10,000 draws of the two modes on the circle, one of ten steps.
func circleRuns(*bench) (all []run, err error) {
	m, err := bound("examples/models/circle.sg", data.Options{}, "examples/models/circle.json")
	if err != nil {
		return nil, err
	}
	exact := circleExact()
	all = append(all, run{[]string{"exact", "0"}, func() ([][]string, error) {
		return exact.rows("density"), nil
	}})
	for _, s := range circleSamplers {
		for _, seed := range seeds {
			all = append(all, run{[]string{s.name, seed}, func() ([][]string, error) {
				c, err := sphereConfig(&s, seed)
				c.Step, c.Friction, c.Draws, c.Thin = 0.01, 6, 10000, 10
				c.SyntheticNoise = "gradient:1000"
				s.set(&c)
				if err != nil {
					return nil, err
				}
				h := angleBins{lo: -math.Pi, hi: math.Pi}
				var cos, sin, above, off float64
				diverged, err := states(m, c, func(step int64, ch *sampler.Chain) {
					if step <= c.Warmup || (step-c.Warmup)%c.Thin != 0 {
						return
					}
					x := ch.Position()
					h.add(math.Atan2(x[1], x[0]), 1)
					cos, sin = cos+x[0], sin+x[1]
					if x[1] > 0 {
						above++
					}
					off = max(off, math.Abs(math.Hypot(x[0], x[1])-1))
				})
				if diverged {
					err = errors.New("not finite")
				}
				return append(h.rows("density"), value("cos", cos/h.n), value("sin", sin/h.n),
					value("above", above/h.n), value("length", off), value("tv", h.against(exact))), err
			}})
		}
	}
	return all, nil
}

// circleExact is the law of the angle, from the potential −log(e^{5 cos(a − π/3)} + 2 e^{5 cos(a +
// π/3)}).
func circleExact() *angleBins {
	const fine = 200
	h := &angleBins{lo: -math.Pi, hi: math.Pi}
	for i := range bins * fine {
		a := -math.Pi + 2*math.Pi*(float64(i)+0.5)/(bins*fine)
		h.add(a, math.Exp(5*math.Cos(a-math.Pi/3))+2*math.Exp(5*math.Cos(a+math.Pi/3)))
	}
	return h
}

// mixtureSamplers take minibatches of 10 of 100 rows, drawn with replacement, h = 0.002 and D = 40;
// gmc takes all rows, and finds its step.
var mixtureSamplers = []sphereRun{
	{"SGGMC, Fisher", func(c *sampler.Config) { c.Sampler, c.Fisher = "geodesic_sghmc", true }},
	{"SGGMC, V ignored", func(c *sampler.Config) { c.Sampler = "geodesic_sghmc" }},
	{"gSGNHT", func(c *sampler.Config) { c.Sampler = "geodesic_sgnht" }},
	{"GMC", func(c *sampler.Config) {
		c.Sampler, c.Leapfrog, c.Thin, c.Step, c.Batch, c.FullBatch = "gmc", 10, 1, 0, 0, true
		c.BatchOrder = ""
	}},
	{"SGGMC, Fisher, D = 25", func(c *sampler.Config) {
		c.Sampler, c.Fisher, c.Friction = "geodesic_sghmc", true, 25
	}},
	{"SGGMC, V ignored, D = 25", func(c *sampler.Config) {
		c.Sampler, c.Friction = "geodesic_sghmc", 25
	}},
}

// mixtureRuns are 20,000 draws of the two directions, one of 50 steps.
func mixtureRuns(*bench) (all []run, err error) {
	m, err := bound("examples/models/vmf_mixture.sg", data.Options{},
		"examples/models/vmf_mixture.json")
	if err != nil {
		return nil, err
	}
	exact, mode := mixtureExact(m)
	all = append(all, run{[]string{"exact", "0"}, func() ([][]string, error) {
		return append(append(exact[0].rows("v1"), exact[1].rows("v2")...), value("mode", mode)), nil
	}})
	for _, s := range mixtureSamplers {
		for _, seed := range seeds {
			all = append(all, run{[]string{s.name, seed}, func() ([][]string, error) {
				c, err := sphereConfig(&s, seed)
				c.Step, c.Friction, c.Draws, c.Thin = 0.002, 40, 20000, 50
				c.Batch, c.BatchOrder = 10, "replace"
				s.set(&c)
				if err != nil {
					return nil, err
				}
				h := mixtureBins()
				in := 0.0
				diverged, err := states(m, c, func(step int64, ch *sampler.Chain) {
					if step <= c.Warmup || (step-c.Warmup)%c.Thin != 0 {
						return
					}
					x := ch.Position()
					h[0].add(math.Atan2(x[1], x[0]), 1)
					h[1].add(math.Atan2(x[3], x[2]), 1)
					if x[3] > 0 {
						in++
					}
				})
				if diverged {
					err = errors.New("not finite")
				}
				return append(append(h[0].rows("v1"), h[1].rows("v2")...), value("mode", in/h[0].n),
					value("tv1", h[0].against(exact[0])), value("tv2", h[1].against(exact[1]))), err
			}})
		}
	}
	return all, nil
}

func mixtureBins() [2]*angleBins {
	return [2]*angleBins{{lo: -0.9, hi: 0.9}, {lo: -0.9, hi: 0.9}}
}

// mixtureExact are the laws of both angles, and the probability that v2 is above the axis, by a
// grid.
func mixtureExact(m *model.Model) (h [2]*angleBins, above float64) {
	const n, wide = 480, 1.2
	h = mixtureBins()
	e := m.Evaluator(0)
	lp := make([]float64, n*n)
	top := math.Inf(-1)
	at := func(i int) float64 { return -wide + 2*wide*(float64(i)+0.5)/n }
	for i := range n {
		for j := range n {
			a, b := at(i), at(j)
			x := []float64{math.Cos(a), math.Sin(a), math.Cos(b), math.Sin(b)}
			lp[i*n+j] = e.LogDensity(x, nil, 1, 1)
			top = max(top, lp[i*n+j])
		}
	}
	for i := range n {
		for j := range n {
			p := math.Exp(lp[i*n+j] - top)
			h[0].add(at(i), p)
			h[1].add(at(j), p)
			if at(j) > 0 {
				above += p
			}
		}
	}
	return h, above / h[0].n
}

// misesRuns are posteriors of a mean direction in d dimensions, given 20 rows (10 where d is 10⁵)
// of a law with κ = d and a prior with κ₀ = d. The posterior is a von Mises–Fisher law; the cosine
// t of the angle to its mean direction has the mean A_d(R), and draws are held against that.
func misesRuns(b *bench) (all []run, err error) {
	for _, d := range []int{10, 100, 1000, 10000, 100000} {
		rows, draws := 20, int64(500)
		if d == 100000 {
			rows, draws = 10, 200
		}
		for _, s := range []sphereRun{
			{"gSGNHT", func(c *sampler.Config) {
				c.Sampler, c.Batch, c.Thin, c.Warmup = "geodesic_sgnht", rows/2, 10, 1000
				root := math.Sqrt(float64(d * (rows + 1)))
				c.Step, c.Friction = 0.1/root, root
			}},
			{"GMC", func(c *sampler.Config) {
				c.Sampler, c.FullBatch, c.Leapfrog, c.Thin, c.Warmup = "gmc", true, 10, 1, 200
			}},
		} {
			for _, seed := range seeds {
				key := []string{decimal(d), s.name, seed}
				all = append(all, run{key, func() ([][]string, error) {
					c, err := sphereConfig(&s, seed)
					if err != nil {
						return nil, err
					}
					c.Draws = draws
					s.set(&c)
					return b.mises(d, rows, c)
				}})
			}
		}
	}
	return all, nil
}

// simulated are rows of the posterior's model, always the same ones, in a file.
func (b *bench) simulated(d, rows int) (string, error) {
	const file = "examples/models/vmf_posterior.sg"
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	out, diags, errs, err := driver.Simulate(source.New(file, string(text)), driver.SimulateOptions{
		Sets: []string{"N=" + decimal(rows), "D=" + decimal(d), "kappa0=" + decimal(d),
			"kappa=" + decimal(d)}, Seed: 11})
	if err != nil || len(errs) > 0 || out == nil {
		return "", fmt.Errorf("%v %v %v", err, errs, diags)
	}
	path := filepath.Join(b.work, fmt.Sprintf("mises-%d.json", d))
	return path, os.WriteFile(path, driver.JSON(out.Data), 0o666)
}

func (b *bench) mises(d, rows int, c sampler.Config) ([][]string, error) {
	path, err := b.simulated(d, rows)
	if err != nil {
		return nil, err
	}
	m, err := bound("examples/models/vmf_posterior.sg", data.Options{}, path)
	if err != nil {
		return nil, err
	}
	// The gradient of the likelihood and the prior together is R times the mean direction.
	e := m.Evaluator(0)
	mean, start := make([]float64, d), make([]float64, d)
	start[0] = 1
	e.Gradient(start, nil, 1, 1, mean)
	r := 0.0
	for _, x := range mean {
		r = math.Hypot(r, x)
	}
	var t []float64
	off := 0.0
	diverged, err := states(m, c, func(step int64, ch *sampler.Chain) {
		if step <= c.Warmup || (step-c.Warmup)%c.Thin != 0 {
			return
		}
		dot, square := 0.0, 0.0
		for i, x := range ch.Position() {
			dot += x * mean[i] / r
			square += x * x
		}
		t = append(t, dot)
		off = max(off, math.Abs(math.Sqrt(square)-1))
	})
	if diverged {
		err = errors.New("not finite")
	}
	if err != nil {
		return nil, err
	}
	exact, sum, sd := special.VMFRatio(float64(d), r), 0.0, 0.0
	for _, x := range t {
		sum += x / float64(len(t))
	}
	for _, x := range t {
		sd += (x - sum) * (x - sum) / float64(len(t)-1)
	}
	var w diagnose.Workspace
	ess := w.ESSMean([][]float64{t})
	return [][]string{{number(exact, 9), number(sum, 9), number(math.Sqrt(sd/ess), 3),
		number(math.Sqrt(sd/special.VMFRatioDeriv(float64(d), r)), 4), number(off, 2)}}, nil
}
