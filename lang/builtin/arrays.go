package builtin

import . "github.com/sgppl/sgppl/lang/types"

// reduce makes a reduction of numbers of one kind to another.
func reduce(name string, from, to Kind, doc string) *Func {
	return &Func{Name: name, Class: Reduction, Params: []Param{{Name: "a", Kind: from}}, Result: Param{Kind: to}, Doc: doc}
}

// array makes a function with a signature.
func array(name string, result Param, doc string, params ...Param) *Func {
	return &Func{Name: name, Class: Array, Params: params, Result: result, Doc: doc}
}

// special makes a function with a rule of its own.
func special(name string, rule Rule, kind Kind, doc string, params ...string) *Func {
	f := &Func{Name: name, Class: Special, Rule: rule, Result: Param{Kind: kind}, Doc: doc}
	for _, p := range params {
		f.Params = append(f.Params, Param{Name: p, Kind: Real})
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

		array("dot", to(Real), "the sum of the products of entries", arg("a", Real, "N"), arg("b", Real, "N")),
		array("outer", to(Real, "N", "M"), "every product of an entry of a and one of b", arg("a", Real, "N"), arg("b", Real, "M")),
		array("norm", to(Positive), "the Euclidean length", arg("a", Real, "N")),
		array("normalize", to(Sphere, "N"), "the unit vector in the direction of a", arg("a", Real, "N")),
		array("softmax", to(Simplex, "K"), "exp(a) divided by its sum, without overflow", arg("a", Real, "K")),
		array("log_softmax", to(Real, "K"), "log(softmax(a))", arg("a", Real, "K")),
		array("cumsum", to(Real, "N"), "the running sums, each with its own entry", arg("a", Real, "N")),
		array("diag", to(Real, "N", "N"), "the matrix with a on its diagonal", arg("a", Real, "N")),
		array("cholesky", to(CovChol, "N"), "the lower triangle L with L @ transpose(L) = A, of which the lower triangle is read; NaN where A is not positive definite", arg("A", Real, "N", "N")),
		array("triangular_solve", to(Real, "N"), "the x with L @ x = b, for a lower triangle L", arg("L", Real, "N", "N"), arg("b", Real, "N")),
		array("triangular_solve_t", to(Real, "N"), "the x with transpose(L) @ x = b, for a lower triangle L", arg("L", Real, "N", "N"), arg("b", Real, "N")),
		array("solve_spd", to(Real, "N"), "the x with A @ x = b, for a positive definite A, by its Cholesky factor", arg("A", Real, "N", "N"), arg("b", Real, "N")),
		array("inverse_spd", to(Real, "N", "N"), "the inverse of a positive definite A, by its Cholesky factor; to solve, solve_spd keeps more digits", arg("A", Real, "N", "N")),
		array("trace", to(Real), "the sum of the diagonal", arg("A", Real, "N", "N")),
		array("log_det", to(Real), "log of the determinant of a positive definite A, by its Cholesky factor", arg("A", Real, "N", "N")),
		array("quad_form", to(Real), "x @ A @ x", arg("A", Real, "N", "N"), arg("x", Real, "N")),

		special("zeros", Fill, Real, "zeros(N, M): an array of zeros"),
		special("ones", Fill, Positive, "ones(N, M): an array of ones"),
		special("identity", Identity, Real, "identity(N): ones on the diagonal of an N by N matrix"),
		special("transpose", Transpose, Real, "rows and columns exchanged", "a"),
		special("concat", Concat, Real, "arrays after each other along their first axis"),
		special("reshape", Reshape, Real, "reshape(a, N, P): the entries in order in another shape; checked with the data", "a"),
		special("flatten", Flatten, Real, "the entries in order in one axis", "a"),
		special("conv2d", Conv, Real, "sums of windows of x times weights, W[D, C, k, l]; stride = s takes every s-th window, pad = p puts p zeros around", "x", "W"),
		special("max_pool2d", Pool, Real, "the largest entry of every k by k tile, or with stride = s of windows s apart", "x", "k"),
		special("avg_pool2d", Pool, Real, "the mean of every k by k tile, or with stride = s of windows s apart", "x", "k"),
		special("ode", Ode, Real, "ode(f, z0, t0, ts, …, rtol, atol): the solution of dz/dt = f(t, z, …) at the times ts", "f", "z0", "t0", "ts"),
	)
}
