package data

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// raggedOf is a schema of dims S, T(S), U(S), A and inputs.
func raggedOf(inputs ...Input) *Schema {
	for i := range inputs {
		inputs[i].Place = "m.sg:7"
	}
	return &Schema{Dims: []Dim{{Name: "S"}, {Name: "T", Of: "S"}, {Name: "U", Of: "S"},
		{Name: "A"}}, Inputs: inputs}
}

// bindText binds JSON to a schema.
func bindText(t *testing.T, s *Schema, text string, specs ...string) (*Bound, []string, []*Error) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("d.json", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if specs == nil {
		specs = []string{"d.json"}
	}
	// Dims that no input has are of no interest here.
	used := map[string]bool{}
	for _, in := range s.Inputs {
		for _, p := range in.Shape {
			for _, d := range p.Dims() {
				used[d] = true
				if r := s.Dim(d); r != nil {
					used[r.Of] = true
				}
			}
		}
	}
	s.Dims = slices.DeleteFunc(s.Dims, func(d Dim) bool { return !used[d.Name] })
	return Bind(s, specs, nil, Options{})
}

func TestRagged(t *testing.T) {
	real3 := func(parts ...any) Input {
		return Input{Name: "x", Kind: Real, Shape: shape(parts...)}
	}
	for _, c := range []struct {
		name, text string
		inputs     []Input
		want       string // dims, then values by name
	}{
		{"rows", `{"x": [[1, 2], [], [3]]}`, []Input{real3("S", "T")},
			"map[S:3 T:2] T.length=[3] [2 0 1] x=[3 2] [1 2 0 0 3 0]"},
		{"rows of vectors", `{"x": [[[1, 2]], [[3, 4], [5, 6]]]}`, []Input{real3("S", "T", "A")},
			"map[A:2 S:2 T:2] T.length=[2] [1 2] x=[2 2 2] [1 2 0 0 3 4 5 6]"},
		{"matrices into vectors", `{"x": [[[[1, 2], [3, 4]]], []]}`, []Input{real3("S", "T", 4)},
			"map[S:2 T:1] T.length=[2] [1 0] x=[2 1 4] [1 2 3 4 0 0 0 0]"},
		{"rows all alike", `{"x": [[1, 2], [3, 4]]}`, []Input{real3("S", "T")},
			"map[S:2 T:2] T.length=[2] [2 2] x=[2 2] [1 2 3 4]"},
		{"no rows", `{"x": []}`, []Input{real3("S", "T", 3)},
			"map[S:0 T:1] T.length=[0] [] x=[0 1 3] []"},
		{"rows of nothing", `{"x": [[], []]}`, []Input{real3("S", "T", 3)},
			"map[S:2 T:1] T.length=[2] [0 0] x=[2 1 3] [0 0 0 0 0 0]"},
		{"rows within something", `{"x": [[[1], [2, 3]], [[4], [5, 6]]]}`,
			[]Input{real3("A", "S", "T")},
			"map[A:2 S:2 T:2] T.length=[2] [1 2] x=[2 2 2] [1 0 2 3 4 0 5 6]"},
		{"something within rows", `{"x": [[[1], [2]], [[3, 4], [5, 6]]]}`,
			[]Input{real3("S", "A", "T")},
			"map[A:2 S:2 T:2] T.length=[2] [1 2] x=[2 2 2] [1 0 2 0 3 4 5 6]"},
		{"two ragged axes", `{"x": [[[1, 2]], [[3], [4]]]}`, []Input{real3("S", "T", "U")},
			"map[S:2 T:2 U:2] T.length=[2] [1 2] U.length=[2] [2 1] x=[2 2 2] [1 2 0 0 3 0 4 0]"},
		{"two inputs", `{"x": [[1, 2], [3]], "y": [[true, false], [true]]}`,
			[]Input{real3("S", "T"), {Name: "y", Kind: Bool, Shape: shape("S", "T")}},
			"map[S:2 T:2] T.length=[2] [2 1] x=[2 2] [1 2 3 0] y=[2 2] [1 0 1 0]"},
		{"a type that 0 is not of", `{"x": [[2, 2], [1]]}`,
			[]Input{{Name: "x", Kind: Index, Below: size.Dim("A"), From: 1, Shape: shape("S", "T")},
				{Name: "y", Default: true, Shape: shape("A")}},
			"map[A:2 S:2 T:2] T.length=[2] [2 1] x=[2 2] [1 1 0 0]"},
		{"simplexes", `{"x": [[[0.5, 0.5]], [[1, 0], [0.25, 0.75]]]}`,
			[]Input{{Name: "x", Kind: Simplex, Own: 1, Shape: shape("S", "T", 2)}},
			"map[S:2 T:2] T.length=[2] [1 2] x=[2 2 2] [0.5 0.5 0 0 1 0 0.25 0.75]"},
		{"sparse", `{"x": [[[0, 7, 0]], [[0, 0, 0], [1, 0, 2]]]}`,
			[]Input{{Name: "x", Sparse: true, Shape: shape("S", "T", 3)}},
			"map[S:2 T:2] T.length=[2] [1 2] x=[2 2 3] 4×3 [0 1 1 1 3] [1 0 2] [7 1 2]"},
		{"padded beside lengths", `{"T": [1, 2], "x": [[1, -9, -9], [2, 3, -9]]}`,
			[]Input{{Name: "x", Kind: Positive, Shape: shape("S", "T")}},
			"map[S:2 T:3] T.length=[2] [1 2] x=[2 3] [1 0 0 2 3 0]"},
		{"lists beside lengths", `{"T": [1, 2], "x": [[1], [2, 3]]}`, []Input{real3("S", "T")},
			"map[S:2 T:2] T.length=[2] [1 2] x=[2 2] [1 0 2 3]"},
		{"lengths alone", `{"T": [1, 2], "x": 5}`,
			[]Input{{Name: "x"}, {Name: "y", Default: true, Shape: shape("S", "T")}},
			"map[S:2 T:2] T.length=[2] [1 2] x=[] [5]"},
		{"indices", `{"x": [[22, 21], [], [24]]}`,
			[]Input{{Name: "x", Kind: Bool, Listed: true, From: 21, Shape: shape("S", 4)}},
			"map[S:3] x=[3 4] [1 1 0 0 0 0 0 0 0 0 0 1]"},
		{"as many indices in every row", `{"x": [[0, 1], [2, 1]]}`,
			[]Input{{Name: "x", Kind: Bool, Listed: true, Shape: shape("S", 3)}},
			"map[S:2] x=[2 3] [1 1 0 0 1 1]"},
		{"indices of one row", `{"x": [0, 2]}`,
			[]Input{{Name: "x", Kind: Bool, Listed: true, Shape: shape(3)}}, "map[] x=[3] [1 0 1]"},
		{"no indices", `{"x": [[], []]}`,
			[]Input{{Name: "x", Kind: Bool, Listed: true, Shape: shape("S", 2)}},
			"map[S:2] x=[2 2] [0 0 0 0]"},
		{"the number of indices inferred", `{"x": [[1, 3], [2]]}`,
			[]Input{{Name: "x", Kind: Bool, Listed: true, From: 1, Shape: shape("S", "A")}},
			"map[A:3 S:2] x=[2 3] [1 0 1 0 1 0]"},
		{"indices in rows of rows", `{"x": [[[1], []], [[0, 1]]]}`,
			[]Input{{Name: "x", Kind: Bool, Listed: true, Shape: shape("S", "T", 2)}},
			"map[S:2 T:2] T.length=[2] [2 1] x=[2 2 2] [0 1 0 0 1 1 0 0]"},
		{"silence", `{"x": [[[], []], [[]]]}`,
			[]Input{{Name: "x", Kind: Bool, Listed: true, Shape: shape("S", "T", 2)}},
			"map[S:2 T:2] T.length=[2] [2 1] x=[2 2 2] [0 0 0 0 0 0 0 0]"},
		{"rows without indices", `{"x": [[], []]}`,
			[]Input{{Name: "x", Kind: Bool, Listed: true, Shape: shape("S", "T", 2)}},
			"map[S:2 T:1] T.length=[2] [0 0] x=[2 1 2] [0 0 0 0]"},
		{"sparse indices", `{"x": [[[1], []], [[2, 0]]]}`,
			[]Input{{Name: "x", Kind: Bool, Listed: true, Sparse: true, Shape: shape("S", "T", 3)}},
			"map[S:2 T:2] T.length=[2] [2 1] x=[2 2 3] 4×3 [0 1 1 3 3] [1 0 2] []"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := raggedOf(c.inputs...)
			b, _, errs := bindText(t, s, c.text)
			for _, e := range errs {
				t.Fatal(e)
			}
			if got := showBound(b); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			again, notes := accept(t, s, b.Values, b.Dims, Options{})
			if showBound(again) != c.want || notes != nil {
				t.Errorf("validated again\n%s %q", showBound(again), notes)
			}
			for i := range s.Inputs {
				in := &s.Inputs[i]
				there, v := b.There(s, in), b.Values[in.Name]
				for k := range there {
					if v == nil || v.CSR != nil {
						break
					}
					if !there[k] && v.Floats()[k] != 0 {
						t.Errorf("entry %d of %s is padding, and %v", k, in.Name, v.Floats()[k])
					}
				}
				if c.name == "rows" && fmt.Sprint(there) != "[true true false false true false]" {
					t.Errorf("there: %v", there)
				}
			}
			// What files have of it binds to the same.
			given := map[string]*Value{}
			for i := range s.Inputs {
				if v := b.AsGiven(s, &s.Inputs[i]); v != nil {
					given[s.Inputs[i].Name] = v
				}
			}
			plain := map[string]int{}
			for _, d := range s.Dims {
				if d.Of == "" {
					plain[d.Name] = b.Dims[d.Name]
				}
			}
			if again, _, errs = Validate(s, given, plain, Options{}); !strings.Contains(c.text,
				`"T"`) && (errs != nil || showBound(again) != c.want) {
				t.Errorf("as given %v", errs)
			}
			for name, v := range b.Values {
				if in := s.Input(name); in != nil && in.Listed && !in.Sparse && v.Bytes == nil &&
					(v.Packed == nil || v.Packed.Bytes == nil && v.Packed.Stored() > 0) {
					t.Errorf("%s takes eight bytes an entry", name)
				}
			}
		})
	}
}

func showBound(b *Bound) string {
	parts := []string{fmt.Sprint(b.Dims)}
	for _, name := range slices.Sorted(maps.Keys(b.Values)) {
		v := *b.Values[name]
		if v.CSR == nil {
			v.F64, v.Bytes = v.Floats(), nil
		}
		parts = append(parts, name+"="+show(&v))
	}
	return strings.Join(parts, " ")
}

// TestLengthsFile: lengths may come from their own file.
func TestLengthsFile(t *testing.T) {
	s := raggedOf(Input{Name: "x", Shape: shape("S", "T")})
	b, _, errs := bindText(t, s, `{"rows": [2, 1], "values": [[1, 2], [3, 0]]}`, "T=d.json:rows",
		"x=d.json:values")
	if errs != nil {
		t.Fatal(errs[0])
	}
	if got, want := showBound(b), "map[S:2 T:2] T.length=[2] [2 1] x=[2 2] [1 2 3 0]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRaggedRandom: lists in lists, written as JSON and read, are what a plain
// loop makes of them, as numbers and as indices, from the program as well.
func TestRaggedRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 21))
	for range 200 {
		s, width := r.IntN(4), 1+r.IntN(4)
		top, lengths := 1, make([]float64, s)
		var flat []float64
		levels := [][]int{{s}, {}, {}}
		rows := make([][][]int, s)
		for i := range rows {
			n := r.IntN(4)
			lengths[i], top = float64(n), max(top, n)
			rows[i] = make([][]int, n)
			levels[1] = append(levels[1], n)
			for j := range rows[i] {
				rows[i][j] = []int{}
				for k := range width {
					if r.IntN(3) == 0 {
						rows[i][j] = append(rows[i][j], k+7)
						flat = append(flat, float64(k+7))
					}
				}
				r.Shuffle(len(rows[i][j]),
					func(a, b int) { rows[i][j][a], rows[i][j][b] = rows[i][j][b], rows[i][j][a] })
				copy(flat[len(flat)-len(rows[i][j]):], floats(rows[i][j]))
				levels[2] = append(levels[2], len(rows[i][j]))
			}
		}
		want := make([]float64, s*top*width)
		for i := range rows {
			for j := range rows[i] {
				for _, k := range rows[i][j] {
					want[(i*top+j)*width+k-7] = 1
				}
			}
		}
		text, _ := json.Marshal(map[string]any{"x": rows})
		schema := raggedOf(Input{Name: "x", Kind: Bool, Listed: true, From: 7,
			Shape: shape("S", "T", width)})
		b, _, errs := bindText(t, schema, string(text))
		if errs != nil {
			t.Fatalf("%s: %v", text, errs[0])
		}
		if x := b.Values["x"]; !slices.Equal(x.Floats(), want) ||
			!reflect.DeepEqual(x.Shape, []int{s, top, width}) ||
			!slices.Equal(b.Values["T.length"].Floats(), lengths) {
			t.Fatalf("%s: %s", text, showBound(b))
		}
		own, _ := accept(t, schema, map[string]*Value{"x": Ragged(flat, levels)}, nil, Options{})
		if showBound(own) != showBound(b) {
			t.Fatalf("%s: from the program %s", text, showBound(own))
		}
	}
}

func floats(v []int) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// TestUnsoundLists: a program's own lists cannot lead out of bounds.
func TestUnsoundLists(t *testing.T) {
	for _, c := range []struct {
		v    *Value
		want string
	}{
		{Ragged([]float64{1}, [][]int{{1}, {1}, {2}}), "x has 1 entries, where its lists hold 2"},
		{Ragged([]float64{1}, [][]int{{2}, {1}}),
			"x has 1 lists 1 deep, where the lists around them hold 2"},
		{Ragged([]float64{1}, [][]int{{2}, {2, -1}}), "x has a list of -1 entries"},
		{&Value{F64: []float64{1}, Lists: [][]int{{1}}},
			"x has lists beside other storage, or as many as no axes"},
	} {
		for _, in := range []Input{{Name: "x", Shape: shape("S", "T")},
			{Name: "x", Shape: shape("S", 1)},
			{Name: "x", Kind: Bool, Listed: true, Shape: shape("S", 3)}} {
			_, _, errs := Validate(raggedOf(in), map[string]*Value{"x": c.v}, nil, Options{})
			if len(errs) == 0 || errs[0].Code != "D0125" || errs[0].Message != c.want {
				t.Errorf("%s: %v", in.Type(), errs)
			}
		}
	}
	_, _, errs := Validate(raggedOf(Input{Name: "x", Shape: shape("S", "A")}),
		map[string]*Value{"x": Ragged([]float64{1, 2, 3}, [][]int{{2}, {2, 1}})}, nil, Options{})
	if len(errs) == 0 || errs[0].Code != "D0107" ||
		errs[0].Message != "the lists of x differ in length, but real[S, A] is declared" {
		t.Errorf("%v", errs)
	}
	_, _, errs = Validate(raggedOf(Input{Name: "x", Sparse: true, Shape: shape("S", "T")}),
		map[string]*Value{"x": Ragged([]float64{1, 2, 3}, [][]int{{2}, {2, 1}})}, nil, Options{})
	if len(errs) == 0 || errs[0].Code != "D0128" {
		t.Errorf("%v", errs)
	}
}

// TestMusic binds the chorales to the declaration of a recurrent model.
func TestMusic(t *testing.T) {
	path := shared(t, "data", "music", "JSB_Chorales.json.gz")
	s := raggedOf(Input{Name: "x", Kind: Bool, Listed: true, From: 21, Shape: shape("S", "T", 88)})
	s.Dims = s.Dims[:2]
	for _, c := range []struct {
		field       string
		rows, steps int
	}{{"train", 229, 129}, {"valid", 76, 144}, {"test", 77, 160}} {
		b, _, errs := Bind(s, []string{"x=" + path + ":" + c.field}, nil, Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		x := b.Values["x"]
		if b.Dims["S"] != c.rows || b.Dims["T"] != c.steps || x.Len() != c.rows*c.steps*88 ||
			x.Packed == nil || x.Packed.Bytes == nil || len(x.Packed.Bytes.Code) >= x.Len() {
			t.Fatalf("%s: %v, %+v", c.field, b.Dims, x.Packed)
		}
		if c.field == "train" { // 60, 72, 79 and 88 come first
			for k, on := range x.Packed.Bytes.Code[:88] {
				if (on == 1) != slices.Contains([]int{60, 72, 79, 88}, k+21) {
					t.Errorf("note %d is %d", k+21, on)
				}
			}
		}
	}
}
