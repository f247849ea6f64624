package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// expected is written at the end of the line it speaks of: // ERROR E0401: a part of the message
var expected = regexp.MustCompile(`// ERROR ([EW]\d{4}): (.*)$`)

// wantDiags compares diagnostics with what the comments of the text expect:
// none missing, none extra.
func wantDiags(f *source.File, diags diag.List) (wrong []string) {
	type want struct{ code, part string }
	wants := map[int][]want{}
	for n := 1; n <= f.Lines(); n++ {
		line := f.Line(n)
		for _, one := range strings.Split(line, " && ")[0:] {
			if m := expected.FindStringSubmatch(one); m != nil {
				wants[n] = append(wants[n], want{m[1], m[2]})
			}
		}
	}
	for _, d := range diags {
		n := 0
		if d.File != nil {
			n = d.File.Position(d.Span.Start).Line
		}
		ok := false
		for i, w := range wants[n] {
			text := d.Message
			for _, note := range d.Notes {
				text += " | " + note.Text
			}
			if d.File == f && string(d.Code) == w.code && strings.Contains(text, w.part) {
				wants[n] = append(wants[n][:i:i], wants[n][i+1:]...)
				ok = true
				break
			}
		}
		if !ok {
			wrong = append(wrong,
				fmt.Sprintf("line %d: unexpected %s: %s %v", n, d.Code, d.Message, notes(d)))
		}
	}
	for n, ws := range wants {
		for _, w := range ws {
			wrong = append(wrong, fmt.Sprintf("line %d: missing %s: %s", n, w.code, w.part))
		}
	}
	return wrong
}

func notes(d *diag.Diagnostic) (out []string) {
	for _, n := range d.Notes {
		out = append(out, n.Text)
	}
	return out
}

func errorFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/errors/*.sg")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestErrors(t *testing.T) {
	files := errorFiles(t)
	if len(files) < 90 {
		t.Errorf("only %d programs", len(files))
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !expected.Match(text[:len(text)-1]) && !strings.Contains(string(text), "// ERROR ") {
			t.Errorf("%s expects nothing", path)
		}
		f := source.New(filepath.Base(path), string(text))
		tree, diags := parser.Parse(f)
		m := check.Check(tree, check.Options{})
		for _, w := range wantDiags(f, append(diags, m.Diags...)) {
			t.Errorf("%s: %s", path, w)
		}
	}
}

// ours says that a code is the checker's. E0610 comes of evaluating a check
// line, after it.
func ours(c diag.Code) bool {
	return c != "E0610" && (strings.HasPrefix(string(c), "E") && c[1] == '0' && c[2] >= '2' &&
		c[2] <= '6' || c == check.FactorConstant || c == check.NoNormaliser ||
		c == check.SingularFaces)
}

func TestExamples(t *testing.T) {
	seen := 0
	for _, e := range diag.Codes() {
		if !ours(e.Code) {
			continue
		}
		seen++
		_, diags := checkText("example", e.Example)
		found := false
		for _, d := range diags {
			found = found || d.Code == e.Code
		}
		if !found {
			t.Errorf("the example of %s (%s) does not make it:\n%s%s", e.Code, e.Title, e.Example,
				show(diags))
		}
	}
	if seen < 60 {
		t.Errorf("only %d codes", seen)
	}
}
