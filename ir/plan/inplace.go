package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// Counts that a chain carries change by one entry a step; copying them would cost more than the
// change. So a carried value whose next value is an add_at gets memory for one step only, where
// nothing reads it except its last value,
//
//	h[t + 1] = h[t] with c at i   →   h = h with c at i
//
// and an add_at is done in place, where nothing reads the old value later. Every other carried
// value of which only the last is read gets memory for one step too.

// rolls reports whether carried value k of a scan gets memory for one step only.
func (p *planner) rolls(r *recurrence, k int) bool {
	if r.solution != nil || r.reverse || k >= len(r.nexts) {
		return false
	}
	if slices.Contains(r.nexts, r.carries[k]) {
		return false
	}
	for _, o := range p.f.Outputs {
		if p.scan[o.Value] == r && o.Value.Part == k {
			return false
		}
	}
	for v, s := range p.scan {
		if s != r || v.Part != k {
			continue
		}
		for _, u := range p.users[v] {
			if u.Op != ir.OpAt || !u.Off.Equal(r.t.Size) || u.Over[0] != r.to {
				return false
			}
		}
	}
	return true
}

// inPlace finds add_at steps in sequences that may be done in place, and removes copies that this
// makes redundant.
func inPlace(steps []Step) {
	for _, s := range steps {
		if s.Sequence == nil {
			continue
		}
		q := s.Sequence
		inPlace(q.Steps)
		for i := len(q.Steps) - 1; i >= 0; i-- {
			if k := q.Steps[i].Kernel; k != nil && k.Name == "add_at" && changes(q.Steps, i) {
				k.Dst.Shares = k.Args[0]
			}
		}
		q.Steps = slices.DeleteFunc(q.Steps, func(s Step) bool {
			to, from := copied(s)
			return to != nil && to.memory() == from.memory()
		})
	}
}

// changes reports whether step i, an add_at, may be done in place. No later step may read the old
// value or write to its buffer, except for a copy of the result, and the next run of the steps must
// not expect the old value.
func changes(steps []Step, i int) bool {
	x, y := steps[i].Kernel.Args[0], steps[i].Kernel.Dst
	if x.Where != Temp || y.Where != Temp || x.Acc || y.Acc || y.Shares != nil ||
		!equal(x.Axes, y.Axes) {
		return false
	}
	back := false
	for _, s := range steps[i+1:] {
		reads, writes := s.touches(x)
		to, from := copied(s)
		if own := to == x && from.memory() == y.memory(); own {
			back = true
			continue
		}
		if back {
			if r, w := s.touches(y); r || w {
				return false
			}
		}
		if reads || writes {
			return false
		}
	}
	for _, s := range steps[:i] {
		if r, w := s.touches(y); r || w {
			return false
		}
	}
	if back {
		return true
	}
	for _, s := range steps[:i] { // written before it is read
		if reads, writes := s.touches(x); reads || writes {
			return !reads
		}
	}
	return false
}

// memory returns the buffer whose memory b uses.
func (b *Buffer) memory() *Buffer {
	for b != nil && b.Shares != nil {
		b = b.Shares
	}
	return b
}

// copied returns the buffers of a step that only copies one whole buffer to another; nil for other
// steps.
func copied(s Step) (to, from *Buffer) {
	if s.Loop == nil || len(s.Loop.Body) != 1 {
		return nil, nil
	}
	in := s.Loop.Body[0]
	if in.Op != nil || len(in.Stores) != 1 || in.Args[0].Kind != Load || in.Args[0].Guard ||
		len(in.Args[0].Buf.Axes) != len(s.Loop.Axes) {
		return nil, nil
	}
	at := in.Stores[0].At
	if at == nil {
		for _, a := range in.Stores[0].Buf.Axes {
			at = append(at, Index{Axis: a})
		}
	}
	for _, list := range [][]Index{in.Args[0].At, at} {
		for i, x := range list {
			if len(list) != len(s.Loop.Axes) || x.Axis != s.Loop.Axes[i] || x.From != nil ||
				len(x.Off.Terms) > 0 {
				return nil, nil
			}
		}
	}
	return in.Stores[0].Buf, in.Args[0].Buf
}

// touches reports whether a step reads or writes the memory of a buffer.
func (s Step) touches(b *Buffer) (reads, writes bool) {
	b = b.memory()
	s.visit(func(x *Buffer, written bool) {
		if x.memory() == b {
			reads, writes = reads || !written, writes || written
		}
	})
	return reads, writes
}
