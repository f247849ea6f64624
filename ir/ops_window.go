package ir

import "fmt"

// Ops of this file: windows that slide along axes. Over lists three axes for
// each direction: the source s, the position p of the window and the place i
// in it; entry (p, i) is entry Part·p + i of s. What no window covers is not
// read. A convolution is Σ of windows times weights, a contraction; pooling is
// a reduction over i.
var OpWindow, OpWindowAdd *Op

func init() {
	OpWindow = row(Op{Name: "window", Class: Structured, Arity: 1,
		Doc: "Over = s, p, i …: entry Part·p + i of s along the new axes p and i, in each direction",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.WindowAdd(cot, v.Over, v.Part)}
		}})
	OpWindowAdd = row(Op{Name: "window_add", Class: Structured, Arity: 1,
		Doc: "Over = s, p, i …: at entry e of the new axes s, the sum of the entries with Part·p + i = e, by p and then by i",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Window(cot, v.Over, v.Part)}
		}})
}

// Window reads x through windows, along three axes s, p, i for each direction.
func (b *Builder) Window(x *Value, over []*Axis, stride int) *Value {
	if x.Op == OpIota && x.Has(over[0]) && len(over) == 3 {
		return b.Add(b.Mul(b.Num(float64(stride)), b.Iota(over[1])), b.Iota(over[2]))
	}
	over = triples(over, func(s, p, i *Axis) bool { return x.Has(s) })
	if len(over) == 0 {
		return x
	}
	return b.Make(Value{Op: OpWindow, Args: []*Value{x}, Over: over, Part: stride, Axes: windowAxes(x.Axes, over)})
}

// WindowAdd is the adjoint of Window.
func (b *Builder) WindowAdd(x *Value, over []*Axis, stride int) *Value {
	x = b.Spread(x, append(sourcesOf(over, 1), sourcesOf(over, 2)...)...)
	return b.Make(Value{Op: OpWindowAdd, Args: []*Value{x}, Over: over, Part: stride, Axes: coveredAxes(x.Axes, over)})
}

// windowAxes puts the positions where the sources are and the places in the
// windows after the last of them: [n, A, B, c] → [n, A', B', i, j, c].
func windowAxes(axes, over []*Axis) []*Axis {
	var out []*Axis
	left := len(over) / 3
	for _, a := range axes {
		k := indexOf(sourcesOf(over, 0), a)
		if k < 0 {
			out = append(out, a)
			continue
		}
		out = append(out, over[3*k+1])
		if left--; left == 0 {
			out = append(out, sourcesOf(over, 2)...)
		}
	}
	return out
}

// coveredAxes is the reverse: [n, A', B', i, j, c] → [n, A, B, c].
func coveredAxes(axes, over []*Axis) []*Axis {
	var out []*Axis
	for _, a := range without(axes, sourcesOf(over, 2)) {
		if k := indexOf(sourcesOf(over, 1), a); k >= 0 {
			a = over[3*k]
		}
		out = append(out, a)
	}
	return out
}

// WindowAxes splits Over of an op of windows.
func WindowAxes(v *Value) (sources, positions, places []*Axis) {
	return sourcesOf(v.Over, 0), sourcesOf(v.Over, 1), sourcesOf(v.Over, 2)
}

func sourcesOf(over []*Axis, which int) []*Axis {
	var out []*Axis
	for k := which; k < len(over); k += 3 {
		out = append(out, over[k])
	}
	return out
}

func triples(over []*Axis, keep func(s, p, i *Axis) bool) []*Axis {
	var out []*Axis
	for k := 0; k < len(over); k += 3 {
		if keep(over[k], over[k+1], over[k+2]) {
			out = append(out, over[k:k+3]...)
		}
	}
	return out
}

// verifyWindow is the shape rule of both ops.
func verifyWindow(v *Value, all []*Axis) ([]*Axis, error) {
	if len(v.Over) == 0 || len(v.Over)%3 != 0 || v.Part < 1 {
		return nil, fmt.Errorf("needs a stride, and a source, a position and a place for each direction")
	}
	in, out := sourcesOf(v.Over, 0), append(sourcesOf(v.Over, 1), sourcesOf(v.Over, 2)...)
	if v.Op == OpWindowAdd {
		in, out = out, in
	}
	if missing := without(in, all); len(missing) > 0 {
		return nil, fmt.Errorf("works along %s, which no argument has", axesText(missing))
	}
	if len(without(out, all)) < len(out) {
		return nil, fmt.Errorf("makes an axis that its argument has")
	}
	for _, a := range v.Over {
		if a.Rows {
			return nil, fmt.Errorf("works along the rows")
		}
	}
	return append(without(all, in), out...), nil
}

// window is the reference semantics of both ops.
func (e *evaluator) window(v *Value, x Array) Array {
	source := func(at index, in index) bool {
		inside := true
		for k := 0; k < len(v.Over); k += 3 {
			s := v.Part*at[v.Over[k+1]] + at[v.Over[k+2]]
			in[v.Over[k]] = s
			inside = inside && s < e.length(v.Over[k])
		}
		return inside
	}
	if v.Op == OpWindow {
		return e.fill(v.Axes, func(at index) float64 {
			in := copyIndex(at)
			source(at, in)
			return x.get(in)
		})
	}
	out := e.make(v.Axes)
	e.each(x.Axes, func(at index) {
		in := copyIndex(at)
		if !source(at, in) {
			panic("ir: a window beyond its source")
		}
		offset := 0
		for i, axis := range out.Axes {
			offset = offset*out.Dims[i] + in[axis]
		}
		out.Data[offset] += x.get(at)
	})
	return out
}
