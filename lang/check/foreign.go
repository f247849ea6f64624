package check

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// The names that other languages give to functions, distributions, values and
// types stand in tables (foreign_*.go); whole statements and signs are the
// parser's. A test walks every row. Where the row says how a call is written
// here, the diagnostic has that as an edit, made of the user's own arguments.

// A hint is how something of another language is written here.
type hint struct {
	name string // the name here; empty where the form is another
	note string // empty: "here it is written " and the form
	form string // the whole call, $1 being the first argument, $* all of them, and $!2 a last one that is left out; empty: name($*)
}

// fill puts the arguments into a form, in parentheses where an operator of the
// form would separate them. It is empty when they are too few or too many.
func fill(form string, args []string) string {
	if strings.Contains(form, "$*") {
		if len(args) == 0 && strings.Contains(form, ", $*") {
			return ""
		}
		return strings.ReplaceAll(form, "$*", strings.Join(args, ", "))
	}
	for n := len(args); n > 0; n-- { // what a form leaves out counts as taken
		if out := fmt.Sprintf("$!%d", n); strings.Contains(form, out) {
			return fill(strings.ReplaceAll(form, out, ""), args[:n-1])
		}
	}
	if len(args) > 0 && !strings.Contains(form, fmt.Sprintf("$%d", len(args))) {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		if form[i] != '$' {
			b.WriteByte(form[i])
			continue
		}
		n := int(form[i+1] - '1')
		if n >= len(args) {
			return ""
		}
		before := strings.TrimRight(form[:i], " ")
		after := strings.TrimLeft(form[i+2:], " ")
		alone := (before == "" || strings.HasSuffix(before, "(") || strings.HasSuffix(before, ",") || strings.HasSuffix(before, "if") || strings.HasSuffix(before, "then") || strings.HasSuffix(before, "else")) &&
			(after == "" || strings.HasPrefix(after, ")") || strings.HasPrefix(after, ",") || strings.HasPrefix(after, "then") || strings.HasPrefix(after, "else"))
		if alone || !loose(args[n]) {
			b.WriteString(args[n])
		} else {
			b.WriteString("(" + args[n] + ")")
		}
		i++
	}
	return b.String()
}

// loose says that a text is more than one operand: a space or sign stands outside its brackets.
func loose(text string) bool {
	depth := 0
	for _, r := range text {
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case depth == 0 && strings.ContainsRune(" +-*/%^@<>=!", r):
			return true
		}
	}
	return false
}

// operand puts what replaces a call in parentheses where an operator stands beside it.
func (c *checker) operand(made string, at source.Span) string {
	if !loose(made) {
		return made
	}
	text := c.in.file.Source.Text
	before, after := strings.TrimRight(text[:at.Start], " \t"), strings.TrimLeft(text[min(at.End, len(text)):], " \t")
	if strings.HasSuffix(before, "==") || before != "" && strings.ContainsRune("+-*/%^@<>", rune(before[len(before)-1])) ||
		after != "" && strings.ContainsRune("+-*/%^@<>=![.", rune(after[0])) && !strings.HasPrefix(after, "//") {
		return "(" + made + ")"
	}
	return made
}

// argTexts are the arguments as they are written, without their names.
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
	if h, ok := foreignFunctions[n.Name]; ok {
		c.advise(d, h, n.Span, e.Span, e.Args)
		return true
	}
	for ending, line := range foreignLines {
		base, found := strings.CutSuffix(n.Name, ending)
		if !found {
			continue
		}
		def := c.findDist(base)
		if def == nil {
			continue
		}
		if line == "sample" {
			d.Note("draws are made only in the sample line of a dist, as " + base + ".sample(…); an unknown is a param with a prior").Note(predicted)
			return true
		}
		if def.Items[line] == nil {
			d.Note("a distribution's functions are its parts, and " + base + " has no " + line)
			return true
		}
		d.Note("a distribution's functions are its parts: "+base+"."+line+"(…)").Suggest(n.Span, base+"."+line)
		return true
	}
	// R writes dnorm(x, mu, sigma), pnorm, rnorm.
	if len(n.Name) > 2 {
		if h, ok := foreignDists["d"+n.Name[1:]]; ok && h.name != "" && c.findDist(h.name) != nil {
			switch n.Name[0] {
			case 'd':
				d.Note("its log density is "+h.name+".logpdf(x, …)").Suggest(n.Span, h.name+".logpdf")
				return true
			case 'p':
				d.Note("its distribution function is "+h.name+".cdf(x, …)").Suggest(n.Span, h.name+".cdf")
				return true
			case 'r':
				d.Note("draws are made only in the sample line of a dist; an unknown is a param with a prior").Note(predicted)
				return true
			}
		}
	}
	return false
}

// predicted says how draws of new data are had, which other languages make in the model.
const predicted = "new data are drawn from the posterior after the run, for what stands left of a ~: sgppl predict RUN --out FILE; data alone, from the prior: sgppl simulate"

// foreignLines are the endings of Stan's functions of a distribution.
var foreignLines = map[string]string{
	"_lpdf": "logpdf", "_lpmf": "logpdf", "_lupdf": "logpdf", "_lupmf": "logpdf", "_log": "logpdf", "_logpdf": "logpdf", "_logp": "logpdf", "_pdf": "logpdf",
	"_cdf": "cdf", "_lcdf": "logcdf", "_lccdf": "logccdf", "_rng": "sample",
}

// advise adds a hint's note and, where it can be made, its edit.
func (c *checker) advise(d *diag.Diagnostic, h hint, name, call source.Span, args []ast.Arg) {
	texts := c.argTexts(args)
	form := h.form
	if form == "" && h.name != "" {
		form = h.name + "($*)"
	}
	switch made := fill(form, texts); {
	case h.note != "":
		d.Note(h.note)
	case h.form != "" && made != "":
		d.Note("here it is written " + made)
	case h.form == "":
		d.Note("here it is written " + h.name)
	default:
		d.Note("here it is written " + general(h.form))
	}
	switch {
	case h.form == "" && h.name != "":
		d.Suggest(name, h.name)
	case form != "" && fill(form, texts) != "":
		d.Suggest(call, c.operand(fill(form, texts), call))
	}
}

// general is a form with letters for its arguments.
func general(form string) string {
	return strings.NewReplacer("$*", "…", "$!2", "", "$!4", "", "$1", "a", "$2", "b", "$3", "c", "$4", "d").Replace(form)
}

// foreignDist advises on a distribution that does not exist; d is nil for one
// whose function is called.
func (c *checker) foreignDist(report *diag.Diagnostic, name string, at source.Span, d *ast.DistExpr) bool {
	h, ok := foreignDists[strings.ToLower(strings.ReplaceAll(name, "_", ""))]
	if !ok || h.name != "" && c.findDist(h.name) == nil && h.name != "mixture" {
		return false
	}
	report.Note(h.note)
	switch {
	case h.name == "" || h.name == "mixture" && h.form == "": // the arguments are distributions, to be written anew
	case d == nil || h.form == "":
		report.Note("did you mean "+h.name+"?").Suggest(at, h.name)
	default:
		if made := fill(h.form, c.argTexts(d.Args)); made != "" && d.Call && d.Comp == nil {
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

// foreignModules stand before the functions of Python's libraries.
var foreignModules = map[string]bool{
	"np": true, "numpy": true, "jnp": true, "jax": true, "torch": true, "tf": true, "math": true, "Math": true, "pt": true, "tt": true, "pm": true,
	"pytensor": true, "aesara": true, "theano": true, "scipy": true, "special": true, "F": true, "std": true, "stats": true, "pymc": true, "numpyro": true, "pyro": true,
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
	if !ok || !foreignModules[n.Name] || c.scope.find(n.Name) != nil || c.in.fns[n.Name] != nil || c.in.dists[n.Name] != nil {
		return false
	}
	prefix := source.Span{Start: n.Span.Start, End: f.Name.Span.Start}
	name := f.Name.Name
	d := c.report(NoSuchFunction, source.Span{Start: n.Span.Start, End: f.Name.Span.End}, "there is no function %s: functions stand alone, without a module before their name", c.source(f.Pos()))
	if _, known := builtin.Lookup(name); known || c.findFn(name) != nil {
		d.Suggest(prefix, "")
		return true
	}
	if h, ok := foreignFunctions[name]; ok {
		c.advise(d, h, source.Span{Start: n.Span.Start, End: f.Name.Span.End}, e.Span, e.Args)
	} else {
		suggest(d, source.Span{Start: n.Span.Start, End: f.Name.Span.End}, name, builtin.Names())
	}
	return true
}

// valueMethods are what x.f(…) and x.f are for an array x of Python's libraries.
var valueMethods = map[string]hint{
	"T": {form: "transpose($1)"}, "t": {form: "transpose($1)"}, "dot": {form: "$1 @ $2"}, "matmul": {form: "$1 @ $2"}, "mm": {form: "$1 @ $2"}, "std": {form: "sd($1)"},
	"var": {form: "variance($1)"}, "pow": {form: "$1^$2"}, "square": {form: "$1^2"}, "flatten": {form: "flatten($1)"}, "ravel": {form: "flatten($1)"},
	"shape": {note: "a size is known by the name of its dim"}, "size": {note: "a size is known by the name of its dim"}, "length": {note: "a size is known by the name of its dim"},
	"ndim": {note: "a size is known by the name of its dim"}, "item": {form: "$1"}, "astype": {form: "$1"}, "float": {form: "$1"}, "append": {note: "an array is made whole: [e for n in N]"},
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
		d = seeAlso(c.report(NoSuchPart, f.Pos(), "%s is %s, and values have no parts or methods", n.Name, s.Kind.article()), s, "declared here")
	} else {
		_, function := builtin.Lookup(f.Name.Name)
		if _, known := valueMethods[f.Name.Name]; !known && !function {
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
	h, known := valueMethods[f.Name.Name]
	if _, function := builtin.Lookup(f.Name.Name); !known && function {
		h = hint{form: f.Name.Name + "($*)"}
		known = true
	}
	switch made := fill(h.form, args); {
	case !known:
	case h.note != "":
		d.Note(h.note)
	case made != "":
		d.Note("here it is written "+made).Suggest(at, c.operand(made, at))
	default:
		d.Note("here it is written " + general(h.form))
	}
	return true
}

// Elsewhere is the name here of a distribution that another language calls by
// the name given; empty for one that none does.
func Elsewhere(name string) string {
	return foreignDists[strings.ToLower(strings.ReplaceAll(name, "_", ""))].name
}
