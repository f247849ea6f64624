package syntax

// bases are the types by name, with the number of sizes in their brackets; a cholesky_factor_cov
// may have one or two, a value of -1 is for those that have none.
var bases = map[string]int{
	"int": -1, "real": -1, "complex": -1, "vector": 1, "row_vector": 1, "matrix": 2,
	"complex_vector": 1, "complex_row_vector": 1, "complex_matrix": 2,
	"simplex": 1, "unit_vector": 1, "ordered": 1, "positive_ordered": 1, "sum_to_zero_vector": 1,
	"sum_to_zero_matrix": 2, "column_stochastic_matrix": 2, "row_stochastic_matrix": 2,
	"corr_matrix": 1, "cov_matrix": 1, "cholesky_factor_corr": 1, "cholesky_factor_cov": 2,
	"tuple": -1,
}

// constrained are the types that no argument of a function has.
var constrained = map[string]bool{
	"simplex": true, "unit_vector": true, "ordered": true, "positive_ordered": true,
	"sum_to_zero_vector": true, "sum_to_zero_matrix": true, "column_stochastic_matrix": true,
	"row_stochastic_matrix": true, "corr_matrix": true, "cov_matrix": true,
	"cholesky_factor_corr": true, "cholesky_factor_cov": true,
}

// reserved are the words that cannot be names of variables.
var reserved = map[string]bool{
	"for": true, "in": true, "while": true, "if": true, "else": true, "return": true, "break": true,
	"continue": true, "void": true,
}

// declares reports whether a declaration begins here.
func (p *parser) declares() bool {
	t := p.peek()
	if t.kind != name {
		return false
	}
	if t.text == "array" {
		return p.isAt(1, "[")
	}
	if _, ok := bases[t.text]; !ok {
		return false
	}
	return !p.isAt(1, "(") || t.text == "tuple"
}

// declaration reads a type and the names that have it.
func (p *parser) declaration() []Stmt {
	start := p.peek().Start
	t := p.sized()
	var out []Stmt
	for {
		nm := p.name("the name of a variable")
		own := *t
		if p.take("[") { // the older syntax: real x[N]
			own.Array = p.list("]")
		}
		d := &Decl{Type: &own, Name: nm.text}
		if p.take("=") || p.take("<-") {
			d.Value = p.expr()
		}
		d.Span = p.from(start)
		out = append(out, d)
		if !p.take(",") {
			break
		}
		start = p.peek().Start
	}
	p.want(";", "`;`")
	return out
}

// sized reads the type of a declaration.
func (p *parser) sized() *Type {
	defer p.deeper()()
	start := p.peek().Start
	t := &Type{}
	if p.take("array") {
		p.want("[", "`[`")
		t.Array = p.list("]")
	}
	base := p.next()
	t.Base = base.text
	sizes, ok := bases[base.text]
	if !ok || base.kind != name {
		p.fail(base.Span, "a type is expected here, and not %s", base.show())
	}
	if base.text == "tuple" {
		p.want("(", "`(`")
		for {
			t.Tuple = append(t.Tuple, p.sized())
			if !p.take(",") {
				break
			}
		}
		p.want(")", "`)`")
	}
	if p.take("<") {
		p.constraints(t)
	}
	if sizes > 0 {
		open := p.want("[", "`[` with the size of the "+base.text)
		t.Sizes = p.list("]")
		short := base.text == "cholesky_factor_cov" && len(t.Sizes) == 1
		if len(t.Sizes) != sizes && !short {
			p.fail(open.Span, "%s has %d sizes, and not %d", base.text, sizes, len(t.Sizes))
		}
	}
	t.Span = p.from(start)
	return t
}

func (p *parser) constraints(t *Type) {
	for {
		w := p.name("lower, upper, offset or multiplier")
		p.want("=", "`=`")
		x := p.binary(additive)
		switch w.text {
		case "lower":
			t.Lower = x
		case "upper":
			t.Upper = x
		case "offset":
			t.Offset = x
		case "multiplier":
			t.Mult = x
		default:
			p.fail(w.Span, "lower, upper, offset or multiplier is expected here, and not %s", w.show())
		}
		if !p.take(",") {
			break
		}
	}
	p.want(">", "`>`")
}

// list reads expressions up to a closing sign, which is taken.
func (p *parser) list(end string) []Expr {
	var out []Expr
	for !p.take(end) {
		out = append(out, p.expr())
		if !p.is(end) {
			p.want(",", "`,` or `"+end+"`")
		}
	}
	return out
}
