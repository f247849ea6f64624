package lower

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/collapse"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
)

// A collapsed unknown is integrated out. While its plate is lowered it is a leaf
// that no function can read; where the plate ends, the terms that read it become
// one, the log marginal likelihood of their variates given the arguments of its
// prior.
type collapsed struct {
	collapse.Unknown
	prior *boundDist
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
	u := &collapsed{Unknown: collapse.Unknown{Name: s.Name, Plates: slices.Clone(l.plates), Span: g.Vars[i].Span, Local: s.Kind == check.LocalVar}}
	axes := l.axesOf(s.Type.Shape)
	u.Family, u.Own = axes[:len(s.Prior.Family)], axes[len(s.Prior.Family):]
	u.Leaf = l.b.Leaf(ir.OpState, fmt.Sprintf("%s%d %s", collapseMark, len(l.collapsed), s.Name), append(slices.Clone(u.Plates), axes...)...)
	u.Leaf.Hint = s.Name
	if g.Prior != nil {
		u.prior = l.bindUse(s.Prior, variate{v: u.Leaf, family: u.Family, own: u.Own}, g.Prior.Span)
	}
	l.frame.values[s] = tensor{v: u.Leaf, axes: axes}
	l.collapsed = append(l.collapsed, u)
}

// collapsedNamed finds the collapsed unknown of a name that is in sight.
func (l *lowerer) collapsedNamed(name string) *collapsed {
	for _, u := range slices.Backward(l.collapsed) {
		if u.Name == name {
			return u
		}
	}
	return nil
}

// states gives the prior as a statement, which reads the unknown as left.
func (u *collapsed) states(d *boundDist, left tensor) {
	u.prior, u.Leaf = d, left.v
	u.Family, u.Own = d.y.family, d.y.own
}

// collapsedIn are the collapsed unknowns that a value reads.
func (l *lowerer) collapsedIn(v *ir.Value) []*collapsed {
	if len(l.collapsed) == 0 || v == nil || !v.State() {
		return nil
	}
	var out []*collapsed
	for _, x := range ir.Reach(v) {
		for _, u := range l.collapsed {
			if u.Is(x) && !slices.Contains(out, u) {
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
		u.Prior = u.prior.law()
		kept := l.terms[:first:first]
		var children []term
		for i := range l.terms[first:] {
			t := &l.terms[first+i]
			if slices.Contains(l.collapsedIn(t.v), u) {
				if l.o.Laws {
					continue
				}
				children = append(children, *t)
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
		if len(u.Plates) == 0 {
			shared = append(shared, u)
		}
	}
	l.try(func() { l.collapseOut(0, shared) })
	gone := func(v *ir.Value, at source.Span, what string) {
		for _, u := range l.collapsedIn(v) {
			l.quietFail(u.Code(), at, "%s reads %s, which is integrated out and has no value", what, u.Name)
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
func (l *lowerer) evidence(u *collapsed, children []term) term {
	t := term{over: slices.Clone(u.Plates), prior: !u.Local}
	var list []collapse.Term
	for i := range children {
		c := &children[i]
		if t.span.End == 0 || !c.prior {
			t.span, t.site = c.span, c.site
		}
		t.prior = t.prior && c.prior
		list = append(list, l.childTerm(c))
	}
	if !u.Local && !t.prior {
		t.tied = u.Name
	}
	var f *collapse.Family
	err := limits.Try(func() { f = collapse.Children(l.collapses(), &u.Unknown, list) })
	if err != nil {
		l.fail(err.Code, err.Span, "%s", err.Message)
	}
	l.standsFor(u, f)
	each, more := f.Evidence()
	if more.Is(0) {
		t.v, t.over = each, append(t.over, u.Family...)
	} else {
		t.v = l.b.Add(l.b.Sum(each, u.Family...), more)
	}
	return t
}

// childTerm is a term with the law that it is a density of, as package collapse
// takes it.
func (l *lowerer) childTerm(t *term) collapse.Term {
	out := collapse.Term{V: t.v, Over: t.over, Site: t.site, Span: t.span, Missing: t.seen != nil}
	for _, u := range l.collapsedIn(t.v) {
		out.Reads = append(out.Reads, &u.Unknown)
	}
	if z := l.groupedIn(t.v); z != nil {
		out.Summed = z.name
	}
	v := t.v
	for v.Op == ir.OpSelect && v.Args[2].Is(0) && len(l.collapsedIn(v.Args[0])) == 0 {
		out.Masks = append(out.Masks, v.Args[0])
		v = v.Args[1]
	}
	if law, plain := l.laws[v]; plain {
		out.Law, out.X = law.d.law(), law.x
	}
	return out
}

// collapses is what package collapse takes from the lowerer.
func (l *lowerer) collapses() collapse.Context {
	return collapse.Context{B: l.b, Pad: l.pad, Exact: l.o.Exact, Reads: func(v *ir.Value) bool { return len(l.collapsedIn(v)) > 0 }}
}

// law is the distribution with its arguments, as package collapse takes it.
func (d *boundDist) law() *collapse.Law {
	out := &collapse.Law{Own: d.y.own, Mixture: d.comps != nil, Cut: d.lo != nil, Censored: d.cens}
	if d.def == nil {
		return out
	}
	out.Name = d.def.Name
	for _, p := range d.def.Params {
		t := d.fr.values[p]
		out.Params, out.Args = append(out.Params, p.Name), append(out.Args, collapse.Arg{V: t.v, Axes: t.axes})
	}
	return out
}
