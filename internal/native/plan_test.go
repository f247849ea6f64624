package native

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/typed"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

const slopeText = `dim N
data x[N, 3] : real
data y[N] : bool
param a : real ~ normal(0, 1)
param u : sphere[3] ~ uniform_sphere()
for n in N { y[n] ~ bernoulli_logit(x[n] @ u + a) }
`

// TestSamePlan: both engines find the same plan for many rows, and have the same draws by
// it, to the byte, on a sphere too.
func TestSamePlan(t *testing.T) {
	c, diags := driver.Compile(source.New("slope.sg", slopeText), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	src := rand.New(rand.NewPCG(1, 1))
	var rows strings.Builder
	rows.WriteString("x[0],x[1],x[2],y\n")
	for range 2500 {
		x := src.NormFloat64()
		y := 0
		if src.Float64() < 1/(1+math.Exp(-x)) {
			y = 1
		}
		fmt.Fprintf(&rows, "%.4f,%.4f,%.4f,%d\n", x, src.NormFloat64(), src.NormFloat64(), y)
	}
	csv := filepath.Join(t.TempDir(), "d.csv")
	if err := os.WriteFile(csv, []byte(rows.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{csv}, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	prepare := func() string {
		cfg := sampler.DefaultConfig()
		cfg.Anchor, cfg.MaxBias, cfg.Chains, cfg.Draws, cfg.BatchOrder = "auto", 0.1, 2, 300, "size"
		r := &run.Record{
			Version:   sgppl.Version,
			ModelInfo: run.ModelInfo{Model: "slope", Source: "slope.sg", RowDim: "N"},
			DataInfo:  run.DataInfo{Dims: m.Dims, Constants: map[string]run.Exact{}},
			Method:    run.Method{Settings: cfg},
			Storage:   run.Storage{CheckpointEvery: 60},
		}
		for _, b := range m.Blocks() {
			r.Blocks = append(r.Blocks, b.Name)
		}
		dir := filepath.Join(t.TempDir(), "run")
		if err := run.Prepare(dir, r, slopeText, false, time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	vm, nat := prepare(), prepare()
	if _, err := run.Continue(context.Background(), m, work(t, vm), time.Now, nil); err != nil {
		t.Fatal(err)
	}
	program, err := builder(t).Build(context.Background(), generated(t, slopeText))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(work(t, nat))
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	if err := Run(context.Background(), program, host.Job{Work: text}, bound, func(line []byte) {
		var e run.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		said += e.Text + "\n"
	}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "set-up: sizes of rows") ||
		!strings.Contains(said, "sampler auto: minibatches with an anchor") {
		t.Errorf("the engine says\n%s", said)
	}
	plan := func(dir string) string {
		r, err := run.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(r.Tuning)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if a, b := plan(vm), plan(nat); a != b || !strings.Contains(a, `"minibatches":true`) {
		t.Errorf("plans are\n%s\n%s", a, b)
	}
	// A generated package, asked for the same, has the same draws.
	cfg := sampler.DefaultConfig()
	cfg.Anchor, cfg.MaxBias, cfg.Chains, cfg.Draws, cfg.TargetESS = "auto", 0.1, 2, 300, 0
	set, err := typed.Collect(t.Context(), m, typed.Settings{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	store, err := trace.Open(run.Draws(vm))
	if err != nil {
		t.Fatal(err)
	}
	offset := 0
	for _, o := range m.Outputs() {
		a, err := store.Read("posterior", o.Name)
		if err != nil {
			t.Fatal(err)
		}
		for c := range 2 {
			for k := range 300 {
				d, err := set.Draw(c, k)
				if err != nil {
					t.Fatal(err)
				}
				if own := d.Values[offset : offset+o.Len]; !slices.Equal(own, a.At(c, k)) {
					t.Fatalf("%s, chain %d, draw %d: %v of a package, %v of a run", o.Name, c, k,
						own, a.At(c, k))
				}
			}
		}
		offset += o.Len
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
