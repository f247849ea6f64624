// Package collapse integrates unknowns with conjugate priors out in closed form: the terms that
// read such an unknown become one term, the log marginal likelihood of their variates given the
// arguments of the prior. pairs.go has the table of conjugate pairs.
package collapse

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// An Unknown is a quantity to be integrated out. Terms read it by leaves that have the name of
// Leaf.
type Unknown struct {
	Name   string
	Leaf   *ir.Value // has the axes Plates, Family and Own, in this order
	Plates []*ir.Axis
	Family []*ir.Axis
	Own    []*ir.Axis // the axes of one value of the unknown
	Prior  *Law
	Span   source.Span
	Local  bool // a latent value of a row instead of a param
}

// Is reports whether a value is a leaf of the unknown, whatever the names of its axes.
func (u *Unknown) Is(v *ir.Value) bool { return v.Op == ir.OpState && v.Name == u.Leaf.Name }

// Axes are all axes of the unknown.
func (u *Unknown) Axes() []*ir.Axis { return slices.Concat(u.Plates, u.Family, u.Own) }

// Code returns the code of the error that a model gets where the unknown cannot be integrated
// out.
func (u *Unknown) Code() diag.Code {
	if u.Local {
		return limits.LocalNotLowered
	}
	return limits.StrategyNotLowered
}

// dimension returns the number of entries of one value of a vector unknown.
func (u *Unknown) dimension() size.Poly { return u.Own[0].Size }

// A Law is a distribution with its arguments.
type Law struct {
	Name   string // empty for a mixture and for a density that is not of a library distribution
	Params []string
	Args   []Arg
	Own    []*ir.Axis // the axes of one value of the variate

	Mixture, Cut, Censored bool // Cut: truncated or censored
}

// An Arg is an argument of a distribution, with its own axes in order.
type Arg struct {
	V    *ir.Value
	Axes []*ir.Axis
}

// A Term is a summand of the log density that reads an unknown.
type Term struct {
	V    *ir.Value
	Over []*ir.Axis // the axes that V is summed over
	Site string     // the name with the prior or the observation; empty for a factor
	Span source.Span
	// Law is the distribution whose density V is; nil where V has other factors too.
	Law     *Law
	X       *ir.Value   // the variate of Law
	Masks   []*ir.Value // masks that are 0 in padding
	Missing bool        // some entries of the variate may be missing
	Reads   []*Unknown  // the unknowns that V reads
	Summed  string      // the discrete unknown that V reads too; empty without one
}

// A Context has the functions and settings of the lowerer that collapsing needs.
type Context struct {
	B *ir.Builder
	// Pad replaces padding along the axes by a number.
	Pad   func(v *ir.Value, with float64, axes []*ir.Axis) *ir.Value
	Reads func(v *ir.Value) bool // whether a value reads an unknown that is integrated out
	Exact bool                   // whether the likelihood of a row must have a closed form
}

// A child is a term whose distribution has an unknown as its parameter:
// rest + scale · at, where at reads one entry of the unknown for every entry of
// the term.
type child struct {
	Context
	u     *Unknown
	law   *Law
	x     *ir.Value   // the variate
	over  []*ir.Axis  // the axes that the term is summed over, without the unknown's plates
	masks []*ir.Value // masks that are 0 in padding
	affine
	row *conjugateChild
}

// Children reads terms as the children of an unknown. It fails (limits.Fail) where a term and the
// prior are not a conjugate pair.
func Children(c Context, u *Unknown, terms []Term) *Family {
	f := &Family{Context: c, u: u}
	for i := range terms {
		f.children = append(f.children, c.child(u, &terms[i]))
	}
	return f
}

// Evidence returns the log marginal likelihood of the children: each has one number per member of
// the family of unknowns, and more has the rest, which cannot be divided among members.
func (f *Family) Evidence() (each, more *ir.Value) {
	return conjugates[f.u.Prior.Name].evidence(f)
}

// Given returns a value that replaces the unknown given its children: a draw, made from random
// numbers, or its mean, where every reader is linear in the unknown. It returns nil where neither
// is known.
func (f *Family) Given(random func(law string) *ir.Value) *ir.Value {
	if given := conjugates[f.u.Prior.Name].given; given != nil {
		return given(f, random)
	}
	return nil
}

// child checks that a term and the prior are a conjugate pair, and fails with the reason where they
// are not.
func (x Context) child(u *Unknown, t *Term) *child {
	c := &child{Context: x, u: u, law: t.Law, x: t.X, masks: t.Masks,
		over: ir.Without(t.Over, u.Plates)}
	all, plain := t.Reads, t.Law != nil
	switch {
	case t.Site == "":
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out: this factor depends on it, and a closed form is known "+
				"only where every term is of a conjugate pair", u.Name)
	case len(all) > 1:
		other := all[0]
		if other == u {
			other = all[1]
		}
		limits.Fail(u.Code(), t.Span,
			"this depends on %s and on %s, and a closed form is known where one unknown is "+
				"integrated out: leave out by collapse of one of them", other.Name, u.Name)
	case t.Summed != "":
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out, because this depends on %s too, which is summed out: "+
				"leave out by collapse", u.Name, t.Summed)
	case !plain && x.Exact && u.Local:
		limits.Fail(limits.CannotLeaveOut, t.Span,
			"%s is integrated out and what it is the law of is drawn, so the likelihood of a row "+
				"is no closed form", u.Name)
	case !plain:
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out: between it and what depends on it here stands another "+
				"unknown that is summed or integrated out, or a type narrower than the distribution", u.Name)
	case t.Missing:
		limits.Fail(u.Code(), t.Span, "%s cannot be integrated out, because %s has missing entries",
			u.Name, t.Site)
	case t.Law.Mixture:
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out of a mixture: declare which component it is as a local, by gibbs",
			u.Name)
	case t.Law.Name == "":
		limits.Fail(u.Code(), t.Span, "%s cannot be integrated out of this distribution", u.Name)
	case t.Law.Cut && t.Law.Censored:
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out, because %s is censored, which leaves no closed form",
			u.Name, t.Site)
	case t.Law.Cut:
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out, because %s is truncated, which leaves no closed form",
			u.Name, t.Site)
	}
	prior := u.Prior.Name
	c.row = conjugates[prior].children[c.law.Name]
	if c.row == nil {
		limits.Fail(u.Code(), t.Span,
			"%s is not conjugate to the %s prior of %s: by collapse takes the pairs %s", c.law.Name,
			prior, u.Name, strings.Join(pairNames(), ", "))
	}
	if x.Reads(c.x) {
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out, because %s itself is computed from it", u.Name, t.Site)
	}
	for i, p := range c.law.Params {
		if i != c.row.arg && x.Reads(c.arg(i)) {
			limits.Fail(u.Code(), t.Span,
				"%s cannot be integrated out, because it sets %s of %s here, and only as %s is a "+
					"closed form known", u.Name, p, c.law.Name, c.law.Params[c.row.arg])
		}
	}
	c.affine = affineIn(x.B, u, c.arg(c.row.arg))
	what := c.law.Params[c.row.arg] + " of " + c.law.Name
	switch {
	case c.at == nil:
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out: %s must be linear in one entry of it, and here it is not",
			u.Name, what)
	case !c.row.shift && !c.rest.Is(0):
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out: %s must be a multiple of it, and here something is added",
			u.Name, what)
	case !c.row.shift && !c.row.scale && !c.scale.Is(1):
		limits.Fail(u.Code(), t.Span,
			"%s cannot be integrated out: %s must be %s itself or an entry of it",
			u.Name, what, u.Name)
	}
	if !c.keepsOwn() {
		limits.Fail(u.Code(), t.Span, "%s cannot be integrated out: a part of a %s stands here",
			u.Name, prior)
	}
	return c
}

// arg is an argument of the child's distribution.
func (c *child) arg(i int) *ir.Value { return c.law.Args[i].V }
