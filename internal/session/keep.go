package session

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

// Kept has the parsed values of --keep and --reservoir.
type Kept struct {
	Globs   []string // names of outputs to store; none: all
	Last    int64    // draws of each chain, the last ones; 0: all
	Moments bool     // means, variances and quantiles, and no draws but those of the next two
	// Reservoir is the number of draws of each chain that are stored, evenly spread; 0: all, or as
	// last says.
	Reservoir int64
	Sketch    int // entries of quantile sketches; negative: by the size of the model
}

// none reports whether no draws are stored.
func (k *Kept) none() bool { return k.Moments && k.Last == 0 && k.Reservoir == 0 }

// stored returns how many of a chain's draws are stored.
func (k *Kept) stored(draws int64) int64 {
	for _, n := range []int64{k.Last, k.Reservoir} {
		if n > 0 {
			draws = min(draws, n)
		}
	}
	return draws
}

// Entries returns the number of entries of the quantile sketches of a run.
func (b *Binding) Entries(k Kept) int {
	if !k.Moments || k.Sketch >= 0 {
		return max(k.Sketch, 0)
	}
	numbers := 0
	for _, o := range b.Target.Outputs() {
		if Matches(k.Globs, o.Name) {
			numbers += o.Len
		}
	}
	return sketch.Entries(numbers)
}

// Keeps refuses globs of --keep that match nothing.
func (b *Binding) Keeps(globs []string) error {
	for _, g := range globs {
		if !slices.ContainsFunc(b.Compiled.Spec.Params,
			func(p model.Param) bool { return run.Match(g, p.Name) }) &&
			!slices.ContainsFunc(b.Compiled.Spec.Tracks, func(t model.Track) bool {
				return run.Match(g, t.Name)
			}) {
			return Usagef("--keep %s: nothing in the model is called so", g)
		}
	}
	return nil
}
