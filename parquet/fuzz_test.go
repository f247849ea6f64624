package parquet

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// FuzzParquet: a file that is damaged anywhere is read whole or is an error.
func FuzzParquet(f *testing.F) {
	list, _ := rows(40)
	for _, group := range []int64{25, 100} {
		f.Add(fileOf(f, list, group, parquet.Compression(&parquet.Uncompressed),
			parquet.PageBufferSize(100)))
	}
	f.Add(fileOf(f, list[:5], 100, parquet.Compression(&parquet.Snappy),
		parquet.DataPageVersion(1)))
	stored, _ := filepath.Glob("testdata/*.parquet")
	for _, name := range stored {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		var all []int
		for i, c := range file.Columns() {
			if c.Problem == "" {
				all = append(all, i)
			}
		}
		n := 0
		err = file.Read(all, func(_, _ int, cell []byte) float64 { return float64(len(cell)) },
			func(x [][]float64) error {
				for k := range x {
					if len(x[k]) != len(x[0]) {
						t.Fatal("columns of different lengths")
					}
				}
				if len(x) > 0 {
					n += len(x[0])
				}
				return nil
			})
		if err == nil && len(all) > 0 && n != file.Rows() {
			t.Fatalf("%d rows were read without an error, and the file has %d", n, file.Rows())
		}
	})
}
