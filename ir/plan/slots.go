package plan

import "slices"

// allocate gives every temporary a slot. A buffer that is written in Prepare and read later, or
// that blocks of rows add to, lives for the whole call. The others share slots of equal width
// within their segment, once the last reader of one has run.
func allocate(p *Program) {
	type life struct {
		seg         Segment
		first, last int
		whole       bool
	}
	lives := map[*Buffer]*life{}
	touch := func(b *Buffer, seg Segment, at int) {
		if b = b.memory(); b == nil || b.Where != Temp {
			return
		}
		l := lives[b]
		if l == nil {
			l = &life{seg: seg, first: at, whole: b.Acc}
			lives[b] = l
		}
		l.whole = l.whole || l.seg != seg
		l.last = at
	}
	for seg := range p.Steps {
		for at, s := range p.Steps[seg] {
			s.each(func(b *Buffer) { touch(b, Segment(seg), at) })
		}
	}
	slot := func(b *Buffer) int {
		p.Slots = append(p.Slots, Slot{Width: b.Width(), Rows: b.Rows()})
		return len(p.Slots) - 1
	}
	for seg := range p.Steps {
		var free []int
		ends := map[int][]*Buffer{}
		for at, s := range p.Steps[seg] {
			s.each(func(b *Buffer) {
				b = b.memory()
				l := lives[b]
				if b.Where != Temp || b.Slot >= 0 || l.seg != Segment(seg) {
					return
				}
				if l.whole {
					b.Slot = slot(b)
					return
				}
				rows, width := b.Rows(), b.Width()
				for i, f := range free {
					if p.Slots[f].Rows == rows && p.Slots[f].Width.Equal(width) {
						b.Slot = f
						free = append(free[:i], free[i+1:]...)
						break
					}
				}
				if b.Slot < 0 {
					b.Slot = slot(b)
				}
				ends[l.last] = append(ends[l.last], b)
			})
			// A step may not write to a slot that it reads, so slots are freed after it.
			for _, b := range ends[at] {
				free = append(free, b.Slot)
			}
		}
	}
	for _, b := range p.Buffers {
		b.Slot = b.memory().Slot
	}
}

// each calls f for every buffer that the step reads or writes.
func (s Step) each(f func(b *Buffer)) { s.visit(func(b *Buffer, _ bool) { f(b) }) }

// visit calls f for every buffer that the step reads or writes, and says whether it is written.
func (s Step) visit(f func(b *Buffer, written bool)) {
	if q := s.Sequence; q != nil {
		for _, t := range q.Steps {
			t.visit(f)
		}
		return
	}
	if o := s.Ode; o != nil {
		for _, t := range slices.Concat(o.Start, o.Slope) {
			t.visit(f)
		}
		o.Each(func(b *Buffer, read bool) { f(b, !read) })
		return
	}
	read := func(b *Buffer) { f(b, false) }
	if k := s.Kernel; k != nil {
		for _, a := range k.Args {
			read(a)
		}
		f(k.Dst, true)
		return
	}
	for _, in := range s.Loop.Body {
		for _, o := range in.Args {
			o.each(read)
		}
		for _, st := range in.Stores {
			for _, i := range st.At {
				if i.From != nil {
					i.From.each(read)
				}
			}
			f(st.Buf, true)
		}
	}
}

func (o Operand) each(f func(b *Buffer)) {
	if o.Kind != Load {
		return
	}
	f(o.Buf)
	for _, i := range o.At {
		if i.From != nil {
			i.From.each(f)
		}
	}
}
