package main

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// holdOut binds the model to the rows of --held-out or --validate, as score would to the
// fitted run: sizes of the parameters and values such as mean(x) are those of
// the run's data, and so is what has no row axis and is not given again.
func (b *binding) holdOut(e *env, flag string, specs, set []string) error {
	if len(specs) == 0 {
		return nil
	}
	if err := likelihood(b.compiled, flag); err != nil {
		return err
	}
	axis := b.compiled.Spec.RowDim
	if axis == "" {
		return usage("%s: the rows of %s cannot be scored one by one: %s", flag, b.compiled.Spec.Name, coupled(b.compiled.Check))
	}
	h := &binding{data: specs, axis: b.axis, src: b.src, compiled: b.compiled, fixed: sharedDims(b.compiled, b.bound.Dims),
		constants: map[string][]float64{}, others: b.bound.Values}
	for _, s := range set {
		if name, _, _ := strings.Cut(s, "="); strings.TrimSpace(name) != axis {
			h.set = append(h.set, s)
		}
	}
	for _, in := range b.compiled.Spec.Schema.Inputs {
		if slices.ContainsFunc(in.Shape, func(p size.Poly) bool { return slices.Contains(p.Dims(), axis) }) {
			continue
		}
		if b.bound.Values[in.Name] != nil {
			h.absent = append(h.absent, in.Name)
		}
		for _, p := range in.Shape {
			for _, d := range p.Dims() {
				h.fixed[d] = b.bound.Dims[d]
			}
		}
	}
	for _, name := range b.compiled.Fitted {
		if x, ok := b.target.Constants[name]; ok {
			h.constants[name] = x
		}
	}
	if err := h.bind(e); err != nil {
		return err
	}
	if h.target.Rows() == 0 {
		return fail(exitData, "%s: there are no rows to score: %s is 0", flag, axis)
	}
	b.held, b.target.HeldOut = h, h.target
	return nil
}

// heldOut is what the record keeps of it.
func (b *binding) heldOut(every int64) *run.HeldOut {
	if b.held == nil {
		return nil
	}
	h := &run.HeldOut{Data: slices.Clone(b.held.bound.Files), Every: every}
	for _, d := range b.held.data {
		h.Inputs = append(h.Inputs, absolute(d))
	}
	return h
}
