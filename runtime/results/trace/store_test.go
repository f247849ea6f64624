package trace

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// someVars covers every element type, an axis of size one and zero, names
// that clash, and chunks of different lengths.
func someVars() []Variable {
	return []Variable{
		{Group: "posterior", Name: "mu", Doc: "the mean"},
		{Group: "posterior", Name: "w", Dims: []string{"K", ""}, Shape: []int{2, 3}, Chunk: 3},
		{Group: "posterior", Name: "H", Dims: []string{"K", "K"}, Shape: []int{2, 2}, Chunk: 4},
		{Group: "posterior", Name: "none", Dims: []string{"K"}, Shape: []int{0}},
		{Group: "posterior", Name: "K", Shape: []int{1}},
		{Group: "sample_stats", Name: "lp"},
		{Group: "sample_stats", Name: "n_steps", DType: Int64, Chunk: 4},
		{Group: "sample_stats", Name: "diverging", DType: Bool},
	}
}

// value is what the tests write: distinct everywhere, exact in every type.
func value(v, chain, draw, element int) float64 {
	switch v {
	case 6:
		return float64(1000*chain + draw)
	case 7:
		return float64((chain + draw) % 2)
	}
	return float64(v) + 0.25*float64(chain) - 100*float64(draw) + float64(element)/64
}

func put(t *testing.T, s *Store, a *Appender, chain, to int) {
	t.Helper()
	for a.Len() < to {
		var row [][]float64
		for i, v := range s.Variables() {
			if v.Static {
				continue
			}
			x := make([]float64, v.Len())
			for e := range x {
				x[e] = value(i, chain, a.Len(), e)
			}
			row = append(row, x)
		}
		if err := a.Append(row); err != nil {
			t.Fatal(err)
		}
	}
}

func create(t *testing.T, chains, draws, chunk int) *Store {
	t.Helper()
	s, err := Create(filepath.Join(t.TempDir(), "draws.zarr"), someVars(), chains, draws, chunk,
		map[string]any{"inference_library_version": "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func appender(t *testing.T, s *Store, chain, start int) *Appender {
	t.Helper()
	a, err := s.Appender(chain, start)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func check(t *testing.T, s *Store, draws int) {
	t.Helper()
	for i, v := range s.Variables() {
		a, err := s.Read(v.Group, v.Name)
		if err != nil {
			t.Fatal(err)
		}
		if a.Draws != draws || a.Chains != s.Chains() {
			t.Fatalf("%s: %d×%d, want %d×%d", v.Name, a.Chains, a.Draws, s.Chains(), draws)
		}
		for c := range a.Chains {
			for d := range draws {
				for e, x := range a.At(c, d) {
					if x != value(i, c, d, e) {
						t.Fatalf("%s[%d,%d,%d] = %v, want %v", v.Name, c, d, e, x,
							value(i, c, d, e))
					}
				}
			}
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for _, draws := range []int{1, 6, 7, 12, 13} {
		s := create(t, 3, draws, 6)
		// Chains interleave: each has its own files.
		var as []*Appender
		for c := range 3 {
			as = append(as, appender(t, s, c, 0))
		}
		for d := 1; d <= draws; d++ {
			for c, a := range as {
				put(t, s, a, c, d)
			}
		}
		for _, a := range as {
			if err := a.Next(); err == nil {
				t.Error("a draw past the end was taken")
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		check(t, s, draws)
		r, err := Open(s.Dir())
		if err != nil {
			t.Fatal(err)
		}
		check(t, r, draws)
		if r.Draws() != draws || r.Attrs()["inference_library_version"] != "1.2.3" {
			t.Errorf("reopened: %d draws, attributes %v", r.Draws(), r.Attrs())
		}
		for i, v := range r.Variables() {
			if w := s.Variables()[i]; v.Name != w.Name || v.Doc != w.Doc ||
				!slices.Equal(v.Dims, w.Dims) {
				t.Errorf("variable %d reopened as %+v, was %+v", i, v, w)
			}
		}
		part, err := r.ReadElements("posterior", "w", 4, 5)
		if err != nil {
			t.Fatal(err)
		}
		series := [][]float64{make([]float64, draws), make([]float64, draws),
			make([]float64, draws)}
		part.Series(0, series)
		for c := range series {
			for d, x := range series[c] {
				if x != value(1, c, d, 4) {
					t.Fatalf("element 4 of w, chain %d draw %d: %v", c, d, x)
				}
			}
		}
	}
}

func TestAxes(t *testing.T) {
	s := create(t, 1, 1, 0)
	want := map[string][]string{
		"w": {"w_dim_0", "w_dim_1"}, "H": {"H_dim_0", "H_dim_1"}, "none": {"none_dim_0"},
		"K": {"K_dim_0"},
	}
	for name, dims := range want { // K is a variable, so it names no axis
		if v, _ := s.Lookup("posterior", name); !slices.Equal(v.Dims, dims) {
			t.Errorf("%s has axes %v, want %v", name, v.Dims, dims)
		}
	}
	vars := []Variable{
		{Group: "posterior", Name: "a", Dims: []string{"P"}, Shape: []int{3}},
		{Group: "posterior", Name: "b", Dims: []string{"P", "P"}, Shape: []int{3, 3}},
		{Group: "posterior", Name: "c", Dims: []string{"P", "draw"}, Shape: []int{2, 2}},
	}
	if err := s.Add(vars); err != nil {
		t.Fatal(err)
	}
	want = map[string][]string{"a": {"P"}, "b": {"P", "b_dim_1"}, "c": {"c_dim_0", "c_dim_1"}}
	for name, dims := range want {
		if v, _ := s.Lookup("posterior", name); !slices.Equal(v.Dims, dims) {
			t.Errorf("%s has axes %v, want %v", name, v.Dims, dims)
		}
	}
	for _, name := range []string{"draw", "a", "../x", "", ".x"} {
		if err := s.Add([]Variable{{Group: "posterior", Name: name}}); err == nil {
			t.Errorf("a variable was stored under the name %q", name)
		}
	}
}

func TestStatic(t *testing.T) {
	s := create(t, 1, 1, 0)
	err := s.Add([]Variable{
		{Group: "observed_data", Name: "y", Dims: []string{"N"}, Shape: []int{3}, Static: true,
			DType: Int64},
		{Group: "observed_data", Name: "z", Static: true},
	})
	if err == nil {
		err = errors.Join(s.WriteStatic("observed_data", "y", []float64{1, -2, 3}),
			s.WriteStatic("observed_data", "z", []float64{0.5}))
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	y, err := r.Read("observed_data", "y")
	if err != nil || !slices.Equal(y.Data, []float64{1, -2, 3}) {
		t.Errorf("y: %v %v", y, err)
	}
	if z, err := r.Read("observed_data", "z"); err != nil || !slices.Equal(z.Data, []float64{0.5}) {
		t.Errorf("z: %v %v", z, err)
	}
}

// tree is the content of a directory by path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var b []byte
			b, err = os.ReadFile(path)
			rel, _ := filepath.Rel(dir, path)
			files[rel] = string(b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// However a run is interrupted, what it leaves in the end is the same bytes.
func TestResumeSameBytes(t *testing.T) {
	const draws = 23
	whole := create(t, 2, draws, 6)
	for c := range 2 {
		a := appender(t, whole, c, 0)
		put(t, whole, a, c, draws)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := whole.Sync(); err != nil {
		t.Fatal(err)
	}
	want := tree(t, whole.Dir())
	for _, cut := range []struct{ checkpoint, killed int }{{0, 5}, {4, 4}, {6, 6}, {7, 17},
		{12, 13}, {23, 23}} {
		s := create(t, 2, draws, 6)
		a := appender(t, s, 0, 0)
		put(t, s, a, 0, cut.checkpoint)
		if err := a.Sync(); err != nil { // and here the checkpoint is written
			t.Fatal(err)
		}
		put(t, s, a, 0, cut.killed)
		if cut.killed%2 == 0 { // orderly: everything out, the axis cut
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil { // chain 1 has nothing
				t.Fatal(err)
			}
			if s.Draws() != cut.killed {
				t.Errorf("the axis draw is cut to %d, want what chain 0 has: %d", s.Draws(),
					cut.killed)
			}
		}
		s, err := Open(s.Dir())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Resize(draws); err != nil {
			t.Fatal(err)
		}
		for c, start := range []int{cut.checkpoint, 0} {
			a := appender(t, s, c, start)
			put(t, s, a, c, draws)
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(s.Close(), s.Sync()); err != nil {
			t.Fatal(err)
		}
		got := tree(t, s.Dir())
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%+v: %s differs", cut, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%+v: %d files, want %d", cut, len(got), len(want))
		}
	}
}

// A process that dies leaves whole chunks and unfinished temporary files; what
// is counted is what every array has.
func TestKilled(t *testing.T) {
	s := create(t, 2, 20, 6)
	a, b := appender(t, s, 0, 0), appender(t, s, 1, 0)
	put(t, s, a, 0, 9)
	put(t, s, b, 1, 20)
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir(), "posterior", "mu", "0.1"+disk.TempMark+"77"),
		[]byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	// Chunks of mu hold 6 draws, of w 3, of n_steps 4: only 6 are whole.
	if n, _ := r.Written(0); n != 6 {
		t.Errorf("%d draws of chain 0 count, want 6", n)
	}
	check(t, r, 6)
	v, _ := r.Lookup("posterior", "w")
	x := make([]float64, 20*v.Len())
	if err := r.ReadDraws(v, 0, 0, 20, x); err != nil {
		t.Fatal(err)
	}
	if x[8*6] != value(1, 0, 8, 0) || !math.IsNaN(x[9*6]) || !math.IsNaN(x[20*6-1]) {
		t.Errorf("draws 8, 9 and 19 of w read as %v, %v, %v", x[8*6], x[9*6], x[20*6-1])
	}
	if _, err := r.Appender(0, 7); err == nil {
		t.Error("a chain went on from draws that were lost")
	}
	// A chunk that the machine cut short is an error, not numbers.
	if err := os.Truncate(filepath.Join(s.Dir(), "posterior", "mu", "1.2"), 5); err != nil {
		t.Fatal(err)
	}
	v, _ = r.Lookup("posterior", "mu")
	if err := r.ReadDraws(v, 1, 0, 20, make([]float64, 20)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a cut chunk gave %v", err)
	}
}

func TestAppendAllocates(t *testing.T) {
	s, err := Create(filepath.Join(t.TempDir(), "d"),
		[]Variable{{Group: "posterior", Name: "a"},
			{Group: "posterior", Name: "w", Shape: []int{50}}}, 1, 5000, 5000, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := appender(t, s, 0, 0)
	w := make([]float64, 50)
	n := testing.AllocsPerRun(1000, func() {
		a.PutScalar(0, 1)
		a.Put(1, w)
		if err := a.Next(); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}

// A group that is computed from the draws of a finished, and cut, run.
func TestWriteChain(t *testing.T) {
	s := create(t, 2, 20, 6)
	for c := range 2 {
		a := appender(t, s, c, 0)
		put(t, s, a, c, 11)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add([]Variable{{Group: "log_likelihood", Name: "y", Dims: []string{"N"},
		Shape: []int{2}, Chunk: 4}}); err != nil {
		t.Fatal(err)
	}
	last := len(s.Variables()) - 1
	for c := range 2 {
		var x []float64
		for d := range 11 {
			x = append(x, value(last, c, d, 0), value(last, c, d, 1))
		}
		if err := s.WriteChain("log_likelihood", "y", c, x); err != nil {
			t.Fatal(err)
		}
		if err := s.WriteChain("log_likelihood", "y", c, x[1:]); err == nil {
			t.Error("too few values were taken")
		}
	}
	r, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	check(t, r, 11)
}
