package format_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"
	"unicode/utf8"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// fuzz checks that a reader returns fields that are sound, or errors, and
// never panics.
func fuzz(f *testing.F, read func(string, io.Reader) (*format.Table, []*problem.Error)) {
	f.Fuzz(func(t *testing.T, text []byte) {
		table, errs := read("f", bytes.NewReader(text))
		if errs != nil {
			for _, e := range errs {
				if _, known := problem.Explain(e.Code); !known || e.File != "f" {
					t.Fatalf("%+v", e)
				}
			}
			return
		}
		names := append([]string{""}, table.Fields...)
		for _, name := range names {
			checkWords(t, table, name)
			v, errs := table.Field(name)
			if v != nil && v.Lists != nil {
				checkLists(t, v, errs)
				continue
			}
			if v == nil || errs != nil {
				continue
			}
			if n, ok := array.Product(v.Shape); !ok || v.CSR == nil && n != v.Len() {
				t.Fatalf("%s: shape %v of %d entries", name, v.Shape, v.Len())
			}
			if v.CSR != nil && v.CSR.Defect() != "" {
				t.Fatal(v.CSR.Defect())
			}
		}
	})
}

// checkWords: entries that stand for words have one, which is text.
func checkWords(t *testing.T, table *format.Table, name string) {
	v, _ := table.Texts(name)
	if v == nil || v.Words == nil {
		return
	}
	for _, x := range v.F64 {
		if k, is := array.WordOf(x); is && (k >= len(v.Words) || !utf8.ValidString(v.Words[k])) {
			t.Fatalf("%s has word %d of %d", name, k, len(v.Words))
		}
	}
}

// checkLists: lists are sound, reported where no input takes them, and bind
// where all axes but the first are ragged, or are refused.
func checkLists(t *testing.T, v *array.Value, errs []*problem.Error) {
	if text := v.ListsDefect(); text != "" || len(errs) == 0 {
		t.Fatalf("%s, %v", text, errs)
	}
	for _, listed := range []bool{false, true} {
		s := &data.Schema{Dims: []data.Dim{{Name: "S"}},
			Inputs: []data.Input{{Name: "x", Shape: []size.Poly{size.Dim("S")}}}}
		for k := 1; k < len(v.Lists); k++ {
			d := "T" + string(rune('0'+k))
			s.Dims = append(s.Dims, data.Dim{Name: d, Of: "S"})
			s.Inputs[0].Shape = append(s.Inputs[0].Shape, size.Dim(d))
		}
		if listed {
			last := len(s.Dims) - 1
			s.Dims[last].Of, s.Inputs[0].Listed, s.Inputs[0].Kind = "", true, data.Bool
		}
		if total, ok := array.Product(v.Shape); !ok || total > 1<<20 {
			return // padded, it would be large
		}
		b, _, errs := data.Validate(s, map[string]*array.Value{"x": v}, nil, data.Options{})
		if (b == nil) == (errs == nil) {
			t.Fatal("neither data nor an error")
		}
		if b == nil || wide(b) {
			continue
		}
		again, _, errs := data.Validate(s, b.Values, b.Dims, data.Options{})
		if errs != nil || showBound(again) != showBound(b) {
			t.Fatalf("%v: %s is %s when validated again", errs, showBound(b), showBound(again))
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"x": [[1, 2], [3]], "y": "NaN", "z": {"a": [1]}}`, `[1, [2]]`,
		`{"a": [[], [1e5]], "b": [-Inf, true, null]}`, "[[[[[", `{"a\u00e9": 1`,
		`[[[1, 2], []], [[0]], []]`, `[[], [[]], [[], [3]]]`, `[[],[[]]]`} {
		f.Add([]byte(s))
	}
	fuzz(f, format.ReadJSON)
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "x.0,x.1\n1,NA\n", "\"a\",b\n\"1\n2\",3\n",
		"a[0,1],b\n,,\n\"", "x[1],x[9]\n1,2", "\"0\n00", "a\n\"1\n2\"x\n",
		"g;y\nA\xe9;1,5\n;NA\nB;1,2,3\nA\xe9;true\n", "a\tb\nx\ty\nyes\t2024-02-29\n"} {
		f.Add([]byte(s))
	}
	fuzz(f, format.ReadCSV)
}

func FuzzJSONLines(f *testing.F) {
	for _, s := range []string{"{\"a\": 1, \"b\": [1, \"x\"]}\n{\"b\": [2, null]}\n",
		"{\"a\": \"NA\"}\n\n{\"a\": true}", "{}\n{\"a\": {}}\n", "{\"a\": []}",
		"{\"a\": 1, \"a\": 2}"} {
		f.Add([]byte(s))
	}
	fuzz(f, format.ReadJSONLines)
}

func FuzzLibsvm(f *testing.F) {
	for _, s := range []string{"+1 1:1 3:0.5\n", "-1 0:1\n", "1 2:1 1:1", "1 :",
		"1 5:nan # x\n\n2\n"} {
		f.Add([]byte(s))
	}
	fuzz(f, format.ReadLibsvm)
}

func FuzzNpy(f *testing.F) {
	for _, code := range []string{"f8", "i2", "b1"} {
		text, _ := npyOf(code, binary.LittleEndian, true, 1)
		f.Add([]byte(text))
	}
	f.Add([]byte("\x93NUMPY\x02\x00\x10\x00\x00\x00{'shape': (9999"))
	fuzz(f, format.ReadNpy)
}

func FuzzIDX(f *testing.F) {
	for _, s := range []string{"\x00\x00\x08\x02\x00\x00\x00\x01\x00\x00\x00\x03abc",
		"\x00\x00\x0d\x01\x00\x00\x00\x01\x7f\xc0\x00\x00", "\x00\x00\x0e\x01\xff\xff\xff\xff",
		"\x00\x00\x0b\x40"} {
		f.Add([]byte(s))
	}
	fuzz(f, format.ReadIDX)
}

// FuzzNpz reads archives whose members are damaged.
func FuzzNpz(f *testing.F) {
	f.Add([]byte(npzOf(f, "a.npy", "\x93NUMPY\x01\x00\x10\x00{'shape': (9999")))
	text, _ := npyOf("u1", binary.LittleEndian, true, 1)
	f.Add([]byte(npzOf(f, "a.npy", text)))
	fuzz(f, format.ReadNpz)
}

// wide reports whether data are so wide, by an index, that their text would be long.
func wide(b *data.Bound) bool {
	for _, v := range b.Values {
		if n, _ := array.Product(v.Shape); n > 1<<20 {
			return true
		}
	}
	return false
}
