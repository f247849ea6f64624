package diag

// lowerCodes explain what the language can say and this version cannot
// compile yet. Each example checks, and is refused by compile and sample.
var lowerCodes = []Explanation{
	{"E0701", "cannot be compiled yet",
		"The model is right, and this version has no code for the construct. No program is known " +
			"that needs this code: please report the one that you have.", ""},
	{"E0703", "a type cannot be compiled yet",
		"The type is right where it stands. Sparse data are compiled on two axes, and a type of " +
			"size 0 has no value.",
		"dim N\ndata x[N, 3, 4] : sparse real\nparam m : real\n" +
			"for n in N { factor m * x[n, 0, 0] }\n"},
	{"E0704", "a derivative is not known",
		"The call is right, and the derivative that the samplers need of it has no formula here: " +
			"of a solution by its times, of an incomplete function twice by its shape.",
		"param a : positive\nfn f(t : real, z : real) -> real { -z }\n" +
			"factor sum(ode(f, 1, 0, [a]))\n"},
	{"E0705", "a local cannot be compiled yet",
		"Latent values of a row are checked, and this version compiles discrete ones with " +
			"finitely many values, by marginal or gibbs, conjugate ones, by collapse, and " +
			"continuous ones. Those that are drawn, by gibbs or gmc, stand in a plate over rows " +
			"that depend on the params alone.",
		"dim N\ndata y[N] : real\nparam p : positive\nfor n in N {\n" +
			"  local z : count ~ poisson(p) by gibbs\n  y[n] ~ normal(z, 1)\n}\n"},
	{"E0706", "a ragged size cannot be compiled here",
		"Arrays of a row's own length are computed entry by entry, summed, reduced, carried by " +
			"scans and observed. Functions of the whole array, and ranges that start at the " +
			"length of a row, are not compiled.",
		"dim S, T(S)\ndata x[S, T] : real\nparam m : real\n" +
			"for s in S { factor m * sum(concat(x[s], x[s])) }\n"},
	{"E0708", "a strategy cannot be compiled yet",
		"A param is integrated out in closed form, by collapse, where all that depends on it is " +
			"of a conjugate pair with its prior: the variate of a plain distribution, neither " +
			"truncated nor a mixture, with one entry of the param as its parameter. The entries " +
			"of a discrete param, z[I], are summed out one by one, where every term depends on " +
			"one of them, z[i] or z[ii[n]]: two in one term are tied together.",
		"dim N\ndata y[N] : positive\nparam m : real ~ normal(0, 1) by collapse\n" +
			"for n in N { y[n] ~ normal(m, 1) truncated(0, inf) }\n"},
	{"E0710", "a distribution function is missing",
		"Truncation, censoring, and a prior conditioned on a narrower type need the distribution " +
			"function of the distribution, as cdf(x) or as logcdf(x) and logccdf(x). Of an " +
			"ordered vector whose entries have different laws, and of most laws on sum_to_zero, " +
			"the probability of the type has no formula, and may not depend on unknowns.",
		"param s : positive\nparam t : positive ~ von_mises(0, s)\n"},
	{"E0711", "sparse data would have to be made dense",
		"Sparse data are multiplied and contracted with dense values, x[n] @ w, or observed " +
			"entry by entry, since entries that are 0 differ by their parameters alone. Uses " +
			"that couple entries, such as cumsum(x[n]), need every one.",
		"dim N, P\ndata x[N] : sparse real[P]\nparam w[P] : real\n" +
			"for n in N { factor sum(cumsum(x[n]) * w) }\n"},
	{"E0712", "the model cannot be simulated",
		"Simulation draws every param from its prior and every observed name from its " +
			"distribution, whole and once. A flat prior, a factor, a part of an array, or a " +
			"distribution without generator leaves nothing to draw from. Give a prior, or the " +
			"parameters with --params. Predictions need the distributions of the observed names alone.",
		"dim N\ndata y[N] : real\nparam mu : real\ny ~ normal(mu, 1)\n"},
	{"E0714", "nothing can be left out of the likelihood",
		"Cross-validation leaves out a row of the data, or, where no axis can be taken by rows, " +
			"an entry of what a ~ observes. A factor that reads data is neither. Write the " +
			"likelihood with ~, or in terms of a row. Likewise `score --observed` needs latent " +
			"values of rows, which the known entries of a row say something of, and other " +
			"entries that a ~ observes, each with a probability of its own.",
		"dim M\ndata u[M] : real\nparam a : real\nfactor -sum(a - u[m] for m in M)^2\n"},
	{"E0715", "dropout cannot be compiled here",
		"Dropout sets entries to 0 at random, drawn for every row and step of optimize: the value " +
			"belongs to a row of the data, in a plate over all of them, and the rate is a " +
			"number or a const, at least 0 and below 1.",
		"dim N\ndata y[N] : real\nparam w[3] : real ~ normal(0, 1)\n" +
			"let v = dropout(w, 0.5)\nfor n in N { y[n] ~ normal(sum(v), 1) }\n"},
	{"E0716", "no full conditional that can be drawn from",
		"`sample --sampler gibbs` draws every unknown from its law given all others and the data. The " +
			"compiler knows the laws of real numbers under a log density that is quadratic in them; of " +
			"positive ones under powers of them and their logarithm; of numbers between 0 and 1, and " +
			"of simplexes, under their logarithms; of points on spheres under a linear density; and " +
			"of discrete unknowns whose entries do not depend on each other. Other unknowns need " +
			"another sampler. A component of a mixture is drawn where a local says which it is.",
		"param a : real ~ student_t(3, 0, 1)\n"},
	{"E0713", "the model is too large",
		"Functions are expanded where they are called. Functions that call others twice double " +
			"the work at every level.",
		"param a : real\nfn f0(x : real) -> real { x + 1 }\n" +
			"fn f1(x : real) -> real { f0(f0(x)) }\nfn f2(x : real) -> real { f1(f1(x)) }\n" +
			"fn f3(x : real) -> real { f2(f2(x)) }\nfn f4(x : real) -> real { f3(f3(x)) }\n" +
			"fn f5(x : real) -> real { f4(f4(x)) }\nfn f6(x : real) -> real { f5(f5(x)) }\n" +
			"fn f7(x : real) -> real { f6(f6(x)) }\nfn f8(x : real) -> real { f7(f7(x)) }\n" +
			"fn f9(x : real) -> real { f8(f8(x)) }\nfn f10(x : real) -> real { f9(f9(x)) }\n" +
			"fn f11(x : real) -> real { f10(f10(x)) }\n" +
			"fn f12(x : real) -> real { f11(f11(x)) }\n" +
			"fn f13(x : real) -> real { f12(f12(x)) }\n" +
			"fn f14(x : real) -> real { f13(f13(x)) }\n" +
			"fn f15(x : real) -> real { f14(f14(x)) }\nfactor f15(a)\n"},
	{"E0610", "a check of a distribution fails",
		"A line `check logpdf(value, parameters) == number` states what the distribution must " +
			"give, to the digits written. Either the density or the number is wrong.",
		"dist half_normal(s : positive) on positive {\n  logpdf(x) = normal.logpdf(x, 0, s)\n" +
			"  check logpdf(1.5, 2) == -1.2001885\n}\nparam a : positive ~ half_normal(1)\n"},
}
