package data

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// TestSeveralColumns: an input of rows is several columns of a table, by names, ranges in
// the order of the file and patterns.
func TestSeveralColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "id,x1,w.0,w.1,age,x[a,town\n1,2,3,4,,6,Ada\n7,8,9,10,11,12,Bonn\n"
	if err := os.WriteFile("t.csv", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	n, p := size.Dim("N"), size.Dim("P")
	s := &Schema{
		Dims: []Dim{{Name: "N"}, {Name: "P"}, {Name: "G"}},
		Inputs: []Input{
			{Name: "x", Kind: Real, Shape: []size.Poly{n, p}, Optional: true, Unknown: true},
			{Name: "g", Kind: Index, Shape: []size.Poly{n, p}, Below: size.Dim("G")},
			{Name: "y", Kind: Real, Shape: []size.Poly{n}},
		},
	}
	for spec, want := range map[string]string{
		"x=t.csv:id,age":   "[2 2] [1 NaN 7 11]",
		"x=t.csv:age, id":  "[2 2] [NaN 1 11 7]",
		"x=t.csv:x1..age":  "[2 4] [2 3 4 NaN 8 9 10 11]",
		"x=t.csv:x*":       "[2 2] [2 6 8 12]",
		"x=t.csv:w*,x[*":   "[2 3] [3 4 6 9 10 12]",
		"x=t.csv:w.1,id":   "[2 2] [4 1 10 7]",
		"y=t.csv:i*":       "[2] [1 7]",
		"x=t.csv:id,x1,id": "D0111 id is named twice in id,x1,id",
		"x=t.csv:age..x1":  "D0111 column x1 stands before age in the file: write x1..age",
		"x=t.csv:x1..z":    "D0111 there is no column z, as x1..z has",
		"x=t.csv:z*":       "D0111 no column is called as z*",
		"x=t.csv:id,,x1":   "D0111 a column has no name in id,,x1",
		"x=t.csv:id,w.2":   "D0111 there is no column w.2, of id,w.2",
		"x=t.csv:id,town":  `D0106 "Ada" is no number (column town)`,
	} {
		name, _, _ := strings.Cut(spec, "=")
		dims := []string{"G=2"}
		if name == "y" {
			dims = append(dims, "P=1")
		}
		var rest []string
		for i := range s.Inputs {
			if other := s.Inputs[i].Name; other != name {
				rest = append(rest, other)
			}
		}
		bound, _, errs := Bind(s, []string{spec}, dims, Options{Absent: rest})
		var got string
		switch {
		case len(errs) > 0:
			got = errs[0].Code + " " + errs[0].Message
		default:
			v := bound.Values[name]
			got = fmt.Sprint(v.Shape, " ", v.Floats())
		}
		if got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
	// Words of several columns are levels together.
	if err := os.WriteFile("m.csv", []byte("home,away\nAda,Bonn\nBonn,Cork\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	bound, _, errs := Bind(s, []string{"g=m.csv:home,away"}, nil,
		Options{Absent: []string{"x", "y"}})
	if len(errs) > 0 || fmt.Sprint(bound.Values["g"].Floats(), bound.Labels["G"]) !=
		"[0 1 1 2] [Ada Bonn Cork]" {
		t.Errorf("%v, %v", bound, errs)
	}
}

// TestColumnLabels: columns that are the entries of a dim name them, unless the dim has other
// names, or two inputs take other columns; other columns than those of a run are noted.
func TestColumnLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "age,income,score,v.0,v.1\n1,2,3,4,5\n6,7,8,9,10\n"
	for name, text := range map[string]string{"t.csv": text, "p.txt": "one\ntwo\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	n, p := size.Dim("N"), size.Dim("P")
	s := &Schema{
		Dims: []Dim{{Name: "N"}, {Name: "P"}},
		Inputs: []Input{{Name: "x", Kind: Real, Shape: []size.Poly{n, p}},
			{Name: "z", Kind: Real, Shape: []size.Poly{n, p}, Optional: true}},
	}
	run := map[string][]string{"P": {"age", "income"}}
	for _, c := range []struct {
		specs, names []string
		labels       map[string][]string
		want, note   string
	}{
		{[]string{"x=t.csv:age,income"}, nil, nil, "[age income]", ""},
		{[]string{"x=t.csv:age..score"}, nil, nil, "[age income score]", ""},
		{[]string{"x=t.csv:v"}, nil, nil, "[]", ""},
		{[]string{"x=t.csv:v*"}, nil, nil, "[]", ""},
		{[]string{"x=t.csv:age,income"}, []string{"P=p.txt"}, nil, "[one two]", ""},
		{[]string{"x=t.csv:age,score", "z=t.csv:age,score"}, nil, nil, "[age score]", ""},
		{[]string{"x=t.csv:age,score", "z=t.csv:age,income"}, nil, nil, "[]",
			"the entries of P have no names, as x and z take other columns; --names P=FILE names them"},
		{[]string{"x=t.csv:age,income"}, nil, run, "[age income]", ""},
		{[]string{"x=t.csv:income,age"}, nil, run, "[age income]",
			"x takes the columns income, age, and the run had age, income in their places"},
	} {
		bound, notes, errs := Bind(s, c.specs, nil, Options{Absent: []string{"z"}, Names: c.names,
			Labels: c.labels})
		if errs != nil {
			t.Errorf("%v: %v", c.specs, errs)
			continue
		}
		if got := fmt.Sprint(bound.Labels["P"]); got != c.want {
			t.Errorf("%v: names %s, expected %s", c.specs, got, c.want)
		}
		if got := strings.Join(notes, "; "); got != c.note {
			t.Errorf("%v: notes %q, expected %q", c.specs, got, c.note)
		}
	}
}
