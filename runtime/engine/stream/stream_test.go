package stream

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	_ "github.com/sgppl/sgppl/parquet"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/size"
)

func shape(dims ...string) []size.Poly {
	var out []size.Poly
	for _, d := range dims {
		out = append(out, size.Dim(d))
	}
	return out
}

// table is a model with a regression's data, corpus one with documents'.
var (
	table = &data.Schema{Dims: []data.Dim{{Name: "N"}, {Name: "P"}}, Inputs: []data.Input{
		{Name: "x", Kind: data.Real, Shape: shape("N", "P")},
		{Name: "y", Kind: data.Bool, Shape: shape("N")}}}
	corpus = &data.Schema{Dims: []data.Dim{{Name: "D"}, {Name: "W", Of: "D"}, {Name: "V"}},
		Inputs: []data.Input{
			{Name: "w", Kind: data.Index, Shape: shape("D", "W"), Below: size.Dim("V")}}}
	columns = &data.Schema{Dims: []data.Dim{{Name: "N"}, {Name: "P"}}, Inputs: []data.Input{
		{Name: "x", Kind: data.Real, Shape: shape("N", "P")},
		{Name: "k", Kind: data.Count, Shape: shape("N")}}}
	levels = &data.Schema{Dims: []data.Dim{{Name: "N"}, {Name: "G"}}, Inputs: []data.Input{
		{Name: "home", Kind: data.Index, Shape: shape("N"), Below: size.Dim("G")},
		{Name: "away", Kind: data.Index, Shape: shape("N"), Below: size.Dim("G")},
		{Name: "b", Kind: data.Bool, Shape: shape("N")}}}
	bags = &data.Schema{Dims: []data.Dim{{Name: "D"}, {Name: "V"}}, Inputs: []data.Input{
		{Name: "c", Kind: data.Count, Shape: shape("D", "V"), Sparse: true, Bag: true}}}
	sparse = &data.Schema{Dims: []data.Dim{{Name: "N"}, {Name: "P"}}, Inputs: []data.Input{
		{Name: "x", Kind: data.Real, Shape: shape("N", "P"), Sparse: true},
		{Name: "y", Kind: data.Bool, Shape: shape("N")}}}
)

// files are texts of every format, with what makes each of them hard.
func files(n int) map[string]string {
	r := rand.New(rand.NewPCG(1, 2))
	out := map[string]*strings.Builder{}
	for _, name := range []string{"t.csv", "t.tsv", "q.csv", "c.ldac", "c.docword", "s.libsvm",
		"s0.libsvm", "l.csv", "d.csv", "t.jsonl", "l.jsonl"} {
		out[name] = &strings.Builder{}
	}
	fmt.Fprint(out["t.csv"], "\xef\xbb\xbfx.0,x.1,y\n")
	fmt.Fprint(out["t.tsv"], "\nx.0\tx.1\ty\r\n")
	fmt.Fprint(out["q.csv"], "\"x.0\",x.1,\"y\",note\n")
	fmt.Fprint(out["d.csv"], "x.0;x.1;y;gr\xfc\xdfe\n")
	fmt.Fprint(out["t.jsonl"], "\xef\xbb\xbf")
	fmt.Fprint(out["l.csv"], "home,note,b,away\n")
	teams := rand.New(rand.NewPCG(3, 4)) // the last of them come late
	entries := &strings.Builder{}
	total := 0
	for i := range n {
		a, b, y := r.NormFloat64(), r.NormFloat64(), r.IntN(2)
		fmt.Fprintf(out["t.csv"], "%v,%v,%d\n", a, b, y)
		if i%7 == 3 {
			fmt.Fprint(out["t.csv"], "\n  \n")
		}
		fmt.Fprintf(out["d.csv"], "%s;%v;%d;M\xfcller\n",
			strings.ReplaceAll(fmt.Sprint(a), ".", ","), b, y)
		fmt.Fprintf(out["t.jsonl"], `{"y": %d, "x": [%v, "%v"]`, y, a, b)
		if i > n/2 {
			fmt.Fprint(out["t.jsonl"], `, "late": {"deep": "note"}`)
		}
		fmt.Fprint(out["t.jsonl"], "}\n")
		if i%9 == 2 {
			fmt.Fprint(out["t.jsonl"], "\r\n")
		}
		fmt.Fprintf(out["t.tsv"], "%v\t%v\t%d\r\n", a, b, y)
		note := `"two
lines, ""quoted"""`
		if i%3 > 0 {
			note = "plain"
		}
		fmt.Fprintf(out["q.csv"], "%v,%v,%d,%s\n", a, b, y, note)
		home, away := teams.IntN(2+i/4), []string{"team 1", "Ajax", "true"}[teams.IntN(2+2*i/(n+1))]
		fmt.Fprintf(out["l.csv"], "team %d,\"note, %d\",%v,%s\n", home, i, y == 1, away)
		fmt.Fprintf(out["l.jsonl"], "{\"away\": %q, \"home\": \"team %d\", \"b\": %v}\n", away, home,
			y == 1)
		words := r.IntN(6)
		seen := map[int]bool{}
		for range words {
			seen[r.IntN(20)] = true
		}
		var terms []int
		for k := range seen {
			terms = append(terms, k)
		}
		slices.Sort(terms)
		fmt.Fprint(out["c.ldac"], len(terms))
		fmt.Fprint(out["s.libsvm"], 2*y-1)
		fmt.Fprint(out["s0.libsvm"], 2*y-1)
		late := i < n/2 // the first id 0 comes late
		for _, k := range terms {
			c := 1 + r.IntN(3)
			fmt.Fprintf(out["c.ldac"], " %d:%d", k, c)
			fmt.Fprintf(entries, "%d %d %d\n", i+1, k+1, c)
			fmt.Fprintf(out["s.libsvm"], " %d:%v", k+1, float64(c)/2)
			if k > 0 || !late {
				fmt.Fprintf(out["s0.libsvm"], " %d:%d", k, c)
			}
			total++
		}
		fmt.Fprintln(out["c.ldac"])
		fmt.Fprintln(out["s.libsvm"], "# a comment")
		if i%5 == 0 {
			fmt.Fprintln(out["s.libsvm"], "  # nothing else")
		}
		fmt.Fprintln(out["s0.libsvm"])
	}
	fmt.Fprintf(out["c.docword"], "%d\n20\n%d\n%s", n, total, entries)
	wide := binary.BigEndian.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(strings.TrimPrefix(out["t.csv"].String(), "\ufeff"))) {
		wide = binary.BigEndian.AppendUint16(wide, unit)
	}
	texts := map[string]string{"u.csv": string(wide)}
	for name, b := range out {
		texts[name] = strings.TrimSuffix(b.String(), "\n")
	}
	return texts
}

// place writes the files into a directory of the test.
func place(t testing.TB, n int) string {
	dir := t.TempDir()
	for name, text := range files(n) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile("../../../parquet/testdata/snappy2.parquet")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "p.parquet"), b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// rowText is a row of a value in words.
func rowText(v *array.Value, row int) string {
	if m := v.CSR; m != nil {
		lo, hi := m.Indptr[row], m.Indptr[row+1]
		values := m.Values()
		if values == nil {
			values = make([]float64, len(m.Index))
			for i := range values {
				values[i] = 1
			}
		}
		return fmt.Sprint(m.Index[lo:hi], values[lo:hi])
	}
	list := v.Floats()
	w := len(list) / v.Shape[0]
	return strings.TrimRight(fmt.Sprint(list[row*w:(row+1)*w]), " 0]")
}

func probe(path, kind string) (string, []string, []*problem.Error) {
	return format.Probe(path, kind)
}

// TestPagesAreRows: what is read by pages has, row for row, the bits of the
// file that is read whole, of every format, with selections, in any order.
func TestPagesAreRows(t *testing.T) {
	dir := place(t, 97)
	for _, c := range []struct {
		schema *data.Schema
		dim    string
		specs  []string
		given  map[string]int
		notes  int
	}{
		{table, "N", []string{"t.csv"}, nil, 0},
		{table, "N", []string{"t.tsv"}, nil, 0},
		{table, "N", []string{"q.csv"}, map[string]int{"N": 97}, 0},
		{table, "N", []string{"x=t.csv:x", "y=t.tsv:y"}, nil, 0},
		{table, "N", []string{"x=t.csv:x:skip=4%5", "y=s.libsvm:label:skip=4%5"}, nil, 0},
		{table, "N", []string{"t.csv:rows=10:50,60"}, nil, 0},
		{sparse, "N", []string{"x=s.libsvm", "y=s.libsvm:label"}, nil, 1},
		{sparse, "N", []string{"x=s.libsvm", "y=s.libsvm:label"}, map[string]int{"P": 20}, 0},
		{sparse, "N", []string{"x=s0.libsvm", "y=s0.libsvm:label"}, nil, 1},
		{table, "N", []string{"t.jsonl"}, nil, 0},
		{table, "N", []string{"x=t.jsonl:x.1,x.0:skip=1%3", "y=t.jsonl:y:skip=1%3"}, nil, 0},
		{table, "N", []string{"u.csv"}, nil, 0},
		{table, "N", []string{"d.csv"}, nil, 2},
		{levels, "N", []string{"l.jsonl"}, nil, 1},
		{levels, "N", []string{"l.csv"}, nil, 1},
		{levels, "N", []string{"l.csv:skip=1%4"}, nil, 1},
		{corpus, "D", []string{"w=c.ldac"}, nil, 2},
		{corpus, "D", []string{"w=c.docword"}, nil, 1},
		{corpus, "D", []string{"w=c.ldac:skip=1%3:words=0%2"}, map[string]int{"V": 20}, 1},
		{bags, "D", []string{"c=c.ldac"}, nil, 1},
		{bags, "D", []string{"c=c.docword"}, nil, 0},
		{columns, "N", []string{"p.parquet"}, nil, 0},
		{columns, "N", []string{"x=p.parquet:x:skip=2%7", "k=p.parquet:k:skip=2%7"}, nil, 0},
	} {
		for _, l := range []batch.Layout{{Block: 7, Window: 3}, {Block: 1, Window: 1},
			{Block: 200, Window: 2}, {Block: 8, Window: 3}} {
			t.Run(fmt.Sprint(c.specs, l.Block), func(t *testing.T) {
				t.Chdir(dir)
				var sets []string
				for name, n := range c.given {
					sets = append(sets, fmt.Sprintf("%s=%d", name, n))
				}
				want, _, errs := data.Bind(c.schema, c.specs, sets, data.Options{})
				if errs != nil {
					t.Fatal(errs)
				}
				b, errs := data.NewRowBinder(c.schema, c.specs, c.dim, probe)
				if errs != nil || len(b.Rest) > 0 {
					t.Fatal(errs, b.Rest)
				}
				p, notes, errs := Make(c.schema, b, c.dim,
					Options{Given: c.given, Block: l.Block, Window: l.Window,
						Spool: filepath.Join(dir, "spool"), Cache: l.Block == 8})
				if errs != nil {
					t.Fatal(Errors(errs))
				}
				if len(notes) != c.notes {
					t.Errorf("notes: %q", notes)
				}
				for name, n := range want.Dims {
					if p.Dims[name] != n {
						t.Errorf("%s is %d, in memory %d", name, p.Dims[name], n)
					}
				}
				for name, list := range want.Labels {
					if !slices.Equal(p.Labels[name], list) {
						t.Errorf("levels of %s are %q, in memory %q", name, p.Labels[name], list)
					}
				}
				raw, err := p.Marshal()
				if err != nil {
					t.Fatal(err)
				}
				if p, err = Unmarshal(raw); err != nil {
					t.Fatal(err)
				}
				s, errs := Open(p, c.schema, nil)
				if errs != nil {
					t.Fatal(Errors(errs))
				}
				defer s.Close()
				check(t, s, want, min(10, p.Layout.Rows))
				checkSome(t, s, want)
			})
		}
	}
}

// check reads three passes of pages and holds them against whole data. A page is given back, and
// overwritten with nonsense, when the one behind the next is read.
func check(t *testing.T, s *Source, want *data.Bound, size int) {
	pages := batch.NewPages(s.Plan.Layout, size, true, rng.New(1, 0, rng.Batch))
	r := s.Reader()
	seen := 0
	var before, last *data.Bound
	for n := range int64(3 * pages.Windows()) {
		left, blocks := pages.Page(n)
		if n == 3 {
			r = s.Reader() // as after a restart
		}
		if before != nil {
			for _, v := range before.Values {
				for i := range v.F64 {
					v.F64[i] = 1e300
				}
			}
			r.Reuse(before)
		}
		got, err := r.Load(left, blocks)
		if err != nil {
			t.Fatal(err)
		}
		before, last = last, got
		rows := r.Rows(nil)
		seen += len(rows) - len(left)
		for name, v := range got.Values {
			if v.Shape[0] != len(rows) {
				t.Fatalf("%s has %d rows, the page %d", name, v.Shape[0], len(rows))
			}
			for i, row := range rows {
				if g, w := rowText(v, i), rowText(want.Values[name], row); g != w {
					t.Fatalf("%s, row %d: %s, in memory %s", name, row, g, w)
				}
			}
		}
		if len(got.Values) != len(want.Values) {
			t.Fatalf("%d values, in memory %d", len(got.Values), len(want.Values))
		}
	}
	if seen != 3*s.Plan.Layout.Rows {
		t.Errorf("three passes have %d rows", seen)
	}
}

// Pages of numbers lie in two places, however many are read, and a page that could not be read
// leaves the one before as it was.
func TestReuse(t *testing.T) {
	t.Chdir(place(t, 300))
	s := open(t, table, "N", Options{Block: 10, Window: 4, Spool: "spool", Cache: true}, "t.csv")
	defer s.Close()
	r := s.Reader()
	places := map[*float64]bool{}
	var before, last *data.Bound
	for n := range 20 {
		if before != nil {
			r.Reuse(before)
		}
		first := n * 4 % 28
		left := []int(nil)
		if n%2 == 1 { // rows of the page before
			left = []int{(first-4)*10 + 3, first*10 - 1}
		}
		if n%7 == 0 {
			left = nil
		}
		page, err := r.Load(left, []int{first, first + 1, first + 2, first + 3}[:min(4, 30-first)])
		if err != nil {
			t.Fatal(err)
		}
		places[&page.Values["x"].F64[0]] = true
		before, last = last, page
	}
	if len(places) != 2 {
		t.Errorf("20 pages lie in %d places", len(places))
	}
	held := slices.Clone(last.Values["x"].F64)
	text, err := os.ReadFile(s.Plan.Files[0].Stored)
	if err != nil {
		t.Fatal(err)
	}
	text[s.Plan.Files[0].Blocks[2].Offset+5] ^= 1
	if err := os.WriteFile(s.Plan.Files[0].Stored, text, 0o666); err != nil {
		t.Fatal(err)
	}
	r.Reuse(before)
	if _, err := r.Load(nil, []int{0, 1, 2, 3}); err == nil ||
		!strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged block: %v", err)
	}
	if !slices.Equal(held, last.Values["x"].F64) {
		t.Error("the page before changed")
	}
	if page, err := r.Load(nil, []int{3, 4}); err != nil || page.Dims["N"] != 20 {
		t.Errorf("behind a damaged block: %v", err)
	}
}
