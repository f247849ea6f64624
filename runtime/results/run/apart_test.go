package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Chains that run in directories of their own, one of them interrupted, are those of one
// process: the same draws, health and steps when their files are put together.
func TestChainsApart(t *testing.T) {
	target := normal{}
	whole, dir := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "run")
	r := record(t, target)
	want, err := Execute(t.Context(), target, Work{Version: "v", Dir: whole, Threads: 1}, r, "text",
		false,
		ticks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r = record(t, target)
	if err := Prepare(dir, r, "text", false, ticks()()); err != nil {
		t.Fatal(err)
	}
	chains := make([]Chain, len(r.Chains))
	for k := range chains {
		part := filepath.Join(t.TempDir(), "part")
		if err := os.CopyFS(part, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		w := Work{Version: "v", Dir: part, Threads: 1, ProgressEvery: 1, Only: []int{k}}
		if k == 1 {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := Continue(ctx, target, w, ticks(), func(e Event) {
				if e.Step > 40 {
					cancel()
				}
			})
			if ctx.Err() == nil || err == nil {
				t.Fatalf("the chain was not interrupted: %v", err)
			}
			cancel()
		}
		got, err := Continue(t.Context(), target, w, ticks(), nil)
		if err != nil || got.Status != Interrupted || got.Chains[k].Draws != r.Settings.Draws ||
			got.Health != nil {
			t.Fatalf("chain %d: %v, %+v", k, err, got)
		}
		if other := got.Chains[(k+1)%len(chains)]; other.Draws > 0 {
			t.Errorf("chain %d: the others ran too: %+v", k, other)
		}
		chains[k] = got.Chains[k]
		names, err := ChainFiles(part, k)
		if err != nil || len(names) < 3 {
			t.Fatalf("%q, %v", names, err)
		}
		if k == 0 { // what chains share is the same in all parts
			for _, store := range []string{drawsName, warmupName} {
				err := os.CopyFS(filepath.Join(dir, store), os.DirFS(filepath.Join(part, store)))
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, name := range names {
			b, err := os.ReadFile(filepath.Join(part, name))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), b, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := Gathered(dir, chains); err != nil {
		t.Fatal(err)
	}
	got, err := Continue(t.Context(), target, Work{Version: "v", Dir: dir, Threads: 1}, ticks(), nil)
	if err != nil || got.Status != Done {
		t.Fatalf("%v: %+v", err, got)
	}
	if posterior(t, dir) != posterior(t, whole) {
		t.Error("the draws differ from those of one process")
	}
	if fmt.Sprintf("%+v", got.Health) != fmt.Sprintf("%+v", want.Health) {
		t.Errorf("health %v\nand of one process %v", got.Health, want.Health)
	}
}

// Chains that depend on each other do not run apart.
func TestTogether(t *testing.T) {
	r := record(t, normal{})
	r.Settings.Follow = true
	dir := filepath.Join(t.TempDir(), "run")
	if err := Prepare(dir, r, "text", false, ticks()()); err != nil {
		t.Fatal(err)
	}
	_, err := Continue(t.Context(), normal{}, Work{Version: "v", Dir: dir, Only: []int{0}}, ticks(),
		nil)
	if err == nil || !strings.Contains(err.Error(), "growing file") {
		t.Error(err)
	}
	r.Settings.Follow = false
	if err := r.apart([]int{len(r.Chains)}); err == nil {
		t.Error("a chain that is not there is taken")
	}
}
