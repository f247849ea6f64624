package lint

import (
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// flatPriors finds parameters on unbounded types without a distribution. One
// that a factor speaks of has its density there.
func (l *linter) flatPriors() {
	stated := map[*check.Symbol]bool{}
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Tilde:
			if s := l.symbol(n.Left); s != nil {
				stated[s] = true
			}
		case *ast.Factor:
			for s := range l.roots(n.Value) {
				stated[s] = true
			}
		}
		return true
	})
	for _, s := range l.m.Symbols {
		if s.Kind != check.Param || stated[s] || s.Group == nil || s.Group.Prior != nil {
			continue
		}
		switch s.Type.Kind {
		case types.Real, types.Positive, types.Nonnegative, types.Ordered, types.PositiveOrdered,
			types.SumToZero:
			l.warn(s.Span, "%s has no prior: its density is 1 on all of %s, which has no integral",
				s.Name, s.Type.Kind).
				Note("the posterior is proper only where the data make it so; such a model " +
					"cannot be simulated")
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
			if x, ok := number(a); !ok || x > small {
				return
			}
		}
		if len(use.Args) == 2 {
			l.warn(d.Span,
				"%s with two small arguments is not vague: nearly all its mass is at one end",
				use.Def.Name).
				Note("a half-normal or half-Cauchy prior on the scale says what is usually " +
					"meant: s : positive ~ normal(0, 1)")
		}
	})
}

// uniformEnds finds uniform(a, b) on a type that reaches beyond a or b: the
// density falls off a cliff, which no gradient announces.
func (l *linter) uniformEnds() {
	for _, p := range l.priors() {
		s := p.of
		if p.use.Def.Name != "uniform" || len(p.use.Args) != 2 || s.Kind != check.Param {
			continue
		}
		lo, hi := p.use.Args[0], p.use.Args[1]
		if a, b, ok := l.ends(s.Type); ok {
			x, okx := number(lo)
			y, oky := number(hi)
			if okx && oky && x == a && y == b {
				continue
			}
		}
		if s.Type.Kind == types.Interval && s.Type.Ends[0] != nil &&
			l.text(s.Type.Ends[0]) == l.text(lo) && l.text(s.Type.Ends[1]) == l.text(hi) {
			continue
		}
		why := "a chain that leaves it stops"
		if a, b, ok := l.ends(s.Type); ok {
			x, okx := number(lo)
			y, oky := number(hi)
			if okx && oky && x <= a && b <= y {
				why = "between narrower ends it adds nothing"
			}
		}
		d := l.warn(p.dist.Span, "%s is declared %s, which is not what uniform(%s, %s) is on: %s",
			s.Name, s.Type.Kind, l.text(lo), l.text(hi), why).
			Note(fmt.Sprintf("declare it as %s : interval(%s, %s), which needs no prior", s.Name,
				l.text(lo), l.text(hi)))
		if l.retype(d, s, fmt.Sprintf("interval(%s, %s)", l.text(lo), l.text(hi))) &&
			s.Group.Prior == p.dist {
			d.Suggest(source.Span{Start: s.Group.Type.Span.End, End: p.dist.Span.End}, "")
		}
	}
}

// retype suggests another type for a name that has its declaration for itself.
func (l *linter) retype(d *diag.Diagnostic, s *check.Symbol, kind string) bool {
	if s.Group == nil || s.Group.Type == nil || len(s.Group.Vars) != 1 || s.File != l.file {
		return false
	}
	t := s.Group.Type
	at := t.Name.Span
	if len(t.Ends) > 0 {
		at.End = t.Ends[len(t.Ends)-1].Pos().End
		at.End += strings.IndexByte(l.file.Text[at.End:], ')') + 1
	}
	d.Suggest(at, kind)
	return true
}

// ends are the least and the largest number of a type, where both are numbers.
func (l *linter) ends(t types.Type) (lo, hi float64, known bool) {
	switch t.Kind {
	case types.Real:
		return math.Inf(-1), math.Inf(1), true
	case types.Positive, types.Nonnegative:
		return 0, math.Inf(1), true
	case types.Unit:
		return 0, 1, true
	case types.Interval:
		a, oka := l.bound(t.Ends[0])
		b, okb := l.bound(t.Ends[1])
		return a, b, oka && okb
	}
	return 0, 0, false
}

// bound is a number or an infinity.
func (l *linter) bound(e ast.Expr) (float64, bool) {
	switch e := e.(type) {
	case nil:
		return 0, false
	case *ast.Inf:
		return math.Inf(1), true
	case *ast.Paren:
		return l.bound(e.X)
	case *ast.Unary:
		if x, ok := l.bound(e.X); ok && e.Op == "-" {
			return -x, true
		}
		return 0, false
	}
	return number(e)
}

// cutsInside finds priors that truncated(lo, hi) cuts inside the type: beyond
// the cut the density is 0, a cliff as under uniform. A narrower type is
// truncation, and says so to the sampler.
func (l *linter) cutsInside() {
	for _, p := range l.priors() {
		cut := p.use.Trunc
		if cut == nil || p.of.Kind != check.Param || p.of.Type.Own > 0 {
			continue
		}
		a, b, known := l.ends(p.of.Type)
		lo, oklo := l.bound(cut.Lo)
		hi, okhi := l.bound(cut.Hi)
		if !known || (!oklo || lo <= a) && (!okhi || hi >= b) {
			continue
		}
		better := fmt.Sprintf("interval(%s, %s)", l.text(cut.Lo), l.text(cut.Hi))
		switch {
		case lo == 0 && math.IsInf(hi, 1):
			better = "positive"
		case lo == 0 && hi == 1:
			better = "unit"
		}
		d := l.warn(cut.Span, "%s is declared %s, and its prior is 0 outside (%s, %s): a chain "+
			"that leaves it stops", p.of.Name, p.of.Type.Kind, l.text(cut.Lo), l.text(cut.Hi)).
			Note(fmt.Sprintf("declare it as %s : %s; a prior on a narrower type is conditioned on it",
				p.of.Name, better))
		if l.retype(d, p.of, better) && p.of.Group.Prior == p.dist {
			d.Suggest(source.Span{Start: cut.Span.Start - 1, End: cut.Span.End}, "")
		}
	}
}

// hardBounds finds params without a prior between two numbers that no
// arithmetic gives: the posterior piles up at an end where the data disagree.
func (l *linter) hardBounds() {
	stated := map[*check.Symbol]bool{}
	ast.InspectFile(l.m.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Tilde:
			if s := l.symbol(n.Left); s != nil {
				stated[s] = true
			}
		case *ast.Factor:
			for s := range l.roots(n.Value) {
				stated[s] = true
			}
		}
		return true
	})
	for _, s := range l.m.Symbols {
		if s.Kind != check.Param || s.Type.Kind != types.Interval || stated[s] || s.Group == nil ||
			s.Group.Prior != nil {
			continue
		}
		a, b, known := l.ends(s.Type)
		if !known || math.IsInf(a, 0) || math.IsInf(b, 0) || natural(a, b) {
			continue
		}
		l.warn(s.Span, "%s is uniform between the hard bounds %s and %s", s.Name,
			l.text(s.Type.Ends[0]), l.text(s.Type.Ends[1])).
			Note("bounds that no law of nature sets are better said softly: " +
				fmt.Sprintf("%s : real ~ normal(%v, %v)", s.Name, (a+b)/2, (b-a)/4))
	}
}

// natural says that an interval is one of those that arithmetic sets:
// probabilities, correlations, angles.
func natural(a, b float64) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-3 }
	return near(b-a, 1) && near(a, 0) || near(a, -1) && near(b, 1) || near(b-a, 2*math.Pi) ||
		near(b-a, math.Pi)
}

// scales are the distributions of a location and a scale, with the places of the two.
var scales = map[string][2]int{
	"normal": {0, 1}, "cauchy": {0, 1}, "double_exponential": {0, 1}, "logistic": {0, 1},
	"gumbel": {0, 1}, "student_t": {1, 2}, "skew_normal": {0, 1},
}

// notUnitScale finds priors whose scale is far from 1: steps are chosen for all
// coordinates together. Only priors of params are looked at: the scale of data
// is what it is, and shapes and rates are no scales.
func (l *linter) notUnitScale() {
	const small, large = 0.1, 10
	for _, p := range l.priors() {
		at, ok := scales[p.use.Def.Name]
		if !ok || p.of.Kind != check.Param || len(p.use.Args) <= at[1] {
			continue
		}
		mu, okm := number(p.use.Args[at[0]])
		sigma, oks := number(p.use.Args[at[1]])
		var d *diag.Diagnostic
		switch {
		case oks && (sigma > large || sigma < small && sigma > 0):
			d = l.warn(p.use.Args[at[1]].Pos(),
				"the prior of %s has the scale %v: far from 1, as its steps are not",
				p.of.Name, sigma)
		case okm && math.Abs(mu) > large && p.of.Init == nil:
			d = l.warn(p.use.Args[at[0]].Pos(),
				"the prior of %s is centred at %v: far from 0, where chains start", p.of.Name, mu)
		default:
			continue
		}
		name := p.of.Name
		d.Note(fmt.Sprintf("measure it in other units: let %s = a + b * %s_raw, with %s_raw ~ %s of "+
			"scale 1", name, name, name, p.use.Def.Name))
	}
}

// offSurfaces finds distributions on R^K as priors on spheres and simplexes:
// there they are densities up to a constant that changes with their arguments.
func (l *linter) offSurfaces() {
	for _, p := range l.priors() {
		s := p.of
		if s.Type.Own == 0 || s.Type.Kind.Info().Open || p.use.Def.On.Own > 0 ||
			len(p.use.Def.On.Shape) == 0 {
			continue
		}
		better := map[types.Kind]string{types.Simplex: "dirichlet", types.Sphere: "vmf",
			types.Stiefel: "matrix_langevin", types.Grassmann: "uniform_grassmann",
			types.Hyperbolic: "hyperbolic_normal"}[s.Type.Kind]
		d := l.warn(p.dist.Span,
			"%s is a distribution on R^K, and %s is a %s: its constant there is not the one that it has",
			p.use.Def.Name, s.Name, s.Type.Kind)
		if better != "" {
			d.Note("a distribution on the " + s.Type.Kind.String() + " is " + better)
		}
	}
}
