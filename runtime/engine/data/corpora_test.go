package data

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// bindFiles writes files into a fresh directory and binds what is said of them.
func bindFiles(
	t *testing.T, s *Schema, files map[string]string, opt Options, specs ...string,
) (*Bound, []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, notes, errs := Bind(s, specs, nil, opt)
	if errs != nil {
		t.Fatal(errs[0])
	}
	return b, notes
}

// showBound writes sizes and values on one line.
func showCorpus(b *Bound) string {
	out := []string{fmt.Sprint(b.Dims)[3:]}
	for _, v := range slices.Sorted(maps.Keys(b.Values)) {
		out = append(out, v+"="+show(b.Values[v]))
	}
	return strings.Join(out, " ")
}

const (
	asLDAC    = "2 3:2 0:1\n0\n1 1:1\n"          // in any order
	asDocword = "3\n6\n3\n1 1 1\n1 4 2\n3 2 1\n" // three documents, six words
	shuffled  = "3\n6\n3\n3 2 1\n1 4 2\n1 1 1\n" // the same

)

func TestCorpora(t *testing.T) {
	vocabulary := "a\nb\nc\nd\ne\n"
	for _, c := range []struct {
		name  string
		some  string // inputs
		files map[string]string
		data  []string
		names []string
		want  string
		notes string
	}{
		{"words of LDA-C", "w", map[string]string{"c.ldac": asLDAC}, []string{"w=c.ldac"}, nil,
			"[D:3 V:4 W:3] W.length=[3] [3 0 1] w=[3 3] [0 3 3 0 0 0 1 0 0]",
			"V = 4, from the largest index of w; --set V=… says otherwise"},
		{"words and a vocabulary", "w", map[string]string{"c.ldac": asLDAC, "v": vocabulary},
			[]string{"w=c.ldac"}, []string{"V=v"},
			"[D:3 V:5 W:3] W.length=[3] [3 0 1] w=[3 3] [0 3 3 0 0 0 1 0 0]", ""},
		{"compressed, by its content", "w",
			map[string]string{"ap.dat.gz": zipped(asLDAC), "v.gz": zipped(vocabulary)},
			[]string{"w=ap.dat.gz"}, []string{"V=v.gz"},
			"[D:3 V:5 W:3] W.length=[3] [3 0 1] w=[3 3] [0 3 3 0 0 0 1 0 0]", ""},
		{"by its format", "w", map[string]string{"c": asLDAC}, []string{"w=c:tokens:format=ldac"},
			nil,
			"[D:3 V:4 W:3] W.length=[3] [3 0 1] w=[3 3] [0 3 3 0 0 0 1 0 0]",
			"V = 4, from the largest index of w; --set V=… says otherwise"},
		{"counts of LDA-C", "x n", map[string]string{"c.ldac": asLDAC},
			[]string{"x=c.ldac", "n=c.ldac"}, nil,
			"[D:3 V:4] n=[3] [3 0 1] x=[3 4] 3×4 [0 2 2 3] [0 3 1] [1 2 1]",
			"V = 4, from the largest index of x; --set V=… says otherwise"},
		{"words of docword", "w", map[string]string{"docword.c.txt": asDocword},
			[]string{"w=docword.c.txt"}, nil,
			"[D:3 V:6 W:3] W.length=[3] [3 0 1] w=[3 3] [0 3 3 0 0 0 1 0 0]", ""},
		{"all of docword, in no order", "", map[string]string{"c.txt.gz": zipped(shuffled)},
			[]string{"w=c.txt.gz", "x=c.txt.gz", "n=c.txt.gz:lengths"}, nil,
			"[D:3 V:6 W:3] W.length=[3] [3 0 1] n=[3] [3 0 1] w=[3 3] [0 3 3 0 0 0 1 0 0] x=[3 " +
				"6] 3×6 [0 2 2 3] [0 3 1] [1 2 1]", ""},
		{"documents of one length", "w", map[string]string{"c.ldac": "1 1:2\n2 0:1 1:1\n"},
			[]string{"w=c.ldac"}, nil,
			"[D:2 V:2 W:2] W.length=[2] [2 2] w=[2 2] [1 1 0 1]",
			"V = 2, from the largest index of w; --set V=… says otherwise"},
		{"lengths of documents", "w",
			map[string]string{"c.ldac": asLDAC, "w.json": "[[0, 3, 3], [9, 9, 9], [1, -9, 9]]"},
			[]string{"W=c.ldac", "w=w.json"}, nil,
			"[D:3 V:4 W:3] W.length=[3] [3 0 1] w=[3 3] [0 3 3 0 0 0 1 0 0]",
			"V = 4, from the largest index of w; --set V=… says otherwise"},
		{"training documents have the words of all", "w", map[string]string{"c.ldac": asLDAC},
			[]string{"w=c.ldac:skip=0%2"}, nil,
			"[D:1 V:4 W:1] W.length=[1] [0] w=[1 1] [0]",
			"V = 4, from the largest index of w; --set V=… says otherwise"},
		{"rows of counts", "x n", map[string]string{"c.ldac": asLDAC},
			[]string{"x=c.ldac:rows=1:", "n=c.ldac:rows=2,1"}, nil,
			"[D:2 V:4] n=[2] [0 1] x=[2 4] 2×4 [0 0 1] [1] [1]",
			"V = 4, from the largest index of x; --set V=… says otherwise"},
		{"no words at all", "x", map[string]string{"docword.c.txt": "2\n3\n0\n"},
			[]string{"x=docword.c.txt"}, nil, "[D:2 V:3] x=[2 3] 2×3 [0 0 0] [] []", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, notes := bindFiles(t, words(strings.Fields(c.some)...), c.files,
				Options{Names: c.names}, c.data...)
			if got := showCorpus(b); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := strings.Join(notes, "\n"); got != c.notes {
				t.Errorf("notes %q, want %q", got, c.notes)
			}
			if n := len(c.names); n > 0 && strings.Join(b.Labels["V"], "\n")+"\n" != vocabulary {
				t.Errorf("labels %v", b.Labels)
			}
		})
	}
}

// TestLongDocument: one long document costs the others nothing.
func TestLongDocument(t *testing.T) {
	text := "1 0:100000\n" + strings.Repeat("1 300:1\n", 100_000)
	b, notes := bindFiles(t, words("w"), map[string]string{"c.ldac": text},
		Options{Fixed: map[string]int{"V": 301}}, "w=c.ldac")
	p := b.Values["w"].Packed
	if notes != nil || p == nil || len(p.Int32) != 200_000 || p.Len() != 100_001*100_000 {
		t.Fatalf("%+v %q", b.Values["w"], notes)
	}
	row := make([]float64, p.Width())
	for i, want := range map[int]float64{0: 0, 1: 300, 100_000: 300} {
		row[1] = -1
		if array.Row(p, row, i); row[0] != want || row[1] != 0 {
			t.Errorf("row %d begins with %v", i, row[:2])
		}
	}
}

// TestTermsAndRepeats: every word of a document once, and how often.
func TestTermsAndRepeats(t *testing.T) {
	for name, text := range map[string]string{"c.ldac": asLDAC, "docword.c.txt": asDocword} {
		s := words("w")
		s.Inputs = append(s.Inputs, Input{Name: "c", Kind: Count, Shape: shape("D", "W")})
		b, _ := bindFiles(t, s, map[string]string{name: text},
			Options{Fixed: map[string]int{"V": 6}}, "w="+name+":terms", "c="+name)
		if got, want := showCorpus(b),
			"[D:3 V:6 W:2] W.length=[3] [2 0 1] c=[3 2] [1 2 0 0 1 0] w=[3 2] [0 3 0 0 1 0]"; got !=
			want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	t.Chdir(t.TempDir())
	os.WriteFile("c.ldac", []byte(asLDAC), 0o644)
	s := words("w")
	s.Inputs = append(s.Inputs, Input{Name: "c", Kind: Count, Shape: shape("D", "W")})
	if _, _, errs := Bind(s, []string{"w=c.ldac", "c=c.ldac"}, nil, Options{}); len(errs) != 1 ||
		errs[0].Code != "D0129" {
		t.Errorf("words beside repeats: %v", errs)
	}
}

// TestPaddedLengths: lengths that are not as many as rows are an error, whoever
// is asked first.
func TestPaddedLengths(t *testing.T) {
	for _, lengths := range []string{"[1, 1]", "[1, 1, 1, 1]"} {
		t.Chdir(t.TempDir())
		os.WriteFile("d.json", []byte(`{"w": [[0, 3], [1, 0], [2, 0]], "W": `+lengths+`}`), 0o644)
		_, _, errs := Bind(words("w"), []string{"d.json"}, nil, Options{})
		if len(errs) != 1 || errs[0].Code != "D0120" {
			t.Errorf("lengths %s: %v", lengths, errs)
		}
	}
}

// TestCorpusAsNumbers: what takes counts takes them whatever its storage.
func TestCorpusAsNumbers(t *testing.T) {
	for _, in := range []Input{{Kind: Real, Sparse: true}, {Kind: Real},
		{Kind: Count, Sparse: true}, {Kind: Count}} {
		in.Name, in.Shape = "x", shape("D", "V")
		s := &Schema{Dims: []Dim{{Name: "D"}, {Name: "V"}}, Inputs: []Input{in}}
		for name, text := range map[string]string{"c.ldac": asLDAC, "docword.c.txt": asDocword} {
			b, _ := bindFiles(t, s, map[string]string{name: text},
				Options{Fixed: map[string]int{"V": 6}}, "x="+name)
			got := b.Values["x"].F64
			if in.Sparse {
				got = b.Values["x"].CSR.Dense(6)
			}
			if want := []float64{1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
				0}; !slices.Equal(got, want) {
				t.Errorf("%s as %s: %v", name, in.Type(), got)
			}
		}
	}
}

// TestFrom1: a list that counts from 1 may be declared so; in a docword file,
// whose words always do, the declaration changes nothing.
func TestFrom1(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"c.ldac", "2 1:1 3:2\n1 2:1\n", "[2 3] [0 2 2 1 0 0]"},
		{"docword.c.txt", "2\n3\n3\n1 1 1\n1 3 2\n2 2 1\n", "[2 3] [0 2 2 1 0 0]"},
	} {
		s := words("w")
		s.Inputs[0].From = 1
		b, _ := bindFiles(t, s, map[string]string{c.file: c.text},
			Options{Fixed: map[string]int{"V": 3}}, "w="+c.file)
		if got := show(b.Values["w"]); got != c.want {
			t.Errorf("%s: %s, want %s", c.file, got, c.want)
		}
	}
}

// TestHalves: the words of a document that one half has not are the other's,
// whatever other documents are read.
func TestHalves(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for range 20 {
		n := r.IntN(8)
		fmt.Fprint(&text, n)
		for _, k := range r.Perm(10)[:n] {
			fmt.Fprintf(&text, " %d:%d", k, 1+r.IntN(5))
		}
		text.WriteByte('\n')
	}
	files := map[string]string{"c.ldac": text.String()}
	dense := func(spec string) []float64 {
		b, _ := bindFiles(t, words("x"), files, Options{Fixed: map[string]int{"V": 10}},
			"x=c.ldac"+spec)
		return b.Values["x"].CSR.Dense(10)
	}
	all, first, second := dense(""), dense(":words=0%2"), dense(":words=1%2")
	odd := 0
	for d := range 20 {
		a, b := 0.0, 0.0
		for k := range 10 {
			i := d*10 + k
			if first[i]+second[i] != all[i] {
				t.Fatalf("document %d, word %d: %v and %v of %v", d, k, first[i], second[i], all[i])
			}
			a, b = a+first[i], b+second[i]
			if first[i] > second[i]+1 {
				odd++ // an alternating order would never part equal words so
			}
		}
		if a != b && a != b+1 {
			t.Errorf("document %d is parted into %v and %v words", d, a, b)
		}
	}
	if odd == 0 {
		t.Error("words are parted one by one, not at random")
	}
	if got := dense(":rows=5:8:words=0%2"); !slices.Equal(got, first[50:80]) {
		t.Errorf("parted otherwise in a part of the documents: %v, not %v", got, first[50:80])
	}
	b, _ := bindFiles(t, words("w"), files, Options{Fixed: map[string]int{"V": 10}},
		"w=c.ldac:words=0%2")
	counts := make([]float64, 200)
	for d, n := range b.Values["W.length"].F64 {
		for _, k := range b.Values["w"].Floats()[d*b.Dims["W"]:][:int(n)] {
			counts[d*10+int(k)]++
		}
	}
	if !slices.Equal(counts, first) {
		t.Error("tokens and counts are parted differently")
	}
}

// TestSelectRows takes rows of every storage.
func TestSelectRows(t *testing.T) {
	list := Ragged([]float64{1, 2, 3, 4, 5, 6}, [][]int{{4}, {2, 0, 1, 1}, {2, 1, 0, 3}})
	list.Origin = &array.Origin{File: "f", First: 3}
	for _, c := range []struct {
		v       *Value
		part    string
		want    string
		listing string
	}{
		{Dense([]float64{1, 2, 3, 4, 5, 6}, 3, 2), "rows=0,2", "[2 2] [1 2 5 6]", ""},
		{Dense([]float64{1, 2, 3}, 3), "skip=1", "[2] [1 3]", ""},
		{&Value{Shape: []int{3},
			Bytes: &array.Bytes{Code: []uint8{7, 8, 9}, Level: array.PlainLevels}}, "rows=1:",
			"[2] [8 9]", ""},
		{Sparse(FromRows([][]float64{{0, 1}, {2, 3}, {0, 0}}, 2)), "rows=1:",
			"[2 2] 2×2 [0 2 2] [0 1] [2 3]", ""},
		{Sparse(FromRows([][]float64{{0, 1}, {1, 1}, {0, 0}}, 2)), "rows=1%2",
			"[1 2] 1×2 [0 2] [0 1] []", ""},
		{&Value{Shape: []int{2, 2, 3},
			CSR: FromRows([][]float64{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {4, 0, 0}}, 3)}, "rows=1",
			"[1 2 3] 2×3 [0 1 2] [2 0] [3 4]", ""},
		{&Value{Shape: []int{2, 2, 0}, CSR: &CSR{Rows: 4, Indptr: make([]int, 5)}}, "rows=1",
			"[1 2 0] 2×0 [0 0 0] [] []", ""},
		{list, "skip=0", "[3 1 3] [4 5 6]", "[[3] [0 1 1] [0 3]]"},
		{list, "rows=0,1", "[2 2 2] [1 2 3]", "[[2] [2 0] [2 1]]"},
	} {
		key, value, _ := strings.Cut(c.part, "=")
		sel, problem := parseSelectors([]string{key + "=" + value})
		got, errs := sel.pick(format.NewTable("f", ""), c.v)
		if problem != "" || errs != nil {
			t.Fatal(problem, errs)
		}
		if show(got) != c.want || c.listing != "" && fmt.Sprint(got.Lists) != c.listing {
			t.Errorf("%s: %s %v, want %s", c.part, show(got), got.Lists, c.want)
		}
		if got.Lists != nil && got.ListsDefect() != "" {
			t.Error(got.ListsDefect())
		}
		if o := got.Origin; o != nil &&
			(o.Part != c.part || o.Line(0) != 3+map[string]int{"skip=0": 1}[c.part]) {
			t.Errorf("%s: %+v", c.part, o)
		}
	}
}

func TestSelectors(t *testing.T) {
	for text, want := range map[string]string{"4%5": "4 9 14", "3:6": "3 4 5", "18:": "18 19",
		":2": "0 1", "7": "7", "0:4,2:5,19": "0 1 2 3 4 19"} {
		s, wrong := parseSelection(text)
		var got []string
		for i := range 20 {
			if wrong == "" && s.has(i) && (text != "4%5" || i < 19) {
				got = append(got, fmt.Sprint(i))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "a", "-1", "+1", "3:2", "5%5", "1%0", "1%", "%2", "1,,2",
		"1:2:3", "99999999999999999999"} {
		if _, wrong := parseSelection(text); wrong == "" {
			t.Errorf("%q is a selection", text)
		}
	}
	for text, want := range map[string]string{"a.ldac": "a.ldac []",
		"a:b:rows=0:3":                   "a:b [rows=0:3]",
		"a:rows=0:3,5:skip=1%2:words=:4": "a [rows=0:3,5 skip=1%2 words=:4]"} {
		if rest, list := selectorsOf(text); fmt.Sprint(rest, " ", list) != want {
			t.Errorf("%s: %s %v", text, rest, list)
		}
	}
	t.Chdir(t.TempDir())
	os.WriteFile("a:rows=1", nil, 0o644)
	if rest, list := selectorsOf("a:rows=1"); rest != "a:rows=1" || list != nil {
		t.Errorf("%s %v where a file is called so", rest, list)
	}
}

// TestNamesNotes: a vocabulary that has a word twice is told.
func TestNamesNotes(t *testing.T) {
	b, notes := bindFiles(t, &Schema{Dims: []Dim{{Name: "K"}}},
		map[string]string{"k": "a\n b b \r\na\nb b\n\n"}, Options{Names: []string{"K=k"}})
	if b.Dims["K"] != 4 || strings.Join(b.Labels["K"], ",") != "a,b b,a,b b" {
		t.Errorf("%v %q", b.Dims, b.Labels)
	}
	if got := strings.Join(notes, "\n"); got !=
		`k: "a" comes twice, in lines 1 and 3, and 1 more do` {
		t.Error(got)
	}
	b, _ = bindFiles(t, &Schema{Dims: []Dim{{Name: "K"}}}, nil,
		Options{Labels: map[string][]string{"K": {"x", "y"}}})
	if b.Dims["K"] != 2 || len(b.Labels["K"]) != 2 {
		t.Errorf("%v %q", b.Dims, b.Labels)
	}
}
