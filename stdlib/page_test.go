package stdlib_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/stdlib"
)

var update = flag.Bool("update", false, "write docs/distributions.md")

const pagePath = "../docs/distributions.md"

// pageHead is the text above the tables; ' stands for the backquote of Markdown.
var pageHead = strings.ReplaceAll(`# Distributions

The distributions of the library, grouped by the type of their values. 'sgppl doc NAME' prints the
parametrisation, the density and the source of a distribution; its file is 'stdlib/NAME.sg'. "F"
marks distributions with a distribution function. These can be truncated and censored, and they are
normalised when they are the prior of an unknown of a narrower type. "draws" marks distributions
that can be simulated.

Stan has fused distributions for regressions ('bernoulli_logit_glm', 'normal_id_glm',
'poisson_log_glm', …). Here one writes 'y ~ bernoulli_logit(X @ beta + alpha)', and the compiler
makes the same fused loops of it.

`, "'", "`")

// groups are the headings of the page and the supports under each.
var groups = []struct {
	title, on string
}{
	{"Real numbers", "real"}, {"Positive numbers", "positive nonnegative"},
	{"Between 0 and 1", "unit"},
	{"Counts", "count"}, {"Whole numbers", "int"}, {"Truth and categories", "bool index"},
	{"Vectors and matrices", "real[ simplex corr_chol cov_chol count["},
	{"Directions and subspaces", "sphere stiefel grassmann"}, {"Hyperbolic space", "hyperbolic"},
}

// page is docs/distributions.md as the library has it.
func page(lib *library) (text string, listed int) {
	var b strings.Builder
	b.WriteString(pageHead)
	for _, g := range groups {
		fmt.Fprintf(&b, "## %s\n\n| distribution | on | |\n| --- | --- | --- |\n", g.title)
		for _, name := range stdlib.Names() {
			d := lib.dists[name]
			if d == nil || !inGroup(d, g.on) {
				continue
			}
			listed++
			src, _ := stdlib.Source(name)
			head := headLine.FindStringSubmatch(src)
			first := strings.ReplaceAll(d.Doc, "\n", " ")
			if i := strings.Index(first, ". "); i >= 0 {
				first = first[:i]
			}
			var marks []string
			if item(d, "cdf") != nil || item(d, "logcdf") != nil {
				marks = append(marks, "F")
			}
			if item(d, "sample") != nil {
				marks = append(marks, "draws")
			}
			what := strings.ReplaceAll(strings.TrimSuffix(first, "."), "|", `\|`)
			if marks != nil {
				what += " (" + strings.Join(marks, ", ") + ")"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", head[1], head[2], what)
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n", listed
}

var headLine = regexp.MustCompile(`(?m)^dist (\w+\(.*\)) on (\S.*) \{`)

// inGroup compares the support: a name stands for its scalars, and with [ for arrays of them.
func inGroup(d *ast.Dist, kinds string) bool {
	for _, k := range strings.Fields(kinds) {
		name, array := strings.CutSuffix(k, "[")
		own := name == "simplex" || name == "corr_chol" || name == "cov_chol" || name == "sphere" ||
			name == "stiefel" || name == "grassmann" || name == "hyperbolic" || name == "index"
		if d.On.Name.Name == name && (own || array == (len(d.On.Sizes) > 0)) {
			return true
		}
	}
	return false
}

// TestPage: docs/distributions.md lists every distribution as it is. -update writes it.
func TestPage(t *testing.T) {
	lib := mustLoad(t)
	want, listed := page(lib)
	if listed != len(distributions) {
		t.Errorf("%d distributions fall into the groups of the page, of %d", listed,
			len(distributions))
	}
	if *update {
		if err := os.WriteFile(pagePath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the library says: go test ./stdlib -run Page -update", pagePath)
	}
}
