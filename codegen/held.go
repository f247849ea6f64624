package codegen

import (
	"github.com/sgppl/sgppl/ir/plan"
)

// held finds a number that a sequence carries from step to step in an array: where the last
// instruction of a step stores the next entry, and the step reads the one before. A local has it
// then, which the next step need not read from memory:
//
//	last := s[0]
//	for t := range T { last = a * last + c[t]; s[t+1] = last }
//
// It returns nil where there is none.
func (m *method) held(q *plan.Sequence) *plan.Buffer {
	if m.f.p.Single || len(q.Steps) == 0 {
		return nil
	}
	l := q.Steps[len(q.Steps)-1].Loop
	if l == nil || len(l.Axes) > 0 || len(l.Body) == 0 {
		return nil
	}
	stores := l.Body[len(l.Body)-1].Stores
	if len(stores) != 1 || !m.entry(q, stores[0].Buf, stores[0].At, true) {
		return nil
	}
	b, reads, writes, other := stores[0].Buf, 0, 0, false
	for _, s := range q.Steps {
		visit(s, func(x *plan.Buffer, read bool) {
			switch {
			case x == b && read:
				reads++
			case x == b:
				writes++
			default:
				other = other || sameMemory(x, b)
			}
		})
	}
	for _, s := range q.Steps {
		if s.Loop == nil || len(s.Loop.Axes) > 0 {
			continue
		}
		for _, in := range s.Loop.Body {
			for _, o := range in.Args {
				if o.Kind == plan.Load && o.Buf == b && !o.Guard && m.entry(q, b, o.At, false) {
					reads--
				}
			}
		}
	}
	if other || writes != 1 || reads != 0 || m.f.again[b] || b.Shares != nil {
		return nil
	}
	return b
}

// entry reports whether an access is to the entry that a step of a sequence writes, or to the one
// before, in the order of the steps.
func (m *method) entry(q *plan.Sequence, b *plan.Buffer, at []plan.Index, written bool) bool {
	if b.Where != plan.Temp || len(b.Axes) != 1 || len(at) != 1 || at[0].Axis != q.Axis ||
		at[0].From != nil || at[0].Clamp || at[0].Neg {
		return false
	}
	off, known := at[0].Off.Number()
	if written != q.Reverse {
		return known && off == 1
	}
	return known && off == 0
}
