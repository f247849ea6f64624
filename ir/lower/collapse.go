package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/size"
)

// A collapsed unknown has a conjugate prior and is integrated out. While its
// plate is lowered it is a leaf that no function can read; where the plate
// ends, the terms that read it become one, the log marginal likelihood of
// their variates given the arguments of the prior.
type collapsed struct {
	name   string
	leaf   *ir.Value // along plates, family and own
	plates []*ir.Axis
	family []*ir.Axis
	own    []*ir.Axis
	prior  *boundDist
	span   source.Span
	local  bool
}

// collapseMark begins the names of the leaves of collapsed unknowns, which no
// model can use.
const collapseMark = "collapsed "

// A law is a density that a term may be: of the value x.
type law struct {
	d *boundDist
	x *ir.Value
}

// declareCollapsed makes an unknown that is integrated out in closed form.
func (l *lowerer) declareCollapsed(s *check.Symbol, g *ast.Group, i int) {
	if l.sim != nil {
		l.drawLocal(s, g)
		return
	}
	u := &collapsed{name: s.Name, plates: slices.Clone(l.plates), span: g.Vars[i].Span, local: s.Kind == check.LocalVar}
	axes := l.axesOf(s.Type.Shape)
	u.family, u.own = axes[:len(s.Prior.Family)], axes[len(s.Prior.Family):]
	u.leaf = l.b.Leaf(ir.OpState, fmt.Sprintf("%s%d %s", collapseMark, len(l.collapsed), s.Name), append(slices.Clone(u.plates), axes...)...)
	u.leaf.Hint = s.Name
	if g.Prior != nil {
		u.prior = l.bindUse(s.Prior, variate{v: u.leaf, family: u.family, own: u.own}, g.Prior.Span)
	}
	l.frame.values[s] = tensor{v: u.leaf, axes: axes}
	l.collapsed = append(l.collapsed, u)
}

// collapsedNamed finds the collapsed unknown of a name that is in sight.
func (l *lowerer) collapsedNamed(name string) *collapsed {
	for _, u := range slices.Backward(l.collapsed) {
		if u.name == name {
			return u
		}
	}
	return nil
}

// states gives the prior as a statement, which reads the unknown as left.
func (u *collapsed) states(d *boundDist, left tensor) {
	u.prior, u.leaf = d, left.v
	u.family, u.own = d.y.family, d.y.own
}

// collapsedIn are the collapsed unknowns that a value reads.
func (l *lowerer) collapsedIn(v *ir.Value) []*collapsed {
	if len(l.collapsed) == 0 || v == nil || !v.State() {
		return nil
	}
	var out []*collapsed
	for _, x := range ir.Reach(v) {
		for _, u := range l.collapsed {
			if u.is(x) && !slices.Contains(out, u) {
				out = append(out, u)
			}
		}
	}
	return out
}

// readsCollapsed is a collapsed unknown among the arguments of a distribution;
// nil where there is none.
func (l *lowerer) readsCollapsed(d *boundDist) *collapsed {
	if len(l.collapsed) == 0 {
		return nil
	}
	var args []*ir.Value
	if d.fr != nil {
		for _, t := range d.fr.values {
			args = append(args, t.v)
		}
	}
	args = append(args, d.lo, d.hi, d.point)
	for _, c := range d.comps {
		args = append(args, c.logw)
		if u := l.readsCollapsed(c.d); u != nil {
			return u
		}
	}
	for _, a := range args {
		if all := l.collapsedIn(a); len(all) > 0 {
			return all[0]
		}
	}
	return nil
}

// is reports whether a value is the unknown, under whatever axes.
func (u *collapsed) is(v *ir.Value) bool { return v.Op == ir.OpState && v.Name == u.leaf.Name }

// noteLaw remembers of which distribution a density that reads a collapsed
// unknown is.
func (l *lowerer) noteLaw(d *boundDist, x, f *ir.Value) *ir.Value {
	if len(l.collapsedIn(f)) > 0 {
		if l.laws == nil {
			l.laws = map[*ir.Value]law{}
		}
		l.laws[f] = law{d, x}
	}
	return f
}

// collapseOut replaces, at the end of a plate, the terms that read an unknown
// declared in it. first is the first term of the plate.
func (l *lowerer) collapseOut(first int, list []*collapsed) {
	for _, u := range slices.Backward(list) {
		if u.prior == nil {
			panic(bail{}) // what is wrong with it has been reported
		}
		kept := l.terms[:first:first]
		var children []*child
		for i := range l.terms[first:] {
			t := &l.terms[first+i]
			if slices.Contains(l.collapsedIn(t.v), u) {
				if l.o.Laws {
					continue
				}
				children = append(children, l.child(u, t))
			} else {
				kept = append(kept, *t)
			}
		}
		if len(children) > 0 {
			kept = append(kept, l.evidence(u, children))
		}
		l.terms = kept
	}
}

// collapseShared does so at the end of the file, for params, and refuses what
// reads an unknown that is gone.
func (l *lowerer) collapseShared() {
	var shared []*collapsed
	for _, u := range l.collapsed {
		if len(u.plates) == 0 {
			shared = append(shared, u)
		}
	}
	l.try(func() { l.collapseOut(0, shared) })
	gone := func(v *ir.Value, at source.Span, what string) {
		for _, u := range l.collapsedIn(v) {
			l.quietFail(u.code(), at, "%s reads %s, which is integrated out and has no value", what, u.name)
		}
	}
	for _, t := range l.tracks {
		gone(t.t.v, t.sym.Span, "the track "+t.sym.Name)
	}
	for _, p := range l.params {
		if p.logJ != nil {
			gone(l.b.Add(l.b.Sum(p.x, p.x.Axes...), l.b.Sum(p.logJ, p.logJ.Axes...)), l.fileStart(), "the interval of "+p.name)
		}
	}
}

// evidence is the term that the children of an unknown become.
func (l *lowerer) evidence(u *collapsed, children []*child) term {
	t := term{over: slices.Clone(u.plates), prior: !u.local}
	for _, c := range children {
		if t.span.End == 0 || !c.prior {
			t.span, t.site = c.span, c.site
		}
		t.prior = t.prior && c.prior
	}
	if !u.local && !t.prior {
		t.tied = u.name
	}
	f := &family{l: l, u: u, children: children}
	l.standsFor(u, f)
	each, more := conjugates[u.prior.def.Name].evidence(f)
	if more.Is(0) {
		t.v, t.over = each, append(t.over, u.family...)
	} else {
		t.v = l.b.Add(l.b.Sum(each, u.family...), more)
	}
	return t
}

// A child is a term whose distribution has a collapsed unknown as its
// parameter: rest + scale · at, where at reads one entry of the unknown for
// every entry of the term.
type child struct {
	l     *lowerer
	u     *collapsed
	d     *boundDist
	x     *ir.Value   // the variate
	over  []*ir.Axis  // what the term is a sum over, the plates of the unknown left out
	masks []*ir.Value // of what is no padding
	affine
	row   *conjugateChild
	prior bool
	site  string
	span  source.Span
}

// child reads a term as one of a conjugate pair, or says why it is none.
func (l *lowerer) child(u *collapsed, t *term) *child {
	c := &child{l: l, u: u, over: ir.Without(t.over, u.plates), prior: t.prior, site: t.site, span: t.span}
	v := t.v
	for v.Op == ir.OpSelect && v.Args[2].Is(0) && len(l.collapsedIn(v.Args[0])) == 0 {
		c.masks = append(c.masks, v.Args[0])
		v = v.Args[1]
	}
	law, plain := l.laws[v]
	all := l.collapsedIn(t.v)
	switch {
	case t.site == "":
		l.fail(u.code(), t.span, "%s cannot be integrated out: this factor depends on it, and a closed form is known only where every term is of a conjugate pair", u.name)
	case len(all) > 1:
		other := all[0]
		if other == u {
			other = all[1]
		}
		l.fail(u.code(), t.span, "this depends on %s and on %s, and a closed form is known where one unknown is integrated out: leave out by collapse of one of them", other.name, u.name)
	case l.groupedIn(t.v) != nil:
		l.fail(u.code(), t.span, "%s cannot be integrated out, because this depends on %s too, which is summed out: leave out by collapse", u.name, l.groupedIn(t.v).name)
	case !plain && l.o.Exact && u.local:
		l.fail(limits.CannotLeaveOut, t.span, "%s is integrated out and what it is the law of is drawn, so the likelihood of a row is no closed form", u.name)
	case !plain:
		l.fail(u.code(), t.span, "%s cannot be integrated out: between it and what depends on it here stands another unknown that is summed or integrated out, or a type narrower than the distribution", u.name)
	case t.seen != nil:
		l.fail(u.code(), t.span, "%s cannot be integrated out, because %s has missing entries", u.name, t.site)
	case law.d.comps != nil:
		l.fail(u.code(), t.span, "%s cannot be integrated out of a mixture: declare which component it is as a local, by gibbs", u.name)
	case law.d.def == nil:
		l.fail(u.code(), t.span, "%s cannot be integrated out of this distribution", u.name)
	case law.d.lo != nil && law.d.cens:
		l.fail(u.code(), t.span, "%s cannot be integrated out, because %s is censored, which leaves no closed form", u.name, t.site)
	case law.d.lo != nil:
		l.fail(u.code(), t.span, "%s cannot be integrated out, because %s is truncated, which leaves no closed form", u.name, t.site)
	}
	c.d, c.x = law.d, law.x
	prior := u.prior.def.Name
	c.row = conjugates[prior].children[c.d.def.Name]
	if c.row == nil {
		l.fail(u.code(), t.span, "%s is not conjugate to the %s prior of %s: by collapse takes the pairs %s", c.d.def.Name, prior, u.name, strings.Join(pairNames(), ", "))
	}
	if len(l.collapsedIn(c.x)) > 0 {
		l.fail(u.code(), t.span, "%s cannot be integrated out, because %s itself is computed from it", u.name, t.site)
	}
	for i, p := range c.d.def.Params {
		if i != c.row.arg && len(l.collapsedIn(c.d.fr.values[p].v)) > 0 {
			l.fail(u.code(), t.span, "%s cannot be integrated out, because it sets %s of %s here, and only as %s is a closed form known", u.name, p.Name, c.d.def.Name, c.d.def.Params[c.row.arg].Name)
		}
	}
	c.affine = l.affineIn(u, c.d.fr.values[c.d.def.Params[c.row.arg]].v)
	what := c.d.def.Params[c.row.arg].Name + " of " + c.d.def.Name
	switch {
	case c.at == nil:
		l.fail(u.code(), t.span, "%s cannot be integrated out: %s must be linear in one entry of it, and here it is not", u.name, what)
	case !c.row.shift && !c.rest.Is(0):
		l.fail(u.code(), t.span, "%s cannot be integrated out: %s must be a multiple of it, and here something is added", u.name, what)
	case !c.row.shift && !c.row.scale && !c.scale.Is(1):
		l.fail(u.code(), t.span, "%s cannot be integrated out: %s must be %s itself or an entry of it", u.name, what, u.name)
	}
	if !c.keepsOwn() {
		l.fail(u.code(), t.span, "%s cannot be integrated out: a part of a %s stands here", u.name, prior)
	}
	return c
}

// arg is an argument of the child's distribution.
func (c *child) arg(i int) *ir.Value { return c.d.fr.values[c.d.def.Params[i]].v }

// dimension is the size of an unknown that is a vector, as a number.
func (u *collapsed) dimension() size.Poly { return u.own[0].Size }
