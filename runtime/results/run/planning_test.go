package run

import (
	"context"
	"errors"
	"os"
	"testing"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// TestAgain: what becomes of a run whose draws are off after its last attempt: full passes
// where it chose its sampler itself and they do not cost far more; else the draws stay,
// and where there are none the run fails.
func TestAgain(t *testing.T) {
	biased, left := &tall.Biased{}, &tall.Refusal{Why: "the dynamics leave"}
	for _, c := range []struct {
		name   string
		err    error
		chosen bool
		fixed  bool
		nuts   float64 // times as much as minibatches
		anew   bool
		exit   int
	}{
		{"cheap", biased, true, false, 3, true, 0},
		{"costly", biased, true, false, 300, false, 0},
		{"by hand", biased, false, false, 3, false, 0},
		{"a step was given", biased, true, true, 3, false, 0},
		{"no draws", left, true, false, 300, true, 0},
		{"no draws, by hand", left, false, false, 3, false, exitRun},
		{"interrupted", context.Canceled, true, false, 3, false, -1},
		{"well", nil, true, false, 3, false, 0},
	} {
		dir := t.TempDir()
		cfg := sampler.DefaultConfig()
		cfg.Sampler, cfg.Anchor, cfg.Step, cfg.Batch, cfg.BatchOrder, cfg.Chains, cfg.TargetESS = "sghmc",
			"mode", 0.7, 2, "size", 2, 4000
		r := &Record{
			Version: "v",
			State:   State{Status: Running},
			Method: Method{Settings: cfg, Chosen: c.chosen, Fixed: c.fixed,
				Tuning: &tall.Plan{Minibatches: true, Attempt: 2, CostNUTS: c.nuts, CostDraws: 1}},
			Outcome: Outcome{Chains: make([]Chain, 2)},
		}
		point := trace.CheckpointPath(dir, 1)
		if err := os.WriteFile(point, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		anew, err := again(files.OS, dir, normal{}, r, c.err)
		if anew != c.anew {
			t.Errorf("%s: begun anew: %v, %v", c.name, anew, err)
		}
		var own *Error
		if c.exit < 0 && !errors.Is(err, c.err) ||
			c.exit > 0 && (!errors.As(err, &own) || own.Code != c.exit) ||
			c.exit == 0 && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		_, gone := os.Lstat(point)
		if (gone != nil) != c.anew {
			t.Errorf("%s: a checkpoint: %v", c.name, gone)
		}
		if !c.anew {
			continue
		}
		s := &r.Settings
		if r.Anchored() || r.Planning() || s.Sampler != "nuts" || s.Anchor != "" || !s.FullBatch ||
			s.Batch != 0 || s.Step != 0 || s.Draws != 4001 && s.Draws != 4000 ||
			r.Tuning.Reason == "" {
			t.Errorf("%s: %+v, %+v", c.name, s, r.Tuning)
		}
		if got, err := Read(dir); err != nil || got.Settings.Sampler != "nuts" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
