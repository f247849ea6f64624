package codegen

// optionsText is options.go of a package. Its options are those that package setting names
// in messages, and a few that no message names.
const optionsText = `
// An Option changes a setting of a run. Functions whose names begin with With make them, and
// errors name these.
type Option func(*typed.Settings)

// WithChains sets how many chains run: 4 without it.
func WithChains(n int) Option { return func(s *typed.Settings) { s.Chains = n } }

// WithWarmup sets how many steps are taken before the first draw: 1000 without it.
func WithWarmup(steps int) Option { return func(s *typed.Settings) { s.Warmup = int64(steps) } }

// WithDraws sets how many draws a chain gives: 1000 without it.
func WithDraws(n int) Option {
	return func(s *typed.Settings) { s.Draws, s.TargetESS = int64(n), 0 }
}

// WithThin sets how many steps lie between two draws: 1 without it.
func WithThin(steps int) Option { return func(s *typed.Settings) { s.Thin = int64(steps) } }

// WithSeed chooses the random numbers. The same seed gives the same draws.
func WithSeed(seed uint64) Option { return func(s *typed.Settings) { s.Seed = seed } }

// WithThreads sets how many processors chains run on, all of them without it. Where there are more
// than chains, the steps of each chain are shared.
// Draws do not depend on it.
func WithThreads(n int) Option { return func(s *typed.Settings) { s.Threads = n } }

// WithStart puts every chain at a state of length Dim, as Pack makes it, instead of a random
// one.
func WithStart(x []float64) Option { return func(s *typed.Settings) { s.Init = [][]float64{x} } }

// WithProgress has f called a few times a second with how far a chain is, and at its end. One
// goroutine at a time calls it, and the run waits for it. It is of Sample and Summarize: those
// who range over Draws see how far they are.
func WithProgress(f func(typed.Progress)) Option {
	return func(s *typed.Settings) { s.Progress = f }
}

//[plan
// WithTargetESS sets the least effective sample size of a number, 400 without it, that a run
// of many rows goes on to. With 2000 rows of {{row}} or more, and nothing set but this,
// WithMaxBias, WithChains, WithDraws, WithSeed, WithStart, WithThreads and WithProgress, a run
// finds by itself how it samples: by minibatches with a control variate at an anchor, or by
// full passes where these cost less.
func WithTargetESS(n float64) Option { return func(s *typed.Settings) { s.TargetESS = n } }

// WithMaxBias sets the bias of a mean that such a run may have, in standard deviations: 0.1
// without it.
func WithMaxBias(sd float64) Option { return func(s *typed.Settings) { s.MaxBias = sd } }

//plan]
//[rows
// WithBatch sets how many rows of {{row}} a step sees.
func WithBatch(rows int) Option {
	return func(s *typed.Settings) { s.Batch, s.FullBatch = rows, false }
}

// WithFullBatch makes every step see every row.
func WithFullBatch() Option {
	return func(s *typed.Settings) { s.Batch, s.FullBatch = 0, true }
}

// WithBatchOrder chooses how rows are put into minibatches: "shuffle", the default,
// "sequential" or "replace".
func WithBatchOrder(order string) Option {
	return func(s *typed.Settings) { s.BatchOrder = order }
}

//rows]
// WithSampler chooses a row of the table of samplers, such as "nuts", "sgld", "sghmc" or
// "msgnht".
func WithSampler(name string) Option { return func(s *typed.Settings) { s.Sampler = name } }

// WithStep sets the step size, which depends on the scale of the model. Without it each
// sampler finds its own in warm-up.
func WithStep(h float64) Option { return func(s *typed.Settings) { s.Step = h } }

// WithStepSchedule has the step shrink as it goes: "constant", "halve@0.5", "poly:a,b,gamma"
// or "cyclic:n".
func WithStepSchedule(schedule string) Option {
	return func(s *typed.Settings) { s.Schedule = schedule }
}

// WithScheme chooses the integrator, "split" or "euler".
func WithScheme(name string) Option { return func(s *typed.Settings) { s.Scheme = name } }

// WithFriction sets the friction D.
func WithFriction(d float64) Option { return func(s *typed.Settings) { s.Friction = d } }

// WithXi0 sets where thermostats start: at the friction without it.
func WithXi0(xi float64) Option { return func(s *typed.Settings) { s.Xi0 = &xi } }

// WithThermostat chooses what has a thermostat to itself: "coordinate", "point" or "all".
func WithThermostat(grain string) Option {
	return func(s *typed.Settings) { s.Thermostat = grain }
}

// WithTemperature sets T: the chains' law is the posterior to the power 1/T.
func WithTemperature(t float64) Option { return func(s *typed.Settings) { s.Temperature = t } }

// WithInnerSteps sets how many steps are taken on one minibatch.
func WithInnerSteps(n int) Option { return func(s *typed.Settings) { s.InnerSteps = n } }

// WithLeapfrog sets the steps of a trajectory, for gmc and hmc.
func WithLeapfrog(steps int) Option { return func(s *typed.Settings) { s.Leapfrog = steps } }

// WithTargetAccept sets the mean acceptance that a step found in warm-up is to give: 0.8
// without it.
func WithTargetAccept(p float64) Option {
	return func(s *typed.Settings) { s.TargetAccept = p }
}

// WithMetric chooses the inverse mass matrix that the warm-up finds: "auto", "diag", "dense",
// "lowrank" or "unit".
func WithMetric(kind string) Option { return func(s *typed.Settings) { s.Metric = kind } }

// WithMaxDepth bounds a trajectory of nuts to 2^d − 1 steps: 10 without it.
func WithMaxDepth(d int) Option { return func(s *typed.Settings) { s.MaxDepth = d } }

// WithEnergyError has nuts halve the steps along which the energy moves by more: none without
// it.
func WithEnergyError(e float64) Option { return func(s *typed.Settings) { s.EnergyError = e } }

// WithReplicas has each chain of nuts or gmc exchange states between k temperatures, for posteriors
// of several modes: none without it.
func WithReplicas(k int) Option { return func(s *typed.Settings) { s.Replicas = k } }

// WithPermute has nuts and gmc exchange two entries of all params along a dim at random, as the
// labels of a mixture: none without it.
func WithPermute(dim string) Option { return func(s *typed.Settings) { s.Permute = dim } }

// WithGradNoise sets the variance of the gradient's noise that the kick makes room for, a
// number, or "fisher" to have it estimated from minibatches in the order "replace".
func WithGradNoise(v string) Option { return func(s *typed.Settings) { s.SetGradNoise(v) } }

//[locals
// WithLocals sets how the latent values of a row are drawn at each visit.
func WithLocals(o target.LocalOptions) Option {
	return func(s *typed.Settings) { s.LocalOptions = o }
}

//locals]
// WithBlocks gives params their own settings, beside those of all others. Samplers that take
// stochastic gradients may be mixed; one step moves all blocks, with one gradient. So
//
//	WithSampler("msgnht"), WithStep(1e-4), WithBlocks(sampler.BlockConfig{Params: []string{"phi"}, Sampler: "sgrld", Step: new(0.01)})
//
// moves phi, a simplex that the model declares by expanded_mean, by sgrld. Params are names, or
// globs with * and ?; of several that fit the last counts, setting by setting.
func WithBlocks(own ...sampler.BlockConfig) Option {
	return func(s *typed.Settings) { s.Blocks = append(s.Blocks, own...) }
}

// settings are those of a run with options.
func settings(options []Option) typed.Settings {
	s := typed.DefaultSettings()
//[plan
	s.Anchor, s.TargetESS, s.MaxBias = "auto", 400, 0.1
//plan]
	for _, set := range options {
		set(&s)
	}
	return s
}
`
