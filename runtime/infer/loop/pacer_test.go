package loop

import (
	"testing"
	"time"
)

// Checkpoints that take longer than the time between them leave the chain four
// fifths of its time.
func TestPacerSlowCheckpoints(t *testing.T) {
	now := time.Unix(0, 0)
	p := NewPacer(Options{Now: func() time.Time { return now },
		CheckpointEvery: 30 * time.Millisecond})
	var stored time.Duration
	for range 100_000 { // steps of a tenth of a millisecond
		if p.Due() && p.Checkpoint() {
			now, stored = now.Add(200*time.Millisecond), stored+200*time.Millisecond
		}
		now = now.Add(100 * time.Microsecond)
	}
	if all := now.Sub(time.Unix(0, 0)); stored > all/4 || stored < all/6 {
		t.Errorf("checkpoints took %s of %s, want about a fifth", stored, all)
	}
}

// Quick ones come as often as they are asked for.
func TestPacerQuickCheckpoints(t *testing.T) {
	now := time.Unix(0, 0)
	p := NewPacer(Options{Now: func() time.Time { return now },
		CheckpointEvery: 100 * time.Millisecond})
	n := 0
	for range 100_000 {
		if p.Due() && p.Checkpoint() {
			n++
			now = now.Add(time.Millisecond)
		}
		now = now.Add(100 * time.Microsecond)
	}
	if n < 80 || n > 101 {
		t.Errorf("%d checkpoints in ten seconds, want about a hundred", n)
	}
}
