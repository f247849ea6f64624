package native

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A run of the model above, prepared in a directory.
func prepared(t *testing.T, thin int64) (string, *model.Model) {
	t.Helper()
	c, _ := driver.Compile(source.New("meanscale.sg", modelText), driver.Options{})
	m, err := c.VM(bound(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Step, cfg.Batch, cfg.Chains, cfg.Draws, cfg.Thin, cfg.Warmup = "msgnht", 0.05,
		2, 3, 200, thin, 20
	if cfg, err = cfg.Resolve(m); err != nil {
		t.Fatal(err)
	}
	r := &run.Record{
		Version:   sgppl.Version,
		ModelInfo: run.ModelInfo{Model: "meanscale", Source: "meanscale.sg", RowDim: "N"},
		DataInfo:  run.DataInfo{Dims: m.Dims, Constants: map[string]run.Exact{}},
		Method:    run.Method{Settings: cfg, Engine: "vm"},
		Storage:   run.Storage{CheckpointEvery: 60},
	}
	for name, x := range m.Constants {
		r.Constants[name] = x
	}
	for _, b := range m.Blocks() {
		r.Blocks = append(r.Blocks, b.Name)
	}
	dir := filepath.Join(t.TempDir(), "run")
	if err := run.Prepare(dir, r, modelText, false, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	return dir, m
}

func work(t *testing.T, dir string) run.Work {
	return run.Work{Dir: dir, Version: sgppl.Version, Threads: 2, ProgressEvery: time.Millisecond}
}

// chunks are the bytes of all stored draws and statistics.
func chunks(t *testing.T, dir string) map[string]string {
	t.Helper()
	return files(t, run.Draws(dir))
}

// files are the bytes of a store.
func files(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(path)[0] == '.' {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The native engine gives the draws of the VM, to the byte.
func TestSameDraws(t *testing.T) {
	program, err := builder(t).Build(context.Background(), generated(t, modelText))
	if err != nil {
		t.Fatal(err)
	}
	vm, m := prepared(t, 2)
	if _, err := run.Continue(context.Background(), m, work(t, vm), time.Now,
		func(run.Event) {}); err != nil {
		t.Fatal(err)
	}
	nat, _ := prepared(t, 2)
	text, err := json.Marshal(work(t, nat))
	if err != nil {
		t.Fatal(err)
	}
	events := 0
	err = Run(context.Background(), program, host.Job{Work: text}, bound(t), func(line []byte) {
		var e run.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		events++
	})
	if err != nil {
		t.Fatal(err)
	}
	if events == 0 {
		t.Error("no events")
	}
	want, got := chunks(t, vm), chunks(t, nat)
	if len(want) < 4 || len(got) != len(want) {
		t.Fatalf("%d and %d files", len(want), len(got))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

// A cancelled run ends with the error of the context and leaves checkpoints.
func TestInterrupt(t *testing.T) {
	program, err := builder(t).Build(context.Background(), generated(t, modelText))
	if err != nil {
		t.Fatal(err)
	}
	dir, _ := prepared(t, 500_000_000)
	text, err := json.Marshal(work(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err = Run(ctx, program, host.Job{Work: text}, bound(t), func([]byte) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	points, _ := filepath.Glob(filepath.Join(dir, "chain-*.ckpt"))
	if len(points) == 0 {
		t.Error("no checkpoints")
	}
	r, err := run.Read(dir)
	if err != nil || r.Status != run.Interrupted {
		t.Errorf("%v %v", r, err)
	}
}
