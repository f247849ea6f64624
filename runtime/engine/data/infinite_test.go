package data

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// note is what an infinite entry is told with.
const infiniteNote = "  note: leave the row out, write a finite number, or, where a modelled " +
	"value is missing, NA with real?; only ends, as of truncated(…), and what is compared may be " +
	"infinite"

// TestInfinite: infinite entries are refused in every format, with their places,
// five of them spelled out; where they are of use they are taken.
func TestInfinite(t *testing.T) {
	var floats []byte
	for _, x := range []float64{1, math.Inf(1), 2, math.Inf(-1)} {
		floats = binary.LittleEndian.AppendUint64(floats, math.Float64bits(x))
	}
	decl := "\n  declared at m.sg:7"
	vector, matrix := one(Input{Kind: Real, Shape: shape("N")}),
		one(Input{Kind: Real, Shape: shape("N", "P")})
	for _, c := range []struct {
		name   string
		schema *Schema
		text   string
		spec   string
		want   string
	}{
		{"d.csv", vector, "v\n1\ninf\n2\n-Infinity\n", "d.csv",
			"d.csv:3: error[D0135]: v[1] is Inf, and real holds finite numbers" + decl + "\n" +
				infiniteNote +
				"\nd.csv:5: error[D0135]: v[3] is -Inf, and real holds finite numbers" + decl},
		{"m.csv", matrix, "v.0,v.1\n1,2\n3,inf\n", "m.csv",
			"m.csv:3: error[D0135]: v[1,1] is Inf, and real holds finite numbers" + decl + "\n" +
				infiniteNote},
		{"d.json", vector, `{"v": [1, "Inf", 2, 3]}`, "d.json",
			"d.json: error[D0135]: v[1] is Inf, and real holds finite numbers" + decl + "\n" +
				infiniteNote},
		{"d.npy", vector, npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", floats),
			"v=d.npy",
			"d.npy: error[D0135]: v[1] is Inf, and real holds finite numbers" + decl + "\n" +
				infiniteNote +
				"\nd.npy: error[D0135]: v[3] is -Inf, and real holds finite numbers" + decl},
		{"d.svm", matrix, "0 1:3 2:1\n1 2:inf\n", "v=d.svm",
			"d.svm:2: error[D0135]: v[1,1] is Inf, and real holds finite numbers (field features)" +
				decl + "\n" + infiniteNote},
		{"d.txt", vector, "1\ninf\n", "v=d.txt",
			"d.txt:2: error[D0135]: v[1] is Inf, and real holds finite numbers" + decl + "\n" +
				infiniteNote},
		{"many.csv", vector, "v\n" + strings.Repeat("inf\n", 8), "many.csv", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile(c.name, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			_, _, errs := Bind(c.schema, []string{c.spec}, nil, Options{})
			if c.want == "" {
				if len(errs) != problem.PerInput || len(errs[problem.PerInput-1].Notes) != 1 ||
					errs[problem.PerInput-1].Notes[0] != "3 more entries of v are not in its type" {
					t.Errorf("%v", errs)
				}
			} else {
				var out []string
				for _, e := range errs {
					out = append(out, e.Error())
				}
				if got := strings.Join(out, "\n"); got != c.want {
					t.Errorf("got\n%s\nwant\n%s", got, c.want)
				}
			}
			ends := *c.schema
			ends.Inputs = append([]Input(nil), ends.Inputs...)
			ends.Inputs[0].Infinite = true
			if _, _, errs := Bind(&ends, []string{c.spec}, nil, Options{}); errs != nil {
				t.Errorf("as ends: %v", errs)
			}
		})
	}
	ragged := Ragged([]float64{1, math.Inf(1), 2}, [][]int{{2}, {2, 1}})
	s := &Schema{Dims: []Dim{{Name: "S"}, {Name: "T", Of: "S"}},
		Inputs: []Input{{Name: "v", Kind: Real, Shape: shape("S", "T")}}}
	if _, _, errs := Validate(s, map[string]*Value{"v": ragged}, nil, Options{}); len(errs) != 1 ||
		errs[0].Message != "v[0,1] is Inf, and real holds finite numbers" {
		t.Errorf("ragged: %v", errs)
	}
}
