package codegen

import (
	"slices"

	"github.com/sgppl/sgppl/ir/plan"
)

// visit calls f for every buffer that a step reads or writes.
func visit(s plan.Step, f func(b *plan.Buffer, read bool)) {
	if q := s.Sequence; q != nil {
		for _, t := range q.Steps {
			visit(t, f)
		}
		return
	}
	if o := s.Ode; o != nil {
		for _, t := range slices.Concat(o.Start, o.Slope) {
			visit(t, f)
		}
		o.Each(f)
		return
	}
	if k := s.Kernel; k != nil {
		for _, a := range k.Args {
			f(a, true)
		}
		f(k.Dst, false)
		return
	}
	for _, in := range s.Loop.Body {
		for _, o := range in.Args {
			visitOperand(o, f)
		}
		for _, st := range in.Stores {
			for _, i := range st.At {
				if i.From != nil {
					visitOperand(*i.From, f)
				}
			}
			f(st.Buf, false)
		}
	}
}

func visitOperand(o plan.Operand, f func(b *plan.Buffer, read bool)) {
	if o.Kind != plan.Load {
		return
	}
	for _, i := range o.At {
		if i.From != nil {
			visitOperand(*i.From, f)
		}
	}
	f(o.Buf, true)
}

// flat lists the loops and kernels of steps, those of sequences too.
func flat(steps []plan.Step) []plan.Step {
	var out []plan.Step
	for _, s := range steps {
		switch {
		case s.Sequence != nil:
			out = append(out, flat(s.Sequence.Steps)...)
		case s.Ode != nil:
			out = append(append(out, flat(slices.Concat(s.Ode.Start, s.Ode.Slope))...), s)
		default:
			out = append(out, s)
		}
	}
	return out
}

// sequences calls f for every sequence, those within others too.
func sequences(steps []plan.Step, f func(q *plan.Sequence)) {
	for _, s := range steps {
		if s.Sequence != nil {
			f(s.Sequence)
			sequences(s.Sequence.Steps, f)
		}
		if s.Ode != nil {
			sequences(slices.Concat(s.Ode.Start, s.Ode.Slope), f)
		}
	}
}
