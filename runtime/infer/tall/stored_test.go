package tall

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// aSetup is a small set-up.
func aSetup(t *testing.T, even bool) (*rowTarget, *Setup, Settings) {
	t.Helper()
	of, set := logisticRegression(4000, 3, 1),
		Settings{Seed: 2, Chains: 2, Draws: 40, Anyway: true, Even: even}
	s, err := Prepare(t.Context(), of, set, loop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return of, s, set
}

// kept are the draws of a run.
type kept struct {
	nowhere
	draws [2][]float64
}

func (k *kept) Draw(chain int, _ int64, x []float64, _ *sampler.Stats) error {
	k.draws[chain] = append(k.draws[chain], x...)
	return nil
}

// TestStoredSetup: a set-up that was written and read has the same draws, and one that is
// damaged is refused.
func TestStoredSetup(t *testing.T) {
	for _, even := range []bool{false, true} {
		of, s, set := aSetup(t, even)
		b, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		read := &Setup{}
		if err := read.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(read, s) {
			t.Errorf("%+v became %+v", s, read)
		}
		var all [2]kept
		for i, s := range []*Setup{s.Refine(3), read.Refine(3)} {
			r, err := NewRun(of, s, set)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Go(t.Context(), &all[i], loop.Options{}, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		if len(all[0].draws[1]) != 40*3 || !reflect.DeepEqual(all[0], all[1]) {
			t.Error("a set-up that was stored has other draws")
		}
		for at := 0; at < len(b); at += 97 {
			bad := append([]byte(nil), b...)
			bad[at] ^= 4
			if new(Setup).UnmarshalBinary(bad) == nil {
				t.Errorf("byte %d can be changed", at)
			}
		}
		// A length that cannot be, under a good check sum.
		huge := loop.Seal(nil, setupLabel(), func(d *loop.Codec) { d.Word(1 << 60) })
		if err := new(Setup).UnmarshalBinary(huge); err == nil {
			t.Error("an impossible length is read")
		}
	}
}

// TestPlanAsJSON: numbers that are not finite are null, and all others come back as they
// were.
func TestPlanAsJSON(t *testing.T) {
	tenth := 0.1
	p := Plan{Rows: 5, PilotRhat: math.Inf(1), Noise: tenth + 2*tenth, Reason: `a "word"`,
		NoisePlain: math.NaN()}
	b, err := json.Marshal(&p)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"pilot_rhat":null`, `"noise_plain":null`,
		`"noise":0.30000000000000004`, `"minibatches":false`} {
		if !strings.Contains(string(b), part) {
			t.Errorf("%s is not in %s", part, b)
		}
	}
	if strings.Contains(string(b), "attempt") {
		t.Errorf("an empty field is in %s", b)
	}
	var got Plan
	if err := json.Unmarshal(b, &got); err != nil || got.Noise != p.Noise ||
		got.Reason != p.Reason {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestCheapPasses: where a full pass costs some rows, nothing needs to be prepared; where
// it costs all of many, or minibatches are asked for, it does.
func TestCheapPasses(t *testing.T) {
	for _, c := range []struct {
		rows int
		s    Settings
		want bool
	}{
		{1e6, Settings{FullCost: 10}, true},
		{1e6, Settings{FullCost: 10, Anyway: true}, false},
		{1e6, Settings{}, false},
		{2000, Settings{}, false},
	} {
		if got := CheapPasses(c.rows, c.s); got != c.want {
			t.Errorf("%d rows, %+v: %v", c.rows, c.s, got)
		}
	}
}

// TestWorstBias: the health has the number that is surely off before one of a larger
// bound, and what does not move is not looked at.
func TestWorstBias(t *testing.T) {
	r := &Report{SD: []float64{1, 1, 0, 1}, Bias: []Bias{
		{Mean: 0.05, MeanError: 0.2, LogSD: 0.01, LogSDError: 0.001},
		{Mean: -0.3, MeanError: 0.01, LogSD: 0.02, LogSDError: 0.001},
		{Mean: 9, LogSD: 9},
		{Mean: 0, MeanError: 0.01, LogSD: 0.001, LogSDError: 0.03},
	}}
	if at, value, _, verdict := r.worst(0.1, meanBias); at != 1 || value != -0.3 ||
		verdict != "off" {
		t.Error(at, value, verdict)
	}
	if at, _, _, verdict := r.worst(0.05, logSDBias); at != 3 || verdict != "unsure" {
		t.Error(at, verdict)
	}
	if at, _, _, verdict := r.worst(0.1, logSDBias); at != 3 || verdict != "ok" {
		t.Error(at, verdict)
	}
	r.SD = make([]float64, 4)
	if at, _, _, verdict := r.worst(0.1, meanBias); at != -1 || verdict != "ok" {
		t.Error(at, verdict)
	}
}
