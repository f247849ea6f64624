package lint

import (
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
)

// repeatedTerms finds a factor that a plate adds once for every row though it
// is the same number for all of them.
func (l *linter) repeatedTerms() {
	var inside func(list []ast.Stmt, plate *ast.For)
	inside = func(list []ast.Stmt, plate *ast.For) {
		for _, st := range list {
			switch st := st.(type) {
			case *ast.For:
				inside(st.Body, st)
			case *ast.Factor:
				if plate != nil && !l.m.Levels[st.Value].Row {
					l.warn(st.Value.Pos(),
						"this factor is the same for every row and is added once for each of them").
						Note("move it out of the plate if it is meant once")
				}
			}
		}
	}
	inside(l.m.File.Stmts, nil)
}

// jumps finds conditions on continuous unknowns: the density jumps or has a
// kink there. A discrete unknown is summed out or drawn, and makes no jump.
func (l *linter) jumps() {
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		x, ok := n.(*ast.If)
		if !ok || l.m.Levels[x.Cond].Stage != check.OfParams {
			return true
		}
		for s := range l.roots(x.Cond) {
			if s.Kind != check.Data && !s.Type.Kind.Discrete() {
				l.warn(x.Cond.Pos(),
					"the condition depends on an unknown: gradients see each side alone, and a "+
						"jump between them not at all")
				break
			}
		}
		return true
	})
}

// notPositive finds unknowns and inputs that stand where a number above 0, or
// one between 0 and 1, is wanted, and whose type does not say that they are.
// What is computed is not judged.
func (l *linter) notPositive() {
	l.dists(func(d *ast.DistExpr, use *check.DistUse) {
		for i, a := range use.Args {
			if i >= len(use.Def.Params) {
				break
			}
			want := use.Def.Params[i].Type.Entry()
			s := l.symbol(a)
			if s == nil || s.Kind != check.Data && s.Kind != check.Param &&
				s.Kind != check.LocalVar || want != types.Positive && want != types.Unit {
				continue
			}
			lo, hi, known := l.ends(types.Type{Kind: s.Type.Entry(), Ends: s.Type.Ends})
			if s.Type.Entry().Discrete() || !known ||
				lo >= 0 && (want == types.Positive || hi <= 1) {
				continue
			}
			what := "above 0"
			if want == types.Unit {
				what = "between 0 and 1"
			}
			w := l.warn(a.Pos(), "the argument %s of %s is %s, and %s is declared %s",
				use.Def.Params[i].Name, use.Def.Name, what, s.Name, s.Type.Kind)
			w.Note("declare it as " + s.Name + " : " + want.String())
			if other := l.positiveOther(use, i, want); other != nil {
				w.Note("are "+l.text(a)+" and "+l.text(other)+" in each other's place?").
					Suggest(a.Pos(), l.text(other)).Suggest(other.Pos(), l.text(a))
			} else {
				l.retype(w, s, want.String())
			}
		}
	})
}

// positiveOther is an argument that is in range by its type and stands where any number may.
func (l *linter) positiveOther(use *check.DistUse, i int, want types.Kind) ast.Expr {
	for j, a := range use.Args {
		if j == i || j >= len(use.Def.Params) || use.Def.Params[j].Type.Entry() != types.Real {
			continue
		}
		if s := l.symbol(a); s != nil && s.Type.Entry() == want {
			return a
		}
	}
	return nil
}

// noJacobians finds densities of a nonlinear function of params alone, such as
// normal.logpdf(log(s), 0, 1): a density of log(s) is one of s only with the
// Jacobian. Where data are in the value, it is a residual, and all is well.
func (l *linter) noJacobians() {
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Dist, *ast.Fn:
			return false // a definition of a density is not a term
		case *ast.Call:
			c := l.m.Callees[n]
			if c == nil || c.Dist == nil || c.Method != "logpdf" || len(c.Args) == 0 ||
				c.Args[0] == nil {
				return true
			}
			unknown := false
			for s := range l.roots(c.Args[0]) {
				if s.Kind == check.Data {
					return true
				}
				unknown = unknown || !s.Type.Kind.Discrete()
			}
			if unknown && l.nonlinear(c.Args[0]) {
				l.warn(c.Args[0].Pos(),
					"this is a density of %s, which is no density of what it is made of without "+
						"its Jacobian", l.text(c.Args[0])).
					Note("add the log of the derivative's absolute value with `factor`, or give " +
						"the unknown its own prior (lognormal for a log that is normal)")
			}
		}
		return true
	})
}

// nonlinear says that a value bends with the unknowns. Sums, differences,
// products with what is known, entries and sums of entries do not bend.
func (l *linter) nonlinear(e ast.Expr) bool {
	known := func(e ast.Expr) bool { return l.m.Levels[e].Stage != check.OfParams }
	if known(e) {
		return false
	}
	switch e := e.(type) {
	case *ast.Name:
		s := l.m.Uses[e]
		return s != nil && (s.Kind == check.Let || s.Kind == check.Track) && s.Expr != nil &&
			l.nonlinear(s.Expr)
	case *ast.Paren:
		return l.nonlinear(e.X)
	case *ast.Unary:
		return l.nonlinear(e.X)
	case *ast.Index:
		return l.nonlinear(e.X)
	case *ast.Binary:
		switch e.Op {
		case "+", "-":
			return l.nonlinear(e.X) || l.nonlinear(e.Y)
		case "*", "@":
			return !known(e.X) && !known(e.Y) || l.nonlinear(e.X) || l.nonlinear(e.Y)
		case "/":
			return !known(e.Y) || l.nonlinear(e.X)
		}
		return true
	case *ast.Array:
		for _, x := range e.Elems {
			if l.nonlinear(x) {
				return true
			}
		}
		return false
	case *ast.Comp:
		return l.nonlinear(e.Elem)
	case *ast.Call:
		name, ok := e.Fun.(*ast.Name)
		if !ok || len(e.Args) == 0 || l.m.Callees[e] == nil || l.m.Callees[e].Builtin == nil {
			return false // a function of the file: not judged
		}
		switch name.Name {
		case "sum", "mean", "cumsum", "transpose", "flatten", "reshape", "concat", "diag":
			for _, a := range e.Args {
				if _, typed := l.m.Types[a.Value]; typed && l.nonlinear(a.Value) {
					return true
				}
			}
			return false
		case "dot":
			return !known(e.Args[0].Value) && len(e.Args) > 1 && !known(e.Args[1].Value)
		}
		return true
	}
	return false
}

// outsideBatch finds data along an axis that cannot be minibatched in a model
// that has one that can: their terms are computed whole at every step.
func (l *linter) outsideBatch() {
	if len(l.m.Batchable) == 0 {
		return
	}
	var axes []string
	batch := map[string]bool{}
	for _, a := range l.m.Batchable {
		axes = append(axes, a.Name)
		batch[a.Name] = true
	}
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		t, ok := n.(*ast.Tilde)
		if !ok {
			return true
		}
		s := l.symbol(t.Left)
		if s == nil || s.Kind != check.Data {
			return true
		}
		large := ""
		for _, p := range s.Type.Shape {
			for _, d := range p.Dims() {
				if batch[d] {
					return true
				}
				large = d
			}
		}
		if large != "" {
			w := l.warn(t.Left.Pos(),
				"%s lies along %s, outside what can be minibatched (%s): its terms are computed "+
					"whole at every step", s.Name, large, strings.Join(axes, ", "))
			for _, u := range l.m.Unbatchable {
				if u.Axis == large {
					w.Note("of " + large + " no minibatch can be taken: " + u.Reason)
				}
			}
		}
		return true
	})
}
