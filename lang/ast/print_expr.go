package ast

// Binding strengths, loosest first; a child that binds more loosely than its place gets
// parentheses.
const (
	looseIf = iota
	looseOr
	looseAnd
	looseNot
	looseCmp
	looseSum
	looseMul
	looseNeg
	loosePow
	looseAtom
)

var strength = map[string]int{
	"or": looseOr, "and": looseAnd, "==": looseCmp, "!=": looseCmp, "<": looseCmp, "<=": looseCmp,
	">": looseCmp, ">=": looseCmp,
	"+": looseSum, "-": looseSum, "*": looseMul, "/": looseMul, "%": looseMul, "@": looseMul,
	"^": loosePow,
}

func strengthOf(e Expr) int {
	switch e := e.(type) {
	case *If:
		return looseIf
	case *Binary:
		return strength[e.Op]
	case *Unary:
		if e.Op == "not" {
			return looseNot
		}
		return looseNeg
	}
	return looseAtom
}

// operand prints a child in a place that asks for a strength.
func (p *printer) operand(e Expr, least int) {
	if strengthOf(e) >= least {
		p.expr(e)
		return
	}
	p.open("(", -1, -1)
	p.expr(e)
	p.close(")", -1, -1)
}

// head prints what a call, an index or a point follows.
func (p *printer) head(e Expr) {
	if _, ok := e.(*Scan); ok {
		p.write("(")
		p.expr(e)
		p.write(")")
		return
	}
	p.operand(e, looseAtom)
}

func ends[T Node](n T) (int, int) { s := n.Pos(); return s.Start, s.End }

func (p *printer) expr(e Expr) {
	switch e := e.(type) {
	case *Number:
		p.write(e.Text)
	case *Bool:
		if e.Value {
			p.write("true")
		} else {
			p.write("false")
		}
	case *Inf:
		p.write("inf")
	case *Name:
		p.write(e.Name)
	case *Unary:
		p.unary(e)
	case *Binary:
		p.binary(e)
	case *If:
		p.ifExpr(e)
	case *Paren:
		list(p, "()", e.Start+1, []Expr{e.X}, ends[Expr], e.End-1, p.expr)
	case *Tuple:
		list(p, "()", e.Start+1, e.Elems, ends[Expr], e.End-1, p.expr)
	case *Array:
		list(p, "[]", e.Start+1, e.Elems, ends[Expr], e.End-1, p.expr)
	case *Comp:
		if !e.Bracket {
			p.comp(e)
			break
		}
		start, _ := ends(e.Elem)
		p.open("[", e.Start+1, start)
		p.comp(e)
		_, last := ends(e.Binds[len(e.Binds)-1])
		p.close("]", last, e.End-1)
	case *Call:
		p.head(e.Fun)
		_, end := ends(e.Fun)
		p.args(e.Args, end, e.End-1)
	case *Select:
		p.head(e.X)
		p.write("." + e.Name.Name)
	case *Index:
		p.head(e.X)
		_, end := ends(e.X)
		list(p, "[]", end+1, e.Subs, ends[Expr], e.End-1, p.expr)
	case *Range:
		if e.Lo != nil {
			p.expr(e.Lo)
		}
		p.write(":")
		if e.Hi != nil {
			p.expr(e.Hi)
		}
	case *Scan:
		p.scan(e)
	case *DistValue:
		p.dist(e.Dist)
	}
}

func (p *printer) unary(e *Unary) {
	p.write(e.Op)
	least, space := looseNeg, ""
	if e.Op == "not" {
		least, space = looseNot, " "
	}
	to, _ := ends(e.X)
	p.gap(e.Start+len(e.Op), to, space)
	p.operand(e.X, least)
}

func (p *printer) binary(e *Binary) {
	level := strength[e.Op]
	left, right := level, level+1
	switch {
	case e.Op == "^": // to the right, and 2^-1 needs no parentheses
		left, right = looseAtom, looseNeg
	case level == looseCmp: // these do not chain
		left = level + 1
	case level == looseMul:
		right = looseNeg
	case level == looseAnd:
		right = looseNot
	}
	p.operand(e.X, left)
	_, from := ends(e.X)
	to, _ := ends(e.Y)
	if e.Op == "^" {
		p.write("^")
		p.gap(from, to, "")
	} else {
		p.write(" " + e.Op)
		p.gap(from, to, " ")
	}
	p.operand(e.Y, right)
}

func (p *printer) ifExpr(e *If) {
	p.write("if ")
	p.operand(e.Cond, looseIf)
	for _, part := range []struct {
		word string
		at   Expr
		e    Expr
	}{{" then", e.Cond, e.Then}, {" else", e.Then, e.Else}} {
		p.write(part.word)
		_, from := ends(part.at)
		to, _ := ends(part.e)
		p.gap(from, to, " ")
		p.expr(part.e)
	}
}

// args prints ( … ) of a call.
func (p *printer) args(args []Arg, open, end int) {
	list(p, "()", open+1, args, argSpan, end, p.arg)
}

func argSpan(a Arg) (int, int) {
	start, end := ends(a.Value)
	if a.Name.Name != "" {
		start = a.Name.Start
	}
	return start, end
}

func (p *printer) arg(a Arg) {
	if a.Name.Name == "" {
		p.expr(a.Value)
		return
	}
	sign := " ="
	if _, ok := a.Value.(*DistValue); ok {
		sign = " ~"
	}
	p.write(a.Name.Name + sign)
	to, _ := ends(a.Value)
	p.gap(a.Name.End, to, " ")
	p.expr(a.Value)
}

// comp prints e for i in I, j in J; it stands in brackets, so the line may break before the for.
func (p *printer) comp(c *Comp) {
	p.expr(c.Elem)
	_, from := ends(c.Elem)
	p.gap(from, c.Binds[0].Start, " ")
	p.write("for ")
	commas(p, c.Binds, ends[Bind], p.bind)
}

func (p *printer) bind(b Bind) {
	p.write(b.Var.Name + " in")
	to, _ := ends(b.In)
	p.gap(b.Var.End, to, " ")
	p.expr(b.In)
}

func (p *printer) scan(s *Scan) {
	p.write("scan ")
	p.bind(s.Bind)
	p.write(" from ")
	if s.Tuple {
		list(p, "()", -1, s.Carries, carrySpan, -1, p.carry)
	} else {
		for _, c := range s.Carries {
			p.carry(c)
		}
	}
	p.write(" ")
	p.block(s.Body)
}

func carrySpan(c Carry) (int, int) { _, end := ends(c.Init); return c.Name.Start, end }

func (p *printer) carry(c Carry) {
	p.write(c.Name.Name + " =")
	to, _ := ends(c.Init)
	p.gap(c.Name.End, to, " ")
	p.expr(c.Init)
}

func (p *printer) dist(d *DistExpr) {
	p.write(d.Name.Name)
	if d.Call {
		p.distArgs(d)
	}
	for _, cut := range []struct {
		word string
		at   *Interval
	}{{" truncated", d.Trunc}, {" censored", d.Cens}} {
		if cut.at != nil {
			p.write(cut.word)
			list(p, "()", -1, []Expr{cut.at.Lo, cut.at.Hi}, ends[Expr], cut.at.End-1, p.expr)
		}
	}
}

func (p *printer) distArgs(d *DistExpr) {
	args := d.Args
	if d.Comp != nil {
		args = append(args[:len(args):len(args)], Arg{Value: d.Comp})
	}
	end := d.End - 1
	if d.Trunc != nil || d.Cens != nil {
		end = -1
	}
	p.args(args, d.Name.End, end)
}
