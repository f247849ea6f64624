package target

import "runtime"

// LocalOptions say how the latent values of a row are drawn, at each visit of
// the row. A zero stands for the default.
type LocalOptions struct {
	// sweeps before the first draw that may be kept; −1: none
	BurnIn   int `json:"local_burn_in,omitempty"`
	Kept     int `json:"local_draws,omitempty"`    // draws whose gradients are averaged
	Thin     int `json:"local_thin,omitempty"`     // sweeps for each of these
	Leapfrog int `json:"local_leapfrog,omitempty"` // steps of a trajectory of gmc
	// Threads share the rows of a minibatch; the draws do not depend on them.
	Threads int `json:"-"`
}

// Filled puts the defaults in the place of zeros.
func (o LocalOptions) Filled() LocalOptions {
	for _, f := range []struct {
		v   *int
		def int
	}{{&o.BurnIn, 20}, {&o.Kept, 20}, {&o.Thin, 1}, {&o.Leapfrog, 10}, {&o.Threads, 1}} {
		if *f.v == 0 {
			*f.v = f.def
		}
	}
	o.BurnIn = max(o.BurnIn, 0)
	return o
}

// Shared has the processors that so many chains leave, of the threads of a run
// (0: all), share the rows of a minibatch.
func (o LocalOptions) Shared(threads, chains int) LocalOptions {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	o.Threads = max(threads/max(chains, 1), 1)
	return o
}

// A LocalTarget is a model with latent values of rows that chains draw: it has
// no density of the params alone.
type LocalTarget interface {
	// Locals are their names; none where the model has none.
	Locals() []string
}

// LocalsOf are the names of the latent values that chains draw, in a target.
func LocalsOf(t Target) []string {
	if l, ok := t.(LocalTarget); ok {
		return l.Locals()
	}
	return nil
}

// A LocalEvaluator is an evaluator of a model with latent values of rows that
// chains draw. Its gradients are means over their draws.
type LocalEvaluator interface {
	// Locals sets the options and the stream of the draws, before anything is
	// evaluated.
	Locals(o LocalOptions, seed uint64, chain int)
	// Visit gives the next evaluations the number v. The draws for a row are a function of the seed,
	// the chain, the row, v, the steps of gmc and a state. For a minibatch that is the state of the
	// first gradient of the visit, and the steps are those at the beginning of the visit: inner steps,
	// which evaluate a minibatch again at other states, take the same draws. Of all rows together, and
	// of what is evaluated before a gradient was wanted, they are those of the evaluation itself. With
	// adapt, the first gradient tunes the steps of gmc.
	Visit(v uint64, adapt bool)
	// LocalState is what a checkpoint needs of all this; it may be written.
	LocalState() []float64
	// Watch has the chains of rows run at a state from several starts, with the steps
	// as they are, and says what they did. Nothing else depends on it.
	Watch(x []float64, rows []int, starts, draws int) []LocalTrace
}

// A LocalTrace is what chains of rows did, of one latent value. Its coordinates
// are, of a continuous one, those that move; of a discrete one each entry's values
// where they are few, else how many entries have each value.
type LocalTrace struct {
	Name string
	// Step and Acceptance are those of trajectories; NaN without.
	Step, Acceptance float64
	Rows             [][][][]float64 // by row, coordinate, start and sweep after the burn-in
}
