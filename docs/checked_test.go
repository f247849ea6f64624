package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testName matches a test as checked.md names it: its package's folder, its
// function, and the script or sub-test where the row is about one of them.
var testName = regexp.MustCompile("`([a-z0-9/]+) " +
	"((?:Test|Fuzz)[A-Za-z0-9]+)(?:/([A-Za-z0-9_-]+))?`")

// TestChecked holds checked.md to the tests that it names: each row of a table
// of promises ends with at least one test, and every test named is there.
func TestChecked(t *testing.T) {
	text, err := os.ReadFile("checked.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := promiseRows(string(text))
	if len(rows) < 40 {
		t.Errorf("%d rows of promises, expected at least 40", len(rows))
	}
	for _, row := range rows {
		named := testName.FindAllStringSubmatch(row.tests, -1)
		if len(named) == 0 {
			t.Errorf("line %d names no test: %s", row.line, row.tests)
		}
		for _, m := range named {
			if err := findTest(m[1], m[2], m[3]); err != nil {
				t.Errorf("line %d: %v", row.line, err)
			}
		}
	}
}

// A promiseRow is a row of a table whose first column is headed "promise".
type promiseRow struct {
	line  int
	tests string // its last column
}

func promiseRows(page string) []promiseRow {
	var out []promiseRow
	inside := false
	for i, line := range strings.Split(page, "\n") {
		switch {
		case strings.HasPrefix(line, "| promise |"):
			inside = true
		case !strings.HasPrefix(line, "|"):
			inside = false
		case inside && !strings.HasPrefix(line, "| ---"):
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			out = append(out, promiseRow{i + 1, cells[len(cells)-1]})
		}
	}
	return out
}

// findTest reports an error unless the folder has a test function of that name
// and, if sub is given, a script sub.txtar or a file of tests that mentions it.
func findTest(dir, name, sub string) error {
	files, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
	if err != nil {
		return err
	}
	found, mentioned := false, sub == ""
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		found = found || strings.Contains(string(text), "func "+name+"(")
		mentioned = mentioned || strings.Contains(string(text), sub)
	}
	scripts, err := filepath.Glob(filepath.Join("..", dir, "testdata", "*", sub+".txtar"))
	if err != nil {
		return err
	}
	switch {
	case !found:
		return fmt.Errorf("%s has no test function %s", dir, name)
	case !mentioned && len(scripts) == 0:
		return fmt.Errorf("%s has no script or sub-test %s of %s", dir, sub, name)
	}
	return nil
}
