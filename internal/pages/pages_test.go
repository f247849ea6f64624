package pages

import (
	"strings"
	"testing"
)

// TestEntries: everything has a page, a line for its table, and is found by each of its names.
func TestEntries(t *testing.T) {
	n := 0
	for _, table := range Tables() {
		if table.Title == "" || len(table.Entries) == 0 {
			t.Errorf("table %s has no title or no entries", table.Name)
		}
		for _, x := range table.Entries {
			n++
			if x.Line == "" || x.Page == "" {
				t.Errorf("%s has no line or no page", x.Name)
			}
			for _, name := range append([]string{x.Name}, x.Aliases...) {
				var b strings.Builder
				if !Print(&b, Tables(), name) {
					t.Errorf("there is no page %s", name)
				}
			}
		}
	}
	if n < 200 {
		t.Errorf("%d entries", n)
	}
	var b strings.Builder
	if Print(&b, Tables(), "norml") || b.Len() > 0 {
		t.Errorf("norml has a page: %s", b.String())
	}
	if got := Missing(Tables(), "dirichle"); !strings.Contains(got, "did you mean dirichlet?") {
		t.Error(got)
	}
}

// TestCodes: every code that is listed is explained, with its title, in either case.
func TestCodes(t *testing.T) {
	var list strings.Builder
	ListCodes(&list)
	for _, c := range allCodes() {
		if !strings.Contains(list.String(), c.code) {
			t.Errorf("%s is not listed", c.code)
		}
		for _, code := range []string{c.code, " " + strings.ToLower(c.code)} {
			var b strings.Builder
			if !Explain(&b, code) || !strings.HasPrefix(b.String(), c.code+": "+c.title) {
				t.Errorf("%q: %s", code, b.String())
			}
		}
	}
	var b strings.Builder
	if Explain(&b, "E0002x") {
		t.Errorf("no code is explained: %s", b.String())
	}
}
