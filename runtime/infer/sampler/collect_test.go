package sampler

import (
	"context"
	"errors"
	"testing"
)

func TestCollect(t *testing.T) {
	g := newGaussian(variances(3), 1, 2)
	c := config("msgnht", "", 0.1)
	c.Chains, c.Draws, c.Warmup, c.Thin, c.SaveWarmup = 3, 40, 20, 2, true
	d, err := Collect(context.Background(), g, c, RunOptions{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	c.SaveWarmup = false
	r := mustRun(t, g, c, 1)
	for k := range 3 {
		if d.Len(k) != 40 {
			t.Fatalf("chain %d has %d draws", k, d.Len(k))
		}
		for i := range 40 {
			if !bitsEqual(d.Draw(k, i), r.draws[k][i]) {
				t.Errorf("chain %d, draw %d differs", k, i)
			}
		}
	}
	if len(d.Health) != 10 {
		t.Errorf("health of two blocks: %v", d.Health)
	}

	ch := mustChain(t, g, c, 1)
	i := 0
	for draw, err := range ch.All(context.Background()) {
		if err != nil || !bitsEqual(draw, d.Draw(1, i)) {
			t.Fatalf("draw %d: %v, %v", i, draw, err)
		}
		if i++; i == 25 {
			break
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	for draw, err := range ch.All(ctx) { // goes on where it was left
		if errors.Is(err, context.Canceled) {
			break
		}
		if err != nil || !bitsEqual(draw, d.Draw(1, i)) {
			t.Fatalf("draw %d: %v, %v", i, draw, err)
		}
		if i++; i == 40 {
			cancel()
		}
	}
	cancel()
	if i != 40 {
		t.Errorf("%d draws", i)
	}
}

// TestCollectStops: the draws before a divergence are kept.
func TestCollectStops(t *testing.T) {
	c := config("sghmc", "euler", 2.2)
	c.Warmup, c.Draws = 0, 100000
	d, err := Collect(context.Background(), newGaussian(variances(2)), c, RunOptions{})
	e, ok := IsNonFinite(err)
	if !ok || d.Len(0) != int(e.LastGood) {
		t.Errorf("%d draws and %v", d.Len(0), err)
	}
}
