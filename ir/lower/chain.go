package lower

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/latent"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/model"
)

// chain makes the function that draws the locals of a row, gives the rows their
// mean over its draws, and describes it to the runtime. nil after a report.
func (l *lowerer) chain(spec *model.Spec, j *joint) *ir.Func {
	if j.dim == "" {
		l.noRows(l.sampled[0])
		return nil
	}
	var locals []latent.Local
	for _, z := range l.sampled {
		locals = append(locals, z.Local)
	}
	rows := latent.Rows{Row: j.row, Full: j.full, Terms: j.parts}
	for _, o := range j.rows {
		if name, is := strings.CutPrefix(o.Name, posteriorMark); is {
			rows.Posterior = append(rows.Posterior, ir.Output{Name: name, Value: o.Value, Axes: o.Axes})
		}
	}
	c, err := latent.Derive(rows, locals, l.chainOptions())
	j.parts = c.Terms
	if err != nil {
		l.diags.Add(err.In(l.model.File.Source))
		return nil
	}
	if c.Score != nil {
		j.perRow = c.Score
	}
	spec.Chain = c.Spec
	return c.Func
}

// chainOptions are what the model says that chains of its locals depend on.
func (l *lowerer) chainOptions() latent.Options {
	o := latent.Options{Optimiser: l.optimiser(), Sizes: map[string]int{}, Score: l.completing == nil}
	for _, s := range l.model.Symbols {
		if n, ok := s.Default.Number(); ok && s.Kind == check.Dim && n > 0 {
			o.Sizes[s.Name] = n
		}
		if slices.Contains([]types.Kind{types.Count, types.Bool, types.Bag}, s.Type.Kind) {
			o.Counts = append(o.Counts, s.Name)
		}
		if s.Type.Kind == types.Bag {
			o.Counts = append(o.Counts, data.CountsOf(s.Name))
		}
	}
	return o
}

// ordered takes sums of products in the order that costs least in a chain.
func (l *lowerer) ordered(f *ir.Func) *ir.Func { return latent.Ordered(f, l.chainOptions()) }
