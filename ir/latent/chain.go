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

// The chain of the locals of a row is a function like any other: a scan over sweeps carries their
// values, a step draws one local after another given the others, and the random numbers are data
// that the evaluator fills in. As in every scan, a value that depends on no carry is computed once
// for all sweeps, and a value of the params alone once for all rows.

// A chainer derives the function.
type chainer struct {
	o     Options
	b     *ir.Builder
	row   *ir.Axis
	sweep *ir.Axis
	// the summands of the row's log joint density; each is summed over its axes except the row
	terms []ir.Output
	links []*link
	spec  *model.Chain

	// discrete has the values that hold a discrete local, with its number of possible values.
	discrete map[*ir.Value]size.Poly
}

// A link is a local with what the chain derives for it.
type link struct {
	Local
	axes []*ir.Axis // axes of the local's leaf in the terms: the row axis first
	now  *ir.Value  // its value in the current sweep
	mean *ir.Value  // for gmc: the acceptance probability of the sweep

	// shape and rate are those of the full conditional where it is a gamma law, and free is the part
	// of the terms without the local; all three read the other locals by their leaves, along axes
	// (gammas.go). integrable says that discrete locals are drawn with this local integrated out.
	shape, rate, free *ir.Value
	integrable        bool

	logStep *ir.Value // for gmc: the logarithm of its step size, a carry
}

// find makes a link of every local that the terms read.
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
		if k.axes != nil { // a local without axes here is read by no term
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

// average returns the mean of the log joint density of a row over the kept draws. The leaves of
// locals have the draws along kept.
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

// run builds the chain's function: a scan over sweeps, some of which are kept.
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
		if k.mean != nil { // a running sum; its last value is read
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
	if len(carries) > 0 { // without carries, all locals are integrated out
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

// hotOutside moves a mask out of the loop over the values of a category:
//
// select(m, [k = z], 0) → [k = select(m, z, −1)]
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

// members returns the number of entries that a value has in a row.
func (c *chainer) members(v *ir.Value) *ir.Value {
	n := c.b.Num(1)
	for _, a := range v.Axes {
		if a != c.row {
			n = c.b.Mul(n, c.b.AxisSize(a))
		}
	}
	return n
}

// random returns a leaf of random numbers, one for every entry of the axes. The axis of the sweeps
// is the last one, so that the numbers of an entry of a ragged row are contiguous.
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

// first returns the value that a local starts from: a random one if discrete, else a point near the
// middle of the chart.
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

// draw returns the local's next value, given the present values of the others.
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

// given replaces the leaves of the other locals in a term by their present values.
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

// untouched reports whether the axis a of the leaves is kept by all values that depend on them, so
// that entries along it are independent.
func untouched(on map[*ir.Value]bool, values []*ir.Value, a *ir.Axis) bool {
	for _, v := range values {
		if on[v] && v.Op != ir.OpLocal &&
			(slices.Contains(v.Over, a) || v.To == a || loses(on, v, a)) {
			return false
		}
	}
	return true
}

// loses reports whether v lacks the axis a though an argument that depends on the leaves has it. A
// scatter, for example, sums over axes that it does not name.
func loses(on map[*ir.Value]bool, v *ir.Value, a *ir.Axis) bool {
	return !v.Has(a) && slices.ContainsFunc(v.Args,
		func(x *ir.Value) bool { return on[x] && x.Has(a) })
}
