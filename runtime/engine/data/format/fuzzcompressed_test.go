package format_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// fuzzCompressed reads files of numbers that are compressed.
func fuzzCompressed(f *testing.F, ending string) {
	read := func(_ string, r io.Reader) (*format.Table, []*problem.Error) {
		t, errs := format.ReadAs("f.csv"+ending, "", io.LimitReader(r, 1<<20))
		for _, e := range errs {
			e.File = "f"
		}
		return t, errs
	}
	fuzz(f, read)
}

// FuzzGzip reads texts that are compressed by gzip, damaged or followed by other
// bytes.
func FuzzGzip(f *testing.F) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte("a,b\n1,2\n"))
	w.Close()
	one := bytes.Clone(b.Bytes())
	f.Add(one)
	f.Add(append(bytes.Clone(one), one...))
	f.Add(append(bytes.Clone(one), "tail"...))
	f.Add(one[:len(one)-3])
	fuzzCompressed(f, ".gz")
}

// FuzzBzip2 reads texts that are compressed by bzip2, damaged or followed by
// other bytes.
func FuzzBzip2(f *testing.F) {
	one, err := hex.DecodeString(csvBzip2)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(one)
	f.Add(append(bytes.Clone(one), one...))
	f.Add(append(bytes.Clone(one), "tail"...))
	f.Add(one[:len(one)-3])
	fuzzCompressed(f, ".bz2")
}

// csvBzip2 is "a,b\n1,2\n" as bzip2 compresses it.
const csvBzip2 = "425a6839314159265359bf87407f00000359000010000430003000200030c008" +
	"69b28823278bb9229c28485fc3a03f80"
