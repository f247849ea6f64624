package session

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// HoldOut binds the model to the rows of --held-out or --validate, as `sgppl score` binds rows for
// a fitted run. The sizes of the parameters and constants such as mean(x) are those of the run's
// data. Inputs without the row axis are taken from the run's data unless specs gives them.
func (b *Binding) HoldOut(e *Session, flag string, specs, set []string) error {
	if len(specs) == 0 {
		return nil
	}
	if err := Likelihood(b.Compiled, flag); err != nil {
		return err
	}
	axis := b.Compiled.Spec.RowDim
	if axis == "" {
		return Usagef("%s: the rows of %s cannot be scored one by one: %s", flag,
			b.Compiled.Spec.Name, Coupled(b.Compiled.Check))
	}
	h := &Binding{
		Src: b.Src, Compiled: b.Compiled, Fixed: SharedDims(b.Compiled, b.Bound.Dims),
		Constants: map[string][]float64{}, others: b.Bound.Values,
		Given: Given{Data: specs, Axis: b.Axis, Levels: b.Levels, NA: b.NA},
	}
	h.Labels = b.SharedLabels(b.Bound.Labels)
	for _, s := range set {
		if name, _, _ := strings.Cut(s, "="); strings.TrimSpace(name) != axis {
			h.Set = append(h.Set, s)
		}
	}
	for _, in := range b.Compiled.Spec.Schema.Inputs {
		if slices.ContainsFunc(in.Shape, func(p size.Poly) bool {
			return slices.Contains(p.Dims(), axis)
		}) {
			continue
		}
		if b.Bound.Values[in.Name] != nil {
			h.Absent = append(h.Absent, in.Name)
		}
		for _, p := range in.Shape {
			for _, d := range p.Dims() {
				h.Fixed[d] = b.Bound.Dims[d]
			}
		}
	}
	for _, name := range b.Compiled.Fitted {
		if x, ok := b.Target.Constants[name]; ok {
			h.Constants[name] = x
		}
	}
	memory.Settle() // what the run's rows were read into
	if err := h.Bind(e); err != nil {
		return err
	}
	if h.Target.Rows() == 0 {
		return Failf(ExitData, "%s: there are no rows to score: %s is 0", flag, axis)
	}
	b.Held, b.Target.HeldOut = h, h.Target
	return nil
}

// HeldOut returns the description of the held-out rows for the record; nil without held-out rows.
func (b *Binding) HeldOut(every int64) *run.HeldOut {
	if b.Held == nil {
		return nil
	}
	h := &run.HeldOut{Data: slices.Clone(b.Held.Bound.Files), Every: every}
	for _, d := range b.Held.Data {
		h.Inputs = append(h.Inputs, absolute(d))
	}
	return h
}
