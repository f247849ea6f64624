package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// tuned says which steps and frictions the warm-up found, over the chains.
func tuned(e *session.Session, r *run.Record) {
	adapted(e, r)
	if len(r.Chains) == 0 || r.Chains[0].Tuned == nil {
		return
	}
	for k, p := range r.Chains[0].Tuned.Parts {
		over := func(of func(*sampler.Tuned) float64) string {
			var x []float64
			for i := range r.Chains {
				if t := r.Chains[i].Tuned; t != nil && k < len(t.Parts) {
					x = append(x, of(&t.Parts[k]))
				}
			}
			return span(x)
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

// adapted says which step and metric the warm-up of nuts, hmc or gmc found.
func adapted(e *session.Session, r *run.Record) {
	var steps []float64
	var metrics []string
	for _, c := range r.Chains {
		if c.Adapted == nil {
			continue
		}
		steps = append(steps, c.Adapted.Step)
		if m := c.Adapted.Metric; !slices.Contains(metrics, m) {
			metrics = append(metrics, m)
		}
	}
	if len(steps) > 0 {
		e.Note("found in warm-up: step %s, metric %s", span(steps), strings.Join(metrics, " or "))
	}
}

// span writes the least and the largest of some numbers.
func span(x []float64) string {
	a, b := fmt.Sprintf("%.2g", slices.Min(x)), fmt.Sprintf("%.2g", slices.Max(x))
	if a == b {
		return a
	}
	return a + " to " + b
}

// Stochastic reports whether a sampler is named that takes minibatches without --batch.
func Stochastic(name string) bool {
	row, ok := table.Lookup(name)
	return ok && !row.Exact()
}
