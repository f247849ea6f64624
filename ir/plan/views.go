package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A step that does nothing but copy entries that lie one after another, such as all but the first
// along an axis, or the same entries under other names of axes, is left out. The copy becomes a
// view: a buffer in the memory of the other.
//
//	part[n, k] = seen[n + 1, k]   →   part lies in seen, from entry K on

// views makes views of copies that are written before rows or after them, once, of what is not
// written later.
func (p *Program) views() {
	type place struct {
		seg Segment
		at  int
	}
	wrote, shared := map[*Buffer][]place{}, map[*Buffer]bool{}
	for seg := range p.Steps {
		for at, s := range p.Steps[seg] {
			s.visit(func(b *Buffer, written bool) {
				if b.Shares != nil {
					shared[b], shared[b.memory()] = true, true
				}
				if written {
					wrote[b] = append(wrote[b], place{Segment(seg), at})
				}
			})
		}
	}
	for _, seg := range []Segment{Prepare, Finish} {
		at := -1
		p.Steps[seg] = slices.DeleteFunc(p.Steps[seg], func(s Step) bool {
			at++
			to, from, off := viewed(s)
			if to == nil || shared[to] || shared[from.memory()] || len(wrote[to]) != 1 ||
				len(wrote[from.memory()]) == 0 {
				return false
			}
			for _, w := range wrote[from.memory()] {
				if w.seg != seg || w.at >= at {
					return false
				}
			}
			to.Shares, to.Off = from, off
			return true
		})
	}
}

// viewed returns the buffers of a step that copies entries that lie one after another, and how many
// of the other buffer lie before these; nil for other steps.
func viewed(s Step) (to, from *Buffer, off size.Poly) {
	if s.Loop == nil || len(s.Loop.Body) != 1 || len(s.Loop.Axes) == 0 {
		return nil, nil, off
	}
	in, axes := s.Loop.Body[0], s.Loop.Axes
	if in.Op != nil || in.When != Always || len(in.Stores) != 1 || in.Args[0].Kind != Load ||
		in.Args[0].Guard {
		return nil, nil, off
	}
	to, from = in.Stores[0].Buf, in.Args[0].Buf
	if !temporary(to) || !temporary(from) || !whole(in.Stores[0], axes) {
		return nil, nil, off
	}
	at := in.Args[0].At
	first := len(at) - len(axes) // the entries before it are of one place
	if first < 0 {
		return nil, nil, off
	}
	for k, i := range at {
		if i.From != nil || i.Clamp || i.Neg || k < first && i.Axis != nil ||
			k >= first && i.Axis != axes[k-first] ||
			k > first && (len(i.Off.Terms) > 0 || !from.Axes[k].Size.Equal(i.Axis.Size)) {
			return nil, nil, off
		}
		step := i.Off
		for _, a := range from.Axes[k+1:] {
			step = step.Mul(a.Size)
		}
		off = off.Add(step)
	}
	return to, from, off
}

// temporary reports whether a buffer is an array in the workspace that no block of rows adds to or
// has a part of.
func temporary(b *Buffer) bool {
	return b.Where == Temp && !b.Acc && len(b.Axes) > 0 && !b.Sparse && !hasRows(b.Axes)
}

// whole reports whether a store in a loop over axes writes all of its buffer, in order.
func whole(s Store, axes []*ir.Axis) bool {
	if len(s.Buf.Axes) != len(axes) {
		return false
	}
	for k, a := range axes {
		if !s.Buf.Axes[k].Size.Equal(a.Size) {
			return false
		}
		if len(s.At) == 0 {
			if s.Buf.Axes[k] != a {
				return false
			}
		} else if i := s.At[k]; i.Axis != a || i.From != nil || i.Clamp || i.Neg ||
			len(i.Off.Terms) > 0 {
			return false
		}
	}
	return true
}

// Before is how many entries of its slot lie before a temporary.
func (b *Buffer) Before() size.Poly {
	var off size.Poly
	for ; b != nil; b = b.Shares {
		off = off.Add(b.Off)
	}
	return off
}
