package posterior

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Redraw is a datum whose missing entries in new rows are drawn from their distribution given the
// unknowns. That is correct only as long as no other known value of these rows depends on them.
type Redraw struct {
	Name string
	Why  string   // why they cannot be drawn; "" where they can
	With []string // data whose distributions read them: if known, they carry information about them

	leaf *ir.Value
	done bool // the function has been made
}

// redraw makes the draw of a datum's missing entries, ahead of the values that read it.
func (x *latents) redraw(m *lower.Redrawn) {
	for _, r := range x.redraws {
		if r.Name == m.Name {
			if !r.done {
				r.Why = "the law of an entry reads other entries"
			}
			return
		}
	}
	l, r := x.l, &Redraw{Name: m.Name, leaf: m.Leaf}
	x.redraws = append(x.redraws, r)
	name := model.DrawnPrefix + m.Name
	draw := Draw{Name: m.Name, Local: true, Type: m.In.Type, Shape: ir.Sizes(m.Leaf.Axes)}
	var of []*lower.Site
	for i := range l.Sites {
		if l.Sites[i].Name == m.Name {
			of = append(of, &l.Sites[i])
		}
	}
	switch {
	case len(of) == 0:
		r.Why = "no statement describes them alone"
	case len(of) > 1:
		r.Why = fmt.Sprintf("%d statements describe them", len(of))
	case of[0].Left.Op != ir.OpData || !l.WholeLeaf(of[0].Left):
		r.Why = "their statement describes a part of the entries, or has them in another order"
	default:
		d := x.dist(of[0].Dist)
		axes := of[0].Left.Axes
		draw.Func = d.DrawFunc(fn.Latent.Of(m.Name), axes, l.InType(m.In, d, axes))
		draw.Family = len(ir.Without(axes, d.Y.Own))
	}
	if r.done = true; r.Why != "" {
		draw.Func = nil
	}
	if draw.Func != nil {
		x.funcs = append(x.funcs, draw.Func)
	}
	x.spec = append(x.spec, model.Datum{Name: name, Shape: draw.Shape, Derived: true})
	x.draws = append(x.draws, draw)
}

// readBeside returns the redraws. Each has With set to those data which the functions read and
// whose distributions read what is redrawn.
func (x *latents) readBeside(funcs []*ir.Func) (out []Redraw) {
	read := map[string]bool{}
	for _, f := range funcs {
		for _, o := range f.Outputs {
			for _, v := range ir.Reach(o.Value) {
				if v.Op == ir.OpData {
					read[v.Name] = true
				}
			}
		}
	}
	for _, r := range x.redraws {
		for i := range x.l.Sites {
			s := &x.l.Sites[i]
			if s.Name == r.Name || !read[s.Name] || slices.Contains(r.With, s.Name) {
				continue
			}
			s.Dist.Map(func(v *ir.Value) *ir.Value {
				if v != nil && slices.Contains(ir.Reach(v), r.leaf) &&
					!slices.Contains(r.With, s.Name) {
					r.With = append(r.With, s.Name)
				}
				return v
			})
		}
		out = append(out, *r)
	}
	return out
}
