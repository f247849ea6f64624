package tall

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// TestHealthOfNoise: health has the noise of a run in what is taken out for it, and how far
// the draws are from the anchor. It is off where two thirds of the noise is left in, and unsure
// where the anchor is elsewhere.
func TestHealthOfNoise(t *testing.T) {
	of := logisticRegression(4000, 4, 3)
	set := Settings{Seed: 2, Share: 0.25, Draws: 1500, Anyway: true}
	health := func(change func(s *Setup)) map[string]sampler.HealthRow {
		s, err := Prepare(t.Context(), of, set, loop.Options{})
		if err != nil {
			t.Fatal(err)
		}
		change(s)
		r, err := NewRun(of, s, set)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := r.Go(t.Context(), nowhere{}, loop.Options{}, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]sampler.HealthRow{}
		for _, h := range r.Health(rep, func(at int) string { return fmt.Sprint(at) }) {
			out[h.Statistic] = h
		}
		return out
	}
	right := health(func(*Setup) {})
	for _, name := range []string{"noise_growth", "anchor_distance"} {
		if h, is := right[name]; !is || h.Verdict != "ok" {
			t.Errorf("%s: %+v", name, h)
		}
	}
	h := health(func(s *Setup) { s.noise = s.noise.scaled(1.0 / 3) })["noise_growth"]
	if math.Abs(h.Value-3) > 0.4 || h.Verdict != "off" {
		t.Errorf("two thirds of the noise left in: %+v", h)
	}
	h = health(func(s *Setup) {
		// The anchor and the coordinates are three standard deviations from the mean.
		z := []float64{3, -3, 3, -3}
		s.white.Point(z, s.white.Mean)
		s.anchor.X = append([]float64(nil), s.white.Mean...)
		clear(s.anchor.Rows)
		e := of.NewEvaluator(1)
		rest := make([]float64, 4)
		e.Gradient(s.anchor.X, nil, 1, 1, s.anchor.Rows)
		e.Gradient(s.anchor.X, nothing, 1, 1, rest)
		for i, x := range rest {
			s.anchor.Rows[i] -= x
		}
	})["anchor_distance"]
	if h.Value < 3 || h.Verdict != "unsure" {
		t.Errorf("the anchor elsewhere: %+v", h)
	}
	for _, x := range []struct {
		growth, by, share float64
		want              string
	}{{1.02, 0.02, 0.1, "ok"}, {3, 0.01, 0.001, "ok"}, {1.5, 0.5, 0.1, "unsure"},
		{2.5, 0.05, 0.1, "off"}, {0.2, 0.05, 0.3, "off"}, {math.NaN(), 1, 0.1, "unsure"}} {
		if v := growthVerdict(x.growth, x.by, x.share, 0.05); v != x.want {
			t.Errorf("%+v: %s", x, v)
		}
	}
}
