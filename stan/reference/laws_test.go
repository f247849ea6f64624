package reference

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

func lg(x float64) float64         { v, _ := math.Lgamma(x); return v }
func lbeta(a, b float64) float64   { return lg(a) + lg(b) - lg(a+b) }
func lchoose(n, k float64) float64 { return lg(n+1) - lg(k+1) - lg(n-k+1) }
func sigmoid(x float64) float64    { return 1 / (1 + math.Exp(-x)) }
func log1pExp(x float64) float64   { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// A uni is the log density of a number, x[0], with its arguments behind.
type uni func(x []float64) float64

var log2pi = math.Log(2 * math.Pi)

func positive(f uni) uni {
	return func(x []float64) float64 {
		if x[0] < 0 {
			return math.Inf(-1)
		}
		return f(x)
	}
}

// Densities of real numbers. Those of gonum are used where it has them.
var reals = map[string]uni{
	"normal": func(x []float64) float64 {
		return distuv.Normal{Mu: x[1], Sigma: x[2]}.LogProb(x[0])
	},
	"std_normal": func(x []float64) float64 { return distuv.Normal{Sigma: 1}.LogProb(x[0]) },
	"student_t": func(x []float64) float64 {
		return distuv.StudentsT{Nu: x[1], Mu: x[2], Sigma: x[3]}.LogProb(x[0])
	},
	"cauchy": func(x []float64) float64 {
		z := (x[0] - x[1]) / x[2]
		return -math.Log(math.Pi*x[2]) - math.Log1p(z*z)
	},
	"double_exponential": func(x []float64) float64 {
		return distuv.Laplace{Mu: x[1], Scale: x[2]}.LogProb(x[0])
	},
	"logistic": func(x []float64) float64 {
		z := (x[0] - x[1]) / x[2]
		return -z - math.Log(x[2]) - 2*log1pExp(-z)
	},
	"gumbel": func(x []float64) float64 {
		z := (x[0] - x[1]) / x[2]
		return -z - math.Exp(-z) - math.Log(x[2])
	},
	"uniform": func(x []float64) float64 {
		if x[0] < x[1] || x[0] > x[2] {
			return math.Inf(-1)
		}
		return -math.Log(x[2] - x[1])
	},
	"lognormal": positive(func(x []float64) float64 {
		return distuv.LogNormal{Mu: x[1], Sigma: x[2]}.LogProb(x[0])
	}),
	"exponential": positive(func(x []float64) float64 { return math.Log(x[1]) - x[1]*x[0] }),
	"gamma": positive(func(x []float64) float64 {
		return x[1]*math.Log(x[2]) - lg(x[1]) + (x[1]-1)*math.Log(x[0]) - x[2]*x[0]
	}),
	"inv_gamma": positive(func(x []float64) float64 {
		return x[1]*math.Log(x[2]) - lg(x[1]) - (x[1]+1)*math.Log(x[0]) - x[2]/x[0]
	}),
	"chi_square": positive(func(x []float64) float64 {
		k := x[1] / 2
		return -k*math.Ln2 - lg(k) + (k-1)*math.Log(x[0]) - x[0]/2
	}),
	"inv_chi_square": positive(func(x []float64) float64 {
		k := x[1] / 2
		return -k*math.Ln2 - lg(k) - (k+1)*math.Log(x[0]) - 0.5/x[0]
	}),
	"scaled_inv_chi_square": positive(func(x []float64) float64 {
		k, s := x[1]/2, x[2]
		return k*math.Log(k) - lg(k) + 2*k*math.Log(s) - (k+1)*math.Log(x[0]) - k*s*s/x[0]
	}),
	"weibull": positive(func(x []float64) float64 {
		return math.Log(x[1]/x[2]) + (x[1]-1)*math.Log(x[0]/x[2]) - math.Pow(x[0]/x[2], x[1])
	}),
	"frechet": positive(func(x []float64) float64 {
		return math.Log(x[1]/x[2]) - (x[1]+1)*math.Log(x[0]/x[2]) - math.Pow(x[0]/x[2], -x[1])
	}),
	"rayleigh": positive(func(x []float64) float64 {
		return math.Log(x[0]) - 2*math.Log(x[1]) - x[0]*x[0]/(2*x[1]*x[1])
	}),
	"pareto": func(x []float64) float64 {
		if x[0] < x[1] {
			return math.Inf(-1)
		}
		return math.Log(x[2]) + x[2]*math.Log(x[1]) - (x[2]+1)*math.Log(x[0])
	},
	"pareto_type_2": func(x []float64) float64 {
		return math.Log(x[3]/x[2]) - (x[3]+1)*math.Log1p((x[0]-x[1])/x[2])
	},
	"beta": func(x []float64) float64 {
		return (x[1]-1)*math.Log(x[0]) + (x[2]-1)*math.Log1p(-x[0]) - lbeta(x[1], x[2])
	},
	"beta_proportion": func(x []float64) float64 {
		a, b := x[1]*x[2], (1-x[1])*x[2]
		return (a-1)*math.Log(x[0]) + (b-1)*math.Log1p(-x[0]) - lbeta(a, b)
	},
	"von_mises": func(x []float64) float64 {
		return x[2]*math.Cos(x[0]-x[1]) - log2pi - math.Log(besselI0(x[2]))
	},
	"skew_normal": func(x []float64) float64 {
		z := (x[0] - x[1]) / x[2]
		return math.Ln2 - math.Log(x[2]) - z*z/2 - log2pi/2 + math.Log(phi(x[3]*z))
	},
	"exp_mod_normal": func(x []float64) float64 {
		mu, s, l := x[1], x[2], x[3]
		return math.Log(l/2) + l/2*(2*mu+l*s*s-2*x[0]) +
			math.Log(math.Erfc((mu+l*s*s-x[0])/(math.Sqrt2*s)))
	},
	"skew_double_exponential": func(x []float64) float64 {
		mu, s, tau := x[1], x[2], x[3]
		w := tau * (x[0] - mu)
		if x[0] < mu {
			w = (1 - tau) * (mu - x[0])
		}
		return math.Log(2*tau*(1-tau)/s) - 2/s*w
	},
	"loglogistic": positive(func(x []float64) float64 {
		a, b := x[1], x[2]
		return math.Log(b/a) + (b-1)*math.Log(x[0]/a) - 2*math.Log1p(math.Pow(x[0]/a, b))
	}),
}

func phi(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

func besselI0(x float64) float64 {
	s, term := 1.0, 1.0
	for k := 1; k < 200; k++ {
		term *= x * x / 4 / float64(k*k)
		s += term
	}
	return s
}

// Densities of whole numbers.
var counts = map[string]uni{
	"bernoulli": func(x []float64) float64 {
		if x[0] != 0 && x[0] != 1 {
			return math.NaN()
		}
		return math.Log(x[0]*x[1] + (1-x[0])*(1-x[1]))
	},
	"bernoulli_logit": func(x []float64) float64 { return -log1pExp((1 - 2*x[0]) * x[1]) },
	"binomial": func(x []float64) float64 {
		return lchoose(x[1], x[0]) + x[0]*math.Log(x[2]) + (x[1]-x[0])*math.Log1p(-x[2])
	},
	"binomial_logit": func(x []float64) float64 {
		return lchoose(x[1], x[0]) - x[0]*log1pExp(-x[2]) - (x[1]-x[0])*log1pExp(x[2])
	},
	"beta_binomial": func(x []float64) float64 {
		return lchoose(x[1], x[0]) + lbeta(x[0]+x[2], x[1]-x[0]+x[3]) - lbeta(x[2], x[3])
	},
	"hypergeometric": func(x []float64) float64 {
		return lchoose(x[2], x[0]) + lchoose(x[3], x[1]-x[0]) - lchoose(x[2]+x[3], x[1])
	},
	"poisson":     func(x []float64) float64 { return x[0]*math.Log(x[1]) - x[1] - lg(x[0]+1) },
	"poisson_log": func(x []float64) float64 { return x[0]*x[1] - math.Exp(x[1]) - lg(x[0]+1) },
	"neg_binomial": func(x []float64) float64 {
		a, b := x[1], x[2]
		return lg(x[0]+a) - lg(a) - lg(x[0]+1) + a*math.Log(b/(b+1)) - x[0]*math.Log(b+1)
	},
	"neg_binomial_2": func(x []float64) float64 { return nb2(x[0], x[1], x[2]) },
	"neg_binomial_2_log": func(x []float64) float64 {
		return nb2(x[0], math.Exp(x[1]), x[2])
	},
	"discrete_range": func(x []float64) float64 { return -math.Log(x[2] - x[1] + 1) },
	"beta_neg_binomial": func(x []float64) float64 {
		n, r, a, b := x[0], x[1], x[2], x[3]
		return lg(r+n) - lg(n+1) - lg(r) + lbeta(a+r, b+n) - lbeta(a, b)
	},
}

func nb2(y, mu, phi float64) float64 {
	return lg(y+phi) - lg(phi) - lg(y+1) + y*math.Log(mu/(mu+phi)) + phi*math.Log(phi/(mu+phi))
}

// logCDF is the logarithm of a distribution function.
func logCDF(law string) uni {
	f := map[string]uni{
		"normal":      func(x []float64) float64 { return phi((x[0] - x[1]) / x[2]) },
		"std_normal":  func(x []float64) float64 { return phi(x[0]) },
		"exponential": func(x []float64) float64 { return -math.Expm1(-x[1] * x[0]) },
		"weibull":     func(x []float64) float64 { return -math.Expm1(-math.Pow(x[0]/x[2], x[1])) },
		"lognormal":   func(x []float64) float64 { return phi((math.Log(x[0]) - x[1]) / x[2]) },
		"logistic":    func(x []float64) float64 { return sigmoid((x[0] - x[1]) / x[2]) },
		"cauchy":      func(x []float64) float64 { return 0.5 + math.Atan((x[0]-x[1])/x[2])/math.Pi },
		"gamma":       func(x []float64) float64 { return mathext.GammaIncReg(x[1], x[2]*x[0]) },
		"beta":        func(x []float64) float64 { return mathext.RegIncBeta(x[1], x[2], x[0]) },
		"student_t": func(x []float64) float64 {
			return distuv.StudentsT{Nu: x[1], Mu: x[2], Sigma: x[3]}.CDF(x[0])
		},
		"double_exponential": func(x []float64) float64 {
			return distuv.Laplace{Mu: x[1], Scale: x[2]}.CDF(x[0])
		},
		"gumbel": func(x []float64) float64 {
			return math.Exp(-math.Exp(-(x[0] - x[1]) / x[2]))
		},
	}[law]
	if f == nil && counts[law] != nil {
		f = func(x []float64) float64 { return summed(law, x) }
	}
	if f == nil && reals[law] != nil {
		f = func(x []float64) float64 { return integrated(law, x) }
	}
	if f == nil {
		fail("no distribution function of %s", law)
	}
	return func(x []float64) float64 { return math.Log(f(x)) }
}

func logCCDF(law string) uni {
	switch law {
	case "normal":
		return func(x []float64) float64 { return math.Log(phi(-(x[0] - x[1]) / x[2])) }
	case "exponential":
		return func(x []float64) float64 { return -x[1] * x[0] }
	case "weibull":
		return func(x []float64) float64 { return -math.Pow(x[0]/x[2], x[1]) }
	}
	f := logCDF(law)
	return func(x []float64) float64 { return math.Log1p(-math.Exp(f(x))) }
}

// spread sums a function over the entries of its arguments: numbers stand for all.
func spread(f uni, args []any) float64 {
	n := -1
	flats := make([][]float64, len(args))
	for i, a := range args {
		flats[i] = flat(a)
		if _, isList := a.(*list); isList {
			if n >= 0 && n != len(flats[i]) {
				fail("arguments of %d and %d entries", n, len(flats[i]))
			}
			n = len(flats[i])
		}
	}
	if n < 0 {
		n = 1
	}
	s := 0.0
	for k := range n {
		x := make([]float64, len(args))
		for i := range args {
			x[i] = flats[i][min(k, len(flats[i])-1)]
			if _, isList := args[i].(*list); isList {
				x[i] = flats[i][k]
			}
		}
		s += f(x)
	}
	return s
}

func known(law string) bool {
	return reals[law] != nil || counts[law] != nil || multi[law] != nil || glm[law] != nil
}

// density is the log density of y, args[0].
func density(law string, args []any) float64 {
	for i, c := range domains[law] {
		if i >= len(args) {
			break
		}
		for _, x := range flat(args[i]) {
			if c != '.' && !(x >= 0) || c == 'u' && x > 1 {
				return math.NaN() // Stan rejects the point
			}
		}
	}
	if f := reals[law]; f != nil {
		return spread(f, args)
	}
	if f := counts[law]; f != nil {
		return spread(f, args)
	}
	if g := glm[law]; g != nil {
		return g(args)
	}
	f := multi[law]
	for _, suffix := range []string{"_lpdf", "_lpmf"} {
		if g := library[law+suffix]; f == nil && g != nil {
			return num(g(args))
		}
	}
	if f == nil {
		fail("no law %s", law)
	}
	// families: arrays of values or of arguments
	own := axes[law]
	n := -1
	family := func(v any, own int) bool { return depth(v) > own }
	for i, a := range args {
		if family(a, own[i]) {
			n = len(a.(*list).elems)
		}
	}
	if v, is := args[0].(*list); is && own[0] > 0 && v.kind == 'a' && len(v.elems) == 0 {
		n = 0
	}
	if n < 0 {
		return f(args)
	}
	s := 0.0
	for k := range n {
		one := make([]any, len(args))
		for i, a := range args {
			one[i] = a
			if family(a, own[i]) {
				one[i] = a.(*list).elems[k]
			}
		}
		s += f(one)
	}
	return s
}

func depth(v any) int {
	l, ok := v.(*list)
	if !ok {
		return 0
	}
	if len(l.elems) == 0 {
		return 1
	}
	return 1 + depth(l.elems[0])
}

// axes are those of the value and of each argument.
var axes = map[string][]int{
	"multi_normal": {1, 1, 2}, "multi_normal_cholesky": {1, 1, 2}, "multi_normal_prec": {1, 1, 2},
	"multi_student_t": {1, 0, 1, 2}, "dirichlet": {1, 1}, "multinomial": {1, 1},
	"multinomial_logit": {1, 1}, "dirichlet_multinomial": {1, 1}, "categorical": {0, 1},
	"categorical_logit": {0, 1}, "ordered_logistic": {0, 0, 1}, "ordered_probit": {0, 0, 1},
	"lkj_corr": {2, 0}, "lkj_corr_cholesky": {2, 0}, "wishart": {2, 0, 2}, "inv_wishart": {2, 0, 2},
	"inv_wishart_cholesky": {2, 0, 2}, "wishart_cholesky": {2, 0, 2},
}

func column(x []float64) [][]float64 { return transpose([][]float64{x}) }

// gaussian is the quadratic form and the log determinant of a normal of a covariance.
func gaussian(y, mu []float64, sigma [][]float64) (q, logDet float64) {
	d := make([]float64, len(y))
	for i := range d {
		d[i] = y[i] - mu[i]
	}
	for i, l := range cholesky(sigma) {
		if !(l[i] > 0) || math.Abs(sigma[i][0]-sigma[0][i]) > 1e-8 {
			return math.NaN(), math.NaN() // no covariance
		}
	}
	x, logDet := gauss(sigma, column(d))
	for i := range d {
		q += d[i] * x[i][0]
	}
	return q, logDet
}

// lower is the lower triangle, which is what is read of a Cholesky factor; one with a diagonal
// that is
// not positive is none.
func lower(l [][]float64) [][]float64 {
	out := make([][]float64, len(l))
	for i := range l {
		out[i] = make([]float64, len(l[i]))
		copy(out[i][:i+1], l[i])
		if !(l[i][i] > 0) {
			out[i][i] = math.NaN()
		}
	}
	return out
}

func squared(l [][]float64) [][]float64 { return product(l, transpose(l)) }

func logSoftmax(x []float64) []float64 {
	z := logSumExp(x)
	out := make([]float64, len(x))
	for i := range x {
		out[i] = x[i] - z
	}
	return out
}

func cut(y float64, eta float64, c []float64, cdf func(float64) float64) float64 {
	k := int(y)
	hi, lo := 1.0, 0.0
	if k <= len(c) {
		hi = cdf(c[k-1] - eta)
	}
	if k > 1 {
		lo = cdf(c[k-2] - eta)
	}
	return math.Log(hi - lo)
}

var multi map[string]func([]any) float64

func init() {
	normal := func(y, mu []float64, s [][]float64) float64 {
		q, ld := gaussian(y, mu, s)
		return -0.5 * (q + ld + float64(len(y))*log2pi)
	}
	counted := func(y []float64) float64 {
		n, s := 0.0, 0.0
		for _, k := range y {
			n += k
			s -= lg(k + 1)
		}
		return lg(n+1) + s
	}
	wish := func(x [][]float64, nu float64, s [][]float64, inverse bool) float64 {
		k := float64(len(x))
		_, ldX := gauss(x, eye(len(x)))
		_, ldS := gauss(s, eye(len(x)))
		a, b := s, x
		if inverse {
			a, b = x, s
		}
		r, _ := gauss(a, b)
		tr := 0.0
		for i := range r {
			tr += r[i][i]
		}
		if inverse {
			return nu/2*ldS - (nu+k+1)/2*ldX - tr/2
		}
		return (nu-k-1)/2*ldX - nu/2*ldS - tr/2
	}
	wishLG := func(nu float64, k int) float64 {
		s := nu * float64(k) / 2 * math.Ln2
		s += float64(k*(k-1)) / 4 * math.Log(math.Pi)
		for j := range k {
			s += lg((nu - float64(j)) / 2)
		}
		return s
	}
	multi = map[string]func([]any) float64{
		"multi_normal": func(a []any) float64 { return normal(flat(a[0]), flat(a[1]), rows(a[2])) },
		"multi_normal_cholesky": func(a []any) float64 {
			return normal(flat(a[0]), flat(a[1]), squared(lower(rows(a[2]))))
		},
		"multi_normal_prec": func(a []any) float64 {
			inv, _ := gauss(rows(a[2]), eye(len(rows(a[2]))))
			return normal(flat(a[0]), flat(a[1]), inv)
		},
		"multi_student_t": func(a []any) float64 {
			y, nu := flat(a[0]), num(a[1])
			d := float64(len(y))
			q, ld := gaussian(y, flat(a[2]), rows(a[3]))
			return lg((nu+d)/2) - lg(nu/2) - d/2*math.Log(nu*math.Pi) - ld/2 -
				(nu+d)/2*math.Log1p(q/nu)
		},
		"dirichlet": func(a []any) float64 {
			x, al := flat(a[0]), flat(a[1])
			s, t := 0.0, 0.0
			for i := range x {
				s += (al[i]-1)*math.Log(x[i]) - lg(al[i])
				t += al[i]
			}
			return s + lg(t)
		},
		"multinomial": func(a []any) float64 {
			y, p := flat(a[0]), flat(a[1])
			s := counted(y)
			for i := range y {
				s += y[i] * math.Log(p[i])
			}
			return s
		},
		"multinomial_logit": func(a []any) float64 {
			y, p := flat(a[0]), logSoftmax(flat(a[1]))
			s := counted(y)
			for i := range y {
				s += y[i] * p[i]
			}
			return s
		},
		"dirichlet_multinomial": func(a []any) float64 {
			y, al := flat(a[0]), flat(a[1])
			s, n, t := counted(y), 0.0, 0.0
			for i := range y {
				s += lg(y[i]+al[i]) - lg(al[i])
				n += y[i]
				t += al[i]
			}
			return s + lg(t) - lg(n+t)
		},
		"categorical":       func(a []any) float64 { return math.Log(flat(a[1])[whole(a[0])-1]) },
		"categorical_logit": func(a []any) float64 { return logSoftmax(flat(a[1]))[whole(a[0])-1] },
		"ordered_logistic": func(a []any) float64 {
			return cut(num(a[0]), num(a[1]), flat(a[2]), sigmoid)
		},
		"ordered_probit": func(a []any) float64 { return cut(num(a[0]), num(a[1]), flat(a[2]), phi) },
		"lkj_corr": func(a []any) float64 {
			_, ld := gauss(rows(a[0]), eye(len(rows(a[0]))))
			return (num(a[1])-1)*ld + lkjConstant(num(a[1]), len(rows(a[0])))
		},
		"lkj_corr_cholesky": func(a []any) float64 {
			l := rows(a[0])
			s := lkjConstant(num(a[1]), len(l))
			if num(a[1]) <= 0 {
				s = math.NaN()
			}
			for k := 1; k < len(l); k++ {
				s += (float64(len(l)-k-1) + 2*num(a[1]) - 2) * math.Log(l[k][k])
			}
			return s
		},
		"wishart": func(a []any) float64 {
			k := len(rows(a[0]))
			return wish(rows(a[0]), num(a[1]), rows(a[2]), false) - wishLG(num(a[1]), k)
		},
		"inv_wishart": func(a []any) float64 {
			k := len(rows(a[0]))
			return wish(rows(a[0]), num(a[1]), rows(a[2]), true) - wishLG(num(a[1]), k)
		},
		"wishart_cholesky": func(a []any) float64 {
			l := rows(a[0])
			return wish(squared(l), num(a[1]), squared(rows(a[2])), false) - wishLG(num(a[1]), len(l)) +
				covJacobian(l)
		},
		"inv_wishart_cholesky": func(a []any) float64 {
			l := rows(a[0])
			return wish(squared(l), num(a[1]), squared(rows(a[2])), true) - wishLG(num(a[1]), len(l)) +
				covJacobian(l)
		},
	}
}

// lkjConstant is the logarithm of the factor of the density of correlation matrices of k rows.
// Source: Lewandowski, Kurowicka & Joe (2009), equation (16), by vines.
func lkjConstant(eta float64, k int) float64 {
	s := 0.0
	for i := 1; i < k; i++ {
		s -= (2*eta - 2 + float64(k-i)) * float64(k-i) * math.Ln2
		b := eta + float64(k-i-1)/2
		s -= float64(k-i) * lbeta(b, b)
	}
	return s
}

// covJacobian is the logarithm of the derivative of L L' by L, less a constant.
func covJacobian(l [][]float64) float64 {
	s := 0.0
	for k := range l {
		s += float64(len(l)-k) * math.Log(l[k][k])
	}
	return s
}

// glm are the fused regressions: y, x, alpha, beta and what follows.
var glm map[string]func([]any) float64

func init() {
	m := &machine{}
	mean := func(x, alpha, beta any) any { return m.op("+", m.op("*", x, beta), alpha) }
	glm = map[string]func([]any) float64{
		"bernoulli_logit_glm": func(a []any) float64 {
			return density("bernoulli_logit", []any{a[0], mean(a[1], a[2], a[3])})
		},
		"poisson_log_glm": func(a []any) float64 {
			return density("poisson_log", []any{a[0], mean(a[1], a[2], a[3])})
		},
		"normal_id_glm": func(a []any) float64 {
			return density("normal", []any{a[0], mean(a[1], a[2], a[3]), a[4]})
		},
		"neg_binomial_2_log_glm": func(a []any) float64 {
			return density("neg_binomial_2_log", []any{a[0], mean(a[1], a[2], a[3]), a[4]})
		},
		"ordered_logistic_glm": func(a []any) float64 {
			eta := m.op("*", a[1], a[2]).(*list)
			return density("ordered_logistic", []any{a[0], &list{'a', eta.elems}, a[3]})
		},
		"categorical_logit_glm": func(a []any) float64 {
			s := 0.0
			for i, row := range a[1].(*list).elems {
				eta := m.op("+", vec('v', flat(m.op("*", row, a[3]))), a[2])
				s += density("categorical_logit", []any{a[0].(*list).elems[i], eta})
			}
			return s
		},
	}
}

// domains are the arguments that Stan checks, the value first: positive or between 0 and 1.
var domains = map[string]string{
	"poisson": ".p", "bernoulli": ".u", "binomial": "..u", "beta_binomial": "..pp",
	"neg_binomial": ".pp", "neg_binomial_2": ".pp", "neg_binomial_2_log": "..p", "gamma": "ppp",
	"inv_gamma": "ppp", "chi_square": "pp", "inv_chi_square": "pp", "scaled_inv_chi_square": "ppp",
	"weibull": "ppp", "frechet": "ppp", "rayleigh": "pp", "lognormal": "p.p", "exponential": "pp",
	"beta": "upp", "beta_proportion": "uup", "pareto": "ppp", "pareto_type_2": "..pp",
	"exp_mod_normal": "..pp", "student_t": ".p.p", "von_mises": "..p", "dirichlet": ".p",
	"dirichlet_multinomial": ".p", "normal": "..p", "cauchy": "..p", "logistic": "..p",
	"gumbel": "..p", "double_exponential": "..p", "skew_normal": "..p.",
}
