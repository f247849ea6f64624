package lsp

import (
	"sync"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
)

// A partial has the derivatives of a function by each of its arguments, in their names.
type partial struct {
	args []string
	by   []*term
}

// partialTexts are the derivatives of functions of numbers; what is not here is not shown. A test
// holds each against differences of the function.
var partialTexts = []struct {
	name string
	args []string
	by   []string
}{
	{"exp", []string{"x"}, []string{"exp(x)"}},
	{"log", []string{"x"}, []string{"1 / x"}},
	{"sqrt", []string{"x"}, []string{"0.5 / sqrt(x)"}},
	{"abs", []string{"x"}, []string{"sign(x)"}},
	{"sign", []string{"x"}, []string{"0"}},
	{"log1p", []string{"x"}, []string{"1 / (1 + x)"}},
	{"expm1", []string{"x"}, []string{"exp(x)"}},
	{"lgamma", []string{"x"}, []string{"digamma(x)"}},
	{"digamma", []string{"x"}, []string{"trigamma(x)"}},
	{"trigamma", []string{"x"}, []string{"polygamma(2, x)"}},
	{"sigmoid", []string{"x"}, []string{"sigmoid(x) * sigmoid(-x)"}},
	{"log_sigmoid", []string{"x"}, []string{"sigmoid(-x)"}},
	{"log1m", []string{"x"}, []string{"-1 / (1 - x)"}},
	{"log1m_exp", []string{"x"}, []string{"-exp(x) / (1 - exp(x))"}},
	{"log1p_exp", []string{"x"}, []string{"sigmoid(x)"}},
	{"softplus", []string{"x"}, []string{"sigmoid(x)"}},
	{"logit", []string{"x"}, []string{"1 / (x * (1 - x))"}},
	{"tanh", []string{"x"}, []string{"1 - tanh(x)^2"}},
	{"sinh", []string{"x"}, []string{"cosh(x)"}},
	{"cosh", []string{"x"}, []string{"sinh(x)"}},
	{"sin", []string{"x"}, []string{"cos(x)"}},
	{"cos", []string{"x"}, []string{"-sin(x)"}},
	{"tan", []string{"x"}, []string{"1 + tan(x)^2"}},
	{"asin", []string{"x"}, []string{"1 / sqrt(1 - x^2)"}},
	{"acos", []string{"x"}, []string{"-1 / sqrt(1 - x^2)"}},
	{"atan", []string{"x"}, []string{"1 / (1 + x^2)"}},
	{"square", []string{"x"}, []string{"2 * x"}},
	{"erf", []string{"x"}, []string{"1.1283791670955126 * exp(-x^2)"}},
	{"normal_cdf", []string{"x"}, []string{"0.3989422804014327 * exp(-0.5 * x^2)"}},
	{"normal_logcdf", []string{"x"},
		[]string{"exp(-0.5 * x^2 - 0.9189385332046727 - normal_logcdf(x))"}},
	{"lbeta", []string{"a", "b"},
		[]string{"digamma(a) - digamma(a + b)", "digamma(b) - digamma(a + b)"}},
	{"pow", []string{"x", "y"}, []string{"y * pow(x, y - 1)", "pow(x, y) * log(x)"}},
}

// arity is how many arguments the functions in terms take. Of polygamma, which stands in
// derivatives alone, no derivative is known.
var arity = sync.OnceValue(func() map[string]int {
	out := map[string]int{"polygamma": 2}
	for _, p := range partialTexts {
		out[p.name] = len(p.args)
	}
	return out
})

// partials reads partialTexts.
var partials = sync.OnceValue(func() map[string]*partial {
	out := map[string]*partial{}
	for _, p := range partialTexts {
		out[p.name] = &partial{args: p.args}
	}
	for _, p := range partialTexts {
		for _, text := range p.by {
			f, _ := parser.Parse(source.New("", "let d = "+text+"\n"))
			out[p.name].by = append(out[p.name].by, readTerm(f.Stmts[0].(*ast.Let).Value, nil))
		}
	}
	return out
})

// by differentiates a term by a name; nil where that is not known.
func (t *term) by(name string) *term {
	if !t.mentions(name) {
		return number(0)
	}
	d := make([]*term, len(t.args))
	for i, a := range t.args {
		if d[i] = a.by(name); d[i] == nil {
			return nil
		}
	}
	switch t.op {
	case "name":
		return number(1)
	case "neg":
		return negated(d[0])
	case "+":
		return plus(d[0], d[1])
	case "-":
		return minus(d[0], d[1])
	case "*":
		return plus(times(d[0], t.args[1]), times(t.args[0], d[1]))
	case "/":
		x, y := t.args[0], t.args[1]
		return minus(over(d[0], y), over(times(d[1], x), power(y, number(2))))
	case "^":
		x, y := t.args[0], t.args[1]
		left := times(d[0], times(y, power(x, minusOne(y))))
		return plus(left, times(d[1], times(t, &term{op: "call", text: "log", args: []*term{x}})))
	case "call":
		return t.chain(d)
	}
	return nil
}

func minusOne(y *term) *term {
	if y.op == "number" {
		return number(y.num - 1)
	}
	return minus(y, number(1))
}

// chain is the chain rule; d are the derivatives of the arguments.
func (t *term) chain(d []*term) *term {
	p := partials()[t.text]
	if p == nil {
		return nil
	}
	env := map[string]*term{}
	for i, name := range p.args {
		env[name] = t.args[i]
	}
	sum := number(0)
	for i := range d {
		if d[i].is(0) {
			continue
		}
		if i >= len(p.by) || p.by[i] == nil {
			return nil
		}
		sum = plus(sum, times(d[i], p.by[i].replace(env)))
	}
	return sum
}

// derivatives are those of a function of numbers, or of a log density whose value and arguments are
// numbers, a line for each argument. What cannot be written in a short line is left out.
func (e entry) derivatives() []string {
	var out []string
	add := func(of, by string, d *term) { out = append(out, line(of, by, d)...) }
	if p := partials()[e.name]; p != nil && e.built {
		for i, d := range p.by {
			add(e.name, p.args[i], d)
		}
	}
	if e.decl != nil {
		density, names := logDensity(e.decl)
		for _, name := range names {
			if density != nil {
				add("logpdf", name, density.by(name))
			}
		}
	}
	return out
}

// line writes a derivative, if it is known and short.
func line(of, by string, d *term) []string {
	if d == nil {
		return nil
	}
	text := d.String()
	if len(text) > 160 {
		return nil
	}
	return []string{"d " + of + " / d " + by + " = " + text}
}

// termDerivatives are those of the term that a ~ adds to the log density, by what stands left of it
// and by the arguments that are not plain numbers.
func (a *analysis) termDerivatives(t *ast.Tilde) []string {
	use := a.model.Dists[t.Dist]
	if use == nil || use.Def == nil || use.Form != check.Plain || use.Trunc != nil ||
		use.Cens != nil || use.Conditioned {
		return nil
	}
	d := use.Def.Decl
	density, names := logDensity(d)
	if density == nil || len(use.Args) != len(d.Params) {
		return nil
	}
	env := map[string]*term{}
	for i, p := range d.Params {
		if env[p.Name.Name] = a.operand(use.Args[i]); env[p.Name.Name] == nil {
			return nil
		}
	}
	if continuous(d.On) && len(names) > 0 {
		env[names[0]] = a.operand(t.Left)
	} else {
		for i := range d.Items {
			if it := &d.Items[i]; it.Name.Name == "logpdf" && len(it.Params) == 1 {
				env[it.Params[0].Name] = a.operand(t.Left)
			}
		}
	}
	var out []string
	for _, name := range names {
		if by := env[name]; by != nil && by.op != "number" {
			if d := density.by(name); d != nil {
				out = append(out, line("log p", by.String(), d.replace(env))...)
			}
		}
	}
	return out
}

// operand is an argument as it is written.
func (a *analysis) operand(e ast.Expr) *term {
	var text string
	switch e := e.(type) {
	case nil:
		return nil
	case *ast.Number:
		return readTerm(e, nil)
	case *ast.Name, *ast.Index, *ast.Call, *ast.Paren:
		text = a.textOf(e.Pos())
	default:
		text = "(" + a.textOf(e.Pos()) + ")"
	}
	if !inline(text) {
		return nil
	}
	return &term{op: "name", text: text}
}

// logDensity is the log density of a distribution as a term, with its value's name and those of its
// arguments that are real; nil where it is not a term of numbers.
func logDensity(d *ast.Dist) (*term, []string) {
	env := map[string]*term{}
	for i := range d.Items {
		it := &d.Items[i]
		switch {
		case it.Let != nil && len(it.Let.Names) == 1:
			if t := readTerm(it.Let.Value, env); t != nil && t.parts() <= mostParts {
				env[it.Let.Names[0].Name] = t
			} else {
				return nil, nil
			}
		case it.Name.Name == "logpdf" && len(it.Params) == 1:
			var names []string
			if continuous(d.On) {
				names = append(names, it.Params[0].Name)
			}
			for _, p := range d.Params {
				if continuous(p.Type) {
					names = append(names, p.Name.Name)
				}
			}
			if t := readTerm(it.Body, env); t != nil && t.parts() <= mostParts {
				return t, names
			}
			return nil, nil
		}
	}
	return nil, nil
}

// continuous says that a type is one real number.
func continuous(t *ast.TypeExpr) bool {
	if t == nil || len(t.Sizes) > 0 {
		return false
	}
	k, ok := types.KindNamed(t.Name.Name)
	return ok && k.Info().Open && k.Info().Own == 0
}
