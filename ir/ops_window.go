package ir

import "fmt"

// Ops of this file: windows that slide along axes. Over lists three axes for
// each direction: the source s, the position p of the window and the place i
// in it; entry (p, i) is entry Stride·p + i of s. What no window covers is not
// read. A convolution is Σ of windows times weights, a contraction; pooling is
// a reduction over i.
var OpWindow, OpWindowAdd, OpWindowMax, OpWindowMaxAdd *Op

func init() {
	OpWindow = row(Op{Name: "window", Class: Structured, Arity: 1,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Window(args[0], v.Over, v.Stride)
		},
		Shape:     verifyWindow,
		Reference: (*evaluator).window,
		Doc: "Over = s, p, i …: entry Stride·p + i of s along the new axes p and i, in " +
			"each direction",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.WindowAdd(cot, v.Over, v.Stride)}
		}})
	OpWindowAdd = row(Op{Name: "window_add", Class: Structured, Arity: 1,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.WindowAdd(args[0], v.Over, v.Stride)
		},
		Shape:     verifyWindow,
		Reference: (*evaluator).window,
		Doc: "Over = s, p, i …: at entry e of the new axes s, the sum of the entries with " +
			"Stride·p + i = e, by p and then by i",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Window(cot, v.Over, v.Stride)}
		}})
	OpWindowMax = row(Op{Name: "window_max", Class: Structured, Arity: 1,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.WindowMax(args[0], v.Over, v.Stride)
		},
		Shape:     verifyWindow,
		Reference: (*evaluator).window,
		Doc: "Over = s, p, i …: the largest of what the window at p has, along the new " +
			"axes p; equal ones share its cotangent",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.WindowMaxAdd(v.Args[0], v, cot, v.Over, v.Stride)}
		}})
	OpWindowMaxAdd = row(Op{Name: "window_max_add", Class: Structured, Arity: 3,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.WindowMaxAdd(args[0], args[1], args[2], v.Over, v.Stride)
		},
		Shape:     verifyWindow,
		Reference: (*evaluator).window,
		Doc: "args x, m, c: at an entry of x, the sum of c / (how many entries are m) over " +
			"the windows that have it as their m, by p and then by i",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			_, _, places := WindowAxes(v)
			hit := b.Map(OpEq, b.Window(v.Args[0], v.Over, v.Stride), v.Args[1])
			q := b.Div(b.Sum(b.Mul(hit, b.Window(cot, v.Over, v.Stride)), places...),
				b.Sum(hit, places...))
			return []*Value{nil, nil, q}
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
	return b.Make(Value{Op: OpWindow, Args: []*Value{x}, Over: over, Stride: stride,
		Axes: windowAxes(x.Axes, over)})
}

// WindowAdd is the adjoint of Window.
func (b *Builder) WindowAdd(x *Value, over []*Axis, stride int) *Value {
	x = b.Spread(x, append(sourcesOf(over, 1), sourcesOf(over, 2)...)...)
	return b.Make(Value{Op: OpWindowAdd, Args: []*Value{x}, Over: over, Stride: stride,
		Axes: coveredAxes(x.Axes, over)})
}

// WindowMax is the largest entry of every window: of a picture, a pool.
func (b *Builder) WindowMax(x *Value, over []*Axis, stride int) *Value {
	x = b.Spread(x, sourcesOf(over, 0)...)
	axes := without(windowAxes(x.Axes, over), sourcesOf(over, 2))
	return b.Make(Value{Op: OpWindowMax, Args: []*Value{x}, Over: over, Stride: stride, Axes: axes})
}

// WindowMaxAdd is the cotangent of x, where m, the largest entries of its windows, have the
// cotangent cot.
func (b *Builder) WindowMaxAdd(x, m, cot *Value, over []*Axis, stride int) *Value {
	sources, positions, _ := sourcesOf(over, 0), sourcesOf(over, 1), sourcesOf(over, 2)
	batch := without(union(x.Axes, cot.Axes), append(sources, positions...))
	x = b.Spread(x, append(sources, batch...)...)
	m, cot = b.Spread(m, append(positions, batch...)...),
		b.Spread(cot, append(positions, batch...)...)
	return b.Make(Value{Op: OpWindowMaxAdd, Args: []*Value{x, m, cot}, Over: over, Stride: stride,
		Axes: x.Axes})
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

// windowed ops have windows, a Stride from one to the next.
func windowed(op *Op) bool {
	return op == OpWindow || op == OpWindowAdd || op == OpWindowMax || op == OpWindowMaxAdd
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

// verifyWindow is the shape rule of these ops.
func verifyWindow(v *Value, all []*Axis) ([]*Axis, error) {
	if len(v.Over) == 0 || len(v.Over)%3 != 0 || v.Stride < 1 {
		return nil, fmt.Errorf("needs a stride, and a source, a position and a place for each direction")
	}
	in, out := sourcesOf(v.Over, 0), append(sourcesOf(v.Over, 1), sourcesOf(v.Over, 2)...)
	switch v.Op {
	case OpWindowAdd:
		in, out = out, in
	case OpWindowMax:
		out = sourcesOf(v.Over, 1)
	case OpWindowMaxAdd:
		// The sources stay, and the positions go, which the other arguments have.
		in, out = sourcesOf(v.Over, 1), nil
		if missing := without(in, union(v.Args[1].Axes, v.Args[2].Axes)); len(missing) > 0 {
			return nil, fmt.Errorf("works along %s, which the largest entries lack",
				axesText(missing))
		}
		if missing := without(sourcesOf(v.Over, 0), v.Args[0].Axes); len(missing) > 0 {
			return nil, fmt.Errorf("works along %s, which the windows' argument lacks",
				axesText(missing))
		}
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

// window is the reference semantics of these ops.
func (e *evaluator) window(v *Value, args []Array) Array {
	x := args[0]
	source := func(at index, in index) bool {
		inside := true
		for k := 0; k < len(v.Over); k += 3 {
			s := v.Stride*at[v.Over[k+1]] + at[v.Over[k+2]]
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
	places := sourcesOf(v.Over, 2)
	if v.Op == OpWindowMax {
		return e.fill(v.Axes, func(at index) float64 {
			most, first := 0.0, true
			e.within(places, at, func(at index) {
				in := copyIndex(at)
				source(at, in)
				if y := x.get(in); first || y > most || y != y {
					most, first = y, false
				}
			})
			return most
		})
	}
	out := e.make(v.Axes)
	add := func(at index, y func(in index) float64) {
		in := copyIndex(at)
		if !source(at, in) {
			panic("ir: a window beyond its source")
		}
		offset := 0
		for i, axis := range out.Axes {
			offset = offset*out.Dims[i] + in[axis]
		}
		out.Data[offset] += y(in)
	}
	if v.Op == OpWindowAdd {
		e.each(x.Axes, func(at index) { add(at, func(index) float64 { return x.get(at) }) })
		return out
	}
	most, cot := args[1], args[2]
	e.each(union(without(v.Axes, sourcesOf(v.Over, 0)), sourcesOf(v.Over, 1)), func(at index) {
		hit := func(in index) float64 {
			if x.get(in) == most.get(at) {
				return 1
			}
			return 0
		}
		ties := 0.0
		e.within(places, at, func(at index) {
			in := copyIndex(at)
			source(at, in)
			ties += hit(in)
		})
		q := cot.get(at) / ties
		e.within(places, at, func(at index) {
			add(at, func(in index) float64 { return hit(in) * q })
		})
	})
	return out
}

// within calls f with every index along the axes other than those of at.
func (e *evaluator) within(axes []*Axis, at index, f func(at index)) {
	if len(axes) == 0 {
		f(at)
		return
	}
	in := copyIndex(at)
	for i := range e.length(axes[0]) {
		in[axes[0]] = i
		e.within(axes[1:], in, f)
	}
}
