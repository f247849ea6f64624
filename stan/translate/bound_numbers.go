package translate

import (
	"math"
	"slices"
	"sort"
)

// scalar is a number without axes.
func scalar(x float64) *Given { return &Given{X: []float64{x}} }

// truthful is 1 of a true condition and 0 of a false one.
func truthful(b bool) *Given {
	if b {
		return scalar(1)
	}
	return scalar(0)
}

// each computes f of each entry.
func each(x *Given, f func(float64) float64) *Given {
	if x == nil {
		return nil
	}
	out := &Given{Shape: x.Shape, X: make([]float64, len(x.X))}
	for i, v := range x.X {
		out.X[i] = f(v)
	}
	return out
}

// both applies a function of two numbers to the entries of two values, one of which may be a
// number.
func both(x, y *Given, f func(a, b float64) float64) *Given {
	switch {
	case x == nil || y == nil:
		return nil
	case len(x.Shape) == 0:
		return each(y, func(b float64) float64 { return f(x.X[0], b) })
	case len(y.Shape) == 0:
		return each(x, func(a float64) float64 { return f(a, y.X[0]) })
	case !slices.Equal(x.Shape, y.Shape):
		return nil
	}
	out := &Given{Shape: x.Shape, X: make([]float64, len(x.X))}
	for i, v := range x.X {
		out.X[i] = f(v, y.X[i])
	}
	return out
}

// matrixProduct is x @ y of vectors and matrices.
func matrixProduct(x, y *Given) *Given {
	if len(x.Shape) == 0 || len(y.Shape) == 0 || len(x.Shape) > 2 || len(y.Shape) > 2 {
		return nil
	}
	k := x.Shape[len(x.Shape)-1]
	if y.Shape[0] != k {
		return nil
	}
	m, n := 1, 1
	out := &Given{}
	if len(x.Shape) == 2 {
		m = x.Shape[0]
		out.Shape = append(out.Shape, m)
	}
	if len(y.Shape) == 2 {
		n = y.Shape[1]
		out.Shape = append(out.Shape, n)
	}
	for i := range m {
		for j := range n {
			s := 0.0
			for l := range k {
				s += x.X[i*k+l] * y.X[l*n+j]
			}
			out.X = append(out.X, s)
		}
	}
	return out
}

// reduced is a reduction of all entries.
func reduced(fun string, x *Given) *Given {
	if x == nil {
		return nil
	}
	n := float64(len(x.X))
	s, p, lo, hi := 0.0, 1.0, math.Inf(1), math.Inf(-1)
	anyOf, allOf := 0.0, 1.0
	for _, v := range x.X {
		s += v
		p *= v
		lo, hi = math.Min(lo, v), math.Max(hi, v)
		if v != 0 {
			anyOf = 1
		} else {
			allOf = 0
		}
	}
	switch fun {
	case "sum":
		return scalar(s)
	case "prod":
		return scalar(p)
	case "mean":
		return scalar(s / n)
	case "min":
		return scalar(lo)
	case "max":
		return scalar(hi)
	case "any":
		return scalar(anyOf)
	case "all":
		return scalar(allOf)
	case "variance", "sd":
		q := 0.0
		for _, v := range x.X {
			q += (v - s/n) * (v - s/n)
		}
		if fun == "sd" {
			return scalar(math.Sqrt(q / (n - 1)))
		}
		return scalar(q / (n - 1))
	case "norm":
		q := 0.0
		for _, v := range x.X {
			q += v * v
		}
		return scalar(math.Sqrt(q))
	case "log_sum_exp":
		q := 0.0
		for _, v := range x.X {
			q += math.Exp(v - hi)
		}
		return scalar(hi + math.Log(q))
	}
	return nil
}

// shaped computes functions that change the shape or the order of their argument.
func shaped(fun string, args []*Given) *Given {
	sizes := func(list []*Given) []int {
		out := []int{}
		for _, a := range list {
			if len(a.Shape) > 0 {
				return nil
			}
			out = append(out, int(a.X[0]))
		}
		return out
	}
	filled := func(x float64) *Given {
		out := &Given{Shape: sizes(args)}
		n := 1
		for _, k := range out.Shape {
			n *= k
		}
		for range n {
			out.X = append(out.X, x)
		}
		return out
	}
	switch fun {
	case "zeros":
		return filled(0)
	case "ones":
		return filled(1)
	case "reshape":
		return &Given{Shape: sizes(args[1:]), X: args[0].X}
	case "flatten":
		return &Given{Shape: []int{len(args[0].X)}, X: args[0].X}
	case "concat":
		return concat(args)
	case "transpose":
		a := args[0]
		if len(a.Shape) != 2 {
			return nil
		}
		out := &Given{Shape: []int{a.Shape[1], a.Shape[0]}}
		for j := range a.Shape[1] {
			for i := range a.Shape[0] {
				out.X = append(out.X, a.X[i*a.Shape[1]+j])
			}
		}
		return out
	case "sort":
		out := &Given{Shape: args[0].Shape, X: slices.Clone(args[0].X)}
		sort.Float64s(out.X)
		return out
	case "cumsum":
		s := 0.0
		return each(args[0], func(x float64) float64 { s += x; return s })
	}
	if len(args) == 1 && len(args[0].Shape) > 0 {
		return reduced(fun, args[0])
	}
	return nil
}

// concat is one array after the other along the first axis.
func concat(args []*Given) *Given {
	out := &Given{}
	for _, a := range args {
		if len(a.Shape) == 0 {
			return nil
		}
		switch {
		case out.Shape == nil || out.Shape[0] == 0:
			out.Shape = slices.Clone(a.Shape)
		case a.Shape[0] == 0:
		case !slices.Equal(a.Shape[1:], out.Shape[1:]):
			return nil
		default:
			out.Shape[0] += a.Shape[0]
		}
		out.X = append(out.X, a.X...)
	}
	return out
}
