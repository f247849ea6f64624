package settings

import "github.com/sgppl/sgppl/runtime/base/setting"

// An Explanation explains the code of a refused setting.
type Explanation struct {
	Code, Title, Text string
	Example           string // a command line that is refused with this code
}

// Exit is the status with which a command ends that is refused with a code: that of files and
// toolchains where a device is at fault, else that of a wrong command line.
func (x Explanation) Exit() int {
	if x.Code == "S0112" || x.Code == "S0113" {
		return 5
	}
	return 2
}

// codes has every code, in order. A code keeps its meaning: append, never renumber.
var codes = []Explanation{
	{"S0101", "no such sampler",
		"{sampler} takes auto or a name of the table of samplers, which `sgppl doc samplers` " +
			"prints; aliases are hmc, sggmc and gsgnht.",
		"sgppl sample m.sg {data} m.json {sampler} nutz"},
	{"S0102", "settings for a param that the model does not have",
		"What stands before the = of {sampler}, {step} and their kin is a param of the model, a " +
			"glob in which * and ? are special, or several of them apart by commas. A glob that " +
			"fits no param is refused too.",
		"sgppl sample m.sg {data} m.json {sampler} W9=msgnht {step} 0.001"},
	{"S0103", "a sampler with a Metropolis test beside others",
		"hmc, gmc and nuts accept or reject the whole state, by the density of all rows: they " +
			"move all blocks, with one setting for all. Samplers on stochastic gradients can be " +
			"mixed, and so can their settings.",
		"sgppl sample m.sg {data} m.json {sampler} mu=nuts {sampler} theta=sgrld {step} 0.01"},
	{"S0104", "a sampler that cannot run on a block",
		"Some samplers run on R^n alone, and sgrld on simplexes by expanded_mean alone, where no " +
			"other does; params on spheres and Stiefel manifolds need a geodesic sampler. Hyperbolic " +
			"params, and covariances by affine_invariant, need one with a Metropolis test, gmc or " +
			"nuts: no statistic of health would see the error of a step there. " +
			"{sampler} BLOCK=NAME gives a block another one.",
		"sgppl sample m.sg {data} m.json {full-batch} {sampler} mu=sgrld {step} 0.01"},
	{"S0105", "one setting for all blocks beside settings by block",
		"The warm-up of {metric}, which also finds a step, and {grad-noise} fisher are of the " +
			"whole state, and {leapfrog} is of samplers that cannot be mixed. With settings by " +
			"block each needs its own {step}, and a number for V̂.",
		"sgppl sample m.sg {data} m.json {full-batch} {sampler} msgnht {friction} mu=2 {metric} diag"},
	{"S0107", "replica exchange where it cannot be",
		"{replicas} exchanges states between temperatures by the density of all rows, or by an " +
			"estimate from some with samplers on stochastic gradients, which need a {step}. It is for " +
			"{temperature} 1, and takes 2 to 200 replicas. Its reference law is normal on R^n " +
			"and uniform on compact spaces, so hyperbolic spaces and matrices by affine_invariant have " +
			"none.",
		"sgppl sample m.sg {data} m.json {sampler} nuts {replicas} 1"},
	{"S0108", "a model with dropout cannot be sampled",
		"Dropout changes the network at random from step to step, so there is no one posterior " +
			"that samplers could draw from. It is for `sgppl optimize`, whose predictions use " +
			"the whole network. To sample, leave the layer out, or give it the rate 0: the " +
			"prior of the weights is then what keeps them from overfitting.",
		"sgppl sample d.sg {data} d.json {batch} 2"},
	{"S0109", "cycles that cannot be",
		"{step-schedule} cycle:L,f has cycles of L steps, each of which ends in a draw, and of which " +
			"the fraction f has no noise. It needs a sampler with constant friction or none (sgld, " +
			"sghmc), a {step}, a {warmup} of whole cycles, and {thin} L, which it sets by itself.",
		"sgppl sample m.sg {data} m.json {full-batch} {sampler} msgnht {step} 0.01 {step-schedule} " +
			"cycle:100,0.8"},
	{"S0110", "Gibbs sampling with settings that it does not have",
		"{sampler} gibbs draws every unknown from its full conditional, given all rows: there is no " +
			"step, no gradient, no minibatch and no temperature to set. It draws all unknowns, so no " +
			"block has another sampler. A package that was generated for other samplers has no full " +
			"conditionals.",
		"sgppl sample m.sg {data} m.json {sampler} gibbs {step} 0.1"},
	{"S0111", "a setting that a graphics processor does not have",
		"{device} cuda takes the steps of sgld, sghmc and msgnht on minibatches, in single " +
			"precision, with one setting for all blocks and a {step} that is given. It finds no " +
			"steps and no metric, exchanges no states, adds no noise of its own, and reads no " +
			"stream. Everything else runs on the processors, without {device}.",
		"sgppl sample r.sg {data} r.json {device} cuda {precision} f32 " +
			"{batch} 2 {sampler} sgnht {step} 0.01"},
	{"S0112", "no graphics processor to run on",
		"{device} cuda needs the program sgppl-cuda beside sgppl or on the PATH, NVIDIA's driver " +
			"(libcuda.so.1), NVRTC, the compiler of CUDA C (libnvrtc.so, which comes with CUDA, or " +
			"as a package of its own), an NVIDIA GPU, and memory on it for the data as a whole. The " +
			"message says which is missing. `sgppl-cuda device` looks too.",
		"sgppl sample r.sg {data} r.json {device} cuda {precision} f32 " +
			"{batch} 2 {sampler} sghmc {step} 0.01"},
	{"S0113", "a model that a graphics processor cannot run",
		"Every step of the gradient's plan needs a kernel for the device. There are kernels for " +
			"entrywise functions, sums, products of matrices, gathers, sums by index and " +
			"convolutions: networks and regressions on dense rows. There are none for recurrences, " +
			"differential equations, factorisations, sparse rows and latent values that are drawn.",
		"sgppl sample s.sg {data} s.json {device} cuda {precision} f32 " +
			"{batch} 2 {sampler} sghmc {step} 0.01"},
	{"S0114", "settings of motion where nothing moves",
		"A model without params, such as a simulation, has nothing to move: {sampler} fixed, which " +
			"is the default there, computes what the model tracks and generates, once for each draw. " +
			"There are no steps, so {chains}, {draws} and {seed} are the settings that it has. A " +
			"model with params needs another sampler.",
		"sgppl sample m.sg {data} m.json {sampler} fixed"},
}

// Codes returns the explanations of all codes of refused settings, in order.
func Codes() []Explanation {
	out := make([]Explanation, len(codes))
	for i, x := range codes {
		out[i] = x.named()
	}
	return out
}

// named returns x with the placeholders of settings in its texts replaced by the names that
// messages use.
func (x Explanation) named() Explanation {
	x.Text, x.Example = setting.Text(x.Text), setting.Text(x.Example)
	return x
}

// Explain returns the explanation of a code.
func Explain(code string) (Explanation, bool) {
	for _, x := range codes {
		if x.Code == code {
			return x.named(), true
		}
	}
	return Explanation{}, false
}
