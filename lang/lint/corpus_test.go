package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// expected is written at the end of the line it speaks of: // WARN W0917: a part of the message
var expected = regexp.MustCompile(`// WARN (W\d{4}): (.*)$`)

// linted checks a text; errors are for the caller to look at.
func linted(name, text string, off ...diag.Code) (diag.List, bool) {
	f, diags := parser.Parse(source.New(name, text))
	m := check.Check(f, check.Options{})
	if diags.Errors() || m.Diags.Errors() {
		return append(diags, m.Diags...), false
	}
	return Model(m, off...), true
}

// TestCorpus holds what each program of testdata is warned of against the
// comments of its lines: none missing, none extra. Every lint has programs that
// are warned and programs that are not.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sg")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	warned := map[diag.Code]int{}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		got, ok := linted(filepath.Base(path), text)
		if !ok {
			t.Errorf("%s has errors: %v", path, told(got))
			continue
		}
		var want []string
		for i, line := range strings.Split(text, "\n") {
			for _, part := range strings.Split(line, " && ") {
				if m := expected.FindStringSubmatch(part); m != nil {
					want = append(want, fmt.Sprintf("%d %s %s", i+1, m[1], m[2]))
				}
			}
		}
		for _, d := range got {
			warned[d.Code]++
			line := d.File.Position(d.Span.Start).Line
			at := slices.IndexFunc(want, func(w string) bool {
				head := fmt.Sprintf("%d %s ", line, d.Code)
				return strings.HasPrefix(w, head) && strings.Contains(d.Message, w[len(head):])
			})
			if at < 0 {
				t.Errorf("%s:%d: unexpected %s %s", path, line, d.Code, d.Message)
				continue
			}
			want = slices.Delete(want, at, at+1)
			mends(t, path, text, d)
		}
		for _, w := range want {
			t.Errorf("%s: missing %s", path, w)
		}
	}
	for _, code := range Codes() {
		if warned[code] == 0 {
			t.Errorf("no program is warned of %s", code)
		}
	}
}

// mends makes the edits of a warning: the model has no errors then, and is not warned again.
func mends(t *testing.T, path, text string, d *diag.Diagnostic) {
	t.Helper()
	if len(d.Edits) == 0 {
		return
	}
	edits := slices.Clone(d.Edits)
	sort.Slice(edits, func(i, j int) bool { return edits[i].Span.Start > edits[j].Span.Start })
	mended := text
	for _, e := range edits {
		mended = mended[:e.Span.Start] + e.Text + mended[e.Span.End:]
	}
	after, ok := linted("mended.sg", mended)
	if !ok {
		t.Errorf("%s: the edit of %s (%s) makes errors: %v\n%s", path, d.Code, d.Message,
			told(after), mended)
		return
	}
	for _, a := range after {
		if a.Code == d.Code && a.Message == d.Message {
			t.Errorf("%s: the edit leaves %s %s", path, a.Code, a.Message)
		}
	}
}

// judged are the warnings of the reference models that were looked at and are
// right: posteriordb's flat priors and hard bounds are what it states.
var judged = map[string]string{
	"garch11": "W0912 W0912", "glm_poisson": "W0919 W0919 W0919 W0919", "half_normal": "W0912",
	"kidscore": "W0912", "logearn": "W0912 W0912",
	"logmesquite": "W0912 W0912", "nes": "W0912 W0912", "wells_dae": "W0912 W0912",
}

// TestNoFalseAlarms: the reference models and the examples are warned of what is so, and of nothing
// else.
func TestNoFalseAlarms(t *testing.T) {
	dir, ok := reference.Dir()
	if ok {
		files, _ := filepath.Glob(filepath.Join(dir, "models", "*.sg"))
		for _, path := range files {
			name := strings.TrimSuffix(filepath.Base(path), ".sg")
			if got := codesOf(t, path); got != judged[name] {
				t.Errorf("%s is warned of %q, and %q is right", name, got, judged[name])
			}
		}
	}
	root := filepath.Join("..", "..", "examples", "models")
	files, err := filepath.Glob(filepath.Join(root, "*.sg"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, path := range files {
		if got := codesOf(t, path); got != "" {
			t.Errorf("%s is warned of %s", path, got)
		}
	}
	// Reference posteriors state flat priors and hard bounds, and nothing else that is warned of.
	files, _ = filepath.Glob(filepath.Join(root, "posteriordb", "*.sg"))
	for _, path := range files {
		for _, code := range strings.Fields(codesOf(t, path)) {
			if diag.Code(code) != FlatPrior && diag.Code(code) != HardBounds {
				t.Errorf("%s is warned of %s", path, code)
			}
		}
	}
}

func codesOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list, ok := linted(filepath.Base(path), string(text))
	if !ok {
		t.Errorf("%s has errors: %v", path, told(list))
		return ""
	}
	var out []string
	for _, d := range list {
		out = append(out, string(d.Code))
	}
	return strings.Join(out, " ")
}

// TestOff: a lint that is off says nothing, and the others say what they said.
func TestOff(t *testing.T) {
	text := "data x : real\nparam m : real ~ normal(0, 1000)\nfactor m\n"
	all, _ := linted("m.sg", text)
	some, _ := linted("m.sg", text, Unused)
	if len(all) != 2 || len(some) != 1 || some[0].Code != NotUnitScale {
		t.Errorf("%v, and with one off %v", told(all), told(some))
	}
}
