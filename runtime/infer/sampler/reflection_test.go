package sampler

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// reflectionOf is the row reflection_bias of a chain.
func reflectionOf(t *testing.T, rows []health.Row) health.Row {
	t.Helper()
	for _, r := range rows {
		if r.Statistic == "reflection_bias" {
			return r
		}
	}
	t.Fatal("reflection_bias is not reported")
	return health.Row{}
}

// TestReflectionBias: reflection_bias is off where the share of an entry is wrong
// by a good part of its standard deviation, ok where none is, and close to what is
// wrong where that is little. All laws are known: Dirichlet priors, sparse counts
// under them, whole and by minibatches, tempered.
func TestReflectionBias(t *testing.T) {
	words := []int{20, 15, 10, 5, 2, 1, 0, 0, 0, 0}
	equal := func(a float64) []float64 {
		out := make([]float64, len(words))
		for i := range out {
			out[i] = a
		}
		return out
	}
	for _, c := range []struct {
		alpha       []float64
		counts      []int
		batch       int
		step, temp  float64
		steps       int
		want        string
		wrong       float64 // the bias of the worst share that is to be seen, at least
		least, most float64 // of the statistic
	}{
		{[]float64{0.1, 1, 2.2}, nil, 0, 0.002, 1, 200000, "off", 0, 0.15, 0.5},
		{[]float64{2, 2, 2}, nil, 0, 0.01, 1, 60000, "ok", 0, 0, 0.01},
		{[]float64{2, 2, 2}, nil, 0, 0.01, 2, 60000, "ok", 0, 0, 0.01},
		{[]float64{4, 6, 10}, nil, 0, 0.1, 1, 20000, "ok", 0, 0, 0.01},
		{equal(1), words, 0, 0.01, 1, 150000, "ok", 0.02, 0.04, 0.06},
		{equal(1), words, 10, 0.01, 1, 150000, "ok", 0.02, 0.04, 0.06},
		{equal(1), words, 0, 0.05, 1, 60000, "off", 0.15, 0.15, 0.3},
		// the topics of bench/topics.md
		{equal(0.1), words, 0, 0.01, 1, 60000, "off", 0.9, 0.5, 1.3},
		{equal(0.1), words, 10, 0.0005, 1, 100000, "off", 0.3, 0.3, 0.7},
	} {
		t.Run(fmt.Sprintf("%v of %v by %d, step %g, T = %g", c.alpha, c.counts, c.batch, c.step, c.temp),
			func(t *testing.T) {
				t.Parallel()
				var g target.Target = gammas(c.alpha...)
				if c.counts != nil {
					g = newMultinomial(c.alpha, c.counts...)
				}
				cfg := config("sgrld", "", c.step)
				cfg.Temperature, cfg.Warmup, cfg.Draws, cfg.Seed = c.temp, 2000, int64(c.steps), 3
				if c.batch > 0 {
					cfg.FullBatch, cfg.Batch = false, c.batch
				}
				law, total := make([]float64, len(c.alpha)), 0.0
				for k, a := range c.alpha {
					law[k] = (a-1)/c.temp + 1
					if c.counts != nil {
						law[k] += float64(c.counts[k])
					}
					total += law[k]
				}
				ch := mustChain(t, g, cfg, 0)
				mustSteps(t, ch, int(cfg.Warmup))
				shares := make([]health.Series, len(c.alpha))
				for range c.steps {
					mustSteps(t, ch, 1)
					sum := 0.0
					for _, x := range ch.Position() {
						sum += x
					}
					for k, x := range ch.Position() {
						shares[k].Add(x / sum)
					}
				}
				row := reflectionOf(t, ch.Health())
				worst := 0.0
				for k := range shares {
					mean := law[k] / total
					sd := math.Sqrt(mean * (1 - mean) / (total + 1))
					miss, e := math.Abs(shares[k].Mean()-mean)/sd, shares[k].Slowest()/sd
					worst = max(worst, miss)
					if row.Verdict == "ok" && miss > health.MeanTolerance+4*e {
						t.Errorf("share %d is off by %.3f ± %.3f standard deviations, and nothing is said", k, miss,
							e)
					}
				}
				t.Logf("%.4f ± %.4f %s; the worst share is off by %.3f standard deviations", row.Value,
					row.MCSE, row.Verdict, worst)
				if row.Verdict != c.want || !(row.Value >= c.least && row.Value <= c.most) {
					t.Errorf("reflection_bias is %.4f ± %.4f, %s; want %s, from %g to %g", row.Value,
						row.MCSE, row.Verdict, c.want, c.least, c.most)
				}
				if worst < c.wrong {
					t.Errorf("the worst share is off by %.3f standard deviations only", worst)
				}
				if c.want == "off" {
					advice := strings.Join(health.Advice([]health.Row{row}, cfg), " ")
					for _, says := range []string{"reflection_bias of ", "smaller --step",
						"`by expanded_mean`"} {
						if !strings.Contains(advice, says) {
							t.Errorf("%q does not say %q", advice, says)
						}
					}
				}
			})
	}
}

// TestReflectionBiasOfLarge: an entry of much mass among many of little mass is off although each
// of those is nearly right, since all together take mass from it.
func TestReflectionBiasOfLarge(t *testing.T) {
	t.Parallel()
	alpha := []float64{300}
	for range 100 {
		alpha = append(alpha, 1)
	}
	cfg := config("sgrld", "", 0.05)
	cfg.Warmup, cfg.Draws = 400, 40000
	ch := mustChain(t, gammas(alpha...), cfg, 0)
	mustSteps(t, ch, int(cfg.Warmup))
	var share health.Series
	for range cfg.Draws {
		mustSteps(t, ch, 1)
		sum := 0.0
		for _, x := range ch.Position() {
			sum += x
		}
		share.Add(ch.Position()[0] / sum)
	}
	const exact = 300.0 / 400
	sd := math.Sqrt(exact * (1 - exact) / 401)
	row := reflectionOf(t, ch.Health())
	t.Logf("off by %.3f ± %.3f standard deviations; %+v", (share.Mean()-exact)/sd,
		share.Slowest()/sd, row)
	if row.Verdict != "off" || !(share.Mean() < exact-0.15*sd) {
		t.Errorf("share %.4f, exact %.4f, standard deviation %.4f: %+v", share.Mean(), exact, sd, row)
	}
	q := &ch.health.mirrored
	for k := range alpha {
		r := reflectedAt([]*Chain{ch}, 0, 0, k, q.seen[0], q.time[0], 1)
		if z := r.bias / math.Sqrt(r.variance); z > health.MeanTolerance {
			t.Errorf("coordinate %d is off by itself: %.3f", k, z)
		}
	}
}

// TestReflectionBiasOfBelow compares E max(0, −y) of a normal y with an integral.
func TestReflectionBiasOfBelow(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {1, 1}, {-2, 1}, {3, 0.7}, {0.01, 0.2}, {-50, 1},
		{7, 1}} {
		sum := 0.0
		const n = 200000
		for i := range n {
			z := -10 + 20*(float64(i)+0.5)/n
			sum += max(0, -(c[0]+c[1]*z)) * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * 20 / n
		}
		if got := below(c[0], c[1]); !(math.Abs(got-sum) < 1e-7*(1+sum)) {
			t.Errorf("below(%v) is %.12g, want %.12g", c, got, sum)
		}
	}
	if got := below(0, 0); got != 0 {
		t.Errorf("below(0, 0) is %g", got)
	}
	if got := below(-1, 0); got != 1 {
		t.Errorf("below(-1, 0) is %g", got)
	}
}

// TestReflectionBiasResumed: of many coordinates, of which not every observation
// counts, and of few, the row is the same to the bit after a checkpoint, and a step
// that is observed allocates nothing.
func TestReflectionBiasResumed(t *testing.T) {
	for _, n := range []int{3, 3 * oftenMirrored} {
		alpha := make([]float64, n)
		for k := range alpha {
			alpha[k] = 0.3 + float64(k%4)
		}
		g := gammas(alpha...)
		cfg := config("sgrld", "", 0.05)
		cfg.Warmup, cfg.Draws = 50, 120
		a := mustChain(t, g, cfg, 0)
		mustSteps(t, a, 101)
		state, err := a.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		b, err := ResumeChain(g, cfg, 0, state)
		if err != nil {
			t.Fatal(err)
		}
		mustSteps(t, a, 69)
		mustSteps(t, b, 69)
		if x, y := a.Health(), b.Health(); !equalHealth(x, y) || reflectionOf(t, x).Verdict == "" {
			t.Errorf("of %d coordinates: %+v and %+v", n, x, y)
		}
	}
	cfg := config("sgrld", "", 0.05)
	cfg.Warmup, cfg.Draws = 50, 1000
	ch := mustChain(t, gammas(0.3, 1, 2), cfg, 0)
	mustSteps(t, ch, 100)
	if n := testing.AllocsPerRun(50, func() { mustSteps(t, ch, 1) }); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}
