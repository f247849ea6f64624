package check

import (
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
)

// A target is the left side of ~.
type target struct {
	group *ast.Group // where it is declared, if it is
	t     types.Type
	what  string // its name, for messages
	span  source.Span
	prior bool // a param or local: an unknown
}

// name returns the name on the left of ~, without subscripts.
func (t target) name() string {
	name, _, _ := strings.Cut(t.what, "[")
	return name
}

// distUse checks a distribution where it stands and keeps what it found.
func (c *checker) distUse(d *ast.DistExpr, t target) *DistUse {
	use := c.distOf(d, t)
	if use != nil {
		if c.m.Dists[d] == nil {
			c.m.Dists[d] = use
		}
		use.Trunc, use.Cens = d.Trunc, d.Cens
		c.cuts(d, use, t)
	}
	return use
}

func (c *checker) distOf(d *ast.DistExpr, t target) *DistUse {
	if s := c.scope.find(d.Name.Name); s != nil && s.Kind == DistArg && !d.Call {
		c.m.Uses[&d.Name] = s
		return &DistUse{Form: Argument, Arg: s, Target: t.t, Family: t.t.Family(),
			Own: t.t.OwnShape()}
	}
	if d.Name.Name == "mixture" && c.in.dists["mixture"] == nil {
		return c.mixture(d, t)
	}
	def := c.findDist(d.Name.Name)
	if def == nil {
		c.noSuchDist(d.Name.Name, &d.Name, d)
		c.quietDist(d)
		return nil
	}
	c.m.Uses[&d.Name] = def.Symbol
	if !d.Call {
		c.report(DistCallForm, d.Span, "%s needs its arguments: %s(%s)", def.Name, def.Name,
			join(symbolNames(def.Params)))
		return nil
	}
	use := &DistUse{Form: Plain, Def: def, Target: t.t, Sizes: map[string]types.Size{}}
	if def.Name == "point_mass" && def.Symbol.File != c.m.File.Source {
		use.Form = PointMass
	}
	ok := c.support(d, def, use, t)
	return c.distArgs(d, def, use, t, ok)
}

// quietDist checks the arguments of a distribution that is not known.
func (c *checker) quietDist(d *ast.DistExpr) {
	for i := range d.Args {
		if _, ok := d.Args[i].Value.(*ast.DistValue); !ok {
			c.expr(d.Args[i].Value)
		}
	}
}

// support matches the left side with what the distribution is on.
func (c *checker) support(d *ast.DistExpr, def *DistDef, use *DistUse, t target) bool {
	on, left := def.On, t.t
	if left.Kind == types.Invalid || on.Kind == types.Invalid {
		return false
	}
	n := len(on.Shape)
	if form, ok := factorForms[def.Name]; ok && t.prior && def.Symbol.File != c.m.File.Source {
		c.report(DistLeft, t.span, "%s is on positive definite matrices, and %s is %s", def.Name,
			t.what, article(left)).
			Note("the unknown is the Cholesky factor, L : " + form +
				"; the matrix is L @ transpose(L)")
		return false
	}
	if n > len(left.Shape) {
		c.report(DistLeft, t.span, "%s is on %s, and %s is %s", def.Name, bare(on), t.what,
			article(left))
		return false
	}
	cut := len(left.Shape) - n
	use.Family, use.Own = left.Shape[:cut], left.Shape[cut:]
	if n == 0 && left.Own > 0 && !left.Kind.Info().Open {
		c.report(NotOpen, d.Span,
			"%s is a distribution of numbers, and %s is a %s: its entries are not free of each other",
			def.Name, t.what, left.Kind).
			Note("a scalar distribution needs an open set; for a simplex there is dirichlet, for " +
				"a sphere vmf")
		return false
	}
	if n > 0 && on.Own > 0 && left.Kind != on.Kind {
		dd := c.report(DistLeft, t.span, "%s is on %s, and %s is %s", def.Name, bare(on), t.what,
			article(left))
		dd.Note("declare it as " + t.name() + " : " +
			bare(types.Type{Kind: on.Kind, Own: on.Own, Shape: use.Own}))
		if left.Own == 0 && t.group != nil && t.group.Type != nil && len(t.group.Type.Sizes) == n {
			c.retype(dd, t.group, on.Kind.String())
		}
		return false
	}
	if n > 0 && on.Own == 0 && left.Own > n {
		c.report(DistLeft, t.span, "%s is on %s, and %s is %s", def.Name, bare(on), t.what,
			article(left))
		return false
	}
	if !c.unify(on.Shape, use.Own, use.Sizes, def.SizeVars) {
		c.report(DistLeft, t.span, "%s is on %s, and one value of %s has shape %s", def.Name,
			bare(on), t.what, use.Own)
		return false
	}
	return c.supportKind(d, def, use, t)
}

// bare is a type in its own terms: simplex[K].
func bare(t types.Type) string { return t.String() }

// supportKind compares the entries of the left side with the support's.
func (c *checker) supportKind(d *ast.DistExpr, def *DistDef, use *DistUse, t target) bool {
	on, left := def.On, t.t
	k, s := left.Entry(), on.Entry()
	if use.Form == PointMass {
		return true
	}
	if on.Kind == types.Index {
		if left.Kind != types.Index {
			c.report(DistLeft, t.span, "%s is on an index, and %s is %s", def.Name, t.what,
				article(left)).
				Note("declare it as " + t.name() + " : index[K]")
			return false
		}
		if !c.unifySize(on.Below, left.Below, use.Sizes, def.SizeVars) {
			c.report(DistLeft, t.span, "%s is on %s, and %s is one of %s", def.Name, bare(on),
				t.what, left.Below)
			return false
		}
		return true
	}
	if s.Discrete() {
		if !k.Discrete() || s == types.Bool && k != types.Bool {
			dd := c.report(DistLeft, t.span, "%s is on %s, and %s is %s", def.Name, bare(on),
				t.what, article(left))
			dd.Note("declare it as " + t.name() + " : " + s.String())
			c.retype(dd, t.group, s.String())
			return false
		}
		if t.prior && s == types.Count && !k.Info().Nonneg {
			if len(c.plates) == 0 {
				return false // of a param checkPriors says more
			}
			dd := c.report(DistLeft, t.span, "%s is on count, and %s may be below 0", def.Name,
				t.what).Note("declare it as " + t.name() + " : count")
			c.retype(dd, t.group, "count")
			return false
		}
		use.Conditioned = t.prior && s != k && k.Finite()
		return true
	}
	if k.Discrete() {
		if t.prior {
			c.report(DistLeft, t.span, "%s is on %s, and %s is %s, which has no density", def.Name,
				bare(on), t.what, article(left))
			return false
		}
		return true
	}
	if !t.prior {
		return true
	}
	// An unknown must lie in the support; where its type is narrower the
	// distribution is conditioned on it.
	wide := false
	switch s {
	case types.Positive, types.Nonnegative:
		wide = k == types.Real || k == types.Interval && c.below(left, 0)
		use.Conditioned = k == types.Unit || k == types.Interval
	case types.Unit:
		wide = k == types.Real || k == types.Positive || k == types.Nonnegative ||
			k == types.Interval && (c.below(left, 0) || c.beyond(left, 1))
		use.Conditioned = k == types.Interval
	case types.Real:
		use.Conditioned = k != types.Real
	}
	if left.Own > 0 && on.Own == 0 {
		use.Conditioned = true
	}
	if wide {
		dd := c.report(DistLeft, t.span, "%s is on %s, and %s is %s, which is wider", def.Name,
			bare(on), t.what, article(types.Type{Kind: left.Kind, Own: left.Own,
				Shape: left.OwnShape()})).
			Note("declare it as " + t.name() + " : " + unknownKind(s))
		c.retype(dd, t.group, unknownKind(s))
		return false
	}
	if use.Conditioned && len(on.Shape) == 0 && !def.HasCDF() && d.Trunc == nil {
		for i := range d.Args {
			if _, ok := c.quickConstant(d.Args[i].Value); !ok {
				c.warn(NoNormaliser, d.Span,
					"%s on the narrower type %s needs its cdf to be normalised, and has none",
					def.Name, left.Kind).
					Note("with arguments that are numbers the constant can be left out; here it " +
						"changes with them")
				break
			}
		}
	}
	return true
}

func (c *checker) quickConstant(e ast.Expr) (float64, bool) {
	if n, ok := e.(*ast.Name); ok {
		if s := c.scope.find(n.Name); s != nil && (s.Level.Stage != OfParams || s.Kind == Const) {
			return s.Value, true
		}
	}
	return c.constant(e)
}

// below says that an interval surely has numbers below x.
func (c *checker) below(t types.Type, x float64) bool {
	if t.Ends[0] == nil {
		return false
	}
	v, ok := c.constant(t.Ends[0])
	return ok && v < x
}

// beyond says that an interval surely has numbers above x.
func (c *checker) beyond(t types.Type, x float64) bool {
	if t.Ends[1] == nil {
		return false
	}
	v, ok := c.constant(t.Ends[1])
	return ok && v > x
}

// distArgs checks the arguments against the declared shapes and the family.
func (c *checker) distArgs(
	d *ast.DistExpr, def *DistDef, use *DistUse, t target, ok bool,
) *DistUse {
	for i := range d.Args {
		if dv, isDist := d.Args[i].Value.(*ast.DistValue); isDist {
			c.report(DistAsValue, dv.Span,
				"the arguments of %s are values, and this is a distribution", def.Name)
			return nil
		}
	}
	before := len(c.m.Diags)
	args, good := c.arguments(d.Span, def.Name, def.Symbol, d.Args, symbolNames(def.Params))
	if !good {
		c.valueAmong(before, d, def, t)
		c.quietDist(d)
		return nil
	}
	own := append([]ast.Expr(nil), args...)
	if !c.defaults(d.Span, def.Name, def.Symbol, args, def.Params) {
		c.quietDist(d)
		return nil
	}
	use.Args, use.Shared = args, make([]bool, len(args))
	vals := make([]value, len(args))
	for i, a := range args {
		vals[i] = value{c.m.Types[a], c.m.Levels[a]}
		if own[i] != nil {
			vals[i] = c.expr(a)
		}
		good = good && !vals[i].bad() && def.Params[i].Type.Kind != types.Invalid
	}
	if !good || !ok {
		return nil
	}
	sizes := use.Sizes
	before = len(c.m.Diags)
	for i, a := range args {
		if !c.distArg(a, vals[i], def.Params[i], def, use, i, t) {
			good = false
		}
	}
	if !good {
		c.swapped(before, args, d.Args, symbolNames(def.Params), func(order []int) bool {
			trial := *use
			trial.Sizes, trial.Shared = sizes, make([]bool, len(args))
			for i, from := range order {
				if !c.distArg(args[from], vals[from], def.Params[i], def, &trial, i, t) {
					return false
				}
			}
			return true
		})
		return nil
	}
	return use
}

// valueAmong knows y ~ normal(y, mu, sigma), where the value is an argument too.
func (c *checker) valueAmong(before int, d *ast.DistExpr, def *DistDef, t target) {
	if c.quiet > 0 || len(c.m.Diags) != before+1 || c.m.Diags[before].Code != ArgCount ||
		len(d.Args) != len(def.Params)+1 {
		return
	}
	note := "the value stands left of ~, and " + def.Name + " takes no arguments"
	if len(def.Params) > 0 {
		note = "the value stands left of ~, and the arguments are " + join(symbolNames(def.Params))
	}
	told := c.m.Diags[before].Note(note)
	if first := d.Args[0].Value.Pos(); c.text(d.Args[0].Value) == t.what {
		end := first.End
		if len(d.Args) > 1 { // the comma goes too
			end = d.Args[1].Value.Pos().Start
		}
		told.Suggest(source.Span{Start: first.Start, End: end}, "")
	}
}

// distArg checks one argument: as declared, or fitting the family's axes followed by that.
func (c *checker) distArg(
	a ast.Expr, v value, p *Symbol, def *DistDef, use *DistUse, i int, t target,
) bool {
	what := "the argument " + p.Name + " of " + def.Name
	got, declared := v.t.Shape, p.Type.Shape
	trial := map[string]types.Size{}
	for k, s := range use.Sizes {
		trial[k] = s
	}
	if c.unify(declared, got, trial, def.SizeVars) {
		use.Sizes = trial
		use.Shared[i] = true
	} else {
		want := types.SubstShape(declared, use.Sizes)
		// A size that only this argument has is found at its end.
		if len(got) >= len(declared) {
			trial = map[string]types.Size{}
			for k, s := range use.Sizes {
				trial[k] = s
			}
			if c.unify(declared, got[len(got)-len(declared):], trial, def.SizeVars) {
				want = types.SubstShape(declared, trial)
			}
		}
		full := types.JoinShapes(use.Family, want)
		_, ways := types.Fit(got, full)
		switch {
		case ways == 1:
			if len(got) >= len(declared) && len(declared) > 0 {
				use.Sizes = trial
			}
		case ways > 1:
			d := c.report(FitsTwice, a.Pos(), "%s has shape %s, which fits %s in more than one way",
				what, got, full).
				Note("index it, or write the statement in a plate")
			if h, ok := otherForms[def.Name]; ok {
				d.Note(h)
			}
			return false
		default:
			d := c.report(DistArgShape, a.Pos(), "%s has shape %s, which does not fit %s%s", what,
				got, full, why(got, full))
			if len(full) == 0 {
				d.Message = what + " is a number, since " + t.what +
					" is one, and this has shape " + got.String()
			} else if len(got) > len(full) {
				d.Note(t.what + " has shape " + t.t.Shape.String() +
					", and the left of ~ never broadcasts")
			}
			c.elementwiseProduct(d, a, full)
			if h, ok := otherForms[def.Name]; ok {
				d.Note(h)
			}
			return false
		}
	}
	if p.Type.Kind == types.Index {
		return c.takes(a, v.t, types.Subst(p.Type, use.Sizes), what)
	}
	return c.takes(a, v.t, p.Type, what)
}

// cuts checks truncated(lo, hi) and censored(lo, hi).
func (c *checker) cuts(d *ast.DistExpr, use *DistUse, t target) {
	for _, cut := range []struct {
		iv   *ast.Interval
		word string
	}{{d.Trunc, "truncated"}, {d.Cens, "censored"}} {
		if cut.iv == nil {
			continue
		}
		if use.Form != Plain || len(use.Def.On.Shape) > 0 {
			c.report(CutForm, cut.iv.Span, "%s is for a distribution of numbers", cut.word)
		} else if !use.Def.HasCDF() {
			c.report(CutForm, cut.iv.Span,
				"%s needs the distribution function of %s, which has no cdf(x) or logcdf(x) and logccdf(x)",
				cut.word, use.Def.Name)
		}
		for _, e := range []ast.Expr{cut.iv.Lo, cut.iv.Hi} {
			if e == nil {
				continue
			}
			v := c.expr(e)
			if v.bad() {
				continue
			}
			if _, ways := types.Fit(v.t.Shape, use.Family); ways != 1 {
				c.report(DistArgShape, e.Pos(),
					"a bound of %s has shape %s, which does not fit %s%s", cut.word, v.t.Shape,
					use.Family, why(v.t.Shape, use.Family))
			}
		}
		if lo, ok := c.constant(cut.iv.Lo); ok {
			if hi, ok := c.constant(cut.iv.Hi); ok && lo >= hi {
				c.report(CutForm, cut.iv.Span, "nothing lies between %v and %v", lo, hi)
			}
		}
		if cut.word == "censored" && t.prior {
			c.report(CutForm, cut.iv.Span, "data is censored; an unknown is truncated")
		}
	}
}

// unknownKind returns the type with which an unknown is declared whose distribution is on a kind.
func unknownKind(k types.Kind) string {
	if k == types.Nonnegative {
		k = types.Positive // equivalent for an unknown, and the usual one
	}
	return k.String()
}

// otherForms say what a distribution is called for an argument of more axes.
var otherForms = map[string]string{
	"multi_normal": "Sigma is the covariance of one value; for independent entries write " +
		"normal(mu, sigma)",
}

// factorForms say how an unknown matrix has a distribution whose values are
// real[K, K] by their text, but positive definite.
var factorForms = map[string]string{
	"wishart":     "cov_chol[K] ~ wishart_cholesky(nu, S), with the factor S of the scale",
	"inv_wishart": "cov_chol[K] ~ inv_wishart_cholesky(nu, S), with the factor S of the scale",
}
