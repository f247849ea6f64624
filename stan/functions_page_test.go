package stan

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan/catalogue"
	"github.com/sgppl/sgppl/stan/translate"
)

var update = flag.Bool("update", false, "write docs/stan-functions.md")

const functionPage = "../docs/stan-functions.md"

// TestFunctionPage: docs/stan-functions.md is what the table of Stan's reference and the import
// make.
func TestFunctionPage(t *testing.T) {
	got := pageOf(t)
	if *update {
		if err := os.WriteFile(functionPage, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(functionPage)
	if err != nil || string(want) != got {
		t.Errorf("docs/stan-functions.md is not fresh: run go test ./stan -update (%v)", err)
	}
}

func pageOf(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(path, []byte(catalogue.Data), 0o644); err != nil {
		t.Fatal(err)
	}
	b := &strings.Builder{}
	functions, refused := 0, 0
	for _, c := range catalogue.Functions() {
		for _, f := range c.Functions {
			functions++
			if f.Code != "" {
				refused++
			}
		}
	}
	laws := 0
	for _, c := range catalogue.Distributions() {
		laws += len(c.Distributions)
	}
	fmt.Fprintf(b, functionPreface, functions, laws, refused)
	for _, c := range catalogue.Functions() {
		fmt.Fprintf(b, "\n## %s\n\n", c.Title)
		if c.Code != "" {
			fmt.Fprintf(b, "Refused with %s. %s\n\n", c.Code, c.Why)
			var names []string
			for _, f := range c.Functions {
				names = append(names, "`"+f.Name+"`")
			}
			b.WriteString(strings.Join(names, ", ") + ".\n")
			continue
		}
		b.WriteString("| function | in Stan | here |\n| --- | --- | --- |\n")
		for _, f := range c.Functions {
			fmt.Fprintf(b, "| `%s` | `%s` | %s |\n", f.Name, f.Example, becomes(t, f, path))
		}
	}
	b.WriteString("\n# Distributions\n")
	for _, c := range catalogue.Distributions() {
		fmt.Fprintf(b, "\n## %s\n\n| distribution | of | arguments | in Stan beside the density | "+
			"here |\n| --- | --- | --- | --- | --- |\n", c.Title)
		for _, d := range c.Distributions {
			var has []string
			if d.CDF {
				has = append(has, "`cdf`, `lcdf`, `lccdf`")
			}
			if d.RNG {
				has = append(has, "`rng`")
			}
			fmt.Fprintf(b, "| `%s` | `%s` | %s | %s | %s |\n", d.Name, d.Value, code(d.Arguments),
				strings.Join(has, ", "), lawHere(t, d, path))
		}
	}
	return b.String()
}

const functionPreface = `# Functions of Stan

This page has the %d functions and %d distributions of the reference of Stan 2.36, with an example
of each and what the import makes of it. %d of the functions are refused.
[Programs of Stan](stan.md) is about all else of the language. Every example is a test: its value
and its gradient are those of an interpreter of Stan programs, or of a closed form, within 1e-8.

In the examples x is a number, q a positive one, p one between 0 and 1, v and d are vectors, m is a
matrix, S a covariance, C a correlation matrix and s a simplex; d, k and Z are data. Where the
import writes several long statements the page has their number.
`

// becomes is the example of a function in the language.
func becomes(t *testing.T, f catalogue.Function, path string) string {
	if f.Code != "" {
		return "refused with " + string(f.Code) + ": " + f.Why
	}
	block := "transformed parameters {\n  " + f.Type + " f = " + f.Example + ";\n}\nmodel { }\n"
	switch {
	case strings.HasSuffix(f.Name, "_rng"):
		return "`generate`"
	case f.Type == "":
		block = strings.Replace(block, "   f", "  real f", 1)
	case f.Type == "int":
		block = "model {\n  target += x * (" + f.Example + ");\n}\n"
	}
	return written(t, catalogue.Program(block), path)
}

// lawHere is the density of a distribution in the language.
func lawHere(t *testing.T, d catalogue.Distribution, path string) string {
	if d.Code != "" {
		return "refused with " + string(d.Code) + ": " + d.Why
	}
	suffix := "_lpdf"
	if d.Discrete {
		suffix = "_lpmf"
	}
	return written(t, catalogue.Program("model {\n  target += x * "+d.Name+suffix+"("+d.Of+" | "+
		d.Args+");\n}\n"), path)
}

// written is what a program becomes behind its declarations: one statement, or their number.
func written(t *testing.T, program, path string) string {
	src := source.New("f.stan", program)
	r, diags := Import(src)
	if r == nil {
		given := ReadData([]string{path}, nil)
		if r, diags = ImportBound(src, given, translate.Unrolled{}, nil); r == nil {
			t.Fatalf("refused: %s\n%s", diags[0].Message, program)
		}
	}
	var list []string
	open := 0
	for _, line := range strings.Split(r.Text, "\n") {
		line = strings.TrimSpace(line)
		switch word, _, _ := strings.Cut(line, " "); {
		case line == "" || strings.HasPrefix(line, "//"):
		case open == 0 && (word == "dim" || word == "data" || word == "param"):
		case open > 0 || len(list) > 0 && strings.ContainsAny(line[:1], ")}]+-*"):
			list[len(list)-1] += " " + line
		default:
			list = append(list, line)
		}
		open += strings.Count(line, "(") + strings.Count(line, "[") + strings.Count(line, "{") -
			strings.Count(line, ")") - strings.Count(line, "]") - strings.Count(line, "}")
	}
	n := len(list)
	if n == 0 {
		t.Fatalf("nothing is left of\n%s\n%s", program, r.Text)
	}
	last := list[n-1]
	for _, cut := range []string{"track f = ", "factor x * (", "factor x * ", "factor "} {
		if rest, ok := strings.CutPrefix(last, cut); ok {
			last = rest
			if strings.HasSuffix(cut, "(") {
				last = strings.TrimSuffix(rest, ")")
			}
			break
		}
	}
	list[n-1] = last
	switch all := strings.Join(list, ""); {
	case n <= 2 && len(all) <= 90:
		for i := range list {
			list[i] = code(list[i])
		}
		return strings.Join(list, "<br>")
	case n == 1:
		return "one statement"
	}
	return fmt.Sprintf("%d statements", n)
}

// code is a text as code in a cell of a table.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
}
