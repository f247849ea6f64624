package driver

import (
	"maps"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Keep is a Simulator of more data sets like one that was drawn: with its
// covariates, and unknowns and observed names drawn anew.
func (s *Simulator) Keep(first *Simulated) *Simulator {
	out := *s
	out.notes = nil
	out.bound = &data.Bound{Dims: s.bound.Dims, Values: maps.Clone(s.bound.Values),
		Files: s.bound.Files}
	drawn := map[string]bool{}
	for _, d := range s.sim.Draws {
		drawn[d.Name] = true
	}
	for i := range s.sim.Spec.Schema.Inputs {
		name := s.sim.Spec.Schema.Inputs[i].Name
		if v := first.Bound.Values[name]; v != nil && !drawn[name] {
			out.bound.Values[name] = v
		}
	}
	return &out
}

// Drawn reports whether the value of a name is drawn anew in every data set.
func (s *Simulator) Drawn(name string) bool {
	for _, d := range s.sim.Draws {
		if d.Name == name {
			return s.bound.Values[name] == nil
		}
	}
	return false
}

// ReplicationSeed is the seed of data set r of several: the first has the seed
// itself, so that it is the one that is drawn alone.
func ReplicationSeed(seed uint64, r int) uint64 {
	if r == 0 {
		return seed
	}
	src := rng.New(seed, r, rng.Simulate).At(1 << 50)
	return src.Uint64()
}

// Dims are the names of a name's axes, as far as they are dims.
func (s *Simulator) Dims(name string) []string {
	var shape []size.Poly
	if in := s.sim.Spec.Schema.Input(name); in != nil {
		shape = in.Shape
	}
	for _, p := range s.sim.Spec.Params {
		if p.Name == name {
			shape = p.Shape
		}
	}
	var out []string
	for _, n := range shape {
		dim, _ := n.Name()
		out = append(out, dim)
	}
	return out
}
