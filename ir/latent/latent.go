// Package latent derives the chain that draws the latent values of a row from
// their posterior given the row and the params: Gibbs steps for discrete
// values, gamma draws and Hamiltonian trajectories for continuous ones. Its
// input are the summands of the log joint density of a row, its output a
// function of the IR. It knows nothing of the language.
package latent

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Local is a latent value of a row. The terms read it by leaves (op local)
// of the name LeafName.
type Local struct {
	Name  string
	Span  source.Span // of its declaration
	By    string      // gibbs or gmc
	Chart *Chart      // of a continuous local; nil for a discrete one
	// Gamma says of a continuous local that its prior is a gamma law, and that it
	// may be drawn from its full conditional where that is one too.
	Gamma  bool
	Values size.Poly // of a discrete local: how many values it has
	Bit    bool      // of a discrete local: its values are those of a bool

	Type  string      // the type of one value, for messages
	Sizes []size.Poly // sizes of the type that the data give: none may be 0
}

// A Chart is what coordinates a continuous local moves in.
type Chart struct {
	Sphere bool // its points are unit vectors, and it moves along geodesics
	Own    int  // how many of the last axes of the leaf belong to one value
}

// LeafName is the name of the leaves that read the local. It has a space in it,
// which no name of a model has.
func (z *Local) LeafName() string { return model.LocalPrefix + z.Name }

// Rows are the summands of the log joint density of one row.
type Rows struct {
	Row   *ir.Axis    // the rows of a minibatch
	Full  *ir.Axis    // all rows
	Terms []ir.Output // each is summed over its axes, of which the first is Row
	// Posterior has, by the name of a local that is integrated out, what stands for
	// it given the others: its mean or a draw.
	Posterior []ir.Output
}

// Options of a chain.
type Options struct {
	*opt.Optimiser
	Sizes  map[string]int // sizes of dims that are known before data are, for estimates of costs
	Counts []string       // names of data that are whole numbers from 0 on
	// Score asks for the log joint density of a row, averaged over draws.
	Score bool
}

// A Chain is what Derive makes.
type Chain struct {
	Func  *ir.Func // the draws of every local that a row depends on
	Spec  *model.Chain
	Terms []ir.Output // those of Rows, in the order of products that costs least
	// Score is the log joint density of a row, the mean over the draws that are
	// kept; nil where Options do not ask for it.
	Score *ir.Value
}

// Derive makes the function that draws the locals of a row. The Chain without
// Func is returned with an error where a local cannot be drawn.
func Derive(rows Rows, locals []Local, o Options) (*Chain, *limits.Error) {
	c := &chainer{o: o, b: o.B, row: rows.Row, spec: &model.Chain{},
		discrete: map[*ir.Value]size.Poly{}}
	f := Ordered(&ir.Func{ID: fn.ID{Kind: "row terms"}, Outputs: opt.SparseTerms(o.B, rows.Terms)}, o)
	out := &Chain{Spec: c.spec, Terms: slices.Clone(f.Outputs)}
	rows.Terms = out.Terms
	c.terms = o.Run(f).Outputs
	for i := range c.terms {
		c.terms[i].Axes = ir.Without(c.terms[i].Axes, []*ir.Axis{c.row})
	}
	if err := limits.Try(func() { c.find(locals) }); err != nil {
		return out, err
	}
	kept := c.b.Axis("kept", size.Dim(model.KeptDim))
	if o.Score {
		out.Score = c.average(rows, kept)
	}
	err := limits.Try(func() { out.Func = c.run(rows.Posterior, kept) })
	return out, err
}

// Ordered takes sums of products in the order that costs least where a chain
// computes them many times.
func Ordered(f *ir.Func, o Options) *ir.Func {
	inner := func(leaf *ir.Value) bool {
		return leaf.Op == ir.OpLocal && strings.HasPrefix(leaf.Name, model.LocalPrefix)
	}
	return opt.Reassociate(o.B, f, opt.Chain{Inner: inner, Sizes: o.Sizes})
}

// WithDraws gives every leaf of a chain the axis of the draws that are kept.
func WithDraws(b *ir.Builder, v *ir.Value, kept *ir.Axis) *ir.Value {
	return ir.Rewrite(b, []*ir.Value{v}, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if v.Op == ir.OpLocal {
			return b.LeafLike(v, append(slices.Clone(v.Axes), kept)...)
		}
		return nil
	})[0]
}

// ones is a column of ones.
func ones(b *ir.Builder, full *ir.Axis) *ir.Value {
	return b.Map(ir.OpEq, b.Iota(full), b.Iota(full))
}

// posteriors returns what stands for locals that are integrated out, for every
// draw that is kept of the others, which links returns.
func (c *chainer) posteriors(given []ir.Output, kept *ir.Axis, links []ir.Output) []ir.Output {
	var out []ir.Output
	for _, o := range given {
		v := ir.Rewrite(c.b, []*ir.Value{o.Value},
			func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
				if v.Op != ir.OpLocal {
					return nil
				}
				for i, k := range c.links {
					if k.LeafName() == v.Name {
						return c.along(links[i].Value, k.axes, v.Axes)
					}
				}
				law, _, _ := strings.Cut(v.Name, " ")
				if !slices.ContainsFunc(c.spec.Random, func(r model.Random) bool { return r.Name == v.Name }) {
					c.spec.Random = append(c.spec.Random, model.Random{Name: v.Name, Law: law})
				}
				return b.Leaf(ir.OpLocal, v.Name, append(slices.Clone(v.Axes), kept)...)
			})[0]
		out = append(out, ir.Output{Name: model.LocalPrefix + o.Name, Value: v,
			Axes: append(slices.Clone(o.Axes), kept)})
		c.spec.Links = append(c.spec.Links,
			model.Link{Name: o.Name, By: "collapse", Value: model.LocalPrefix + o.Name})
	}
	return out
}
