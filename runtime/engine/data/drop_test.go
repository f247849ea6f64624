package data

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// gaps is a schema of rows with an index, a vector, a number that may be missing and one
// that may not.
func gaps() *Schema {
	return &Schema{
		Dims: []Dim{{Name: "N", Place: "m.sg:1"}, {Name: "G", Place: "m.sg:1"},
			{Name: "P", Place: "m.sg:1"}},
		Inputs: []Input{
			{Name: "g", Kind: Index, Below: size.Dim("G"), Shape: shape("N"), Default: true,
				Place: "m.sg:2"},
			{Name: "x", Kind: Real, Shape: shape("N", "P"), Default: true, Place: "m.sg:3"},
			{Name: "z", Kind: Real, Optional: true, Unknown: true, Shape: shape("N"), Default: true,
				Place: "m.sg:4"},
			{Name: "y", Kind: Real, Shape: shape("N"), Default: true, Place: "m.sg:5"},
			{Name: "w", Kind: Real, Shape: shape("G"), Default: true, Place: "m.sg:6"},
		},
	}
}

const gapped = "g,x.0,x.1,z,y\na,1,2,,0\nb,,4,5,1\n,1,2,3,2\nc,7,8,9,3\na,7,8,9,NA\n"

// TestDropRows: rows with missing entries are left out of all inputs, before words become
// levels, with their count; what the model describes stays, unless it is named.
func TestDropRows(t *testing.T) {
	for _, c := range []struct {
		na      string
		set     []string
		values  string
		levels  string
		dropped map[string]Dropped
	}{
		{"drop", nil, "[0 1] [1 2 7 8] [NaN 9] [0 3]", "[a c]",
			map[string]Dropped{"N": {3, 5, map[string]int{"x": 1, "g": 1, "y": 1}}}},
		{"drop", []string{"N=5"}, "[0 1] [1 2 7 8] [NaN 9] [0 3]", "[a c]",
			map[string]Dropped{"N": {3, 5, map[string]int{"x": 1, "g": 1, "y": 1}}}},
		{"drop=z, g,x,y", nil, "[0] [7 8] [9] [3]", "[c]",
			map[string]Dropped{"N": {4, 5, map[string]int{"x": 1, "g": 1, "y": 1, "z": 1}}}},
	} {
		t.Chdir(t.TempDir())
		os.WriteFile("d.csv", []byte(gapped), 0o644)
		b, notes, errs := Bind(gaps(), []string{"d.csv"}, c.set, Options{NA: c.na})
		if errs != nil {
			t.Fatal(errs[0])
		}
		got := fmt.Sprint(b.Values["g"].Floats(), b.Values["x"].Floats(), b.Values["z"].Floats(),
			b.Values["y"].Floats())
		if got != c.values || fmt.Sprint(b.Labels["G"]) != c.levels ||
			!reflect.DeepEqual(b.Dropped, c.dropped) {
			t.Errorf("%s: %s, levels %q, dropped %v", c.na, got, b.Labels["G"], b.Dropped)
		}
		said := fmt.Sprintf("--na %s: %d of 5 rows of N are left out, where entries are missing: "+
			"g in 1, x in 1", c.na, c.dropped["N"].Rows)
		if !strings.Contains(strings.Join(notes, "\n"), said) {
			t.Errorf("notes %q", notes)
		}
		if v := b.Values["y"]; v.Origin.Line(1) != 5 && len(v.F64) == 2 {
			t.Errorf("row 1 is of line %d", v.Origin.Line(1))
		}
	}
}

// badDrops are rows that cannot be left out.
var badDrops = []badInput{
	{
		name: "no row is left", schema: gaps(),
		files: map[string]string{"d.csv": "y,g\nNA,a\n,b\n"}, data: []string{"d.csv"}, na: "drop",
		set: []string{"P=1"},
		want: "error[D0168]: --na drop leaves no row of N: each of the 2 has a missing entry (y in 2)\n" +
			"d.csv:2: error[D0131]: y[0] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:5\n  note: declare it real? to model missing entries\n" +
			"d.csv:3: error[D0131]: y[1] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:5\n  note: declare it real? to model missing entries",
	},
	{
		name: "entries that an index counts", schema: gaps(),
		files: map[string]string{"d.json": `{"w": [1, null], "g": [0, 1]}`},
		data:  []string{"d.json"}, na: "drop", set: []string{"P=1"},
		want: "error[D0168]: --na drop cannot leave out entries of G: g is an index of them\n" +
			"d.json: error[D0131]: w[1] is missing (NaN), but real has no missing values\n" +
			"  declared at m.sg:6\n  note: declare it real? to model missing entries",
	},
	{
		name: "a malformed spec", schema: gaps(), files: map[string]string{"d.csv": "y,g\n1,a\n"},
		data: []string{"d.csv"}, na: "omit", set: []string{"P=1"},
		want: "error[D0168]: --na omit: drop, or drop=NAME,NAME,… with inputs of the model, is expected",
	},
	{
		name: "a name that is no input", schema: gaps(),
		files: map[string]string{"d.csv": "y,g\n1,a\n"}, data: []string{"d.csv"}, na: "drop=yy",
		set:  []string{"P=1"},
		want: "error[D0113]: --na drop=yy: yy is not an input of the model\n  note: did you mean y?",
	},
}
