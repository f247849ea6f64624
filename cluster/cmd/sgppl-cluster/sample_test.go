package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

const straight = `dim N, P
data x[N, P] : real
data y[N] : real
param b[P] : real ~ normal(0, 2)
param s : positive ~ normal(0, 1)
for n in N { y[n] ~ normal(x[n] @ b, s) }
`

// modelFile writes a model, and returns its path.
func modelFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// drawsOf are the bytes of the draws of a run, by file.
func drawsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	root := filepath.Join(dir, "draws.zarr", "posterior")
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || strings.HasPrefix(filepath.Base(path), ".") ||
			filepath.Base(path) == "zarr.json" {
			return err
		}
		b, err := os.ReadFile(path)
		out[path[len(root):]] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// momentsOf are the means and standard deviations of the elements of a param of a run.
func momentsOf(t *testing.T, dir, name string) (out [][2]float64) {
	t.Helper()
	store, err := trace.Open(filepath.Join(dir, "draws.zarr"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := store.Read("posterior", name)
	if err != nil {
		t.Fatal(err)
	}
	n := float64(a.Chains * a.Draws)
	for i := range a.Len() {
		mean, square := 0.0, 0.0
		for k := i; k < len(a.Data); k += a.Len() {
			mean += a.Data[k] / n
		}
		for k := i; k < len(a.Data); k += a.Len() {
			square += (a.Data[k] - mean) * (a.Data[k] - mean) / n
		}
		out = append(out, [2]float64{mean, math.Sqrt(square)})
	}
	return out
}

func sameDraws(t *testing.T, a, b string) {
	t.Helper()
	x, y := drawsOf(t, a), drawsOf(t, b)
	if len(x) == 0 || len(x) != len(y) {
		t.Errorf("%s has %d files of draws, %s %d", a, len(x), b, len(y))
	}
	for name, text := range x {
		if y[name] != text {
			t.Errorf("%s of %s and %s differ", name, a, b)
		}
	}
}

// jobs does the tasks of the pass that is due as the jobs of an array, the last first.
func jobs(t *testing.T, out, cache, pass string, tasks int) {
	t.Helper()
	for i := tasks - 1; i >= 0; i-- {
		code, _, messages := command(t, map[string]string{"SLURM_ARRAY_TASK_ID": fmt.Sprint(i)},
			"task", out, "--pass="+pass, fmt.Sprintf("--tasks=%d", tasks), "--cache="+cache)
		if code != 0 {
			t.Fatal(messages)
		}
	}
}

// A run by statistics, and one by a surrogate: a loop and the jobs of arrays have the same
// draws, the first line of the summary says how exact they are, and a command that is given
// again finds the run.
func TestSample(t *testing.T) {
	dir := t.TempDir()
	rows := table(t, dir, 6000)
	cache := filepath.Join(dir, "cache")
	for _, c := range []struct {
		name, text, first, words string
		kind                     string
	}{
		{"straight.sg", straight, "statistics",
			"exactness   exact: 6000 rows enter by 9 sums, computed in one pass over 3 shards", "exact"},
		{"regression.sg", regression, "pilot",
			"exactness   checked: draws of a surrogate, held against all rows in one pass: k ", "checked"},
	} {
		t.Run(c.kind, func(t *testing.T) {
			args := []string{"sample", modelFile(t, dir, c.name, c.text), "--data=" + rows,
				"--shard-size=100K", "--cache=" + cache, "--chains=2", "--warmup=150", "--draws=60",
				"--seed=4"}
			by := func(out string, more ...string) string {
				t.Helper()
				code, text, messages := command(t, nil, append(append(args[:len(args):len(args)],
					"--out="+out), more...)...)
				if code != 0 {
					t.Fatalf("%v: %d, %s", more, code, messages)
				}
				return text
			}
			loop, array := filepath.Join(dir, c.kind+"-loop"), filepath.Join(dir, c.kind+"-array")
			if text := by(loop); !strings.HasPrefix(text, c.words) {
				t.Errorf("%s", text)
			}
			rec, err := run.Read(loop)
			if err != nil || rec.Exactness.Kind != c.kind || rec.Exactness.Shards != 3 ||
				rec.Dims["N"] != 6000 {
				t.Fatalf("%v, %+v", err, rec)
			}
			passes := 0
			for k := 1; ; k++ {
				text := by(array, "--runner=array")
				if strings.HasPrefix(text, "exactness") {
					break
				}
				if k > 12 || !strings.Contains(text, "has 3 tasks to do") ||
					!strings.Contains(text, "sgppl cluster array "+array) {
					t.Fatal(text)
				}
				jobs(t, array, cache, strings.Fields(text)[0], 3)
				passes++
			}
			if passes != rec.Exactness.Passes && passes != rec.Exactness.Passes+1 { // and the pilot
				t.Errorf("%d passes by arrays, and %d are recorded", passes, rec.Exactness.Passes)
			}
			sameDraws(t, loop, array)
			again := by(loop)
			if !strings.HasPrefix(again, c.words) {
				t.Errorf("found done: %s", again)
			}
			if code, text, _ := command(t, nil, "status", loop); code != 0 ||
				!strings.Contains(text, c.words) {
				t.Errorf("status: %d, %s", code, text)
			}
			code, _, messages := command(t, nil, append(args, "--out="+loop, "--seed=5")...)
			if code != 3 || !strings.Contains(messages, "holds another run") {
				t.Errorf("another seed in the same place: %d, %s", code, messages)
			}
			code, text, messages := command(t, nil, append(args, "--out="+filepath.Join(dir, "none"),
				"--dry", "--price=2")...)
			if code != 0 || !strings.Contains(text, c.first+" ") ||
				!strings.Contains(text, "for an hour of a processor") {
				t.Errorf("--dry: %d, %s, %s", code, text, messages)
			}
			if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
				t.Error("--dry wrote something")
			}
		})
	}
}

// What has no posterior that the driver can sample ends with status 4, in words, and leaves no
// run; draws that cannot stand for it are kept where that is asked for.
func TestSampleRefuses(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 3))
	var b strings.Builder
	b.WriteString("y,z,b,g\n")
	for i := range 3000 {
		y := r.NormFloat64() + 3 - 6*float64(i%2)
		fmt.Fprintf(&b, "%.4f,%.4f,%d,%d\n", y, r.NormFloat64(), r.IntN(2), r.IntN(1200))
	}
	rows := modelFile(t, dir, "rows.csv", b.String())
	for name, c := range map[string]struct{ text, want string }{
		"mixture": {`dim N
data y[N] : real
param m1, m2 : real ~ normal(0, 5)
for n in N { y[n] ~ mixture(0.4, normal(m1, 1), normal(m2, 1)) }
`, "several modes"},
		"centred": {`dim N
data y[N] : real
param a : real ~ normal(0, 1)
for n in N { y[n] ~ student_t(4, a + mean(y), 1) }
`, "mean(y)"},
		"sphere": {`dim N
data y[N], z[N] : real
param mu : sphere[2]
for n in N { y[n] ~ student_t(4, mu[0] + mu[1] * z[n], 1) }
`, "curved space"},
		"many": {`dim N
data y[N] : real
param a[2001] : real ~ normal(0, 1)
for n in N { y[n] ~ student_t(4, a[0], 1) }
`, "2001 unknowns"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(dir, name)
			code, _, messages := command(t, nil, "sample", modelFile(t, dir, name+".sg", c.text),
				"--data="+rows, "--out="+out, "--cache="+filepath.Join(dir, "cache"))
			if code != 4 || !strings.Contains(messages, c.want) ||
				!strings.Contains(messages, "sgppl cluster chains") {
				t.Errorf("%d: %s", code, messages)
			}
			if _, err := os.Stat(filepath.Join(out, runRecord)); err == nil {
				t.Error("there is a run")
			}
		})
	}
}

// rareGroups writes a model of groups with a few rows each, and its rows.
func rareGroups(t *testing.T, dir string) (files [2]string) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 3))
	var b strings.Builder
	b.WriteString("g,x,y\n")
	for range 240 {
		g := r.IntN(60)
		fmt.Fprintf(&b, "%d,%.3f,%d\n", g, 1+r.Float64(), int(math.Floor(1.06+0.05*r.NormFloat64())))
	}
	files[1] = modelFile(t, dir, "rare.csv", b.String())
	files[0] = modelFile(t, dir, "rare.sg", `dim N, G
data g[N] : index[G]
data x[N] : real
data y[N] : bool
param a[G] : real ~ normal(0, 3)
for n in N { y[n] ~ bernoulli_logit(a[g[n]] * x[n]) }
`)
	return files
}

// Draws of a surrogate without rows as they are, of a posterior that is far from the second
// order of its likelihood, are refused, unless they are asked for as they are.
func TestSampleApproximates(t *testing.T) {
	dir := t.TempDir()
	rare := rareGroups(t, dir)
	model, rows := rare[0], rare[1]
	args := []string{"sample", model, "--data=" + rows, "--rows=0", "--shard-size=500",
		"--cache=" + filepath.Join(dir, "cache"), "--chains=2", "--warmup=200", "--draws=200"}
	code, _, messages := command(t, nil, append(args, "--out="+filepath.Join(dir, "no"))...)
	if code != 4 || !strings.Contains(messages, "so these are draws of the surrogate") ||
		!strings.Contains(messages, "--rows ") || !strings.Contains(messages, "--correct 10") {
		t.Fatalf("%d: %s", code, messages)
	}
	out := filepath.Join(dir, "yes")
	code, text, messages := command(t, nil, append(args, "--out="+out, "--accept-approximation")...)
	if code != 0 || !strings.HasPrefix(text, "exactness   approximate: draws of a surrogate") {
		t.Fatalf("%d: %s, %s", code, text, messages)
	}
	rec, err := run.Read(out)
	if err != nil || rec.Exactness.Kind != "approximate" || rec.Exactness.Good() {
		t.Errorf("%v, %+v", err, rec.Exactness)
	}
}

// The consensus of subposteriors is held against all rows: it is taken where these are near to
// Gaussian, and refused where shards know little of a group, unless it is asked for as it is.
func TestSampleConsensus(t *testing.T) {
	dir := t.TempDir()
	cache := "--cache=" + filepath.Join(dir, "cache")
	rows := table(t, dir, 2000)
	model := modelFile(t, dir, "m.sg", `dim N, P
data x: real[N, P], y: real[N]
param w: real[P]
w ~ normal(0, 1)
for n in N { y[n] ~ normal(dot(x[n], w), 1) }
`)
	args := []string{"sample", model, "--data=" + rows, "--shard-size=20K", cache, "--chains=2",
		"--warmup=200", "--draws=500"}
	found := map[string][][2]float64{}
	for name, want := range map[string]string{"none": "exact: 2000 rows enter by ",
		"consensus": "checked: draws of the consensus of 5 subposteriors, held against all rows",
		"wasp":      "checked: draws of the Wasserstein barycentre of 5 subposteriors, held against"} {
		out := filepath.Join(dir, name)
		code, text, messages := command(t, nil, append(args, "--combine="+name, "--out="+out)...)
		if code != 0 || !strings.HasPrefix(text, "exactness   "+want) {
			t.Fatalf("%s: %d: %s, %s", name, code, text, messages)
		}
		found[name] = momentsOf(t, out, "w")
	}
	for i, a := range found["none"] {
		for _, name := range []string{"consensus", "wasp"} {
			b := found[name][i]
			if math.Abs(a[0]-b[0]) > 0.2*a[1] || math.Abs(b[1]/a[1]-1) > 0.15 {
				t.Errorf("mean and standard deviation %.4f, of the %s %.4f", a, name, b)
			}
		}
	}
	rare := rareGroups(t, dir)
	rest := args[4:]
	for name, words := range map[string]string{"consensus": "the consensus of ",
		"wasp": "the Wasserstein barycentre of "} {
		args = append([]string{"sample", rare[0], "--data=" + rare[1], "--shard-size=500",
			"--combine=" + name}, rest...)
		out := filepath.Join(dir, "no-"+name)
		code, _, messages := command(t, nil, append(args, "--out="+out)...)
		if code != 4 || !strings.Contains(messages, "so these are draws of "+words) {
			t.Fatalf("%d: %s", code, messages)
		}
		if _, err := os.Stat(filepath.Join(out, "run.json")); err == nil {
			t.Errorf("%s was refused, and left a run", name)
		}
		code, text, messages := command(t, nil, append(args, "--accept-approximation",
			"--out="+filepath.Join(dir, "yes-"+name))...)
		if code != 0 || !strings.HasPrefix(text, "exactness   approximate: draws of "+words) {
			t.Fatalf("%d: %s, %s", code, text, messages)
		}
	}
	for _, more := range []string{"--rows=3", "--correct=2", "--dry", "--method=statistics"} {
		code, _, messages := command(t, nil, append(args, more, "--out="+filepath.Join(dir, "x"))...)
		if code != exitUsage || !strings.Contains(messages, "--combine takes the place") {
			t.Errorf("%s: %d: %s", more, code, messages)
		}
	}
}

// A command that is ended within a pass, or within the chains, goes on when it is given again,
// and comes to the draws of one that was not ended.
func TestSampleGoesOn(t *testing.T) {
	dir := t.TempDir()
	rows := table(t, dir, 3000)
	for name, c := range map[string]struct{ model, at string }{
		"statistics": {straight, "pass/001-statistics"},
		"pilot":      {regression, "pass/001-pilot"},
		"chains":     {regression, "chains on the surrogate"},
		"check":      {regression, "the draws against all rows"},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"sample", modelFile(t, dir, name+".sg", c.model), "--data=" + rows,
				"--shard-size=30K", "--chains=2", "--warmup=150", "--draws=250", "--workers=1"}
			by := func(ctx context.Context, out string, stderr io.Writer) int {
				w := &world{ctx, io.Discard, stderr, func(string) string { return "" }}
				return execute(w, append(args[:len(args):len(args)], "--out="+filepath.Join(dir, out),
					"--cache="+filepath.Join(dir, "cache-"+out)))
			}
			var whole strings.Builder
			if code := by(t.Context(), name+"-whole", &whole); code != 0 {
				t.Fatalf("%d: %s", code, whole.String())
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var said strings.Builder
			ends := writerFunc(func(b []byte) (int, error) {
				said.Write(b)
				if strings.Contains(string(b), c.at) {
					cancel()
				}
				return len(b), nil
			})
			if code := by(ctx, name+"-ended", ends); code != exitInterrupted ||
				!strings.Contains(said.String(), "the same command goes on") {
				t.Fatalf("%d: %s", code, said.String())
			}
			if _, err := os.Stat(filepath.Join(dir, name+"-ended", runRecord)); err == nil {
				t.Fatal("it was not ended")
			}
			if code := by(t.Context(), name+"-ended", io.Discard); code != 0 {
				t.Fatal(code)
			}
			sameDraws(t, filepath.Join(dir, name+"-whole"), filepath.Join(dir, name+"-ended"))
		})
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
