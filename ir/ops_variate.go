package ir

import "github.com/sgppl/sgppl/runtime/math/special"

// OpLogGammaVariate draws from the gamma law by a given uniform number.
var OpLogGammaVariate = row(Op{Name: "log_gamma_variate", Class: Map, Arity: 2,
	Go: "special.LogGammaVariate(%[1]s, %[2]s)", Singular: true,
	Doc: "args a, u: the logarithm of a draw of Gamma(a, 1) that is a function of the " +
		"uniform number u",
	Eval:       func(x [3]float64) float64 { return special.LogGammaVariate(x[0], x[1]) },
	NoGradient: "a draw"})
