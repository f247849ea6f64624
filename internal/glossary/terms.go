package glossary

var terms = []Word{
	{Name: "posterior", Is: "the distribution of the params given the data: proportional to " +
		"prior times likelihood"},
	{Name: "prior", Is: "the distribution that a param has before the data: it is written after ~ " +
		"in the declaration"},
	{Name: "likelihood",
		Is: "the probability of the data given the params: what ~ says of data, and factor"},
	{Name: "param", Aliases: []string{"parameter"}, Is: "an unknown of the model that is drawn",
		See: "docs/language.md"},
	{Name: "latent value", Aliases: []string{"local", "latent"},
		Is: "an unknown of a single row, such as the topic of a word", See: "docs/latent.md"},
	{Name: "draw", Aliases: []string{"sample"}, Is: "one value of all params, from the posterior"},
	{Name: "chain", Is: "a sequence of draws, each made from the one before; several chains are " +
		"begun at different points, so that they can be compared"},
	{Name: "warm-up", Aliases: []string{"warmup", "burn-in", "tune"},
		Is: "the steps before the first draw, in which a chain leaves its start and the step and " +
			"the metric are found"},
	{Name: "thinning", Aliases: []string{"thin"}, Is: "keeping every so many-th step as a draw"},
	{Name: "pass", Aliases: []string{"epoch"},
		Is: "as many rows as the data have: a measure of cost"},
	{Name: "minibatch", Aliases: []string{"batch"},
		Is: "some rows of the data, drawn at random, from which a gradient is estimated"},
	{Name: "full pass", Is: "a gradient from all rows"},
	{Name: "stochastic gradient",
		Is: "an unbiased estimate of the gradient of the log density, from a minibatch"},
	{Name: "gradient noise", Aliases: []string{"noise"},
		Is: "the difference between the gradient of a minibatch and that of all rows; its " +
			"covariance is V", See: "docs/noise.md"},
	{Name: "anchor", Is: "a point near the posterior's centre at which the gradients of all rows " +
		"are summed once", See: "docs/tall-data.md"},
	{Name: "control variate", Is: "the gradient of a row at the anchor, which is taken off its " +
		"gradient, so that minibatches have little noise", See: "docs/tall-data.md"},
	{Name: "step", Aliases: []string{"step size", "h"},
		Is:  "the length in time of one move of a chain; smaller steps are more exact, and slower",
		See: "docs/steps.md"},
	{Name: "friction", Is: "the rate D at which velocities are damped and kicked at random",
		See: "docs/noise.md"},
	{Name: "temperature", Is: "the power 1/T to which the posterior is raised: 1 for the " +
		"posterior itself"},
	{Name: "thermostat", Is: "a variable ξ that adds friction where velocities are too large, so " +
		"that the noise of minibatches is made up for", Source: "Ding et al. 2014",
		See: "docs/noise.md"},
	{Name: "metric", Aliases: []string{"mass matrix"},
		Is: "the inverse mass matrix: the scales, and correlations, of the params that " +
			"trajectories are adapted to", See: "docs/steps.md"},
	{Name: "trajectory", Is: "the leapfrog steps between two draws of nuts, hmc and gmc"},
	{Name: "verdict", Is: "ok, unsure or off: whether a statistic of health casts doubt on the draws",
		See: "docs/health.md"},
	{Name: "run", Aliases: []string{"run directory"},
		Is:  "a directory with the draws, the model, the settings and the checkpoints of one `sample`",
		See: "docs/runs.md"},
	{Name: "checkpoint", Is: "the state of a chain on disk. A chain that is resumed from it has " +
		"the same draws, bit for bit"},
	{Name: "native", Aliases: []string{"vm", "engine"},
		Is: "the engine that compiles the model to a program by the Go toolchain; the other one, " +
			"vm, interprets it and gives the same bits", See: "docs/samplers.md"},
	{Name: "dim", Aliases: []string{"axis"},
		Is: "a named size of the model, such as the number of rows", See: "docs/language.md"},
	{Name: "transform", Aliases: []string{"unconstrained", "jacobian"},
		Is: "the map from unconstrained numbers, in which chains move, to a param with bounds; " +
			"its Jacobian is part of the density", See: "docs/language.md"},
}
