package diag

// lintCodes explain what is legal but seldom meant: the warnings of
// `sgppl check --pedantic`, which lang/lint finds.
var lintCodes = []Explanation{
	{"W0911", "a name that nothing uses",
		"An input, a parameter or a let that no term of the density and no tracked value mentions. Often another name was meant somewhere.",
		"data x : real\nparam m : real ~ normal(0, 1)\nfactor m\n"},
	{"W0912", "a parameter without a prior on an unbounded type",
		"Without ~ the density is 1 on the whole type. On real, positive and their like this has no integral, and the posterior is proper only where the data make it so.",
		"dim N\ndata y[N] : real\nparam m : real\nfor n in N { y[n] ~ normal(m, 1) }\n"},
	{"W0913", "a gamma prior with two small arguments",
		"gamma(0.001, 0.001) and its inverse are often meant as vague. They are not: the density has a pole at zero, and how small the arguments are decides the answer. Gelman (2006), Prior distributions for variance parameters, §4.3.",
		"param s : positive ~ gamma(0.001, 0.001)\nfactor -s\n"},
	{"W0914", "a factor that a plate repeats",
		"A plate adds its terms once for every row. A factor that does not depend on the row is added N times, and in a minibatch it is scaled with the rows.",
		"dim N\ndata x[N] : real\nparam m : real ~ normal(0, 1)\nfor n in N {\n  x[n] ~ normal(m, 1)\n  factor -m^2\n}\n"},
	{"W0915", "a condition on an unknown",
		"The gradient of `if` is that of the branch taken. Where the branches do not meet, the density jumps, and a sampler that follows gradients does not see it.",
		"param m : real ~ normal(0, 1)\nfactor if m > 0 then -1 else 1\n"},
	{"W0916", "a uniform prior on a wider type",
		"uniform(a, b) has density 0 outside its ends, a cliff that no gradient announces. The type interval(a, b) keeps the parameter between them, and needs no prior.",
		"param s : positive ~ uniform(0, 10)\nfactor -s\n"},
}
