package diag

// lintCodes explain what is legal but seldom meant: the warnings of
// `sgppl check --pedantic`, which lang/lint finds.
var lintCodes = []Explanation{
	{"W0911", "a name that nothing uses",
		"An input, a parameter or a let that no term of the density and no tracked value " +
			"mentions. Often another name was meant somewhere.",
		"data x : real\nparam m : real ~ normal(0, 1)\nfactor m\n"},
	{"W0912", "a parameter without a prior on an unbounded type",
		"Without ~ the density is 1 on the whole type. On real, positive and their like this has " +
			"no integral, and the posterior is proper only where the data make it so.",
		"dim N\ndata y[N] : real\nparam m : real\nfor n in N { y[n] ~ normal(m, 1) }\n"},
	{"W0913", "a gamma prior with two small arguments",
		"gamma(0.001, 0.001) and its inverse are often meant as vague. They are not: the density " +
			"has a pole at zero, and how small the arguments are decides the answer. Gelman " +
			"(2006), Prior distributions for variance parameters, §4.3.",
		"param s : positive ~ gamma(0.001, 0.001)\nfactor -s\n"},
	{"W0914", "a factor that a plate repeats",
		"A plate adds its terms once for every row. A factor that does not depend on the row is " +
			"added N times, and in a minibatch it is scaled with the rows.",
		"dim N\ndata x[N] : real\nparam m : real ~ normal(0, 1)\nfor n in N {\n" +
			"  x[n] ~ normal(m, 1)\n  factor -m^2\n}\n"},
	{"W0915", "a condition on an unknown",
		"The gradient of `if` is that of the branch taken. Where the branches do not meet, the " +
			"density jumps, and a sampler that follows gradients does not see it.",
		"param m : real ~ normal(0, 1)\nfactor if m > 0 then -1 else 1\n"},
	{"W0916", "a uniform prior on a wider type",
		"uniform(a, b) has density 0 outside its ends, a cliff that no gradient announces. The " +
			"type interval(a, b) keeps the parameter between them, and needs no prior.",
		"param s : positive ~ uniform(0, 10)\nfactor -s\n"},
	{"W0917", "an argument whose type does not say that it is in range",
		"A scale, shape or rate is above 0 and a probability between 0 and 1. An unknown of a " +
			"wider type leaves the range, where the density is nothing. Values that are computed " +
			"are not judged.",
		"dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1), s : real ~ normal(1, 1)\n" +
			"for n in N { y[n] ~ normal(m, s) }\n"},
	{"W0918", "a prior cut inside its type",
		"truncated(lo, hi) makes the density 0 outside, a cliff that no gradient announces. " +
			"Declared as a narrower type, such as positive, the parameter stays inside, and the " +
			"prior is conditioned just so.",
		"param s : real ~ normal(0, 1) truncated(0, inf)\nfactor -s\n"},
	{"W0919", "hard bounds",
		"A parameter that is uniform between two numbers piles up at one of them where the data " +
			"disagree with it. Bounds that no arithmetic sets are better said by a prior that " +
			"falls off. Probabilities, correlations and angles are not warned of.",
		"dim N\ndata y[N] : real\nparam m : interval(-50, 50)\nfor n in N { y[n] ~ normal(m, 1) }\n"},
	{"W0920", "a prior far from unit scale",
		"Samplers take steps of one size in all coordinates, and chains start within a few units " +
			"of 0. A prior of scale 1000 or 0.001 says that the unit of measurement is not the " +
			"parameter's own. A parameter whose `init` says where chains start may have its " +
			"prior centred far from 0. The scales of data are not warned of, nor shapes and rates.",
		"dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1000)\n" +
			"for n in N { y[n] ~ normal(m, 1) }\n"},
	{"W0921", "a density without its Jacobian",
		"normal.logpdf(log(s), 0, 1) is the density of log(s). As a prior of s it lacks the " +
			"derivative of the logarithm, and s would have another distribution than is meant. " +
			"Residuals, which have data in them, are not warned of.",
		"param s : positive ~ exponential(1)\nfactor normal.logpdf(log(s), 0, 1)\n"},
	{"W0922", "data outside the axis of minibatches",
		"The model has an axis that can be minibatched, and these data lie along another that " +
			"cannot: every step computes all their terms. Where the data are few this is as it should be.",
		"dim N, J\ndata y[N], z[J] : real\n" +
			"param m : real ~ normal(0, 1), a[J] : real ~ normal(0, 1)\n" +
			"for n in N { y[n] ~ normal(m, 1) }\nfor j in J { z[j] ~ normal(a[j], 1) }\n"},
	{"W0923", "a distribution on R^K as a prior on a surface",
		"On a sphere or simplex the density of a distribution on R^K has another constant, which " +
			"changes with its arguments. Where they are numbers nothing is lost; where they are " +
			"unknown the posterior is another than is meant.",
		"param u : sphere[3] ~ multi_normal_cholesky(zeros(3), identity(3))\nfactor u[0]\n"},
	{"W0924", "a plate from row 1",
		"Indices count from 0, so that 1:N is all of N but its first row. Where nothing looks " +
			"one row back, and no statement speaks of row 0, all of N was probably meant.",
		"dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1)\n" +
			"for n in 1:N { y[n] ~ normal(m, 1) }\n"},
	{"W0925", "an index less one",
		"Indices count from 0 in a model. Data that count from 1 are declared with `from 1` and " +
			"read so; subtracting again is one too low, and runs out of the axis at the first entry.",
		"dim N, K\ndata g[N] : index[K]\ndata y[N] : real\nparam a[K] : real ~ normal(0, 1)\n" +
			"for n in N { y[n] ~ normal(a[g[n] - 1], 1) }\n"},
}
