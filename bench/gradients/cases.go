package main

import (
	"encoding/json"
	"slices"
)

// A testCase is a model, as sgppl has it and as Stan has it, with data.
type testCase struct {
	name string
	from string // posteriordb, corpus or imported
	// model is a file of sgppl or Stan, from the root of the repository. Programs of Stan are
	// translated.
	model string
	stan  string // the Stan program; none has none
	c     string // the loop of limits.c; none has none
	data  string // below the directory of shared files; none: they are drawn, see invent
	// set has sizes of data that are drawn, and what stands in all places of other whole numbers.
	set map[string]int
	// given is JSON of the inputs that are not drawn.
	given string
	x     []string // unconstrained coordinates; those that are not given are 0.1
}

// posterior is a case of posteriordb.
func posterior(name, directory string, x ...string) testCase {
	c := testCase{name: name, from: "posteriordb",
		model: "examples/models/posteriordb/" + name + ".sg",
		stan:  "bench/gradients/stan/" + name + ".stan",
		data:  "posteriordb/" + directory + "/data.json", x: x}
	for _, l := range limits {
		if l == name {
			c.c = name
		}
	}
	return c
}

// limits are the loops of limits.c.
var limits = []string{"garch11", "hmm_example", "low_dim_gauss_mix", "wells_dae", "m0",
	"eight_schools_noncentered"}

// corpus is a case of the corpus of the translation from Stan, with data that are drawn.
func corpus(name string, set map[string]int) testCase {
	file := "stan/testdata/" + name + ".stan"
	return testCase{name: name, from: "corpus", model: file, stan: file, set: set}
}

// imported is a case of the corpus that was chosen by a rule: the programs of docs/stan.md that are
// not among the others, those of the corpus in the array syntax of old programs, and of the rest by
// name every twentieth from the tenth on. Sizes are 200 of rows, 20 of groups, 3 or 4 of the rest.
func imported(name string, set map[string]int, given string) testCase {
	c := corpus(name, set)
	c.from, c.given = "imported", given
	return c
}

// counting is the JSON of the whole numbers from..to.
func counting(from, to int) string {
	text, err := json.Marshal(slices.Collect(func(yield func(int) bool) {
		for i := from; i <= to && yield(i); i++ {
		}
	}))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// The cases and their sizes were chosen before anything was measured.
var cases = []testCase{
	posterior("ark", "arK-arK"),
	posterior("blr", "sblri-blr"),
	posterior("eight_schools_noncentered", "eight_schools-eight_schools_noncentered"),
	posterior("garch11", "garch-garch11"),
	posterior("glm_poisson", "GLM_Poisson_Data-GLM_Poisson_model"),
	posterior("gp_regr", "gp_pois_regr-gp_regr"),
	posterior("hmm_example", "hmm_example-hmm_example"),
	posterior("kidscore_interaction", "kidiq-kidscore_interaction"),
	posterior("logearn_interaction_z", "earnings-logearn_interaction_z"),
	posterior("logmesquite_logvash", "mesquite-logmesquite_logvash"),
	posterior("lotka_volterra", "hudson_lynx_hare-lotka_volterra",
		"-0.6", "-3.6", "-0.2", "-3.7", "3.5", "1.8", "-1.4", "-1.4"),
	posterior("low_dim_gauss_mix", "low_dim_gauss_mix-low_dim_gauss_mix"),
	posterior("m0", "M0_data-M0_model"),
	posterior("nes", "nes2000-nes"),
	posterior("rate_2", "Rate_2_data-Rate_2_model"),
	posterior("wells_dae", "wells_data-wells_dae_model"),
	corpus("ar1", map[string]int{"N": 200}),
	corpus("binomial_groups", map[string]int{"J": 50, "n": 20}),
	corpus("capture_recapture", map[string]int{"T": 7, "I": 200}),
	corpus("change_point", map[string]int{"T": 60}),
	corpus("dawid_skene", map[string]int{"K": 4, "I": 100, "J": 5}),
	corpus("gp_latent_poisson", map[string]int{"N": 40, "D": 2}),
	corpus("hierarchical", map[string]int{"N": 400, "J": 20}),
	corpus("hmm_forward", map[string]int{"K": 3, "T": 200}),
	corpus("hmm_two_states_arrays", map[string]int{"T": 416}),
	corpus("horseshoe", map[string]int{"N": 100, "P": 50}),
	corpus("irt_2pl", map[string]int{"I": 20, "J": 100, "N": 2000}),
	corpus("learning_trials", map[string]int{"S": 20, "T": 50}),
	corpus("local_level", map[string]int{"T": 200}),
	corpus("ma2", map[string]int{"T": 200}),
	corpus("mixture_k", map[string]int{"K": 3, "N": 500}),
	corpus("multi_logit", map[string]int{"K": 3, "N": 300, "D": 4}),
	corpus("occupancy", map[string]int{"S": 200, "J": 5}),
	corpus("rats_growth", map[string]int{"N": 30, "T": 5}),
	corpus("stochastic_volatility", map[string]int{"T": 500}),
	corpus("zero_inflated_poisson", map[string]int{"N": 300}),
	imported("eight_groups_noncentred", map[string]int{"J": 20}, ""),
	imported("kalman_by_hand", map[string]int{"T": 200}, ""),
	imported("missing_data", map[string]int{"N_obs": 180, "N_mis": 20},
		`{"ii_obs": `+counting(1, 180)+`, "ii_mis": `+counting(181, 200)+`}`),
	imported("survival_weibull", map[string]int{"N": 200}, ""),
	imported("ragged_segments", map[string]int{"N": 200, "K": 20, "s": 10}, ""),
	imported("old_arrays", map[string]int{"N": 200, "J": 20}, ""),
	imported("old_cdf_names", map[string]int{"N": 200}, ""),
	imported("sir_old_ode", map[string]int{"T": 20, "N": 100},
		`{"y0": [99, 1, 0], "ts": `+counting(1, 20)+`}`),
	imported("bounded_by_data", map[string]int{"N": 200}, ""),
	imported("eye_change_point_dynamic", map[string]int{"T": 200}, ""),
	imported("guide_bernoulli_vector_counts", map[string]int{"N": 200, "G": 20}, ""),
	imported("guide_multinomial_rows", map[string]int{"N": 200, "K": 3, "P": 4}, ""),
	imported("habit_continue", map[string]int{"N": 200}, ""),
	imported("habit_segment_loop", map[string]int{"G": 20, "T": 10}, ""),
	imported("lkj_effects", map[string]int{"N": 200, "K": 3, "J": 20}, ""),
	imported("ou_process", map[string]int{"T": 200}, ""),
	imported("search_declared", map[string]int{"I": 200, "T": 10}, ""),
	imported("user_lpdf", map[string]int{"N": 200}, ""),
}
