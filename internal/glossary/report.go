package glossary

// report are the words of the pictures of `sgppl report`.
var report = []Word{
	{Name: "posterior predictive check", Aliases: []string{"ppc", "simulated data sets"},
		Is: "data sets drawn from the model, each from one draw of the posterior, compared with the " +
			"observations", Expected: "the observations look like one of them",
		Moves:  "tails, skewness, zeros, groups and dependence that the model lacks",
		Do:     "change the likelihood, and compare the models by `sgppl loo`",
		Source: "Gelman et al. 2013, chapter 6", See: "docs/report.md"},
	{Name: "tail probability", Aliases: []string{"p_value", "P(≥ observed)"},
		Is: "the share of simulated data sets whose statistic is at least the observed one; equal ones " +
			"count half", Formula: "P(T(y_rep) > T(y)) + P(T(y_rep) = T(y)) / 2",
		Expected: "not near 0 or 1",
		Moves: "a statistic that a param fits directly, such as the mean, is near 1/2 for any " +
			"model; the others show what the model lacks",
		Verdict: "`unlike the data sets` below 0.005 and above 0.995",
		Source:  "Gelman et al. 2013, section 6.3", See: "docs/report.md"},
	{Name: "loo_pit", Aliases: []string{"pit", "LOO-PIT"},
		Is: "where in its predictive distribution, given the other observations, an observation " +
			"lies: the probability of a smaller one",
		Formula:  "Σ_s w_s [y_rep_s < y] + u Σ_s w_s [y_rep_s = y], w the weights of PSIS-LOO, u uniform",
		Expected: "uniform over the observations: inside the band",
		Moves:    "predictions that are too wide (a hump), too narrow (a bowl), or biased (a slope)",
		Do:       "look at the densities of simulated data sets, and change the likelihood",
		Source:   "Gelfand, Dey and Chang 1992; Säilynoja, Bürkner and Vehtari 2022",
		See:      "docs/report.md"},
	{Name: "autocorrelation",
		Is:       "the correlation of a chain with itself, so many draws later",
		Formula:  "Cov(x_t, x_{t+lag}) / Var x",
		Expected: "within ±1.96 / √n after few lags",
		Moves:    "slow exploration: scales of very different lengths, ridges, funnels",
		Do:       "more --draws, or another parametrization; --thin saves space and gains nothing",
		See:      "docs/report.md"},
}
