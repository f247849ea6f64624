package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
)

// An Ode step solves a differential equation for every entry of the batch axes. Start computes the
// inputs of the problem; Slope computes, from Time and Point, the slope and its derivatives.
// Indices in both may have the batch axes.
type Ode struct {
	Batch        []*ir.Axis
	Start, Slope []Step
	Time, Point  *Buffer
	Z0, T0, Ts   *Buffer
	F, Jacobian  *Buffer // Jacobian may be nil
	Blocks       []OdeBlock
	Out          *Buffer // [batch, times, n]
	N, Times     *ir.Axis
	Stiff        bool
	Rtol, Atol   float64
	MaxSteps     int
}

// An OdeBlock is a block of sensitivities: with respect to the inputs of the slope, or to the start
// if Forcing is nil.
type OdeBlock struct {
	Forcing *Buffer
	Columns []*ir.Axis
	Out     *Buffer // [batch, times, n, columns]
}

// Each calls f for every buffer of the step itself, without those of Start and Slope.
func (o *Ode) Each(f func(b *Buffer, read bool)) {
	for _, b := range []*Buffer{o.Time, o.Point} {
		f(b, false)
	}
	for _, b := range []*Buffer{o.Time, o.Point, o.Z0, o.T0, o.Ts, o.F, o.Jacobian} {
		if b != nil {
			f(b, true)
		}
	}
	f(o.Out, false)
	for _, k := range o.Blocks {
		if k.Forcing != nil {
			f(k.Forcing, true)
		}
		f(k.Out, false)
	}
}

// oneSolution takes the solution from the call that also computes sensitivities, if there is one:
// it has the same bits.
func oneSolution(b *ir.Builder, f *ir.Func) *ir.Func {
	full := map[odeKey]*ir.Value{}
	for _, v := range f.Values() {
		if v.Op != ir.OpOde {
			continue
		}
		k := keyOf(v)
		if old := full[k]; old == nil || len(v.Args) > len(old.Args) {
			full[k] = v
		}
	}
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if v.Op != ir.OpOde || v.Part > 0 {
			return nil
		}
		if w := full[keyOf(v)]; len(w.Args) > len(v.Args) {
			return b.Ode(w.Args, w.Over, w.To, w.Mode == ir.Stiff, 0)
		}
		return nil
	})
}

// An odeKey identifies an ODE problem.
type odeKey struct {
	args  [ir.OdeJacobian]*ir.Value
	stiff bool
}

func keyOf(v *ir.Value) odeKey {
	k := odeKey{stiff: v.Mode == ir.Stiff}
	copy(k.args[:], v.Args)
	return k
}

// callOf identifies the call of the solver that a value is a part of. Calls with other
// sensitivities are other calls, even if they solve the same problem.
func callOf(v *ir.Value) string {
	var key strings.Builder
	fmt.Fprint(&key, v.Mode == ir.Stiff)
	for _, a := range v.Args {
		fmt.Fprintf(&key, " %p", a)
	}
	return key.String()
}

// oneEntry removes the batch axes from the arguments of an ode and gives it its own leaves: the
// slope is computed for one entry of the batch, whose inputs are read by op now.
func oneEntry(b *ir.Builder, v *ir.Value, known map[string][]*ir.Value) *ir.Value {
	batch := rowsFirst(ir.OdeBatch(v))
	key := callOf(v)
	leaves := known[key]
	if leaves == nil {
		time := b.Carry("time", true)
		// The plan recognises both leaves by one name.
		leaves = []*ir.Value{time,
			b.Make(ir.Value{Op: ir.OpCarry, Name: time.Name, Mode: ir.OfState, Axes: v.Over[:1],
				Hint: "point"})}
		known[key] = leaves
	}
	now := func(x *ir.Value) *ir.Value {
		for _, a := range batch {
			x = b.Now(x, a, leaves[0].Name)
		}
		return x
	}
	made := map[*ir.Value]*ir.Value{v.Args[ir.OdeTime]: leaves[0], v.Args[ir.OdePoint]: leaves[1]}
	roots := append([]*ir.Value{v.Args[ir.OdeSlope]}, v.Args[ir.OdeJacobian:]...)
	values := ir.Reach(roots...)
	free := ir.Carries(values)
	for _, x := range values {
		for _, c := range ir.Bound(x) { // bound by a scan or an ode within the slope
			if slices.ContainsFunc(free[x], func(y *ir.Value) bool { return made[y] != nil }) {
				made[c] = b.CarryLike(c, ir.Without(c.Axes, batch))
			}
		}
	}
	for _, x := range values {
		inside := false
		for _, a := range x.Args {
			inside = inside || made[a] != nil
		}
		if !inside || made[x] != nil {
			continue
		}
		args := make([]*ir.Value, len(x.Args))
		for i, a := range x.Args {
			if args[i] = made[a]; args[i] == nil {
				args[i] = now(a)
			}
		}
		made[x] = b.Like(x, args)
	}
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		if args[i] = made[a]; args[i] == nil {
			args[i] = now(a)
		}
	}
	over := append([]*ir.Axis(nil), v.Over...)
	if len(batch) > 0 {
		if len(over) == 1 {
			over = append(over, b.Axis("none", over[0].Size)) // takes the place of the axis of f's entries
		}
		over = append(over[:2:2], batch...)
	}
	return b.Ode(args, over, v.To, v.Mode == ir.Stiff, v.Part)
}

// layoutOde stores the inputs of the solver in the order that it expects.
func layoutOde(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	w := *b.Ode(args, v.Over, v.To, v.Mode == ir.Stiff, v.Part)
	w.Args = append([]*ir.Value(nil), w.Args...)
	n := v.Over[:1]
	w.Args[ir.OdeSlope], w.Args[ir.OdeStart] = inOrder(b, w.Args[ir.OdeSlope], n),
		inOrder(b, w.Args[ir.OdeStart], n)
	for i := ir.OdeJacobian; i < len(w.Args); i++ {
		cols := n
		if i > ir.OdeJacobian {
			cols = ir.OdeColumns(&w, i-ir.OdeJacobian+1)
		}
		w.Args[i] = inOrder(b, w.Args[i], join(v.Over[1:2], cols))
	}
	w.Axes = ir.OdeAxes(&w)
	return b.MakeOrdered(w)
}

// emitOde adds the step that solves an ode.
func (p *planner) emitOde(r *recurrence, seg Segment) {
	v := r.solution
	o := &Ode{Batch: ir.OdeBatch(v), N: v.Over[0], Times: v.To, Stiff: v.Mode == ir.Stiff,
		Time: p.buffer[v.Args[ir.OdeTime]], Point: p.buffer[v.Args[ir.OdePoint]],
		Rtol: v.Args[ir.OdeRtol].Num, Atol: v.Args[ir.OdeAtol].Num,
		MaxSteps: int(v.Args[ir.OdeSteps].Num), Out: p.buffer[r.parts[0]]}
	saved := p.now
	defer func() { p.now = saved }()
	o.Start = p.schedule(seg, r)
	p.now = &o.Start
	o.Z0, o.T0, o.Ts = p.argument(v.Args[ir.OdeStart], v), p.argument(v.Args[ir.OdeStartTime], v),
		p.argument(v.Args[ir.OdeTimes], v)
	o.Slope = p.schedule(seg, r.slope)
	p.now = &o.Slope
	o.F = p.argument(v.Args[ir.OdeSlope], v)
	if len(v.Args) > ir.OdeJacobian {
		o.Jacobian = p.argument(v.Args[ir.OdeJacobian], v)
	}
	for k, part := range r.parts {
		if k == 0 || part == nil {
			continue
		}
		blk := OdeBlock{Columns: ir.OdeColumns(v, k), Out: p.buffer[part]}
		if k > 1 {
			blk.Forcing = p.argument(v.Args[ir.OdeJacobian+k-1], v)
		}
		o.Blocks = append(o.Blocks, blk)
	}
	*saved = append(*saved, Step{Ode: o})
}
