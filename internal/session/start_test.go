package session

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

const startModel = `param a[3] : real ~ normal(0, 1)
param s : positive ~ exponential(1)
`

// TestStartPoint: given params are where they should be, and the others where they are
// without; a value outside the support is refused.
func TestStartPoint(t *testing.T) {
	b := bound(t, newWorld(), startModel)
	free, err := StartPoint(b.Target, nil, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	given := map[string][]float64{"s": {2}}
	x, err := StartPoint(b.Target, given, 5, 1)
	if err != nil || !slices.Equal(x[:3], free[:3]) || x[3] == free[3] {
		t.Fatalf("%v beside %v: %v", x, free, err)
	}
	out := make([]float64, b.Target.OutputLen())
	b.Target.Evaluator(1).Constrain(x, out)
	if math.Abs(out[3]-2) > 1e-12 {
		t.Errorf("s starts at %v", out[3])
	}
	if other, _ := StartPoint(b.Target, given, 5, 2); slices.Equal(other[:3], x[:3]) {
		t.Error("two chains start at one point")
	}
	if _, err := StartPoint(b.Target, map[string][]float64{"s": {-1}}, 5, 1); err == nil ||
		!strings.Contains(err.Error(), "s is outside its support") {
		t.Errorf("%v", err)
	}
	for _, c := range []struct {
		given map[string][]float64
		want  bool
	}{{nil, true}, {given, true}, {map[string][]float64{"s": {1}, "a": {1, 2, 3}}, false}} {
		if got := Partial(b.Target, c.given); got != c.want {
			t.Errorf("%v: partial %v", c.given, got)
		}
	}
}

// TestKmeansStart: every chain has the centres of the rows, in order where the param is
// ordered, and what follows after a comma.
func TestKmeansStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(file, []byte("x\n9\n11\n-5\n10\n-7\n-6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	w := newWorld()
	b := &Binding{Given: Given{Data: []string{file}}}
	src := source.New("m.sg", `dim N
data x[N] : real
param mu : ordered[2] ~ normal(0, 10)
param s : positive ~ exponential(1)
for n in N { x[n] ~ mixture([0.5, 0.5], normal(mu[k], s) for k in 2) }
`)
	if err := errors.Join(b.Compile(&w.Session, src), b.Bind(&w.Session)); err != nil {
		t.Fatal(err, w.said.String())
	}
	cfg := sampler.DefaultConfig()
	starts, err := b.Kmeans(&w.Session, "mu=x,s=3", &cfg)
	if err != nil || len(starts) != cfg.Chains {
		t.Fatalf("%v, %v", starts, err)
	}
	for _, x := range starts {
		out := make([]float64, b.Target.OutputLen())
		b.Target.Evaluator(1).Constrain(x, out)
		for i, want := range []float64{-6, 10, 3} {
			if math.Abs(out[i]-want) > 1e-9 {
				t.Errorf("a chain starts at %v", out)
				break
			}
		}
	}
	for what, says := range map[string]string{
		"mu":   "write --init kmeans:PARAM=INPUT",
		"m=x":  "m is no parameter of the model; did you mean mu?",
		"mu=y": "y is no input of the model", "mu=x,t=1": "t is no parameter",
	} {
		if _, err := b.Kmeans(&w.Session, what, &cfg); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestSampleOf: as many rows as asked for, in their order, each as likely as the others.
func TestSampleOf(t *testing.T) {
	const n, limit, rounds = 10, 3, 3000
	x := make([]float64, 2*n)
	for i := range x {
		x[i] = float64(i)
	}
	src := rng.New(1, 0, rng.Init).At(0)
	if got := sampleOf(x, n, 2, n, &src); !slices.Equal(got, x) {
		t.Errorf("all rows are %v", got)
	}
	count := make([]int, n)
	for range rounds {
		got := sampleOf(x, n, 2, limit, &src)
		if len(got) != 2*limit || !slices.IsSorted(got) {
			t.Fatalf("%v", got)
		}
		for i := 0; i < len(got); i += 2 {
			if got[i+1] != got[i]+1 {
				t.Fatalf("%v are not rows", got)
			}
			count[int(got[i])/2]++
		}
	}
	for i, c := range count { // the standard deviation of a count is 25
		if math.Abs(float64(c)-rounds*limit/n) > 125 {
			t.Errorf("row %d is drawn %d times", i, c)
		}
	}
}

// TestUnitRows: rows have length 1, and those of length 0 are left out.
func TestUnitRows(t *testing.T) {
	got := unitRows([]float64{3, 4, 0, 0, 0, -2}, 2)
	if want := []float64{0.6, 0.8, 0, -1}; len(got) != 4 ||
		math.Abs(got[0]-want[0])+math.Abs(got[1]-want[1]) > 1e-15 || got[3] != -1 {
		t.Errorf("%v, not %v", got, want)
	}
}

// TestKept: how many draws of a chain are stored, and what is not in the model.
func TestKept(t *testing.T) {
	for _, c := range []struct {
		kept Kept
		none bool
		want int64
	}{
		{Kept{}, false, 100},
		{Kept{Moments: true}, true, 100},
		{Kept{Moments: true, Last: 7}, false, 7},
		{Kept{Reservoir: 500}, false, 100},
		{Kept{Last: 30, Reservoir: 20}, false, 20},
	} {
		if got := c.kept.stored(100); got != c.want || c.kept.none() != c.none {
			t.Errorf("%+v: %d stored, none %v", c.kept, got, c.kept.none())
		}
	}
	b := bound(t, newWorld(), startModel)
	if err := b.Keeps([]string{"a", "s*"}); err != nil {
		t.Error(err)
	}
	if err := b.Keeps([]string{"a", "z*"}); err == nil ||
		!strings.Contains(err.Error(), "--keep z*") {
		t.Errorf("%v", err)
	}
	if n := b.Entries(Kept{Sketch: -1}); n != 0 {
		t.Errorf("%d entries without moments", n)
	}
	if n := b.Entries(Kept{Moments: true, Sketch: 9}); n != 9 {
		t.Errorf("%d entries", n)
	}
	if b.Entries(Kept{Moments: true, Sketch: -1}) <= 0 {
		t.Error("no entries where the size of the model says how many")
	}
}

// TestStorable: no run can store a param that is called as an axis of draws, unless --keep
// leaves it out, nor be of a model without params that stores nothing.
func TestStorable(t *testing.T) {
	w := newWorld()
	b := bound(t, w, "param chain : real ~ normal(0, 1)\nparam a : real ~ normal(0, 1)\n")
	if err := b.Storable(nil); w.Report(err) != ExitModel ||
		!strings.Contains(w.said.String(), "m.sg:1:7: a run cannot store chain") {
		t.Errorf("%s", &w.said)
	}
	if err := b.Storable([]string{"a"}); err != nil {
		t.Error(err)
	}
	if err := b.HasParams("optimise"); err != nil || b.Still() {
		t.Error(err)
	}
	none := bound(t, w, "data x : real\n", "x=1")
	if err := none.Storable(nil); w.Report(err) != ExitModel ||
		!strings.Contains(w.said.String(), "there is nothing to draw") {
		t.Errorf("%s", &w.said)
	}
	if err := none.HasParams("optimise"); w.Report(err) != ExitModel || !none.Still() {
		t.Errorf("%v", err)
	}
	if err := bound(t, w, "data x : real\ntrack y = x\n", "x=1").Storable(nil); err != nil {
		t.Error(err)
	}
	r := b.Record(sampler.DefaultConfig())
	if r.Model != "m" || r.Source != "m.sg" || !slices.Equal(r.Blocks, []string{"chain", "a"}) {
		t.Errorf("%+v", r)
	}
}
