package sampler

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// ill is a Gaussian whose variances go from 1 to 1e4 along the axes, evenly in
// the logarithm, or along random directions.
func ill(d int, rotated bool) target.Target {
	precision := make([]float64, d*d)
	at := func(i int) float64 { return math.Pow(10, -4*float64(i)/float64(max(d-1, 1))) }
	if !rotated {
		return newCurved(func(x, grad []float64) float64 {
			sum := 0.0
			for i, a := range x {
				g := -at(i) * a
				grad[i] = g
				sum += 0.5 * g * a
			}
			return sum
		}, flat(d))
	}
	noise, eigen := make([]float64, d*d), make([]float64, (d+2)*d)
	rng.New(5, 0, rng.Test).Normals(0, noise)
	kernel.EigenSym(eigen, noise, 1, d)
	for k := range d {
		for i := range d {
			for j := range d {
				precision[i*d+j] += at(k) * eigen[d+i*d+k] * eigen[d+j*d+k]
			}
		}
	}
	return newCurved(func(x, grad []float64) float64 {
		kernel.Gemv(grad, precision, x, d, d, false)
		sum := 0.0
		for i, a := range x {
			sum -= 0.5 * grad[i] * a
			grad[i] = -grad[i]
		}
		return sum
	}, flat(d))
}

// efficiency is leapfrog steps for an effective draw of the slowest coordinate,
// with those of the warm-up.
func efficiency(t *testing.T, ch *Chain, dim int) (perDraw, warmup float64) {
	for range ch.cfg.Warmup {
		mustSteps(t, ch, 1)
		warmup += float64(ch.Stats().Leapfrogs)
	}
	ms, steps := make([]moments, dim), 0.0
	for range ch.cfg.Draws {
		mustSteps(t, ch, 1)
		steps += float64(ch.Stats().Leapfrogs)
		for i, x := range ch.Position() {
			ms[i].add(x)
		}
	}
	ess := 0.0
	for i := range ms {
		v := ms[i].two.Mean() / math.Pow(ms[i].one.MCSE(), 2)
		ess += v / float64(dim)
	}
	return steps / ess, warmup
}

// warmFixed are the kinds that a found metric is held against. The diagonal one is
// left out where variances lie along other directions: it takes a hundred times as long.
func warmFixed(rotated bool) []string {
	if rotated {
		return []string{adapt.MetricDense, adapt.MetricLowRank}
	}
	return []string{adapt.MetricDiag, adapt.MetricDense, adapt.MetricLowRank}
}

// checkFound runs a chain whose metric is found on an ill-conditioned Gaussian, and
// one of each kind that is given.
func checkFound(t *testing.T, d int, rotated bool, fixed []string) {
	run := func(metric string) (*Chain, float64) {
		c := nutsConfig(1000, 1000)
		c.Metric = metric
		ch := mustChain(t, ill(d, rotated), c, 0)
		e, _ := efficiency(t, ch, d)
		return ch, e
	}
	ch, found := run("")
	want := adapt.MetricDiag
	if rotated {
		want = adapt.MetricDense
	}
	if got := ch.Tuning(); got.Metric != want || got.Step <= 0 || got.WarmupGradients < 2000 {
		t.Errorf("d=%d rotated=%v: %+v", d, rotated, got)
	}
	for _, metric := range fixed {
		if _, other := run(metric); !(found <= 1.5*other) {
			t.Errorf("d=%d rotated=%v: %.1f leapfrog steps for an effective draw, %.1f with %s", d,
				rotated, found, other, metric)
		}
	}
}

// TestMetricFound: on Gaussians whose variances go from 1 to 1e4 the metric found is
// diagonal where these lie along the axes, and dense where they do not, and takes
// about as few steps for an effective draw as the best that could be given.
func TestMetricFound(t *testing.T) {
	for _, d := range []int{5, 50} {
		for _, rotated := range []bool{false, true} {
			checkFound(t, d, rotated, warmFixed(rotated))
		}
	}
}

// spiked has variances 1, except for some along random directions.
func spiked(d int, variances ...float64) target.Target {
	k := len(variances)
	u := make([]float64, k*d)
	src := rng.New(9, 0, rng.Test).At(0)
	for j := range k {
		row := u[j*d : (j+1)*d]
		for i := range row {
			row[i] = src.Normal()
		}
		for l := range j {
			kernel.Axpy(-kernel.Dot(row, u[l*d:(l+1)*d]), u[l*d:(l+1)*d], row)
		}
		norm := math.Sqrt(kernel.Dot(row, row))
		for i := range row {
			row[i] /= norm
		}
	}
	return newCurved(func(x, grad []float64) float64 {
		for i, a := range x {
			grad[i] = -a
		}
		for j, v := range variances {
			row := u[j*d : (j+1)*d]
			kernel.Axpy((1-1/v)*kernel.Dot(row, x), row, grad)
		}
		return 0.5 * kernel.Dot(x, grad)
	}, flat(d))
}

// TestMetricLowRank: of more coordinates than there are states in a window, three
// directions that differ from the others are found, and few others.
func TestMetricLowRank(t *testing.T) {
	for _, d := range []int{400, 1200} {
		run := func(metric string) (Tuning, int) {
			c := nutsConfig(400, 20)
			c.Metric = metric
			ch := mustChain(t, spiked(d, 400, 100, 1e-2), c, 0)
			mustSteps(t, ch, int(c.Warmup))
			steps := 0
			for range c.Draws {
				mustSteps(t, ch, 1)
				steps += ch.Stats().Leapfrogs
			}
			return ch.Tuning(), steps
		}
		got, steps := run("")
		other := 2 * steps
		if d == 400 {
			_, other = run(adapt.MetricDiag)
		}
		if got.Metric != adapt.MetricLowRank || got.Rank < 2 || got.Rank > 12 || steps > other/2 {
			t.Errorf("%d coordinates: %+v, %d steps, %d in a diagonal metric", d, got, steps, other)
		}
	}
}

// TestMetricNotFooled: where a diagonal metric is right no window of few states, all
// of them near each other at the start, leaves another.
func TestMetricNotFooled(t *testing.T) {
	for seed := range uint64(5) {
		c := nutsConfig(150, 0)
		c.Seed = seed
		ch := mustChain(t, newGaussian(variances(60)), c, 0)
		mustSteps(t, ch, int(c.Warmup))
		if got := ch.Tuning(); got.Metric != adapt.MetricDiag {
			t.Errorf("seed %d: %+v", seed, got)
		}
	}
}

// TestMetricFoundMoments: in a metric that is found the law is the same.
func TestMetricFoundMoments(t *testing.T) {
	scales := wide(10)
	for _, metric := range []string{"auto", "lowrank"} {
		for _, sampler := range []string{"nuts", "gmc"} {
			c := nutsConfig(600, 12000)
			c.Sampler, c.Metric = sampler, metric
			ch := mustChain(t, correlated(0.95, scales), c, 0)
			mustSteps(t, ch, int(c.Warmup))
			if got := ch.Tuning(); got.Metric == adapt.MetricDiag {
				t.Errorf("%s %s: %+v", sampler, metric, got)
			}
			ms := make([]moments, len(scales))
			for range c.Draws {
				mustSteps(t, ch, 1)
				for i, x := range ch.Position() {
					ms[i].add(x)
				}
			}
			for i, s := range scales {
				ms[i].check(t, fmt.Sprint(sampler, metric, i), s*s, 0)
			}
		}
	}
}

// TestMetricFoundResume: stopped anywhere, while states of a window are kept too, a
// chain whose metric is found goes on bit for bit.
func TestMetricFoundResume(t *testing.T) {
	g := correlated(0.95, wide(6))
	for _, metric := range []string{"auto", "lowrank"} {
		c := nutsConfig(160, 40)
		c.Metric, c.Chains = metric, 2
		whole := mustRun(t, g, c, 2)
		for _, stop := range []int{0, 74, 80, 99, 100, 109, 110, 130, 160, 180} {
			a := mustChain(t, g, c, 1)
			mustSteps(t, a, stop)
			state, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			b, err := ResumeChain(g, c, 1, state)
			if err != nil {
				t.Fatal(err)
			}
			mustSteps(t, b, int(c.Steps())-stop)
			if end, _ := b.MarshalBinary(); string(end) != string(whole.last(1)) {
				t.Errorf("%s: resumed at %d, the end differs", metric, stop)
			}
			if b.Tuning().Metric == adapt.MetricDiag {
				t.Errorf("%s: %+v", metric, b.Tuning())
			}
		}
	}
}

// TestLowRankMetric: products with L, its transpose and its inverse agree with the
// matrix written out.
func TestLowRankMetric(t *testing.T) {
	const n = 7
	m := adapt.NewFoundMetric(n)
	u := make([]float64, 2*n)
	u[0], u[1], u[n+3] = 0.6, 0.8, 1
	m.SetDirections([]float64{1, 2, 3, 4, 5, 6, 7}, u, []float64{9, 0.25})
	src := rng.New(3, 0, rng.Test)
	x, y := make([]float64, n), make([]float64, n)
	src.Normals(0, x)
	src.Normals(1, y)
	lx, lty := make([]float64, n), make([]float64, n)
	m.Apply(x, lx)
	m.Transposed(y, lty)
	if a, b := kernel.Dot(lx, y), kernel.Dot(x, lty); math.Abs(a-b) > 1e-12 {
		t.Errorf("y·Lx is %g, x·Lᵀy %g", a, b)
	}
	if want := 1 * (x[0] + 2*0.6*(0.6*x[0]+0.8*x[1])); math.Abs(lx[0]-want) > 1e-12 ||
		math.Abs(lx[3]-4*0.5*x[3]) > 1e-12 || math.Abs(lx[4]-5*x[4]) > 1e-12 {
		t.Errorf("L x = %v of %v", lx, x)
	}
	m.Solve(lx)
	for i := range x {
		if math.Abs(lx[i]-x[i]) > 1e-12 {
			t.Errorf("coordinate %d: %g came back as %g", i, x[i], lx[i])
		}
	}
}
