package format_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/cputime"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// bomb is text, repeated to so many bytes, compressed by gzip.
func bomb(t *testing.T, head, text string, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	piece := []byte(strings.Repeat(text, 1<<20/len(text)))
	w.Write([]byte(head))
	for n := 0; n < size; n += len(piece) {
		w.Write(piece)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBombs: small files that are large when they are read are refused while
// they are read, by a limit of memory, whatever their format.
func TestBombs(t *testing.T) {
	const size, limit = 48 << 20, 64 << 20
	old := debug.SetMemoryLimit(limit)
	defer debug.SetMemoryLimit(old)
	dir := t.TempDir()
	for name, c := range map[string]struct{ head, text string }{
		"x.csv.gz":        {"x\n", "1\n"},
		"wide.csv.gz":     {"x\n", "1,"}, // one line
		"x.json.gz":       {`{"x":[0`, ",0"},
		"lists.json.gz":   {`{"x":[[]`, ",[]"},
		"x.txt.gz":        {"", "1 2\n"},
		"x.libsvm.gz":     {"", "1 1:1\n"},
		"x.ldac.gz":       {"", "1 0:1\n"},
		"x.npy.gz":        {"\x93NUMPY\x01\x00\x10\x00{'shape': (9999", "\x00"},
		"x.docword.gz":    {"9\n9\n900000000\n", "1 1 1\n"},
		"zeros.idx3-u.gz": {"\x00\x00\x0d\x01\x7f\xff\xff\xff", "\x00"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, bomb(t, c.head, c.text, size), 0o666); err != nil {
			t.Fatal(err)
		}
		kind := ""
		if strings.HasPrefix(name, "zeros") {
			kind = "idx"
		}
		before := total()
		table, errs := format.ReadFileAs(path, kind)
		switch {
		case strings.HasSuffix(name, ".npy.gz"): // its head says enough
		case len(errs) != 1 || errs[0].Code != "D0164" || errs[0].Exit() != problem.ExitFiles ||
			!strings.Contains(errs[0].Error(), "--max-memory"):
			t.Errorf("%s: %v", name, errs)
		}
		if used := total() - before; used > 6*limit {
			t.Errorf("%s: %d MiB were allocated in all", name, used>>20)
		}
		runtime.KeepAlive(table)
	}
}

// total is how many bytes were allocated so far.
func total() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestTrailing: bytes behind a compressed text are called what they are, and
// several texts one after another are one.
func TestTrailing(t *testing.T) {
	gz := []byte(zipped("a\n1\n"))
	bz, err := hex.DecodeString(csvBzip2)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text []byte
		rows int // of the field a; 0 where there is an error
	}{
		"x.csv.gz":     {gz, 1},
		"two.csv.gz":   {append(bytes.Clone(gz), zipped("2\n3\n")...), 3},
		"tail.csv.gz":  {append(bytes.Clone(gz), "more"...), 0},
		"zeros.csv.gz": {append(bytes.Clone(gz), make([]byte, 512)...), 0},
		"one.csv.gz":   {append(bytes.Clone(gz), 0x1f), 0},
		"x.csv.bz2":    {bz, 1},
		"tail.csv.bz2": {append(bytes.Clone(bz), "more"...), 0},
		// a header in the middle is no number
		"again.csv.bz2": {append(bytes.Clone(bz), bz...), -1},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, c.text, 0o666); err != nil {
			t.Fatal(err)
		}
		table, errs := format.ReadFile(path)
		switch {
		case c.rows == 0:
			if len(errs) != 1 || errs[0].Code != "D0104" ||
				!strings.Contains(errs[0].Message, "other bytes follow the compressed text") {
				t.Errorf("%s: %v", name, errs)
			}
		case c.rows > 0:
			if v, _ := table.Field("a"); errs != nil || v.Len() != c.rows {
				t.Errorf("%s: %v, %v", name, errs, v)
			}
		}
	}
}

// TestWideTables: the memory of a table's columns is counted before they are made, and
// the time of reading them, and of mistakes in them, is proportional to their number.
func TestWideTables(t *testing.T) {
	const columns = 100_000
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var head strings.Builder
	for k := range columns {
		fmt.Fprintf(&head, ",c%d", k)
	}
	names := head.String()[1:] + "\n"
	wide := write("wide.csv", names+strings.Repeat("1,", columns-1)+"1\n")
	old := debug.SetMemoryLimit(40 << 20)
	defer debug.SetMemoryLimit(old)
	for _, path := range []string{wide, write("commas.csv", strings.Repeat(",", columns)+"\n")} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, errs := format.ReadFile(path)
		runtime.ReadMemStats(&after)
		if len(errs) != 1 || errs[0].Code != "D0164" || errs[0].Exit() != 5 ||
			!strings.Contains(errs[0].Message, "more than the 40 MiB that may be used") {
			t.Errorf("%s: %v", filepath.Base(path), errs)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
			t.Errorf("%s: %d MiB were allocated", filepath.Base(path), n>>20)
		}
	}
	debug.SetMemoryLimit(old)
	start := cputime.Now()
	table, errs := format.ReadFile(write("words.csv", names+strings.Repeat("a,", columns-1)+"a\n"))
	if errs != nil || len(table.Fields) != columns {
		t.Fatal(len(table.Fields), errs)
	}
	last := table.Fields[columns-1]
	if v, errs := table.Field(last); v == nil || len(errs) != 1 ||
		errs[0].Message != `"a" is no number (column c99999)` {
		t.Errorf("%s: %v", last, errs)
	}
	if d := cputime.Now() - start; d > 20*time.Second {
		// a search among all columns for each took minutes
		t.Errorf("mistakes in %d columns took %v", columns, d)
	}
	// Mistakes are kept for as long as they fit.
	debug.SetMemoryLimit(100 << 20)
	if _, errs := format.ReadFile(write("more.csv",
		names+strings.Repeat(strings.Repeat("a,", columns-1)+"a\n", 5))); len(errs) != 1 ||
		errs[0].Code != "D0164" {
		t.Errorf("five rows of words: %v", errs)
	}
}
