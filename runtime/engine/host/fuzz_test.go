package host

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// FuzzJob: a job of any bytes runs or is an error. Where seal is set the data
// behind the line have a check sum that is right, so that what is behind it is
// read.
func FuzzJob(f *testing.F) {
	bound := &data.Bound{Dims: map[string]int{"N": 3},
		Values: map[string]*array.Value{"y": array.Dense([]float64{1, 2, 4}, 3)}}
	held := &data.Bound{Dims: map[string]int{"N": 2}, Values: map[string]*array.Value{
		"y": {Shape: []int{2}, Bytes: &array.Bytes{Code: []uint8{7, 9}, Level: new([256]float64)}},
		"c": {Shape: []int{2, 3},
			CSR: &array.CSR{Rows: 2, Cols: 3, Indptr: []int{0, 1, 2}, Index: []int32{0, 2},
				Value: []float64{1, 2}}}}}
	for _, j := range []Job{{Work: json.RawMessage(`{"a":1}`)},
		{Work: json.RawMessage("null"), Held: held, HeldConstants: Numbers{"m": {1}}},
		{Work: json.RawMessage("1"), Index: "nowhere"}} {
		var b bytes.Buffer
		if err := WriteJob(&b, j, bound); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes(), false)
		f.Add(b.Bytes()[:b.Len()-4], true)
	}
	path := filepath.Join(f.TempDir(), "job")
	table := crc32.MakeTable(crc32.Castagnoli)
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		if k := bytes.IndexByte(b, '\n') + 1; seal && k > 0 {
			b = binary.LittleEndian.AppendUint32(bytes.Clone(b), crc32.Checksum(b[k:], table))
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		err := serve(context.Background(), []string{path}, strings.NewReader(""), io.Discard,
			compiled,
			func(context.Context, *model.Model, json.RawMessage, io.Writer) error { return nil })
		if status := Status(err); status < 0 || status > 5 {
			t.Fatalf("status %d: %v", status, err)
		}
	})
}
