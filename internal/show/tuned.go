package show

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// tuned says which steps and frictions the warm-up found, over the chains.
func tuned(e *session.Session, r *run.Record) {
	if len(r.Chains) == 0 || r.Chains[0].Tuned == nil {
		return
	}
	for k, p := range r.Chains[0].Tuned.Parts {
		over := func(of func(*sampler.Tuned) float64) string {
			low, high := of(&p), of(&p)
			for i := range r.Chains {
				if t := r.Chains[i].Tuned; t != nil && k < len(t.Parts) {
					x := of(&t.Parts[k])
					low, high = min(low, x), max(high, x)
				}
			}
			a, b := fmt.Sprintf("%.2g", low), fmt.Sprintf("%.2g", high)
			if a == b {
				return a
			}
			return a + " to " + b
		}
		text := "found in warm-up: step " + over(func(p *sampler.Tuned) float64 { return p.Step })
		if p.Friction != 0 {
			text += ", friction " + over(func(p *sampler.Tuned) float64 { return p.Friction })
		}
		if len(r.Chains[0].Tuned.Parts) > 1 {
			text += ", of " + strings.Join(p.Params, ", ")
		}
		e.Note("%s", text)
	}
}

// Stochastic reports whether a sampler is named that takes minibatches without --batch.
func Stochastic(name string) bool {
	row, ok := sampler.Lookup(name)
	return ok && !row.Metropolis
}
