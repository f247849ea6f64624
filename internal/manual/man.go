package manual

import (
	"fmt"
	"strings"
)

// Pages returns the pages of section 1 by their file names: one of the program, and one of
// each command.
func Pages(program, version, about string, commands []Command) map[string]string {
	pages := map[string]string{}
	var b strings.Builder
	head(&b, program, version, about)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n.I COMMAND\n[\\fIFLAGS\\fR]\n.SH COMMANDS\n",
		text(program))
	for _, c := range commands {
		fmt.Fprintf(&b, ".TP\n.BR %s\\-%s (1)\n%s\n", text(program), text(c.Name), line(c.Help))
	}
	b.WriteString(exitStatus)
	pages[program+".1"] = b.String()
	for _, c := range commands {
		var b strings.Builder
		head(&b, program+"-"+c.Name, version, c.Help)
		fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s %s\n%s\n", text(program), text(c.Name), line(c.Usage))
		if c.Detail != "" {
			b.WriteString(".SH DESCRIPTION\n")
			paragraphs(&b, c.Detail)
		}
		b.WriteString(".SH FLAGS\n")
		for _, f := range c.Flags {
			b.WriteString(".TP\n\\fB")
			if f.Short != "" {
				fmt.Fprintf(&b, "\\-%s\\fR, \\fB", text(f.Short))
			}
			fmt.Fprintf(&b, "\\-\\-%s\\fR", text(f.Name))
			if f.Value != "" {
				fmt.Fprintf(&b, "=\\fI%s\\fR", text(f.Value))
			}
			fmt.Fprintf(&b, "\n%s\n", line(f.Help))
		}
		b.WriteString(exitStatus)
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", text(program))
		pages[program+"-"+c.Name+".1"] = b.String()
	}
	return pages
}

const exitStatus = `.SH EXIT STATUS
0 done; 1 the model has errors; 2 the command line is wrong; 3 the data do not fit; 4 the run failed;
5 files, disk or toolchain; 130 interrupted.
`

func head(b *strings.Builder, name, version, about string) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"%s\" \"User Commands\"\n.SH NAME\n%s \\- %s\n",
		text(strings.ToUpper(name)), text("sgppl "+version), text(name), text(brief(about)))
}

// paragraphs writes a text; lines that are indented stand as they are.
func paragraphs(b *strings.Builder, of string) {
	verbatim := false
	for l := range strings.SplitSeq(of, "\n") {
		indented := strings.HasPrefix(l, "  ")
		if indented != verbatim {
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[indented])
			verbatim = indented
		}
		if strings.TrimSpace(l) == "" {
			b.WriteString(".PP\n")
			continue
		}
		b.WriteString(line(l) + "\n")
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
}

// line is a text as a line of roff: what begins with a dot or a quote is not a request.
func line(s string) string {
	s = text(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// text escapes what roff reads, and what is not ASCII.
func text(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(s)
	var b strings.Builder
	for _, r := range s {
		if r < 128 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}
