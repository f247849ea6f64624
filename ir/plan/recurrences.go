package plan

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// recurrences replaces sequences of one product and one sum,
//
//	one after another t { h[t + 1] = b · h[t] + x[t] }
//
// or from the end, with numbers h and x and a number b that stays, by a kernel, which takes some
// steps at once.
func recurrences(steps []Step) {
	for i, s := range steps {
		if s.Sequence == nil {
			continue
		}
		if k := recurrenceOf(s.Sequence); k != nil {
			steps[i] = Step{Kernel: k}
			continue
		}
		recurrences(s.Sequence.Steps)
	}
}

// recurrenceOf returns the kernel that replaces a sequence, or nil.
func recurrenceOf(q *Sequence) *Kernel {
	if len(q.Steps) != 1 || q.Steps[0].Loop == nil || len(q.Steps[0].Loop.Axes) > 0 {
		return nil
	}
	from, to := 0, 1
	if q.Reverse {
		from, to = to, from
	}
	var h, x, b *Buffer
	product, term, sums := -1, -1, 0
	body := q.Steps[0].Loop.Body
	for i, in := range body {
		last := i == len(body)-1
		if in.When != Always || last != (len(in.Stores) == 1) || len(in.Stores) > 1 {
			return nil
		}
		switch {
		case in.Op == ir.OpMul && product < 0:
			for k, o := range in.Args {
				other := in.Args[1-k]
				if stays(other) && q.walks(o, from) {
					h, b, product = o.Buf, other.Buf, i
				}
			}
			if product < 0 {
				return nil
			}
		case in.Op == nil && term < 0 && q.walks(in.Args[0], 0):
			x, term = in.Args[0].Buf, i
		case in.Op == ir.OpAdd && last:
			for k, o := range in.Args {
				other := in.Args[1-k]
				if o.Kind != Local || o.Local != product {
					continue
				}
				sums++
				if other.Kind != Local && q.walks(other, 0) && term < 0 {
					x = other.Buf
				} else if other.Kind != Local || other.Local != term {
					return nil
				}
			}
		default:
			return nil
		}
	}
	if sums != 1 || h == nil || x == nil || x == h || h.Where != Temp || h.Shares != nil ||
		!x.Axes[0].Size.Equal(q.Axis.Size) ||
		!h.Axes[0].Size.Equal(q.Axis.Size.Add(size.Const(1))) {
		return nil
	}
	store := body[len(body)-1].Stores[0]
	if store.Buf != h || !q.walks(Operand{Kind: Load, Buf: h, At: store.At}, to) {
		return nil
	}
	return &Kernel{Name: "recurrence", Dst: h, Args: []*Buffer{x, b, h}, Reverse: q.Reverse,
		Along: []*ir.Axis{q.Axis}}
}

// stays reports whether an operand is a number in a buffer.
func stays(o Operand) bool {
	return o.Kind == Load && !o.Guard && len(o.Buf.Axes) == 0 && len(o.At) == 0
}

// walks reports whether an operand is the entry of a vector at the step of the sequence and off.
func (q *Sequence) walks(o Operand, off int) bool {
	if o.Kind != Load || o.Guard || o.Buf.Sparse || len(o.Buf.Axes) != 1 || len(o.At) != 1 ||
		o.Buf.Axes[0].Rows {
		return false
	}
	at := o.At[0]
	n, known := at.Off.Number()
	return at.Axis == q.Axis && at.From == nil && !at.Clamp && !at.Neg && known && n == off
}
