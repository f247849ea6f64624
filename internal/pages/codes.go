package pages

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/sgppl/sgppl/internal/checked"
	"github.com/sgppl/sgppl/internal/glossary"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/stan"
	"github.com/sgppl/sgppl/stan/syntax"
)

// Explain prints what a code means, or a word of the glossary, and reports whether there is one.
func Explain(w io.Writer, code string) bool {
	code = strings.ToUpper(strings.TrimSpace(code))
	if x, ok := diag.Explain(diag.Code(code)); ok {
		explainDiagnostic(w, x)
		return true
	}
	if x, ok := syntax.Explain(diag.Code(code)); ok {
		explainStan(w, x)
		return true
	}
	if x, ok := settings.Explain(code); ok {
		explainSetting(w, x)
		return true
	}
	if x, ok := problem.Explain(code); ok {
		explainData(w, x)
		return true
	}
	name := strings.ToLower(code)
	return len(glossary.Find(name)) > 0 && Print(w, Glossary(), name)
}

// ListCodes prints every code with its title.
func ListCodes(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range allCodes() {
		fmt.Fprintf(t, "%s\t%s\n", c.code, c.title)
	}
	t.Flush()
}

// explainDiagnostic prints the explanation, the program, and what is said of it.
func explainDiagnostic(w io.Writer, x diag.Explanation) {
	fmt.Fprintf(w, "%s: %s\n\n%s\n", x.Code, x.Title, wrap(x.Text, 100))
	if x.Example == "" {
		return
	}
	fmt.Fprintf(w, "\nFor example:\n\n%s\n", indent(x.Example))
	src := source.New("example.sg", x.Example)
	r, err := checked.Model(src, nil, true)
	if err != nil {
		return
	}
	var said strings.Builder
	for _, d := range append(r.Model.Diags, r.Later...) {
		if d.Code == x.Code {
			diag.List{d}.Render(&said, false)
			break
		}
	}
	if said.Len() > 0 {
		fmt.Fprintf(w, "of which sgppl says\n\n%s", indent(said.String()))
	}
}

// explainStan explains a code of programs of Stan, with a program and what the import says of it.
func explainStan(w io.Writer, x diag.Explanation) {
	fmt.Fprintf(w, "%s: %s\n\n%s\n", x.Code, x.Title, wrap(x.Text, 100))
	if x.Example == "" {
		return
	}
	fmt.Fprintf(w, "\nFor example:\n\n%s\n", indent(x.Example))
	_, diags := stan.Import(source.New("example.stan", x.Example))
	for _, d := range diags {
		if d.Code == x.Code {
			var said strings.Builder
			diag.List{d}.Render(&said, false)
			fmt.Fprintf(w, "of which sgppl says\n\n%s", indent(said.String()))
			return
		}
	}
}

func explainData(w io.Writer, x problem.Explanation) {
	fmt.Fprintf(w, "%s: %s\n\n%s\n\nFor example:\n\n%s\nThe exit status is %d.\n", x.Code, x.Title,
		wrap(x.Text, 100), indent(x.Example), x.Exit)
}

func explainSetting(w io.Writer, x settings.Explanation) {
	fmt.Fprintf(w, "%s: %s\n\n%s\n\nFor example:\n\n%s\nThe exit status is %d.\n", x.Code, x.Title,
		wrap(x.Text, 100), indent(x.Example), x.Exit())
}

type codeTitle struct{ code, title string }

// allCodes are the codes of data, of models and of settings.
func allCodes() []codeTitle {
	var out []codeTitle
	for _, x := range problem.Codes() {
		out = append(out, codeTitle{x.Code, x.Title})
	}
	for _, x := range diag.Codes() {
		out = append(out, codeTitle{string(x.Code), x.Title})
	}
	for _, x := range settings.Codes() {
		out = append(out, codeTitle{x.Code, x.Title})
	}
	for _, x := range syntax.Codes() {
		out = append(out, codeTitle{string(x.Code), x.Title})
	}
	return out
}

// MissingCode says that a code does not exist, with those that may be meant: the nearest one, or
// those whose titles have the word.
func MissingCode(text string) string {
	var codes, about []string
	for _, c := range allCodes() {
		codes = append(codes, c.code)
		if len(text) > 2 && strings.Contains(c.title, strings.ToLower(text)) {
			about = append(about, "\n  "+c.code+"  "+c.title)
		}
	}
	if len(about) > 0 {
		return fmt.Sprintf("there is no code %s; these are about it:%s", text,
			strings.Join(about, ""))
	}
	if near := spelling.Nearest(strings.ToUpper(text), codes); near != "" {
		return fmt.Sprintf(
			"there is no code %s; did you mean %s? `sgppl explain` lists them all", text, near)
	}
	return fmt.Sprintf("there is no code %s; `sgppl explain` lists them all", text)
}
