package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
)

// TestDeviceRefused: what a device does not do is refused, and what is missing is said, before
// there is a run directory.
func TestDeviceRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("PATH", dir) // where no program drives a graphics processor
	write(t, "m.sg", "dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1)\n"+
		"param u : sphere[3] ~ uniform_sphere()\nfor n in N { y[n] ~ normal(m + u[0], 1) }\n")
	write(t, "r.sg", "dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1)\n"+
		"for n in N { y[n] ~ normal(m, 1) }\n")
	write(t, "d.json", `{"y": [1, 2, 3, 4]}`)
	for _, k := range []struct {
		args, want string
		status     int
	}{
		{"r.sg --sampler sghmc --step 0.01 --batch 2", "give --precision f32", session.ExitUsage},
		{"r.sg --precision f32 --sampler sghmc --step 0.01 --batch 2 --engine vm",
			"--engine is of the processors", session.ExitUsage},
		{"r.sg --precision f32", "name the --sampler", session.ExitUsage},
		{"r.sg --precision f32 --sampler nuts", "--device: nuts takes no steps of stochastic gradients",
			session.ExitUsage},
		{"r.sg --precision f32 --sampler sghmc --batch 2", "steps and frictions are not found there; " +
			"give --step", session.ExitUsage},
		{"r.sg --precision f32 --sampler sghmc --step 0.01 --full-batch", "give --batch",
			session.ExitUsage},
		{"r.sg --precision f32 --sampler psgld --step 0.01 --batch 2", "psgld finds its preconditioner",
			session.ExitUsage},
		{"r.sg --precision f32 --sampler sgnht --step 0.01 --batch 2", "one thermostat for the whole",
			session.ExitUsage},
		{"r.sg --precision f32 --sampler sghmc --step 0.01 --batch 2 --synthetic-noise gradient:1",
			"noise is neither estimated nor added there", session.ExitUsage},
		{"m.sg --precision f32 --sampler geodesic_sghmc --step 0.01 --batch 2", "params on flat spaces",
			session.ExitUsage},
		{"r.sg --precision f32 --sampler sghmc --step 0.01 --batch 2",
			"the program sgppl-cuda, which drives the GPU, is not beside sgppl and not on the PATH",
			session.ExitFiles},
	} {
		args := append(strings.Fields("sample "+k.args),
			"--data", "d.json", "--device", "cuda", "--out", "run", "--progress", "none")
		status, _, stderr := inProcess(t, "", args...)
		if status != k.status || !strings.Contains(stderr, k.want) {
			t.Errorf("%s: status %d, want %d and %q\n%s", k.args, status, k.status, k.want, stderr)
		}
		if _, err := os.Stat(filepath.Join(dir, "run")); err == nil {
			t.Fatalf("%s: there is a run directory", k.args)
		}
	}
}
