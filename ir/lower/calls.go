package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
)

// call lowers a call to the callee that the checker resolved.
func (l *Model) call(e *ast.Call) tensor {
	c := l.Checked.Callees[e]
	switch {
	case c == nil:
		if p, ok := l.Checked.Sizes[e]; ok { // the length of a row, T(s)
			return number(l.length(p))
		}
		panic("lower: a call that means nothing")
	case c.Builtin != nil:
		return l.builtin(e, c)
	case c.Dist != nil:
		return l.distCall(e, c)
	case c.Layer != nil:
		return l.applyLayer(e, c)
	}
	return l.apply(e, c)
}

// maxExpansions is the largest number of function calls that a model may expand to.
const maxExpansions = 10000

// apply expands a function at its call.
func (l *Model) apply(e *ast.Call, c *check.Callee) tensor {
	if l.expanded++; l.expanded > maxExpansions {
		l.Fail(limits.TooLarge, e.Span,
			"more than %d calls of functions are expanded: functions that call others twice grow "+
				"exponentially", maxExpansions)
	}
	fr := &frame{values: map[*check.Symbol]tensor{}, site: e.Span,
		lib: c.Fn.Symbol.File != l.Checked.File.Source}
	args, axes := l.arguments(c, c.Args)
	for i, p := range c.Fn.Params {
		fr.values[p] = args[i]
	}
	fr.sizes, fr.along = l.resolved(c.Sizes), axes
	out := l.in(fr, func() tensor { return l.block(c.Fn.Decl.Body) })
	if c.Elementwise {
		return l.spread(out, axes)
	}
	return out
}

// spread adds the axes that a function of single numbers was applied along to the axes of its
// result.
func (l *Model) spread(t tensor, axes []*ir.Axis) tensor {
	if len(t.parts) > 0 {
		for i := range t.parts {
			t.parts[i] = l.spread(t.parts[i], axes)
		}
		return t
	}
	return tensor{v: t.v, axes: axes}
}

// resolved gives the size variables of a signature in dims of the file. The length of a ragged row
// refers to the row at the place of the call, even where the body binds the same names.
func (l *Model) resolved(sizes map[string]types.Size) map[string]types.Size {
	out := map[string]types.Size{}
	for name, p := range sizes {
		out[name] = l.settled(l.own(p))
	}
	return out
}

// arguments lowers arguments in the caller's frame. For a function of single numbers, applied entry
// by entry, they are aligned to the shape of the call, whose axes are returned.
func (l *Model) arguments(c *check.Callee, exprs []ast.Expr) ([]tensor, []*ir.Axis) {
	out := make([]tensor, len(exprs))
	if !c.Elementwise {
		for i, a := range exprs {
			out[i] = l.expr(a)
		}
		return out, nil
	}
	t := l.elementwise(c.Shape, exprs, func(x []*ir.Value) *ir.Value {
		for i, v := range x {
			out[i] = number(v)
		}
		return nil
	})
	return out, t.axes
}

// builtin lowers a function of the table.
func (l *Model) builtin(e *ast.Call, c *check.Callee) tensor {
	f := c.Builtin
	switch f.Class {
	case builtin.Reduction:
		if c.Elementwise && len(c.Args) == 2 || len(c.Args) == 2 {
			return l.elementwise(c.Shape, c.Args,
				func(x []*ir.Value) *ir.Value { return l.B.Map(extremes[f.Name], x...) })
		}
		return l.reduction(f.Name, c)
	case builtin.Elementwise:
		return l.elementwise(c.Shape, c.Args,
			func(x []*ir.Value) *ir.Value { return l.numbers(e, f, x) })
	case builtin.Generator:
		return l.generator(e, f, c)
	}
	if f.Rule == builtin.Ode {
		return l.ode(e, c)
	}
	if f.Rule == builtin.Gp {
		return l.gp(e, c)
	}
	if f.Rule == builtin.Conv || f.Rule == builtin.Pool {
		return l.windows(e, c)
	}
	if rule, ok := arrayRules[f.Name]; ok {
		var x []tensor
		if f.Rule != builtin.Fill && f.Rule != builtin.Identity {
			for _, a := range c.Args {
				x = append(x, l.expr(a))
			}
		}
		l.padArguments(e, c, f.Name, x)
		return rule(l, x, l.shape(l.typeOf(e)))
	}
	if f.Rule == builtin.Reshape {
		return l.reshape(e, l.expr(c.Args[0]), l.axesOf(l.shape(l.typeOf(e))))
	}
	l.Fail(limits.NotLowered, e.Span, "%s cannot be compiled yet", f.Name)
	return tensor{}
}

// padWith has, for functions of arrays that sum over their arguments, the number that padding is
// replaced by. Functions not listed work entry by entry, or do not accept ragged arguments.
var padWith = map[string]float64{"dot": 0, "norm": 0, "normalize": 0, "quad_form": 0,
	"softmax":     math.Inf(-1),
	"log_softmax": math.Inf(-1)}

// byEntry lists the functions of arrays that may compute results for padding, which nothing reads.
var byEntry = map[string]bool{"cumsum": true, "outer": true, "zeros": true, "ones": true,
	"transpose": true, "diag": true}

// padArguments fills the padding of ragged arguments.
func (l *Model) padArguments(e *ast.Call, c *check.Callee, name string, x []tensor) {
	for i := range x {
		shape := l.typeOf(c.Args[i])
		ragged := false
		for _, p := range shape {
			ragged = ragged || l.isRagged(p)
		}
		with, ok := padWith[name]
		switch {
		case !ragged || byEntry[name]:
		case !ok:
			l.Fail(limits.RaggedNotLowered, e.Span,
				"%s of an array of a row's own length cannot be compiled yet", name)
		default:
			x[i] = l.padArray(x[i], shape, with)
		}
	}
}

var extremes = map[string]*ir.Op{"min": ir.OpMin, "max": ir.OpMax}

// composites has the functions of numbers that are written as several ops.
var composites = map[string]func(b *ir.Builder, x []*ir.Value) *ir.Value{
	"log1m": func(b *ir.Builder, x []*ir.Value) *ir.Value {
		return b.Map(ir.OpLog1p, b.Neg(x[0]))
	},
	"square": func(b *ir.Builder, x []*ir.Value) *ir.Value { return b.Mul(x[0], x[0]) },
	"gelu": func(b *ir.Builder, x []*ir.Value) *ir.Value {
		return b.Mul(x[0], b.Map(ir.OpNormalCDF, x[0]))
	},
}

func (l *Model) numbers(e *ast.Call, f *builtin.Func, x []*ir.Value) *ir.Value {
	if f.Name == "dropout" {
		return l.dropout(e, x[0], x[1])
	}
	if rule, ok := composites[f.Name]; ok {
		return rule(l.B, x)
	}
	op, ok := ir.Lookup(f.Op)
	if !ok || op.Class != ir.Map {
		l.Fail(limits.NotLowered, e.Span, "%s cannot be compiled yet", f.Name)
	}
	return l.B.Map(op, x...)
}

// reduction is sum(a) over all axes of a, or sum(e for i in I) over the bound indices.
func (l *Model) reduction(name string, c *check.Callee) tensor {
	if c.Comp != nil {
		v, bound, inner := l.over(c.Comp)
		var masks []*ir.Value
		for _, a := range bound {
			if m := l.masks[a]; m != nil {
				masks = append(masks, m)
			}
		}
		return tensor{v: l.reduceRagged(name, v, bound, masks), axes: inner}
	}
	t, shape := l.expr(c.Args[0]), l.typeOf(c.Args[0])
	var masks []*ir.Value
	for i, a := range t.axes {
		if m := l.inside(a, shape[i], shape, t.axes); m != nil {
			masks = append(masks, m)
		}
	}
	return number(l.reduceRagged(name, t.v, t.axes, masks))
}

// reduceRagged is reduce without the entries that masks mark as padding.
func (l *Model) reduceRagged(
	name string, v *ir.Value, over []*ir.Axis, masks []*ir.Value,
) *ir.Value {
	if len(masks) == 0 {
		return l.reduce(name, v, over)
	}
	b := l.B
	fill := func(v *ir.Value) *ir.Value {
		for _, m := range masks {
			v = b.Map(ir.OpSelect, m, v, b.Num(neutral[name]))
		}
		return v
	}
	total := func(v *ir.Value) *ir.Value { return b.Sum(fill(v), over...) }
	n := l.counted(over, masks)
	switch name {
	case "mean":
		return b.Div(total(v), n)
	case "sd", "variance":
		c := b.Sub(v, b.Div(total(v), n))
		variance := b.Div(total(b.Mul(c, c)), b.Sub(n, b.Num(1)))
		if name == "sd" {
			return b.Map(ir.OpSqrt, variance)
		}
		return variance
	}
	return l.reduce(name, fill(v), over)
}

func (l *Model) reduce(name string, v *ir.Value, over []*ir.Axis) *ir.Value {
	b := l.B
	count := func() *ir.Value {
		n := b.Num(1)
		for _, a := range over {
			n = b.Mul(n, b.AxisSize(a))
		}
		return n
	}
	each := func(op *ir.Op) *ir.Value {
		for _, a := range over {
			v = b.Reduce(op, v, a)
		}
		return v
	}
	switch name {
	case "sum":
		return b.Sum(v, over...)
	case "mean":
		return b.Div(b.Sum(v, over...), count())
	case "prod":
		return each(ir.OpProd)
	case "min":
		return each(ir.OpReduceMin)
	case "max":
		return each(ir.OpReduceMax)
	case "any":
		return b.Map(ir.OpGt, b.Sum(v, over...), b.Num(0))
	case "all":
		return b.Map(ir.OpEq, b.Sum(b.Map(ir.OpNot, v), over...), b.Num(0))
	case "log_sum_exp":
		return each(ir.OpLogSumExp)
	}
	// sd, variance
	centred := b.Sub(v, b.Div(b.Sum(v, over...), count()))
	variance := b.Div(b.Sum(b.Mul(centred, centred), over...), b.Sub(count(), b.Num(1)))
	if name == "sd" {
		return b.Map(ir.OpSqrt, variance)
	}
	return variance
}

// arrayRules has the lowering of the array functions. A function that is missing here is reported.
var arrayRules = map[string]func(l *Model, args []tensor, shape types.Shape) tensor{
	"dot": func(l *Model, args []tensor, shape types.Shape) tensor {
		return l.matmul(args[0], args[1])
	},
	"outer": func(l *Model, args []tensor, shape types.Shape) tensor {
		return tensor{v: l.B.Mul(args[0].v, args[1].v),
			axes: []*ir.Axis{args[0].axes[0], args[1].axes[0]}}
	},
	"norm": func(l *Model, args []tensor, shape types.Shape) tensor {
		x := args[0]
		return number(l.B.Map(ir.OpSqrt, l.B.Sum(l.B.Mul(x.v, x.v), x.axes[0])))
	},
	"normalize": func(l *Model, args []tensor, shape types.Shape) tensor {
		x := args[0]
		norm := l.B.Map(ir.OpSqrt, l.B.Sum(l.B.Mul(x.v, x.v), x.axes[0]))
		return tensor{v: l.B.Div(x.v, norm), axes: x.axes}
	},
	"softmax": func(l *Model, args []tensor, shape types.Shape) tensor {
		x := args[0]
		return tensor{v: l.B.Map(ir.OpExp,
			l.B.Sub(x.v, l.B.Reduce(ir.OpLogSumExp, x.v, x.axes[0]))), axes: x.axes}
	},
	"log_softmax": func(l *Model, args []tensor, shape types.Shape) tensor {
		x := args[0]
		return tensor{v: l.B.Sub(x.v, l.B.Reduce(ir.OpLogSumExp, x.v, x.axes[0])), axes: x.axes}
	},
	"cumsum": func(l *Model, args []tensor, shape types.Shape) tensor {
		x := args[0]
		return tensor{v: l.B.CumSum(x.v, x.axes[0], false), axes: x.axes}
	},
	"diag": func(l *Model, args []tensor, shape types.Shape) tensor {
		x := args[0]
		i := x.axes[0]
		j := l.B.Axis(i.Name, i.Size)
		return tensor{v: l.B.Embed(x.v, i, i, j), axes: []*ir.Axis{i, j}}
	},
	"quad_form": func(l *Model, args []tensor, shape types.Shape) tensor {
		a, x := args[0], args[1]
		return l.matmul(x, l.matmul(a, l.fresh(x)))
	},
	"zeros": func(l *Model, args []tensor, shape types.Shape) tensor {
		return tensor{v: l.B.Num(0), axes: l.axesOf(shape)}
	},
	"ones": func(l *Model, args []tensor, shape types.Shape) tensor {
		return tensor{v: l.B.Num(1), axes: l.axesOf(shape)}
	},
	"identity": func(l *Model, args []tensor, shape types.Shape) tensor {
		axes := l.axesOf(shape)
		return tensor{v: l.B.Map(ir.OpEq, l.B.Iota(axes[0]), l.B.Iota(axes[1])), axes: axes}
	},
	"transpose": func(l *Model, args []tensor, shape types.Shape) tensor {
		x := args[0]
		return tensor{v: x.v, axes: []*ir.Axis{x.axes[1], x.axes[0]}}
	},
	"cholesky": func(l *Model, args []tensor, shape types.Shape) tensor {
		return l.cholesky(args[0])
	},
	"log_det": func(l *Model, args []tensor, shape types.Shape) tensor { return l.logDet(args[0]) },
	"triangular_solve": func(l *Model, args []tensor, shape types.Shape) tensor {
		return l.triangularSolve(args[0], args[1], false)
	},
	"triangular_solve_t": func(l *Model, args []tensor, shape types.Shape) tensor {
		return l.triangularSolve(args[0], args[1], true)
	},
	"solve_spd": func(l *Model, args []tensor, shape types.Shape) tensor {
		return l.solve(l.cholesky(args[0]), args[1])
	},
	"inverse_spd": func(l *Model, args []tensor, shape types.Shape) tensor {
		return l.inverse(args[0])
	},
	"eigenvalues_sym": func(l *Model, args []tensor, shape types.Shape) tensor {
		pairs := l.eigenpairs(args[0])
		return tensor{v: l.B.Eigenvalues(pairs), axes: args[0].axes[1:]}
	},
	"eigenvectors_sym": func(l *Model, args []tensor, shape types.Shape) tensor {
		pairs := l.eigenpairs(args[0])
		return tensor{v: l.B.Eigenvectors(pairs, args[0].axes[0]), axes: args[0].axes}
	},
	"qr_thin_Q": func(l *Model, args []tensor, shape types.Shape) tensor {
		q, _ := l.qr(args[0])
		return q
	},
	"qr_thin_R": func(l *Model, args []tensor, shape types.Shape) tensor {
		_, r := l.qr(args[0])
		return r
	},
	"sort": func(l *Model, args []tensor, shape types.Shape) tensor { return l.sorted(args[0]) },
	"quantile": func(l *Model, args []tensor, shape types.Shape) tensor {
		return number(l.quantile(args[0], args[1].v))
	},
	"trace": func(l *Model, args []tensor, shape types.Shape) tensor { return l.trace(args[0]) },
	"flatten": func(l *Model, args []tensor, shape types.Shape) tensor {
		to := l.axesOf(shape)
		return tensor{v: l.B.Flatten(args[0].v, args[0].axes, to[0]), axes: to}
	},
	"concat": func(l *Model, args []tensor, shape types.Shape) tensor {
		axes := l.axesOf(shape)
		sum, at := l.B.Num(0), zeroSize
		for _, t := range args {
			t = l.onto(t, append([]*ir.Axis{t.axes[0]}, axes[1:]...))
			sum = l.B.Add(sum, l.B.Pad(t.v, t.axes[0], axes[0], at))
			at = at.Add(t.axes[0].Size)
		}
		return tensor{v: sum, axes: axes}
	},
}

// generator lowers a call of a basic random generator in the sample line of a distribution.
func (l *Model) generator(e *ast.Call, f *builtin.Func, c *check.Callee) tensor {
	if f.Name == "rand_categorical" {
		// The number of partial sums that a uniform draw exceeds.
		p := l.expr(c.Args[0])
		k := p.axes[0]
		total := l.B.Sum(p.v, k)
		u := l.B.Mul(l.B.Random(ir.OpRandUniform, l.draw), total)
		below := l.B.Sum(l.B.Map(ir.OpGt, u, l.B.CumSum(p.v, k, false)), k)
		last := l.B.Sub(l.B.AxisSize(k), l.B.Num(1))
		return number(l.B.Map(ir.OpMin, below, last))
	}
	if f.Name == "rand_sphere" {
		// Muller (1959): a normal vector, scaled.
		k := l.B.Axis("i", l.shape(l.typeOf(e))[0])
		z := l.B.Random(ir.OpRandNormal, append(append([]*ir.Axis{}, l.draw...), k))
		return tensor{v: l.B.Div(z, l.B.Map(ir.OpSqrt, l.B.Sum(l.B.Mul(z, z), k))),
			axes: []*ir.Axis{k}}
	}
	if f.Name == "rand_multinomial" {
		n, p := l.expr(c.Args[0]), l.expr(c.Args[1])
		to := l.B.Axis(p.axes[0].Name, p.axes[0].Size)
		return tensor{v: l.B.Multinomial(n.v, l.B.Spread(p.v, l.draw...), p.axes[0], to),
			axes: []*ir.Axis{to}}
	}
	op, ok := ir.Lookup(f.Name)
	if !ok {
		l.Fail(limits.NotLowered, e.Span, "%s cannot be compiled yet", f.Name)
	}
	var args []*ir.Value
	for _, a := range c.Args {
		args = append(args, l.expr(a).v)
	}
	return number(l.B.Random(op, l.draw, args...))
}
