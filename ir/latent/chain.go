package latent

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// The chain of the locals of a row is a function like any other: a scan over
// sweeps carries their values, a step draws one local after another given the
// others, and the random numbers are data that the evaluator fills in. What
// does not depend on what is carried is computed once for all sweeps, and what
// depends on the params alone once for all rows, as in every scan.

// A chainer derives the function.
type chainer struct {
	o     Options
	b     *ir.Builder
	row   *ir.Axis
	sweep *ir.Axis
	terms []ir.Output // the row's log joint density: sums over Axes without the row
	links []*link
	spec  *model.Chain

	// what holds values of discrete locals, and how many these have
	discrete map[*ir.Value]size.Poly
}

// A link is one local on its way through the chain.
type link struct {
	Local
	axes []*ir.Axis // of the leaf in terms: the row axis first
	now  *ir.Value  // its value in the sweep at hand
	mean *ir.Value  // of gmc: the acceptance of the sweep

	// Of a gamma law given the others, whose leaves are in them, along axes: see
	// gammas.go. Where integrable, discrete locals are drawn with this one integrated out.
	shape, rate, free *ir.Value
	integrable        bool

	logStep *ir.Value // of gmc: the logarithm of its step, which is carried
}

// find looks for the leaves in the terms.
func (c *chainer) find(locals []Local) {
	for _, z := range locals {
		k := &link{Local: z}
		for _, v := range c.values() {
			if v.Op == ir.OpLocal && v.Name == z.LeafName() {
				if len(v.Axes) == 0 || v.Axes[0] != c.row {
					limits.Fail(limits.LocalNotLowered, source.Span{},
						"the local %s is in a plate that does not run over all rows of the "+
							"minibatch dim", z.Name)
				}
				k.axes = v.Axes
				break
			}
		}
		if k.axes != nil { // else nothing depends on it
			c.links = append(c.links, k)
		}
	}
}

func (c *chainer) values() []*ir.Value {
	var roots []*ir.Value
	for _, t := range c.terms {
		roots = append(roots, t.Value)
	}
	return ir.Reach(roots...)
}

// average is the mean over the draws that are kept of the log joint density of
// a row: their leaves have them along kept.
func (c *chainer) average(rows Rows, kept *ir.Axis) *ir.Value {
	b := c.b
	total := b.Num(0)
	for _, o := range rows.Terms {
		v := WithDraws(b, o.Value, kept)
		over := ir.Without(o.Axes, []*ir.Axis{c.row})
		if v.Has(kept) {
			v = b.Div(b.Sum(v, append(over, kept)...), b.AxisSize(kept))
		} else {
			v = b.Sum(v, over...)
		}
		if !v.Has(c.row) {
			v = b.Mul(v, b.Rows(ones(b, rows.Full), rows.Full, c.row))
		}
		total = b.Add(total, v)
	}
	return total
}

// run is the function: a scan over sweeps, of which some are kept.
func (c *chainer) run(given []ir.Output, kept *ir.Axis) *ir.Func {
	b := c.b
	burn, thin := size.Dim(model.BurnDim), size.Dim(model.ThinDim)
	sweeps := burn.Add(thin.Mul(kept.Size))
	c.sweep = b.Axis("sweep", sweeps)
	to := b.Axis("sweep", sweeps.Add(size.Const(1)))
	var carries, inits, nexts []*ir.Value
	for _, k := range c.links {
		carry := b.Carry(k.Name, true, append([]*ir.Axis{c.sweep}, k.axes...)...)
		carries, inits = append(carries, carry), append(inits, c.first(k))
		if k.Chart == nil {
			c.discrete[carry], c.discrete[inits[len(inits)-1]] = k.Values, k.Values
		}
		k.now = carry
	}
	c.unparted()
	c.thin()
	for _, k := range c.order() {
		k.now = c.draw(k)
	}
	for _, k := range c.links {
		nexts = append(nexts, k.now)
	}
	for _, k := range c.links {
		if k.mean != nil { // a running sum, of which the end is read
			axes := append([]*ir.Axis{c.sweep}, ir.Without(k.mean.Axes, []*ir.Axis{c.sweep})...)
			carry := b.Carry("accepted "+k.Name, true, axes...)
			carries, inits, nexts = append(carries, carry), append(inits, b.Num(0)),
				append(nexts, b.Add(carry, k.mean))
			first := b.Map(ir.OpLog, b.Leaf(ir.OpLocal, model.FirstPrefix+k.Name))
			carries, inits, nexts = append(carries, k.logStep), append(inits, first),
				append(nexts, c.tuned(k))
		}
	}
	var scan []*ir.Value
	if len(carries) > 0 { // else all are integrated out
		scan = b.Scan(carries, inits, nexts, c.sweep, to, false)
	}
	f := &ir.Func{ID: fn.Locals.ID()}
	at := b.Add(b.Size(burn), b.Mul(b.Size(thin), b.Add(b.Iota(kept), b.Num(1))))
	for i, k := range c.links {
		axes := append(slices.Clone(k.axes), kept)
		f.Outputs = append(f.Outputs,
			ir.Output{Name: k.LeafName(), Value: b.Gather(scan[i], at, to), Axes: axes})
		c.spec.Links = append(c.spec.Links,
			model.Link{Name: k.Name, By: k.By, Value: k.LeafName(), Type: k.Type, Sizes: k.Sizes})
	}
	n := len(c.links)
	for i, k := range c.links {
		if k.mean == nil {
			continue
		}
		link := &c.spec.Links[i]
		link.Step, link.Accepted = model.StepPrefix+k.Name, model.AcceptPrefix+k.Name
		link.FirstStep, link.FirstAccepted = model.FirstPrefix+k.Name,
			model.AcceptPrefix+model.FirstPrefix+k.Name
		first := b.At(scan[n], to, burn)
		for _, part := range []struct {
			name   string
			sum    *ir.Value
			sweeps size.Poly
		}{{link.Accepted, b.Sub(b.At(scan[n], to, sweeps), first), thin.Mul(kept.Size)},
			{link.FirstAccepted, first, burn}} {
			mean := b.Div(part.sum, b.Map(ir.OpMax, b.Size(part.sweeps), b.Num(1)))
			mean = b.Div(b.Sum(mean, ir.Without(mean.Axes, []*ir.Axis{c.row})...), c.members(mean))
			f.Outputs = append(f.Outputs,
				ir.Output{Name: part.name, Value: mean, Axes: []*ir.Axis{c.row}})
		}
		n += 2
	}
	f.Outputs = append(f.Outputs, c.posteriors(given, kept, f.Outputs[:len(c.links)])...)
	return c.counted(f)
}

// hotOutside takes a mask out of the loop over the values of a category:
//
//	select(m, [k = z], 0)  →  [k = select(m, z, −1)]
func hotOutside(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	if v.Op != ir.OpSelect || args[1].Op != ir.OpEq || !args[2].Is(0) {
		return nil
	}
	m, k, z := args[0], args[1].Args[0], args[1].Args[1]
	if k.Op != ir.OpIota {
		k, z = z, k
	}
	if k.Op != ir.OpIota || z.Has(k.Axes[0]) || m.Has(k.Axes[0]) {
		return nil
	}
	return b.Map(ir.OpEq, k, b.Map(ir.OpSelect, m, z, b.Num(-1)))
}

// members is how many entries a value has in a row.
func (c *chainer) members(v *ir.Value) *ir.Value {
	n := c.b.Num(1)
	for _, a := range v.Axes {
		if a != c.row {
			n = c.b.Mul(n, c.b.AxisSize(a))
		}
	}
	return n
}

// random is a leaf of random numbers, one for every entry of the axes. The
// axis of the sweeps stands last, so that what belongs to an entry of a ragged
// row stands together.
func (c *chainer) random(k *link, law, what string, axes ...*ir.Axis) *ir.Value {
	name := law + " " + what + " " + k.Name
	v := c.b.Leaf(ir.OpLocal, name, axes...)
	for _, r := range c.spec.Random {
		if r.Name == name {
			return v
		}
	}
	c.spec.Random = append(c.spec.Random, model.Random{Name: name, Law: law})
	return v
}

// first is where a local starts: a value at random, or a point near the middle
// of the chart.
func (c *chainer) first(k *link) *ir.Value {
	b := c.b
	if k.Chart == nil {
		n := b.Size(k.Values)
		u := c.random(k, "uniform", "start", k.axes...)
		return b.Map(ir.OpMin, b.Map(ir.OpFloor, b.Mul(u, n)), b.Sub(n, b.Num(1)))
	}
	z := c.random(k, "normal", "start", k.axes...)
	if k.Chart.Sphere {
		own := k.axes[len(k.axes)-1]
		return b.Div(z, b.Map(ir.OpSqrt, b.Sum(b.Mul(z, z), own)))
	}
	return b.Mul(b.Num(0.1), z)
}

// draw is the local's next value, given the others as they are now.
func (c *chainer) draw(k *link) *ir.Value {
	switch {
	case k.Chart == nil:
		return c.gibbs(k, "draw")
	case !k.Gamma:
		return c.trajectory(k)
	}
	if k.shape != nil {
		return c.gamma(k)
	}
	return c.trajectory(k)
}

// given puts the present values of the other locals in the place of their
// leaves in a term.
func (c *chainer) given(k *link, v *ir.Value) *ir.Value {
	return ir.Rewrite(c.b, []*ir.Value{v}, func(b *ir.Builder, v *ir.Value,
		args []*ir.Value) *ir.Value {
		if v.Op != ir.OpLocal {
			return nil
		}
		for _, other := range c.links {
			if other != k && other.LeafName() == v.Name {
				return c.along(other.now, other.axes, v.Axes)
			}
		}
		return nil
	})[0]
}

// along renames axes of a value, all at once.
func (c *chainer) along(v *ir.Value, from, to []*ir.Axis) *ir.Value {
	b := c.b
	temp := make([]*ir.Axis, len(from))
	for i, a := range from {
		if a != to[i] && v.Has(a) {
			temp[i] = b.Axis(a.Name, a.Size)
			v = b.Rename(v, a, temp[i])
		}
	}
	for i, a := range temp {
		if a != nil {
			v = b.Rename(v, a, to[i])
		}
	}
	return v
}

// depends marks the values that depend on leaves of a name.
func depends(root *ir.Value, name string) map[*ir.Value]bool {
	on := map[*ir.Value]bool{}
	for _, v := range ir.Reach(root) {
		on[v] = v.Op == ir.OpLocal && v.Name == name
		for _, a := range v.Args {
			on[v] = on[v] || on[a]
		}
	}
	return on
}

// untouched reports whether an axis of leaves stays an axis of all that depends on them.
func untouched(on map[*ir.Value]bool, values []*ir.Value, a *ir.Axis) bool {
	for _, v := range values {
		if on[v] && v.Op != ir.OpLocal &&
			(slices.Contains(v.Over, a) || v.To == a || loses(on, v, a)) {
			return false
		}
	}
	return true
}

// loses reports whether an axis of an argument that matters is gone in the value,
// as of a scatter, which sums over what it does not name.
func loses(on map[*ir.Value]bool, v *ir.Value, a *ir.Axis) bool {
	return !v.Has(a) && slices.ContainsFunc(v.Args,
		func(x *ir.Value) bool { return on[x] && x.Has(a) })
}
