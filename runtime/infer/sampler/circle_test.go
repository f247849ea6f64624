package sampler

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// circle has two modes on S¹: e^{5 μ₁·x} + 2 e^{5 μ₂·x} with μ at the angles
// ±π/3 (Liu, Zhu and Song 2016, section 5.1).
func circle() *curved {
	s, c := math.Sincos(math.Pi / 3)
	return newCurved(func(x, grad []float64) float64 {
		a := math.Exp(5 * (c*x[0] + s*x[1]))
		b := 2 * math.Exp(5*(c*x[0]-s*x[1]))
		grad[0] = 5 * c
		grad[1] = 5 * s * (a - b) / (a + b)
		return math.Log(a + b)
	}, sphere(1, 2))
}

// circleTruth has the exact moments and the masses of 24 bins of the angle.
func circleTruth(t *testing.T) (cos, sin, upper float64, mass []float64) {
	text, err := os.ReadFile(reference.Path(t, "truth", "circle_s1.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Mirrored struct {
			Cos   string `json:"E_cos1"`
			Sin   string `json:"E_sin1"`
			Upper string `json:"P_angle_in_0_pi"`
			Hist  struct{ Mass []float64 }
		}
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	m := all.Mirrored
	for i, s := range []string{m.Cos, m.Sin, m.Upper} {
		if *[]*float64{&cos, &sin, &upper}[i], err = strconv.ParseFloat(s, 64); err != nil {
			t.Fatal(err)
		}
	}
	mass = make([]float64, 24)
	for i, p := range m.Hist.Mass {
		mass[i*24/len(m.Hist.Mass)] += p
	}
	return cos, sin, upper, mass
}

// A circleRun has moments and histogram of the angle.
type circleRun struct {
	cos, sin, upper health.Series
	mass            [24]float64
}

// runCircle takes draws of ten steps each, of h = 0.01, under a gradient of
// the given variance, with friction enough to correct for it.
func runCircle(
	t testing.TB, variance, corrected float64, draws int, seed uint64,
) (*circleRun, *Chain) {
	cfg := config("geodesic_sghmc", "", 0.01)
	cfg.Friction, cfg.GradNoise, cfg.Seed = 6*variance/1000, corrected, seed
	cfg.SyntheticNoise = fmt.Sprint("gradient:", variance)
	cfg.Warmup, cfg.Draws, cfg.Thin = 2000, int64(draws), 10
	ch := mustChain(t, circle(), cfg, 0)
	mustSteps(t, ch, int(cfg.Warmup))
	r := &circleRun{}
	for range draws {
		mustSteps(t, ch, 10)
		x := ch.Position()
		r.cos.Add(x[0])
		r.sin.Add(x[1])
		up := 0.0
		if x[1] > 0 {
			up = 1
		}
		r.upper.Add(up)
		r.mass[min(int((math.Atan2(x[1], x[0])+math.Pi)/(2*math.Pi)*24), 23)] += 1 / float64(draws)
	}
	return r, ch
}

// variation is the total variation distance to the exact masses.
func (r *circleRun) variation(mass []float64) float64 {
	tv := 0.0
	for i, p := range mass {
		tv += math.Abs(r.mass[i]-p) / 2
	}
	return tv
}

// TestCircle: with V̂ = V the moments on the circle are those of the target
// under a gradient noise of that variance, and without it the target is heated
// to 1 + Vh/(2D) = 1.83, where the mean of the sine is about −0.14. The slow
// test has the paper's V = 1000; here V is a tenth, and so is the friction,
// which mixes faster.
func TestCircle(t *testing.T) {
	cos, sin, upper, mass := circleTruth(t)
	r, ch := runCircle(t, 100, 100, 120000, 1)
	for name, m := range map[string]struct {
		s    *health.Series
		want float64
	}{"cosine": {&r.cos, cos}, "sine": {&r.sin, sin}, "upper half": {&r.upper, upper}} {
		if d := m.s.Mean() - m.want; !(math.Abs(d) < 4*m.s.Slowest()+0.003) ||
			m.s.Slowest() > 0.04 {
			t.Errorf("%s off by %.4f ± %.4f", name, d, m.s.Slowest())
		}
	}
	tv := r.variation(mass)
	t.Logf("total variation %.4f; sine %.4f ± %.4f", tv, r.sin.Mean(), r.sin.Slowest())
	if tv > 0.03 {
		t.Errorf("total variation %.4f", tv)
	}
	for _, row := range ch.Health() {
		if row.Verdict == "off" {
			t.Errorf("%+v", row)
		}
	}
	hot, ch := runCircle(t, 100, 0, 60000, 1)
	if tv := hot.variation(mass); !(tv > 0.1 && tv < 0.18) ||
		math.Abs(hot.sin.Mean()+0.137) > 0.04 {
		t.Errorf("without V̂: total variation %.4f, sine %.4f", tv, hot.sin.Mean())
	}
	for _, row := range ch.Health() {
		if want := 1 + 100*0.01/1.2; row.Statistic == "kinetic_temperature" &&
			(row.Verdict != "off" || math.Abs(row.Value-want) > 0.02*want) {
			t.Errorf("without V̂: %+v, want %g", row, want)
		}
		if row.Statistic == "configurational_temperature" && row.Verdict == "ok" {
			t.Errorf("without V̂: %+v", row)
		}
	}
}

// TestCircleThermostat: a thermostat takes up the noise that nobody told it of.
func TestCircleThermostat(t *testing.T) {
	cos, sin, _, _ := circleTruth(t)
	cfg := config("geodesic_sgnht", "", 0.01)
	cfg.Friction, cfg.SyntheticNoise = 0.5, "gradient:100"
	cfg.Warmup, cfg.Draws, cfg.Thin = 5000, 100000, 10
	ch := mustChain(t, circle(), cfg, 0)
	mustSteps(t, ch, int(cfg.Warmup))
	var c, s health.Series
	for range cfg.Draws {
		mustSteps(t, ch, 10)
		c.Add(ch.Position()[0])
		s.Add(ch.Position()[1])
	}
	for _, m := range []struct {
		s    *health.Series
		want float64
	}{{&c, cos}, {&s, sin}} {
		if d := m.s.Mean() - m.want; !(math.Abs(d) < 4*m.s.Slowest()+0.004) ||
			m.s.Slowest() > 0.04 {
			t.Errorf("mean off by %.4f ± %.4f", d, m.s.Slowest())
		}
	}
	for _, r := range ch.Health() {
		if r.Verdict == "off" ||
			r.Statistic == "gradient_noise" && math.Abs(r.Value-100) > 4*r.MCSE+3 {
			t.Errorf("%+v", r)
		}
	}
}

// TestCircleTooNoisy: noise beyond what the kick has is refused.
func TestCircleTooNoisy(t *testing.T) {
	cfg := config("geodesic_sghmc", "", 0.01)
	cfg.Friction, cfg.GradNoise = 4, 1000
	if err := cfg.Validate(circle()); err == nil {
		t.Error("2DT = 8 is less than V̂h = 10, and nobody minds")
	}
}
