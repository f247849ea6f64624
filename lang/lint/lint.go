// Package lint warns of what is legal in a model but seldom meant:
// `sgppl check --pedantic`. It reads what the checker learnt of a model without
// errors; each lint is a row of the table and stands alone. A comment
// `// nolint W0911`, at the end of a line or on a line above it, silences lints
// there; without codes it silences all.
package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// The codes of the lints; lang/diag explains them.
const (
	Unused       diag.Code = "W0911"
	FlatPrior    diag.Code = "W0912"
	VagueGamma   diag.Code = "W0913"
	RepeatedTerm diag.Code = "W0914"
	Jump         diag.Code = "W0915"
	UniformEnds  diag.Code = "W0916"
	NotPositive  diag.Code = "W0917"
	CutInside    diag.Code = "W0918"
	HardBounds   diag.Code = "W0919"
	NotUnitScale diag.Code = "W0920"
	NoJacobian   diag.Code = "W0921"
	OutsideBatch diag.Code = "W0922"
	OffSurface   diag.Code = "W0923"
	FirstRow     diag.Code = "W0924"
	IndexLessOne diag.Code = "W0925"
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
	{NotPositive, (*linter).notPositive},
	{CutInside, (*linter).cutsInside},
	{HardBounds, (*linter).hardBounds},
	{NotUnitScale, (*linter).notUnitScale},
	{NoJacobian, (*linter).noJacobians},
	{OutsideBatch, (*linter).outsideBatch},
	{OffSurface, (*linter).offSurfaces},
	{FirstRow, (*linter).firstRows},
	{IndexLessOne, (*linter).indicesLessOne},
}

// Codes lists the lints in order.
func Codes() []diag.Code {
	var out []diag.Code
	for _, x := range lints {
		out = append(out, x.code)
	}
	return out
}

// Model runs every lint but those that are off on a model that has no errors.
func Model(m *check.Model, off ...diag.Code) diag.List {
	l := &linter{m: m, file: m.File.Source}
	for _, x := range lints {
		if slices.Contains(off, x.code) {
			continue
		}
		l.code = x.code
		x.run(l)
	}
	l.silence()
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
	return l.diags.Add(&diag.Diagnostic{Code: l.code, Severity: diag.Warning,
		Message: fmt.Sprintf(format, args...), File: l.file, Span: at})
}

var (
	nolint = regexp.MustCompile(`^//+\s*nolint\b(.*)$`)
	codes  = regexp.MustCompile(`W\d{4}`)
)

// silence drops what a nolint comment speaks of: its own line, or the next one
// that is not a comment, where the comment has its own line.
func (l *linter) silence() {
	type quiet struct {
		all   bool
		codes []string
	}
	lines := map[int]quiet{}
	for _, c := range l.m.File.Comments {
		m := nolint.FindStringSubmatch(c.Text)
		if m == nil {
			continue
		}
		line := l.file.Position(c.Start).Line
		if own := strings.TrimSpace(l.file.Line(line)); strings.HasPrefix(own, "//") {
			for line++; line <= l.file.Lines() &&
				strings.HasPrefix(strings.TrimSpace(l.file.Line(line)), "//"); line++ {
			}
		}
		rest, _, _ := strings.Cut(m[1], "//")
		found := codes.FindAllString(rest, -1)
		q := lines[line]
		lines[line] = quiet{q.all || len(found) == 0, append(q.codes, found...)}
	}
	l.diags = slices.DeleteFunc(l.diags, func(d *diag.Diagnostic) bool {
		q := lines[l.file.Position(d.Span.Start).Line]
		return q.all || slices.Contains(q.codes, string(d.Code))
	})
}

// symbol is what an expression takes entries of, nil where it is computed.
func (l *linter) symbol(e ast.Expr) *check.Symbol {
	if n := ast.Root(e); n != nil {
		return l.m.Uses[n]
	}
	return nil
}

// roots are the data, params and locals that a value is made of, through lets
// and the bodies of functions.
func (l *linter) roots(e ast.Expr) map[*check.Symbol]bool {
	found, done := map[*check.Symbol]bool{}, map[ast.Node]bool{}
	var in func(n ast.Node)
	in = func(n ast.Node) {
		if n == nil || done[n] {
			return
		}
		done[n] = true
		ast.Inspect(n, func(x ast.Node) bool {
			if call, ok := x.(*ast.Call); ok {
				if c := l.m.Callees[call]; c != nil && c.Fn != nil && c.Fn.Decl != nil &&
					c.Fn.Decl.Body != nil {
					for _, let := range c.Fn.Decl.Body.Lets {
						in(let.Value)
					}
					in(c.Fn.Decl.Body.Result)
				}
			}
			name, ok := x.(*ast.Name)
			if !ok {
				return true
			}
			switch s := l.m.Uses[name]; {
			case s == nil:
			case s.Kind == check.Let || s.Kind == check.Track:
				in(s.Expr)
			case s.Kind == check.Data || s.Kind == check.Param || s.Kind == check.LocalVar:
				found[s] = true
			}
			return true
		})
	}
	in(e)
	return found
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

// A prior is a distribution of an unknown, where it stands.
type prior struct {
	of   *check.Symbol
	dist *ast.DistExpr
	use  *check.DistUse
}

// priors lists the plain ones, of declarations and of statements. Where several
// names share one, the first has it.
func (l *linter) priors() (list []prior) {
	seen := map[*ast.DistExpr]bool{}
	add := func(s *check.Symbol, d *ast.DistExpr) {
		if s == nil || d == nil || seen[d] || s.Kind != check.Param && s.Kind != check.LocalVar {
			return
		}
		seen[d] = true
		if use := l.m.Dists[d]; use != nil && use.Form == check.Plain {
			list = append(list, prior{s, d, use})
		}
	}
	groups := func(gs []ast.Group) {
		for i := range gs {
			for j := range gs[i].Vars {
				add(l.m.Uses[&gs[i].Vars[j].Name], gs[i].Prior)
			}
		}
	}
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ParamDecl:
			groups(n.Groups)
		case *ast.Local:
			groups(n.Groups)
		case *ast.Tilde:
			add(l.symbol(n.Left), n.Dist)
		}
		return true
	})
	return list
}

// number is the value of a number as it is written, with its sign.
func number(e ast.Expr) (float64, bool) {
	switch e := e.(type) {
	case *ast.Number:
		return e.Value, true
	case *ast.Paren:
		return number(e.X)
	case *ast.Unary:
		if x, ok := number(e.X); ok && e.Op == "-" {
			return -x, true
		}
	}
	return 0, false
}

func (l *linter) text(e ast.Expr) string {
	s := e.Pos()
	if s.Start < 0 || s.End > len(l.file.Text) || s.Start > s.End {
		return "…"
	}
	return l.file.Text[s.Start:s.End]
}
