package sampler

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// TestBlocksAgree: settings by block that come to the same for all are those of
// one sampler, and so are the draws.
func TestBlocksAgree(t *testing.T) {
	g := newGaussian(variances(9), 2, 1, 6)
	want := config("sghmc", "euler", 0.05)
	want.Friction, want.Draws, want.Warmup = 3, 40, 0
	resolved, err := want.Resolve(g)
	if err != nil {
		t.Fatal(err)
	}
	c := config("sgld", "", 1)
	c.Draws, c.Warmup = 40, 0
	b := c.For("a", "?")
	b.Sampler, b.Scheme, b.Step, b.Friction = "sghmc", "euler", new(0.05), new(3.)
	if got, err := c.Resolve(g); err != nil || got.Blocks != nil || ownOf(got) != ownOf(resolved) {
		t.Errorf("%+v, %v", got, err)
	}
	if !sameDraws(mustRun(t, g, want, 1).draws[0], mustRun(t, g, c, 1).draws[0]) {
		t.Error("the draws differ")
	}
}

// TestBlocksApart: dynamics that know nothing of other blocks are the same bits
// with all blocks in one part and in several, whose settings differ in what the
// sampler does not look at.
func TestBlocksApart(t *testing.T) {
	eachSampler(func(row *table.Row, scheme string) {
		if row.Grains[0].String() == "all" {
			return
		}
		g := newGaussian(variances(9), 2, 1, 4, 2).withRows(23, 4)
		c := config(row.Name, scheme, 0.05)
		c.FullBatch, c.Batch, c.Warmup, c.Draws = false, 5, 10, 50
		whole := mustRun(t, g, c, 1)
		if row.Preconditioner {
			c.For("b", "d").Friction = new(7.)
		} else {
			c.For("b", "d").PreconditionerLambda = new(7.)
		}
		parts := mustRun(t, g, c, 1)
		if !mustChain(t, g, c, 0).mixed() {
			t.Fatalf("%s: one part", row.Name)
		}
		if !sameDraws(whole.draws[0], parts.draws[0]) {
			t.Errorf("%s %s: the draws differ", row.Name, scheme)
		}
		for i, s := range whole.stats[0] {
			if u := parts.stats[0][i]; s.GradNorm != u.GradNorm ||
				!bitsEqual(s.Kinetic, u.Kinetic) || row.Velocity && !bitsEqual(s.Xi, u.Xi) {
				t.Fatalf("%s %s: the statistics of draw %d differ", row.Name, scheme, i)
			}
		}
	})
}

// mixtures are samplers for the blocks of a state, flat except for what says so.
func mixtures(blocks string, names ...string) settings.Config {
	c := config(names[0], "", 0.05)
	for i, n := range names[1:] {
		b := c.For(blocks[i : i+1])
		b.Sampler, b.Step, b.Friction = n, new(0.05/float64(i+2)), new(float64(i+2))
	}
	return c
}

var mixtureNames = [][]string{
	{"sgld", "sghmc", "msgnht", "sgnht"}, {"sgnht", "psgld", "sgld", "msgnht"},
	{"msgnht", "geodesic_sghmc", "sgnht", "psgld"},
	{"geodesic_sgnht", "sgld", "sgld", "sghmc"},
}

// TestMixedFused: a joint step is the flows of its programs one after the other.
func TestMixedFused(t *testing.T) {
	for _, names := range mixtureNames {
		c := mixtures("bcd", names...)
		a := mustChain(t, newGaussian(variances(21), 9, 3, 5, 4), c, 0)
		b := mustChain(t, newGaussian(variances(21), 9, 3, 5, 4), c, 0)
		for range 100 {
			mustSteps(t, a, 1)
			b.prepare()
			for k := range b.parts {
				b.sizes[k] = b.parts[k].schedule.At(b.step)
			}
			b.joint.RunPlainly(b.sizes)
			b.step++
			if !bitsEqual(a.state.X, b.state.X) || !bitsEqual(a.state.V, b.state.V) ||
				!bitsEqual(a.state.Xi, b.state.Xi) {
				t.Fatalf("%v: fused and plain differ at step %d", names, a.step)
			}
		}
		if n := testing.AllocsPerRun(50, func() { mustSteps(t, a, 1) }); n != 0 {
			t.Errorf("%v: %g allocations a step", names, n)
		}
	}
}

// TestMixedCurved: curved blocks by one sampler, flat and mirrored ones by others, flow by flow,
// and on their spaces.
func TestMixedCurved(t *testing.T) {
	for _, name := range []string{"geodesic_sghmc", "geodesic_sgnht"} {
		target := newCurved(func(x, grad []float64) float64 {
			for i := range grad {
				grad[i] = 0.5 - x[i]
			}
			return 0
		}, sphere(2, 3), flat(4), stiefel(1, 4, 2), mirrored(3))
		c := config(name, "", 0.1)
		for i, n := range []string{"sgld", "sgrld"} {
			b := c.For([]string{"b", "d"}[i])
			b.Sampler, b.Step = n, new(0.03)
		}
		a, b := mustChain(t, target, c, 0), mustChain(t, target, c, 0)
		for range 200 {
			mustSteps(t, a, 1)
			b.prepare()
			for k := range b.parts {
				b.sizes[k] = b.parts[k].schedule.At(b.step)
			}
			b.joint.RunPlainly(b.sizes)
			b.step++
			if !bitsEqual(a.state.X, b.state.X) || !bitsEqual(a.state.V, b.state.V) ||
				!bitsEqual(a.state.Xi, b.state.Xi) {
				t.Fatalf("%s: fused and plain differ at step %d", name, a.step)
			}
		}
		for _, f := range a.state.Factors {
			m := f.Space.Ambient()
			for at := f.Offset; at < f.Offset+f.Len; at += m {
				if r := f.Space.Residual(a.state.X[at : at+m]); r > 1e-12 {
					t.Errorf("%s: block %s is off by %g", name, f.Name, r)
				}
			}
		}
	}
}

// TestMixedOneGradient: each step takes one gradient, whatever the words.
func TestMixedOneGradient(t *testing.T) {
	c := mixtures("bcd", "sgld", "sghmc", "msgnht", "sgnht")
	c.Blocks[1].Scheme = "euler"
	calls := 0
	g := newCurved(func(x, grad []float64) float64 {
		calls++
		for i, a := range x {
			grad[i] = -a
		}
		return 0
	}, flat(2), flat(1), flat(3), flat(2))
	ch := mustChain(t, g, c, 0)
	calls = 0
	mustSteps(t, ch, 17)
	if calls != 17 {
		t.Errorf("%d gradients in 17 steps", calls)
	}
}

// coupled is N(0, P⁻¹) of two blocks of one coordinate.
func coupled(p [2][2]float64) target.Target {
	return newCurved(func(x, grad []float64) float64 {
		f := 0.0
		for i := range 2 {
			grad[i] = -(p[i][0]*x[0] + p[i][1]*x[1])
			f += 0.5 * x[i] * grad[i]
		}
		return f
	}, flat(1), flat(1))
}

// TestMixedLinear: SGLD on one coordinate of a correlated Gaussian with SGHMC on the other is a
// linear map with independent noise, written here from dynamics.md: both gradients at SGHMC's
// half-drifted point. Its stationary covariance is known with its discretisation, so a gradient at
// another point would be seen.
func TestMixedLinear(t *testing.T) {
	p := [2][2]float64{{2, 0.9}, {0.9, 1}}
	h0, h1, d := 0.2, 0.5, 1.5
	for _, scheme := range []string{"split", "euler"} {
		c := config("sgld", "", h0)
		b := c.For("b")
		b.Sampler, b.Scheme, b.Step, b.Friction = "sghmc", scheme, &h1, &d
		ch := mustChain(t, coupled(p), c, 0)
		mustSteps(t, ch, 1000)
		var xx, xy, yy health.Series
		for range 300000 {
			mustSteps(t, ch, 1)
			x := ch.Position()
			xx.Add(x[0] * x[0])
			xy.Add(x[0] * x[1])
			yy.Add(x[1] * x[1])
		}
		want := linearMixture(scheme, p, h0, h1, d)
		for _, m := range []struct {
			name string
			s    *health.Series
			want float64
		}{{"xx", &xx, want[0][0]}, {"xy", &xy, want[0][1]}, {"yy", &yy, want[1][1]}} {
			z := (m.s.Mean() - m.want) / m.s.MCSE()
			t.Logf("%s %s: %.4f ± %.4f, exact %.4f, z = %.1f", scheme, m.name, m.s.Mean(),
				m.s.MCSE(), m.want, z)
			if !(math.Abs(z) < 4) || m.s.MCSE() > 0.02 {
				t.Errorf("%s %s: z = %.1f", scheme, m.name, z)
			}
		}
	}
}

// linearMixture is the stationary covariance of (x, y, v): x by SGLD, (y, v) by
// SGHMC.
func linearMixture(scheme string, p [2][2]float64, h0, h1, d float64) [3][3]float64 {
	type matrix = [3][3]float64
	times := func(a, b matrix) (c matrix) {
		for i := range 3 {
			for j := range 3 {
				for k := range 3 {
					c[i][j] += a[i][k] * b[k][j]
				}
			}
		}
		return c
	}
	one := matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	before, after := one, one // of the gradient
	force := matrix{{1 - h0*p[0][0], -h0 * p[0][1], 0}, {0, 1, 0},
		{-h1 * p[1][0], -h1 * p[1][1], 1}}
	if e := math.Exp(-d * h1 / 2); scheme == "split" {
		drift, damp := one, one
		drift[1][2], damp[2][2] = h1/2, e
		before, after = times(damp, drift), times(drift, damp)
	} else {
		before[1][2] = h1
		force[2][2] = 1 - h1*d
	}
	m := times(after, times(force, before))
	noise := times(after, matrix{{math.Sqrt(2 * h0), 0, 0}, {}, {0, 0, math.Sqrt(2 * d * h1)}})
	transposed := func(a matrix) (b matrix) {
		for i := range 3 {
			for j := range 3 {
				b[i][j] = a[j][i]
			}
		}
		return b
	}
	q := times(noise, transposed(noise))
	var c matrix
	for range 5000 {
		c = times(m, times(c, transposed(m)))
		for i := range 3 {
			for j := range 3 {
				c[i][j] += q[i][j]
			}
		}
	}
	return c
}

// TestMixedSimplex: means of a normal law by msgnht together with a Dirichlet law by sgrld, on one
// state, with the health of each.
func TestMixedSimplex(t *testing.T) {
	alpha := []float64{5, 8, 12}
	g := newCurved(func(x, grad []float64) float64 {
		f := 0.0
		for i := range 2 {
			s := []float64{0.5, 2}[i]
			f -= 0.5 * x[i] * x[i] / s
			grad[i] = -x[i] / s
		}
		for k, a := range alpha {
			rho := math.Abs(x[2+k])
			f += (a-1)*math.Log(rho) - rho
			grad[2+k] = math.Copysign(1, x[2+k]) * ((a-1)/rho - 1)
		}
		return f
	}, flat(2), mirrored(3))
	c := config("msgnht", "", 0.1)
	b := c.For("b")
	b.Sampler, b.Step = "sgrld", new(0.05)
	c.Warmup, c.Draws = 2000, 300000
	ch := mustChain(t, g, c, 0)
	mustSteps(t, ch, 2000)
	ms := []moments{{mean: 0}, {mean: 0}, {mean: 5}, {mean: 8}, {mean: 12}}
	for range 300000 {
		mustSteps(t, ch, 1)
		for i, x := range ch.Position() {
			ms[i].add(x)
		}
	}
	for i, m := range ms {
		variance, h := []float64{0.5, 2, 5, 8, 12}[i], 0.05
		if i < 2 {
			variance *= 1 - 0.1*0.1/variance/4 // of the splitting, to second order
		} else {
			variance = 2 * h * m.mean / (2*h - h*h)
		}
		z0, z1 := (m.one.Mean()-m.mean)/m.one.MCSE(), (m.two.Mean()-variance)/m.two.MCSE()
		t.Logf("%d: mean z = %.1f, variance z = %.1f", i, z0, z1)
		if !(math.Abs(z0) < 4 && math.Abs(z1) < 4) || m.two.MCSE() > 0.06*variance {
			t.Errorf("coordinate %d: z = %.1f and %.1f", i, z0, z1)
		}
	}
	var seen []string
	for _, r := range ch.Health() {
		seen = append(seen, r.Block+" "+r.Statistic)
		if r.Verdict == "off" {
			t.Errorf("%+v", r)
		}
	}
	want := []string{"a xi_minus_friction", "a gradient_noise", "a xi_variance",
		"a configurational_temperature", "b configurational_temperature", "b reflection_bias",
		"all worst_temperature"}
	if !slices.Equal(seen, want) {
		t.Errorf("health has %v, not %v", seen, want)
	}
	s := ch.Stats()
	if !bitsEqual(s.StepSizes, []float64{0.1, 0.05}) || s.StepSize != 0.1 ||
		math.IsNaN(s.Kinetic[0]) || !math.IsNaN(s.Kinetic[1]) || !math.IsNaN(s.Xi[1]) {
		t.Errorf("%+v", s)
	}
}

// TestMixedTemperatures: independent blocks have each the law of its own T, also
// where they are reached through a chart. Block a is e^{y} of a gamma(3, 1)
// number: with J = y, its law at T is y ~ e^{(2y − e^y)/T + y}.
func TestMixedTemperatures(t *testing.T) {
	g := &jacobian{curved: *newCurved(nil, flat(1), flat(1))}
	c := config("sgld", "", 0.02)
	b := c.For("b")
	b.Sampler, b.Temperature, b.Step = "sghmc", new(2.), new(0.1)
	temps := []float64{1, 2}
	// The variance of a standard normal, with its discretisation.
	variance := []float64{linearVariance("sgld", "", 1, 0.02, 1, 1, 0),
		linearVariance("sghmc", "split", 1, 0.1, 2, 1, 0)}
	for g.at = range 2 {
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, 3000)
		tc := temps[g.at]
		// e^y is gamma(2/T + 1, rate 1/T): mean 2 + T.
		chart, flat := moments{mean: 2 + tc}, moments{}
		for range 400000 {
			mustSteps(t, ch, 1)
			x := ch.Position()
			chart.add(math.Exp(x[g.at]))
			flat.add(x[1-g.at])
		}
		z := (flat.two.Mean() - variance[1-g.at]) / flat.two.MCSE()
		t.Logf("chart at T = %g: mean %.3f ± %.3f; the other block: z = %.1f", tc, chart.one.Mean(),
			chart.one.MCSE(), z)
		if !(math.Abs(chart.one.Mean()-chart.mean) < 4*chart.one.MCSE()+0.02) ||
			!(math.Abs(z) < 4) {
			// 0.02: of first order in h
			t.Errorf("chart at T = %g: mean %.3f ± %.3f, exact %g; the other block: z = %.1f", tc,
				chart.one.Mean(), chart.one.MCSE(), chart.mean, z)
		}
		if n := testing.AllocsPerRun(50, func() { mustSteps(t, ch, 1) }); n != 0 {
			t.Errorf("%g allocations a step", n)
		}
	}
}

// TestMixedThermostat: one thermostat for all is for all blocks of its part, here
// the first and the last, with their dimension.
func TestMixedThermostat(t *testing.T) {
	c := config("sgnht", "", 0.1)
	b := c.For("b")
	b.Sampler, b.Step = "sgld", new(0.05)
	c.Warmup, c.Draws = 2000, 60000
	ch := mustChain(t, newGaussian(variances(9), 2, 4, 3), c, 0)
	mustSteps(t, ch, 62000)
	seen := 0
	for _, r := range ch.Health() {
		if r.Verdict != "ok" && r.Verdict != "" {
			t.Errorf("%+v", r)
		}
		if r.Statistic == "xi_variance" {
			seen++
			if r.Expected != math.Sqrt(0.2)*math.Sqrt(0.2) || r.Block == "b" {
				t.Errorf("%+v", r)
			}
		}
	}
	if len(ch.Xi()) != 1 || seen != 2 {
		t.Errorf("%d thermostats, reported for %d blocks", len(ch.Xi()), seen)
	}
}

// jacobian is a target with a chart x = e^y at one coordinate, of gamma(3, 1), and
// a standard normal at the other.
type jacobian struct {
	curved
	at int
}

func (j *jacobian) NewEvaluator(int) target.Evaluator {
	return &jacobianEval{gaussianEval{&j.gaussian}, j}
}

type jacobianEval struct {
	gaussianEval
	j *jacobian
}

func (e *jacobianEval) LogDensityGradient(
	x []float64, _ []int, _, jacobian float64, grad []float64,
) float64 {
	y, z := x[e.j.at], x[1-e.j.at]
	grad[e.j.at] = 2 - math.Exp(y) + jacobian
	grad[1-e.j.at] = -z
	return 2*y - math.Exp(y) + jacobian*y - z*z/2
}

func (e *jacobianEval) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}

func (e *jacobianEval) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.LogDensityGradient(x, rows, scale, jacobian, make([]float64, 2))
}

// TestMixedResume: a checkpoint in the middle moves no bit.
func TestMixedResume(t *testing.T) {
	for _, names := range mixtureNames {
		g := newGaussian(variances(21), 9, 3, 5, 4).withRows(23, 4)
		c := mixtures("bcd", names...)
		c.FullBatch, c.Batch, c.Warmup, c.Draws = false, 5, 20, 60
		c.Blocks[0].Schedule = "halve@0.4"
		a := mustChain(t, g, c, 0)
		mustSteps(t, a, 33)
		state, err := a.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		b, err := ResumeChain(g, c, 0, state)
		if err != nil {
			t.Fatal(err)
		}
		mustSteps(t, a, 47)
		mustSteps(t, b, 47)
		x, _ := a.MarshalBinary()
		y, _ := b.MarshalBinary()
		if string(x) != string(y) {
			t.Errorf("%v: the checkpoints differ", names)
		}
		c.Blocks[1].Step = new(0.01)
		var wrong *CheckpointError
		if _, err := ResumeChain(g, c, 0, state); !errors.As(err, &wrong) {
			t.Errorf("%v: another step: %v", names, err)
		}
	}
}

// TestBlocksResolve: what resolved settings say is what they resolve to.
func TestBlocksResolve(t *testing.T) {
	g := newCurved(func(x, grad []float64) float64 { clear(grad); return 0 }, flat(2), mirrored(3),
		flat(1), sphere(1, 3))
	c := settings.DefaultConfig()
	c.Scheme, c.Step, c.Friction, c.Thermostat, c.Xi0 = "split", 1e-3, 40, "coordinate", new(3.)
	c.For("b").Sampler = "sgrld"
	c.For("?").Friction = new(5.)
	c.For("d").Sampler = "sggmc"
	one, err := c.Resolve(g)
	if err != nil {
		t.Fatal(err)
	}
	if got := one.Methods(); got != "geodesic_sgnht, sgrld of b, geodesic_sghmc of d" {
		t.Error(got)
	}
	if b := one.Of("b"); b.Scheme != "euler" || b.Thermostat != "" || b.Xi0 != nil ||
		b.Friction != 5 || b.Step != 1e-3 {
		t.Errorf("%+v", b)
	}
	two, err := one.Resolve(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		x, y := one.Of(name), two.Of(name)
		if ownOf(x) != ownOf(y) {
			t.Errorf("%s: %+v and %+v", name, x, y)
		}
	}
}

// TestBlocksRefused: what cannot be, and what is said of it.
func TestBlocksRefused(t *testing.T) {
	g := newCurved(func(x, grad []float64) float64 { clear(grad); return 0 }, flat(2), mirrored(3),
		sphere(1, 3))
	for _, c := range []struct {
		set  func(c *settings.Config)
		want string
	}{
		{func(c *settings.Config) { c.For("weights").Sampler = "sgld" },
			`settings are for "weights", and the model has no such param; try one of a, b and c`},
		{func(c *settings.Config) { c.For("A").Sampler = "sgld" }, "did you mean a?"},
		{func(c *settings.Config) { c.For("b").Sampler = "nutz" },
			`b: there is no sampler "nutz" (did you mean nuts?)`},
		{func(c *settings.Config) { c.For("b").Sampler = "nuts" },
			"nuts is to move b, and other samplers a and c; but its Metropolis test is of the " +
				"whole state"},
		{func(c *settings.Config) { c.Sampler = "gmc"; c.For("b").Step = new(1.) },
			"a trajectory of gmc has one setting for all blocks"},
		{func(c *settings.Config) { c.For("a").Sampler = "sgrld" },
			`sampler sgrld cannot run on block a`},
		{func(c *settings.Config) { c.For("b").Sampler = "sgrld"; c.For("c").Sampler = "sgld" },
			`sampler sgld cannot run on block c`},
		{func(c *settings.Config) { c.For("b").Sampler = "sgrld"; c.For("b").Scheme = "split" },
			`b: sampler sgrld has no scheme "split"`},
		{func(c *settings.Config) { c.For("b").Sampler = "sgrld"; c.For("a").Step = new(-1.) },
			"a: the step size must be above 0"},
		{func(c *settings.Config) { c.For("b").Sampler = "sgrld"; c.For("a").Schedule = "twice" },
			`a: step schedule "twice"`},
		{func(c *settings.Config) {
			c.For("b").Sampler = "sgrld"
			c.For("a").Temperature = new(0.)
		}, "a: the temperature must be above 0"},
		{func(c *settings.Config) { c.For("b").Friction = new(2.); c.Metric = "diag" },
			"a --step for each block, and no --metric"},
		{func(c *settings.Config) { c.For("b").Sampler = "sgrld"; c.For("a").GradNoise = new(1e3) },
			"a: the kick's noise 2DT = 2 is less"},
	} {
		cfg := config("geodesic_sgnht", "", 0.1)
		c.set(&cfg)
		if _, err := cfg.Resolve(g); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

// ownOf prints the settings that each block can have for itself.
func ownOf(c settings.Config) string {
	return fmt.Sprint(c.Sampler, " ", c.Scheme, " ", c.Schedule, " ", c.Thermostat, " ", c.Step,
		c.Friction, c.StartXi(), c.Temperature,
		c.GradNoise, c.PreconditionerDecay, c.PreconditionerLambda, c.Step == 0 && c.FixFriction)
}
