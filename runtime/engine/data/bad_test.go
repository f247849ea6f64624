package data

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// shape makes a declared shape of dim names and numbers.
func shape(parts ...any) []size.Poly {
	var out []size.Poly
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			out = append(out, size.Const(p))
		case string:
			out = append(out, size.Dim(p))
		case size.Poly:
			out = append(out, p)
		}
	}
	return out
}

// regression is the schema that most bad inputs meet.
func regression() *Schema {
	return &Schema{
		Dims: []Dim{{Name: "N", Place: "m.sg:1"}, {Name: "P", Place: "m.sg:1"}},
		Inputs: []Input{
			{Name: "x", Kind: Real, Shape: shape("N", "P"), Place: "m.sg:2"},
			{Name: "y", Kind: Bool, Shape: shape("N"), Place: "m.sg:3"},
			{Name: "scale", Kind: Positive, Default: true, Place: "m.sg:4"},
		},
	}
}

// one is a schema of the input v[N] or v, of a kind.
func one(in Input) *Schema {
	in.Name, in.Place = "v", "m.sg:7"
	return &Schema{Dims: []Dim{{Name: "N", Place: "m.sg:1"}}, Inputs: []Input{in}}
}

// raggedSchema has two inputs with rows of lengths T.
func raggedSchema() *Schema {
	return &Schema{
		Dims: []Dim{{Name: "S", Place: "m.sg:1"}, {Name: "T", Of: "S", Place: "m.sg:1"}},
		Inputs: []Input{
			{Name: "x", Kind: Real, Shape: shape("S", "T", 1), Place: "m.sg:2"},
			{Name: "z", Kind: Positive, Shape: shape("S", "T"), Default: true, Place: "m.sg:3"},
		},
	}
}

// words is the schema of a corpus: its words w, their counts x, the lengths n
// of the documents, or some of them.
func words(some ...string) *Schema {
	s := &Schema{Dims: []Dim{{Name: "D", Place: "m.sg:1"}}}
	for _, in := range []Input{
		{Name: "w", Kind: Index, Below: size.Dim("V"), Shape: shape("D", "W"), Default: true,
			Place: "m.sg:2"},
		{Name: "x", Kind: Count, Bag: true, Own: 1, Shape: shape("D", "V"), Default: true,
			Place: "m.sg:3"},
		{Name: "n", Kind: Count, Shape: shape("D"), Default: true, Place: "m.sg:4"},
	} {
		if len(some) == 0 || slices.Contains(some, in.Name) {
			s.Inputs = append(s.Inputs, in)
		}
	}
	if len(some) == 0 || slices.Contains(some, "w") {
		s.Dims = append(s.Dims, Dim{Name: "W", Of: "D", Place: "m.sg:1"})
	}
	if len(some) != 1 || some[0] != "n" {
		s.Dims = append(s.Dims, Dim{Name: "V", Place: "m.sg:1"})
	}
	return s
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

// npy is a version 1 file with the given dictionary and entries.
func npy(dict string, body []byte) string {
	head := append([]byte("\x93NUMPY\x01\x00"),
		binary.LittleEndian.AppendUint16(nil, uint16(len(dict)))...)
	return string(head) + dict + string(body)
}

const (
	goodX = `{"x": [[1, 2], [3, 4], [5, 6]], "y": [0, 1, 1]}`
	goodY = "y\n0\n1\n1\n"
)

// badInputs is walked by TestBadInputs; every code of the table occurs.
var badInputs = slices.Concat(badTables, badJSON, badValues, badArrays, badCorpora,
	badLevels, badDrops)

// A badInput is files, a command line and the errors, exactly as printed.
type badInput struct {
	name   string
	schema *Schema // nil: regression
	files  map[string]string
	data   []string
	set    []string
	names  []string
	levels []string
	na     string
	labels map[string][]string
	fixed  map[string]int
	want   string
}

func TestBadInputs(t *testing.T) {
	seen := map[string]bool{}
	if len(badInputs) < 40 {
		t.Errorf("only %d bad inputs", len(badInputs))
	}
	for _, c := range badInputs {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range c.files {
				if text == "/" {
					os.Mkdir(name, 0o755)
				} else if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			s := c.schema
			if s == nil {
				s = regression()
			}
			b, _, errs := Bind(s, c.data, c.set,
				Options{Fixed: c.fixed, Names: c.names, Levels: c.levels, Labels: c.labels,
					NA: c.na})
			var out []string
			for _, e := range errs {
				seen[e.Code] = true
				out = append(out, e.Error())
				if x := e.Exit(); x != problem.ExitUsage && x != problem.ExitData &&
					x != problem.ExitFiles {
					t.Errorf("%s has exit status %d", e.Code, x)
				}
			}
			if b != nil {
				t.Error("bound in spite of errors")
			}
			if got := strings.Join(out, "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	// What only a program's own arrays, or a spool, can do wrong.
	// What comes of rows that are read as they are needed, package stream tests.
	// Package parquet tests what is wrong with its files, TestBombs what is too large.
	for _, code := range []string{"D0164", "D0125", "D0140", "D0157", "D0158", "D0159", "D0160",
		"D0161", "D0162"} {
		seen[code] = true
	}
	for _, e := range problem.Codes() {
		if !seen[e.Code] {
			t.Errorf("no bad input makes %s", e.Code)
		}
	}
}

// TestCodes: the table is in order and complete, and knows every code that
// the sources speak of.
func TestCodes(t *testing.T) {
	last := ""
	for _, e := range problem.Codes() {
		if e.Code <= last || e.Title == "" || e.Text == "" || e.Example == "" || e.Exit == 0 {
			t.Errorf("%+v", e)
		}
		last = e.Code
	}
	files, _ := filepath.Glob("*.go")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		for _, code := range regexp.MustCompile(`"D0\d\d\d"`).FindAllString(string(text), -1) {
			if _, known := problem.Explain(strings.Trim(code, `"`)); !known {
				t.Errorf("%s: %s is not explained", f, code)
			}
		}
	}
	if _, known := problem.Explain("D9999"); known {
		t.Error("D9999 is explained")
	}
}

// show writes a value in one line.
func show(v *Value) string {
	if v == nil {
		return "none"
	}
	if m := v.CSR; m != nil {
		return fmt.Sprintf("%v %d×%d %v %v %v", v.Shape, m.Rows, m.Cols, m.Indptr, m.Index, m.Value)
	}
	return fmt.Sprintf("%v %v", v.Shape, v.Floats())
}
