package model

import (
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Conditionals implements target.ConditionalTarget.
func (m *Model) Conditionals() []target.Conditional {
	offsets, hidden := map[string]int{}, map[string]bool{}
	at := 0
	for i := range m.Spec.Hidden {
		h := &m.Spec.Hidden[i]
		offsets[h.Name], hidden[h.Name] = at, true
		at += h.Len(m.Dims)
	}
	for _, o := range m.outputs {
		if !o.Track {
			offsets[o.Name] = o.Offset
		}
	}
	out := make([]target.Conditional, len(m.Spec.Conditionals))
	for i := range out {
		c := &m.Spec.Conditionals[i]
		out[i] = target.Conditional{Name: c.Name, Law: c.Law, Powers: c.Powers, Hidden: hidden[c.Name],
			Offset: offsets[c.Name], Blocks: product(c.Blocks, m.Dims), Size: product(c.Size, m.Dims)}
		if c.Law == target.CategoryLaw || c.Law == target.TopicsLaw {
			out[i].Values, _ = c.Values.Eval(m.Dims)
		}
		for j := range c.Outputs {
			out[i].Lens = append(out[i].Lens, c.Outputs[j].Len(m.Dims))
		}
	}
	return out
}

// A joined is the workspace for full conditionals: hidden values, and the state or the values of a
// model with them behind.
type joined struct {
	hidden        []float64
	state, values []float64
	funcs         []Func // conditional I; empty before their first use
}

// newJoined makes the workspace; nil if the model has no full conditionals.
func (m *Model) newJoined() *joined {
	if len(m.Spec.Conditionals) == 0 {
		return nil
	}
	n := 0
	for i := range m.Spec.Hidden {
		n += m.Spec.Hidden[i].Len(m.Dims)
	}
	return &joined{hidden: make([]float64, n), state: make([]float64, m.dim+n),
		values: make([]float64, m.outLen+n)}
}

// behind writes x with the hidden values behind it to room, and returns that.
func (j *joined) behind(x, room []float64) []float64 {
	if j == nil || len(j.hidden) == 0 {
		return x
	}
	copy(room, x)
	copy(room[len(room)-len(j.hidden):], j.hidden)
	return room
}

// withHidden is a state with the hidden values behind it.
func (e *Evaluator) withHidden(x []float64) []float64 {
	if e.joined == nil {
		return x
	}
	return e.joined.behind(x, e.joined.state)
}

// Hidden implements target.ConditionalEvaluator.
func (e *Evaluator) Hidden() []float64 {
	if e.joined == nil {
		return nil
	}
	return e.joined.hidden
}

// Conditional implements target.ConditionalEvaluator.
func (e *Evaluator) Conditional(i int, values, out []float64) {
	j := e.joined
	if len(j.funcs) == 0 {
		for k := range e.m.Spec.Conditionals {
			j.funcs = append(j.funcs, e.fn(fn.Conditional.At(k)))
		}
	}
	e.run(j.funcs[i], j.behind(values, j.values), nil, out, nil, 0)
}
