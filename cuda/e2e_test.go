//go:build linux

// Package cuda_test runs sgppl with sgppl-cuda in the same directory, on a processor: libraries in
// place of NVIDIA's are made by g++ of driver/testdata/mock.cpp.
package cuda_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// programs builds sgppl and sgppl-cuda into one directory, and the libraries into its directory
// lib.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "sgppl-cuda-test")
	if err != nil {
		return "", err
	}
	lib := filepath.Join(dir, "lib")
	if err := os.Mkdir(lib, 0o700); err != nil {
		return dir, err
	}
	for _, c := range [][]string{
		{".", "go", "build", "-o", dir + "/", "./cmd/sgppl-cuda"},
		{"..", "go", "build", "-o", dir + "/", "./cmd/sgppl"},
		{".", "g++", "-std=c++17", "-O1", "-w", "-fPIC", "-shared", "-o", lib + "/libcuda.so.1",
			"driver/testdata/mock.cpp", "-ldl"},
	} {
		build := exec.Command(c[1], c[2:]...)
		build.Dir = c[0]
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return dir, fmt.Errorf("%v: %s", err, out)
		}
	}
	return dir, os.Link(lib+"/libcuda.so.1", lib+"/libnvrtc.so")
})

func TestMain(m *testing.M) {
	status := m.Run()
	if _, err := exec.LookPath("g++"); err == nil {
		if dir, _ := programs(); dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(status)
}

// A world is a directory with a model, and an environment.
type world struct {
	t   *testing.T
	dir string
	env []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("g++, which compiles the kernels for a processor, is not installed")
	}
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	header, err := filepath.Abs("../codegen/cuda/testdata/emulate.h")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return &world{t, dir, []string{"SGPPL_CUDA_LIBRARIES=" + filepath.Join(bin, "lib"),
		"MOCK_DIR=" + dir, "MOCK_HEADER=" + header}}
}

// run runs the command, with more of the environment.
func (w *world) run(env []string, args ...string) (status int, said string) {
	w.t.Helper()
	bin, err := programs()
	if err != nil {
		w.t.Fatal(err)
	}
	c := exec.Command(filepath.Join(bin, "sgppl"), args...)
	c.Dir = w.dir
	c.Env = append(append(os.Environ(), w.env...), env...)
	out, err := c.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		w.t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

// must is run, of a command that ends well.
func (w *world) must(args ...string) string {
	w.t.Helper()
	status, said := w.run(nil, args...)
	if status != 0 {
		w.t.Fatalf("status %d of sgppl %s\n%s", status, strings.Join(args, " "), said)
	}
	return said
}

const regression = `dim N, P, G
data x[N] : real[P]
data g[N] : index[G]
data y[N] : bool
param w[P] : real ~ normal(0, 1)
param tau : positive ~ normal(0, 1)
param a[G] : real ~ normal(0, tau)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w + a[g[n]]) }
`

// files writes a model and its data.
func (w *world) files() {
	r := rand.New(rand.NewPCG(1, 2))
	var data struct {
		X [][]float64 `json:"x"`
		G []int       `json:"g"`
		Y []int       `json:"y"`
	}
	for n := range 600 {
		row := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		data.X, data.G = append(data.X, row), append(data.G, n%5)
		y := 0
		if r.Float64() < 1/(1+math.Exp(-row[0]+2*row[1])) {
			y = 1
		}
		data.Y = append(data.Y, y)
	}
	b, err := json.Marshal(data)
	if err != nil {
		w.t.Fatal(err)
	}
	for name, text := range map[string][]byte{"m.sg": []byte(regression), "m.json": b} {
		if err := os.WriteFile(filepath.Join(w.dir, name), text, 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
}

var asked = strings.Fields("sample m.sg --data m.json --precision f32 --batch 64 " +
	"--sampler msgnht --step 0.004 --friction 5 --warmup 60 --draws 12 --thin 20 --chains 2 " +
	"--seed 5 --progress none")

func args(more ...string) []string { return append(append([]string{}, asked...), more...) }

// draws are those of a run.
func (w *world) draws(run string) [][]float64 {
	w.t.Helper()
	w.must("export", run, "--to", "csv", "--out", run+".csv", "--force")
	b, err := os.ReadFile(filepath.Join(w.dir, run+".csv"))
	if err != nil {
		w.t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		w.t.Fatal(err)
	}
	var out [][]float64
	for _, row := range rows[1:] {
		var x []float64
		for _, text := range row {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				w.t.Fatal(err)
			}
			x = append(x, v)
		}
		out = append(out, x)
	}
	return out
}

// TestRuns: two chains on a device have the draws of the processor but for rounding, and the same
// bits twice; the run tells its device, is read by other commands, and goes on where it was stopped
// with the same draws, on the same device alone.
func TestRuns(t *testing.T) {
	w := newWorld(t)
	w.files()
	w.must(args("--engine", "vm", "--out", "cpu")...)
	w.must(args("--device", "cuda", "--out", "gpu")...)
	want, got := w.draws("cpu"), w.draws("gpu")
	if len(want) != 24 || len(got) != len(want) {
		t.Fatalf("%d and %d draws", len(want), len(got))
	}
	for i := range want {
		for j, x := range want[i] {
			if math.Abs(got[i][j]-x) > 2e-5*(1+math.Abs(x)) {
				t.Fatalf("draw %d, %d: %v, and the processor has %v", i, j, got[i][j], x)
			}
		}
	}
	b, err := os.ReadFile(filepath.Join(w.dir, "gpu", "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Engine string            `json:"engine"`
		Device map[string]string `json:"device"`
	}
	if err := json.Unmarshal(b, &record); err != nil {
		t.Fatal(err)
	}
	if record.Engine != "cuda" || record.Device["name"] != "a processor" ||
		record.Device["driver"] != "13.0" || record.Device["compute_capability"] != "9.0" {
		t.Errorf("the run says %+v", record)
	}
	w.must("summary", "gpu")
	w.must("predict", "gpu", "--data", "m.json", "--mean", "--out", "means.json")
	w.must("verify", "gpu")

	w.must(args("--device", "cuda", "--out", "again", "--prepare")...)
	status, said := w.run([]string{"MOCK_NAME=another"}, "sample", "--resume", "again")
	if status != 2 || !strings.Contains(said, "was sampled on a processor") {
		t.Errorf("status %d on another device: %s", status, said)
	}
	w.must("sample", "--resume", "again", "--progress", "none")
	for i, x := range w.draws("again") {
		for j := range x {
			if x[j] != got[i][j] {
				t.Fatalf("draw %d, %d has other bits the second time", i, j)
			}
		}
	}
	w.must("sample", "--resume", "again", "--more-draws", "3", "--progress", "none")
	if n := len(w.draws("again")); n != 30 {
		t.Errorf("%d draws after three more of each chain", n)
	}
}

// TestMissing: what is missing is said, with status 5 and a code.
func TestMissing(t *testing.T) {
	w := newWorld(t)
	w.files()
	empty := "SGPPL_CUDA_LIBRARIES=" + t.TempDir()
	for _, k := range []struct {
		env  string
		want string
	}{
		{empty, "NVIDIA's driver is not installed: libcuda.so.1"},
		{"MOCK_DEVICES=0", "finds no NVIDIA GPU"},
		{"MOCK_MEMORY=20000", "19.5 KiB of 19.5 KiB are free on a processor"},
		{"MOCK_HEADER=/nowhere.h", "the kernels do not compile for sm_90"},
	} {
		status, said := w.run([]string{k.env}, args("--device", "cuda", "--out", "no")...)
		if status != 5 || !strings.Contains(said, "error[S0112]") || !strings.Contains(said, k.want) {
			t.Errorf("%s: status %d\n%s", k.env, status, said)
		}
		if _, err := os.Stat(filepath.Join(w.dir, "no")); err == nil {
			t.Fatalf("%s: there is a run directory", k.env)
		}
	}
	// Of the libraries only the driver's.
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(bin+"/lib/libcuda.so.1", dir+"/libcuda.so.1"); err != nil {
		t.Fatal(err)
	}
	if status, said := w.run([]string{"SGPPL_CUDA_LIBRARIES=" + dir},
		args("--device", "cuda", "--out", "no")...); status != 5 ||
		!strings.Contains(said, "NVRTC, the compiler of CUDA C, is not installed: libnvrtc.so.13") {
		t.Errorf("without NVRTC: status %d\n%s", status, said)
	}
}

// TestPicture: a small convolutional network, whose rows are pictures.
func TestPicture(t *testing.T) {
	w := newWorld(t)
	text := `use nn
dim N
data x[N] : real[1, 8, 8]
data y[N] : index[3]
layer c = Conv2d(1, 4, 3), l = Dense(36, 3)
for n in N { y[n] ~ categorical_logit(l(flatten(max_pool2d(relu(c(x[n])), 2)))) }
`
	if err := os.WriteFile(filepath.Join(w.dir, "c.sg"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.must("simulate", "c.sg", "--set", "N=200", "--seed", "3", "--out", "c.json", "--data",
		w.pictures())
	common := strings.Fields("sample c.sg --data c.json --precision f32 --batch 50 --sampler sghmc " +
		"--step 0.001 --friction 10 --warmup 0 --draws 4 --thin 5 --chains 1 --seed 2 --progress none")
	w.must(append(common[:len(common):len(common)], "--engine", "vm", "--out", "cpu")...)
	w.must(append(common[:len(common):len(common)], "--device", "cuda", "--out", "gpu")...)
	want, got := w.draws("cpu"), w.draws("gpu")
	for i := range want {
		off, all := 0.0, 0.0
		for j, x := range want[i] {
			off += (got[i][j] - x) * (got[i][j] - x)
			all += x * x
		}
		if !(off < 1e-8*all) {
			t.Errorf("draw %d is off by %.3g of its norm", i, math.Sqrt(off/all))
		}
	}
}

// pictures writes pictures, and returns their file.
func (w *world) pictures() string {
	r := rand.New(rand.NewPCG(8, 2))
	x := make([][1][8][8]float64, 200)
	for n := range x {
		for i := range 8 {
			for j := range 8 {
				x[n][0][i][j] = r.NormFloat64()
			}
		}
	}
	b, err := json.Marshal(map[string]any{"x": x})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "x.json"), b, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return "x.json"
}
