package codegen

import "github.com/sgppl/sgppl/ir/plan"

// visit calls f for every buffer that a step reads or writes.
func visit(s plan.Step, f func(b *plan.Buffer, read bool)) {
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
