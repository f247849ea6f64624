package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/results/run"
)

const mixedModel = `dim N, K
data y[N] : real
data z[N] : index[K]
param mu : real ~ normal(0, 1)
param s : positive ~ exponential(1)
param theta : simplex[K] ~ dirichlet(2)
for n in N {
  y[n] ~ normal(mu, s)
  z[n] ~ categorical(theta)
}
`

// mixedRun writes a model with data into a directory and returns the arguments
// of a run there whose blocks have three samplers.
func mixedRun(t *testing.T, dir, engine, out string) []string {
	write(t, filepath.Join(dir, "mixed.sg"), mixedModel)
	src := rand.New(rand.NewPCG(3, 4))
	var d struct {
		Y []float64 `json:"y"`
		Z []int     `json:"z"`
		K int
	}
	d.K = 4
	for range 300 {
		d.Y, d.Z = append(d.Y, 1+0.5*src.NormFloat64()), append(d.Z, src.IntN(4))
	}
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "mixed.json"), string(b))
	return []string{"sample", "mixed.sg", "--data", "mixed.json", "--sampler", "msgnht", "--step",
		"0.005", "--friction", "20",
		"--sampler", "theta=sgrld", "--step", "theta=0.001", "--sampler", "s=sghmc", "--scheme",
		"s=euler", "--step-schedule", "s=halve@0.5", "--temperature", "s=1.5",
		"--batch", "N=20", "--chains", "2", "--warmup", "300", "--draws", "400", "--thin", "3",
		"--chunk", "100", "--checkpoint", "8", "--engine", engine, "--progress", "none", "--out", out}
}

// TestMixedResume: a run of several samplers that is killed goes on to the same
// draws, statistics and health, bit for bit.
func TestMixedResume(t *testing.T) {
	dir := t.TempDir()
	succeeds(t, dir, strings.Join(mixedRun(t, dir, "vm", "whole"), " "))
	dies(t, dir, killedAt("chain-0.ckpt", 2), strings.Join(mixedRun(t, dir, "vm", "killed"), " "))
	killed := filepath.Join(dir, "killed")
	if r, err := run.Read(killed); err != nil || r.Status != run.Running {
		t.Fatalf("the run was not killed in time: %v, %v", r.Status, err)
	}
	succeeds(t, dir, "sample --resume killed --engine vm --progress none")
	sameRuns(t, killed, filepath.Join(dir, "whole"))
}

// TestCodesOfSettings: the example of every code is refused with it.
func TestCodesOfSettings(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "m.sg", mixedModel)
	write(t, "m.json", `{"y": [1, 2, 4], "z": [0, 1, 0], "K": 2}`)
	write(t, "d.sg", "use nn\ndim N\ndata x[N] : real[2]\ndata y[N] : real\n"+
		"layer d = Dropout(0.5), o = Dense(2, 1)\nfor n in N { y[n] ~ normal(o(d(x[n]))[0], 1) }\n")
	write(t, "d.json", `{"x": [[1, 2], [3, 4], [5, 6]], "y": [1, 2, 3]}`)
	write(t, "r.sg", "dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1)\n"+
		"for n in N { y[n] ~ normal(m, 1) }\n")
	write(t, "r.json", `{"y": [1, 2, 3]}`)
	write(t, "s.sg", "dim N, P\ndata x[N] : sparse real[P]\ndata y[N] : real\n"+
		"param w[P] : real ~ normal(0, 1)\nfor n in N { y[n] ~ normal(x[n] @ w, 1) }\n")
	write(t, "s.json", `{"x": [[1, 2], [3, 4], [5, 6]], "y": [1, 2, 3]}`)
	t.Setenv("PATH", dir) // where no program drives a graphics processor
	for _, x := range settings.Codes() {
		args := strings.Fields(x.Example)
		status, _, stderr := inProcess(t, "", args[1:]...)
		if args[0] != "sgppl" || status != x.Exit() ||
			!strings.Contains(stderr, "error["+x.Code+"]") {
			t.Errorf("%s: status %d of %s\n%s", x.Code, status, x.Example, stderr)
		}
		if _, out, _ := inProcess(t, "", "explain",
			strings.ToLower(x.Code)); !strings.HasPrefix(out, x.Code+": "+x.Title) ||
			!strings.Contains(out, fmt.Sprintf("The exit status is %d.", status)) {
			t.Errorf("explain %s: %s", x.Code, out)
		}
	}
}

// sameRuns compares two runs of mixedRun.
func sameRuns(t *testing.T, one, other string) {
	t.Helper()
	got, want := stored(t, one, "draws.zarr"), stored(t, other, "draws.zarr")
	if len(want["draws.zarr/posterior/theta"]) != 2*400*4 ||
		len(want["draws.zarr/sample_stats/step_size"]) != 2*400*3 {
		t.Fatalf("%d numbers of theta, %d of steps", len(want["draws.zarr/posterior/theta"]),
			len(want["draws.zarr/sample_stats/step_size"]))
	}
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("%s differs", name)
		}
	}
	a, err := run.Read(one)
	if err != nil {
		t.Fatal(err)
	}
	b, err := run.Read(other)
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != run.Done || len(a.Health) == 0 || !reflect.DeepEqual(a.Settings, b.Settings) {
		t.Errorf("status %s, settings %+v and %+v", a.Status, a.Settings, b.Settings)
	}
}
