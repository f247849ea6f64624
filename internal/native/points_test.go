package native

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// heldOut are other rows for the model.
func heldOut(t testing.TB) *data.Bound {
	b := bound(t)
	b.Values["y"] = array.Dense([]float64{1.5, 3, 5}, 3)
	return b
}

// optimized is a run of an algorithm, prepared in a directory.
func optimized(t *testing.T, algorithm string) (string, *model.Model) {
	t.Helper()
	c, _ := driver.Compile(source.New("meanscale.sg", modelText), driver.Options{})
	m, err := c.VM(bound(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.HeldOut, err = c.VM(heldOut(t), nil); err != nil {
		t.Fatal(err)
	}
	cfg := optimize.DefaultConfig()
	cfg.Algorithm, cfg.Step, cfg.Batch, cfg.Chains = algorithm, 0.02, 2, 2
	cfg.Steps, cfg.Iterates, cfg.CheckEvery, cfg.Clip = 600, 5, 20, 1
	if cfg, err = cfg.Resolve(m, m.HeldOut); err != nil {
		t.Fatal(err)
	}
	r := &run.Record{
		Version:   sgppl.Version,
		ModelInfo: run.ModelInfo{Model: "meanscale", Source: "meanscale.sg", RowDim: "N"},
		DataInfo:  run.DataInfo{Dims: m.Dims},
		Method:    run.Method{Optimize: &cfg, Engine: "vm"},
		Storage:   run.Storage{HeldOut: &run.HeldOut{Every: 1}, CheckpointEvery: 60},
	}
	dir := filepath.Join(t.TempDir(), "run")
	if err := run.Prepare(dir, r, modelText, false, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// TestSamePoints: the native engine finds the points of the VM, to the byte, by
// every algorithm.
func TestSamePoints(t *testing.T) {
	program, err := builder(t).Build(context.Background(), generated(t, modelText))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range optimize.Names() {
		vm, m := optimized(t, name)
		if _, err := run.Continue(context.Background(), m, work(t, vm), time.Now, nil); err != nil {
			t.Fatal(err)
		}
		nat, _ := optimized(t, name)
		text, err := json.Marshal(work(t, nat))
		if err != nil {
			t.Fatal(err)
		}
		events := 0
		err = Run(context.Background(), program, host.Job{Work: text, Held: heldOut(t)}, bound(t),
			func(line []byte) {
				var e run.Event
				if err := json.Unmarshal(line, &e); err != nil || e.Criterion == nil ||
					e.Criterion.Of != "held_out" {
					t.Errorf("%s: %s: %v", name, line, err)
				}
				events++
			})
		if err != nil || events == 0 {
			t.Fatalf("%s: %d events, %v", name, events, err)
		}
		for _, store := range []string{"draws.zarr", "points.zarr", "iterates.zarr"} {
			want, got := files(t, filepath.Join(vm, store)), files(t, filepath.Join(nat, store))
			if len(want) < 10 || len(got) != len(want) {
				t.Fatalf("%s, %s: %d and %d files", name, store, len(want), len(got))
			}
			for at, text := range want {
				if got[at] != text {
					t.Errorf("%s: %s/%s differs", name, store, at)
				}
			}
		}
	}
}
