package glossary

// statistics has what is to be known of each statistic of health besides what the samplers'
// own table says. h is the step, D the friction, T the temperature, V the covariance of the
// noise of a minibatch's gradient, ξ the friction of a thermostat, v a velocity, U the
// negative log density.
var statistics = map[string]Word{
	"rhat": {Aliases: []string{"r-hat", "r_hat"},
		Formula: "√((n − 1)/n + B/(n W)) of the halves of all chains, rank-normalised and " +
			"folded; B/n is the variance between chains, W the variance within them",
		Expected: "1", Moves: "chains that have not left their starts, or that are in different " +
			"modes, make it large",
		Do: "a longer --warmup, more --draws; where chains stay apart, look at `sgppl report` " +
			"and at whether params can be exchanged", Source: vehtari},
	"ess_bulk": {Formula: "n / (1 + 2 Σ_t ρ_t) of the rank-normalised draws",
		Expected: "at least 100 for each chain",
		Moves: "params that depend on each other, and steps that are short compared with " +
			"the width of the posterior, make it small",
		Do: "more --draws or more --thin: the line below the table says how many", Source: vehtari},
	"ess_tail": {
		Formula:  "the smaller one of the effective sample sizes of 1(x ≤ q5) and 1(x ≤ q95)",
		Expected: "at least 100 for each chain",
		Moves:    "heavy tails that are visited seldom make it small", Do: "more --draws",
		Source: vehtari},
	"ess_mean": {Formula: "n Var x / (m Var of the means of m successive draws)",
		Expected: "at least 100 for each chain",
		Moves:    "as ess_bulk", Do: "more --draws", See: "docs/large.md"},

	"pareto_k": {Formula: "the shape k of a generalised Pareto law fitted to the largest ratios p/q",
		Expected: "at most 0.5",
		Moves:    "an approximation that is narrower than the posterior makes it large",
		Do: "another method, advi --covariance dense or more --paths; sample --init pathfinder " +
			"draws from the posterior", Source: psis, See: "docs/approximate.md"},
	"evidence_spread": {Formula: "√(Σ_r (log Z_r − their mean)² / (R − 1)) of the estimates of R runs",
		Expected: "0", Moves: "few particles, and modes whose masses differ between runs, make it " +
			"large", Do: "more --candidates, or --init nearer to the posterior",
		Source: "Zhou, Johansen and Aston 2016, Toward automatic model comparison",
		See:    "docs/approximate.md"},

	"bias_mean": {Formula: "twice the difference of a mean between pairs of chains, one of which " +
		"has half the step and half the noise, in posterior standard deviations",
		Expected: "0", Moves: "larger steps and smaller minibatches make it large, in params " +
			"with little data",
		Do:  "--max-bias asks for less; the run begins again with less noise by itself",
		See: "docs/tall-data.md"},
	"bias_sd": {Formula: "as bias_mean, of the logarithm of a standard deviation", Expected: "0",
		Moves: "as bias_mean; most in scales of groups", Do: "--max-bias asks for less",
		See: "docs/tall-data.md"},
	"noise_share": {Formula: "κ = u·V u h / (2 D T) along the direction u of most noise",
		Expected: "0.1 or what the set-up chose",
		Moves:    "larger --batch and smaller steps make it small", Do: "a larger --batch",
		See: "docs/tall-data.md"},
	"noise_growth": {Formula: "at every 20th draw, half the squared difference of the gradients " +
		"of two further minibatches, over the trace of the covariance that is left out; the mean",
		Expected: "1",
		Moves:    "draws far from the anchor, and rows of which few carry the gradient, make it large",
		Do:       "a larger --batch, or --sampler nuts", See: "docs/tall-data.md"},
	"anchor_distance": {
		Formula:  "|C^(−1/2) (mean − anchor)|² / d, C being the posterior's covariance",
		Expected: "about 0, up to 1",
		Moves:    "a posterior that is not where the set-up climbed to",
		Do:       "compare with --sampler nuts", See: "docs/tall-data.md"},

	"divergences": {Formula: "trajectories whose energy rises by more than 1000", Expected: "0",
		Moves: "posteriors with a narrow neck, such as a hierarchy with few data a group",
		Do: "a larger --target-accept, or effects written as scale times standard normal; " +
			"look where they are in `sgppl report`", Source: "Betancourt 2017"},
	"max_tree_depth_hits": {Formula: "trajectories with 2^(max-depth) − 1 steps", Expected: "0",
		Moves:  "scales that differ much, and strong correlations",
		Do:     "a longer --warmup, params on like scales, a larger --max-depth",
		Source: "Hoffman and Gelman 2014"},
	"round_trips": {Formula: "how often a replica went from β = 1 to β = 0 and back, summed over " +
		"replicas", Expected: "at least 25 in each chain",
		Moves:  "many temperatures with high rates of exchanges make it large",
		Do:     "more --replicas, about 2 Λ + 1 by the row barrier, and more --draws",
		Source: exchanged, See: "docs/modes.md"},
	"swap_rate": {Formula: "min over neighbours of the mean of min(1, exp((β' − β)(ℓ − ℓ'))), with " +
		"ℓ = log p − log q of the states", Expected: "at least 0.1",
		Moves:  "few replicas make it small",
		Do:     "more --replicas, or a longer --warmup, which places the temperatures",
		Source: exchanged, See: "docs/modes.md"},
	"barrier": {Formula: "Σ over neighbours of 1 − the mean probability of an exchange",
		Moves:  "a posterior that is far from the reference law makes it large",
		Do:     "about 2 Λ + 1 --replicas; --init nearer to the posterior lowers it",
		Source: exchanged, See: "docs/modes.md"},
	"log_evidence": {Aliases: []string{"marginal likelihood"},
		Formula: "log ∫ p(x) dx = Σ over neighbours of the logarithm of Bennett's estimate of the " +
			"ratio of their constants",
		Expected: "a standard deviation of at most 0.3 between chains",
		Moves:    "chains that weigh modes differently make its error large",
		Do:       "more --replicas, --draws and --chains",
		Source: "Bennett 1976, Efficient estimation of free energy differences from Monte Carlo " +
			"data, equation 8", See: "docs/modes.md"},
	"label_exchange": {Formula: "the mean of min(1, p(x')/p(x)), where x' has two labels exchanged",
		Moves: "priors that tell the labels apart make it small",
		Do:    "nothing: it says how alike the labels are",
		Source: "Frühwirth-Schnatter 2001, Markov chain Monte Carlo estimation of classical and " +
			"dynamic switching and mixture models", See: "docs/modes.md"},
	"cycles": {Formula: "chains · draws", Expected: "as many as there are modes, many times over",
		Moves: "short cycles make more of them, each nearer to the one before",
		Do:    "compare with --replicas where full passes can be afforded, or with other seeds",
		Source: "Zhang, Li, Zhang, Chen and Wilson 2020, Cyclical stochastic gradient MCMC for " +
			"Bayesian deep learning", See: "docs/modes.md"},
	"e_bfmi": {Aliases: []string{"bfmi"},
		Formula: "Σ (E_t − E_(t−1))² / Σ (E_t − mean E)² of the energies of a chain, the least " +
			"over the chains", Expected: "above 0.3, about 1",
		Moves:  "heavy tails make it small",
		Do:     "a longer --warmup, lighter tails, effects written as scale times standard normal",
		Source: "Betancourt 2016"},
	"acceptance_rate": {Formula: "the mean of min(1, exp(−ΔE)) over trajectories",
		Expected: "near --target-accept (0.8)", Moves: "smaller steps make it larger",
		Do: "a smaller --step, a longer --warmup"},

	"configurational_temperature": {Formula: "E[(x − mean x)·∇U] / d, estimated over the draws",
		Expected: "T, which is 1",
		Moves: "large steps and the noise of minibatches make it large; chains that have not " +
			"spread out yet make it small",
		Do: "a smaller --step, a larger --batch, a longer --warmup", Source: "Rugh 1997",
		See: "docs/noise.md"},
	"passes": {Formula: "steps times rows of a minibatch, over rows",
		Expected: "at least the number shown", Moves: "more --draws and --thin make it larger",
		Do: "more --draws", See: "docs/steps.md"},
	"kinetic_temperature": {Formula: "E |v|² / d", Expected: "T, which is 1",
		Moves: "large steps and the noise of minibatches make it large",
		Do:    "a smaller --step, a larger --batch, a larger --friction", See: "docs/noise.md"},
	"worst_temperature": {Formula: "T times the variance of u·x over the one that the gradients " +
		"say it should have, in the direction u where it is furthest from T",
		Expected: "T, which is 1",
		Moves: "noise of minibatches that differs by direction, and steps that are large " +
			"compared with the width of one direction",
		Do:  "--grad-noise fisher, a larger --batch, or no settings at all (--sampler auto)",
		See: "docs/noise.md"},
	"worst_kinetic_temperature": {
		Formula:  "E (u·v)² in the direction u where it is furthest from T",
		Expected: "T, which is 1", Moves: "as worst_temperature", Do: "as worst_temperature",
		See: "docs/noise.md"},
	"noise_temperature": {Formula: "T (D + u·V u h/(2T)) / u·ξ u in the direction u where it is " +
		"furthest from T", Expected: "T, which is 1",
		Moves: "larger --batch and smaller --step bring it to T", Do: "as worst_temperature",
		See: "docs/noise.md"},

	"xi_minus_friction": {Formula: "mean ξ − D", Expected: "V h/(2T); 0 without noise",
		Moves: "the noise of minibatches makes it positive, and that is what thermostats are " +
			"for; large steps make it negative",
		Do: "if it is off: a smaller --step, or --batch-order replace", Source: "Ding et al. 2014",
		See: "docs/noise.md"},
	"xi_variance": {Formula: "the variance of ξ over the steps",
		Expected: "T/d, d coordinates under one thermostat",
		Moves:    "noise that changes over the posterior, and a short warm-up, make it large",
		Do:       "a smaller --step, a longer --warmup", Source: "Ding et al. 2014"},
	"gradient_noise": {Formula: "2 T (mean ξ − D)/h",
		Expected: "V, known only where the noise is made",
		Moves:    "smaller minibatches make it larger", See: "docs/noise.md"},
	"noise_estimate": {Formula: "the mean of the diagonal of V̂",
		Moves: "smaller minibatches make it larger", See: "docs/noise.md"},
	"noise_estimate_calls": {Formula: "gradients for V̂ over steps",
		Moves: "the settings of --grad-noise", See: "docs/noise.md"},
	"reflection_bias": {Formula: "2 E max(0, −y)/h · sd/(T E ρ), y being the step before it is " +
		"reflected at 0", Expected: "0",
		Moves: "concentrations below 1, and large steps, make it large",
		Do:    "a smaller --step, or another sampler than sgrld", Source: "Patterson and Teh 2013",
		See: "docs/noise.md"},

	"local_acceptance": {Formula: "the mean of min(1, exp(−ΔE)) over the trajectories of " +
		"latent values", Expected: "0.6 to 0.9", Moves: "smaller local steps make it larger",
		Do: "more steps, or a smaller --step of the params", See: "docs/latent.md"},
	"local_step": {Formula: "the mean step of these trajectories",
		Moves: "the warm-up finds it", See: "docs/latent.md"},
	"local_ess": {Formula: "n / (1 + 2 Σ_t ρ_t) of the draws within a step, median " +
		"over coordinates", Expected: "near --local-draws",
		Moves: "strong dependence between the latent values of a row makes it small",
		Do:    "a larger --local-draws", See: "docs/latent.md"},
	"local_ess_min": {Formula: "as local_ess, the least over coordinates",
		Expected: "1 or more", Moves: "as local_ess", Do: "as local_ess", See: "docs/latent.md"},
	"local_autocorrelation": {Formula: "1 + 2 Σ_t ρ_t of the slowest coordinate, in sweeps",
		Expected: "below --local-burn-in", Moves: "as local_ess", Do: "a larger --local-burn-in",
		See: "docs/latent.md"},
}
