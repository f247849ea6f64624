package trace

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestLabels(t *testing.T) {
	names := map[string][]string{"V": {"a", "é😀", "of the"}, "K": {"first", "second"},
		"N": {"no such axis"}}
	vars := []Variable{
		{Group: "posterior", Name: "phi", Dims: []string{"K", "V"}, Shape: []int{2, 3}},
		{Group: "posterior", Name: "C", Dims: []string{"V", "V"}, Shape: []int{3, 3}},
		// another size
		{Group: "posterior", Name: "w", Dims: []string{"V", "P"}, Shape: []int{4, 2}},
		{Group: "other", Name: "m", Dims: []string{"V"}, Shape: []int{3}, Static: true},
		{Group: "other", Name: "b", Shape: []int{3}, Static: true},
	}
	for i := range vars {
		vars[i].Label(names)
	}
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, vars, 1, 2, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Appender(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Append([][]float64{make([]float64, 6), make([]float64, 9),
			make([]float64, 8)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		group, name string
		want        [][]string
	}{
		{"posterior", "phi", [][]string{names["K"], names["V"]}},
		// the second under a name of its own
		{"posterior", "C", [][]string{names["V"], names["V"]}},
		{"posterior", "w", [][]string{nil, nil}},
		{"other", "m", [][]string{names["V"]}},
		{"other", "b", [][]string{nil}},
	} {
		v, ok := s.Lookup(c.group, c.name)
		if !ok || len(v.Dims) != len(c.want) {
			t.Fatalf("%s/%s: %v", c.group, c.name, v.Dims)
		}
		for i, axis := range v.Dims {
			if got, err := s.Labels(c.group, axis); err != nil || !slices.Equal(got, c.want[i]) {
				t.Errorf("%s/%s, axis %s: %q %v, want %q", c.group, c.name, axis, got, err,
					c.want[i])
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy").Run() == nil {
		// NumPy reads the bytes as what the metadata says
		out, err := exec.Command(python, "-c", `
import sys, json, numpy
m = json.load(open(sys.argv[1] + "/.zarray"))
print(json.dumps(list(numpy.fromfile(sys.argv[1] + "/0", dtype=m["dtype"]))))`,
			filepath.Join(dir, "posterior", "V")).Output()
		var got []string
		if err != nil || json.Unmarshal(out, &got) != nil || !slices.Equal(got, names["V"]) {
			t.Errorf("NumPy reads %s, %v", out, err)
		}
	}
	if err := os.Truncate(filepath.Join(dir, "posterior", "V", "0"), 5); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Labels("posterior", "V"); err == nil {
		t.Error("a coordinate that is cut off is read")
	}
}

// TestLabelsRefused: names that are not as many as entries, and strings where
// numbers belong.
func TestLabelsRefused(t *testing.T) {
	v := Variable{Group: "posterior", Name: "x", Dims: []string{"K"}, Shape: []int{3},
		Labels: [][]string{{"a"}}}
	if _, err := Create(filepath.Join(t.TempDir(), "s"), []Variable{v}, 1, 1, 0, nil); err == nil {
		t.Error("one name for three entries")
	}
	v = Variable{Group: "posterior", Name: "x", DType: text(3)}
	if _, err := Create(filepath.Join(t.TempDir(), "s"), []Variable{v}, 1, 1, 0, nil); err == nil {
		t.Error("an array of strings")
	}
}
