package vm

import (
	"math"

	"github.com/sgppl/sgppl/ir/plan"
)

// get reads a number, rounded to the precision of the loop.
func (a *access[T]) get(i int) T {
	switch {
	case a.mem != nil:
		return (*a.mem)[i]
	case a.a.narrow:
		return T(a.a.single[i])
	}
	return T(a.a.data[i])
}

// set writes a number, rounded to the precision of the array.
func (a *access[T]) set(i int, v T) {
	switch {
	case a.mem != nil:
		(*a.mem)[i] = v
	case a.a.narrow:
		a.a.single[i] = float32(v)
	default:
		a.a.data[i] = float64(v)
	}
}

// base is the offset at the outer index.
func (l *loop[T]) base(a *access[T]) int {
	base := a.offset
	for i, now := range a.now {
		base += *now * a.step[i]
	}
	if !l.flat {
		for i := range len(a.stride) - 1 {
			base += l.index[i] * a.stride[i]
		}
	}
	return base
}

func (l *loop[T]) fetch(o *operand[T], start, w int) []T {
	switch o.kind {
	case plan.Local:
		return l.body[o.local].out
	case plan.Const, plan.Size:
		return o.ready[:w]
	case plan.Scalar:
		x := T(l.f.frame.Scale)
		if o.name == "jacobian" {
			x = T(l.f.frame.Jacobian)
		}
		if o.ready[0] != x {
			for i := range o.ready {
				o.ready[i] = x
			}
		}
		return o.ready[:w]
	case plan.Iota:
		t := o.temp[:w]
		for i := range t {
			if o.axis < 0 {
				t[i] = T(*o.now)
			} else if o.axis == len(l.axes)-1 {
				t[i] = T(start + i)
			} else {
				t[i] = T(l.index[o.axis])
			}
		}
		return t
	}
	return l.load(o, start, w)
}

func (l *loop[T]) load(o *operand[T], start, w int) []T {
	a := &o.load
	if a.general {
		return l.loadGeneral(o, start, w)
	}
	base := l.base(a)
	inner := a.inner
	switch {
	case inner == 1 && a.mem != nil:
		return (*a.mem)[base+start : base+start+w]
	case inner == 0:
		t := o.temp[:w]
		fill(t, a.get(base))
		return t
	}
	t := o.temp[:w]
	if a.mem != nil {
		gather(t, (*a.mem)[base+start*inner:], inner)
		return t
	}
	for i := range t {
		t[i] = a.get(base + (start+i)*inner)
	}
	return t
}

// loadGeneral reads entry by entry: gathers, and reads beyond the ends.
// fill writes x to all entries.
func fill[T float](t []T, x T) {
	const some = 16
	head := t[:min(some, len(t))]
	for i := range head {
		head[i] = x
	}
	for n := some; n < len(t); n *= 2 { // by copies, which are faster than single entries
		copy(t[n:], t[:n])
	}
}

// gather writes every step-th number of a list to t.
func gather[T float](t, from []T, step int) {
	at := 0
	for ; len(t) >= 4; t = t[4:] {
		t[0], t[1], t[2], t[3] = from[at], from[at+step], from[at+2*step], from[at+3*step]
		at += 4 * step
	}
	for i := range t {
		t[i] = from[at]
		at += step
	}
}

// strew writes numbers to every step-th entry of a list.
func strew[T float](to, x []T, step int) {
	at := 0
	for ; len(x) >= 4; x = x[4:] {
		to[at], to[at+step], to[at+2*step], to[at+3*step] = x[0], x[1], x[2], x[3]
		at += 4 * step
	}
	for _, v := range x {
		to[at] = v
		at += step
	}
}

func (l *loop[T]) loadGeneral(o *operand[T], start, w int) []T {
	a := &o.load
	t := o.temp[:w]
	last := len(l.axes) - 1
	from := a.from
	for k := range a.at {
		if p := &a.at[k]; p.from != nil {
			from[k] = l.fetch(p.from, start, w)
		}
	}
	if base, inner, outside, simple := l.affine(a, start, w); simple {
		switch {
		case outside:
			clear(t)
		case a.mem != nil:
			gather(t, (*a.mem)[base:], inner)
		default:
			for i := range t {
				t[i] = a.get(base + i*inner)
			}
		}
		return t
	}
	for i := range t {
		offset, outside := 0, false
		for k := range a.at {
			p := &a.at[k]
			at := p.off
			switch {
			case p.from != nil:
				at = int(math.RoundToEven(float64(from[k][i])))
			case p.axis == last && p.axis >= 0:
				at += start + i
			case p.axis >= 0:
				at += l.index[p.axis]
			case p.now != nil:
				at += *p.now
			}
			if p.clamp {
				at = max(0, min(at, p.size-1))
			}
			if a.guard && (at < 0 || at >= p.size) && !a.a.buf.Axes[k].Rows {
				outside = true
			}
			offset += at * p.step
		}
		if outside {
			t[i] = 0
		} else {
			t[i] = a.get(offset)
		}
	}
	return t
}

// affine finds where a general access reads whose guards and clamps are the same all along a
// strip: from base on, with a stride; or outside of its array.
func (l *loop[T]) affine(a *access[T], start, w int) (base, inner int, outside, simple bool) {
	last := len(l.axes) - 1
	for k := range a.at {
		p := &a.at[k]
		at := p.off
		switch {
		case p.from != nil:
			return 0, 0, false, false
		case p.axis == last && p.axis >= 0:
			at += start
			within := at >= 0 && at+w <= p.size
			if guarded := a.guard && !a.a.buf.Axes[k].Rows; !within && (guarded || p.clamp) {
				return 0, 0, false, false
			}
			inner += p.step
		case p.axis >= 0:
			at += l.index[p.axis]
		case p.now != nil:
			at += *p.now
		}
		if p.clamp {
			at = max(0, min(at, p.size-1))
		}
		if a.guard && (at < 0 || at >= p.size) && !a.a.buf.Axes[k].Rows {
			outside = true
		}
		base += at * p.step
	}
	return base, inner, outside, true
}
