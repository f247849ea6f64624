package main

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/faults"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
)

// TestPointsGone: an optimiser that was interrupted goes on, and dies when it has taken
// back the points that the interrupt stored. `summary` says what there is.
func TestPointsGone(t *testing.T) {
	kind := faultKinds[slices.IndexFunc(faultKinds,
		func(k faultKind) bool { return k.name == "optimize" })]
	b := newFaultBench(t, kind.args, "--engine", "vm", "--checkpoint", "0.04")
	b.watch(t)
	b.stopAt = b.stored + 2
	b.watch(t)
	b.start, b.stopAt = b.end, 0
	codes := map[int]int{}
	for n := 1; n < 70; n += 4 {
		b.begin(t, faults.Kill, n, nil)
		code, msg := b.run(t, disk.OS, "summary", b.root()+"/r")
		if codes[code]++; code != session.ExitDone && code != session.ExitFiles {
			t.Fatalf("killed at call %d: status %d\n%s", n, code, msg)
		}
	}
	if codes[session.ExitDone] == 0 || codes[session.ExitFiles] == 0 {
		t.Errorf("exit statuses %v", codes)
	}
}
