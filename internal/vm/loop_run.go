package vm

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// flatten reports whether every access runs through its buffer as the loop
// runs through its axes, so that all axes are one.
func (l *loop[T]) flatten() bool {
	if len(l.axes) < 2 {
		return false
	}
	full := make([]int, len(l.axes))
	step := 1
	for i := len(l.axes) - 1; i >= 0; i-- {
		full[i] = step
		if !l.axes[i].Rows {
			step *= l.f.size(l.axes[i].Size)
		} else if i > 0 {
			return false
		}
	}
	fits := func(a *access[T]) bool {
		if a.general {
			return false
		}
		all, none := true, true
		for i, s := range a.stride {
			all = all && s == full[i]
			none = none && s == 0
		}
		return all || none
	}
	for i := range l.body {
		in := &l.body[i]
		for k := range in.n {
			o := &in.args[k]
			if o.kind == plan.Iota || o.kind == plan.Load && !fits(&o.load) {
				return false
			}
		}
		for k := range in.stores {
			if !fits(&in.stores[k]) {
				return false
			}
		}
	}
	return true
}

func (l *loop[T]) run() {
	total := 1
	for i := range l.extent {
		l.length[i] = l.extent[i].now()
		total *= l.length[i]
	}
	if total == 0 {
		return
	}
	last := len(l.axes) - 1
	if l.flat || last < 0 {
		clear(l.index)
		l.strips(total)
		return
	}
	clear(l.index)
	for more := true; more; more = l.onward(last) {
		l.strips(l.length[last])
	}
}

// onward moves the index of the axes before the last; false when all have been gone through.
func (l *loop[T]) onward(last int) bool {
	for i := last - 1; i >= 0; i-- {
		l.index[i]++
		if l.index[i] < l.length[i] {
			return true
		}
		l.index[i] = 0
	}
	return false
}

// tiles runs the loop with strips of a long axis outermost, so that entries that are close in
// memory along the other axes are used together.
func (l *loop[T]) tiles() {
	last := len(l.axes) - 1
	total := 1
	for i := range l.extent {
		l.length[i] = l.extent[i].now()
		total *= l.length[i]
	}
	if total == 0 {
		return
	}
	clear(l.index)
	for start := 0; start < l.length[last]; start += strip {
		w := min(strip, l.length[last]-start)
		for more := true; more; more = l.onward(last) {
			for i := range l.body {
				l.step(&l.body[i], start, w)
			}
		}
	}
}

// strips runs the body along the inner axis at the outer index.
func (l *loop[T]) strips(n int) {
	for start := 0; start < n; start += strip {
		w := min(strip, n-start)
		for i := range l.body {
			l.step(&l.body[i], start, w)
		}
	}
}

func (l *loop[T]) step(in *instr[T], start, w int) {
	var x [4][]T
	for k := range in.n {
		x[k] = l.fetch(&in.args[k], start, w)
	}
	// The result is written directly to the first store that is contiguous.
	in.out = in.own[:w]
	direct := -1
	for k := range in.stores {
		if s := &in.stores[k]; s.mem != nil && (s.inner == 1 || w == 1) {
			base := l.base(s) + start*s.inner
			in.out = (*s.mem)[base : base+w]
			direct = k
			break
		}
	}
	switch {
	case in.op == nil:
		copy(in.out, x[0])
	case in.op.Class == ir.Random:
		for i := range in.out {
			var v [3]float64
			for k := range in.n {
				v[k] = float64(x[k][i])
			}
			in.out[i] = T(draw(l.f.source, in.op, v))
		}
	case in.when != plan.Always:
		in.some(x)
	case in.vector != nil:
		in.vector(in.out, x[0], x[1], x[2])
	default:
		for i := range in.out {
			var v [3]float64
			for k := range in.n {
				v[k] = float64(x[k][i])
			}
			in.out[i] = T(in.op.Eval(v))
		}
	}
	for k := range in.stores {
		if k != direct {
			s := &in.stores[k]
			base := l.base(s) + start*s.inner
			if s.mem != nil {
				strew((*s.mem)[base:], in.out, s.inner)
				continue
			}
			for i, v := range in.out {
				s.set(base+i*s.inner, v)
			}
		}
	}
}

// some computes the numbers of a strip that are needed.
func (in *instr[T]) some(x [4][]T) {
	cond := x[in.n-1]
	for i := range in.out {
		if (cond[i] != 0) != (in.when == plan.IfTrue) {
			in.out[i] = 0
			continue
		}
		var v [3]float64
		for k := range in.n - 1 {
			v[k] = float64(x[k][i])
		}
		in.out[i] = T(in.op.Eval(v))
	}
}
