package vm

import (
	"math"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/kernel"
	"github.com/sgppl/sgppl/runtime/rng"
	"github.com/sgppl/sgppl/runtime/special"
)

// A vector is an op on a strip: dst[i] = op(x[i], y[i], z[i]). Ops without
// one are evaluated number by number with the same function.
type vector func(dst, x, y, z []float64)

func one(f func(dst, src []float64)) vector {
	return func(dst, x, _, _ []float64) { f(dst, x[:len(dst)]) }
}

// truth is a comparison.
func truth(f func(x, y float64) bool) vector {
	return func(dst, x, y, _ []float64) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = special.Bool(f(x[i], y[i]))
		}
	}
}

var vectors = map[string]vector{
	"add": func(dst, x, y, _ []float64) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = x[i] + y[i]
		}
	},
	"sub": func(dst, x, y, _ []float64) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = x[i] - y[i]
		}
	},
	"mul": func(dst, x, y, _ []float64) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = x[i] * y[i]
		}
	},
	"div": func(dst, x, y, _ []float64) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = x[i] / y[i]
		}
	},
	"neg": func(dst, x, _, _ []float64) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = -x[i]
		}
	},
	"mul0": func(dst, x, y, _ []float64) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = special.Mul0(x[i], y[i])
		}
	},
	"lt": truth(func(x, y float64) bool { return x < y }),
	"le": truth(func(x, y float64) bool { return x <= y }),
	"gt": truth(func(x, y float64) bool { return x > y }),
	"ge": truth(func(x, y float64) bool { return x >= y }),
	"eq": truth(func(x, y float64) bool { return x == y }),
	"ne": truth(func(x, y float64) bool { return x != y }),
	"not": func(dst, x, _, _ []float64) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = special.Bool(x[i] == 0)
		}
	},
	"abs": func(dst, x, _, _ []float64) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = math.Abs(x[i])
		}
	},
	"relu": func(dst, x, _, _ []float64) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = special.Relu(x[i])
		}
	},
	"select": func(dst, c, x, y []float64) {
		c, x, y = c[:len(dst)], x[:len(dst)], y[:len(dst)]
		for i := range dst {
			if c[i] != 0 {
				dst[i] = x[i]
			} else {
				dst[i] = y[i]
			}
		}
	},
	"sqrt": func(dst, x, _, _ []float64) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = math.Sqrt(x[i])
		}
	},
	"exp":         one(kernel.Exp),
	"log":         one(kernel.Log),
	"log1p":       one(kernel.Log1p),
	"expm1":       one(kernel.Expm1),
	"tanh":        one(kernel.Tanh),
	"sigmoid":     one(kernel.Sigmoid),
	"log_sigmoid": one(kernel.LogSigmoid),
	"log1p_exp":   one(kernel.Softplus),
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
