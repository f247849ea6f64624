package vm

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/math/ode"
)

// ode solves a problem for every entry of the batch axes.
func (f *function) ode(o *plan.Ode) func() {
	now := make([]*int, len(o.Batch))
	for i, a := range o.Batch {
		now[i] = new(int)
		f.now[a] = now[i]
	}
	start, steps := f.ready(o.Start), f.ready(o.Slope)
	for _, a := range o.Batch {
		delete(f.now, a)
	}
	at := func(b *plan.Buffer) *array { return f.buffers[b.ID] }
	n, _ := f.count([]*ir.Axis{o.N})
	times, _ := f.count([]*ir.Axis{o.Times})
	s := &ode.Solver{Options: ode.Options{Stiff: o.Stiff, Rtol: o.Rtol, Atol: o.Atol,
		MaxSteps: o.MaxSteps}}
	for _, k := range o.Blocks {
		w, _ := f.count(k.Columns)
		s.Blocks = append(s.Blocks, ode.Block{Len: w})
	}
	time, point := at(o.Time), at(o.Point)
	slope := func(t float64, z []float64) {
		time.data[0] = t
		copy(point.data, z)
		for _, step := range steps {
			step()
		}
	}
	// entry is the part of an output that belongs to the problem at hand.
	entry := func(a *array, width int) []float64 {
		offset := 0
		for i, axis := range a.buf.Axes[:len(o.Batch)] {
			for k, b := range o.Batch {
				if b == axis {
					offset += *now[k] * a.stride[i]
				}
			}
		}
		return a.data[offset : offset+width]
	}
	solve := func() {
		for _, step := range start {
			step()
		}
		s.F = at(o.F).data[:n]
		if o.Jacobian != nil {
			s.Jacobian = at(o.Jacobian).data[:n*n]
		}
		for i, k := range o.Blocks {
			b := &s.Blocks[i]
			b.Out = entry(at(k.Out), times*n*b.Len)
			if k.Forcing != nil {
				b.Forcing = at(k.Forcing).data[:n*b.Len]
			}
		}
		s.Solve(slope, at(o.Z0).data[:n], at(o.T0).data[0], at(o.Ts).data[:times],
			entry(at(o.Out), times*n))
	}
	var batch []extent
	for _, a := range o.Batch {
		batch = append(batch, f.extent(a))
	}
	return func() { entriesOf(batch, now, solve) }
}

// entriesOf calls do for every combination of indices.
func entriesOf(axes []extent, now []*int, do func()) {
	if len(axes) == 0 {
		do()
		return
	}
	for i := range axes[0].now() {
		*now[0] = i
		entriesOf(axes[1:], now[1:], do)
	}
}
