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

// A Collapsed unknown is integrated out. While its plate is lowered, a leaf stands for it. At the
// end of the plate, the terms that read the leaf become one term, the log marginal likelihood of
// their variates given the arguments of its prior.
type Collapsed struct {
	collapse.Unknown
	Law *Dist
}

// collapseMark is the prefix of the names of collapsed leaves. No name in a model has it.
const collapseMark = "collapsed "

// A law is a distribution and the value whose density under it a term may be.
type law struct {
	d *Dist
	x *ir.Value
}

// declareCollapsed makes an unknown that is integrated out in closed form.
func (l *Model) declareCollapsed(s *check.Symbol, g *ast.Group, i int) {
	if l.drawing() {
		l.drawLocal(s, g)
		return
	}
	u := &Collapsed{Unknown: collapse.Unknown{Name: s.Name, Plates: slices.Clone(l.plates),
		Span: g.Vars[i].Span, Local: s.Kind == check.LocalVar}}
	axes := l.axesOf(s.Type.Shape)
	u.Family, u.Own = axes[:len(s.Prior.Family)], axes[len(s.Prior.Family):]
	u.Leaf = l.B.Leaf(ir.OpState, fmt.Sprintf("%s%d %s", collapseMark, len(l.Collapsed), s.Name),
		append(slices.Clone(u.Plates), axes...)...)
	u.Leaf.Hint = s.Name
	if g.Prior != nil {
		u.Law = l.bindUse(s.Prior, Variate{V: u.Leaf, Family: u.Family, Own: u.Own}, g.Prior.Span)
	}
	l.frame.values[s] = tensor{v: u.Leaf, axes: axes}
	l.Collapsed = append(l.Collapsed, u)
}

// CollapsedNamed returns the collapsed unknown with a name that is visible here; nil without one.
func (l *Model) CollapsedNamed(name string) *Collapsed {
	for _, u := range slices.Backward(l.Collapsed) {
		if u.Name == name {
			return u
		}
	}
	return nil
}

// states sets the prior of an unknown from a statement that has it on the left side.
func (u *Collapsed) states(d *Dist, left tensor) {
	u.Law, u.Leaf = d, left.v
	u.Family, u.Own = d.Y.Family, d.Y.Own
}

// CollapsedIn returns the collapsed unknowns that a value reads.
func (l *Model) CollapsedIn(v *ir.Value) []*Collapsed {
	if len(l.Collapsed) == 0 || v == nil || !v.State() {
		return nil
	}
	var out []*Collapsed
	for _, x := range ir.Reach(v) {
		for _, u := range l.Collapsed {
			if u.Is(x) && !slices.Contains(out, u) {
				out = append(out, u)
			}
		}
	}
	return out
}

// ReadsCollapsed returns a collapsed unknown that an argument of the distribution reads; nil
// without one.
func (l *Model) ReadsCollapsed(d *Dist) *Collapsed {
	if len(l.Collapsed) == 0 {
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
		if u := l.ReadsCollapsed(c.d); u != nil {
			return u
		}
	}
	for _, a := range args {
		if all := l.CollapsedIn(a); len(all) > 0 {
			return all[0]
		}
	}
	return nil
}

// noteLaw records the distribution of a density that reads a collapsed unknown.
func (l *Model) noteLaw(d *Dist, x, f *ir.Value) *ir.Value {
	if len(l.CollapsedIn(f)) > 0 {
		if l.laws == nil {
			l.laws = map[*ir.Value]law{}
		}
		l.laws[f] = law{d, x}
	}
	return f
}

// collapseOut is called at the end of a plate. It replaces the terms that read an unknown declared
// in the plate; first is the index of the plate's first term.
func (l *Model) collapseOut(first int, list []*Collapsed) {
	for _, u := range slices.Backward(list) {
		if u.Law == nil {
			panic(bail{}) // its error has been reported
		}
		u.Prior = u.Law.law()
		kept := l.Terms[:first:first]
		var children []Term
		for i := range l.Terms[first:] {
			t := &l.Terms[first+i]
			if slices.Contains(l.CollapsedIn(t.V), u) {
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
		l.Terms = kept
	}
}

// collapseShared is collapseOut for params, at the end of the file. It refuses other uses of an
// unknown that was integrated out.
func (l *Model) collapseShared() {
	var shared []*Collapsed
	for _, u := range l.Collapsed {
		if len(u.Plates) == 0 {
			shared = append(shared, u)
		}
	}
	l.Try(func() { l.collapseOut(0, shared) })
	gone := func(v *ir.Value, at source.Span, what string) {
		for _, u := range l.CollapsedIn(v) {
			l.QuietFail(u.Code(), at, "%s reads %s, which is integrated out and has no value",
				what, u.Name)
		}
	}
	for _, t := range l.tracks {
		gone(t.t.v, t.sym.Span, "the track "+t.sym.Name)
	}
	for _, p := range l.Params {
		if p.LogJ != nil {
			gone(l.B.Add(l.B.Sum(p.X, p.X.Axes...), l.B.Sum(p.LogJ, p.LogJ.Axes...)), l.FileStart(),
				"the interval of "+p.Name)
		}
	}
}

// evidence returns the one term that replaces the children of an unknown.
func (l *Model) evidence(u *Collapsed, children []Term) Term {
	t := Term{Over: slices.Clone(u.Plates), Prior: !u.Local}
	var list []collapse.Term
	for i := range children {
		c := &children[i]
		if t.Span.End == 0 || !c.Prior {
			t.Span, t.Site = c.Span, c.Site
		}
		t.Prior = t.Prior && c.Prior
		list = append(list, l.childTerm(c))
	}
	if !u.Local && !t.Prior {
		t.Tied = u.Name
	}
	var f *collapse.Family
	err := limits.Try(func() { f = collapse.Children(l.collapses(), &u.Unknown, list) })
	if err != nil {
		l.Fail(err.Code, err.Span, "%s", err.Message)
	}
	l.standsFor(u, f)
	each, more := f.Evidence()
	if more.Is(0) {
		t.V, t.Over = each, append(t.Over, u.Family...)
	} else {
		t.V = l.B.Add(l.B.Sum(each, u.Family...), more)
	}
	return t
}

// childTerm describes a term and its distribution for package collapse.
func (l *Model) childTerm(t *Term) collapse.Term {
	out := collapse.Term{V: t.V, Over: t.Over, Site: t.Site, Span: t.Span, Missing: t.Seen != nil}
	for _, u := range l.CollapsedIn(t.V) {
		out.Reads = append(out.Reads, &u.Unknown)
	}
	if z := l.GroupedIn(t.V); z != nil {
		out.Summed = z.Name
	}
	v := t.V
	for v.Op == ir.OpSelect && v.Args[2].Is(0) && len(l.CollapsedIn(v.Args[0])) == 0 {
		out.Masks = append(out.Masks, v.Args[0])
		v = v.Args[1]
	}
	if law, plain := l.laws[v]; plain {
		out.Law, out.X = law.d.law(), law.x
	}
	return out
}

// collapses returns the functions of the lowerer that package collapse uses.
func (l *Model) collapses() collapse.Context {
	return collapse.Context{B: l.B, Pad: l.pad, Exact: l.o.Exact,
		Reads: func(v *ir.Value) bool { return len(l.CollapsedIn(v)) > 0 }}
}

// law describes the distribution and its arguments for package collapse.
func (d *Dist) law() *collapse.Law {
	out := &collapse.Law{Own: d.Y.Own, Mixture: d.comps != nil, Cut: d.lo != nil, Censored: d.cens}
	if d.def == nil {
		return out
	}
	out.Name = d.def.Name
	for _, p := range d.def.Params {
		t := d.fr.values[p]
		out.Params, out.Args = append(out.Params, p.Name),
			append(out.Args, collapse.Arg{V: t.v, Axes: t.axes})
	}
	return out
}

// A PosteriorValue is the mean or a draw of an integrated-out local given the others.
type PosteriorValue struct {
	Of *Collapsed
	v  *ir.Value // along plates, family and own; it may read random numbers
}

// standsFor records the mean or draw of an integrated-out local, where it is known.
func (l *Model) standsFor(u *Collapsed, f *collapse.Family) {
	if !l.o.Entries || !u.Local || l.OfEntry(u.Plates) {
		return
	}
	random := func(law string) *ir.Value {
		return l.B.Leaf(ir.OpLocal, law+" posterior "+u.Name, u.Axes()...)
	}
	if v := f.Given(random); v != nil {
		l.Means = append(l.Means, PosteriorValue{u, v})
	}
}

// posteriorOutputs returns the values that replace integrated-out locals.
func (l *Model) posteriorOutputs() []RowValue {
	var out []RowValue
	for _, p := range l.Means {
		u := p.Of
		out = append(out, RowValue{PosteriorOf, u.Name,
			ir.Output{Name: u.Name, Value: p.v, Axes: u.Axes()}})
	}
	return out
}
