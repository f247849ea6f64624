package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/run"
)

// kept is what --keep asks for.
type kept struct {
	globs   []string // names; all without
	last    int64    // draws of each chain, the last ones; 0: all
	moments bool     // means and variances, and no draws but the last ones
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
	if c.SaveWarmup && (k.moments || k.last > 0) {
		return k, usage("--save-warmup stores every state of the warm-up, and --keep moments or last=K are for runs that do not store every draw")
	}
	return k, nil
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
