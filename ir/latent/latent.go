// Package latent derives the chain that draws the latent values of a row from their posterior given
// the row and the params: Gibbs steps for discrete values, gamma draws and Hamiltonian trajectories
// for continuous ones. Its input is the summands of the log joint density of a row; its output is
// an IR function. It does not depend on the modelling language.
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

// A Local is a latent value of a row. Terms read it by leaves (op local) with the name LeafName.
type Local struct {
	Name  string
	Span  source.Span // of its declaration
	By    string      // the strategy: gibbs or gmc
	Chart *Chart      // of a continuous local; nil for a discrete one
	// Gamma says that the prior of a continuous local is a gamma law, so that the local is drawn from
	// its full conditional where that is a gamma law too.
	Gamma  bool
	Values size.Poly // for a discrete local: the number of its possible values
	Bit    bool      // for a discrete local: its type is bool

	Type  string      // the type of one value, for messages
	Sizes []size.Poly // sizes in its type that depend on data; binding fails if one is 0
}

// A Chart describes the coordinates in which a continuous local moves.
type Chart struct {
	Sphere bool // its points are unit vectors, and it moves along geodesics
	Own    int  // how many of the last axes of the leaf belong to one value
}

// LeafName is the name of the leaves that read the local. It has a space in it, which names in a
// model cannot have.
func (z *Local) LeafName() string { return model.LocalPrefix + z.Name }

// Rows are the summands of the log joint density of one row.
type Rows struct {
	Row   *ir.Axis    // the rows of a minibatch
	Full  *ir.Axis    // all rows
	Terms []ir.Output // each is to be summed over its axes, the first of which is Row
	// Posterior has a value for each local that is integrated out, by its name: its mean given the
	// others, or a draw.
	Posterior []ir.Output
}

// Options of a chain.
type Options struct {
	*opt.Optimiser
	Sizes  map[string]int // known sizes of dims, for estimates of cost
	Counts []string       // names of data that are non-negative whole numbers
	// Score asks for the log joint density of a row, averaged over draws.
	Score bool
}

// A Chain is the result of Derive.
type Chain struct {
	Func  *ir.Func // the function that draws all locals of a row
	Spec  *model.Chain
	Terms []ir.Output // Rows.Terms, with products in the cheapest order of evaluation
	// Score is the log joint density of a row, averaged over the kept draws; nil unless Options ask
	// for it.
	Score *ir.Value
}

// Derive makes the function that draws the locals of a row. Where a local cannot be drawn, it
// returns the error and a Chain whose Func is nil.
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

// Ordered puts sums of products in the order that costs least when a chain computes them many
// times.
func Ordered(f *ir.Func, o Options) *ir.Func {
	inner := func(leaf *ir.Value) bool {
		return leaf.Op == ir.OpLocal && strings.HasPrefix(leaf.Name, model.LocalPrefix)
	}
	return opt.Reassociate(o.B, f, opt.Chain{Inner: inner, Sizes: o.Sizes})
}

// WithDraws adds the axis of the kept draws to every leaf of a local.
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

// posteriors returns the replacements of the integrated-out locals for every kept draw of the
// others, which are in links.
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
