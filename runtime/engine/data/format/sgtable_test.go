package format_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A chunk is a column of a frame of rows: its kind and its bytes.
type chunk struct {
	kind byte
	body []byte
}

func doubles(x ...float64) chunk {
	c := chunk{kind: 'd'}
	for _, y := range x {
		c.body = binary.LittleEndian.AppendUint64(c.body, math.Float64bits(y))
	}
	return c
}

// ints are whole numbers, the first of which is missing where gap says so.
func ints(gap bool, x ...int64) chunk {
	c := chunk{kind: 'i', body: make([]byte, (len(x)+7)/8)}
	if gap {
		c.body[0] = 1
	}
	for _, y := range x {
		c.body = binary.LittleEndian.AppendUint64(c.body, uint64(y))
	}
	return c
}

// texts are texts; "-" is missing.
func texts(x ...string) chunk {
	c := chunk{kind: 't'}
	for _, y := range x {
		if y == "-" {
			c.body = append(c.body, 0)
			continue
		}
		c.body = append(binary.AppendUvarint(c.body, uint64(len(y))+1), y...)
	}
	return c
}

// A tableBytes is a table of typed columns as it grows.
type tableBytes struct {
	b    []byte
	rows int
}

func (t *tableBytes) frame(kind byte, body []byte) {
	t.b = append(binary.AppendUvarint(append(t.b, kind), uint64(len(body))), body...)
}

func newTable(names ...string) *tableBytes {
	t := &tableBytes{b: []byte("SGTABLE1")}
	body := binary.AppendUvarint(nil, uint64(len(names)))
	for _, name := range names {
		body = append(binary.AppendUvarint(body, uint64(len(name))), name...)
	}
	t.frame('C', body)
	return t
}

func (t *tableBytes) add(rows int, columns ...chunk) *tableBytes {
	body := binary.AppendUvarint(nil, uint64(rows))
	for _, c := range columns {
		body = binary.AppendUvarint(append(body, c.kind), uint64(len(c.body)))
		body = append(body, c.body...)
	}
	t.frame('R', body)
	t.rows += rows
	return t
}

func (t *tableBytes) end() []byte {
	t.frame('E', binary.AppendUvarint(nil, uint64(t.rows)))
	sum := crc32.Checksum(t.b, crc32.MakeTable(crc32.Castagnoli))
	return binary.LittleEndian.AppendUint32(t.b, sum)
}

// mixedTable has a column of each kind, in two frames.
func mixedTable() []byte {
	return newTable("x", "n", "g", "mixed", "blob", "v.0", "v.1").
		add(2, doubles(1.5, math.NaN()), ints(true, 0, 7), texts("north", "-"), ints(false, 3, 4),
			chunk{kind: 'x', body: []byte("holds bytes")}, doubles(1, 2), doubles(3, 4)).
		add(1, doubles(math.Inf(1)), chunk{kind: 'm'}, texts("NA"), texts("2024-02-29"),
			chunk{kind: 'm'}, doubles(5), doubles(6)).
		end()
}

// tableFile writes a table to a file, and reads it.
func tableFile(t *testing.T, text []byte) (*format.Table, []*problem.Error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.sgtable")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return format.ReadFile(path)
}

// shownWords shows entries, of words what they stand for.
func shownWords(x []float64, words []string) string {
	out := ""
	for _, y := range x {
		if k, is := array.WordOf(y); is {
			out += words[k] + " "
		} else if y != y {
			out += "- "
		} else {
			out += fmt.Sprint(y, " ")
		}
	}
	return out
}

// TestTypedTable: columns of every kind, which may differ from frame to frame.
func TestTypedTable(t *testing.T) {
	table, errs := tableFile(t, mixedTable())
	if errs != nil {
		t.Fatal(errs)
	}
	for name, want := range map[string]string{
		"x": "[3] [1.5 NaN +Inf]", "n": "[3] [NaN 7 NaN]", "g": "[3] north - - ",
		"mixed": "[3] 3 4 2024-02-29 ", "v": "[3 2] [1 3 2 4 5 6]", "v.1": "[3] [3 4 6]"} {
		v, errs := table.Texts(name)
		if v == nil {
			t.Errorf("%s: %v", name, errs)
			continue
		}
		got := fmt.Sprint(v.Shape) + " "
		if v.Words == nil {
			got += fmt.Sprint(v.Floats())
		} else {
			got += shownWords(v.F64, v.Words)
		}
		if got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
	if _, errs := table.Texts("blob"); len(errs) != 1 ||
		!strings.Contains(errs[0].Error(), "column blob holds bytes") {
		t.Errorf("%v", errs)
	}
}

// TestTypedTableLimits: whole numbers beyond 2^53 are refused with their place, and what the
// source says is the error.
func TestTypedTableLimits(t *testing.T) {
	table, errs := tableFile(t,
		newTable("n").add(2, ints(false, 1<<53, -1<<53-1)).end())
	if errs != nil {
		t.Fatal(errs)
	}
	if _, errs := table.Texts("n"); len(errs) != 1 ||
		!strings.Contains(errs[0].Error(), "-9007199254740993 is beyond 2^53") ||
		!strings.Contains(errs[0].Error(), "(column n, row 1)") {
		t.Errorf("%v", errs)
	}
	said := newTable("n")
	said.frame('X', []byte(`{"message": "there is no table polices", "unknown": "polices",`+
		`"known": ["claims", "policies"], "notes": ["look again"]}`))
	_, errs = tableFile(t, said.b)
	want := "error[D0169]: there is no table polices\n  note: did you mean policies?\n" +
		"  note: look again"
	if len(errs) != 1 || !strings.HasSuffix(errs[0].Error(), want) {
		t.Errorf("%v", errs)
	}
	if _, errs := tableFile(t, newTable("n").end()); len(errs) != 1 || errs[0].Code != "D0103" {
		t.Errorf("%v", errs)
	}
}

// TestTypedTableDamaged: a table that is cut off anywhere, or in which a byte is another, is
// an error.
func TestTypedTableDamaged(t *testing.T) {
	whole := mixedTable()
	for n := range len(whole) {
		if _, errs := tableFile(t, whole[:n]); errs == nil {
			t.Fatalf("the first %d bytes are read", n)
		}
		flipped := bytes.Clone(whole)
		flipped[n] ^= 1
		if _, errs := tableFile(t, flipped); errs == nil {
			t.Fatalf("with another byte %d it is read", n)
		}
	}
	if _, errs := tableFile(t, append(whole, 0)); errs == nil {
		t.Fatal("bytes behind the end are not seen")
	}
}

// TestSourcesTable: the table that the program of the sources wrote for its tests is read.
func TestSourcesTable(t *testing.T) {
	table, errs := format.ReadFile(filepath.Join("testdata", "sources.sgtable"))
	if errs != nil {
		t.Fatal(errs)
	}
	for name, want := range map[string]float64{"x": 4999 * 0.5, "n": 4999} {
		v, errs := table.Texts(name)
		if errs != nil || v.Shape[0] != 5000 || v.Floats()[4999] != want {
			t.Errorf("%s: %v, %v", name, errs, v)
		}
		if !math.IsNaN(v.Floats()[7]) {
			t.Errorf("%s: row 7 is %v, and was missing", name, v.Floats()[7])
		}
	}
	v, _ := table.Texts("g")
	if got := shownWords(v.F64[:3], v.Words); got != "north south 2.5 " {
		t.Errorf("g begins with %s", got)
	}
	if len(table.Notes) != 1 || table.Notes[0] != "a note" {
		t.Errorf("notes %q", table.Notes)
	}
}

// FuzzTypedTable: any bytes are a table or an error.
func FuzzTypedTable(f *testing.F) {
	f.Add(mixedTable())
	f.Add(newTable("a").add(1, doubles(1)).end())
	f.Add(newTable("g", "n").add(2, texts("a", "-"), ints(true, 1, 2)).end())
	fuzz(f, func(name string, r io.Reader) (*format.Table, []*problem.Error) {
		b, err := io.ReadAll(r)
		if err != nil {
			f.Fatal(err)
		}
		return format.ReadTyped(name, bytes.NewReader(sealed(b)))
	})
}

// sealed gives a table the check sum that it should have, where there is place for one.
func sealed(b []byte) []byte {
	if len(b) < 12 {
		return b
	}
	n := len(b) - 4
	sum := crc32.Checksum(b[:n], crc32.MakeTable(crc32.Castagnoli))
	return binary.LittleEndian.AppendUint32(bytes.Clone(b[:n]), sum)
}
