package foreign

import "strings"

// Flags has the settings of other samplers' functions and command lines, with underscores,
// and what they are on the command line here: the flag, and what else is to be known.
var Flags = map[string]string{
	// Stan, CmdStan, brms
	"iter":            "--draws N, which does not count the --warmup",
	"iter_sampling":   "--draws",
	"num_samples":     "--draws",
	"iter_warmup":     "--warmup",
	"num_warmup":      "--warmup",
	"num_chains":      "--chains",
	"parallel_chains": "--threads",
	"cores":           "--threads",
	"num_threads":     "--threads",
	"adapt_delta":     "--target-accept",
	"delta":           "--target-accept",
	"max_treedepth":   "--max-depth",
	"max_tree_depth":  "--max-depth",
	"stepsize":        "--step",
	"inits":           "--init",
	"output_dir":      "--out",
	"output":          "--out",
	"algorithm":       "--sampler",
	"refresh":         "--progress",
	"random_seed":     "--seed",
	// PyMC, NumPyro, TensorFlow Probability
	"tune":               "--warmup",
	"n_tune":             "--warmup",
	"n_samples":          "--draws",
	"samples":            "--draws",
	"n_chains":           "--chains",
	"target_accept_prob": "--target-accept",
	"thinning":           "--thin",
	"initvals":           "--init",
	"num_burnin_steps":   "--warmup",
	"nuts_sampler":       "--sampler",
	"chain_method":       "--threads",
	// JAGS, BUGS, NIMBLE
	"burnin":   "--warmup",
	"burn_in":  "--warmup",
	"nburnin":  "--warmup",
	"n_burnin": "--warmup",
	"niter":    "--draws N, which does not count the --warmup",
	"n_iter":   "--draws N, which does not count the --warmup",
	"nchains":  "--chains",
	"nthin":    "--thin",
	"n_thin":   "--thin",
	// training loops
	"batch_size":    "--batch",
	"learning_rate": "--step",
	"lr":            "--step",
	"step_size":     "--step",
	"epochs":        "--passes",
	"n_epochs":      "--passes",
}

// Flag returns what a flag of another program is on the command line here, and "" of an
// unknown one. The dashes in front are left out; those within may be underscores.
func Flag(name string) string { return Flags[strings.ReplaceAll(strings.ToLower(name), "-", "_")] }
