package sampler

import (
	"fmt"
	"math"
	"testing"
)

// TestReshuffle: the standard deviation of draws with reshuffled passes agrees with the prediction
// of health and with the exact value, and the verdict follows from it.
func TestReshuffle(t *testing.T) {
	for _, c := range []struct {
		order       string
		batch       int
		h, friction float64
		verdict     string
		noisy       bool // rows that say more, and so add more noise
	}{
		{"shuffle", 25, 0.02, 2, "ok", false},
		{"shuffle", 5, 0.02, 6, "ok", false},
		{"shuffle", 5, 0.02, 1, "ok", false},
		{"shuffle", 5, 0.02, 0, "ok", false}, // all friction is the gradient's noise
		{"shuffle", 1, 0.005, 1, "ok", false},
		{"shuffle", 1, 0.02, 1, "unsure", false},
		{"shuffle", 5, 0.04, 20, "ok", false},
		{"shuffle", 2, 0.03, 4, "unsure", false},
		{"shuffle", 40, 0.02, 0.3, "ok", false}, // 25 rows each
		{"sequential", 5, 0.02, 1, "ok", false},
		{"shuffle", 5, 0.01, 2, "off", true},
		{"shuffle", 10, 0.01, 20, "ok", true},
		{"replace", 5, 0.01, 2, "ok", true},
		{"replace", 5, 0.02, 1, "ok", false},
		{"replace", 1, 0.02, 1, "ok", false},
	} {
		t.Run(fmt.Sprintf("%s/%d/%g/%g", c.order, c.batch, c.h, c.friction), func(t *testing.T) {
			t.Parallel()
			cfg := config("msgnht", "split", c.h)
			cfg.FullBatch, cfg.Batch, cfg.BatchOrder, cfg.Friction = false, c.batch, c.order,
				c.friction
			if c.friction == 0 {
				cfg.Xi0 = new(float64)
				*cfg.Xi0 = 1
			}
			cfg.Warmup, cfg.Draws = 5000, 120000
			rowVar := 1.0
			if c.noisy {
				rowVar = 0.2
			}
			g := newGaussian([]float64{4, 4, 4, 4}).withRows(50, rowVar)
			ch := mustChain(t, g, cfg, 0)
			mustSteps(t, ch, int(cfg.Warmup))
			n, got := 0.0, 0.0
			for range cfg.Draws {
				mustSteps(t, ch, 1)
				n++
				for j, x := range ch.Position() {
					m, v := g.moments(j)
					got += (x - m) * (x - m) / v / 4
				}
			}
			got = math.Sqrt(got / n)
			row := ch.Health()[0]
			q := &thermoHealth{c: ch, p: &ch.parts[0], f: &ch.state.Factors[0],
				chains: []*Chain{ch}, sd: 1, time: n * c.h, least: n * c.h, count: 1,
				mean: c.friction + row.Value}
			want := 1.0
			if ch.reshuffles() {
				want = q.sdRatio(row.Value, 1)
			}
			t.Logf("%s, ξ̄ − D = %.3g: %.3f, predicted %.3f; %s", c.order, row.Value, got, want,
				row.Verdict)
			if math.Abs(got/want-1) > 0.03 {
				t.Errorf("ratio %.3f, predicted %.3f", got, want)
			}
			if row.Statistic != "xi_minus_friction" || row.Verdict != c.verdict {
				t.Errorf("ratio %.3f and %+v", got, row)
			}
		})
	}
}

// TestSurvives: the closed form is the integral, and its ends are those of
// noise that x never sees cancelled, and of noise that it does.
func TestSurvives(t *testing.T) {
	for _, k := range []float64{0.01, 1, 30, 1e4} {
		for _, xi := range []float64{0.05, 2, 2 * math.Sqrt(30), 80} {
			for _, pass := range []float64{1e-6, 0.3, 5, 1e6} {
				got, _ := survives(k, xi, pass)
				if !(got >= 0 && got <= 1) || pass == 1e-6 && got > 1e-3 ||
					pass == 1e6 && got < 0.95 {
					t.Errorf("k = %g, ξ = %g, P = %g: %g", k, xi, pass, got)
				}
				if pass == 1e-6 || pass == 1e6 {
					continue
				}
				const n = 200000
				sum := 0.0
				for i := range n {
					s := (float64(i) + 0.5) / n
					sum += 2 * (1 - s) * oscillator(k, xi, s*pass) / n
				}
				if want := min(max(1-sum, 0), 1); math.Abs(got-want) > 1e-3 {
					t.Errorf("k = %g, ξ = %g, P = %g: %g, want %g", k, xi, pass, got, want)
				}
			}
		}
	}
}

// oscillator is the autocorrelation of its position.
func oscillator(k, xi, s float64) float64 {
	w := k - xi*xi/4
	switch {
	case w > 1e-9*k:
		w = math.Sqrt(w)
		return math.Exp(-xi*s/2) * (math.Cos(w*s) + xi/(2*w)*math.Sin(w*s))
	case w < -1e-9*k:
		a := xi/2 + math.Sqrt(-w)
		b := k / a
		return (a*math.Exp(-b*s) - b*math.Exp(-a*s)) / (a - b)
	}
	return math.Exp(-xi*s/2) * (1 + xi*s/2)
}
