package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/sgppl/sgppl/internal/checked"
	"github.com/sgppl/sgppl/internal/glossary"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/stan"
	"github.com/sgppl/sgppl/stan/syntax"
)

type explainCmd struct {
	Code string `arg:"" optional:"" help:"A code such as E0401 or D0120, or a word that is shown, such as rhat or mcse. Without one, all codes are listed."`
}

func (c *explainCmd) Help() string {
	return `Codes that begin with E are mistakes in a model and those with W are warnings; both are explained with a program that
makes them, and what sgppl says of it. Codes that begin with D are of the data and of --data and --set, those that begin
with S of settings of samplers. A code means the same in every version.

  sgppl explain E0401
  sgppl explain                       every code with its title`
}

// Run explains a code, or lists them all.
func (c *explainCmd) Run(e *session.Session) error {
	var b strings.Builder
	code := strings.ToUpper(strings.TrimSpace(c.Code))
	switch x, ok := diag.Explain(diag.Code(code)); {
	case code == "":
		listCodes(&b)
	case ok:
		explainDiagnostic(&b, x)
	case isOfStan(code):
		explainStan(&b, code)
	default:
		if x, ok := settings.Explain(code); ok {
			explainSetting(&b, x)
			break
		}
		if x, ok := problem.Explain(code); ok {
			explainData(&b, x)
			break
		}
		name := strings.ToLower(code)
		if len(glossary.Find(name)) == 0 {
			return unknownCode(c.Code)
		}
		docPages(&b, glossaryDocs(), name)
	}
	if _, err := io.WriteString(e.Stdout, b.String()); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

func listCodes(w io.Writer) {
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

func isOfStan(code string) bool {
	_, ok := syntax.Explain(diag.Code(code))
	return ok
}

// explainStan explains a code of programs of Stan, with a program and what the import says of it.
func explainStan(w io.Writer, code string) {
	x, _ := syntax.Explain(diag.Code(code))
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
		wrap(x.Text, 100), indent(x.Example), session.ExitUsage)
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

// unknownCode refuses a code that does not exist, with those that may be meant:
// the nearest one, or those whose titles have the word.
func unknownCode(text string) error {
	var codes, about []string
	for _, c := range allCodes() {
		codes = append(codes, c.code)
		if len(text) > 2 && strings.Contains(c.title, strings.ToLower(text)) {
			about = append(about, "\n  "+c.code+"  "+c.title)
		}
	}
	if len(about) > 0 {
		return session.Usagef("there is no code %s; these are about it:%s", text,
			strings.Join(about, ""))
	}
	if near := spelling.Nearest(strings.ToUpper(text), codes); near != "" {
		return session.Usagef(
			"there is no code %s; did you mean %s? `sgppl explain` lists them all", text, near)
	}
	return session.Usagef("there is no code %s; `sgppl explain` lists them all", text)
}

// indent moves every line to the right.
func indent(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight("    "+line, " ") + "\n")
	}
	return b.String()
}

// wrap breaks a text into lines of at most width characters, at blanks.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case column == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
