package ast

// Root returns the name whose entries an expression takes: x of x, x[i] and (x[i])[j]. It is
// nil where something else is computed.
func Root(e Expr) *Name {
	switch e := e.(type) {
	case *Name:
		return e
	case *Index:
		return Root(e.X)
	case *Paren:
		return Root(e.X)
	}
	return nil
}
