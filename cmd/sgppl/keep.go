package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

// kept is what --keep asks for.
type kept struct {
	globs   []string // names; all without
	last    int64    // draws of each chain, the last ones; 0: all
	moments bool     // means, variances and quantiles, and no draws but those of the next two
	// reservoir is the number of draws of each chain that are stored, evenly spread; 0: all, or as last says.
	reservoir int64
	sketch    int // entries of quantile sketches; negative: by the size of the model
}

// none says that no draws are stored.
func (k *kept) none() bool { return k.moments && k.last == 0 && k.reservoir == 0 }

// stored is how many of the draws of a chain are.
func (k *kept) stored(draws int64) int64 {
	for _, n := range []int64{k.last, k.reservoir} {
		if n > 0 {
			draws = min(draws, n)
		}
	}
	return draws
}

// keep reads --keep.
func (c *sampleCmd) keep() (kept, error) {
	var k kept
	for _, text := range c.Keep {
		number, last := strings.CutPrefix(text, "last=")
		switch {
		case text == "moments":
			k.moments = true
		case !last:
			k.globs = append(k.globs, text)
		case k.last > 0:
			return k, usage("--keep last= is given twice")
		default:
			n, err := strconv.ParseInt(number, 10, 64)
			if err != nil || n < 1 {
				return k, usage("--keep %s: last=K is expected, K a whole number of at least 1", text)
			}
			k.last = n
		}
	}
	k.reservoir, k.sketch = c.Reservoir, -1
	switch {
	case c.Reservoir < 0:
		return k, usage("--reservoir %d: the number of draws of each chain to store", c.Reservoir)
	case c.Reservoir > 0 && k.last > 0:
		return k, usage("--reservoir stores draws from all over a chain, and --keep last=%d the last ones: one of them", k.last)
	case c.Sketch != nil && !k.moments:
		return k, usage("--sketch is of --keep moments")
	case c.Sketch != nil && *c.Sketch != 0 && (*c.Sketch < sketch.MinEntries || *c.Sketch > sketch.MaxEntries):
		return k, usage("--sketch %d: from %d to %d entries, or 0 for none", *c.Sketch, sketch.MinEntries, sketch.MaxEntries)
	case c.Sketch != nil:
		k.sketch = *c.Sketch
	}
	if c.SaveWarmup && (k.moments || k.last > 0 || k.reservoir > 0) {
		return k, usage("--save-warmup stores every state of the warm-up, and --keep moments or last=K and --reservoir are for runs that do not store every draw")
	}
	return k, nil
}

// entries are those of the quantile sketches of a run.
func (b *binding) entries(k kept) int {
	if !k.moments || k.sketch >= 0 {
		return max(k.sketch, 0)
	}
	numbers := 0
	for _, o := range b.target.Outputs() {
		if matches(k.globs, o.Name) {
			numbers += o.Len
		}
	}
	return sketch.Entries(numbers)
}

// keeps refuses globs of --keep that match nothing.
func (b *binding) keeps(globs []string) error {
	for _, g := range globs {
		if !slices.ContainsFunc(b.compiled.Spec.Params, func(p model.Param) bool { return run.Match(g, p.Name) }) &&
			!slices.ContainsFunc(b.compiled.Spec.Tracks, func(t model.Track) bool { return run.Match(g, t.Name) }) {
			return usage("--keep %s: nothing in the model is called so", g)
		}
	}
	return nil
}
