package check_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/diag"
)

// corpora are the wrong programs of all phases, with what each is told.
var corpora = []string{"testdata/errors.golden", "../../parser/testdata/errors.txtar",
	"../lint/testdata/*.sg", "../../internal/driver/testdata/errors/*.sg"}

// elsewhere are codes whose programs stand in tests of their own.
var elsewhere = map[string]string{
	"E0117": "parser/limits_test.go makes programs that are nested too deep",
}

// TestEveryCode: each code has a program that causes it, in addition to the example of its
// explanation. The codes E07, of constructs that cannot be compiled yet, have only the example.
func TestEveryCode(t *testing.T) {
	told := map[string]int{}
	programs := 0
	for _, pattern := range corpora {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no file", pattern)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			programs += max(1, strings.Count(string(text), ".sg --\n"))
			for _, code := range regexp.MustCompile(`\b[EW]0\d{3}\b`).FindAllString(string(text),
				-1) {
				told[code]++
			}
		}
	}
	for _, e := range diag.Codes() {
		code := string(e.Code)
		if told[code] == 0 && elsewhere[code] == "" && !strings.HasPrefix(code, "E07") {
			t.Errorf("no program is told %s (%s)", code, e.Title)
		}
	}
	if programs < 500 {
		t.Errorf("only %d programs", programs)
	}
	t.Logf("%d programs, %d codes", programs, len(told))
}
