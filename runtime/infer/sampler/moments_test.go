package sampler

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// linearVariance returns the stationary variance of x under a sampler with constant friction,
// on one coordinate of a Gaussian of variance s. A step is a word of linear maps of (x, v) with
// independent noise, written here from dynamics.md and not by package flow, so the law is known
// with its discretisation. A flow of another kind, or a second random one, needs its map here.
func linearVariance(name, scheme string, s, h, temp, d, v float64) float64 {
	row, _ := table.Lookup(name)
	word, ok := row.Scheme(scheme)
	if !ok {
		panic(name + " has no scheme " + scheme)
	}
	letters := strings.Fields(word.Word)
	type linear struct {
		m     [2][2]float64
		noise [2]float64 // variances of x and v
	}
	var maps []linear
	random := 0
	for _, letter := range letters {
		of := 0
		for _, l := range letters {
			if l == letter {
				of++
			}
		}
		t := h / float64(of)
		for _, kind := range word.Letters[letter] {
			kick := 2*d*temp*t + v*t*t
			switch kind {
			case flow.Drift:
				maps = append(maps, linear{m: [2][2]float64{{1, t}, {0, 1}}})
				continue
			case flow.Friction:
				maps = append(maps, linear{m: [2][2]float64{{1, 0}, {0, math.Exp(-d * t)}}})
				continue
			case flow.Kick:
				maps = append(maps, linear{[2][2]float64{{1, 0}, {-t / s, 1}}, [2]float64{0, kick}})
			case flow.DampedKick:
				maps = append(maps,
					linear{[2][2]float64{{1, 0}, {-t / s, 1 - d*t}}, [2]float64{0, kick}})
			case flow.Langevin:
				maps = append(maps,
					linear{[2][2]float64{{1 - t/s, 0}, {0, 0}}, [2]float64{2*temp*t + v*t*t, 0}})
			default:
				panic(fmt.Sprintf("the flow %v of %s has no map here", kind, name))
			}
			random++
		}
	}
	if random != 1 {
		panic(fmt.Sprintf("%s draws %d times in a step: say here what they share", name, random))
	}
	var c [2][2]float64 // covariance, iterated to its fixed point
	for range 5000 {
		for _, f := range maps {
			m := f.m
			c = mul(m, mul(c, [2][2]float64{{m[0][0], m[1][0]}, {m[0][1], m[1][1]}}))
			c[0][0] += f.noise[0]
			c[1][1] += f.noise[1]
		}
	}
	return c[0][0]
}

func mul(a, b [2][2]float64) (c [2][2]float64) {
	for i := range 2 {
		for j := range 2 {
			c[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j]
		}
	}
	return c
}

// moments are running series of a coordinate's x and (x − mean)².
type moments struct {
	mean     float64
	one, two health.Series
}

func (m *moments) add(x float64) {
	m.one.Add(x)
	m.two.Add((x - m.mean) * (x - m.mean))
}

// check compares with the truth: within five standard errors, plus bias as a
// part of the standard deviation and of the variance.
func (m *moments) check(t *testing.T, name string, variance, bias float64) {
	t.Helper()
	sd := math.Sqrt(variance)
	if d := m.one.Mean() - m.mean; !(math.Abs(d) < 5*m.one.MCSE()+0.3*bias*sd) {
		t.Errorf("%s: mean off by %.3g ± %.2g, sd %.3g", name, d, m.one.MCSE(), sd)
	}
	if d := m.two.Mean() - variance; !(math.Abs(d) < 5*m.two.MCSE()+bias*variance) {
		t.Errorf("%s: variance %.4g ± %.2g, want %.4g", name, m.two.Mean(), m.two.MCSE(), variance)
	}
	if e := m.two.MCSE() / variance; !(e < 0.06) {
		t.Errorf("%s: the error of the variance is %.2g of it: this test says nothing", name, e)
	}
}

// TestStationary: every sampler of the table has its Stationary law on a target of closed
// form, which follows from the fields of its row: `-run TestStationary/NAME` runs one row. A row
// for a new space fails until the space has a target here.
func TestStationary(t *testing.T) {
	for i := range table.Table {
		row := &table.Table[i]
		if row.Still { // still_test.go
			continue
		}
		for _, s := range row.Schemes {
			t.Run(row.Name+"/"+s.Name, func(t *testing.T) {
				switch {
				case row.Space == table.Mirrored:
					stationaryMirrored(t, row.Name, s.Name)
				case row.Space != "":
					t.Errorf("there is no target of closed form on the space %q", row.Space)
				case row.Conditionals:
					stationaryConditionals(t)
				case row.Metropolis:
					stationaryExact(t, row, s.Name)
				default:
					stationaryNoisy(t, row, s.Name)
				}
			})
		}
	}
}

// stationaryNoisy runs a sampler of stochastic gradients on a Gaussian in 1, 3 and 10
// dimensions, at temperature 1 and 2, with exact and with noisy gradients.
func stationaryNoisy(t *testing.T, row *table.Row, scheme string) {
	const h, friction = 0.1, 1.3
	for _, d := range []int{1, 3, 10} {
		for _, temp := range []float64{1, 2} {
			for _, noise := range []float64{0, 4} {
				t.Run(fmt.Sprintf("d=%d/T=%g/V=%g", d, temp, noise), func(t *testing.T) {
					t.Parallel()
					c := config(row.Name, scheme, h)
					c.Friction, c.Temperature, c.Seed = friction, temp, uint64(d)
					c.Warmup, c.Draws, c.Thin = 1000, 20000, 2
					if row.Preconditioner {
						c.Step = 0.15 // times g, about 1/|∇Ũ|
					}
					if noise > 0 {
						c.SyntheticNoise = fmt.Sprint("gradient:", noise)
					}
					v := variances(d)
					checkMoments(t, newGaussian(v), row, scheme, c, v, noise)
				})
			}
		}
	}
}

// stationaryExact runs a sampler with a Metropolis test on a Gaussian: its law has no bias,
// whatever the step.
func stationaryExact(t *testing.T, row *table.Row, scheme string) {
	for _, h := range []float64{0.2, 0.6} {
		for _, temp := range []float64{1, 2} {
			t.Run(fmt.Sprintf("h=%g/T=%g", h, temp), func(t *testing.T) {
				t.Parallel()
				c := config(row.Name, scheme, h)
				c.Temperature, c.Warmup, c.Draws = temp, 500, 20000
				if !row.Tree {
					c.Leapfrog = 3 // times h: shorter than half a period of any coordinate
				}
				v := variances(3)
				ch := mustChain(t, newGaussian(v), c, 0)
				mustSteps(t, ch, int(c.Warmup))
				ms := make([]moments, len(v))
				for range c.Draws {
					mustSteps(t, ch, 1)
					for i, x := range ch.Position() {
						ms[i].add(x)
					}
				}
				for i := range ms {
					ms[i].check(t, fmt.Sprintf("x[%d]", i), temp*v[i], 0)
				}
			})
		}
	}
}

func checkMoments(
	t *testing.T, g target.Target, row *table.Row, scheme string, c settings.Config, v []float64,
	noise float64,
) {
	ch := mustChain(t, g, c, 0)
	mustSteps(t, ch, int(c.Warmup))
	ms := make([]moments, len(v))
	for range c.Draws {
		mustSteps(t, ch, int(c.Thin))
		for i, x := range ch.Position() {
			ms[i].add(x)
		}
	}
	for i := range ms {
		// Thermostats have a bias of their own: second order for split, first for
		// Euler; no closed form.
		want, bias := c.Temperature*v[i], 0.02
		switch {
		case row.Preconditioner: // g is what the warm-up found
			q := c.Step / (c.PreconditionerLambda + math.Sqrt(ch.state.Square[i]))
			want, bias = v[i]*(2*c.Temperature+q*noise)/(2-q/v[i]), 0
		case !row.Thermostat():
			want, bias = linearVariance(row.Name, scheme, v[i], c.Step, c.Temperature, c.Friction,
				noise), 0
		case scheme == "euler":
			bias = 0.12
		}
		ms[i].check(t, fmt.Sprintf("x[%d]", i), want, bias)
	}
}

// TestMinibatch: 50 rows in batches of 10 and 7: the posterior's mean, and
// with thermostats its variance, though gradients are noisy.
func TestMinibatch(t *testing.T) {
	g := newGaussian([]float64{4, 4, 4}).withRows(50, 9)
	for _, c := range []struct {
		sampler string
		batch   int
		order   string
	}{
		{"msgnht", 10, "shuffle"}, {"msgnht", 7, "shuffle"}, {"sgnht", 7, "replace"},
		{"msgnht", 10, "replace"}, {"geodesic_sgnht", 10, "sequential"},
	} {
		t.Run(fmt.Sprint(c.sampler, c.batch, c.order), func(t *testing.T) {
			cfg := config(c.sampler, "", 0.05)
			cfg.FullBatch, cfg.Batch, cfg.BatchOrder = false, c.batch, c.order
			cfg.Warmup, cfg.Draws, cfg.Thin, cfg.Friction = 5000, 50000, 5, 2
			ch := mustChain(t, g, cfg, 0)
			mustSteps(t, ch, int(cfg.Warmup))
			ms := make([]moments, 3)
			for i := range ms {
				ms[i].mean, _ = g.moments(i)
			}
			for range cfg.Draws {
				mustSteps(t, ch, int(cfg.Thin))
				for i, x := range ch.Position() {
					ms[i].add(x)
				}
			}
			for i := range ms {
				_, want := g.moments(i)
				ms[i].check(t, fmt.Sprint(i), want, 0.03)
			}
		})
	}
}

// TestKnownNoiseCorrection: sghmc is heated by a gradient of variance V, and
// with --grad-noise V it is not.
func TestKnownNoiseCorrection(t *testing.T) {
	const h, d, v = 0.1, 1.0, 12.0
	for _, corrected := range []bool{false, true} {
		c := config("sghmc", "split", h)
		c.SyntheticNoise, c.Friction = fmt.Sprint("gradient:", v), d
		noise := v
		if corrected {
			c.GradNoise, noise = v, 0
		}
		c.Warmup, c.Draws = 1000, 100000
		ch := mustChain(t, newGaussian([]float64{1, 1}), c, 0)
		mustSteps(t, ch, int(c.Warmup))
		var m moments
		for range c.Draws {
			mustSteps(t, ch, 1)
			m.add(ch.Position()[0])
		}
		m.check(t, fmt.Sprint("corrected: ", corrected),
			linearVariance("sghmc", "split", 1, h, 1, d, noise), 0)
		if hot := linearVariance("sghmc", "split", 1, h, 1, d, noise); corrected == (hot > 1.5) {
			t.Errorf("the yardstick says %g", hot)
		}
	}
}
