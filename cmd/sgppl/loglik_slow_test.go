//go:build slow

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What is stored of a run, its log likelihoods and predictions among it, does
// not depend on the engine that sampled; a run that is killed and resumed
// stores them too.
func TestEnginesStoreTheSameLogLik(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SGPPL_CACHE", filepath.Join(dir, "cache"))
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), "dim N\ndata x[N], y[N] : real\nparam a, b : real ~ normal(0, 1)\n"+
		"let m = mean(x)\nfor n in N { y[n] ~ student_t(4, a * (x[n] - m) + b, 0.5) }\n")
	write(t, at("d.json"), `{"x": [1, 2, 3, 4], "y": [1.5, 2, 3.5, 3]}`)
	write(t, at("new.json"), `{"x": [11, 12]}`)
	sample := func(out, engine, draws string) []string {
		return []string{"sample", at("m.sg"), "--data", at("d.json"), "--sampler", "nuts",
			"--chains", "2", "--warmup", "100", "--draws", draws, "--engine", engine,
			"--out", at(out), "--progress", "none", "--log-lik", "--checkpoint", "0.01"}
	}
	check := func(args ...string) {
		t.Helper()
		if out, err := program(t, dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	for _, engine := range []string{"vm", "native"} {
		check(sample(engine, engine, "20000")...)
		check("predict", at(engine), "--data", at("new.json"), "--draws", "50", "--out",
			at(engine+".csv"))
	}
	killed := program(t, dir, sample("killed", "vm", "20000")...)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(at("killed/chain-0.ckpt")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no checkpoint appears")
		}
	}
	killed.Process.Kill()
	killed.Wait()
	check("sample", "--resume", at("killed"), "--progress", "none")
	for _, pair := range [][2]string{
		{"vm/draws.zarr/log_likelihood/y/1.3.0", "native/draws.zarr/log_likelihood/y/1.3.0"},
		{"vm/draws.zarr/log_likelihood/y/1.3.0", "killed/draws.zarr/log_likelihood/y/1.3.0"},
		{"vm/draws.zarr/.zmetadata", "native/draws.zarr/.zmetadata"}, {"vm.csv", "native.csv"},
	} {
		a, err := os.ReadFile(at(pair[0]))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(at(pair[1]))
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) || len(a) == 0 {
			t.Errorf("%s and %s differ", pair[0], pair[1])
		}
	}
}
