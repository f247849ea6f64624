package translate

import (
	"strings"

	"github.com/sgppl/sgppl/lang/source"
)

// scanText writes a scan; its lines go on where the statement stands.
func (p *page) scanText(w *writer, s *scan) string {
	var inits []string
	for _, c := range s.carries {
		inits = append(inits, w.expr(c.init, pIf))
	}
	binds, end := w.binds([]bind{{s.v, s.lo, s.hi}})
	defer end()
	n := len(p.inner)
	defer func() { p.inner = p.inner[:n] }()
	var from []string
	for i, c := range s.carries {
		p.local(c.s)
		from = append(from, c.s.text+" = "+inits[i])
	}
	defer func() {
		for _, c := range s.carries {
			c.s.text = ""
		}
	}()
	head := "scan " + binds + " from "
	if len(from) > 1 {
		head += "(" + strings.Join(from, ", ") + ")"
	} else {
		head += from[0]
	}
	inner := &page{translator: p.translator, globals: p.globals, inner: p.inner, indent: p.indent + 1}
	inner.w = writer{t: p.translator, name: inner.nameOf, bound: inner.bindIndex, scan: inner.scanText}
	for _, x := range s.body.stmts {
		inner.stmt(x)
	}
	last := inner.w.expr(s.next[0], pIf)
	if len(s.next) > 1 {
		last = "(" + inner.w.list(s.next) + ")"
	}
	inner.line(last, source.Span{})
	for _, x := range s.body.stmts {
		for _, y := range x.syms {
			y.text = ""
		}
	}
	if len(inner.lines) == 1 && !strings.Contains(last, "\n") && len(last)+len(head) < 90 {
		return head + " { " + last + " }"
	}
	tail := strings.Repeat("  ", p.indent)
	// lines are indented by the statement; those inside are already
	body := strings.Join(inner.lines, "\n")
	return head + " {\n" + strip(body, p.indent) + "\n" + strip(tail, p.indent) + "}"
}

// strip takes the indentation off that line() adds again.
func strip(text string, indent int) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], strings.Repeat("  ", indent))
	}
	return strings.Join(lines, "\n")
}

func (p *page) fns() {
	for _, f := range p.translator.fns {
		p.gap()
		n := len(p.inner)
		var args []string
		for i, a := range f.args {
			p.local(a)
			args = append(args, a.text+" : "+f.types[i])
		}
		p.docs(f.doc, f.span)
		p.line("fn "+f.s.text+"("+strings.Join(args, ", ")+") -> "+f.result+" {", f.span)
		p.indent++
		for _, s := range f.body.stmts {
			p.stmt(s)
		}
		p.line(p.w.expr(f.value, pIf), f.span)
		p.indent--
		p.line("}", f.span)
		p.inner = p.inner[:n]
	}
}
