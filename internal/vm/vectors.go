package vm

import (
	"maps"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/kernels"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A vector is an op on a strip: dst[i] = op(x[i], y[i], z[i]). Ops without
// one are evaluated number by number with the same function, in double
// precision.
type vector[T float] func(dst, x, y, z []T)

// vectorOf finds the vector of an op; nil without.
func vectorOf[T float](op string) vector[T] {
	if v, ok := any(vectors).(map[string]vector[T]); ok {
		return v[op]
	}
	v, _ := any(vectors32).(map[string]vector[T])
	return v[op]
}

func one[T float](f func(dst, src []T)) vector[T] {
	return func(dst, x, _, _ []T) { f(dst, x[:len(dst)]) }
}

// truth is a comparison.
func truth[T float](f func(x, y T) bool) vector[T] {
	return func(dst, x, y, _ []T) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = T(special.Bool(f(x[i], y[i])))
		}
	}
}

// arithmetic are the ops that are written alike in both precisions.
func arithmetic[T float]() map[string]vector[T] {
	return map[string]vector[T]{
		"add": func(dst, x, y, _ []T) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = x[i] + y[i]
			}
		},
		"sub": func(dst, x, y, _ []T) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = x[i] - y[i]
			}
		},
		"mul": func(dst, x, y, _ []T) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = x[i] * y[i]
			}
		},
		"div": func(dst, x, y, _ []T) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = x[i] / y[i]
			}
		},
		"neg": func(dst, x, _, _ []T) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = -x[i]
			}
		},
		"lt": truth(func(x, y T) bool { return x < y }),
		"le": truth(func(x, y T) bool { return x <= y }),
		"gt": truth(func(x, y T) bool { return x > y }),
		"ge": truth(func(x, y T) bool { return x >= y }),
		"eq": truth(func(x, y T) bool { return x == y }),
		"ne": truth(func(x, y T) bool { return x != y }),
		"not": func(dst, x, _, _ []T) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = T(special.Bool(x[i] == 0))
			}
		},
		"and": truth(func(x, y T) bool { return x != 0 && y != 0 }),
		"or":  truth(func(x, y T) bool { return x != 0 || y != 0 }),
		"select": func(dst, c, x, y []T) {
			c, x, y = c[:len(dst)], x[:len(dst)], y[:len(dst)]
			for i := range dst {
				if c[i] != 0 {
					dst[i] = x[i]
				} else {
					dst[i] = y[i]
				}
			}
		},
	}
}

// each is a function of every number.
func each[T float](f func(x T) T) vector[T] {
	return func(dst, x, _, _ []T) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = f(x[i])
		}
	}
}

func two[T float](f func(x, y T) T) vector[T] {
	return func(dst, x, y, _ []T) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = f(x[i], y[i])
		}
	}
}

// entrywise is an op that a kernel computes for every entry.
func entrywise(op kernel.Op) vector[float64] {
	return func(dst, x, y, z []float64) { kernel.Entrywise(op, dst, x, y, z) }
}

// turned is entrywise with the two operands exchanged.
func turned(op kernel.Op) vector[float64] {
	return func(dst, x, y, _ []float64) { kernel.Entrywise(op, dst, y, x, nil) }
}

var vectors = with(arithmetic[float64](), map[string]vector[float64]{
	"add":    entrywise(kernel.OpAdd),
	"sub":    entrywise(kernel.OpSub),
	"mul":    entrywise(kernel.OpMul),
	"div":    entrywise(kernel.OpDiv),
	"neg":    entrywise(kernel.OpNeg),
	"lt":     entrywise(kernel.OpLt),
	"le":     entrywise(kernel.OpLe),
	"gt":     turned(kernel.OpLt),
	"ge":     turned(kernel.OpLe),
	"eq":     entrywise(kernel.OpEq),
	"ne":     entrywise(kernel.OpNe),
	"select": entrywise(kernel.OpSelect),
	"mul0":   entrywise(kernel.OpMul0),
	"abs":    entrywise(kernel.OpAbs),
	"relu": func(dst, x, _, _ []float64) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = special.Relu(x[i])
		}
	},
	"max":  two(special.Max),
	"min":  two(special.Min),
	"sqrt": entrywise(kernel.OpSqrt),
})

var vectors32 = with(arithmetic[float32](), map[string]vector[float32]{
	"mul0": func(dst, x, y, _ []float32) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = special.Mul032(x[i], y[i])
		}
	},
	"max":  two(special.Max32),
	"min":  two(special.Min32),
	"abs":  each(special.Abs32),
	"relu": each(special.Relu32),
	"sqrt": each(special.Sqrt32),
})

// with adds the ops of one precision, and those that have a kernel for every entry.
func with[T float](all, own map[string]vector[T]) map[string]vector[T] {
	maps.Copy(all, own)
	for _, row := range kernels.All() {
		if f := kernels.Each[T](row); f != nil {
			all[row.Name] = one(f)
		}
	}
	return all
}

// draw makes one random number of a root generator.
func draw(s *rng.Source, op *ir.Op, x [3]float64) float64 {
	switch op {
	case ir.OpRandUniform:
		return s.Float64()
	case ir.OpRandNormal:
		return s.Normal()
	case ir.OpRandExponential:
		return s.Exponential()
	case ir.OpRandGamma:
		return s.Gamma(x[0])
	case ir.OpRandLogGamma:
		return s.LogGamma(x[0])
	case ir.OpRandPoisson:
		return float64(s.Poisson(x[0]))
	case ir.OpRandBinomial:
		return float64(s.Binomial(int(x[0]), x[1]))
	case ir.OpRandHypergeometric:
		return float64(s.Hypergeometric(int(x[0]), int(x[1]), int(x[2])))
	case ir.OpRandVonMises:
		return s.VonMises(x[0])
	case ir.OpRandVMFGap:
		return s.VMFGap(x[0], x[1])
	}
	panic("vm: no generator " + op.Name)
}
