package check

import (
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
)

// operand puts the replacement of a call in parentheses if an operator is next to it.
func (c *checker) operand(made string, at source.Span) string {
	if !foreign.Loose(made) {
		return made
	}
	text := c.in.file.Source.Text
	before, after := strings.TrimRight(text[:at.Start], " \t"),
		strings.TrimLeft(text[min(at.End, len(text)):], " \t")
	if strings.HasSuffix(before, "==") ||
		before != "" && strings.ContainsRune("+-*/%^@<>", rune(before[len(before)-1])) ||
		after != "" && strings.ContainsRune("+-*/%^@<>=![.", rune(after[0])) &&
			!strings.HasPrefix(after, "//") {
		return "(" + made + ")"
	}
	return made
}

// argTexts returns the source text of the arguments, without their names.
func (c *checker) argTexts(args []ast.Arg) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = c.source(a.Value.Pos())
	}
	return out
}

// source is the text of a place of the file that is being checked.
func (c *checker) source(s source.Span) string {
	t := c.in.file.Source.Text
	if s.Start < 0 || s.End > len(t) || s.Start > s.End {
		return ""
	}
	return t[s.Start:s.End]
}

// foreignCall advises on a call of a function that does not exist.
func (c *checker) foreignCall(d *diag.Diagnostic, e *ast.Call, n *ast.Name) bool {
	if h, ok := foreign.Functions[n.Name]; ok {
		c.advise(d, h, n.Span, e.Span, e.Args)
		return true
	}
	for ending, line := range foreign.Endings {
		base, found := strings.CutSuffix(n.Name, ending)
		if !found {
			continue
		}
		def := c.findDist(base)
		if def == nil {
			continue
		}
		if line == "sample" {
			d.Note("draws are made in a generate line and in the sample line of a dist, " +
				"as " + base +
				".sample(…); an unknown is a param with a prior").Note(predicted)
			return true
		}
		if def.Items[line] == nil {
			d.Note("a distribution's functions are its parts, and " + base + " has no " + line)
			return true
		}
		d.Note("a distribution's functions are its parts: "+base+"."+line+"(…)").Suggest(n.Span,
			base+"."+line)
		return true
	}
	// R writes dnorm(x, mu, sigma), pnorm, rnorm.
	if len(n.Name) > 2 {
		if h, ok := foreign.Dists["d"+n.Name[1:]]; ok && h.Name != "" && c.findDist(h.Name) != nil {
			switch n.Name[0] {
			case 'd':
				d.Note("its log density is "+h.Name+".logpdf(x, …)").Suggest(n.Span,
					h.Name+".logpdf")
				return true
			case 'p':
				d.Note("its distribution function is "+h.Name+".cdf(x, …)").Suggest(n.Span,
					h.Name+".cdf")
				return true
			case 'r':
				d.Note("draws are made in a generate line and in the sample line of a dist; an " +
					"unknown is a param " +
					"with a prior").Note(predicted)
				return true
			}
		}
	}
	return false
}

// predicted says how draws of new data are had, which other languages make in the model.
const predicted = "new data are drawn from the posterior after the run, for what stands left of " +
	"a ~: sgppl predict RUN --out FILE; other draws are lines generate x = LAW.sample(…) and " +
	"sgppl generate RUN; data alone, from the prior: sgppl simulate"

// advise adds a hint's note and, where it can be made, its edit.
func (c *checker) advise(
	d *diag.Diagnostic, h foreign.Hint, name, call source.Span, args []ast.Arg,
) {
	texts := c.argTexts(args)
	form := h.Form
	if form == "" && h.Name != "" {
		form = h.Name + "($*)"
	}
	switch made := foreign.Fill(form, texts); {
	case h.Note != "":
		d.Note(h.Note)
	case h.Form != "" && made != "":
		d.Note("here it is written " + made)
	case h.Form == "":
		d.Note("here it is written " + h.Name)
	default:
		d.Note("here it is written " + foreign.General(h.Form))
	}
	switch {
	case h.Form == "" && h.Name != "":
		d.Suggest(name, h.Name)
	case form != "" && foreign.Fill(form, texts) != "":
		d.Suggest(call, c.operand(foreign.Fill(form, texts), call))
	}
}

// foreignDist advises on a distribution that does not exist; d is nil for one
// whose function is called.
func (c *checker) foreignDist(
	report *diag.Diagnostic, name string, at source.Span, d *ast.DistExpr,
) bool {
	h, ok := foreign.Dists[strings.ToLower(strings.ReplaceAll(name, "_", ""))]
	if !ok || h.Name != "" && c.findDist(h.Name) == nil && h.Name != "mixture" {
		return false
	}
	report.Note(h.Note)
	switch {
	case h.Name == "" || h.Name == "mixture" && h.Form == "":
		// the arguments are distributions, to be written anew
	case d == nil || h.Form == "":
		report.Note("did you mean "+h.Name+"?").Suggest(at, h.Name)
	default:
		if made := foreign.Fill(h.Form, c.argTexts(d.Args)); made != "" && d.Call && d.Comp == nil {
			call := source.Span{Start: d.Span.Start, End: d.Span.End}
			if cut := d.Trunc; cut != nil {
				call.End = min(call.End, cut.Span.Start)
			}
			if cut := d.Cens; cut != nil {
				call.End = min(call.End, cut.Span.Start)
			}
			text := strings.TrimRight(c.source(call), " \t\n")
			report.Suggest(source.Span{Start: call.Start, End: call.Start + len(text)}, made)
		}
	}
	return true
}

// moduleCall is np.exp(x) and jax.nn.sigmoid(x).
func (c *checker) moduleCall(e *ast.Call, f *ast.Select) bool {
	x := f.X
	for {
		s, ok := x.(*ast.Select)
		if !ok {
			break
		}
		x = s.X
	}
	n, ok := x.(*ast.Name)
	if !ok || !foreign.Modules[n.Name] || c.scope.find(n.Name) != nil || c.in.fns[n.Name] != nil ||
		c.in.dists[n.Name] != nil {
		return false
	}
	prefix := source.Span{Start: n.Span.Start, End: f.Name.Span.Start}
	name := f.Name.Name
	d := c.report(NoSuchFunction, source.Span{Start: n.Span.Start, End: f.Name.Span.End},
		"there is no function %s: functions stand alone, without a module before their name",
		c.source(f.Pos()))
	if _, known := builtin.Lookup(name); known || c.findFn(name) != nil {
		d.Suggest(prefix, "")
		return true
	}
	if h, ok := foreign.Functions[name]; ok {
		c.advise(d, h, source.Span{Start: n.Span.Start, End: f.Name.Span.End}, e.Span, e.Args)
	} else {
		suggest(d, source.Span{Start: n.Span.Start, End: f.Name.Span.End}, name, builtin.Names())
	}
	return true
}

// valueMethod is x.sum() and x.T of a value; of another expression only where the name tells.
func (c *checker) valueMethod(call *ast.Call, f *ast.Select) bool {
	n, named := f.X.(*ast.Name)
	var d *diag.Diagnostic
	if named {
		s := c.scope.find(n.Name)
		if s == nil || s.Kind == DistArg {
			return false
		}
		d = seeAlso(c.report(NoSuchPart, f.Pos(), "%s is %s, and values have no parts or methods",
			n.Name, s.Kind.article()), s, "declared here")
	} else {
		_, function := builtin.Lookup(f.Name.Name)
		if _, known := foreign.Methods[f.Name.Name]; !known && !function {
			return false
		}
		if v := c.expr(f.X); v.bad() {
			return true
		}
		d = c.report(NoSuchPart, f.Name.Span, "values have no parts or methods")
	}
	x := f.X
	if p, ok := x.(*ast.Paren); ok {
		x = p.X
	}
	args, at := []string{c.source(x.Pos())}, f.Pos()
	if call != nil {
		args = append(args, c.argTexts(call.Args)...)
		at = call.Span
	}
	h, known := foreign.Methods[f.Name.Name]
	if _, function := builtin.Lookup(f.Name.Name); !known && function {
		h = foreign.Hint{Form: f.Name.Name + "($*)"}
		known = true
	}
	switch made := foreign.Fill(h.Form, args); {
	case !known:
	case h.Note != "":
		d.Note(h.Note)
	case made != "":
		d.Note("here it is written "+made).Suggest(at, c.operand(made, at))
	default:
		d.Note("here it is written " + foreign.General(h.Form))
	}
	return true
}
