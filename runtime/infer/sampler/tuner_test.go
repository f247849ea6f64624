package sampler

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// scaledRows is the posterior of a mean under rows y_ij ~ N(x_j, s_j), with s_j from 1 to
// a condition.
type scaledRows struct {
	gaussian
	s []float64
}

func newScaled(rows int, prior []float64, condition float64) *scaledRows {
	g := &scaledRows{gaussian: *newGaussian(prior)}
	src := rng.New(5, 0, rng.Test).At(0)
	for j := range prior {
		g.s = append(g.s, math.Pow(condition, float64(j)/float64(len(prior)-1)))
	}
	for range rows {
		y := make([]float64, g.dim)
		for j := range y {
			y[j] = 1 + math.Sqrt(g.s[j])*src.Normal()
		}
		g.y = append(g.y, y)
	}
	return g
}

func (g *scaledRows) moments(j int) (mean, variance float64) {
	precision, sum := 1/g.priorVar[j], 0.0
	for _, row := range g.y {
		precision += 1 / g.s[j]
		sum += row[j] / g.s[j]
	}
	return sum / precision, 1 / precision
}

func (g *scaledRows) NewEvaluator(int) target.Evaluator {
	return &scaledEval{gaussianEval{&g.gaussian}, g}
}

type scaledEval struct {
	gaussianEval
	of *scaledRows
}

func (g *scaledEval) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	f := 0.0
	for j := range x {
		grad[j] = -x[j] / g.priorVar[j]
		f -= 0.5 * x[j] * x[j] / g.priorVar[j]
	}
	one := func(row []float64) {
		for j := range x {
			d := row[j] - x[j]
			grad[j] += scale * d / g.of.s[j]
			f -= scale * 0.5 * d * d / g.of.s[j]
		}
	}
	if rows == nil {
		for _, row := range g.y {
			one(row)
		}
	}
	for _, i := range rows {
		one(g.y[i])
	}
	return f
}

func (g *scaledEval) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	g.LogDensityGradient(x, rows, scale, jacobian, grad)
}

// tuned is a run without a step, a friction and a batch.
func tuned(sampler string) settings.Config {
	c := settings.DefaultConfig()
	c.Sampler, c.Chains, c.Warmup = sampler, 1, 1000
	return c
}

// TestTunedGaussian: a posterior of condition 100, from minibatches, with no settings.
func TestTunedGaussian(t *testing.T) {
	g := newScaled(200, []float64{1e3, 1e3, 1e3}, 100)
	for _, name := range []string{"geodesic_sghmc", "geodesic_sgnht"} {
		c := tuned(name)
		c.Warmup, c.Draws, c.Thin = 10000, 10000, 15
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, int(c.Warmup))
		var sums [3][2]float64
		for range c.Draws {
			if err := ch.Advance(c.Thin); err != nil {
				t.Fatal(err)
			}
			for j, x := range ch.Position() {
				mean, v := g.moments(j)
				z := (x - mean) / math.Sqrt(v)
				sums[j][0] += z
				sums[j][1] += z * z
			}
		}
		found := ch.Tuned().Parts[0]
		for j, s := range sums {
			mean := s[0] / float64(c.Draws)
			sd := math.Sqrt(s[1]/float64(c.Draws) - mean*mean)
			t.Logf("%s, %d: mean %.3f, sd %.3f of the posterior's", name, j, mean, sd)
			_, v := g.moments(j)
			n := float64(c.Draws*c.Thin) * found.Step / (2 * v * found.Friction) // effective draws
			n = min(n, float64(c.Draws))
			if math.Abs(mean) > 4/math.Sqrt(n) || math.Abs(sd-1) > 0.05+3/math.Sqrt(2*n) {
				t.Errorf("%s, coordinate %d: mean %.3f and sd %.3f of posterior deviations; found %+v", name, j,
					mean, sd, found)
			}
		}
		if l := found.Curvature; math.Abs(l/200-1) > 0.05 {
			t.Errorf("%s: curvature %g, the largest eigenvalue is 200", name, l)
		}
		for _, r := range ch.Health() {
			if r.Verdict == "off" {
				t.Errorf("%s: health %+v", name, r)
			}
		}
	}
}

// TestTunedSphere: a mean direction under von Mises and Fisher's law.
func TestTunedSphere(t *testing.T) {
	src := rng.New(9, 0, rng.Test).At(0)
	var rows [][]float64
	for range 400 {
		y := []float64{2 + src.Normal(), src.Normal(), src.Normal()}
		r := math.Sqrt(y[0]*y[0] + y[1]*y[1] + y[2]*y[2])
		rows = append(rows, []float64{y[0] / r, y[1] / r, y[2] / r})
	}
	g := newRows(rows, 2, []float64{1, 0, 0}, 1)
	sum := []float64{1, 0, 0} // κ₀ m + κ Σ x
	for _, y := range rows {
		for j := range sum {
			sum[j] += 2 * y[j]
		}
	}
	k := math.Sqrt(sum[0]*sum[0] + sum[1]*sum[1] + sum[2]*sum[2])
	for _, name := range []string{"geodesic_sghmc", "geodesic_sgnht"} {
		c := tuned(name)
		c.Warmup, c.Draws, c.Thin = 5000, 10000, 10
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, int(c.Warmup))
		across := 0.0 // of x, in the two directions of the tangent space
		for range c.Draws {
			mustSteps(t, ch, int(c.Thin))
			along := 0.0
			for j, x := range ch.Position() {
				along += x * sum[j] / k
			}
			across += (1 - along*along) / 2
		}
		coth := 1 / math.Tanh(k)
		want := (coth - 1/k) / k // E x² of a direction across
		sd := math.Sqrt(across / float64(c.Draws) / want)
		t.Logf("%s: sd %.3f of the posterior's; %+v", name, sd, ch.Tuned().Parts[0])
		if math.Abs(sd-1) > 0.05+0.02 {
			t.Errorf("%s: sd %.3f of the posterior's; found %+v", name, sd, ch.Tuned().Parts[0])
		}
	}
}

// TestTunedSimplex: probabilities by expanded mean, under sgrld.
func TestTunedSimplex(t *testing.T) {
	alpha := []float64{2, 3, 4}
	counts := []int{300, 80, 20}
	g := newMultinomial(alpha, counts...)
	c := tuned("sgrld")
	c.Warmup, c.Draws, c.Thin = 5000, 10000, 20
	ch := mustChain(t, g, c, 0)
	mustSteps(t, ch, int(c.Warmup))
	var sums [3][2]float64
	for range c.Draws {
		if err := ch.Advance(c.Thin); err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, x := range ch.Position() {
			total += math.Abs(x)
		}
		for j, x := range ch.Position() {
			p := math.Abs(x) / total
			sums[j][0] += p
			sums[j][1] += p * p
		}
	}
	a := 409.0
	for j, s := range sums {
		n := float64(c.Draws)
		want := (alpha[j] + float64(counts[j])) / a
		sd := math.Sqrt(want * (1 - want) / (a + 1))
		mean := s[0] / n
		ratio := math.Sqrt(s[1]/n-mean*mean) / sd
		t.Logf("%d: mean off by %.3f sd, sd %.3f of the posterior's; %+v", j, (mean-want)/sd, ratio,
			ch.Tuned().Parts[0])
		if math.Abs(mean-want) > 0.1*sd || math.Abs(ratio-1) > 0.05+0.03 {
			t.Errorf("class %d: mean off by %.3f sd, sd %.3f of the posterior's; found %+v", j,
				(mean-want)/sd, ratio, ch.Tuned().Parts[0])
		}
	}
}

// TestTunedResume: a chain that goes on from a checkpoint, in and after the warm-up, takes
// the steps of one that was not interrupted; and what it has found is the same.
func TestTunedResume(t *testing.T) {
	g := newScaled(300, []float64{10, 10, 10, 10}, 10)
	for _, c := range []settings.Config{tuned("geodesic_sgnht"), tuned("sgld"), tuned("psgld"),
		tuned("sghmc"), tuned("msgnht")} {
		c.Warmup, c.Draws, c.InnerSteps = 200, 100, 3
		if c.Sampler == "msgnht" { // long enough for a look whether it has come to rest
			c.Warmup, c.Draws, c.InnerSteps = 280, 20, 1
		}
		whole := mustChain(t, g, c, 1)
		mustSteps(t, whole, 300)
		for _, at := range []int{0, 1, 64, 100, 139, 140, 141, 199, 200, 201} {
			a := mustChain(t, g, c, 1)
			mustSteps(t, a, at)
			b, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			again, err := ResumeChain(g, c, 1, b)
			if err != nil {
				t.Fatal(err)
			}
			mustSteps(t, again, 300-at)
			x, _ := json.Marshal(whole.Tuned())
			y, _ := json.Marshal(again.Tuned())
			if !bitsEqual(whole.Position(), again.Position()) ||
				!bitsEqual(whole.Xi(), again.Xi()) || string(x) != string(y) {
				t.Errorf("%s, resumed at %d: %v, %v; %s, %s", c.Sampler, at, again.Position(),
					whole.Position(), y, x)
			}
		}
	}
}

// TestTunedAllocates: steps of the warm-up allocate nothing, those included that measure.
func TestTunedAllocates(t *testing.T) {
	g := newScaled(300, []float64{10, 10, 10, 10}, 10)
	for _, name := range []string{"geodesic_sgnht", "sgld"} {
		ch := mustChain(t, g, tuned(name), 0)
		mustSteps(t, ch, 1)
		if n := testing.AllocsPerRun(200, func() { mustSteps(t, ch, 1) }); n != 0 {
			t.Errorf("%s: %g allocations a step", name, n)
		}
	}
}

// TestTunedFixes: what is given is not found, and what is found does not change after the
// warm-up.
func TestTunedFixes(t *testing.T) {
	g := newScaled(300, []float64{10, 10, 10, 10}, 10)
	for _, c := range []struct {
		set      func(*settings.Config)
		friction float64 // 0: found
	}{
		{func(c *settings.Config) {}, 0},
		{func(c *settings.Config) { c.Friction = 7 }, 7},
		{func(c *settings.Config) { c.FixFriction = true }, 1},
	} {
		cfg := tuned("msgnht")
		cfg.Warmup = 300
		c.set(&cfg)
		ch := mustChain(t, g, cfg, 0)
		mustSteps(t, ch, 300)
		p := ch.Tuned().Parts[0]
		if c.friction == 0 && p.Friction == 1 || c.friction != 0 && p.Friction != c.friction {
			t.Errorf("friction %g, want %g", p.Friction, c.friction)
		}
		mustSteps(t, ch, 50)
		if q := ch.Tuned().Parts[0]; q.Step != p.Step || q.Friction != p.Friction ||
			ch.Stats().StepSize != p.Step {
			t.Errorf("after the warm-up %+v, at its end %+v", q, p)
		}
		if ch.Config().Batch != 100 {
			t.Errorf("minibatches of %d rows", ch.Config().Batch)
		}
	}
	cfg := tuned("msgnht")
	cfg.Step, cfg.Batch = 0.01, 20
	if ch := mustChain(t, g, cfg, 0); ch.Tuned() != nil {
		t.Error("a step that is given is found")
	}
}

// TestTunedRecovers: steps that the curvature at one place allows, and that are thrown to
// infinity at another, are made smaller, and the run goes on.
func TestTunedRecovers(t *testing.T) {
	force := func(x float64) float64 {
		if math.Abs(x) < 2 {
			return -x
		}
		return -math.Pow(x, 9)
	}
	g := newWell(func(x float64) float64 { return x * x / 2 }, force)
	cfg := tuned("sgld")
	cfg.Init = [][]float64{{0}}
	ch := mustChain(t, g, cfg, 0)
	mustSteps(t, ch, 1000)
	if n := ch.Tuned().Divergences; n == 0 {
		t.Error("no step was thrown to infinity: nothing is tested")
	}
}

// TestTunedBesideMetric: with a metric and a curved block the rest of the warm-up, after
// the pilot of nuts, finds the step.
func TestTunedBesideMetric(t *testing.T) {
	g := newCurved(func(x, grad []float64) float64 {
		grad[0], grad[1], grad[2] = 50, 0, 0
		grad[3] = -x[3] / 1e4
		return 50*x[0] - x[3]*x[3]/2e4
	}, sphere(1, 3), flat(1))
	cfg := tuned("geodesic_sgnht")
	cfg.Metric = "diag"
	ch := mustChain(t, g, cfg, 0)
	mustSteps(t, ch, 1000)
	// z of the flat block is as wide as the directions of the sphere, with curvature 50.
	if p := ch.Tuned().Parts[0]; p.Curvature < 25 || p.Curvature > 100 || p.Bound != "curvature" {
		t.Errorf("%+v", p)
	}
	mustSteps(t, ch, 100)
}

// TestHurriedStable: a step of a run that hurries is stable for an oscillator of the largest
// curvature, whatever friction or noise gives the damping, and long: half of it and more
// would be stable for no larger step than four times as long.
func TestHurriedStable(t *testing.T) {
	radius := func(h, damping, lambda float64) float64 {
		// of A B O B A, v ← e^{−damping h} v in all
		e := math.Exp(-damping * h / 2)
		// v' = e (e v − h λ (x + h v/2)), x' = x + h/2 (v + v').
		c, d := -e*h*lambda, e*e-e*h*h*lambda/2
		a, b := 1+h*c/2, h/2+h*d/2
		trace, det := a+d, a*d-b*c
		if disc := trace*trace/4 - det; disc > 0 {
			return math.Abs(trace)/2 + math.Sqrt(disc)
		}
		return math.Sqrt(math.Abs(det))
	}
	for _, name := range []string{"geodesic_sghmc", "geodesic_sgnht"} {
		for _, lambda := range []float64{1, 1e4, 1e8} {
			for _, noise := range []float64{0, 1e-3, 1, 1e3, 1e6, 1e9} { // V/λ
				for _, steps := range []float64{10, 1e3, 1e6} {
					c := tuned(name)
					p := tunedPart{friction: true, dim: 10,
						tunedRun: tunedRun{steps: steps, inner: 1, passes: 1, ratio: 100},
						measured: measured{
							curvature: lambda, most: lambda, trace: 10 * noise * lambda,
							square: 10 * noise * noise * lambda * lambda,
							least:  noise * lambda}}
					h, d := p.rule(&c)
					damping := d
					if name == "geodesic_sgnht" {
						// what its thermostats come to, and D more or less
						damping = math.Asinh(h*h*noise*lambda/2) / h
					}
					if r := radius(h, damping, lambda); !(r < 1+1e-12) {
						t.Errorf("%s, λ %g, V/λ %g, %g steps: step %g, friction %g: grows by %g a step", name, lambda,
							noise, steps, h, d, r)
					}
					if r := radius(4.1*h, damping, lambda); damping*h < 0.1 && !(r > 1) {
						t.Errorf("%s, λ %g, V/λ %g, %g steps: step %g is short: four times as "+
							"much is stable", name, lambda, noise, steps, h)
					}
				}
			}
		}
	}
}

// TestHurriedDrift: without a velocity a run that hurries has five times the step of one that
// does not, at most half of the longest stable one of the largest curvature, and its noise
// adds no more heat than the posterior has. A run of many passes keeps the smaller step.
func TestHurriedDrift(t *testing.T) {
	for _, name := range []string{"sgld", "sgrld"} {
		row, _ := table.Lookup(name)
		for _, most := range []float64{1, 3, 30} { // the largest curvature in the mean one
			for _, noise := range []float64{0, 1e-3, 1, 10, 1e3} { // V/λ
				for _, inner := range []float64{1, 10} {
					const lambda = 100.0
					c := tuned(name)
					part := func(passes float64) (h, mean float64) {
						p := tunedPart{kind: kindOf(row), dim: 10,
							tunedRun: tunedRun{steps: 1e3, inner: inner, passes: passes,
								ratio: 100},
							measured: measured{curvature: lambda, most: most * lambda,
								trace:  10 * noise * lambda,
								square: 10 * noise * noise * lambda * lambda}}
						h, _ = p.rule(&c)
						return h, inner * noise * lambda * h / 2
					}
					h, heat := part(1)
					want := min(0.5, 1/most) / lambda
					if noise > 0 {
						want = min(want, 2/(inner*noise*lambda))
					}
					if math.Abs(h/want-1) > 1e-12 || heat > 1+1e-12 {
						t.Errorf("%s, %g, V/λ %g, %g inner steps: step %g with heat %g, want %g",
							name, most, noise, inner, h, heat, want)
					}
					if long, heat := part(1e9); long > 0.1/lambda*(1+1e-12) || heat > 0.081 {
						t.Errorf("%s: a long run has the step %g with heat %g", name, long, heat)
					}
				}
			}
		}
	}
}

// TestHurriedComesFar: a run of two passes over the rows of a posterior of condition 10,000
// comes from far away to where it is, and says that its draws are not those of the posterior.
// Under thermostats no velocity is much above 1, so that their run begins less far away.
func TestHurriedComesFar(t *testing.T) {
	g := newScaled(20000, []float64{1e4, 1e4, 1e4, 1e4, 1e4}, 1e4)
	for _, name := range []string{"geodesic_sghmc", "geodesic_sgnht"} {
		c := tuned(name)
		c.Warmup, c.Draws, c.Thin = 200, 200, 1
		c.Init = [][]float64{make([]float64, 5)}
		from := make([]float64, 5)
		for j := range from {
			if from[j] = 2; name == "geodesic_sghmc" {
				from[j] = 10 * math.Sqrt(g.s[j]) // standard deviations of a row
			}
			c.Init[0][j] = 1 + from[j]
		}
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, 400)
		for j, x := range ch.Position() {
			if mean, _ := g.moments(j); math.Abs(x-mean) > from[j]/2 {
				t.Errorf("%s, coordinate %d: %.3f from the mode, at the start %.3f; found %+v",
					name, j, x-mean, from[j], ch.Tuned().Parts[0])
			}
		}
		if !ch.Tuned().Parts[0].Hurried {
			t.Errorf("%s: a run of two passes is not hurried", name)
		}
		rows := ch.Health()
		i := slices.IndexFunc(rows, ofPasses)
		if i < 0 || rows[i].Verdict != "off" || rows[i].Value != 2 || rows[i].Expected < 10 ||
			rows[i].Expected > 20 {
			t.Errorf("%s: health %+v", name, rows)
		}
		if text := strings.Join(health.Advice(rows, ch.Config()), "\n"); !strings.Contains(text,
			"more --draws or more --thin") {
			t.Errorf("%s: advice %q", name, text)
		}
	}
}

// TestRestWatch: a chain that wanders is told from one that has come to rest.
func TestRestWatch(t *testing.T) {
	for seed := range uint64(20) {
		src := rng.New(seed, 0, rng.Test).At(0)
		for _, c := range []struct {
			forget float64 // a step
			dim    int
			moving bool
		}{{1, 1, false}, {1, 100, false}, {0.1, 100, false}, {0, 100, true}, {0, 3000, true}} {
			w := newRestWatch(0, 4000, c.dim)
			x := make([]float64, c.dim)
			for step := range int64(4000) {
				for k := range x {
					x[k] += float64(-c.forget*x[k]) + src.Normal()
				}
				w.see(step, x)
			}
			if got := w.moving(func(int) bool { return true }); got != c.moving {
				t.Errorf("seed %d, %+v: moving is %v", seed, c, got)
			}
		}
	}
}

// TestHurriedWherePassesDoNotHelp: 50 passes are enough for a posterior whose directions are
// alike, and by far too few for one of condition 10⁸, where steps that are right along the
// direction of most noise would go nowhere along the others.
func TestHurriedWherePassesDoNotHelp(t *testing.T) {
	prior := make([]float64, 8)
	for j := range prior {
		prior[j] = 1e6
	}
	for _, name := range []string{"geodesic_sghmc", "geodesic_sgnht"} {
		for _, condition := range []float64{1, 1e8} {
			g := newScaled(2000, prior, condition)
			c := tuned(name)
			c.Warmup, c.Draws, c.Thin, c.Batch = 400, 600, 1, 100
			c.Init = [][]float64{make([]float64, 8)}
			for j := range c.Init[0] {
				c.Init[0][j] = 3
			}
			ch := mustChain(t, g, c, 0)
			mustSteps(t, ch, 1000)
			p := ch.Tuned().Parts[0]
			if p.Hurried != (condition > 1) {
				t.Errorf("%s, condition %g: hurried is %v; found %+v", name, condition, p.Hurried, p)
			}
			rows := ch.Health()
			i := slices.IndexFunc(rows, ofPasses)
			if (i >= 0) != p.Hurried || i >= 0 && rows[i].Expected < 100 {
				t.Errorf("%s, condition %g: health %+v", name, condition, rows)
			}
		}
	}
}

// TestTunedNearZero: entries of an expanded mean that are next to 0, as of words that a
// sparse topic does not use, do not make the step small by rounding errors of their forces.
func TestTunedNearZero(t *testing.T) {
	alpha, counts := make([]float64, 40), make([]int, 40)
	start := make([]float64, 40)
	for k := range alpha {
		alpha[k], start[k] = 0.1, math.Pow(10, -4*float64(k))
		if k < 3 {
			counts[k], start[k] = 100, 30
		}
	}
	g := newMultinomial(alpha, counts...)
	c := tuned("sgrld")
	c.Init = [][]float64{start}
	c.Warmup = 64
	ch := mustChain(t, g, c, 0)
	mustSteps(t, ch, 1)
	if p := ch.Tuned().Parts[0]; p.Step < 1e-3 || p.Curvature > 100 {
		t.Errorf("found %+v", p)
	}
}

// ofPasses reports whether a row of health is that of the passes over the data.
func ofPasses(r health.Row) bool { return r.Statistic == "passes" }
