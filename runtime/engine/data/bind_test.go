package data

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/math/size"
)

func TestBind(t *testing.T) {
	full := Input{Name: "x", Kind: Real, Shape: shape("N", "P")}
	for _, c := range []struct {
		name   string
		files  map[string]string
		data   []string
		set    []string
		inputs []Input
		want   string
		notes  string
	}{
		{"whole json with a size and extras",
			map[string]string{"d.json": `{"N": 2, "x": [[1], [2]], "why": 3}`}, []string{"d.json"},
			nil, []Input{full},
			"N=2 P=1 x=[2 1] [1 2]", "d.json: not used, as the model has no such inputs: why"},
		{"whole csv; a column called as a dim is an extra",
			map[string]string{"d.csv": "N,x.0,x.1\n7,1,2\n"}, []string{"d.csv"}, nil, []Input{full},
			"N=1 P=2 x=[1 2] [1 2]", "d.csv: not used, as the model has no such inputs: N"},
		{"bad cells of an unused column", map[string]string{"d.csv": "name,x.0\nann,1\n"},
			[]string{"d.csv"}, nil, []Input{full},
			"N=1 P=1 x=[1 1] [1]", "d.csv: not used, as the model has no such inputs: name"},
		{"own name without a field", map[string]string{"d.json": `{"x": [[1]], "y": 3}`},
			[]string{"x=d.json"}, nil, []Input{full}, "N=1 P=1 x=[1 1] [1]", ""},
		{"all columns of a csv", map[string]string{"d.csv": "a,b\n1,2\n3,4\n"}, []string{"x=d.csv"},
			nil, []Input{full}, "N=2 P=2 x=[2 2] [1 2 3 4]",
			"x is the matrix of all 2 columns of d.csv"},
		{"a single column of a vector", map[string]string{"d.csv": "a.0,a.1\n1,2\n3,4\n"},
			[]string{"x=d.csv:a.1"}, []string{"P=1"}, []Input{{Name: "x", Shape: shape("N")}},
			"N=2 P=1 x=[2] [2 4]", ""},
		{"one column of any name", map[string]string{"d.csv": "a\n1\n3\n"}, []string{"x=d.csv"},
			[]string{"P=1"}, []Input{{Name: "x", Shape: shape("N")}}, "N=2 P=1 x=[2] [1 3]", ""},
		{"libsvm features are a matrix's field", map[string]string{"d.svm": "1 2:1\n"},
			[]string{"x=d.svm"}, []string{"P=3"}, []Input{full}, "N=1 P=3 x=[1 3] [0 1 0]", ""},
		{"scalars by --set", nil, nil, []string{"N=2", "P=3", "x=1e3", "b=true"},
			[]Input{{Name: "x", Kind: Positive}, {Name: "b", Kind: Bool}},
			"N=2 P=3 b=[] [1] x=[] [1000]", ""},
		{"paths with colons and equals signs",
			map[string]string{"a=b:c.json": `{"x": [[1]]}`, "p:q.csv": "x,z\n1,5\n"},
			[]string{"a=b:c.json", "z=p:q.csv:z"}, nil,
			[]Input{full, {Name: "z", Shape: shape("N")}}, "N=1 P=1 x=[1 1] [1] z=[1] [5]", ""},
		{"one file, two fields", map[string]string{"d.json": `{"p": [[4]], "q": [5]}`},
			[]string{"x=d.json:p", "z=d.json:q"}, nil,
			[]Input{full, {Name: "z", Shape: shape("N")}}, "N=1 P=1 x=[1 1] [4] z=[1] [5]", ""},
		{"inferred K", map[string]string{"d.json": `{"x": [[1]], "z": [2]}`},
			[]string{"d.json"}, nil,
			[]Input{full, {Name: "z", Kind: Index, Below: size.Dim("K"), Shape: shape("N")}},
			"K=3 N=1 P=1 x=[1 1] [1] z=[1] [2]",
			"K = 3, from the largest index of z; --set K=… says otherwise\n" +
				ZerolessNote("K", "z", 3)},
		{"inferred K of indices with a 0",
			map[string]string{"d.json": `{"x": [[1], [1]], "z": [2, 0]}`}, []string{"d.json"}, nil,
			[]Input{full, {Name: "z", Kind: Index, Below: size.Dim("K"), Shape: shape("N")}},
			"K=3 N=2 P=1 x=[2 1] [1 1] z=[2] [2 0]",
			"K = 3, from the largest index of z; --set K=… says otherwise"},
		{"inferred K of indices from 1", map[string]string{"d.json": `{"x": [[1]], "z": [2]}`},
			[]string{"d.json"}, nil,
			[]Input{full, {Name: "z", Kind: Index, Below: size.Dim("K"), From: 1,
				Shape: shape("N")}}, "K=2 N=1 P=1 x=[1 1] [1] z=[1] [1]",
			"K = 2, from the largest index of z; --set K=… says otherwise"},
		{"K that is given needs no 0",
			map[string]string{"d.json": `{"x": [[1]], "z": [2], "K": 3}`}, []string{"d.json"}, nil,
			[]Input{full, {Name: "z", Kind: Index, Below: size.Dim("K"), Shape: shape("N")}},
			"K=3 N=1 P=1 x=[1 1] [1] z=[1] [2]", ""},
		{"inferred K of two inputs without a 0",
			map[string]string{"d.json": `{"z": [2, 1], "w": [1, 4], "P": 0}`},
			[]string{"d.json"}, nil,
			[]Input{{Name: "z", Kind: Index, Below: size.Dim("K"), Shape: shape("N")},
				{Name: "w", Kind: Index, Below: size.Dim("K"), Shape: shape("N")}},
			"K=5 N=2 P=0 w=[2] [1 4] z=[2] [2 1]",
			"K = 5, from the largest index of w; --set K=… says otherwise\n" +
				ZerolessNote("K", "z and w", 5)},
		{"inferred K of two inputs, one with a 0",
			map[string]string{"d.json": `{"z": [0, 1], "w": [1, 4], "P": 0}`},
			[]string{"d.json"}, nil,
			[]Input{{Name: "z", Kind: Index, Below: size.Dim("K"), Shape: shape("N")},
				{Name: "w", Kind: Index, Below: size.Dim("K"), Shape: shape("N")}},
			"K=5 N=2 P=0 w=[2] [1 4] z=[2] [0 1]",
			"K = 5, from the largest index of w; --set K=… says otherwise"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range c.files {
				os.WriteFile(name, []byte(text), 0o644)
			}
			s := &Schema{Dims: []Dim{{Name: "N"}, {Name: "P"}}, Inputs: c.inputs}
			if strings.Contains(c.want, "K=") {
				s.Dims = append(s.Dims, Dim{Name: "K"})
			}
			b, notes, errs := Bind(s, c.data, c.set, Options{})
			if errs != nil {
				t.Fatal(errs[0])
			}
			var out []string
			for _, d := range slices.Sorted(maps.Keys(b.Dims)) {
				out = append(out, fmt.Sprintf("%s=%d", d, b.Dims[d]))
			}
			for _, v := range slices.Sorted(maps.Keys(b.Values)) {
				out = append(out, v+"="+show(b.Values[v]))
			}
			if got := strings.Join(out, " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if got := strings.Join(notes, "\n"); got != c.notes {
				t.Errorf("notes %q, want %q", got, c.notes)
			}
			if len(b.Files) != len(c.files) {
				t.Errorf("%d fingerprints of %d files", len(b.Files), len(c.files))
			}
		})
	}
}

// TestFingerprint is of the stored bytes: sha256 of "a\n1\n".
func TestFingerprint(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("a.csv", []byte("a\n1\n"), 0o644)
	table, errs := format.ReadFile("a.csv")
	if errs != nil {
		t.Fatal(errs[0])
	}
	want := format.Fingerprint{Name: "a.csv", Bytes: 4,
		SHA256: "309b0e45a73d3fc5325e2b6ed0a01ef8b9cde6b05a5633c1f893f970d52bfddc"}
	if table.Print != want {
		t.Errorf("got %v", table.Print)
	}
}

func TestFieldOf(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"d.csv", "d:e.csv", "a"} {
		os.WriteFile(name, []byte("a\n1\n"), 0o644)
	}
	for _, c := range []struct{ text, path, field string }{
		{"d.csv", "d.csv", ""}, {"d.csv:a", "d.csv", "a"}, {"d:e.csv", "d:e.csv", ""},
		{"d:e.csv:a", "d:e.csv", "a"},
		{"d.csv:a:b", "d.csv", "a:b"}, {"d.csv:", "d.csv", ""}, {"a:x", "a", "x"},
		{"none.csv:a", "none.csv", "a"}, {`C:\data\x.csv`, `C:\data\x.csv`, ""},
		{"C:/data/x.csv", "C:/data/x.csv", ""}, {`C:\x.csv:a`, `C:\x.csv`, "a"},
		{"dir:1/x.csv", "dir:1/x.csv", ""},
	} {
		if path, field := fieldOf(c.text); path != c.path || field != c.field {
			t.Errorf("%s: %q %q, want %q %q", c.text, path, field, c.path, c.field)
		}
	}
}

// TestNumberedColumns: what the note about columns x0, x1, … says to do binds them.
func TestNumberedColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	schema := &Schema{Dims: []Dim{{Name: "N"}, {Name: "P"}},
		Inputs: []Input{{Name: "x", Kind: Real, Shape: []size.Poly{size.Dim("N"), size.Dim("P")}}}}
	for head, list := range map[string]string{"x0,x1,x2": "x0..x2", "x_1,x_2,x_3": "x_1..x_3",
		"x2,x0,x1": "x0,x1,x2"} {
		write("other.csv", "y,"+head+"\n0,1,2,3\n0,4,5,6\n")
		_, _, errs := Bind(schema, []string{"other.csv"}, nil, Options{})
		notes := ""
		if len(errs) > 0 {
			notes = strings.Join(errs[0].Notes, "\n")
		}
		if !strings.Contains(notes, "--data x=other.csv:"+list+"\n") ||
			strings.Contains(notes, "if that is it") {
			t.Errorf("%s: %s", head, notes)
		}
		dots := strings.NewReplacer("x_", "x.", "x", "x.").Replace(head)
		write("dots.csv", "y,"+dots+"\n0,1,2,3\n0,4,5,6\n")
		want := []float64{1, 2, 3, 4, 5, 6}
		if head == "x2,x0,x1" {
			want = []float64{2, 3, 1, 5, 6, 4}
		}
		for _, spec := range []string{"dots.csv", "x=other.csv:" + list} {
			b, _, errs := Bind(schema, []string{spec}, nil, Options{})
			if len(errs) > 0 || !slices.Equal(b.Values["x"].Shape, []int{2, 3}) ||
				!slices.Equal(b.Values["x"].Floats(), want) {
				t.Errorf("%s with %s: %v", spec, head, errs)
			}
		}
	}
}
