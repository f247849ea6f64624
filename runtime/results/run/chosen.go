package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A Chosen says which chains of an unfinished run are read.
type Chosen struct {
	Draws []int // of every chain of the run
	Used  []int // the chains that are read
	Each  int   // draws of each of these that are read
}

// Choose selects the chains of a run to read, and restricts the store to them. For an unfinished
// run it selects the chains that together give the most draws when each is cut to the shortest of
// them, so that a chain with few draws is left out instead of shortening the others. For a finished
// run and for a run of an optimiser it selects all chains. If summarised is true, the draws of a
// chain are counted by its moments (MomentsGroup), else by its stored draws.
func Choose(store *trace.Store, r *Record, summarised bool) (*Chosen, error) {
	c := &Chosen{Draws: make([]int, store.Chains())}
	for k := range c.Draws {
		var err error
		if c.Draws[k], err = store.Written(k); err != nil {
			return nil, disk(err)
		}
	}
	if summarised {
		counts, err := store.Read(MomentsGroup, "count")
		if err != nil {
			return nil, disk(err)
		}
		for k := range c.Draws {
			c.Draws[k] = 0
			if n := counts.At(k, 0)[0]; n > 0 { // a count that was never written is 0
				c.Draws[k] = int(n)
			}
		}
	}
	c.choose(r.Status == Done || r.Optimize != nil)
	if len(c.Used) == len(c.Draws) {
		return c, nil
	}
	if err := store.Choose(c.Used); err != nil {
		return nil, damaged(err)
	}
	return c, nil
}

// choose sets Each and Used from Draws. If all is true, it uses every chain.
func (c *Chosen) choose(all bool) {
	c.Each = trace.Most(c.Draws)
	if all && len(c.Draws) > 0 {
		c.Each = slices.Min(c.Draws)
	}
	for k, n := range c.Draws {
		if n >= c.Each {
			c.Used = append(c.Used, k)
		}
	}
}

// Resumable reports whether a run can continue from its checkpoints. It is false if the run failed
// with an error that would occur again.
func (r *Record) Resumable() bool { return r.Status != Failed || r.Exit != exitRun }

// String says which draws are read.
func (c *Chosen) String() string {
	if len(c.Used) == len(c.Draws) {
		return fmt.Sprintf("these are the %d draws that every chain has", c.Each)
	}
	const shown = 8
	var left []string
	next, out := 0, 0
	for k, n := range c.Draws {
		if next < len(c.Used) && c.Used[next] == k {
			next++
			continue
		}
		if out++; out <= shown {
			left = append(left, fmt.Sprintf("chain %d with %d", k, n))
		}
	}
	if out > shown {
		left = append(left, fmt.Sprintf("%d more", out-shown))
	}
	used := fmt.Sprintf("%d of %d chains are", len(c.Used), len(c.Draws))
	if len(c.Used) == 1 {
		used = fmt.Sprintf("chain %d alone of %d is", c.Used[0], len(c.Draws))
	}
	return fmt.Sprintf("%s used, %d draws of each; left out, as they have fewer: %s", used, c.Each,
		strings.Join(left, ", "))
}
