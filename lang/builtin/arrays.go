package builtin

import . "github.com/sgppl/sgppl/lang/types"

// reduce makes a reduction of numbers of one kind to another.
func reduce(name string, from, to Kind, doc string) *Func {
	return &Func{Name: name, Class: Reduction, Params: []Param{{Name: "a", Kind: from}},
		Result: Param{Kind: to}, Doc: doc}
}

// array makes a function with a signature.
func array(name string, result Param, doc string, params ...Param) *Func {
	return &Func{Name: name, Class: Array, Params: params, Result: result, Doc: doc}
}

// special makes a function with its own shape rule.
func special(name string, rule Rule, kind Kind, doc string, params ...string) *Func {
	f := &Func{Name: name, Class: Special, Rule: rule, Result: Param{Kind: kind}, Doc: doc}
	for _, p := range params {
		f.Params = append(f.Params, Param{Name: p, Kind: Real})
	}
	return f
}

const rasmussen = "Rasmussen & Williams (2006), Gaussian Processes for Machine Learning, section " +
	"4.2"

// gp makes a covariance function of Gaussian processes.
func gp(name, formula string, more ...string) *Func {
	args := "alpha, rho"
	for _, m := range more {
		args += ", " + m
	}
	f := special(name, Gp, Real,
		name+"(x, "+args+") and "+name+"(x, y, "+args+"): the covariance "+formula+
			" of every point of x with every point of y, or of x itself, "+
			"where r is their distance over rho; points are numbers [N], or rows of [N, D], for "+
			"which rho may have D numbers", append([]string{"x", "alpha", "rho"}, more...)...)
	for i := range f.Params[1:] {
		f.Params[1+i].Kind = Positive
	}
	return f
}

func arg(name string, k Kind, sizes ...string) Param { return Param{name, k, sizes} }
func to(k Kind, sizes ...string) Param               { return Param{"", k, sizes} }

func init() {
	add(
		keep(reduce("sum", Real, Real, "the sum of all entries")),
		keep(reduce("prod", Real, Real, "the product of all entries")),
		reduce("mean", Real, Real, "the sum divided by the number of entries"),
		// min and max of one array reduce; of two numbers they act entry by entry.
		keep(reduce("min", Real, Real, "the smallest entry, or of two numbers the smaller")),
		keep(reduce("max", Real, Real, "the largest entry, or of two numbers the larger")),
		reduce("any", Bool, Bool, "whether one entry is true"),
		reduce("all", Bool, Bool, "whether every entry is true"),
		reduce("log_sum_exp", Real, Real, "log of the sum of the exponentials, without overflow"),
		reduce("sd", Real, Positive, "the standard deviation, by N - 1"),
		reduce("variance", Real, Positive, "the variance, by N - 1"),

		array("dot", to(Real), "the sum of the products of entries", arg("a", Real, "N"),
			arg("b", Real, "N")),
		array("outer", to(Real, "N", "M"), "every product of an entry of a and one of b",
			arg("a", Real, "N"), arg("b", Real, "M")),
		array("norm", to(Positive), "the Euclidean length", arg("a", Real, "N")),
		array("normalize", to(Sphere, "N"), "the unit vector in the direction of a",
			arg("a", Real, "N")),
		array("softmax", to(Simplex, "K"), "exp(a) divided by its sum, without overflow",
			arg("a", Real, "K")),
		array("log_softmax", to(Real, "K"), "log(softmax(a))", arg("a", Real, "K")),
		array("cumsum", to(Real, "N"), "the running sums, each with its own entry",
			arg("a", Real, "N")),
		array("diag", to(Real, "N", "N"), "the matrix with a on its diagonal", arg("a", Real, "N")),
		array("cholesky", to(CovChol, "N"),
			"the lower triangle L with L @ transpose(L) = A, of which the lower triangle is "+
				"read; NaN where A is not positive definite", arg("A", Real, "N", "N")),
		array("triangular_solve", to(Real, "N"), "the x with L @ x = b, for a lower triangle L",
			arg("L", Real, "N", "N"), arg("b", Real, "N")),
		array("triangular_solve_t", to(Real, "N"),
			"the x with transpose(L) @ x = b, for a lower triangle L", arg("L", Real, "N", "N"),
			arg("b", Real, "N")),
		array("solve_spd", to(Real, "N"),
			"the x with A @ x = b, for a positive definite A, by its Cholesky factor",
			arg("A", Real, "N", "N"), arg("b", Real, "N")),
		array("inverse_spd", to(Real, "N", "N"),
			"the inverse of a positive definite A, by its Cholesky factor; to solve, solve_spd "+
				"keeps more digits", arg("A", Real, "N", "N")),
		array("eigenvalues_sym", to(Real, "N"),
			"the eigenvalues of a symmetric A, of which the lower triangle is read, in rising "+
				"order; their gradient holds at ties for what does not depend on their order, "+
				"such as sums",
			arg("A", Real, "N", "N")),
		array("eigenvectors_sym", to(Real, "N", "N"),
			"the eigenvectors of a symmetric A as columns, in the order of eigenvalues_sym; the "+
				"first entry of at least half the largest magnitude is positive; where "+
				"eigenvalues are equal, "+
				"their vectors are one basis of many, and a gradient of them is not finite",
			arg("A", Real, "N", "N")),
		array("qr_thin_Q", to(Real, "N", "K"),
			"the matrix with orthonormal columns of X = Q @ R, for X with K independent columns "+
				"and as many rows or more; NaN or infinite for others", arg("X", Real, "N", "K")),
		array("qr_thin_R", to(Real, "K", "K"),
			"the upper triangle R of X = Q @ R, whose diagonal is not below 0",
			arg("X", Real, "N", "K")),
		array("sort", to(Real, "N"), "the entries in rising order; NaN comes last",
			arg("a", Real, "N")),
		array("quantile", to(Real),
			"the number below which a share p of the entries lies, on the line between the two "+
				"entries around the place p (N - 1); p from 0 to 1", arg("a", Real, "N"),
			arg("p", Real)),
		array("trace", to(Real), "the sum of the diagonal", arg("A", Real, "N", "N")),
		array("log_det", to(Real),
			"log of the determinant of a positive definite A, by its Cholesky factor",
			arg("A", Real, "N", "N")),
		array("quad_form", to(Real), "x @ A @ x", arg("A", Real, "N", "N"), arg("x", Real, "N")),

		special("zeros", Fill, Real, "zeros(N, M): an array of zeros"),
		special("ones", Fill, Positive, "ones(N, M): an array of ones"),
		special("identity", Identity, Real,
			"identity(N): ones on the diagonal of an N by N matrix"),
		special("transpose", Transpose, Real, "rows and columns exchanged", "a"),
		special("concat", Concat, Real, "arrays after each other along their first axis"),
		special("reshape", Reshape, Real,
			"reshape(a, N, P): the entries in order in another shape; checked with the data", "a"),
		special("flatten", Flatten, Real, "the entries in order in one axis", "a"),
		special("conv2d", Conv, Real,
			"sums of windows of x times weights, W[D, C, k, l]; stride = s takes every s-th "+
				"window, pad = p puts p zeros around", "x", "W"),
		special("max_pool2d", Pool, Real,
			"the largest entry of every k by k tile, or with stride = s of windows s apart; pad = p "+
				"puts p entries around that are never the largest", "x", "k"),
		special("avg_pool2d", Pool, Real,
			"the mean of every k by k tile, or with stride = s of windows s apart; pad = p puts p "+
				"zeros around", "x", "k"),
		source(gp("gp_exp_quad", "alpha^2 exp(-r^2 / 2)"), rasmussen),
		source(gp("gp_exponential", "alpha^2 exp(-r)"), rasmussen),
		source(gp("gp_matern32", "alpha^2 (1 + √3 r) exp(-√3 r)"), rasmussen),
		source(gp("gp_matern52", "alpha^2 (1 + √5 r + 5/3 r^2) exp(-√5 r)"), rasmussen),
		source(gp("gp_rational_quad", "alpha^2 (1 + r^2 / (2 mix))^-mix", "mix"), rasmussen),
		source(gp("gp_periodic",
			"alpha^2 exp(-2 sin(π d / period)^2 / rho^2), where d is the distance itself",
			"period"), "MacKay (1998), Introduction to Gaussian processes, (47)"),
		special("ode", Ode, Real,
			"ode(f, z0, t0, ts, …, rtol, atol): the solution of dz/dt = f(t, z, …) at the times ts",
			"f", "z0", "t0", "ts"),
	)
}
