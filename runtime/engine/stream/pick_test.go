package stream

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// checkSome reads rows from all over the files and holds them against whole data.
func checkSome(t *testing.T, s *Source, want *data.Bound) {
	defer func(was int64) { markBytes = was }(markBytes)
	markBytes = 60 // some rows
	n := s.Plan.Layout.Rows
	r := rand.New(rand.NewPCG(3, uint64(n)))
	reader := s.Reader()
	for _, size := range []int{1, 2, 5, n / 2, n} {
		rows := r.Perm(n)[:max(size, 1)]
		slices.Sort(rows)
		got, err := reader.Some(rows)
		if err != nil {
			t.Fatalf("rows %v: %v", rows, err)
		}
		for name, v := range got.Values {
			if v.Shape[0] != len(rows) {
				t.Fatalf("%s has %d rows, not %d", name, v.Shape[0], len(rows))
			}
			for i, row := range rows {
				if g, w := rowText(v, i), rowText(want.Values[name], row); g != w {
					t.Fatalf("rows %v: %s, row %d: %s, in memory %s", rows, name, row, g, w)
				}
			}
		}
		if len(got.Values) != len(want.Values) {
			t.Fatalf("%d values, in memory %d", len(got.Values), len(want.Values))
		}
	}
}

// TestSomeWrong: a row that is outside its type has the message that a whole file gives,
// with its line, and bytes that changed since the index was made are found, wherever they
// are: before a block was read, and after.
func TestSomeWrong(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.csv")
	text := "x.0,x.1,y\n" + strings.Repeat("1.5,2.5,1\n", 60)
	open := func(text string) *Source {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		b, errs := data.NewRowBinder(table, []string{path}, "N", probe)
		if errs != nil {
			t.Fatal(errs)
		}
		p, _, errs := Make(table, b, "N", Options{Block: 10, Window: 1})
		if errs != nil {
			t.Fatal(Errors(errs))
		}
		s, errs := Open(p, table, nil)
		if errs != nil {
			t.Fatal(Errors(errs))
		}
		t.Cleanup(s.Close)
		return s
	}
	bad := strings.Split(text, "\n")
	bad[44] = "1.5,2.5,7"
	_, err := open(strings.Join(bad, "\n")).Reader().Some([]int{3, 43, 50})
	if err == nil || !strings.Contains(err.Error(), "t.csv:45") {
		t.Errorf("a value outside its type: %v", err)
	}
	path = filepath.Join(dir, "t.jsonl")
	line := "{\"x\": [1.5, 2.5], \"y\": 1}\n"
	_, err = open(strings.Repeat(line, 43) + "{\"x\": [1, 2]}\n\n{\"x\": 1, \"y\": 1}\n" +
		strings.Repeat(line, 20)).Reader().Some([]int{3, 44, 50})
	if err == nil || !strings.Contains(err.Error(),
		"t.jsonl:46: error[D0106]: a list is expected, as in rows before (key x)") {
		t.Errorf("a number for a list: %v", err)
	}
	path = filepath.Join(dir, "t.csv")
	for _, before := range []bool{false, true} {
		s := open(text)
		if before {
			if _, err := s.Reader().Some([]int{3, 43}); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, []byte(strings.Replace(text, "1.5", "1.6", 58)), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := s.Reader().Some([]int{4, 44})
		var e Errors
		if !errors.As(err, &e) || e[0].Code != "D0158" {
			t.Errorf("changed, with a block that was read before %v: %v", before, err)
		}
	}
}
