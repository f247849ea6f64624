package formula

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestPage: docs/formula.md has each family with its links, and -update writes them; and the
// page of `sgppl doc` has all families and each part of the notation that the models of
// testdata use.
func TestPage(t *testing.T) {
	file := "../../docs/formula.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range families {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.name, strings.Join(f.links, ", "), f.about)
	}
	const head = "| family | links | response |\n| --- | --- | --- |\n"
	before, after, found := strings.Cut(string(text), head)
	if !found {
		t.Fatalf("%s has no table of families", file)
	}
	_, rest, _ := strings.Cut(after, "\n\n")
	if want := before + head + b.String() + "\n" + rest; want != string(text) {
		if !*update {
			t.Fatalf("%s is behind the table of families; -update writes it", file)
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page := Page()
	for _, f := range families {
		if !strings.Contains(page, "\n  "+f.name+" (") {
			t.Errorf("the page of sgppl doc does not have family %s", f.name)
		}
	}
}
