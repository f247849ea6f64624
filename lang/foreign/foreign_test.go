package foreign_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/stdlib"
)

// told checks a program with one foreign name in its last line, and returns the
// diagnostic and what is left of them once its edits are made.
func told(t *testing.T, text string, code diag.Code) (*diag.Diagnostic, diag.List) {
	t.Helper()
	run := func(text string) diag.List {
		f, diags := parser.Parse(source.New("m.sg", text))
		return append(diags, check.Check(f, check.Options{}).Diags...)
	}
	diags := run(text)
	if len(diags) != 1 || diags[0].Code != code {
		for _, d := range diags {
			t.Errorf("%q makes %s %s", text, d.Code, d.Message)
		}
		if len(diags) == 0 {
			t.Errorf("%q makes nothing", text)
		}
		return nil, nil
	}
	d := diags[0]
	if len(d.Notes) == 0 {
		t.Errorf("%q is told without advice", text)
	}
	mended := text
	for _, e := range slices.Backward(d.Edits) {
		mended = mended[:e.Span.Start] + e.Text + mended[e.Span.End:]
	}
	return d, run(mended)
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// TestForeignFunctions walks the table: a row is told once, and its edit names
// nothing that does not exist. (The shapes are not those that each wants.)
func TestForeignFunctions(t *testing.T) {
	t.Parallel()
	ownFunctions, _ := stdlib.Source("functions")
	for _, name := range sorted(foreign.Functions) {
		h := foreign.Functions[name]
		if _, known := builtin.Lookup(name); known ||
			strings.Contains(ownFunctions, "\nfn "+name+"(") {
			t.Errorf("%s is a function of ours: its row has no use", name)
			continue
		}
		count := strings.Count(h.Form, "$")
		for n := 4; n > 0; n-- {
			if strings.Contains(h.Form, fmt.Sprintf("$%d", n)) {
				count = n
				break
			}
		}
		if h.Form == "" || strings.Contains(h.Form, "$*") {
			count = 2
		}
		code := check.NoSuchFunction
		if slices.Contains(stdlib.Names(), name) {
			code = check.NotAFunction
		}
		args := strings.Join([]string{"a", "b", "2", "3"}[:count], ", ")
		d, after := told(t, "data a[3], b[3] : positive\nfn f(t : real) -> real { t }\nlet r = "+
			name+"("+args+")\n", code)
		if d == nil {
			continue
		}
		if (h.Name != "" || h.Form != "") && len(d.Edits) != 1 {
			t.Errorf("%s: %d edits", name, len(d.Edits))
		}
		for _, d := range after {
			if len(after) > 0 && d.Code[:3] == "E02" && (h.Name != "" || h.Form != "") ||
				strings.HasPrefix(string(d.Code), "E01") {
				t.Errorf("%s: the edit leaves %s %s", name, d.Code, d.Message)
			}
		}
	}
}

func TestForeignDists(t *testing.T) {
	t.Parallel()
	have := stdlib.Names()
	for _, name := range sorted(foreign.Dists) {
		h := foreign.Dists[name]
		if name != strings.ToLower(name) || strings.Contains(name, "_") {
			t.Errorf("%s is not in lower case without underscores", name)
		}
		// what is ours in lower case is theirs with a capital
		theirs := strings.ToUpper(name[:1]) + name[1:]
		if h.Name != "" && h.Name != "mixture" && !slices.Contains(have, h.Name) {
			t.Errorf("%s: there is no distribution %s", name, h.Name)
			continue
		}
		args := "1, 1"
		for n := 4; n > 0; n-- {
			if strings.Contains(h.Form, fmt.Sprintf("$%d", n)) ||
				strings.Contains(h.Form, fmt.Sprintf("$!%d", n)) {
				args = strings.Join([]string{"1", "1", "1", "2"}[:n], ", ")
				break
			}
		}
		d, after := told(t, "param w : positive ~ "+theirs+"("+args+")\n", check.NoSuchDist)
		if d == nil {
			continue
		}
		for _, d := range after {
			if d.Code == check.NoSuchDist && h.Name != "" && h.Name != "mixture" ||
				strings.HasPrefix(string(d.Code), "E01") {
				t.Errorf("%s: the edit leaves %s %s", name, d.Code, d.Message)
			}
		}
	}
}

// A distribution after ~ by the name of its density loses the ending.
func TestForeignEndings(t *testing.T) {
	t.Parallel()
	for _, ending := range sorted(foreign.Endings) {
		if d, after := told(t, "param w : real ~ cauchy"+ending+"(0, 1)\n", check.NoSuchDist); d !=
			nil && len(after) > 0 {
			t.Errorf("%s: the edit leaves %s", ending, after[0].Message)
		}
	}
}

func TestForeignTypes(t *testing.T) {
	for _, name := range sorted(foreign.Types) {
		h := foreign.Types[name]
		if _, ok := types.KindNamed(h.Name); !ok && h.Note == "" {
			t.Errorf("%s: there is no type %s", name, h.Name)
		}
		d, after := told(t, "data x : "+name+"\n", check.NoSuchType)
		if d != nil && h.Note == "" && len(after) > 0 && after[0].Code == check.NoSuchType {
			t.Errorf("%s: the edit leaves %s", name, after[0].Message)
		}
	}
}

func TestForeignValues(t *testing.T) {
	for _, name := range sorted(foreign.Values) {
		d, after := told(t, "track a = if 1 > 2 then "+name+" else "+name+"\n", check.NoSuchValue)
		if d != nil && foreign.Values[name].Name != "" && len(after) > 1 {
			t.Errorf("%s: the edit leaves %s", name, after[0].Message)
		}
	}
}

// TestForeignMethods walks x.f(…) of Python's arrays, and the modules of its libraries.
func TestForeignMethods(t *testing.T) {
	for _, name := range sorted(foreign.Methods) {
		args := ""
		if strings.Contains(foreign.Methods[name].Form, "$2") {
			args = "2"
		}
		d, after := told(t, "data x[3] : positive\nlet r = x."+name+"("+args+")\n",
			check.NoSuchPart)
		if d != nil && foreign.Methods[name].Form != "" &&
			(len(d.Edits) != 1 || len(after) > 0 && after[0].Code[:3] == "E02") {
			t.Errorf("%s: %v leaves %v", name, d.Edits, after)
		}
	}
	for _, m := range sorted(foreign.Modules) {
		f, diags := parser.Parse(source.New("m.sg", "data x : real\nlet r = "+m+".exp(x)\n"))
		got := append(diags, check.Check(f, check.Options{}).Diags...)
		if len(got) != 1 || got[0].Code != check.NoSuchFunction || len(got[0].Edits) != 1 {
			t.Errorf("%s.exp makes %d diagnostics", m, len(got))
		}
	}
}
