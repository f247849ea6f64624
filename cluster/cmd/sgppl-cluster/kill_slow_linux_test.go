//go:build slow

package main

import "testing"

// A hundred processes that are killed lose nothing.
func TestHundredKills(t *testing.T) {
	k := newKiller(t, 20261124)
	survives(t, k, 100)
	if len(k.kills) < 4 || k.total() < 100 {
		t.Errorf("%d kills of fewer kinds than there are: %v", k.total(), k.kills)
	}
}
