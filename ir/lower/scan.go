package lower

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/types"
)

// scan lowers a recurrence. Its body is lowered along the axis of the steps, with leaves for the
// carried values. The start and the next value of a carry decide which further axes it has (those
// of plates around it) and whether it depends on the unknowns; the body is lowered again until
// these agree.
func (l *Model) scan(e *ast.Scan) tensor {
	b := l.B
	m := len(e.Carries)
	inits := make([]*ir.Value, m)
	own := make([][]*ir.Axis, m)
	shapes := l.carriedShapes(e)
	for k := range e.Carries {
		own[k] = l.axesOf(l.shape(shapes[k]))
		t := l.expr(e.Carries[k].Init)
		inits[k] = l.align(t, l.typeOf(e.Carries[k].Init), shapes[k], own[k])
	}
	var out []*ir.Value
	var to *ir.Axis
	l.in(&frame{}, func() tensor {
		outside := l.draw
		defer func() { l.draw = outside }()
		t := l.bind(&e.Bind) // draws of the body are made for every step
		to = b.Axis(t.Name, t.Size.Add(sizeNumber(1)))
		state := false
		beyond := make([][]*ir.Axis, m)
		for k, x := range inits {
			state = state || x.State()
			beyond[k] = ir.Without(x.Axes, own[k])
		}
		checks, ranges, around := len(l.checks), len(l.ranges), l.carries
		defer func() { l.carries = around }()
		for {
			l.checks, l.ranges = l.checks[:checks], l.ranges[:ranges]
			carries := make([]*ir.Value, m)
			for k := range e.Carries {
				axes := append(append([]*ir.Axis{t}, own[k]...), beyond[k]...)
				carries[k] = b.Carry(e.Carries[k].Name.Name, state, axes...)
				l.frame.values[l.Checked.Uses[&e.Carries[k].Name]] = tensor{v: carries[k],
					axes: own[k]}
			}
			l.carries = append(around[:len(around):len(around)], carries...)
			nexts, grown := l.nexts(e, own), false
			if mask := l.masks[t]; mask != nil {
				// Beyond the end of its row a carried value does not change.
				for k := range nexts {
					nexts[k] = b.Map(ir.OpSelect, mask, nexts[k], carries[k])
				}
			}
			for k, x := range nexts {
				if extra := ir.Without(x.Axes, carries[k].Axes); len(extra) > 0 {
					beyond[k] = append(beyond[k], extra...)
					grown = true
				}
				if x.State() && !state {
					state, grown = true, true
				}
			}
			if !grown {
				out = b.Scan(carries, inits, nexts, t, to, false)
				l.carries = around
				l.finishChecks(checks, carries,
					func(k int) *ir.Value { return b.Slice(out[k], to, t, zeroSize) })
				return tensor{}
			}
		}
	})
	result := tensor{}
	for k, v := range out {
		axes := append([]*ir.Axis{to}, own[k]...)
		result.parts = append(result.parts, tensor{v: v, axes: axes})
	}
	if m == 1 {
		return result.parts[0]
	}
	return result
}

// carriedShapes returns the shapes of the carried values, without the axis of steps.
func (l *Model) carriedShapes(e *ast.Scan) []types.Shape {
	t := l.Checked.Types[e]
	if t.Kind != types.Tuple {
		return []types.Shape{t.Shape[1:]}
	}
	var out []types.Shape
	for _, p := range t.Parts {
		out = append(out, p.Shape[1:])
	}
	return out
}

// nexts lowers the body and returns the next values. Each call binds the body's names anew.
func (l *Model) nexts(e *ast.Scan, own [][]*ir.Axis) []*ir.Value {
	t := l.in(&frame{}, func() tensor { return l.block(e.Body) })
	parts := t.parts
	if len(e.Carries) == 1 {
		parts = []tensor{t}
	}
	out := make([]*ir.Value, len(parts))
	for k, p := range parts {
		out[k] = l.onto(l.fresh(p), own[k]).v
	}
	return out
}
