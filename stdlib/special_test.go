package stdlib_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// The functions that the library's files call, each of numbers.
var elementwise = map[string]func(x []float64) float64{
	"log": one(math.Log), "log1p": one(math.Log1p), "exp": one(math.Exp), "expm1": one(math.Expm1),
	"sqrt": one(math.Sqrt), "abs": one(math.Abs), "atan": one(math.Atan),
	"lgamma":      one(lgamma),
	"sigmoid":     one(func(x float64) float64 { return math.Exp(-log1pExp(-x)) }),
	"log_sigmoid": one(func(x float64) float64 { return -log1pExp(-x) }),
	"log1p_exp":   one(log1pExp),
	"log1m_exp": one(func(x float64) float64 {
		if x > -math.Ln2 {
			return math.Log(-math.Expm1(x))
		}
		return math.Log1p(-math.Exp(x))
	}),
	"logit":         one(func(x float64) float64 { return math.Log(x) - math.Log1p(-x) }),
	"normal_cdf":    one(func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }),
	"normal_logcdf": one(normalLogCDF),
	"min":           func(x []float64) float64 { return math.Min(x[0], x[1]) },
	"max":           func(x []float64) float64 { return math.Max(x[0], x[1]) },
	"lbeta":         func(x []float64) float64 { return lbeta(x[0], x[1]) },
	"lchoose": func(x []float64) float64 {
		return -math.Log1p(x[0]) - lbeta(x[0]-x[1]+1, x[1]+1)
	},
	"cos":            one(math.Cos),
	"sin":            one(math.Sin),
	"floor":          one(math.Floor),
	"log_normal_cdf": one(normalLogCDF),
	// Those that no file calls yet, so that a new law need not touch this one.
	"tan": one(math.Tan), "asin": one(math.Asin), "acos": one(math.Acos),
	"sinh": one(math.Sinh), "cosh": one(math.Cosh), "tanh": one(math.Tanh),
	"ceil": one(math.Ceil), "erf": one(math.Erf), "erfc": one(math.Erfc),
	"log1m":    one(func(x float64) float64 { return math.Log1p(-x) }),
	"softplus": one(log1pExp),
	"square":   one(func(x float64) float64 { return x * x }),
	"pow":      func(x []float64) float64 { return math.Pow(x[0], x[1]) },
	"atan2":    func(x []float64) float64 { return math.Atan2(x[0], x[1]) },
	// The incomplete functions have tests of their own, against values of other origin, as the
	// check lines are.
	"log_gamma_p": func(x []float64) float64 { return special.LogGammaP(x[0], x[1]) },
	"log_gamma_q": func(x []float64) float64 { return special.LogGammaQ(x[0], x[1]) },
	"log_beta_inc_logit": func(x []float64) float64 {
		return special.LogBetaIncLogit(x[0], x[1], x[2])
	},
	"log_student_t_cdf": func(x []float64) float64 { return special.LogStudentTCDF(x[0], x[1]) },
	"log_erfcx":         one(special.LogErfcx),
	"log_skew_normal_cdf": func(x []float64) float64 {
		return special.LogSkewNormalCDF(x[0], x[1])
	},
	"vmf_log_constant": func(x []float64) float64 { return vmfLogConstant(x[0], x[1]) },
	"vmf_ratio": func(x []float64) float64 { // −(log c)', by differences
		h := 1e-4 * x[1]
		return (vmfLogConstant(x[0], x[1]-h) - vmfLogConstant(x[0], x[1]+h)) / (2 * h)
	},
}

// The functions of whole arrays.
var whole = map[string]func(args []value) value{
	"sum": func(args []value) value {
		total := 0.0
		for _, x := range args[0].data {
			total += x
		}
		return scalar(total)
	},
	"log_sum_exp": func(args []value) value { return scalar(logSumExp(args[0].data)) },
	"softmax": func(args []value) value {
		norm := logSumExp(args[0].data)
		return each(func(x []float64) float64 { return math.Exp(x[0] - norm) }, args[0])
	},
	"normalize": func(args []value) value {
		norm := math.Sqrt(matmul(args[0], args[0]).num())
		return each(func(x []float64) float64 { return x[0] / norm }, args[0])
	},
	"transpose": func(args []value) value {
		a := args[0]
		out := value{[]int{a.shape[1], a.shape[0]}, make([]float64, len(a.data))}
		for i := range a.shape[0] {
			for j := range a.shape[1] {
				out.data[j*a.shape[0]+i] = a.at(i).data[j]
			}
		}
		return out
	},
	"cholesky":         func(args []value) value { return cholesky(args[0]) },
	"triangular_solve": func(args []value) value { return triangularSolve(args[0], args[1]) },
	"triangular_solve_t": func(args []value) value {
		// forward substitution with both axes reversed
		l, n := args[0], args[0].shape[0]
		turned, b := value{l.shape, make([]float64, n*n)}, value{args[1].shape, make([]float64, n)}
		for i := range n {
			b.data[n-1-i] = args[1].data[i]
			for j := range n {
				turned.data[(n-1-j)*n+n-1-i] = l.data[i*n+j]
			}
		}
		x := triangularSolve(turned, b)
		slices.Reverse(x.data)
		return x
	},
	"identity": func(args []value) value {
		n := int(args[0].num())
		out := value{[]int{n, n}, make([]float64, n*n)}
		for i := range n {
			out.data[i*n+i] = 1
		}
		return out
	},
	"diag": func(args []value) value {
		n := args[0].shape[0]
		out := value{[]int{n, n}, make([]float64, n*n)}
		for i, x := range args[0].data {
			out.data[i*n+i] = x
		}
		return out
	},
	"log_softmax": func(args []value) value {
		norm := logSumExp(args[0].data)
		return each(func(x []float64) float64 { return x[0] - norm }, args[0])
	},
}

// The root generators of the runtime, by textbook methods.
var roots = map[string]func(rng *rand.Rand, args []value) float64{
	"rand_uniform": func(rng *rand.Rand, _ []value) float64 {
		return (float64(rng.Uint64()>>12) + 0.5) / (1 << 52)
	},
	"rand_normal":      func(rng *rand.Rand, _ []value) float64 { return rng.NormFloat64() },
	"rand_exponential": func(rng *rand.Rand, _ []value) float64 { return rng.ExpFloat64() },
	"rand_gamma": func(rng *rand.Rand, a []value) float64 {
		return math.Exp(logGamma(rng, a[0].num()))
	},
	"rand_log_gamma": func(rng *rand.Rand, a []value) float64 { return logGamma(rng, a[0].num()) },
	"rand_poisson": func(rng *rand.Rand, a []value) float64 {
		n, sum := 0.0, rng.ExpFloat64() // arrivals of a unit process before time lambda
		for ; sum < a[0].num(); sum += rng.ExpFloat64() {
			n++
		}
		return n
	},
	"rand_binomial": func(rng *rand.Rand, a []value) float64 {
		n := 0.0
		for range int(a[0].num()) {
			if rng.Float64() < a[1].num() {
				n++
			}
		}
		return n
	},
	"rand_hypergeometric": func(rng *rand.Rand, a []value) float64 {
		n, marked, rest := 0.0, a[1].num(), a[2].num()
		for range int(a[0].num()) { // one after the other from the urn
			if rng.Float64()*(marked+rest) < marked {
				n++
				marked--
			} else {
				rest--
			}
		}
		return n
	},
	"rand_von_mises": func(rng *rand.Rand, a []value) float64 {
		return math.Copysign(math.Acos(1-vmfGap(rng, 2, a[0].num())), rng.Float64()-0.5)
	},
	"rand_vmf_gap": func(rng *rand.Rand, a []value) float64 {
		return vmfGap(rng, a[0].num(), a[1].num())
	},
	"rand_categorical": func(rng *rand.Rand, a []value) float64 {
		u, k := rng.Float64(), 0
		for ; k < len(a[0].data)-1 && u >= a[0].data[k]; k++ {
			u -= a[0].data[k]
		}
		return float64(k)
	},
}

// logGamma draws the logarithm of a gamma variate: Marsaglia & Tsang (2000) on
// shape + 1, and the power of a uniform that brings the shape down by one.
func logGamma(rng *rand.Rand, shape float64) float64 {
	d := shape + 1 - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		z := rng.NormFloat64()
		v := 1 + c*z
		if v > 0 && math.Log(1-rng.Float64()) < 0.5*z*z+d-d*v*v*v+3*d*math.Log(v) {
			return math.Log(d) + 3*math.Log(v) - rng.ExpFloat64()/shape
		}
	}
}

func one(f func(float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

func lgamma(x float64) float64 { y, _ := math.Lgamma(x); return y }

func log1pExp(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func logSumExp(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = math.Max(top, v)
	}
	total := 0.0
	for _, v := range x {
		total += math.Exp(v - top)
	}
	return top + math.Log(total)
}

// normalLogCDF goes over to the asymptotic series of Mills' ratio far left
// (Abramowitz & Stegun 1964, 26.2.12).
func normalLogCDF(z float64) float64 {
	if z > 0 {
		return math.Log1p(-0.5 * math.Erfc(z/math.Sqrt2))
	}
	if z > -20 {
		return math.Log(0.5 * math.Erfc(-z/math.Sqrt2))
	}
	term, sum := 1.0, 1.0
	for k := 1.0; k <= 10; k++ {
		term *= -(2*k - 1) / (z * z)
		sum += term
	}
	return -0.5*z*z - math.Log(-z) - 0.5*math.Log(2*math.Pi) + math.Log(sum)
}

// lbeta subtracts Stirling's leading terms by hand where an argument is large.
func lbeta(a, b float64) float64 {
	a, b = math.Min(a, b), math.Max(a, b)
	if b < 20 {
		return lgamma(a) + lgamma(b) - lgamma(a+b)
	}
	rest := func(x float64) float64 { // Abramowitz & Stegun 1964, 6.1.41
		return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-1.0/1188/(x*x))/(x*x))/(x*x))/(x*x)) / x
	}
	return lgamma(a) - (b-0.5)*math.Log1p(a/b) - a*math.Log(a+b) + a + rest(b) - rest(a+b)
}

// vmfGap draws 1 − t, where t has a density ∝ exp(κ t) (1 − t²)^((d−3)/2), by
// accepting the cosine of a uniform direction with probability exp(κ (t − 1)).
func vmfGap(rng *rand.Rand, d, kappa float64) float64 {
	for {
		first, rest := rng.NormFloat64(), 0.0
		for range int(d) - 1 {
			x := rng.NormFloat64()
			rest += x * x
		}
		t := first / math.Sqrt(first*first+rest)
		if rng.Float64() < math.Exp(kappa*(t-1)) {
			return 1 - t
		}
	}
}

// vmfLogConstant sums the power series of the Bessel function in logarithms
// (Abramowitz & Stegun 1964, 9.6.10); all its terms are positive.
func vmfLogConstant(d, kappa float64) float64 {
	nu := d/2 - 1
	terms := make([]float64, 100+int(2*kappa))
	for m := range terms {
		terms[m] = (2*float64(m)+nu)*math.Log(kappa/2) - lgamma(float64(m)+1) -
			lgamma(float64(m)+nu+1)
	}
	return nu*math.Log(kappa) - d/2*math.Log(2*math.Pi) - logSumExp(terms)
}

// matmul sums the last axis of x with the first of y.
func matmul(x, y value) value {
	n := y.shape[0]
	rows, cols := len(x.data)/n, len(y.data)/n
	out := value{append(append([]int{}, x.shape[:len(x.shape)-1]...), y.shape[1:]...),
		make([]float64, rows*cols)}
	for i := range rows {
		for j := range cols {
			for k := range n {
				out.data[i*cols+j] += x.data[i*n+k] * y.data[k*cols+j]
			}
		}
	}
	return out
}

func cholesky(a value) value {
	n := a.shape[0]
	l := make([]float64, n*n)
	for i := range n {
		for j := 0; j <= i; j++ {
			s := a.data[i*n+j]
			for k := range j {
				s -= l[i*n+k] * l[j*n+k]
			}
			if i == j {
				l[i*n+i] = math.Sqrt(s)
			} else {
				l[i*n+j] = s / l[j*n+j]
			}
		}
	}
	return value{a.shape, l}
}

// triangularSolve solves L z = b forwards, for a vector b.
func triangularSolve(l, b value) value {
	n := l.shape[0]
	z := append([]float64{}, b.data...)
	for i := range n {
		for k := range i {
			z[i] -= l.data[i*n+k] * z[k]
		}
		z[i] /= l.data[i*n+i]
	}
	return value{b.shape, z}
}
