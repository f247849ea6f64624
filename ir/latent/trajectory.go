package latent

import (
	"errors"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Hamiltonian Monte Carlo for a continuous local, in the coordinates of its chart, or along
// geodesics of the sphere (Byrne and Girolami 2013). A trajectory is a scan over steps of the
// position Verlet scheme: a half move, a kick by the gradient, a half move. Entries along axes over
// which the row's density is a product are moved and accepted separately. The step of a path is a
// random share, from a fifth to all, of the step size, so that paths differ in length. Paths of one
// length return to their start where that length is a period of the motion, as for a normal law
// (Neal 2011, MCMC using Hamiltonian dynamics, §3.2), and scales mix slowly near such a length.

// trajectory returns the local's value after one trajectory.
func (c *chainer) trajectory(k *link) *ir.Value {
	b := c.b
	batch, own := c.separate(k)
	logp := c.density(k, batch)
	force := c.force(k, logp)

	t := b.Axis("leap", size.Dim(model.LeapsDim))
	jitter := c.random(k, "uniform", "jitter", append(slices.Clone(batch), c.sweep)...)
	step := b.Mul(c.steps(k, batch), b.Add(b.Num(0.2), b.Mul(b.Num(0.8), jitter)))
	half := b.Mul(b.Num(0.5), step)

	flow := euclidean
	if k.Chart.Sphere {
		flow = geodesic
	}
	m := flow(b, k.axes[len(k.axes)-1])
	q0 := k.now
	p0 := m.tangent(q0, c.random(k, "normal", "momentum", append(slices.Clone(k.axes), c.sweep)...))
	axes := append([]*ir.Axis{t}, q0.Axes...)
	for _, a := range append(slices.Clone(p0.Axes), batch...) {
		if !slices.Contains(axes, a) {
			axes = append(axes, a)
		}
	}
	q, p := b.Carry(k.Name, true, axes...), b.Carry("momentum", true, axes...)
	q1, p1 := m.move(q, p, half)
	p2 := m.tangent(q1, b.Add(p1, b.Mul(step, c.at(k, force, q1))))
	q3, p3 := m.move(q1, p2, half)
	to := b.Axis("leap", t.Size.Add(size.Const(1)))
	scan := b.Scan([]*ir.Value{q, p}, []*ir.Value{q0, p0}, []*ir.Value{q3, p3}, t, to, false)
	end, momentum := b.At(scan[0], to, t.Size), b.At(scan[1], to, t.Size)

	energy := func(q, p *ir.Value) *ir.Value {
		return b.Sub(c.at(k, logp, q), b.Mul(b.Num(0.5), b.Sum(b.Mul(p, p), own...)))
	}
	gain := b.Sub(energy(end, momentum), energy(q0, p0))
	accept := b.Map(ir.OpExp, b.Map(ir.OpMin, gain, b.Num(0)))
	// of a path that diverged
	accept = b.Map(ir.OpSelect, b.Map(ir.OpEq, accept, accept), accept, b.Num(0))
	k.mean = accept
	u := c.random(k, "uniform", "accept", append(slices.Clone(batch), c.sweep)...)
	return b.Map(ir.OpSelect, b.Map(ir.OpLt, u, accept), end, q0)
}

// steps returns the step size of the present sweep. In the first part of the burn-in every entry of
// the batch axes adapts its own step, since the start may be far from typical values, where
// energies are high and paths bend sharply. Afterwards one step size holds for all rows, reduced to
// a few times the adapted step of an entry whose paths still bend sharply.
func (c *chainer) steps(k *link, batch []*ir.Axis) *ir.Value {
	b := c.b
	k.logStep = b.Carry("log step "+k.Name, true, append([]*ir.Axis{c.sweep}, batch...)...)
	kept := b.Leaf(ir.OpLocal, model.StepPrefix+k.Name)
	own := b.Map(ir.OpExp, k.logStep)
	return b.Map(ir.OpSelect, c.finding(), own, b.Map(ir.OpMin, kept, b.Mul(b.Num(4), own)))
}

// tuned returns the logarithm of the step for the next sweep. It adapts by stochastic approximation
// (Robbins and Monro 1951) while finding is 1.
func (c *chainer) tuned(k *link) *ir.Value {
	b, i := c.b, c.b.Iota(c.sweep)
	gain := b.Div(b.Num(3), b.Map(ir.OpSqrt, b.Add(i, b.Num(1))))
	gain = b.Map(ir.OpSelect, c.finding(), gain, b.Num(0))
	return b.Add(k.logStep, b.Mul(gain, b.Sub(k.mean, b.Num(model.TargetAccept))))
}

// finding is 1 in the sweeps that adapt the step: the first four fifths of the burn-in. Adapting a
// step to the acceptance of earlier draws changes the law of the draws; the rest of the burn-in
// removes this effect.
func (c *chainer) finding() *ir.Value {
	b := c.b
	return b.Map(ir.OpLt, b.Mul(b.Num(5), b.Iota(c.sweep)),
		b.Mul(b.Num(4), b.Size(size.Dim(model.BurnDim))))
}

// separate returns the axes of a local over which the row's density is a product, the row axis
// first, and its other axes.
func (c *chainer) separate(k *link) (batch, own []*ir.Axis) {
	batch = []*ir.Axis{c.row}
	inner := k.Chart.Own
	for i, a := range k.axes[1:] {
		apart := i+1 < len(k.axes)-inner
		for _, t := range c.terms {
			on := depends(t.Value, k.LeafName())
			if !on[t.Value] {
				continue
			}
			leafs := ir.Reach(t.Value)
			for _, v := range leafs {
				apart = apart &&
					(v.Op != ir.OpLocal || v.Name != k.LeafName() || slices.Equal(v.Axes, k.axes))
			}
			apart = apart && untouched(on, leafs, a) && slices.Contains(t.Axes, a)
		}
		if apart {
			batch = append(batch, a)
		} else {
			own = append(own, a)
		}
	}
	return batch, own
}

// density returns the log density of a row in terms of the leaves of locals, one number for every
// entry of the batch axes.
func (c *chainer) density(k *link, batch []*ir.Axis) *ir.Value {
	b := c.b
	total := b.Num(0)
	for _, t := range c.terms {
		if depends(t.Value, k.LeafName())[t.Value] {
			total = b.Add(total, b.Sum(t.Value, ir.Without(t.Axes, batch)...))
		}
	}
	return total
}

// force returns the gradient of the density with respect to the leaf.
func (c *chainer) force(k *link, logp *ir.Value) *ir.Value {
	b := c.b
	var leaves []*ir.Value
	for _, v := range ir.Reach(logp) {
		if v.Op == ir.OpLocal && v.Name == k.LeafName() {
			leaves = append(leaves, v)
		}
	}
	cots, err := grad.Of(b, b.Sum(logp, logp.Axes...), leaves)
	if e := (*grad.Error)(nil); errors.As(err, &e) {
		at := e.Value.Span
		limits.Fail(limits.NoDerivative, source.Span{Start: at.Start, End: at.End},
			"the gradient by the local %s cannot be compiled: %v", k.Name, err)
	} else if err != nil {
		panic("sgppl: compiler bug: " + err.Error())
	}
	total := b.Num(0)
	for i, leaf := range leaves {
		total = b.Add(total, c.along(cots[i], leaf.Axes, k.axes))
	}
	return total
}

// at returns v with the leaf of the local replaced by q, and those of the other locals by their
// present values.
func (c *chainer) at(k *link, v, q *ir.Value) *ir.Value {
	return ir.Rewrite(c.b, []*ir.Value{c.given(k, v)},
		func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
			if v.Op == ir.OpLocal && v.Name == k.LeafName() {
				return c.along(q, k.axes, v.Axes)
			}
			return nil
		})[0]
}

// A motion is free flight on a manifold, and the projection of a vector to the
// tangent space.
type motion struct {
	move    func(q, p, time *ir.Value) (*ir.Value, *ir.Value)
	tangent func(q, v *ir.Value) *ir.Value
}

func euclidean(b *ir.Builder, _ *ir.Axis) motion {
	return motion{
		move: func(q, p, time *ir.Value) (*ir.Value, *ir.Value) {
			return b.Add(q, b.Mul(time, p)), p
		},
		tangent: func(q, v *ir.Value) *ir.Value { return v },
	}
}

// geodesic flies along great circles: with speed a = |p|,
//
//	q(t) = q cos at + p sin(at)/a,   p(t) = p cos at − q a sin at.
func geodesic(b *ir.Builder, own *ir.Axis) motion {
	return motion{
		move: func(q, p, time *ir.Value) (*ir.Value, *ir.Value) {
			speed := b.Map(ir.OpSqrt, b.Sum(b.Mul(p, p), own))
			angle := b.Mul(speed, time)
			cos, sin := b.Map(ir.OpCos, angle), b.Map(ir.OpSin, angle)
			arc := b.Map(ir.OpSelect, b.Map(ir.OpEq, speed, b.Num(0)), time, b.Div(sin, speed))
			q1 := b.Add(b.Mul(q, cos), b.Mul(p, arc))
			p1 := b.Sub(b.Mul(p, cos), b.Mul(q, b.Mul(speed, sin)))
			return b.Div(q1, b.Map(ir.OpSqrt, b.Sum(b.Mul(q1, q1), own))), p1
		},
		tangent: func(q, v *ir.Value) *ir.Value {
			return b.Sub(v, b.Mul(q, b.Sum(b.Mul(q, v), own)))
		},
	}
}
