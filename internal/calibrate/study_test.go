package calibrate

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// conjugate is a study of a normal mean with known noise, whose posterior is
// drawn from in closed form: m ~ N(0, 1), five data of N(m, 1), so that the
// posterior is N(Σ y / 6, 1/6). wrong may change the posterior's mean and
// standard deviation.
func conjugate(replications int, wrong func(mean, sd float64) (float64, float64)) *Study {
	s := &Study{Quantities: []string{"m", LogLikelihood}, Replications: replications, Draws: 99,
		Seed: 5, Threads: 2}
	s.Replicate = func(_ context.Context, r int) (*Replicate, error) {
		src := rng.New(20180416, r, rng.Test).At(0)
		m := src.Normal()
		var y [5]float64
		total := 0.0
		for i := range y {
			y[i] = m + src.Normal()
			total += y[i]
		}
		quantities := func(m float64) []float64 {
			l := 0.0
			for _, v := range y {
				l -= (v - m) * (v - m) / 2
			}
			return []float64{m, l}
		}
		mean, sd := wrong(total/6, math.Sqrt(1.0/6))
		rep := &Replicate{Truth: quantities(m), Chain: ChainReport{ESS: 99}}
		for range s.Draws {
			rep.Draws = append(rep.Draws, quantities(mean+sd*src.Normal()))
		}
		return rep, nil
	}
	return s
}

func judged(t *testing.T, s *Study) Calibration {
	t.Helper()
	r, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r.judge(s, 0.99)
}

// Ranks among exact draws are uniform; of draws that are not the posterior's
// they leave the bands, and the report says how.
func TestStudy(t *testing.T) {
	for _, c := range []struct {
		name    string
		wrong   func(mean, sd float64) (float64, float64)
		outside string // quantities
		shape   string // of the first
	}{
		{"exact", func(m, s float64) (float64, float64) { return m, s }, "", ""},
		{"too narrow", func(m, s float64) (float64, float64) { return m, 0.7 * s },
			"m, log likelihood", "too narrow"},
		{"too wide", func(m, s float64) (float64, float64) { return m, 1.4 * s },
			"m, log likelihood", "too wide"},
		{"too high", func(m, s float64) (float64, float64) { return m + 0.3*s, s }, "m",
			"too high"},
		{"too low", func(m, s float64) (float64, float64) { return m - 0.3*s, s }, "m", "too low"},
		// The prior itself: the unknown's ranks are uniform, and only what reads
		// the data tells.
		{"no data", func(float64, float64) (float64, float64) { return 0, 1 }, "log likelihood",
			"too low"},
	} {
		got := judged(t, conjugate(400, c.wrong))
		var outside []string
		shape := ""
		for _, q := range got.Quantities {
			if !q.Inside {
				outside = append(outside, q.Name)
				if shape == "" {
					shape = q.Shape
				}
			}
		}
		if strings.Join(outside, ", ") != c.outside || !strings.Contains(shape, c.shape) {
			t.Errorf("%s: outside are %q (%s), want %q (%s)", c.name, outside, shape, c.outside, c.shape)
		}
		if want := verdict(c.outside == ""); got.Verdict != want {
			t.Errorf("%s: verdict %s", c.name, got.Verdict)
		}
	}
}

// Ranks do not depend on the number of threads; a failed replication is told.
func TestStudyThreads(t *testing.T) {
	s := conjugate(40, func(m, s float64) (float64, float64) { return m, s })
	good := s.Replicate
	s.Replicate = func(ctx context.Context, r int) (*Replicate, error) {
		rep, err := good(ctx, r)
		if r == 7 {
			return nil, errors.New("no start")
		}
		rep.Truth, rep.Draws[3] = []float64{1, 1}, []float64{1, math.Inf(-1)} // a tie
		return rep, err
	}
	var all []*Ranks
	for _, threads := range []int{1, 3} {
		s.Threads = threads
		r, err := s.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if !reflect.DeepEqual(all[0].Ranks, all[1].Ranks) {
		t.Error("ranks depend on the threads")
	}
	c := all[0].judge(s, 0.99)
	if len(c.Failures) != 1 || c.Failures[0].Replication != 7 || c.Replications != 39 ||
		c.Verdict != Failed {
		t.Errorf("failures %v of %d, %s", c.Failures, c.Replications, c.Verdict)
	}
	if all[0].Ties[0] != 39 || all[0].Ties[1] != 0 {
		t.Errorf("ties %v", all[0].Ties)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// What never changes has no rank, and is not counted in the correction.
func TestStudyConstant(t *testing.T) {
	s := conjugate(50, func(m, s float64) (float64, float64) { return m, s })
	good := s.Replicate
	s.Replicate = func(ctx context.Context, r int) (*Replicate, error) {
		rep, err := good(ctx, r)
		rep.Truth[1] = 3
		for _, d := range rep.Draws {
			d[1] = 3
		}
		return rep, err
	}
	if c := judged(t, s); len(c.Constant) != 1 || len(c.Quantities) != 1 ||
		float64(c.Each) != 0.99 {
		t.Errorf("%v are constant, %d are tested with %v", c.Constant, len(c.Quantities), c.Each)
	}
}
