// Package lint warns of what is legal in a model but seldom meant:
// `sgppl check --pedantic`. It reads what the checker learnt of a model without
// errors; each lint is a row of the table and stands alone.
package lint

import (
	"fmt"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// The codes of the lints; lang/diag explains them.
const (
	Unused       diag.Code = "W0911"
	FlatPrior    diag.Code = "W0912"
	VagueGamma   diag.Code = "W0913"
	RepeatedTerm diag.Code = "W0914"
	Jump         diag.Code = "W0915"
	UniformEnds  diag.Code = "W0916"
)

// lints are run in order; the diagnostics are sorted by place afterwards.
var lints = []struct {
	code diag.Code
	run  func(*linter)
}{
	{Unused, (*linter).unused},
	{FlatPrior, (*linter).flatPriors},
	{VagueGamma, (*linter).vagueGammas},
	{RepeatedTerm, (*linter).repeatedTerms},
	{Jump, (*linter).jumps},
	{UniformEnds, (*linter).uniformEnds},
}

// Model runs every lint on a model that has no errors.
func Model(m *check.Model) diag.List {
	l := &linter{m: m, file: m.File.Source}
	for _, x := range lints {
		l.code = x.code
		x.run(l)
	}
	l.diags.Sort()
	return l.diags
}

type linter struct {
	m     *check.Model
	file  *source.File
	code  diag.Code
	diags diag.List
}

func (l *linter) warn(at source.Span, format string, args ...any) *diag.Diagnostic {
	return l.diags.Add(&diag.Diagnostic{Code: l.code, Severity: diag.Warning, Message: fmt.Sprintf(format, args...), File: l.file, Span: at})
}

// unused finds inputs, parameters and values that no term and no tracked value
// mentions. A prior of its own is no use of a parameter.
func (l *linter) unused() {
	used := map[*check.Symbol]bool{}
	left := map[ast.Node]bool{}
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		if t, ok := n.(*ast.Tilde); ok {
			if name := root(t.Left); name != nil && l.m.Uses[name] != nil && l.m.Uses[name].Kind == check.Param {
				left[name] = true
			}
		}
		return true
	})
	for n, s := range l.m.Uses {
		if name, ok := n.(*ast.Name); ok && !left[name] {
			used[s] = true
		}
	}
	for _, s := range l.m.Symbols {
		switch s.Kind {
		case check.Data, check.Param, check.Let:
			if !used[s] {
				l.warn(s.Span, "nothing uses the %s %s", s.Kind, s.Name)
			}
		}
	}
}

// root is the name that an expression takes entries of.
func root(e ast.Expr) *ast.Name {
	switch e := e.(type) {
	case *ast.Name:
		return e
	case *ast.Index:
		return root(e.X)
	case *ast.Paren:
		return root(e.X)
	}
	return nil
}

// flatPriors finds parameters on unbounded types without a distribution.
func (l *linter) flatPriors() {
	stated := map[*check.Symbol]bool{}
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		if t, ok := n.(*ast.Tilde); ok {
			if name := root(t.Left); name != nil {
				stated[l.m.Uses[name]] = true
			}
		}
		return true
	})
	for _, s := range l.m.Symbols {
		if s.Kind != check.Param || stated[s] || s.Group == nil || s.Group.Prior != nil {
			continue
		}
		switch s.Type.Kind {
		case types.Real, types.Positive, types.Ordered, types.PositiveOrdered, types.SumToZero:
			l.warn(s.Span, "%s has no prior: its density is 1 on all of %s, which has no integral", s.Name, s.Type.Kind).
				Note("the posterior is proper only where the data make it so; such a model cannot be simulated")
		}
	}
}

// vagueGammas finds gamma(ε, ε) and inv_gamma(ε, ε), which are not vague.
func (l *linter) vagueGammas() {
	const small = 0.01
	l.dists(func(d *ast.DistExpr, use *check.DistUse) {
		if use.Def.Name != "gamma" && use.Def.Name != "inv_gamma" {
			return
		}
		for _, a := range use.Args {
			if n, ok := a.(*ast.Number); !ok || n.Value > small {
				return
			}
		}
		if len(use.Args) == 2 {
			l.warn(d.Span, "%s with two small arguments is not vague: nearly all its mass is at one end", use.Def.Name).
				Note("a half-normal or half-Cauchy prior on the scale says what is usually meant: s : positive ~ normal(0, 1)")
		}
	})
}

// dists visits the plain distributions of the file.
func (l *linter) dists(visit func(*ast.DistExpr, *check.DistUse)) {
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		if d, ok := n.(*ast.DistExpr); ok {
			if use := l.m.Dists[d]; use != nil && use.Form == check.Plain {
				visit(d, use)
			}
		}
		return true
	})
}

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
					l.warn(st.Value.Pos(), "this factor is the same for every row and is added once for each of them").
						Note("move it out of the plate if it is meant once")
				}
			}
		}
	}
	inside(l.m.File.Stmts, nil)
}

// jumps finds conditions on unknowns: the density jumps or has a kink there.
func (l *linter) jumps() {
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		if x, ok := n.(*ast.If); ok && l.m.Levels[x.Cond].Stage == check.OfParams {
			l.warn(x.Cond.Pos(), "the condition depends on an unknown: gradients see each side alone, and a jump between them not at all")
		}
		return true
	})
}

// uniformEnds finds uniform(a, b) on a type that reaches beyond a or b: the
// density falls off a cliff, which no gradient announces.
func (l *linter) uniformEnds() {
	for _, s := range l.m.Symbols {
		use := s.Prior
		if s.Kind != check.Param || s.Group == nil || s.Group.Prior == nil || use == nil || use.Form != check.Plain || use.Def.Name != "uniform" || len(use.Args) != 2 {
			continue
		}
		lo, hi := numberOf(use.Args[0]), numberOf(use.Args[1])
		switch {
		case s.Type.Kind == types.Unit && lo == "0" && hi == "1":
			continue
		case s.Type.Kind == types.Interval && s.Type.Ends[0] != nil && l.text(s.Type.Ends[0]) == l.text(use.Args[0]) && l.text(s.Type.Ends[1]) == l.text(use.Args[1]):
			continue
		}
		l.warn(s.Group.Prior.Span, "%s is declared %s, which is not what uniform(%s, %s) is on: a chain that leaves it stops", s.Name, s.Type.Kind, l.text(use.Args[0]), l.text(use.Args[1])).
			Note(fmt.Sprintf("declare it as %s : interval(%s, %s), which needs no prior", s.Name, l.text(use.Args[0]), l.text(use.Args[1])))
	}
}

func numberOf(e ast.Expr) string {
	if n, ok := e.(*ast.Number); ok {
		return n.Text
	}
	return ""
}

func (l *linter) text(e ast.Expr) string {
	s := e.Pos()
	if s.Start < 0 || s.End > len(l.file.Text) || s.Start > s.End {
		return "…"
	}
	return l.file.Text[s.Start:s.End]
}
