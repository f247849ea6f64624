package translate

func plus(x, y node) node {
	a, ok := x.(whole)
	b, ok2 := y.(whole)
	switch {
	case ok && ok2:
		return whole{a.p.Add(b.p)}
	case isNum(x, 0):
		return y
	case isNum(y, 0):
		return x
	}
	if u, ok := y.(unary); ok && u.op == "-" {
		return binary{"-", x, u.x}
	}
	return binary{"+", x, y}
}

func minus(x, y node) node {
	a, ok := x.(whole)
	b, ok2 := y.(whole)
	switch {
	case ok && ok2:
		return whole{a.p.Sub(b.p)}
	case isNum(y, 0):
		return x
	case isNum(x, 0):
		return neg(y)
	}
	return binary{"-", x, y}
}

func times(x, y node) node {
	a, ok := x.(whole)
	b, ok2 := y.(whole)
	switch {
	case ok && ok2:
		return whole{a.p.Mul(b.p)}
	case isNum(x, 1):
		return y
	case isNum(y, 1):
		return x
	}
	return binary{"*", x, y}
}

func neg(x node) node {
	switch x := x.(type) {
	case whole:
		return whole{x.p.Neg()}
	case number:
		if x.text[0] == '-' {
			return number{x.text[1:]}
		}
		return number{"-" + x.text}
	case unary:
		if x.op == "-" {
			return x.x
		}
	}
	return unary{"-", x}
}

var opposite = map[string]string{"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}

func not(x node) node {
	switch x := x.(type) {
	case unary:
		if x.op == "not" {
			return x.x
		}
	case binary:
		if o, ok := opposite[x.op]; ok {
			return binary{o, x.x, x.y}
		}
	case ref:
		if x.s == trueSym {
			return ref{falseSym}
		}
		if x.s == falseSym {
			return ref{trueSym}
		}
	}
	return unary{"not", x}
}

func truth(b bool) node {
	if b {
		return ref{trueSym}
	}
	return ref{falseSym}
}

func isTrue(n node) bool  { r, ok := n.(ref); return ok && r.s == trueSym }
func isFalse(n node) bool { r, ok := n.(ref); return ok && r.s == falseSym }

func and(list []node) node {
	var out node
	for _, c := range list {
		switch {
		case isTrue(c):
		case isFalse(c):
			return c
		case out == nil:
			out = c
		default:
			out = binary{"and", out, c}
		}
	}
	if out == nil {
		return truth(true)
	}
	return out
}
