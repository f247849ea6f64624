package ir

import "fmt"

// OpOde solves dz/dt = f(t, z, …). Its arguments are
//
//	t, z                leaves, as a scan's carries: the time [], the point [n, batch]
//	f                   the slope, a value that reads them: [n, batch]
//	z0, t0, ts          the start [n, batch], its time, the times along To
//	rtol, atol, steps   tolerances, and the most steps between two times (0: the default): constants
//	J, P1, P2, …        ∂f/∂z [e, n, batch], and ∂f/∂w [e, w's axes, batch] for values w that f reads
//
// of which J is there for sensitivities and for the stiff method. Over
// holds n, then e, which without J is read by nothing, and in a plan the batch axes. Part 0 is z at
// the times, [batch, To, n]; part 1 its derivative by z0, [batch, To, e, n]; part 1 + k that by wk,
// [batch, To, e, w's axes].
var OpOde *Op

func init() {
	OpOde = row(Op{Name: "ode", Class: Sequential, Arity: -1, Singular: true, Mode: Stiff,
		Doc: "args t, z, f, z0, t0, ts, rtol, atol, steps and derivatives of f: Part 0 is " +
			"the solution of dz/dt = f at the times, the others its sensitivities; by the method " +
			"for stiff equations or the other",
		NoGradient: "the times of a solution must be data"})
}

// The arguments of an ode by their place.
const (
	OdeTime = iota
	OdePoint
	OdeSlope
	OdeStart
	OdeStartTime
	OdeTimes
	OdeRtol
	OdeAtol
	OdeSteps
	OdeJacobian // and the derivatives by other values
)

// Ode makes a part of a solution from its arguments. over is n, and e where
// there is a Jacobian.
func (b *Builder) Ode(args []*Value, over []*Axis, times *Axis, stiff bool, part int) *Value {
	n := over[0]
	args = append([]*Value(nil), args...)
	for _, i := range []int{OdeSlope, OdeStart} {
		args[i] = b.Spread(args[i], n)
	}
	args[OdeTimes] = b.Spread(args[OdeTimes], times)
	for i := OdeJacobian; i < len(args); i++ {
		args[i] = b.Spread(args[i], over[1])
	}
	if len(args) > OdeJacobian {
		args[OdeJacobian] = b.Spread(args[OdeJacobian], n)
	}
	v := Value{Op: OpOde, Args: args, Over: over, To: times, Mode: Stiff.If(stiff), Part: part}
	v.Axes = OdeAxes(&v)
	return b.Make(v)
}

// OdeBatch lists the axes along which problems are solved one by one: those of
// the point, or where a plan has taken them out of the arguments, Over[2:].
func OdeBatch(v *Value) []*Axis {
	batch := without(v.Args[OdePoint].Axes, v.Over[:1])
	if len(v.Over) > 2 {
		batch = union(batch, v.Over[2:])
	}
	return batch
}

// OdeColumns lists the axes of what part k ≥ 1 is a derivative by.
func OdeColumns(v *Value, part int) []*Axis {
	p := v.Args[OdeJacobian+part-1]
	return without(without(p.Axes, OdeBatch(v)), v.Over[1:2])
}

// OdeAxes are the axes of a part.
func OdeAxes(v *Value) []*Axis {
	axes := append(append([]*Axis(nil), OdeBatch(v)...), v.To)
	if v.Part == 0 {
		return append(axes, v.Over[0])
	}
	return append(append(axes, v.Over[1]), OdeColumns(v, v.Part)...)
}

// verifyOde is the shape rule.
func verifyOde(v *Value) ([]*Axis, error) {
	m := len(v.Args)
	if m < OdeJacobian || v.To == nil || len(v.Over) == 0 || m > OdeJacobian && len(v.Over) < 2 {
		return nil, fmt.Errorf("lacks arguments or axes")
	}
	if v.Args[OdeTime].Op != OpCarry || v.Args[OdePoint].Op != OpCarry {
		return nil, fmt.Errorf("has no leaves for the time and the point")
	}
	if v.Part > 0 && OdeJacobian+v.Part > m || v.Mode == Stiff && m == OdeJacobian {
		return nil, fmt.Errorf("lacks the derivatives of the slope")
	}
	batch := OdeBatch(v)
	allowed := [][]*Axis{OdeSlope: v.Over[:1], OdeStart: v.Over[:1], OdeTimes: {v.To},
		OdeStartTime: nil, OdeRtol: nil, OdeAtol: nil, OdeSteps: nil}
	for i, axes := range allowed {
		if i < OdeSlope {
			continue
		}
		if extra := without(v.Args[i].Axes,
			append(append([]*Axis(nil), axes...), batch...)); len(extra) > 0 {
			return nil, fmt.Errorf("argument %d has axes %s, which the point lacks", i,
				axesText(extra))
		}
	}
	return OdeAxes(v), nil
}
