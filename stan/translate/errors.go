package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// plainly are the codes of errors that a statement has wherever it stands.
var plainly = []diag.Code{syntax.UnknownName, syntax.UnknownCall, syntax.WrongType, syntax.NoDist}

// errorsInside reports the errors of statements inside one that was given up at its first error,
// each of them looked at alone. Of what only the statements around them can have wrong nothing is
// said.
func (t *translator) errorsInside(s syntax.Stmt, first *diag.Diagnostic) {
	m := t.remember()
	quiet := t.quiet
	t.quiet = true
	t.open()
	t.inBlock(func() { t.lookInside(s, first) })
	t.forget(m)
	t.quiet = quiet
}

func (t *translator) lookInside(s syntax.Stmt, first *diag.Diagnostic) {
	list := func(l []syntax.Stmt) {
		t.open()
		for _, x := range l {
			t.lookInside(x, first)
		}
		t.close()
	}
	switch s := s.(type) {
	case *syntax.Block:
		list(s.Body)
	case *syntax.If:
		t.lookAt(first, func() { t.truthOf(t.expr(s.Cond), s.Cond.Pos()) })
		list(s.Then)
		list(s.Else)
	case *syntax.While:
		t.lookAt(first, func() { t.truthOf(t.expr(s.Cond), s.Cond.Pos()) })
		list(s.Body)
	case *syntax.For:
		t.open()
		in := intVal(size.Dim(t.newIndex(s.Var, size.Poly{}, size.Const(2)).key))
		if s.In != nil {
			in = &value{n: brokenNode{}}
			t.lookAt(first, func() { in = t.at(t.expr(s.In), size.Poly{}) })
		}
		t.bindVar(s.Var, in)
		list(s.Body)
		t.close()
	case *syntax.Decl:
		t.lookAt(first, func() { t.declare(s) })
		v := t.scope[len(t.scope)-1][s.Name]
		if v == nil {
			v = t.bindVar(s.Name, &value{n: brokenNode{}})
		}
		if v.base == nil && len(v.writes) == 0 && v.t.base != tupleBase {
			v.base = anyOf(v, nil) // of which an entry may be read
		}
	case *syntax.Return, *syntax.Break, *syntax.Continue:
	default:
		t.lookAt(first, func() { t.statement(s) })
	}
}

// lookAt reports what stops f, unless it is told already or comes of statements around.
func (t *translator) lookAt(first *diag.Diagnostic, f func()) {
	m := t.remember()
	d := t.trying(f)
	if d == nil {
		return
	}
	t.forget(m)
	told := func(x *diag.Diagnostic) bool { return x.Span == d.Span && x.Code == d.Code }
	if slices.Contains(plainly, d.Code) && !told(first) && !slices.ContainsFunc(t.diags, told) {
		t.diags.Add(d)
	}
}
