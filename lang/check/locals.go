package check

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// checkUnknown checks the declaration of a param, a local or a layer's param by itself.
func (c *checker) checkUnknown(s *Symbol, g *ast.Group) {
	if s.Kind == Data {
		return
	}
	if s.Kind == LocalVar || s.Kind == Param && (g.By != nil || s.Type.Kind.Discrete()) {
		c.unknowns = append(c.unknowns, s)
	}
}

// checkPriors checks discrete params, after every ~ has been read.
func (c *checker) checkPriors() {
	for _, s := range c.unknowns {
		k := s.Type.Kind
		if s.Kind != Param || !k.Discrete() || s.Type.Kind == types.Invalid {
			continue
		}
		if s.Group != nil && s.Group.Prior != nil && s.Prior == nil && k != types.Int &&
			k != types.Count {
			continue // the error in its prior has been reported
		}
		has := s.Prior != nil
		for _, o := range c.observed {
			has = has || o.sym == s
		}
		switch {
		case k == types.Int || k == types.Count:
			c.report(DiscreteParam, s.Span,
				"the param %s is %s, and a discrete unknown that every row shares is summed out, "+
					"which needs finitely many values", s.Name, article(s.Type)).
				Note("declare it as index[K] or bool")
		case !has && !c.lost(s.Name) && s.Group != nil && s.Group.Prior == nil:
			c.report(DiscreteParam, s.Span,
				"the param %s is discrete and has no prior: it is summed out, which needs the "+
					"probability of each value", s.Name).
				Note("write param " + s.Name + " : " + s.Type.String() +
					" ~ categorical(…) by marginal, or make it a local of a plate")
		}
	}
}

// charts of the types of params, by the name that by gives them.
var charts = map[string][]types.Kind{
	"ilr":           {types.Simplex},
	"sphere":        {types.Simplex},
	"expanded_mean": {types.Simplex},
	// geodesics of covariances
	"affine_invariant": {types.CovChol},
}

// strategyWords lists the strategies for unknowns, as opposed to charts of params.
var strategyWords = []string{"marginal", "gibbs", "collapse", "gmc"}

// ByWords returns all words that `by` takes, in alphabetical order.
func ByWords() []string {
	words := append(slices.Collect(maps.Keys(charts)), strategyWords...)
	slices.Sort(words)
	return words
}

// A Pair is a prior and what it is integrated out of in closed form.
type Pair struct {
	Prior, Child string
	Arg          int  // the argument of the child that the unknown is
	Linear       bool // the parameter may be a linear expression of the unknown
}

// Name returns the name of the pair, such as dirichlet-categorical.
func (p Pair) Name() string { return p.Prior + "-" + p.Child }

// Pairs lists the conjugate pairs that collapse supports.
var Pairs = []Pair{
	{"dirichlet", "categorical", 0, false},
	{"vmf", "vmf", 0, false},
	{"uniform_sphere", "vmf", 0, false},
	{"gamma", "poisson", 0, true},
	{"gamma", "exponential", 0, true},
	{"beta", "bernoulli", 0, false},
	{"beta", "binomial", 1, false},
	{"normal", "normal", 0, true},
}

// strategies says for every local how it is dealt with.
func (c *checker) strategies() {
	sort.SliceStable(c.unknowns,
		func(i, j int) bool { return c.unknowns[i].Span.Start < c.unknowns[j].Span.Start })
	for _, s := range c.unknowns {
		l := &Local{Symbol: s, Asked: s.By != "", Strategy: s.By}
		discrete := s.Type.Kind.Discrete()
		if s.By == "" {
			l.Strategy, l.Why = c.pick(s)
			c.m.Locals = append(c.m.Locals, l)
			continue
		}
		at := s.Span
		if s.Group != nil && s.Group.By != nil {
			at = s.Group.By.Span
		}
		switch kinds, isChart := charts[s.By]; {
		case isChart:
			if s.Kind != Param {
				c.report(ByCannot, at,
					"%s is a chart of a param; a local is dealt with by marginal, gibbs, "+
						"collapse or gmc", s.By)
			} else if !slices.Contains(kinds, s.Type.Kind) {
				c.report(ByCannot, at, "%s is a chart of a %s, and %s is %s", s.By, kinds[0],
					s.Name, article(s.Type))
			} else if s.By == "sphere" {
				c.singularFaces(s, at)
			}
		case s.By == "marginal":
			if !discrete || !s.Type.Kind.Finite() {
				c.report(ByCannot, at,
					"marginal sums over the values of a discrete unknown with finitely many, and %s is %s", s.Name,
					article(s.Type))
			}
		case s.By == "gibbs":
			if !discrete && s.Type.Kind != types.Positive {
				c.report(ByCannot, at,
					"gibbs draws a discrete unknown, or a positive one with a gamma prior, from "+
						"its full conditional, and %s is %s: use gmc or collapse", s.Name,
					article(s.Type))
			} else if s.Kind == Param {
				c.report(ByCannot, at,
					"gibbs is for the locals of a row, and %s is a param: use marginal", s.Name)
			}
		case s.By == "gmc":
			if discrete {
				c.report(ByCannot, at,
					"gmc moves along a density, and %s is %s: use marginal or gibbs", s.Name,
					article(s.Type))
			} else if s.Kind == Param {
				c.report(ByCannot, at,
					"gmc is for the locals of a row; the sampler moves the params")
			}
		case s.By == "collapse":
			l.With = c.conjugate(s, at)
		default:
			kinds := slices.Sorted(maps.Keys(charts))
			d := c.report(ByCannot, at,
				"there is no strategy %s: by takes %s, and for a param %s", s.By,
				strings.Join(strategyWords, ", "), strings.Join(kinds, ", "))
			suggest(d, at, s.By, ByWords())
		}
		c.m.Locals = append(c.m.Locals, l)
	}
}

// pick chooses a strategy where the model names none, and says why.
func (c *checker) pick(s *Symbol) (by, why string) {
	u := c.collapsedIn(s)
	switch {
	case !s.Type.Kind.Discrete():
		return "gmc", "it is continuous"
	case s.Kind == Param:
		return "marginal", "all rows share it"
	case !s.Type.Kind.Finite():
		return "gibbs", "it has no end of values"
	case len(s.Type.Shape) > 0:
		return "gibbs", "its entries take too many values together to be summed out"
	case u != nil:
		return "gibbs", "its law has " + u.Name + ", which is integrated out"
	}
	return "marginal", "its values can be summed out"
}

// collapsedIn finds an unknown by collapse in the prior of a local.
func (c *checker) collapsedIn(s *Symbol) *Symbol {
	if s.Prior == nil {
		return nil
	}
	for _, u := range c.unknowns {
		if u.By == "collapse" && slices.ContainsFunc(s.Prior.Args, func(e ast.Expr) bool {
			return e != nil && c.mentions(e, u, map[*Symbol]bool{})
		}) {
			return u
		}
	}
	return nil
}

// singularFaces warns of a simplex on the sphere chart whose prior has a
// concentration α below ½, as far as numbers say so: in x = √π the density is
// Π |x_k|^{2α_k − 1}, which is unbounded where an x_k is 0.
func (c *checker) singularFaces(s *Symbol, at source.Span) {
	if s.Prior == nil || s.Prior.Form != Plain || s.Prior.Def.Name != "dirichlet" ||
		len(s.Prior.Args) == 0 {
		return
	}
	args := s.Prior.Args
	if a, ok := args[0].(*ast.Array); ok {
		args = a.Elems
	}
	for _, e := range args {
		if v, ok := c.constant(e); ok && v < 0.5 {
			c.warn(SingularFaces, at,
				"the sphere chart of %s is singular at the faces of the simplex: its density "+
					"there is |x|^%.4g at concentration %g, and no step is small enough", s.Name,
				2*v-1, v).
				Note("below ½ use the default chart, ilr, which has no such trouble: leave out " +
					"`by sphere`")
			return
		}
	}
}

// summedOut says that a symbol is a discrete param, whose values are summed out.
func (s *Symbol) summedOut() bool { return s.Kind == Param && s.Type.Kind.Finite() }

// conjugate finds what an unknown integrates out of, or reports why it cannot.
// Whether every use of it fits a closed form is seen when it is lowered, where
// functions and lets are expanded.
func (c *checker) conjugate(s *Symbol, at source.Span) string {
	if s.Prior == nil || s.Prior.Form != Plain {
		c.report(ByCannot, at,
			"collapse integrates %s out in closed form, for which its prior must be one of a "+
				"conjugate pair", s.Name)
		return ""
	}
	prior := s.Prior.Def.Name
	if s.Prior.Trunc != nil || s.Prior.Cens != nil || s.Prior.Conditioned {
		c.report(ByCannot, at,
			"collapse integrates %s out in closed form, and there is none for a %s prior on a "+
				"part of its support", s.Name, prior)
		return ""
	}
	if s.Group != nil && s.Group.Init != nil {
		c.report(ByCannot, s.Group.Init.Pos(),
			"%s is integrated out, so no chain starts with a value of it", s.Name)
	}
	known := false
	var names, pairs []string
	var spans []source.Span
	lets := map[*Symbol]bool{}
	for _, p := range Pairs {
		names = append(names, p.Name())
		if p.Prior != prior {
			continue
		}
		known = true
		found := false
		for _, use := range c.m.Dists {
			if use.Form != Plain || use.Def.Name != p.Child || p.Arg >= len(use.Args) ||
				s.Prior == use {
				continue
			}
			arg := use.Args[p.Arg]
			if !c.mentions(arg, s, lets) || !p.Linear && !c.isSelf(arg, s) {
				continue
			}
			spans = append(spans, arg.Pos())
			found = true
		}
		if found {
			pairs = append(pairs, p.Name())
		}
	}
	switch {
	case !known:
		c.report(ByCannot, at, "collapse has no conjugate pair for %s", prior).
			Note("the pairs are " + strings.Join(names, ", "))
		return ""
	case len(pairs) == 0:
		c.report(ByCannot, at,
			"collapse needs a distribution that is conjugate to %s with %s as its argument, and "+
				"there is none", prior, s.Name)
		return ""
	}
	if n := c.elsewhere(s, spans); n != nil {
		c.report(ByCannot, at,
			"collapse cannot integrate %s out, because it is also used elsewhere", s.Name).
			NoteAt(c.in.file.Source, n.Span, "here")
	}
	return strings.Join(pairs, ", ")
}

// mentions reports whether an expression, or a let that it reads, reads an unknown. seen caches
// results for lets.
func (c *checker) mentions(e ast.Expr, s *Symbol, seen map[*Symbol]bool) bool {
	found := false
	walk(e, func(x ast.Expr) {
		n, ok := x.(*ast.Name)
		if !ok || found || c.m.Uses[n] == nil {
			return
		}
		is := c.m.Uses[n]
		if is == s {
			found = true
			return
		}
		if _, known := seen[is]; !known && is.Kind == Let && is.Expr != nil {
			seen[is] = false
			seen[is] = c.mentions(is.Expr, s, seen)
		}
		found = seen[is]
	})
	return found
}

// isSelf says that an expression is the unknown itself, or an entry of it.
func (c *checker) isSelf(e ast.Expr, s *Symbol) bool {
	switch e := e.(type) {
	case *ast.Paren:
		return c.isSelf(e.X, s)
	case *ast.Name:
		is := c.m.Uses[e]
		return is == s || is != nil && is.Kind == Let && is.Expr != nil &&
			is.Span.Start > s.Span.Start && c.isSelf(is.Expr, s)
	case *ast.Index:
		return c.isSelf(e.X, s)
	}
	return false
}

// elsewhere finds the first mention outside the given places, left of ~ and in
// lets, which are expanded where they are used.
func (c *checker) elsewhere(s *Symbol, inside []source.Span) *ast.Name {
	var first *ast.Name
	for _, l := range c.m.Uses {
		if l != nil && l.Kind == Let && l.Expr != nil && l.File == s.File &&
			!slices.Contains(inside, l.Expr.Pos()) {
			inside = append(inside, l.Expr.Pos())
		}
	}
	for node, sym := range c.m.Uses {
		n, ok := node.(*ast.Name)
		if !ok || sym != s || s.File != c.m.File.Source {
			continue
		}
		ok = false
		for _, sp := range inside {
			ok = ok || sp.Start <= n.Start && n.End <= sp.End
		}
		for _, o := range c.observed {
			ok = ok || o.sym == s && o.span.Start <= n.Start && n.End <= o.span.End
		}
		if !ok && (first == nil || n.Start < first.Start) {
			first = n
		}
	}
	return first
}
