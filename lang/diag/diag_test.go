package diag

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sgppl/sgppl/lang/source"
)

func sample() List {
	f := source.New("m.sg", "dim N\ndata β[N]\t: reel\nlet a = f(\n  β)\n")
	var l List
	at := strings.Index(f.Text, "reel")
	l.Add(&Diagnostic{Code: "E0301", Message: "there is no type `reel`", File: f,
		Span: source.Span{Start: at, End: at + 4}}).
		Note("types stand in the reference").
		NoteAt(f, source.Span{Start: 4, End: 5}, "N is declared here").
		Suggest(source.Span{Start: at, End: at + 4}, "real")
	call := strings.Index(f.Text, "f(")
	l.Add(&Diagnostic{Code: "W0901", Severity: Warning, Message: "two lines", File: f,
		Span: source.Span{Start: call, End: len(f.Text) - 1}})
	l.Add(&Diagnostic{Code: "E0101", Message: "at the end", File: f,
		Span: source.Span{Start: len(f.Text), End: len(f.Text)}})
	l.Add(&Diagnostic{Message: "no file"})
	return l
}

const rendered = "m.sg:2:13: error[E0301]: there is no type `reel`\n" +
	"  2 | data β[N]   : reel\n" +
	"    |               ^^^^\n" +
	"     note: types stand in the reference\n" +
	"m.sg:1:5: note: N is declared here\n" +
	"  1 | dim N\n" +
	"    |     -\n" +
	"     try:\n" +
	"  2 | data β[N]   : real\n" +
	"\n" +
	"m.sg:3:9: warning[W0901]: two lines\n" +
	"  3 | let a = f(\n" +
	"    |         ^^\n" +
	"\n" +
	"m.sg:5:1: error[E0101]: at the end\n" +
	"  5 | \n" +
	"    | ^\n" +
	"\n" +
	"error: no file\n"

func TestRender(t *testing.T) {
	var b bytes.Buffer
	if err := sample().Render(&b, false); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(rendered, b.String()); d != "" {
		t.Error(d)
	}
}

// TestRenderColor checks that colours add nothing but escapes.
func TestRenderColor(t *testing.T) {
	var b bytes.Buffer
	if err := sample().Render(&b, true); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\x1b[1;31m") {
		t.Error("no red")
	}
	if d := cmp.Diff(rendered,
		regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(b.String(), "")); d != "" {
		t.Error(d)
	}
}

// TestRenderSafe checks that a text cannot drive the terminal.
func TestRenderSafe(t *testing.T) {
	f := source.New("m.sg", "let a\x1b[2J\u202e = 3\n")
	var b bytes.Buffer
	if err := (List{{Code: "E0102", Message: "m", File: f}}).Render(&b, false); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("%q", b.String())
	}
}

// TestRenderLong: many mistakes in a line of a megabyte, and a message that repeats
// it, are shown in a screenful each.
func TestRenderLong(t *testing.T) {
	text := strings.Repeat("β\x00", 60_000)
	f := source.New("m.sg", "let a = 1\n"+text+"\n")
	var l List
	for i := range 100 {
		at := 10 + 3*400*i
		l = append(l, &Diagnostic{Code: "E0102", Message: "near " + text, File: f,
			Span: source.Span{Start: at, End: at + 2}, Notes: []Note{{Text: text}},
			Edits: []Edit{{Text: "γ", Span: source.Span{Start: at, End: at + 2}}}})
	}
	var b bytes.Buffer
	if err := l.Render(&b, false); err != nil {
		t.Fatal(err)
	}
	if n := b.Len(); n > 100*8000 {
		t.Errorf("%d bytes", n)
	}
	lines := strings.Split(b.String(), "\n")
	if column := strings.IndexByte(lines[2], '^'); column < 0 ||
		[]rune(lines[1])[len([]rune(lines[2][:column]))] != 'β' {
		t.Errorf("the mark does not stand below its place:\n%s\n%s", lines[1], lines[2])
	}
	if j, err := json.Marshal(l.JSON()); err != nil || len(j) > 100*8000 {
		t.Errorf("%d bytes of JSON, %v", len(j), err)
	}
}

// TestRenderManyInLine: the work for a diagnostic depends on what is shown of its
// line, not on the line's length.
func TestRenderManyInLine(t *testing.T) {
	const n = 3500
	f := source.New("m.sg", strings.Repeat("(", n)+"\n")
	var l List
	for i := range n {
		l = append(l, &Diagnostic{Code: "E0103", Message: "m", File: f,
			Span: source.Span{Start: i, End: i + 1}})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := l.Render(io.Discard, false); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / n; each > 8000 {
		t.Errorf("a diagnostic allocates %d bytes, and shows %d columns", each, shownColumns)
	}
}

// TestWindow compares what is shown of a line with a slice of the whole line.
func TestWindow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("ab\t\tβ\x00\u202e語(")
	for range 2000 {
		line := make([]rune, random.IntN(700))
		var whole []rune // by columns
		var column []int // of each code point
		for i := range line {
			r := alphabet[random.IntN(len(alphabet))]
			line[i] = r
			column = append(column, len(whole))
			switch r {
			case '\t':
				whole = append(whole, []rune("    ")[:4-len(whole)%4]...)
			case 0, '\u202e':
				whole = append(whole, '\ufffd')
			default:
				whole = append(whole, r)
			}
		}
		column = append(column, len(whole))
		from := random.IntN(len(line) + 1)
		to := from + random.IntN(len(line)-from+1)
		at := columnsOf(string(line), from, to)
		if want := (columns{column[from], column[to], len(whole)}); at != want {
			t.Fatalf("%q: columns %+v, not %+v", string(line), at, want)
		}
		got, left := window(string(line), at)
		if want := max(0, at.from-shownColumns/3); at.end > shownColumns && left != want ||
			at.end <= shownColumns && left != 0 {
			t.Fatalf("%q: cut at column %d", string(line), left)
		}
		right := min(len(whole), left+shownColumns)
		want := slices.Clone(whole[left:right])
		if left > 0 {
			want[0] = '…'
		}
		if right < len(whole) {
			want = append(want, '…')
		}
		if got != string(want) {
			t.Fatalf("%q from %d: %q, not %q", string(line), left, got, string(want))
		}
	}
}

func TestJSON(t *testing.T) {
	text, err := json.Marshal(sample()[:2].JSON())
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"code":"E0301","severity":"error","message":"there is no type ` + "`reel`" +
		`","file":"m.sg","line":2,"column":13,"endLine":2,"endColumn":17,` +
		`"notes":[{"message":"types stand in the reference"},{"message":"N is declared here","place":{"file":"m.sg","line":1,"column":5,"endLine":1,"endColumn":6}}],` +
		`"edits":[{"file":"m.sg","line":2,"column":13,"endLine":2,"endColumn":17,"text":"real"}]},` +
		`{"code":"W0901","severity":"warning","message":"two lines","file":"m.sg","line":3,"column":9,"endLine":4,"endColumn":5,"notes":[],"edits":[]}]`
	if d := cmp.Diff(want, string(text)); d != "" {
		t.Error(d)
	}
	if text, _ := json.Marshal(List(nil).JSON()); string(text) != "[]" {
		t.Errorf("an empty list is %s", text)
	}
}

// TestTable holds the table of codes to its form.
func TestTable(t *testing.T) {
	form := regexp.MustCompile(`^(E0[1-7]|W09)\d\d$`)
	seen := map[Code]bool{}
	for _, e := range Codes() {
		if !form.MatchString(string(e.Code)) || seen[e.Code] {
			t.Errorf("%s is malformed or stands twice", e.Code)
		}
		seen[e.Code] = true
		if e.Title == "" || e.Text == "" {
			t.Errorf("%s lacks its title or text", e.Code)
		}
		if e.Example == "" && e.Code < "E02" {
			t.Errorf("%s lacks its example", e.Code)
		}
		if got, ok := Explain(e.Code); !ok || got != e {
			t.Errorf("Explain(%s) = %v", e.Code, got)
		}
	}
	if _, ok := Explain("E9999"); ok {
		t.Error("E9999 is explained")
	}
}
