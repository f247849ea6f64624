// Package docs_test holds the documentation to what it says.
package docs_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

var update = flag.Bool("update", false, "write the examples of the pages in the layout of sgppl "+
	"fmt")

// A block is one ```sg example: what stands before it, its own text, and the
// line of the page that it begins on.
type block struct {
	before, text string
	data         string // JSON
	line         int
	start, end   int // of the text in the page
}

// blocks reads the examples of a page. ```sg start begins a preamble that
// stands before all further examples of its chapter, and ```json gives their data.
func blocks(page string) []block {
	var out []block
	preamble, values, inside, kind, next := "", "", -1, "", 0
	for n, line := range strings.SplitAfter(page, "\n") {
		at := next
		next += len(line)
		trimmed := strings.TrimRight(line, "\n")
		switch {
		case inside < 0 && (strings.HasPrefix(trimmed, "```sg") || trimmed == "```json"):
			inside, kind = at+len(line), strings.TrimPrefix(trimmed, "```")
		case inside >= 0 && trimmed == "```":
			b := block{before: preamble, data: values, text: page[inside:at], start: inside, end: at}
			b.line = n - strings.Count(b.text, "\n") + 1
			inside = -1
			if kind == "json" {
				values = b.text
				continue
			}
			if kind == "sg start" {
				preamble = b.text
			}
			out = append(out, b)
		case inside < 0 && (strings.HasPrefix(trimmed, "## ") ||
			strings.HasPrefix(trimmed, "### ")):
			preamble, values = "", ""
		}
	}
	return out
}

var mark = regexp.MustCompile(`// (error|is) (.*)$`)

var refused = regexp.MustCompile(`(?m)^.*// error E.*\n`)

// pages with examples, and how many there are at least.
var pages = map[string]int{"language.md": 40, "data.md": 2}

func TestPages(t *testing.T) {
	for name, least := range pages {
		t.Run(name, func(t *testing.T) { testPage(t, name, least) })
	}
}

func testPage(t *testing.T, name string, least int) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	list := blocks(page)
	if len(list) < least {
		t.Errorf("only %d examples", len(list))
	}
	for _, b := range list {
		t.Run(fmt.Sprintf("line%d", b.line), func(t *testing.T) { example(t, name, b) })
	}
	if *update && !t.Failed() {
		for i := len(list) - 1; i >= 0; i-- {
			b := list[i]
			f, diags := parser.Parse(source.New("m.sg", b.text))
			if diags.Errors() {
				continue
			}
			page = page[:b.start] + ast.Print(f) + page[b.end:]
		}
		if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// example holds one example to its marks: every error is announced, every
// announced error occurs, and without errors it compiles and has the values
// that it says.
func example(t *testing.T, page string, b block) {
	src := source.New(page, b.before+b.text)
	offset := strings.Count(b.before, "\n")
	_, m := driver.Check(src, driver.Options{})
	errors := expectations(b.text, "error", offset)
	match(t, src, m.Diags, errors, b.line-offset)
	own, bad := parser.Parse(source.New("m.sg", b.text))
	if printed := ast.Print(own); printed != b.text && !bad.Errors() && !*update {
		t.Errorf("line %d: not in the one layout; go test ./docs -update writes it:\n%s", b.line, printed)
	}
	if t.Failed() {
		return
	}
	// What remains without the refused lines is right.
	src = source.New("language.md", b.before+refused.ReplaceAllString(b.text, "\n"))
	c, diags := driver.Compile(src, driver.Options{})
	var later diag.List
	for _, d := range diags {
		if d.Severity == diag.Error {
			later = append(later, d)
		}
	}
	match(t, src, later, nil, b.line-offset)
	if c != nil {
		values(t, c, b)
	}
}

type expectation struct {
	line int // of the program
	text string
	code string
	met  bool
}

// expectations are the marks of one kind, with the line each stands on.
func expectations(text, kind string, offset int) []*expectation {
	var out []*expectation
	for i, line := range strings.Split(text, "\n") {
		if m := mark.FindStringSubmatch(line); m != nil && m[1] == kind {
			code, rest, _ := strings.Cut(m[2], ":")
			out = append(out, &expectation{line: offset + i + 1, text: strings.TrimSpace(rest),
				code: code})
		}
	}
	return out
}

func match(t *testing.T, src *source.File, diags diag.List, want []*expectation, shift int) {
	t.Helper()
	for _, d := range diags {
		if d.Severity != diag.Error {
			t.Errorf("line %d: %s: %s", src.Position(d.Span.Start).Line+shift, d.Code, d.Message)
			continue
		}
		line, found := src.Position(d.Span.Start).Line, false
		for _, w := range want {
			if w.line == line && w.code == string(d.Code) && strings.Contains(d.Message, w.text) {
				w.met, found = true, true
			}
		}
		if !found {
			t.Errorf("line %d: %s: %s", line+shift, d.Code, d.Message)
		}
	}
	for _, w := range want {
		if !w.met {
			t.Errorf("line %d: no %s %q", w.line+shift, w.code, w.text)
		}
	}
}

// values computes the tracked values of an example and compares them.
func values(t *testing.T, c *driver.Compiled, b block) {
	t.Helper()
	want := map[string]string{}
	for _, line := range strings.Split(b.text, "\n") {
		if m := mark.FindStringSubmatch(line); m != nil && m[1] == "is" {
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "track "), " ")
			want[name] = m[2]
		}
	}
	if len(want) == 0 {
		return
	}
	var files []string
	if b.data != "" {
		file := filepath.Join(t.TempDir(), "data.json")
		if err := os.WriteFile(file, []byte(b.data), 0o644); err != nil {
			t.Fatal(err)
		}
		files = []string{file}
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, files, nil, data.Options{})
	if errs != nil {
		t.Fatalf("line %d: %v", b.line, errs)
	}
	model, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, model.OutputLen())
	model.Evaluator(0).Constrain(make([]float64, model.Dim()), out)
	for _, o := range model.Outputs() {
		text, ok := want[o.Name]
		if !ok {
			continue
		}
		delete(want, o.Name)
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Errorf("line %d: %s is %s: %v", b.line, o.Name, text, err)
			continue
		}
		numbers, shape := flat(v)
		if fmt.Sprint(shape) != fmt.Sprint(append([]int{}, o.Shape...)) {
			t.Errorf("line %d: %s has shape %v, the page says %v", b.line, o.Name, o.Shape, shape)
			continue
		}
		for i, x := range numbers {
			if got := out[o.Offset+i]; math.Abs(got-x) > 1e-12*(1+math.Abs(x)) {
				t.Errorf("line %d: %s is %v, the page says %s", b.line, o.Name,
					out[o.Offset:o.Offset+o.Len], text)
				break
			}
		}
	}
	for name := range want {
		t.Errorf("line %d: %s is not tracked", b.line, name)
	}
}

// flat lays out nested JSON lists.
func flat(v any) (numbers []float64, shape []int) {
	switch v := v.(type) {
	case float64:
		return []float64{v}, []int{}
	case []any:
		for _, x := range v {
			n, s := flat(x)
			numbers, shape = append(numbers, n...), s
		}
		return numbers, append([]int{len(v)}, shape...)
	}
	return nil, nil
}

// TestNamed: the page names every type, and nothing that looks like a code of
// a message without there being one.
func TestNamed(t *testing.T) {
	text, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range types.Kinds {
		if k.Name != "" && !strings.Contains(string(text), "`"+k.Name) {
			t.Errorf("the type %s is not in the page", k.Name)
		}
	}
	for _, code := range regexp.MustCompile(`[EW]0\d{3}`).FindAllString(string(text), -1) {
		if _, ok := diag.Explain(diag.Code(code)); !ok {
			t.Errorf("%s is not a code", code)
		}
	}
}
