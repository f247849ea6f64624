package sampler

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// mixtureTruth is the posterior of a mixture on the circle whose two modes
// swap its components (Liu, Zhu and Song 2016, section 5.2):
// v_1, v_2 ~ vMF(e_1, κ), x_i ~ ½ vMF(v_1, κ) + ½ vMF((v_1+v_2)/‖v_1+v_2‖, κ).
type mixtureTruth struct {
	Kappa     float64
	Angles    []float64 `json:"data_angles"`
	Posterior struct {
		Mean1 float64 `json:"E_angle1"`
		Mean2 float64 `json:"E_angle2"`
		SD1   float64 `json:"sd_angle1"`
		SD2   float64 `json:"sd_angle2"`
		Corr  float64 `json:"corr_angles"`
		Less  float64 `json:"P_angle1_lt_angle2"`
	}
}

type vmfMixture struct {
	gaussian
	kappa float64
	rows  [][2]float64
}

func newMixture(t *testing.T) (*vmfMixture, *mixtureTruth) {
	text, err := os.ReadFile(reference.Path(t, "truth", "sggmc_vmf_mixture.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m mixtureTruth
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	g := &vmfMixture{kappa: m.Kappa}
	for _, a := range m.Angles {
		s, c := math.Sincos(a)
		g.rows = append(g.rows, [2]float64{c, s})
	}
	g.dim = 4
	g.blocks = []target.Block{{Name: "v", Len: 4, Geometry: sphere(2, 2)}}
	return g, &m
}

func (g *vmfMixture) Rows() int { return len(g.rows) }

func (g *vmfMixture) NewEvaluator(int) target.Evaluator {
	return &mixtureEval{gaussianEval{&g.gaussian}, g}
}

type mixtureEval struct {
	gaussianEval
	g *vmfMixture
}

func (e *mixtureEval) LogDensityGradient(
	v []float64, rows []int, scale, _ float64, grad []float64,
) float64 {
	k := e.g.kappa
	s0, s1 := v[0]+v[2], v[1]+v[3]
	n := math.Hypot(s0, s1)
	m0, m1 := s0/n, s1/n
	f := k * (v[0] + v[2])
	grad[0], grad[1], grad[2], grad[3] = k, 0, k, 0
	h0, h1 := 0.0, 0.0 // by m
	one := func(x [2]float64) {
		a := k * (v[0]*x[0] + v[1]*x[1])
		b := k * (m0*x[0] + m1*x[1])
		top := max(a, b)
		ea, eb := math.Exp(a-top), math.Exp(b-top)
		f += scale * (top + math.Log(ea+eb))
		w := ea / (ea + eb)
		grad[0] += scale * k * w * x[0]
		grad[1] += scale * k * w * x[1]
		h0 += scale * k * (1 - w) * x[0]
		h1 += scale * k * (1 - w) * x[1]
	}
	if rows == nil {
		for _, x := range e.g.rows {
			one(x)
		}
	}
	for _, i := range rows {
		one(e.g.rows[i])
	}
	along := h0*m0 + h1*m1
	h0, h1 = (h0-along*m0)/n, (h1-along*m1)/n
	grad[0] += h0
	grad[1] += h1
	grad[2] += h0
	grad[3] += h1
	return f
}

func (e *mixtureEval) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}

func (e *mixtureEval) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	var grad [4]float64
	return e.LogDensityGradient(x, rows, scale, jacobian, grad[:])
}

// checkMixture compares moments of the two angles; part is how much of a
// posterior sd they may be off besides Monte Carlo error.
func checkMixture(t *testing.T, cfg settings.Config, part float64) {
	g, truth := newMixture(t)
	ch := mustChain(t, g, cfg, 0)
	mustSteps(t, ch, int(cfg.Warmup))
	p := truth.Posterior
	var a, b, aa, bb, ab, less health.Series
	for range cfg.Draws {
		mustSteps(t, ch, int(cfg.Thin))
		v := ch.Position()
		x, y := math.Atan2(v[1], v[0])-p.Mean1, math.Atan2(v[3], v[2])-p.Mean2
		a.Add(x)
		b.Add(y)
		aa.Add(x * x)
		bb.Add(y * y)
		ab.Add(x * y)
		l := 0.0
		if x+p.Mean1 < y+p.Mean2 {
			l = 1
		}
		less.Add(l)
	}
	sd1, sd2 := math.Sqrt(aa.Mean()-a.Mean()*a.Mean()), math.Sqrt(bb.Mean()-b.Mean()*b.Mean())
	corr := (ab.Mean() - a.Mean()*b.Mean()) / (sd1 * sd2)
	t.Logf("%s: means off by %.3f and %.3f sd (± %.3f), sd by factors %.3f and %.3f, correlation "+
		"%.4f, P(1 < 2) %.3f ± %.3f",
		cfg.Sampler, a.Mean()/p.SD1, b.Mean()/p.SD2, b.Slowest()/p.SD2, sd1/p.SD1, sd2/p.SD2, corr,
		less.Mean(), less.Slowest())
	for _, m := range []struct {
		s  *health.Series
		sd float64
	}{{&a, p.SD1}, {&b, p.SD2}} {
		if e := m.s.Slowest(); !(math.Abs(m.s.Mean()) < 4*e+part*m.sd) || e > 0.15*m.sd {
			t.Errorf("a mean is off by %.3f sd ± %.3f", m.s.Mean()/m.sd, e/m.sd)
		}
	}
	if math.Abs(less.Mean()-p.Less) > 4*less.Slowest()+part {
		t.Errorf("the modes are visited for %.3f ± %.3f, want %.3f", less.Mean(), less.Slowest(), p.Less)
	}
	if math.Abs(corr-p.Corr) > 0.01+part/5 {
		t.Errorf("correlation %.4f, want %.4f", corr, p.Corr)
	}
}

// TestMixture: both modes of the paper's mixture, by trajectories on all rows.
func TestMixture(t *testing.T) {
	cfg := config("gmc", "", 0.04)
	cfg.Warmup, cfg.Draws, cfg.Leapfrog = 1000, 6000, 8
	checkMixture(t, cfg, 0)
}
