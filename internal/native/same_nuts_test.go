package native

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

const weightsText = `dim N, P
data x[N, P] : real
data y[N] : bool
param w[P] : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w) }
`

// TestSameNUTS: both engines have the same draws, to the byte, by nuts in a metric that
// is found, in one of low rank, and after a pilot on some of the rows.
func TestSameNUTS(t *testing.T) {
	c, diags := driver.Compile(source.New("weights.sg", weightsText), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	program, err := builder(t).Build(context.Background(), generated(t, weightsText))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		metric  string
		rows, p int
		warmup  int64
	}{{"auto", 10100, 2, 300}, {"auto", 300, 6, 200}, {"lowrank", 300, 6, 200}} {
		const correlated = 0.9
		r := rand.New(rand.NewPCG(7, uint64(x.rows)))
		xs, ys := make([]float64, x.rows*x.p), make([]float64, x.rows)
		for i := range ys {
			common, eta := r.NormFloat64(), 0.0
			for j := range x.p {
				v := correlated*common + math.Sqrt(1-correlated*correlated)*r.NormFloat64()
				xs[i*x.p+j] = v
				eta += v / 2
			}
			if r.Float64() < 1/(1+math.Exp(-eta)) {
				ys[i] = 1
			}
		}
		bound, _, errs := data.Validate(&c.Spec.Schema,
			map[string]*array.Value{"x": array.Dense(xs, x.rows, x.p),
				"y": array.Dense(ys, x.rows)}, nil, data.Options{})
		if len(errs) > 0 {
			t.Fatal(errs[0])
		}
		m, err := c.VM(bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg := sampler.DefaultConfig()
		cfg.Sampler, cfg.Metric, cfg.Chains, cfg.Warmup, cfg.Draws = "nuts", x.metric, 2, x.warmup, 20
		if cfg, err = cfg.Resolve(m); err != nil {
			t.Fatal(err)
		}
		prepare := func() string {
			rec := &run.Record{
				Version:   sgppl.Version,
				ModelInfo: run.ModelInfo{Model: "weights", Source: "weights.sg", RowDim: "N"},
				DataInfo:  run.DataInfo{Dims: m.Dims, Constants: map[string]run.Exact{}},
				Method:    run.Method{Settings: cfg},
				Storage:   run.Storage{CheckpointEvery: 60},
			}
			for _, b := range m.Blocks() {
				rec.Blocks = append(rec.Blocks, b.Name)
			}
			dir := filepath.Join(t.TempDir(), "run")
			if err := run.Prepare(dir, rec, weightsText, false, time.Unix(0, 0)); err != nil {
				t.Fatal(err)
			}
			return dir
		}
		vm, nat := prepare(), prepare()
		if _, err := run.Continue(context.Background(), m, work(t, vm), time.Now, nil); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(work(t, nat))
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(context.Background(), program, host.Job{Work: text}, bound,
			func([]byte) {}); err != nil {
			t.Fatal(err)
		}
		want, got := chunks(t, vm), chunks(t, nat)
		if len(want) < 4 || len(got) != len(want) {
			t.Fatalf("%s: %d and %d files", x.metric, len(want), len(got))
		}
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s, %d rows: %s differs", x.metric, x.rows, name)
			}
		}
	}
}
