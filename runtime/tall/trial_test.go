package tall

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/loop"
	"github.com/sgppl/sgppl/runtime/sampler"
)

type nowhere struct{}

func (nowhere) Draw(int, int64, []float64, *sampler.Stats) error { return nil }
func (nowhere) Progress(sampler.Progress)                        {}
func (nowhere) Checkpoint(int, []byte) error                     { return nil }
func (nowhere) Reserve(int64) error                              { return nil }

func trial(t *testing.T, name string, of *rowTarget, set Settings, draws int, truthDraws int) {
	start := time.Now()
	s, err := Prepare(t.Context(), of, set, loop.Options{})
	took := time.Since(start)
	if s != nil {
		p := s.Plan
		fmt.Printf("%s N=%d d=%d: setup %.1fs passes %.0f rhat %.2f anchor %s newton %d | λ %.2f max %.2f min %.2f | V plain %.3g V %.3g max %.3g eig %.3g | h %.2f n %d + %d κ %.3f every %d | cost %.2g nuts %.2g %v %s\n",
			name, p.Rows, p.Dim, took.Seconds(), p.SetUp, p.PilotRhat, p.Anchor, p.ModePasses, p.Curvature, p.CurvatureMax, p.CurvatureMin,
			p.NoisePlain, p.Noise, p.NoiseMax, p.NoiseEigen, p.Step, p.Batch, p.Always, p.Share, p.Every, p.CostDraws, p.CostNUTS, p.Minibatches, p.Reason)
	}
	if err != nil {
		fmt.Println("   refused:", err)
		return
	}
	start = time.Now()
	r, err := NewRun(of, s, set)
	if err != nil {
		fmt.Println("   run:", err)
		return
	}
	_, err = r.Go(t.Context(), nowhere{}, loop.Options{}, time.Time{})
	rep := r.Report()
	if err != nil {
		fmt.Println("   run:", err)
		if rep == nil {
			return
		}
	}
	took = time.Since(start)
	worstM, worstL := 0.0, 0.0
	for _, b := range rep.Bias {
		worstM, worstL = math.Max(worstM, abs(b.Mean)+2*b.MeanError), math.Max(worstL, abs(b.LogSD)+2*b.LogSDError)
	}
	fmt.Printf("   %d draws %.1fs least ESS %.0f per 1e6 coarse rows %.0f; rhat %.3f; report mean %.3f logsd %.3f\n", rep.Draws, took.Seconds(), rep.Least,
		rep.Least/(float64(s.Plan.Batch+s.Plan.Always)*2*float64(rep.Draws*s.Plan.Every*len(s.starts)))*1e6, rep.MaxRhat, worstM, worstL)
	dist := 0.0
	for _, h := range r.history {
		for i := range h.coarse {
			e := (h.coarse[i] - h.fine[i]) / rep.SD[i%len(r.tracked)]
			dist += e * e / float64(len(h.coarse)*len(r.history))
		}
	}
	fmt.Printf("   pair distance² %.3f; bias[0] %+v bias[1] %+v bias[last] %+v\n", dist, rep.Bias[0], rep.Bias[1], rep.Bias[len(rep.Bias)-1])
	if truthDraws == 0 {
		return
	}
	mean, sd, eff := weighted(of, s.white, truthDraws, 5)
	worst, lo, hi := 0.0, 9.0, 0.0
	k := len(r.tracked)
	for j := range k {
		m, v, n := 0.0, 0.0, 0.0
		for _, h := range r.history {
			for i := j; i < len(h.coarse); i += k {
				m += h.coarse[i]
				n++
			}
		}
		m /= n
		for _, h := range r.history {
			for i := j; i < len(h.coarse); i += k {
				v += (h.coarse[i] - m) * (h.coarse[i] - m) / n
			}
		}
		worst = math.Max(worst, abs(m-mean[j])/sd[j])
		q := math.Sqrt(v) / sd[j]
		lo, hi = math.Min(lo, q), math.Max(hi, q)
	}
	fmt.Printf("   truth eff %.0f: error of mean %.3f (mcse %.3f), sd %.3f–%.3f\n", eff, worst, 1/math.Sqrt(rep.Least), lo, hi)
}

func TestTrial(t *testing.T) {
	if os.Getenv("TALL") == "" {
		t.Skip()
	}
	for _, c := range []struct {
		name         string
		of           func() *rowTarget
		draws, truth int
	}{
		{"logistic4", func() *rowTarget { return logisticRegression(1e4, 20, 1) }, 3000, 4000},
		{"logistic5", func() *rowTarget { return logisticRegression(1e5, 20, 1) }, 3000, 0},
		{"poisson", func() *rowTarget { return poissonRegression(1e5, 10, 1) }, 3000, 2000},
		{"mixture3", func() *rowTarget { return mixture(1000, 1) }, 3000, 0},
		{"mixture5", func() *rowTarget { return mixture(100000, 1) }, 3000, 0},
		{"hier0.1", func() *rowTarget { return hierarchy(1e5, 200, 0.1, 1) }, 1500, 0},
		{"funnel0.02", func() *rowTarget { return hierarchy(1e5, 200, 0.02, 1) }, 1500, 0},
	} {
		if ok, _ := regexp.MatchString(os.Getenv("TALL"), c.name); ok {
			trial(t, c.name, c.of(), Settings{Seed: 1, Anyway: true}, c.draws, c.truth)
		}
	}
}
