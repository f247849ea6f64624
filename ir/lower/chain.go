package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// Locals are the locals that a chain draws, in the order of their declaration.
func (l *Model) Locals() []latent.Local {
	var out []latent.Local
	for _, z := range l.Sampled {
		out = append(out, z.Local)
	}
	return out
}

// ChainRows are the summands of the log density of a row, for a chain.
func (j *Joint) ChainRows() latent.Rows {
	rows := latent.Rows{Row: j.Row, Full: j.Full, Terms: j.Parts}
	for _, o := range j.Rows {
		if o.Kind == PosteriorOf {
			rows.Posterior = append(rows.Posterior, o.Output)
		}
	}
	return rows
}

// CountsAndSizes are what a chain takes from the model besides its terms: the names
// of data that are counts, and the sizes of dims that are known.
func (l *Model) CountsAndSizes() (counts []string, sizes map[string]int) {
	return l.countData(), l.knownSizes()
}

// knownSizes are the sizes of dims that the model gives.
func (l *Model) knownSizes() map[string]int {
	out := map[string]int{}
	for _, s := range l.Checked.Symbols {
		if n, ok := s.Default.Number(); ok && s.Kind == check.Dim && n > 0 {
			out[s.Name] = n
		}
	}
	return out
}

// countData are the names of data that are whole numbers from 0 on.
func (l *Model) countData() []string {
	var out []string
	for _, s := range l.Checked.Symbols {
		if slices.Contains([]types.Kind{types.Count, types.Bool, types.Bag}, s.Type.Kind) {
			out = append(out, s.Name)
		}
		if s.Type.Kind == types.Bag {
			out = append(out, data.CountsOf(s.Name))
		}
	}
	return out
}
