package model

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/infer/initial"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Law is where chains start in a param: a row of the table of package
// initial, or none.
type Law struct {
	Name string
	Args []Number
}

// A Number is known once the sizes are: Size, if it is none then Value.
type Number struct {
	Size  size.Poly
	Value float64
}

// HasLaws reports whether a param has a law to start from.
func (m *Model) HasLaws() bool {
	for i := range m.Spec.Params {
		if m.Spec.Params[i].Init.Name != "" {
			return true
		}
	}
	return false
}

// Start overwrites, in a state of finite coordinates, the params that have a
// law to start from with draws of it; any says whether one has. It allocates,
// and fails where a draw is outside its param's support.
func (e *Evaluator) Start(src *rng.Source, x []float64) (any bool, err error) {
	m := e.m
	if !m.HasLaws() {
		return false, nil
	}
	out, y := make([]float64, m.OutputLen()), make([]float64, len(x))
	e.Constrain(x, out)
	for i := range m.Spec.Params {
		p := &m.Spec.Params[i]
		law, ok := initial.Lookup(p.Init.Name)
		if !ok {
			if p.Init.Name != "" {
				return false, fmt.Errorf("%s starts from %s, and this version has no such law",
					p.Name, p.Init.Name)
			}
			continue
		}
		args := make([]float64, len(p.Init.Args))
		for k, a := range p.Init.Args {
			args[k] = a.Value
			if len(a.Size.Terms) > 0 {
				args[k] = float64(product([]size.Poly{a.Size}, m.Dims))
			}
		}
		o := &m.outputs[i]
		law.Draw(args, o.Shape, src, out[o.Offset:o.Offset+o.Len])
	}
	// the params with a law are looked at here, the others keep their coordinates
	_ = e.Unconstrain(out, y)
	for _, b := range m.blocks {
		for i := range m.Spec.Params {
			if p := &m.Spec.Params[i]; p.Name != b.Name || p.Init.Name == "" {
				continue
			}
			for k := b.Offset; k < b.Offset+b.Len; k++ {
				if math.IsNaN(y[k]) || math.IsInf(y[k], 0) {
					return true,
						fmt.Errorf("what %s starts from, by its init, is outside its support", b.Name)
				}
				x[k] = y[k]
			}
		}
	}
	return true, nil
}
