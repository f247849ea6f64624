package pass_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

const line = `dim N, P
data x[N, P] : real
data y[N] : real
param b[P] : real ~ normal(0, 2)
param a : real ~ normal(0, 2)
param s : positive ~ normal(0, 1)
for n in N { y[n] ~ normal(x[n] @ b + a, s) }
`

// intercepts is a regression whose groups are words.
const intercepts = `dim N, J
data g[N] : index[J]
data x[N] : real
data y[N] : bool
param m : real ~ normal(0, 2)
param s : positive ~ normal(0, 1)
param a[J] : real ~ normal(m, s)
param b : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(a[g[n]] + x[n] * b) }
`

// whole does the passes before the chains.
func whole(t *testing.T, e *pass.Env, by pass.Front, want pass.Method) *pass.Whole {
	t.Helper()
	c, err := pass.Choose(t.Context(), e, want)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pass.WholeOf(t.Context(), e, by, 1, c, 5)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Sums of shards are those of all rows: the log density and its gradient, at 20 points.
func TestStatistics(t *testing.T) {
	const n, p = 100000, 20
	r := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	for j := range p {
		fmt.Fprintf(&b, "x.%d,", j)
	}
	b.WriteString("y\n")
	for range n {
		y := 1 + 0.7*r.NormFloat64()
		for j := range p {
			x := r.NormFloat64()
			y += x * math.Sin(float64(j))
			fmt.Fprintf(&b, "%.5f,", x)
		}
		fmt.Fprintf(&b, "%.5f\n", y)
	}
	data := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(data, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	e := runOf(t, "mem://"+t.TempDir(), line, data, int64(b.Len()/8+1))
	w := whole(t, e, front.Loop{Workers: 2}, pass.Auto)
	if k := len(e.Run.Manifest.Shards); k != 8 || w.Exact == nil || w.Exact.All != n ||
		w.Target.Rows() != n {
		t.Fatalf("%d shards, %+v", k, w.Exact)
	}
	one := runOf(t, "mem://"+t.TempDir(), line, data, 1<<40)
	c, err := pass.Choose(t.Context(), one, pass.Auto)
	if err != nil {
		t.Fatal(err)
	}
	d := w.Target.Dim()
	got, want := w.Target.NewEvaluator(1), c.First.NewEvaluator(0)
	x, g, h := make([]float64, d), make([]float64, d), make([]float64, d)
	rows := make([]int, n) // one by one: no sums are used
	for i := range rows {
		rows[i] = i
	}
	worst := 0.0
	for range 20 {
		for i := range x {
			x[i] = r.NormFloat64()
		}
		f := got.LogDensityGradient(x, nil, 1, 1, g)
		k := want.LogDensityGradient(x, rows, 1, 1, h)
		worst = max(worst, math.Abs(f-k)/math.Abs(k))
		size := 0.0
		for i := range h {
			size = max(size, math.Abs(h[i]))
		}
		for i := range h {
			worst = max(worst, math.Abs(g[i]-h[i])/size)
		}
	}
	t.Logf("%.2g", worst)
	if worst > 3.3e-11 {
		t.Errorf("sums of shards are off by %.2g", worst)
	}
}

// surrogateOf samples a surrogate of all rows.
func surrogateOf(t *testing.T, e *pass.Env, by pass.Front) *surrogate.Result {
	t.Helper()
	w := whole(t, e, by, pass.Surrogate)
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Seed = "nuts", 2, 200, 200, 3
	got, err := surrogate.Run(t.Context(), w.Target, cfg,
		surrogate.Settings{Seed: 3, Rows: 300, Radius: 2}, loop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A surrogate of shards has the same bits for any workers, order and attempts, and its means
// are those of a surrogate of all rows in one shard. Words are found in all shards.
func TestSurrogate(t *testing.T) {
	data := groups(t, 6000)
	e := runOf(t, "mem://"+t.TempDir(), intercepts, data, 30000)
	want := surrogateOf(t, e, front.Loop{Workers: 2})
	if x := want.Exactness; x.Kind != "checked" || !x.Good() || x.Rows < 150 {
		t.Errorf("%+v", x)
	}
	other := runOf(t, t.TempDir(), intercepts, data, 30000)
	again := surrogateOf(t, other, twice{2})
	if a, b := digest(want), digest(again); a != b {
		t.Errorf("draws differ: %x, %x", a, b)
	}
	one := runOf(t, "mem://"+t.TempDir(), intercepts, data, 1<<40)
	single := surrogateOf(t, one, front.Loop{Workers: 1})
	d := len(want.Drawn[0])
	for i := range d {
		var mean [2]float64
		var square float64
		for k, r := range []*surrogate.Result{want, single} {
			for j, x := range r.Drawn {
				mean[k] += r.Weights[j] * x[i]
			}
			for j, x := range r.Drawn {
				square += r.Weights[j] * (x[i] - mean[k]) * (x[i] - mean[k]) / 2
			}
		}
		if far := math.Abs(mean[0]-mean[1]) / math.Sqrt(square); far > 0.3 {
			t.Errorf("coordinate %d: means %.3f and %.3f, %.2f sd", i, mean[0], mean[1], far)
		}
	}
}

func digest(r *surrogate.Result) uint64 {
	h := fnv.New64a()
	for k := range r.States {
		for i, x := range r.States[k] {
			fmt.Fprintf(h, "%x %x;", x, r.Stats[k][i].LP)
		}
	}
	return h.Sum64()
}

// A driver that ends between passes goes on: the passes that are done are not done again.
func TestSurrogateGoesOn(t *testing.T) {
	data := groups(t, 3000)
	e := runOf(t, t.TempDir(), intercepts, data, 30000)
	ran := 0
	by := front.Loop{Workers: 1, Each: func(pass.Task, error) { ran++ }}
	want := digest(surrogateOf(t, e, by))
	all := ran
	ran = 0
	if got := digest(surrogateOf(t, e, by)); got != want || ran != 0 {
		t.Errorf("found done: %d tasks ran, draws %x and %x", ran, got, want)
	}
	e = runOf(t, t.TempDir(), intercepts, data, 30000)
	dies := stopping{Loop: front.Loop{Workers: 1}, left: new(int)}
	*dies.left = all / 2
	c, err := pass.Choose(t.Context(), e, pass.Auto)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pass.WholeOf(t.Context(), e, dies, 1, c, 5)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Seed = "nuts", 2, 200, 200, 3
	if _, err := surrogate.Run(t.Context(), w.Target, cfg,
		surrogate.Settings{Seed: 3, Rows: 300, Radius: 2}, loop.Options{}); err == nil {
		t.Fatal("the front did not stop")
	}
	ran = 0
	if got := digest(surrogateOf(t, e, by)); got != want || ran != all-all/2 {
		t.Errorf("%d of %d tasks ran after a stop in the middle; draws %x and %x", ran, all, got, want)
	}
}

// stopping is a loop that fails after so many tasks.
type stopping struct {
	front.Loop
	left *int
}

func (s stopping) Run(ctx context.Context, e *pass.Env, tasks []pass.Task) error {
	for _, t := range tasks {
		if *s.left == 0 {
			return context.DeadlineExceeded
		}
		*s.left--
		if err := s.Loop.Run(ctx, e, []pass.Task{t}); err != nil {
			return err
		}
	}
	return nil
}

// Chains of a posterior of very many rows start where it is, as wide as it is.
func TestStarts(t *testing.T) {
	data := groups(t, 4000)
	const text = `dim N
data x[N], y[N] : real
param a, b : real ~ normal(0, 2)
param s : positive ~ normal(0, 1)
for n in N { y[n] ~ normal(a + b * x[n], s) }
`
	e := runOf(t, "mem://"+t.TempDir(), text, data, 1<<40)
	w := whole(t, e, front.Loop{Workers: 1}, pass.Statistics)
	starts, err := pass.Starts(t.Context(), w.Target, 3, 200)
	if err != nil || len(starts) != 200 {
		t.Fatalf("%v, %v", starts, err)
	}
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Chains, cfg.Seed, cfg.Init = "nuts", 4, 2, starts[:4]
	draws := make([][]float64, w.Target.Dim())
	for k := range cfg.Chains {
		c, err := sampler.NewChain(w.Target, resolved(t, cfg, w), k)
		if err != nil {
			t.Fatal(err)
		}
		for !c.Done() {
			if err := c.Step(); err != nil {
				t.Fatal(err)
			}
			if c.Steps() > cfg.Warmup {
				for i, x := range c.Position() {
					draws[i] = append(draws[i], x)
				}
			}
		}
	}
	for i, list := range draws {
		var of []float64
		for _, x := range starts {
			of = append(of, x[i])
		}
		m, s := meanSD(list)
		m0, s0 := meanSD(of)
		if math.Abs(m-m0) > 0.4*s || s0 < 0.8*s || s0 > 1.2*s {
			t.Errorf("coordinate %d: starts %.4f ± %.4f, draws %.4f ± %.4f", i, m0, s0, m, s)
		}
	}
}

func resolved(t *testing.T, c sampler.Config, w *pass.Whole) sampler.Config {
	t.Helper()
	c, err := c.Resolve(w.Target)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func meanSD(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean) / float64(len(x))
	}
	return mean, math.Sqrt(sd)
}

// Sparse rows whose last columns some shards lack: they are as wide as the widest shard says.
func TestSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	var b strings.Builder
	const n = 1500
	for i := range n {
		y := 0
		if r.IntN(3) == 0 {
			y = 1
		}
		fmt.Fprintf(&b, "%d %d:1", y, 1+r.IntN(3))
		if i > n/2 && i%9 == 0 { // a column that the first shards do not have
			b.WriteString(" 5:1")
		}
		b.WriteString("\n")
	}
	path := filepath.Join(t.TempDir(), "rows.libsvm")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	to, err := bucket.Open(t.Context(), t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	m, err := shards.Cut(t.Context(), []string{"x=" + path + ":features", "y=" + path + ":label"},
		2000)
	if err != nil {
		t.Fatal(err)
	}
	const text = `dim N, P
data x[N] : sparse real[P]
data y[N] : bool
param w[P] : real ~ normal(0, 2)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w) }
`
	run := &pass.Run{Name: "m.sg", Model: text, Manifest: m}
	if err := pass.Create(t.Context(), to, run); err != nil {
		t.Fatal(err)
	}
	e, err := pass.Open(t.Context(), to, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	got := surrogateOf(t, e, front.Loop{Workers: 2})
	if d := len(got.Drawn[0]); d != 5 || !got.Exactness.Good() {
		t.Errorf("%d unknowns, %+v", d, got.Exactness)
	}
	// The rows that are different, with weights, have the density of all rows too.
	w := whole(t, e, front.Loop{Workers: 2}, pass.Auto)
	one := &pass.Run{Name: "m.sg", Model: text}
	if one.Manifest, err = shards.Cut(t.Context(), []string{"x=" + path + ":features",
		"y=" + path + ":label"}, 1<<40); err != nil {
		t.Fatal(err)
	}
	to, err = bucket.Open(t.Context(), t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := pass.Create(t.Context(), to, one); err != nil {
		t.Fatal(err)
	}
	if e, err = pass.Open(t.Context(), to, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	all, _, err := e.Rows(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if w.Exact == nil || w.Target.Dim() != 5 || all.Dim() != 5 {
		t.Fatalf("%+v, %d and %d unknowns", w.Exact, w.Target.Dim(), all.Dim())
	}
	x, g, h := []float64{0.3, -1, 0.5, 0.2, 2}, make([]float64, 5), make([]float64, 5)
	a := w.Target.NewEvaluator(0).LogDensityGradient(x, nil, 1, 1, g)
	want2 := all.NewEvaluator(0).LogDensityGradient(x, nil, 1, 1, h)
	for i, want := range append(h, want2) {
		if d := append(g, a)[i] - want; math.Abs(d) > 1e-10*math.Abs(want)+1e-10 {
			t.Errorf("%d: %g from different rows, %g from all", i, append(g, a)[i], want)
		}
	}
}

// Inputs that do not have the axis of rows are not read from the files of rows, and those that
// have it are not read from others.
func TestRowsHaveAxis(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var rows, groups strings.Builder
	rows.WriteString("y,g\n")
	groups.WriteString("z\n")
	for i := range 200 {
		fmt.Fprintf(&rows, "%d.5,%d\n", i%7, i%10)
	}
	for i := range 10 {
		fmt.Fprintf(&groups, "%d\n", i)
	}
	r, g := file("rows.csv", rows.String()), file("groups.csv", groups.String())
	const text = `dim N, J
data y[N] : real
data g[N] : index[J]
data z[J] : real
param a, b : real ~ normal(0, 2)
for n in N { y[n] ~ normal(a + b * z[g[n]], 1) }
`
	for _, c := range []struct {
		first, second, want string
	}{{r, g, ""}, {g, r, "z : real[J] is in the files of rows"}} {
		b, err := bucket.Open(t.Context(), "mem://"+t.TempDir(), true)
		if err != nil {
			t.Fatal(err)
		}
		m, err := shards.Cut(t.Context(), []string{c.first, c.second}, 600)
		if err != nil {
			t.Fatal(err)
		}
		run := &pass.Run{Name: "m.sg", Model: text, Manifest: m}
		if err := pass.Create(t.Context(), b, run); err != nil {
			t.Fatal(err)
		}
		e, err := pass.Open(t.Context(), b, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		_, err = pass.Choose(t.Context(), e, pass.Auto)
		if c.want == "" && err != nil || c.want != "" && (err == nil ||
			!strings.Contains(err.Error(), c.want) && !strings.Contains(err.Error(), "y : real[N]")) {
			t.Errorf("%s: %v", c.first, err)
		}
	}
}
