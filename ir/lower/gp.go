package lower

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
)

// A covariance is a covariance function of Gaussian processes without its factor alpha². d is the
// distance of two points in units of rho.
type covariance func(b *ir.Builder, r distance, rest []*ir.Value) *ir.Value

// A distance has the distance of two points and its square.
type distance struct{ r, squared *ir.Value }

// covariances have the parameters of the Stan functions of the same names.
// Source: Rasmussen & Williams (2006), Gaussian Processes for Machine Learning, section 4.2.
var covariances = map[string]covariance{
	"gp_exp_quad": func(b *ir.Builder, d distance, _ []*ir.Value) *ir.Value {
		return b.Map(ir.OpExp, b.Mul(b.Num(-0.5), d.squared)) // (4.9)
	},
	"gp_exponential": func(b *ir.Builder, d distance, _ []*ir.Value) *ir.Value {
		return b.Map(ir.OpExp, b.Neg(d.r)) // (4.18) with γ = 1
	},
	"gp_matern32": func(b *ir.Builder, d distance, _ []*ir.Value) *ir.Value {
		s := b.Mul(b.Num(math.Sqrt(3)), d.r) // (4.17)
		return b.Mul(b.Add(b.Num(1), s), b.Map(ir.OpExp, b.Neg(s)))
	},
	"gp_matern52": func(b *ir.Builder, d distance, _ []*ir.Value) *ir.Value {
		s := b.Mul(b.Num(math.Sqrt(5)), d.r) // (4.17)
		return b.Mul(b.Add(b.Add(b.Num(1), s), b.Mul(b.Num(5.0/3), d.squared)),
			b.Map(ir.OpExp, b.Neg(s)))
	},
	"gp_rational_quad": func(b *ir.Builder, d distance, rest []*ir.Value) *ir.Value {
		mix := rest[0] // (4.19); the power as exp of a log1p, whose derivatives are finite
		return b.Map(ir.OpExp,
			b.Neg(b.Mul(mix, b.Map(ir.OpLog1p, b.Div(d.squared, b.Mul(b.Num(2), mix))))))
	},
}

// gp lowers a covariance function of the points x with y, or with themselves.
func (l *Model) gp(e *ast.Call, c *check.Callee) tensor {
	b, name := l.B, c.Builtin.Name
	args := make([]tensor, len(c.Args))
	for i, a := range c.Args {
		if a != nil {
			args[i] = l.expr(a)
			l.padArguments(e, &check.Callee{Args: c.Args[i : i+1]}, name, args[i:i+1])
		}
	}
	x, y := args[0], args[1]
	if c.Args[1] == nil {
		y = x
	}
	y = l.fresh(y) // each entry belongs to a pair of points, including a point with itself
	alpha, rho := args[2].v, args[3]
	axes := []*ir.Axis{x.axes[0], y.axes[0]}
	factor := b.Mul(alpha, alpha)
	apart, flat := l.distances(x, y, rho)
	if name == "gp_periodic" {
		// MacKay (1998), Introduction to Gaussian processes, (47)
		s := b.Map(ir.OpSin, b.Div(b.Mul(b.Num(math.Pi), flat.r), args[4].v))
		q := b.Div(s, rho.v)
		return tensor{v: b.Mul(factor, b.Map(ir.OpExp, b.Mul(b.Num(-2), b.Mul(q, q)))), axes: axes}
	}
	var rest []*ir.Value
	for _, t := range args[4:] {
		rest = append(rest, t.v)
	}
	return tensor{v: b.Mul(factor, covariances[name](b, apart, rest)), axes: axes}
}

// distances returns the distances of the points x and y in units of rho, and unscaled. Where x and
// y are data, the unscaled distance is computed once and then divided by rho.
func (l *Model) distances(x, y, rho tensor) (apart, flat distance) {
	b := l.B
	if len(x.axes) == 1 {
		gap := b.Sub(x.v, y.v)
		scaled := b.Div(gap, rho.v)
		return distance{b.Map(ir.OpAbs, scaled), b.Mul(scaled, scaled)},
			distance{b.Map(ir.OpAbs, gap), b.Mul(gap, gap)}
	}
	d := x.axes[1]
	gap := b.Sub(x.v, b.Rename(y.v, y.axes[1], d))
	if len(rho.axes) > 0 {
		gap = b.Div(gap, b.Rename(rho.v, rho.axes[0], d))
		squared := b.Sum(b.Mul(gap, gap), d)
		return distance{l.root(squared), squared}, distance{}
	}
	squared := b.Sum(b.Mul(gap, gap), d)
	flat = distance{l.root(squared), squared}
	scaled := b.Div(flat.r, rho.v)
	return distance{scaled, b.Div(squared, b.Mul(rho.v, rho.v))}, flat
}

// root returns the square root of a sum of squares. Its derivative at 0 counts as 0, like that of
// the covariance functions with respect to a point.
func (l *Model) root(x *ir.Value) *ir.Value {
	b := l.B
	none := b.Map(ir.OpEq, x, b.Num(0))
	return b.Map(ir.OpSelect, none, b.Num(0),
		b.Map(ir.OpSqrt, b.Map(ir.OpSelect, none, b.Num(1), x)))
}
