package driver

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// Imputed are the data whose missing entries are unknowns of the model.
func (c *Compiled) Imputed() (names []string) {
	for _, in := range c.Spec.Schema.Inputs {
		if in.Unknown {
			names = append(names, in.Name)
		}
	}
	return names
}

// Missing is how many entries of a datum are missing.
func Missing(bound *data.Bound, name string) int { return count(missing(bound, name)) }

// canRedraw says which missing entries cannot be drawn from their laws.
func (p *Posterior) canRedraw(bound *data.Bound) error {
	for _, r := range p.redraws {
		absent := missing(bound, r.Name)
		if count(absent) == 0 {
			continue
		}
		if r.Why != "" {
			return fmt.Errorf("entries of %s are missing, and are not drawn: %s", r.Name, r.Why)
		}
		for _, with := range r.With {
			if !within(absent, missing(bound, with)) {
				return fmt.Errorf("entries of %s are missing beside entries of %s that are not: "+
					"their law given these, "+
					"which depend on them, is not drawn; leave %s of those rows empty, or "+
					"predict the rows without them", r.Name, with, with)
			}
		}
	}
	return nil
}

// missing says which entries of a datum are missing; nil of one that is not there.
func missing(bound *data.Bound, name string) []bool {
	v := bound.Values[name]
	if v == nil || v.CSR != nil || v.Lists != nil {
		return nil
	}
	list := v.Floats()
	out := make([]bool, len(list))
	for i, x := range list {
		out[i] = x != x
	}
	return out
}

func count(of []bool) (n int) {
	for _, is := range of {
		if is {
			n++
		}
	}
	return n
}

// within reports whether other entries are missing wherever some are, or all of them are.
func within(some, other []bool) bool {
	if len(some) != len(other) {
		return count(other) == len(other)
	}
	for i, is := range some {
		if is && !other[i] {
			return false
		}
	}
	return true
}
