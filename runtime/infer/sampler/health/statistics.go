package health

import "github.com/sgppl/sgppl/runtime/base/setting"

// A Statistic documents one statistic of the health of a run.
type Statistic struct {
	Name string
	Of   string // the runs that have it
	Is   string // its meaning and unit
	OK   string // when its verdict is ok, and when off; empty if it has no verdict
}

// Statistics lists the statistics that health tables can have, by purpose. `sgppl doc statistics`
// prints it, and docs/health.md has it as a table.
func Statistics() []Statistic {
	out := make([]Statistic, len(statistics))
	for i, s := range statistics {
		out[i] = Statistic{s.Name, setting.Text(s.Of), setting.Text(s.Is), setting.Text(s.OK)}
	}
	return out
}

var statistics = []Statistic{
	{"rhat", "all runs", "the largest R-hat of all quantities, which compares the chains with " +
		"each other: 1 if they agree (Vehtari et al. 2021)",
		"ok up to 1.01, off above 1.05 unless independent draws could have it by chance; the " +
			"bounds rise with the number of quantities"},
	{"ess_bulk", "all runs", "the smallest effective sample size for the centre of a posterior: " +
		"how many independent draws the draws are worth there", "ok from 100 for each chain"},
	{"ess_tail", "all runs", "the smallest effective sample size for the quantiles at 5 % and 95 %",
		"ok from 100 for each chain"},
	{"ess_mean", "runs that keep moments only",
		"the smallest effective sample size of a mean, by batch means",
		"ok from 100 for each chain"},

	{"pareto_k", "approximate", "the shape of the tail of the importance ratios of the density to " +
		"the approximation (Vehtari et al. 2024)", "ok up to 0.5 if at least 30 % of the draws " +
		"count by their weights and the method has ended, off above 0.7"},
	{"evidence_spread", "approximate", "the standard deviation of the log evidence between " +
		"independent runs of smc", "ok up to 0.3 if at least 40 % of the moves were accepted at each " +
		"temperature and moves of finished particles change no mean by 0.02 sd; off above 1, or below " +
		"10 %, or above 0.05 sd, or if fewer than 100 particles of a run count"},

	{"bias_mean", "minibatches with an anchor",
		"how wrong the mean is because of minibatches and the step, in posterior standard " +
			"deviations, where that is worst",
		"ok if the value and two of its errors are below {max-bias} (0.1), off if it is surely above"},
	{"bias_sd", "minibatches with an anchor",
		"how wrong the logarithm of a standard deviation is because of minibatches and the step, " +
			"where that is worst: at 0.03 the standard deviation is wrong by 3 %",
		"ok if the value and two of its errors are below half of {max-bias}, off if it is surely above"},
	{"noise_share", "minibatches with an anchor",
		"the share of the noise of minibatches in the random kicks, in the direction of most noise",
		"ok up to 0.15, off above 0.3"},
	{"noise_growth", "minibatches with an anchor",
		"the noise of minibatches in the run, divided by the noise that the sampler leaves out of " +
			"its own to make up for it",
		"ok if the rest makes standard deviations wrong by less than half of {max-bias}, off " +
			"if surely by more"},
	{"anchor_distance", "minibatches with an anchor",
		"the squared distance of the mean of the draws from the anchor, in posterior variances, " +
			"for each coordinate", "ok up to 1"},

	{"divergences", "nuts", "the number of trajectories whose energy error became too large: " +
		"parts of the posterior may be missing", "ok at 0, off above one in a thousand"},
	{"max_tree_depth_hits", "nuts",
		"the number of trajectories that were ended by {max-depth} before they turned back",
		"ok at 0"},
	{"e_bfmi", "nuts", "the energy's Bayesian fraction of missing information, of the worst " +
		"chain (Betancourt 2016)", "ok from 0.3, off below"},
	{"acceptance_rate", "hmc, gmc", "the mean acceptance probability of trajectories",
		"ok from 0.3, off below"},

	{"round_trips", "{replicas}", "the journeys of replicas from the posterior to the reference " +
		"law and back, of all chains: each begins anew at an independent draw",
		"ok from 25 in each chain, off below 5"},
	{"swap_rate", "{replicas}", "the mean probability with which two neighbouring temperatures " +
		"exchange their states, where it is smallest", "ok from 0.1, off below 0.01"},
	{"barrier", "{replicas}", "the sum of the probabilities of rejection along the ladder, an " +
		"estimate from below of the communication barrier Λ: about 2 Λ + 1 replicas are best", ""},
	{"log_evidence", "{replicas}", "the logarithm of the marginal likelihood, of the density as it " +
		"is written, with its error between chains; not where a block is on a curved space",
		"ok if it has a standard deviation of at most 0.3 between chains, off above 1"},
	{"label_exchange", "{permute}", "the mean probability with which two labels are exchanged: " +
		"near 1 where the posterior does not depend on their order", ""},

	{"cycles", "{step-schedule} cycle:L,f", "the cycles of all chains that ended in a draw. Modes " +
		"have the masses of the basins that exploration falls into, and no statistic checks whether " +
		"these are the masses under the posterior", "never ok"},

	{"configurational_temperature", "all samplers",
		"the spread of the draws: the average of draw times gradient, 1 (or {temperature}) for " +
			"draws of the posterior", "ok within 10 %, which is 5 % of a standard deviation; of nuts, " +
			"gmc and hmc, which have no bias of the step, also within three errors"},
	{"passes", "samplers on stochastic gradients that find their step",
		"the passes over the rows that the run makes, if they are too few to come to the " +
			"posterior: the draws are then hotter than the posterior; expected is the least that is needed",
		"off wherever it is shown"},
	{"kinetic_temperature", "samplers with velocities",
		"the mean square of the velocities; under thermostats it is shown only if it is off",
		"ok within 10 %"},
	{"worst_temperature", "samplers on stochastic gradients",
		"the configurational temperature in the direction where it is furthest from 1",
		"ok within 10 %"},
	{"worst_kinetic_temperature", "samplers with velocities",
		"the mean square of the velocity in the direction where it is furthest from 1",
		"ok within 10 %"},
	{"noise_temperature", "samplers on stochastic gradients",
		"the temperature that the noise of minibatches would give the direction where it is " +
			"furthest from 1; a bound", "ok within 10 %"},

	{"xi_minus_friction", "thermostats",
		"the friction that the thermostats have added to {friction} to make up for the noise of " +
			"minibatches", "off if negative (the step is too large), or if passes without " +
			"replacement make the draws too narrow"},
	{"xi_variance", "thermostats",
		"the variance of a thermostat's friction, compared with the value that theory gives it",
		"ok within 50 %"},
	{"gradient_noise", "thermostats",
		"the variance of the gradient's noise that follows from xi_minus_friction", ""},
	{"noise_estimate", "{grad-noise} fisher",
		"the variance of the gradient's noise as it was estimated and taken out, the mean of a block",
		""},
	{"noise_estimate_calls", "{grad-noise} fisher",
		"extra gradients that the estimate cost, for each step", ""},
	{"reflection_bias", "simplexes by sgrld",
		"the bias of entries near 0 that comes from the reflection there, in standard deviations",
		"ok up to 0.1"},

	{"local_acceptance", "latent values of rows by gmc",
		"the mean acceptance probability of the trajectories of latent values",
		"ok from 0.3, off below"},
	{"local_step", "latent values of rows by gmc", "the mean step of these trajectories", ""},
	{"local_ess", "latent values of rows",
		"the effective sample size of a row's draws within a step, of the median coordinate", ""},
	{"local_ess_min", "latent values of rows",
		"the effective sample size of a row's draws within a step, of the slowest coordinate", ""},
	{"local_autocorrelation", "latent values of rows",
		"the autocorrelation time of the slowest coordinate, in sweeps",
		"ok up to {local-burn-in}: beyond that, draws depend on where they began"},
}
