package stream

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// TestMendedRows: rows that are appended count when they were read without a
// mistake. A mistake is an error that leaves the index as it was, so that the
// line can be mended, be it longer then or shorter.
func TestMendedRows(t *testing.T) {
	texts := files(60)
	for _, c := range []struct {
		name, file, dim string
		schema          *data.Schema
		specs           []string
		given           map[string]int
		more, bad, good string // lines: more come before
		code            string
	}{
		{"no number", "t.csv", "N", table, []string{"t.csv"}, nil, "1,2,0\n\n3,4,1\n",
			"5,six,1\n7,8,0\n", "5,6.25,1\n7,8,0\n", "D0106"},
		{"no type", "t.csv", "N", table, []string{"t.csv"}, nil, "1,2,0\n", "5,6,2\n", "5,6,1\n",
			"D0130"},
		{"cells", "t.csv", "N", table, []string{"t.csv"}, nil, strings.Repeat("1,2,0\n", 20),
			"5,6\n", "5,6,1\n", "D0107"},
		{"not selected", "t.csv", "N", table, []string{"t.csv:skip=2%3"}, nil, "1,2,0\n1,2,0\n",
			"5,six\n1,2,0\n", "5,6,1\n1,2,0\n", "D0107"},
		{"blank", "c.ldac", "D", bags, []string{"c=c.ldac"}, map[string]int{"V": 20}, "1 3:2\n",
			"\n1 2:1\n", "0\n1 2:1\n", "D0151"},
		{"word", "c.ldac", "D", bags, []string{"c=c.ldac"}, map[string]int{"V": 20}, "1 3:2\n",
			"1 20:1\n", "1 19:1\n", ""},
		{"libsvm", "s.libsvm", "N", sparse, []string{"x=s.libsvm", "y=s.libsvm:label"},
			map[string]int{"P": 20}, "1 3:2\n# none\n", "1 3:x\n", "1 3:0.5 4:1\n", "D0106"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			text := texts[c.file] + "\n"
			put := func(text string) {
				t.Helper()
				if err := os.WriteFile(c.file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			put(text)
			src := open(t, c.schema, c.dim,
				Options{Given: c.given, Block: 7, Window: 2, Follow: true}, c.specs...)
			src.Keep("index")
			plan := func() *Plan { // a copy
				b, err := src.Plan.Marshal()
				if err != nil {
					t.Fatal(err)
				}
				p, err := Unmarshal(b)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			before := plan()
			for _, bad := range []string{text + c.more + c.bad, text + c.bad} {
				put(bad)
				_, err := src.Grow()
				var own Errors
				if !errors.As(err, &own) || c.code != "" && own[0].Code != c.code ||
					own[0].Line <= strings.Count(text, "\n") || own[0].Exit() != 3 {
					t.Fatalf("of the mistake: %v", err)
				}
				if !reflect.DeepEqual(plan(), before) {
					t.Fatal("the index has what was not read right")
				}
				if _, err := os.Stat("index"); err == nil {
					t.Fatal("an index of it is written")
				}
			}
			put(text + c.more + c.good)
			if _, err := src.Grow(); err != nil {
				t.Fatalf("after it was mended: %v", err)
			}
			want, _, errs := data.Bind(c.schema, c.specs, sets(c.given), data.Options{})
			if errs != nil {
				t.Fatal(errs)
			}
			if n := src.Plan.Layout.Rows; n != want.Dims[c.dim] {
				t.Fatalf("%d rows, the whole file has %d", n, want.Dims[c.dim])
			}
			check(t, src, want, 7)
			again, err := OpenFile("index", c.schema, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			check(t, again, want, 7)
		})
	}
}

// TestUnequal: of files of which one is ahead, the rows are indexed that all have;
// the others may change until then.
func TestUnequal(t *testing.T) {
	t.Chdir(t.TempDir())
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	specs := []string{"x=a.csv:x", "y=b.csv:y"}
	a, b := "x.0,x.1\n"+strings.Repeat("1,2\n", 10), "y\n"+strings.Repeat("1\n", 8)
	put("a.csv", a)
	put("b.csv", b)
	src := open(t, table, "N", Options{Block: 3, Window: 2, Follow: true}, specs...)
	grow := func(want int) {
		t.Helper()
		if n, err := src.Grow(); err != nil || n != want {
			t.Fatalf("%d rows, %v; want %d", n, err, want)
		}
	}
	grow(8)
	put("a.csv", "x.0,x.1\n"+strings.Repeat("1,2\n", 8)+"30,40\nthis,too\n5,6\n")
	put("b.csv", b+"0\n")
	grow(9)
	put("a.csv", "x.0,x.1\n"+strings.Repeat("1,2\n", 8)+"30,40\n50,60\n70,80\n")
	put("b.csv", b+"0\n1\n1\n")
	grow(11)
	want, _, errs := data.Bind(table, specs, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs)
	}
	check(t, src, want, 4)
}

// TestFirstRows: a mistake among the rows that a file begins with is found before
// a run that follows it.
func TestFirstRows(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("t.csv",
		[]byte("x.0,x.1,y\n"+strings.Repeat("1,2,0\n", 50)+"1,two,0\n1,2,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	b, errs := data.NewRowBinder(table, []string{"t.csv"}, "N", probe)
	if errs != nil {
		t.Fatal(errs)
	}
	if _, _, errs := Make(table, b, "N", Options{Block: 5, Window: 2, Follow: true}); len(errs) !=
		1 || errs[0].Code != "D0106" || errs[0].Line != 52 {
		t.Errorf("%v", errs)
	}
}
