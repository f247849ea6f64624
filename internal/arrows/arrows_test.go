// Package arrows_test holds the imports of the whole tree to a table.
package arrows_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/sgppl/sgppl"

var update = flag.Bool("update", false, "add packages that are new to the table, and take away "+
	"imports that are gone")

// A row of the table is a package and the packages of this module that it may import.
type row struct {
	name string
	may  []string
}

// TestArrows: every package imports what its row of arrows.txt allows, and each row
// stands above the rows of what it may import, so that no import goes back up. Imports of
// tests are not looked at.
func TestArrows(t *testing.T) {
	text, err := os.ReadFile("arrows.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, place := parse(t, string(text))
	imports := load(t)
	for name, of := range imports {
		i, known := place[name]
		if !known {
			t.Errorf("%s has no row in arrows.txt: add it above the packages that it imports, %v",
				name, of)
			continue
		}
		for _, to := range of {
			if !slices.Contains(rows[i].may, to) {
				t.Errorf("%s imports %s, which its row does not allow", name, to)
			}
		}
	}
	for i, r := range rows {
		of, there := imports[r.name]
		if !there {
			t.Errorf("arrows.txt has a row for %s, which is no package", r.name)
			continue
		}
		for _, to := range r.may {
			if !slices.Contains(of, to) {
				t.Errorf("%s need not import %s: take it out of its row", r.name, to)
			}
			if place[to] <= i {
				t.Errorf("%s stands below %s, which it may import", r.name, to)
			}
		}
	}
	if len(rows) < 40 {
		t.Errorf("only %d rows", len(rows))
	}
	if t.Failed() && *update {
		if err := os.WriteFile("arrows.txt", []byte(sorted(imports)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// parse reads lines of the form "package: import import …", and returns the rows with
// the place of each.
func parse(t *testing.T, text string) (rows []row, place map[string]int) {
	place = map[string]int{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, may, found := strings.Cut(line, ":")
		if _, twice := place[name]; !found || twice {
			t.Fatalf("arrows.txt: %q is not a row, or stands there twice", line)
		}
		place[name] = len(rows)
		rows = append(rows, row{name, strings.Fields(may)})
	}
	return rows, place
}

// load returns the imports within the module of each of its packages, the benchmarks'
// and the examples' excepted.
func load(t *testing.T) map[string][]string {
	t.Helper()
	all, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedImports,
		Dir: "../.."}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, p := range all {
		name, ours := within(p.PkgPath)
		if !ours || strings.HasPrefix(name, "bench") {
			continue
		}
		of := []string{}
		for path := range p.Imports {
			if to, ours := within(path); ours {
				of = append(of, to)
			}
		}
		slices.Sort(of)
		out[name] = of
	}
	return out
}

// within returns the place of a package in the module.
func within(path string) (name string, ours bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// sorted is the table of imports as they are: what imports most levels of others first.
func sorted(imports map[string][]string) string {
	level := map[string]int{}
	var of func(name string) int
	of = func(name string) int {
		if l, done := level[name]; done {
			return l
		}
		l := 0
		for _, to := range imports[name] {
			l = max(l, of(to)+1)
		}
		level[name] = l
		return l
	}
	var names []string
	for name := range imports {
		of(name)
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if level[a] != level[b] {
			return level[b] - level[a]
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	b.WriteString("# The packages of this module, and which of them each imports. A package " +
		"stands above those\n# that it imports. A new arrow is a decision: go test " +
		"./internal/arrows -update writes this file.\n")
	for _, name := range names {
		b.WriteString(strings.TrimSpace(name+": "+strings.Join(imports[name], " ")) + "\n")
	}
	return b.String()
}
