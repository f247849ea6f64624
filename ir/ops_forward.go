package ir

import (
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Ops of this file: the forward recursion of a chain of hidden states j, in logarithms,
//
//	h[0, k] = init[k],   h[t+1, k] = log_sum_exp over j of (h[t, j] + step[j, k]) + seen[t, k]
//
// as a function of whole arrays. Package opt finds it among scans. The value has h along To, which
// is one longer than t; Over is t, j, k.
var OpLogForward, OpLogForwardAdjoint *Op

func init() {
	OpLogForward = row(Op{Name: "log_forward", Class: Structured, Arity: 3,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.LogForward(args[0], args[1], args[2], v.Over, v.To)
		},
		Shape:     verifyForward,
		Reference: (*evaluator).forward,
		Doc: "args init, step, seen: log densities along To of what is seen up to a time and the " +
			"state at that time, by the forward recursion over Over[0] from states Over[1] to Over[2]",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			t, j, k := v.Over[0], v.Over[1], v.Over[2]
			flow := b.LogForwardAdjoint(v, v.Args[1], cot, v.Over, v.To)
			first := size.Const(0)
			start := b.Rename(b.Sum(b.At(flow, v.To, first), k), j, k)
			return []*Value{b.Add(b.At(cot, v.To, first), start), b.Sum(flow, v.To),
				b.Slice(b.Sum(flow, j), v.To, t, first)}
		}})
	OpLogForwardAdjoint = row(Op{Name: "log_forward_adjoint", Class: Structured, Arity: 3,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.LogForwardAdjoint(args[0], args[1], args[2], v.Over, v.To)
		},
		Shape:     verifyForward,
		Reference: (*evaluator).forward,
		Doc: "args h, step, cot: how much of the cotangents of h, a log_forward, goes through every " +
			"pair of states Over[1] and Over[2] at every time, along To; none at the end",
		NoGradient: "second derivatives of recursions are not known"})
}

// LogForward is the forward recursion from init[k], with step[j, k] and seen[t, k] over the axes t,
// j, k.
func (b *Builder) LogForward(init, step, seen *Value, over []*Axis, to *Axis) *Value {
	return b.forward(OpLogForward, []*Value{init, step, seen}, over, to)
}

// LogForwardAdjoint is the flow of the cotangents of a recursion h[to, k].
func (b *Builder) LogForwardAdjoint(h, step, cot *Value, over []*Axis, to *Axis) *Value {
	return b.forward(OpLogForwardAdjoint, []*Value{h, step, cot}, over, to)
}

func (b *Builder) forward(op *Op, args []*Value, over []*Axis, to *Axis) *Value {
	v := Value{Op: op, Args: args, Over: over, To: to}
	own, result := ForwardAxes(&v)
	for k, a := range args {
		args[k] = b.Spread(a, own[k]...)
		v.Axes = union(v.Axes, without(args[k].Axes, own[k]))
	}
	v.Axes = append(v.Axes, result...)
	return b.Make(v)
}

// ForwardAxes are the axes of a recursion's arguments and of its result, which follow those of the
// batch.
func ForwardAxes(v *Value) (args [3][]*Axis, result []*Axis) {
	t, j, k, to := v.Over[0], v.Over[1], v.Over[2], v.To
	if v.Op == OpLogForward {
		return [3][]*Axis{{k}, {j, k}, {t, k}}, []*Axis{to, k}
	}
	return [3][]*Axis{{to, k}, {j, k}, {to, k}}, []*Axis{to, j, k}
}

// verifyForward is the shape rule.
func verifyForward(v *Value, all []*Axis) ([]*Axis, error) {
	if len(v.Over) != 3 || v.To == nil || !v.Over[1].Size.Equal(v.Over[2].Size) ||
		!v.To.Size.Equal(v.Over[0].Size.Add(size.Const(1))) {
		return nil, errors.New("needs times, two axes of states, and an axis longer by one time")
	}
	own, result := ForwardAxes(v)
	every := append(append([]*Axis(nil), v.Over...), v.To)
	for k, want := range own {
		if has := without(every, without(every, v.Args[k].Axes)); !SameAxes(has, want) {
			return nil, fmt.Errorf("argument %d has axes %s of times and states, wants %s", k,
				axesText(has), axesText(want))
		}
	}
	return append(without(all, every), result...), nil
}

// forward is the reference semantics: the kernel, for one array at a time.
func (e *evaluator) forward(v *Value, args []Array) Array {
	own, result := ForwardAxes(v)
	n, states := e.length(v.Over[0]), e.length(v.Over[1])
	out := e.make(v.Axes)
	e.each(without(v.Axes, result), func(at index) {
		in := copyIndex(at)
		var x [3][]float64
		for k, axes := range own {
			e.each(axes, func(i index) {
				for a, c := range i {
					in[a] = c
				}
				x[k] = append(x[k], args[k].get(in))
			})
		}
		var dst []float64
		if v.Op == OpLogForward {
			dst = make([]float64, (n+1)*states)
			kernel.LogForward(dst, x[0], x[1], x[2], 1, n, states)
		} else {
			dst = make([]float64, (n+1)*states*states)
			kernel.LogForwardAdjoint(dst, x[0], x[1], x[2], 1, n, states)
		}
		next := 0
		e.each(result, func(i index) {
			for a, c := range i {
				in[a] = c
			}
			offset := 0
			for d, a := range out.Axes {
				offset = offset*out.Dims[d] + in[a]
			}
			out.Data[offset] = dst[next]
			next++
		})
	})
	return out
}
