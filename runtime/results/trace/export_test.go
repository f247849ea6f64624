package trace

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// small is a store of two chains with two and three draws of every kind of
// shape and number.
func small(t *testing.T, lp bool) *Store {
	t.Helper()
	vars := []Variable{
		{Group: "posterior", Name: "mu"},
		{Group: "posterior", Name: "w", Shape: []int{2}},
		{Group: "posterior", Name: "A", Shape: []int{2, 3}},
		{Group: "sample_stats", Name: "step_size"},
		{Group: "sample_stats", Name: "xi", Shape: []int{2}},
		{Group: "sample_stats", Name: "n_steps", DType: Int64},
	}
	if lp {
		vars = append(vars, Variable{Group: "sample_stats", Name: "lp"})
	}
	s, err := Create(filepath.Join(t.TempDir(), "draws.zarr"), vars, 2, 3, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for c, n := range []int{2, 3} {
		a := appender(t, s, c, 0)
		for d := range n {
			x := float64(10*c + d)
			row := [][]float64{{x}, {x + 0.5, math.NaN()}, {11, 12, 13, 21, 22, 23}, {1e-05},
				{math.Inf(1), math.Inf(-1)}, {1 << 20}, {-x}}
			if !lp {
				row = row[:6]
			}
			if err := a.Append(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

var info = Info{
	Model: "logit_model", Sampler: "sgnht", Warmup: 1000, Thin: 5, StepSize: 0.001, Seed: 42,
	Data: "d.json", Version: "0.1.0",
	WarmupSeconds: []float64{0.1, 0.25}, SamplingSeconds: []float64{1.5, 2},
}

func lines(t *testing.T, path, want string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := strings.Split(string(b), "\n"), strings.Split(want, "\n")
	for i := range max(len(got), len(wanted)) {
		if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
			t.Fatalf("%s differs in line %d:\n%s\nwant\n%s", path, i+1, b, want)
		}
	}
}

func TestStanFiles(t *testing.T) {
	for out, want := range map[string]string{"d": "d_1.csv", "d.csv": "d_1.csv",
		"a.b/d": "a.b/d_1.csv", "d.txt": "d_1.txt", ".d": ".d_1.csv", "a/.d": "a/.d_1.csv",
		"d.": "d._1.csv"} {
		if got := stanFiles(out, []int{0, 1})[0]; got != want {
			t.Errorf("%s: %s, want %s", out, got, want)
		}
	}
}

// What the warm-up of nuts found stands where CmdStan's readers look for it.
func TestStanAdapted(t *testing.T) {
	for metric, c := range map[string]struct {
		inverse []float64
		stan    string
		block   string
	}{
		"diag": {[]float64{1, 4}, "diag_e",
			"# Diagonal elements of inverse mass matrix:\n# 1, 4\n"},
		"dense": {[]float64{1, 2, 3, 4}, "dense_e",
			"# Elements of inverse mass matrix:\n# 1, 2\n# 3, 4\n"},
		"lowrank": {nil, "unit_e", ""},
		"unit":    {nil, "unit_e", ""},
	} {
		dir := t.TempDir()
		with := info
		with.MaxDepth = 10
		with.Adapted = []Adapted{{}, {Step: 0.25, Metric: metric, Inverse: c.inverse}}
		if err := Export(small(t, false), "stan-csv", with, filepath.Join(dir, "x")); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, "x_2.csv"))
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		header := "#     metric = " + c.stan + "\n#     sgppl_metric = " + metric +
			"\n#     stepsize = 0.25\n"
		header = strings.Replace(header, "#     sgppl", "#     max_depth = 10\n#     sgppl", 1)
		_, after, _ := strings.Cut(text, "lp__,")
		_, after, _ = strings.Cut(after, "\n")
		if !strings.Contains(text, header) ||
			!strings.HasPrefix(after, "# Adaptation terminated\n# Step size = 0.25\n"+c.block) {
			t.Errorf("%s:\n%s", metric, text)
		}
		if b, _ := os.ReadFile(filepath.Join(dir, "x_1.csv")); strings.Contains(string(b),
			"Adaptation") || !strings.Contains(string(b), "metric = unit_e\n") {
			t.Errorf("a chain without adaptation:\n%s", b)
		}
	}
}

// In Stan's csv a dot is before an index alone, and no two columns have one name.
func TestStanNames(t *testing.T) {
	params := []Variable{{Name: "x.missing"}, {Name: "y.missing"}, {Name: "y_missing"}, {Name: "z"}}
	for name, want := range map[string]string{"x.missing": "x_missing", "y.missing": "y_missing_",
		"z": "z"} {
		if got := stanName(name, params); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A copy that fails half-way leaves nothing.
func TestZarrFailsWhole(t *testing.T) {
	s := small(t, false)
	bad := filepath.Join(s.Dir(), "posterior", "w", "0.0.0")
	if err := os.Remove(bad); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", bad); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "copy.zarr")
	if err := Export(s, "zarr", info, out); err == nil {
		t.Error("a copy without a chunk")
	}
	if _, err := os.Lstat(out); err == nil {
		t.Error("half a copy is left")
	}
}

func TestStanCSV(t *testing.T) {
	dir := t.TempDir()
	if err := Export(small(t, true), "stan-csv", info, filepath.Join(dir, "out.csv")); err != nil {
		t.Fatal(err)
	}
	const want = `# model = logit_model
# method = sample
#   sample
#     num_samples = 10
#     num_warmup = 1000
#     save_warmup = 0
#     thin = 5
#     algorithm = sgnht
#     metric = unit_e
#     stepsize = 0.001
# id = 2
# data
#   file = d.json
# random
#   seed = 42
# sgppl_version = 0.1.0
lp__,stepsize__,xi_1__,xi_2__,n_leapfrog__,mu,w.1,w.2,A.1.1,A.2.1,A.1.2,A.2.2,A.1.3,A.2.3
-10,1e-05,inf,-inf,1048576,10,10.5,NaN,11,21,12,22,13,23
-11,1e-05,inf,-inf,1048576,11,11.5,NaN,11,21,12,22,13,23
# 
#  Elapsed Time: 0.25 seconds (Warm-up)
#                2 seconds (Sampling)
#                2.25 seconds (Total)
# 
`
	lines(t, filepath.Join(dir, "out_2.csv"), want)
	b, err := os.ReadFile(filepath.Join(dir, "out_1.csv"))
	if err != nil || !strings.Contains(string(b), "# id = 1\n") ||
		!strings.Contains(string(b), "\n-0,1e-05,inf,-inf,1048576,0,0.5,NaN,11") {
		t.Errorf("chain 1: %v\n%s", err, b)
	}
	// Where the number begins is how readers find it.
	for line := range strings.Lines(want) {
		if strings.Contains(line, " seconds (") &&
			(line[16] != ' ' || !strings.Contains("0123456789", line[17:18])) {
			t.Errorf("the number of %q does not begin in column 17, counted from 0", line)
		}
	}

	// Without the full density lp__ is missing; a hostile name stays a comment.
	bad := info
	bad.Model, bad.WarmupSeconds = "a\nlp__,x\n", nil
	if err := Export(small(t, false), "stan-csv", bad, filepath.Join(dir, "none.csv")); err != nil {
		t.Fatal(err)
	}
	b, _ = os.ReadFile(filepath.Join(dir, "none_1.csv"))
	if !strings.HasPrefix(string(b), "# model = a lp__,x\n# method") ||
		!strings.HasSuffix(string(b),
			"\nNaN,1e-05,inf,-inf,1048576,1,1.5,NaN,11,21,12,22,13,23\n") {
		t.Errorf("without lp:\n%s", b)
	}
}

func TestCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "draws.csv")
	if err := Export(small(t, true), "csv", info, path); err != nil {
		t.Fatal(err)
	}
	lines(t, path, `chain,draw,mu,"w[0]","w[1]","A[0,0]","A[0,1]","A[0,2]","A[1,0]","A[1,1]","A[1,2]"
0,0,0,0.5,NaN,11,12,13,21,22,23
0,1,1,1.5,NaN,11,12,13,21,22,23
1,0,10,10.5,NaN,11,12,13,21,22,23
1,1,11,11.5,NaN,11,12,13,21,22,23
`)
}

func TestExportZarr(t *testing.T) {
	s := create(t, 2, 9, 4)
	for c := range 2 {
		a := appender(t, s, c, 0)
		put(t, s, a, c, 9-c)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(s.Dir(), "posterior", "x"+disk.TempMark+"1"), nil,
		0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "copy.zarr")
	if err := Export(s, "zarr", info, out); err != nil {
		t.Fatal(err)
	}
	if err := Export(s, "zarr", info, out); err == nil {
		t.Error("an existing store was overwritten")
	}
	c, err := Open(out)
	if err != nil {
		t.Fatal(err)
	}
	check(t, c, 8)
	if c.Draws() != 8 || s.Draws() != 9 {
		t.Errorf("the copy has %d draws, the store now %d", c.Draws(), s.Draws())
	}
	for name := range tree(t, out) {
		if disk.IsTemp(name) {
			t.Errorf("%s was copied", name)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	s := small(t, true)
	dir := t.TempDir()
	if err := Export(s, "parquet", info, filepath.Join(dir, "x")); !errors.Is(err, ErrNoParquet) {
		t.Error(err)
	}
	if err := Export(s, "excel", info, filepath.Join(dir, "x")); err == nil ||
		!strings.Contains(err.Error(), "csv, parquet, stan-csv, zarr") {
		t.Error(err)
	}
	for _, format := range []string{"csv", "stan-csv", "zarr"} {
		out := filepath.Join(dir, "missing", "x")
		if err := Export(s, format, info, out); err == nil ||
			!strings.Contains(err.Error(), filepath.Join(dir, "missing")) {
			t.Errorf("%s into a missing directory: %v", format, err)
		}
	}
	if es, _ := os.ReadDir(dir); len(es) != 0 {
		t.Errorf("refused exports left %v", es)
	}
}

func TestElements(t *testing.T) {
	for _, c := range []struct {
		shape []int
		want  string
	}{
		{nil, "w"}, {[]int{0}, ""}, {[]int{2}, "w[0] w[1]"}, {[]int{2, 0}, ""},
		{[]int{2, 1, 2}, "w[0,0,0] w[0,0,1] w[1,0,0] w[1,0,1]"},
	} {
		var names []string
		for i, name := range (Variable{Name: "w", Shape: c.shape}).Elements() {
			if i != len(names) {
				t.Errorf("shape %v: element %d comes as %d", c.shape, len(names), i)
			}
			names = append(names, name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("shape %v: %q, want %q", c.shape, got, c.want)
		}
	}
}

// What a number is written as reads back as itself.
func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", -3: "-3", 0.1: "0.1", 1e-5: "1e-05", 1e6: "1000000", 1e22: "1e+22",
		math.Pi:     "3.141592653589793",
		math.Inf(1): "inf", math.Inf(-1): "-inf", math.MaxFloat64: "1.7976931348623157e+308",
	} {
		if got := string(appendNumber(nil, x, 0)); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
	if got := string(appendNumber(nil, math.Copysign(0, -1), 0)); got != "-0" {
		t.Errorf("−0 is written %q", got)
	}
	if got := string(appendNumber(nil, math.Pi*1e5, 8)); got != "314159.27" {
		t.Errorf("8 digits: %q", got)
	}
}
