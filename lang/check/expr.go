package check

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
)

// A value is the result of checking an expression: its type and level.
type value struct {
	t  types.Type
	lv Level
}

var invalid = value{}

func (v value) bad() bool { return v.t.Kind == types.Invalid }

// expr returns the type of an expression that has one value.
func (c *checker) expr(e ast.Expr) value {
	v := c.exprTuple(e)
	if v.t.Kind == types.Tuple {
		c.report(TupleUse, e.Pos(), "a tuple only leaves a fn or a scan: let (a, b) = …")
		v = invalid
		c.m.Types[e] = v.t
	}
	return v
}

// number is expr for an expression that must be a single number.
func (c *checker) number(e ast.Expr, what string) value {
	v := c.expr(e)
	if !v.bad() && len(v.t.Shape) > 0 {
		c.report(WantNumber, e.Pos(), "%s is a number, and this has shape %s", what, v.t.Shape)
		return invalid
	}
	return v
}

// exprTuple is expr for an expression that may have several values.
func (c *checker) exprTuple(e ast.Expr) value {
	v := c.exprOf(e)
	c.m.Types[e], c.m.Levels[e] = v.t, v.lv
	return v
}

func (c *checker) exprOf(e ast.Expr) value {
	switch e := e.(type) {
	case *ast.Number:
		k := kindOfNumber(e.Value)
		if !e.Int && k.Discrete() {
			// 2.0 is written as a real number.
			k = types.Real
			if e.Value > 0 {
				k = types.Positive
			}
		}
		return value{t: types.Scalar(k)}
	case *ast.Bool:
		return value{t: types.Scalar(types.Bool)}
	case *ast.Inf:
		return value{t: types.Scalar(types.Positive)}
	case *ast.Name:
		return c.name(e)
	case *ast.Paren:
		return c.exprTuple(e.X)
	case *ast.Unary:
		return c.unary(e)
	case *ast.Binary:
		return c.binary(e)
	case *ast.If:
		return c.ifExpr(e)
	case *ast.Tuple:
		return c.tuple(e)
	case *ast.Array:
		return c.array(e)
	case *ast.Comp:
		return c.comprehension(e)
	case *ast.Call:
		return c.call(e)
	case *ast.Select:
		return c.selectExpr(e)
	case *ast.Index:
		return c.index(e)
	case *ast.Scan:
		return c.scan(e)
	case *ast.DistValue:
		c.report(DistAsValue, e.Span, "a distribution is no value: it stands after ~")
	}
	return invalid
}

func (c *checker) name(e *ast.Name) value {
	s := c.lookup(e.Name, e.Span)
	if s == nil {
		return invalid
	}
	c.m.Uses[e] = s
	switch s.Kind {
	case Dim, SizeVar:
		p, ok := c.symbolSize(s, e)
		if !ok {
			return invalid
		}
		c.m.Sizes[e] = p
		return value{types.Scalar(types.Count), Level{Stage: OfData}}
	case Generated:
		if !c.generating {
			seeAlso(c.report(RandomPlace, e.Span, "%s is computed after the run, and only other "+
				"`generate` lines read it", e.Name), s, "%s is declared here", e.Name)
			return invalid
		}
	case DistArg:
		c.report(DistAsValue, e.Span, "%s is a distribution, not a value: it stands after ~",
			e.Name)
		return invalid
	}
	return value{s.Type, s.Level}
}

func (c *checker) unary(e *ast.Unary) value {
	v := c.expr(e.X)
	if v.bad() {
		return invalid
	}
	if e.Op == "not" {
		if v.t.Entry() != types.Bool {
			c.report(WantBool, e.X.Pos(), "not takes true or false, and this is %s", article(v.t))
			return invalid
		}
		return value{types.ArrayOf(types.Bool, v.t.Shape), v.lv}
	}
	k := types.Real
	if v.t.Entry().Discrete() {
		k = types.Int
	}
	return value{types.ArrayOf(k, v.t.Shape), v.lv}
}

// article is a type in a sentence.
func article(t types.Type) string {
	s := t.String()
	switch s[0] {
	case 'i', 'o', 'u':
		if t.Kind != types.Unit {
			return "an " + s
		}
	case '[', '(':
		return s
	}
	return "a " + s
}

func (c *checker) binary(e *ast.Binary) value {
	x := c.expr(e.X)
	var y value
	if e.Op == "and" || e.Op == "or" {
		y = c.under(e.X, e.Op == "and", e.Y)
	} else {
		y = c.expr(e.Y)
	}
	if x.bad() || y.bad() {
		return invalid
	}
	lv := x.lv.join(y.lv)
	if e.Op == "@" {
		return c.matmul(e, x, y, lv)
	}
	shape, ok := c.align(e, []ast.Expr{e.X, e.Y}, []value{x, y}, e.Op)
	if !ok {
		return invalid
	}
	a, b := x.t.Entry(), y.t.Entry()
	switch e.Op {
	case "and", "or":
		for i, k := range []types.Kind{a, b} {
			if k != types.Bool {
				c.report(WantBool, []ast.Expr{e.X, e.Y}[i].Pos(),
					"%s takes true or false, and this is %s", e.Op, article([]value{x, y}[i].t))
				return invalid
			}
		}
		return value{types.ArrayOf(types.Bool, shape), lv}
	case "==", "!=", "<", "<=", ">", ">=":
		return value{types.ArrayOf(types.Bool, shape), lv}
	}
	k := arith(e.Op, a, b)
	if y, ok := c.constant(e.Y); ok && e.Op == "%" && y == 0 {
		c.report(OutOfRange, e.Y.Pos(), "there is no remainder of a division by 0")
		return invalid
	}
	if n, ok := e.X.(*ast.Number); ok && e.Op == "-" && n.Value == 1 && b == types.Unit {
		k = types.Unit
	}
	if e.Op == "^" && a.Discrete() {
		k = types.Real
		if n, ok := e.Y.(*ast.Number); ok && n.Int {
			k = types.Int
			if a.Info().Nonneg {
				k = types.Count
			}
		}
	}
	return value{types.ArrayOf(k, shape), lv}
}

// above says that numbers of the kind are above 0.
func above(k types.Kind) bool {
	return k == types.Positive || k == types.Unit
}

// arith is the kind of a op b.
func arith(op string, a, b types.Kind) types.Kind {
	if a.Discrete() && b.Discrete() && op == "%" && b.Info().Nonneg {
		return types.Count // the remainder has the sign of the divisor
	}
	if a.Discrete() && b.Discrete() && op != "/" && op != "^" {
		if op != "-" && op != "%" && a.Info().Nonneg && b.Info().Nonneg {
			return types.Count
		}
		return types.Int
	}
	switch op {
	case "+":
		if above(a) && (above(b) || b.Info().Nonneg) || above(b) && a.Info().Nonneg {
			return types.Positive
		}
	case "*":
		if a == types.Unit && b == types.Unit {
			return types.Unit
		}
		if above(a) && above(b) {
			return types.Positive
		}
	case "/":
		if above(a) && above(b) {
			return types.Positive
		}
	case "^":
		if above(a) {
			return types.Positive
		}
	}
	return types.Real
}

// align finds the shape that the others fit, or reports the first that does not.
func (c *checker) align(at ast.Expr, es []ast.Expr, vs []value, what string) (types.Shape, bool) {
	shapes := make([]types.Shape, len(vs))
	for i, v := range vs {
		shapes[i] = v.t.Shape
	}
	large, bad, ways := types.Largest(shapes)
	if bad < 0 {
		return large, true
	}
	var other types.Shape
	for i, s := range shapes {
		if len(s) == len(large) && i != bad {
			other = s
			break
		}
	}
	if ways > 1 {
		c.report(FitsTwice, at.Pos(),
			"%s does not fit %s for %s: it could be any of its axes of size %s", shapes[bad], large,
			what, commonSize(shapes[bad], large)).
			Note("index the axis that is meant, or write a comprehension")
	} else {
		a, b := shapes[bad], other
		if len(shapes) == 2 {
			a, b = shapes[0], shapes[1]
		}
		small, big := shapes[bad], other
		if len(small) == len(big) {
			small, big = a, b
		}
		d := c.report(ShapeMismatch, at.Pos(), "%s and %s do not go together in %s%s", a, b, what,
			why(small, big))
		if len(a) == 1 && len(b) == 1 && len(vs) == 2 && aDim(a[0]) && aDim(b[0]) {
			d.Note("an outer result is a comprehension: [a[i] " + what + " b[j] for i in " +
				shapes[0][0].String() + ", j in " + shapes[1][0].String() + "]")
		}
	}
	return nil, false
}

func aDim(p types.Size) bool {
	_, ok := p.Name()
	return ok
}

// commonSize returns a size that both shapes contain.
func commonSize(a, b types.Shape) string {
	for _, p := range a {
		n := 0
		for _, q := range b {
			if p.Equal(q) {
				n++
			}
		}
		if n > 1 {
			return p.String()
		}
	}
	return "this"
}

// matmul sums the last axis of x with the first of y.
func (c *checker) matmul(e *ast.Binary, x, y value, lv Level) value {
	for i, v := range []value{x, y} {
		if len(v.t.Shape) == 0 {
			c.report(WantArray, []ast.Expr{e.X, e.Y}[i].Pos(),
				"@ sums over an axis, and this is a number: use *").Suggest(e.OpSpan, "*")
			return invalid
		}
	}
	a, b := x.t.Shape, y.t.Shape
	p, q := a[len(a)-1], b[0]
	if !p.Equal(q) {
		d := c.report(MatmulAxes, e.Span,
			"%s @ %s: the last axis of the left is summed with the first of the right, and %s is not %s", a,
			b, p, q)
		if len(b) > 1 && b[len(b)-1].Equal(p) {
			d.Note("nothing is transposed: perhaps transpose the right side")
			if y := e.Y.Pos(); len(b) == 2 {
				d.Suggest(y, "transpose("+c.source(y)+")")
			}
		} else if a[0].Equal(q) {
			d.Note("nothing is transposed: perhaps the sides are the wrong way round")
			if b[len(b)-1].Equal(a[0]) {
				c.exchange(d, e.X.Pos(), e.Y.Pos())
			}
		}
		return invalid
	}
	k := arith("*", x.t.Entry(), y.t.Entry())
	if k == types.Unit {
		k = types.Positive
	}
	return value{types.ArrayOf(k, types.JoinShapes(a[:len(a)-1], b[1:])), lv}
}

func (c *checker) ifExpr(e *ast.If) value {
	cond := c.expr(e.Cond)
	x, y := c.under(e.Cond, true, e.Then), c.under(e.Cond, false, e.Else)
	if cond.bad() || x.bad() || y.bad() {
		return invalid
	}
	if cond.t.Entry() != types.Bool {
		c.report(WantBool, e.Cond.Pos(), "if takes true or false, and this is %s",
			article(cond.t)).Note("write a comparison, such as " + c.source(e.Cond.Pos()) + " > 0")
		return invalid
	}
	lv := cond.lv.join(x.lv).join(y.lv)
	if len(cond.t.Shape) == 0 && x.t.Shape.Equal(y.t.Shape) && x.t.Own == y.t.Own {
		t := joinTypes(x.t, y.t)
		return value{t, lv}
	}
	shape, ok := c.align(e, []ast.Expr{e.Cond, e.Then, e.Else}, []value{cond, x, y}, "if")
	if !ok {
		return invalid
	}
	return value{types.ArrayOf(joinKinds(x.t.Entry(), y.t.Entry()), shape), lv}
}

// joinKinds returns the kind of a value that is one or the other.
func joinKinds(a, b types.Kind) types.Kind {
	switch {
	case a == b && a != types.Interval && a != types.Index:
		return a
	case a.Discrete() && b.Discrete():
		if a.Info().Nonneg && b.Info().Nonneg {
			return types.Count
		}
		return types.Int
	case above(a) && above(b):
		return types.Positive
	}
	return types.Real
}

// joinTypes returns the type of a value that is one or the other, of equal shape.
func joinTypes(a, b types.Type) types.Type {
	if a.Kind == b.Kind && a.Own == b.Own && a.Kind != types.Interval &&
		(a.Kind != types.Index || a.Below.Equal(b.Below)) {
		a.Sparse = a.Sparse && b.Sparse
		return plain(a)
	}
	return types.ArrayOf(joinKinds(a.Entry(), b.Entry()), a.Shape)
}

// plain forgets how data is stored.
func plain(t types.Type) types.Type {
	t.Sparse, t.Optional, t.From, t.Listed = false, false, 0, false
	return t
}

func (c *checker) tuple(e *ast.Tuple) value {
	out := value{t: types.Type{Kind: types.Tuple}}
	for _, x := range e.Elems {
		v := c.expr(x)
		if v.bad() {
			out.t.Kind = types.Invalid
		}
		out.t.Parts = append(out.t.Parts, v.t)
		out.lv = out.lv.join(v.lv)
	}
	if out.t.Kind == types.Invalid {
		return invalid
	}
	return out
}
