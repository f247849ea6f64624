package native

import (
	"context"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/infer/replicate"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// One program samples data set after data set, with the draws of the VM; what is
// wrong with one of them does not stop it.
func TestReplica(t *testing.T) {
	s := generated(t, modelText)
	s.Main = Replicator
	program, err := builder(t).Build(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := StartReplica(ctx, program, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	c, _ := driver.Compile(source.New("meanscale.sg", modelText), driver.Options{})
	for k, y := range [][]float64{{1, 2, 4}, {3, -1, 0.5}} {
		b := bound(t)
		b.Values["y"] = array.Dense(y, 3)
		m, err := c.VM(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg := sampler.DefaultConfig()
		cfg.FullBatch, cfg.Chains, cfg.Warmup, cfg.Seed = true, 1, 200, uint64(k+7)
		if cfg, err = cfg.Resolve(m); err != nil {
			t.Fatal(err)
		}
		work := replicate.Work{Config: cfg, Keep: 20, Most: 40}
		want, err := replicate.Sample(context.Background(), m, work)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Sample(work, b)
		if err != nil {
			t.Fatal(err)
		}
		if len(want.States) != 20 || !reflect.DeepEqual(got, want) {
			t.Errorf("data set %d: %+v, the VM has %+v", k, got, want)
		}
		work.Config.Init = [][]float64{{1e200, 1e200}}
		if _, err := r.Sample(work, b); err == nil || r.Gone() ||
			!strings.Contains(err.Error(), "chain 0 cannot start") {
			t.Errorf("a start of no density: %v", err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	// One that is killed says so.
	if r, err = StartReplica(ctx, program, os.Environ()); err != nil {
		t.Fatal(err)
	}
	cancel()
	for !r.Gone() {
		if _, err = r.Sample(replicate.Work{}, bound(t)); err == nil {
			t.Fatal("an answer to no work")
		}
	}
	if !strings.Contains(err.Error(), "the program of the model ended") {
		t.Error(err)
	}
}
