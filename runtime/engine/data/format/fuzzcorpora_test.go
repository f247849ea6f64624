package format_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// small refuses corpora whose tokens would fill the memory of a fuzz test.
func small(
	read func(string, io.Reader) (*format.Table, []*problem.Error),
) func(string, io.Reader) (*format.Table, []*problem.Error) {
	return func(file string, r io.Reader) (*format.Table, []*problem.Error) {
		t, errs := read(file, r)
		if errs != nil {
			return t, errs
		}
		lengths, _ := t.Field("lengths")
		n := 0.0
		for _, x := range lengths.F64 {
			n += x
		}
		if n > 1<<16 {
			return t, []*problem.Error{t.Fail(0, 0, "D0128", "")}
		}
		thin, errs := t.Words(func(place int) bool { return place%2 == 0 })
		if errs != nil {
			panic(errs[0])
		}
		all, _ := t.Field("counts")
		half, _ := thin.Field("counts")
		if half.CSR.Defect() != "" || len(all.CSR.Index) > 0 && len(half.CSR.Index) == 0 {
			panic(fmt.Sprintf("a half of %+v is %+v", all.CSR, half.CSR))
		}
		return t, nil
	}
}

func FuzzLDAC(f *testing.F) {
	for _, s := range []string{asLDAC, "0\n", "1 0:9007199254740991\n", "2 0:1",
		"3 9:1 8:1 7:2\n\n", "1 2147483646:1"} {
		f.Add([]byte(s))
	}
	fuzz(f, small(format.ReadLDAC))
}

func FuzzDocword(f *testing.F) {
	for _, s := range []string{asDocword, shuffled, "3\n2\n0\n", "1\n1\n1\n1 1 9007199254740991",
		"4194304\n1\n1\n4194304 1 1\n", "2\n2\n"} {
		f.Add([]byte(s))
	}
	fuzz(f, small(format.ReadDocword))
}

func FuzzNames(f *testing.F) {
	f.Add([]byte("a\nb\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		names, errs := format.ReadNamesOf(format.NewTable("f", ""), bytes.NewReader(text))
		if (names == nil) == (errs == nil) {
			t.Fatal("neither names nor an error")
		}
	})
}

const (
	asLDAC    = "2 3:2 0:1\n0\n1 1:1\n"          // in any order
	asDocword = "3\n6\n3\n1 1 1\n1 4 2\n3 2 1\n" // three documents, six words
	shuffled  = "3\n6\n3\n3 2 1\n1 4 2\n1 1 1\n" // the same
)
