package glossary

// after are the figures of the commands of docs/after.md.
var after = []Word{
	{Name: "elpd_kfold", Aliases: []string{"se_elpd_kfold"},
		Is: "the expected log predictive density of new data, by leaving out a part of the " +
			"rows at a time and fitting the model again without them",
		Formula: "Σ_i log mean_s p(y_i | θ_s), θ_s from the fold that has not seen row i",
		Moves:   "it scales with the number of rows; folds are random, and whole groups with --by",
		Do:      "compare models with the same folds: the same --folds, --by and --seed",
		Source:  loo2017, See: "docs/after.md"},
	{Name: "prior sensitivity", Aliases: []string{"sensitivity", "power scaling"},
		Is: "by how much the distribution of a number moves when its prior is raised to a " +
			"power near 1",
		Formula:  "(D(0.99) + D(1.01)) / (2 log2 1.01), D the cumulative Jensen–Shannon distance",
		Expected: "below 0.05",
		Moves:    "strong priors, few data, and priors that the data contradict",
		Do: "look at the value of the likelihood: if it is large too, prior and data are in " +
			"conflict; if it is small, the data have little information", Source: powerscale2024,
		See: "docs/after.md"},
	{Name: "likelihood sensitivity",
		Is: "by how much the distribution of a number moves when the likelihood is raised to a " +
			"power near 1", Formula: "as prior sensitivity",
		Expected: "above 0.05 where the data have information about the number", Source: powerscale2024,
		See: "docs/after.md"},
	{Name: "marginal effect", Aliases: []string{"average marginal effect", "effects"},
		Is:      "by how much the expected response changes with an input, averaged over the rows",
		Formula: "mean_i ∂E[y_i]/∂x_i, of a bool mean_i (E[y_i | x_i = 1] − E[y_i | x_i = 0])",
		See:     "docs/after.md"},
	{Name: "condition number", Aliases: []string{"collinear"},
		Is:       "how nearly the columns of a formula determine each other",
		Formula:  "the largest singular value of the standardised columns by the smallest",
		Expected: "below 30", Do: "leave out one of the columns that are named, or combine them",
		Source: "Belsley, Kuh and Welsch 1980", See: "docs/after.md"},
}
