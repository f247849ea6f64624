package format_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

func npzOf(t testing.TB, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	z.Close()
	return b.String()
}

// idx writes sizes after a magic of a type, then the entries.
func idx(kind byte, entries string, shape ...int) string {
	b := []byte{0, 0, kind, byte(len(shape))}
	for _, n := range shape {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return string(b) + entries
}

func TestIDXTypes(t *testing.T) {
	for _, c := range []struct {
		kind    byte
		entries string
		want    []float64
	}{
		{0x08, "\x00\x80\xff", []float64{0, 128, 255}},
		{0x09, "\x00\x80\xff", []float64{0, -128, -1}},
		{0x0b, "\x01\x00\xff\xfe\x00\x07", []float64{256, -2, 7}},
		{0x0c, "\x80\x00\x00\x00\x00\x00\x00\x02\xff\xff\xff\xff", []float64{-1 << 31, 2, -1}},
		{0x0d, "\x3f\x80\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x00", []float64{1, -2, 0}},
		{0x0e, "\x3f\xf0\x00\x00\x00\x00\x00\x00" +
			"\x40\x09\x21\xfb\x54\x44\x2d\x18\x00\x00\x00\x00\x00\x00\x00\x00",
			[]float64{1, 3.141592653589793, 0}},
	} {
		table, errs := format.ReadIDX("f", strings.NewReader(idx(c.kind, c.entries, 3, 1)))
		if errs != nil {
			t.Fatalf("%#x: %v", c.kind, errs[0])
		}
		v, _ := table.Field("")
		if !slices.Equal(v.Floats(), c.want) || !slices.Equal(v.Shape, []int{3, 1}) {
			t.Errorf("%#x: %v %v, want %v", c.kind, v.Shape, v.Floats(), c.want)
		}
	}
}
