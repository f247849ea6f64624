package table_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/sources/table"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestGolden: the table is that of the golden file, which a test of sgppl reads.
func TestGolden(t *testing.T) {
	var b bytes.Buffer
	w := table.NewWriter(&b)
	w.Columns([]string{"x", "n", "g", "gone", "bytes"})
	w.Note("a note")
	for i := range 5000 {
		if i == 7 {
			w.Column(0).Missing()
			w.Column(1).Missing()
		} else {
			w.Column(0).Double(float64(i) / 2)
			w.Column(1).Int(int64(i))
		}
		switch i % 3 {
		case 0:
			w.Column(2).Text("north")
		case 1:
			w.Column(2).Text("south")
		default:
			w.Column(2).Double(float64(i) + 0.5)
		}
		w.Column(3).Missing()
		w.Column(4).Refuse("holds bytes")
		if err := w.Row(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "runtime", "engine", "data", "format", "testdata",
		"sources.sgtable")
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Error("the table differs from the golden file; -update writes it anew")
	}
}
