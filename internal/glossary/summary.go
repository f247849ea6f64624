package glossary

const (
	vehtari   = "Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021"
	exchanged = "Syed, Bouchard-Côté, Deligiannidis and Doucet 2022, Non-reversible parallel " +
		"tempering"

	psis = "Vehtari, Simpson, Gelman, Yao and Gabry 2024, " +
		"Pareto smoothed importance sampling"
	loo2017        = "Vehtari, Gelman and Gabry 2017"
	powerscale2024 = "Kallioinen, Paananen, Bürkner and Vehtari 2024"
	stacking2018   = "Yao, Vehtari, Simpson and Gelman 2018"
)

var summary = []Word{
	{Name: "mean", Is: "the average of the draws, which estimates the posterior mean",
		Formula: "Σ x_i / n over the draws of all chains",
		Moves:   "its error is mcse"},
	{Name: "sd", Is: "the standard deviation of the draws, which estimates the posterior's: how " +
		"uncertain the number is",
		Formula: "√(Σ (x_i − mean)² / (n − 1))",
		Moves:   "more data make it smaller; more draws do not"},
	{Name: "mcse", Aliases: []string{"mcse_mean"},
		Is: "the Monte Carlo standard error of the mean: how far the mean may be from the " +
			"posterior mean because the draws are finitely many",
		Formula:  "sd / √ess, with the effective sample size for the mean",
		Expected: "small compared with sd; 0.05 sd at 400 effective draws",
		Moves:    "four times as many draws make it half as large",
		Do:       "draw more where more digits are needed", Source: vehtari},
	{Name: "quantiles", Aliases: []string{"5%", "50%", "95%", "q5", "q50", "q95"},
		Is: "the value below which that share of the draws lies; between 5% and 95% lies " +
			"the number with a probability of 90 %",
		Formula: "order statistics of the draws, linear between them"},
	{Name: "ess", Aliases: []string{"effective sample size"},
		Is:       "how many independent draws the draws are worth",
		Formula:  "n / (1 + 2 Σ_t ρ_t), where ρ_t is the autocorrelation at lag t, over the chains",
		Expected: "at least 100 for each chain",
		Moves:    "slow mixing makes it small; draws that alternate can make it larger than n",
		Do:       "draw more, or write the model so that its params depend less on each other",
		Source:   vehtari},
	{Name: "±rank", Aliases: []string{"rank_error"},
		Is: "a bound on the error of the ranks of the quantiles, where draws are summarised as " +
			"they come and not stored", Runs: "runs with `--keep moments`", See: "docs/large.md"},
}

var loo = []Word{
	{Name: "elpd_loo", Aliases: []string{"elpd"},
		Is: "the expected log predictive density of new data, by leaving out one " +
			"observation at a time: the larger, the better the model predicts",
		Formula: "Σ_i log p(y_i | y without i)",
		Moves: "it scales with the number of observations and the units of y; compare models " +
			"of the same data alone",
		Do:     "compare elpd_diff with se_diff: a difference below about two errors decides nothing",
		Source: loo2017, See: "docs/posterior.md"},
	{Name: "se_elpd_loo", Aliases: []string{"se_elpd_waic", "se_p_loo", "se_p_waic", "se_looic",
		"se_waic", "se_diff"},
		Is: "the standard error of elpd_loo over observations; the other figures have one of the same " +
			"kind", Formula: "√(n Var_i elpd_i)", Source: loo2017},
	{Name: "mcse_elpd_loo",
		Is:       "the Monte Carlo error of elpd_loo; absent where a Pareto k is too large",
		Expected: "small compared with se_elpd_loo", Do: "draw more"},
	{Name: "p_loo", Is: "the effective number of params: how much better the model fits the data " +
		"than it predicts them",
		Formula: "log p(y | draws) − elpd_loo", Expected: "at most about the number of params",
		Moves:  "more than that says that the model is misspecified, or the prior weak",
		Source: loo2017},
	{Name: "looic", Is: "elpd_loo on the scale of deviances", Formula: "−2 elpd_loo"},
	{Name: "pareto_k", Aliases: []string{"k"},
		Is: "how heavy the tail of the importance weights of an observation is: how much " +
			"the posterior without it differs from the posterior",
		Formula:  "the shape of a generalised Pareto distribution, fitted to the largest weights",
		Expected: "at most min(1 − 1/log10 S, 0.7) for S draws",
		Moves:    "outliers and observations that alone determine a param make it large",
		Do: "look at those observations; draw more; or compare by `sgppl score` on data " +
			"that are held out", Source: "Vehtari, Simpson, Gelman, Yao and Gabry 2024",
		See: "docs/posterior.md"},
	{Name: "elpd_waic", Is: "elpd by the widely applicable information criterion; loo sees where " +
		"it fails, and is preferred",
		Formula: "log p(y | draws) − p_waic", Source: "Watanabe 2010; " + loo2017},
	{Name: "p_waic",
		Is:      "the effective number of params by the widely applicable information criterion",
		Formula: "Σ_i Var over the draws of log p(y_i | draw)", Source: "Watanabe 2010"},
	{Name: "waic", Is: "elpd_waic on the scale of deviances", Formula: "−2 elpd_waic"},
	{Name: "p_waic_high", Is: "the number of observations whose part of p_waic is above 0.4, for " +
		"which waic is not to be trusted",
		Expected: "0", Do: "use elpd_loo", Source: loo2017},
	{Name: "elpd_diff",
		Is:     "the difference of elpd_loo to that of the best run, with its error se_diff",
		Do:     "prefer the better model only where the difference is several times se_diff",
		Source: loo2017},
	{Name: "weight_stacking", Aliases: []string{"stacking"},
		Is: "the weight of a run in the mixture of several runs that predicts left-out " +
			"observations best",
		Formula: "w ≥ 0 with Σ_k w_k = 1 that maximise Σ_i log Σ_k w_k exp(elpd_ik)",
		Moves: "a model that predicts some observations better has weight, though its elpd is " +
			"lower; models that predict alike share theirs",
		Do: "mix predictions of the runs in these shares", Source: stacking2018,
		See: "docs/after.md"},
	{Name: "weight_pseudo_bma", Aliases: []string{"pseudo-bma+"},
		Is: "the weight of a run by its elpd_loo, averaged over the Bayesian bootstrap of " +
			"the observations",
		Formula: "the mean of exp(elpd_k) / Σ_l exp(elpd_l)",
		Moves:   "differences that are several times se_diff",
		Do:      "prefer stacking for predictions", Source: stacking2018},
}
