package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// windows lowers conv2d and the pools: the entries under every window, followed by a sum of
// products with the weights or a reduction. Channels are the last axis, so that a row of a window
// is contiguous in memory.
func (l *Model) windows(e *ast.Call, c *check.Callee) tensor {
	b, w := l.B, c.Window
	x := l.expr(c.Args[0])
	shape := l.shape(l.typeOf(e))
	for _, n := range shape[1:] {
		l.checkWindow(e, n)
	}
	channel, rows, cols := x.axes[0], x.axes[1], x.axes[2]
	up, right := b.Axis(rows.Name, shape[1]), b.Axis(cols.Name, shape[2])
	if c.Builtin.Rule == builtin.Pool {
		i, j := b.Axis("i", sizeNumber(w.Len)), b.Axis("j", sizeNumber(w.Len))
		p := &pool{b: b, from: []*ir.Axis{rows, cols}, padding: w.Pad, stride: w.Stride}
		p.wide(b)
		p.order = []*ir.Axis{p.to[0], p.to[1], channel}
		p.over = []*ir.Axis{p.to[0], up, i, p.to[1], right, j}
		out := tensor{axes: []*ir.Axis{channel, up, right}}
		if c.Builtin.Name == "max_pool2d" {
			out.v = p.largest(x.v)
		} else {
			v := b.Window(b.Layout(p.pad(x.v, 0), p.order), p.over, w.Stride)
			out.v = b.Div(b.Sum(v, i, j), b.Num(float64(w.Len*w.Len)))
		}
		return out
	}
	p := &pool{b: b, from: []*ir.Axis{rows, cols}, padding: w.Pad}
	p.wide(b)
	x.v, rows, cols = p.pad(x.v, 0), p.to[0], p.to[1]
	weights := l.expr(c.Args[1])
	out, in, i, j := weights.axes[0], weights.axes[1], weights.axes[2], weights.axes[3]
	k := b.Rename(weights.v, in, channel)
	v, over := x.v, []*ir.Axis{channel, i, j}
	if n, ok := channel.Size.Number(); ok && n == 1 {
		// With one channel the order of axes does not matter.
		v, k, over = b.At(v, channel, zeroSize), b.At(k, channel, zeroSize), over[1:]
	} else {
		v = b.Layout(v, []*ir.Axis{rows, cols, channel})
	}
	k = b.Layout(k, []*ir.Axis{i, j, channel, out})
	v = b.Window(v, []*ir.Axis{rows, up, i, cols, right, j}, w.Stride)
	return tensor{v: b.Sum(b.Mul(v, k), over...), axes: []*ir.Axis{out, up, right}}
}

// A pool takes windows of a picture whose axes are from, with padding around, which makes them to.
type pool struct {
	b               *ir.Builder
	from, to        []*ir.Axis
	over, order     []*ir.Axis
	padding, stride int
}

// wide makes the axes of the padded picture.
func (p *pool) wide(b *ir.Builder) {
	p.to = p.from
	if p.padding == 0 {
		return
	}
	p.to = nil
	for _, a := range p.from {
		p.to = append(p.to, b.Axis(a.Name, a.Size.Add(size.Const(2*p.padding))))
	}
}

// pad puts a number around a picture.
func (p *pool) pad(x *ir.Value, with float64) *ir.Value {
	if p.padding == 0 {
		return x
	}
	b := p.b
	for i, a := range p.from {
		x = b.Pad(x, a, p.to[i], size.Const(p.padding))
	}
	if with == 0 {
		return x
	}
	for i, a := range p.from { // pad has 0 there
		at := b.Iota(p.to[i])
		first := b.Num(float64(p.padding))
		inside := b.Map(ir.OpAnd, b.Map(ir.OpLe, first, at),
			b.Map(ir.OpLt, at, b.Add(first, b.AxisSize(a))))
		x = b.Map(ir.OpSelect, inside, x, b.Num(with))
	}
	return x
}

// largest returns the largest entry of every window. Relu, and adding a value that is constant
// within a window, do not change which entry is largest. They are applied afterwards, to fewer
// numbers: max(relu(x + b)) = relu(max(x) + b), exactly, since rounding is monotone.
func (p *pool) largest(x *ir.Value) *ir.Value {
	b := p.b
	switch x.Op {
	case ir.OpRelu:
		return b.Map(ir.OpRelu, p.largest(x.Args[0]))
	case ir.OpAdd:
		for k, y := range x.Args {
			if rest := x.Args[1-k]; !y.Has(p.from[0]) && !y.Has(p.from[1]) &&
				ir.SameAxes(rest.Axes, x.Axes) {
				return b.Add(p.largest(rest), y)
			}
		}
	}
	return b.WindowMax(b.Layout(p.pad(x, math.Inf(-1)), p.order), p.over, p.stride)
}

// checkWindow adds a check that the number of windows is not negative, if the compiler cannot tell.
func (l *Model) checkWindow(e *ast.Call, n size.Poly) {
	if _, known := n.Number(); known {
		return
	}
	at := e.Span
	for f := l.frame; f != nil; f = f.up {
		if f.lib {
			at = f.site
		}
	}
	src := l.Checked.File.Source
	l.ranges = append(l.ranges, model.Range{Text: src.Text[at.Start:at.End],
		Place: src.Place(at.Start), Size: n})
}
