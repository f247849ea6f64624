package stdlib_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/stdlib"
)

// The files of the library: distributions have one each, and modules are the others.
var distributions, modules = split()

func split() (distributions, modules []string) {
	for _, name := range stdlib.Names() {
		if text, _ := stdlib.Source(name); strings.Contains("\n"+text, "\ndist ") {
			distributions = append(distributions, name)
		} else {
			modules = append(modules, name)
		}
	}
	return distributions, modules
}

// unsampled are the distributions whose generator is not written yet: those of
// the unnormalised ones reject, and need roots of the runtime.
var unsampled = []string{"matrix_langevin", "watson"}

func TestNames(t *testing.T) {
	if len(distributions) < 60 || !slices.Contains(modules, "functions") ||
		!slices.Contains(modules, "nn") {
		t.Errorf("the distributions are %v, the modules %v", distributions, modules)
	}
	for _, name := range stdlib.Names() {
		text, ok := stdlib.Source(name)
		file, err := fs.ReadFile(stdlib.FS(), name+".sg")
		if !ok || err != nil || text == "" || text != string(file) {
			t.Errorf("%s: Source and FS do not agree on a text", name)
		}
	}
	for _, name := range []string{"", "no_such_file", "../stdlib/normal", "normal.sg"} {
		if text, ok := stdlib.Source(name); ok || text != "" {
			t.Errorf("Source(%q) = %q, %v; want none", name, text, ok)
		}
	}
}

var (
	header    = regexp.MustCompile(`(?m)^(dist|fn|layer) (\w+)\(`)
	citation  = regexp.MustCompile(`(?m)^/// Source: .*\(\d{4}\)`)
	checkLine = regexp.MustCompile(`(?m)^  check logpdf\(`)
	lineOf    = func(form string) *regexp.Regexp {
		return regexp.MustCompile(`(?m)^  ` + form + ` = `)
	}
)

// TestForm holds every distribution to the same form: one file, one dist of
// its name, a doc that cites its source, a density, a generator, test points.
func TestForm(t *testing.T) {
	for _, name := range distributions {
		text, _ := stdlib.Source(name)
		heads := header.FindAllStringSubmatch(text, -1)
		if len(heads) != 1 || heads[0][1] != "dist" || heads[0][2] != name {
			t.Errorf("%s: declares %v, want the one dist", name, heads)
		}
		if !strings.HasPrefix(text, "/// ") || !citation.MatchString(text) {
			t.Errorf("%s: want a doc that starts the file and names its source with a year", name)
		}
		if !lineOf(`logpdf\(\w\)`).MatchString(text) {
			t.Errorf("%s: no log density", name)
		}
		if n := len(checkLine.FindAllString(text, -1)); n < 4 {
			t.Errorf("%s: %d test points of the log density, want 4", name, n)
		}
		if got, want := lineOf("sample").MatchString(text),
			!slices.Contains(unsampled, name); got != want {
			t.Errorf("%s: has a generator: %v, want %v", name, got, want)
		}
		cdf, lower, upper := lineOf(`cdf\(\w\)`), lineOf(`logcdf\(\w\)`), lineOf(`logccdf\(\w\)`)
		if cdf.MatchString(text) != lower.MatchString(text) ||
			cdf.MatchString(text) != upper.MatchString(text) {
			t.Errorf("%s: cdf, logcdf and logccdf come together or not at all", name)
		}
		for i, line := range strings.Split(text, "\n") {
			if len([]rune(line)) > 132 || strings.TrimRight(line, " \t") != line {
				t.Errorf("%s:%d: too long, or blanks at its end", name, i+1)
			}
		}
	}
}

// TestModulesDocumented: every function and layer of a module has a doc.
func TestModulesDocumented(t *testing.T) {
	for _, name := range modules {
		text, _ := stdlib.Source(name)
		lines := strings.Split(text, "\n")
		found := 0
		for i, line := range lines {
			if !header.MatchString(line) {
				continue
			}
			found++
			if i == 0 || !strings.HasPrefix(lines[i-1], "/// ") {
				t.Errorf("%s:%d: no doc above %q", name, i+1, line)
			}
		}
		if found == 0 {
			t.Errorf("%s declares nothing", name)
		}
	}
}
