package driver

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/sampler"
)

func TestA9ATry(t *testing.T) {
	text, _ := os.ReadFile("../../../shared/models/logistic.sg")
	c, _ := Compile(source.New("logistic.sg", string(text)), Options{})
	bind := func(f string, opt data.Options) *data.Bound {
		b, _, errs := data.Bind(&c.Spec.Schema, []string{"x=../../../shared/data/a9a/" + f + ":features", "y=../../../shared/data/a9a/" + f + ":label"}, nil, opt)
		if errs != nil {
			t.Fatal(errs)
		}
		return b
	}
	m, err := c.VM(bind("a9a.gz", data.Options{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	test, err := c.VM(bind("a9a.t.gz", data.Options{Fixed: map[string]int{"P": 123}}), nil)
	if err != nil {
		t.Fatal(err)
	}
	e := test.Evaluator(0)
	y := test.Rows()
	for seed := uint64(1); seed <= 5; seed++ {
		cfg := sampler.DefaultConfig()
		cfg.Sampler, cfg.Step, cfg.Friction, cfg.Batch, cfg.InitRadius, cfg.Chains = "msgnht", 0.0003, 50, 10, 0, 1
		cfg.Warmup, cfg.Draws, cfg.Thin, cfg.Seed = 300, 54, 50, seed
		start := time.Now()
		d, err := sampler.Collect(context.Background(), m, cfg, sampler.RunOptions{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		el := time.Since(start)
		mean := make([]float64, y)
		p := make([]float64, y)
		x := make([]float64, m.Dim())
		for i := 0; i < d.Len(0); i++ {
			e.Unconstrain(d.Draw(0, i), x)
			e.Mean("y", x, nil, p)
			for j := range p {
				mean[j] += p[j] / float64(d.Len(0))
			}
		}
		b := bind("a9a.t.gz", data.Options{Fixed: map[string]int{"P": 123}}).Values["y"].F64
		hit := 0
		for j := range mean {
			if (mean[j] >= 0.5) == (b[j] == 1) {
				hit++
			}
		}
		t.Logf("seed %d acc %.4f  %.2f µs/step", seed, float64(hit)/float64(y), el.Seconds()*1e6/3000)
	}
}
