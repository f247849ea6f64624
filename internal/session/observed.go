package session

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Whole says that a kind has whole numbers.
func Whole(k data.Kind) bool {
	return k == data.Int || k == data.Count || k == data.Bool || k == data.Index
}

// VariableOf is a predicted array in a store.
func VariableOf(s *driver.Predicted) trace.Variable {
	v := trace.Variable{Group: "posterior_predictive", Name: s.Name, Dims: s.Dims, Shape: s.Shape}
	if s.Latent {
		v.Group = "posterior"
	}
	if Whole(s.Kind) && !s.Missing {
		v.DType = trace.Int64
	}
	return v
}

// StoreAttrs returns the attributes of a store that is computed from a run.
func StoreAttrs(r *run.Record) map[string]any {
	return map[string]any{"creation_library_version": r.Version,
		"inference_library_version": r.Version, "model": r.Model, "sampler": r.Outline().Method}
}

// ObservedData are the arrays of the group observed_data, as far as they are given.
func ObservedData(sites []driver.Predicted, bound *data.Bound) []trace.Variable {
	var out []trace.Variable
	for _, s := range sites {
		if v := bound.Values[s.Name]; v != nil && v.CSR == nil {
			x := trace.Variable{Group: "observed_data", Name: s.Name, Dims: s.Dims, Shape: s.Shape,
				Static: true}
			if Whole(s.Kind) && !slices.ContainsFunc(v.Floats(), math.IsNaN) {
				x.DType = trace.Int64
			}
			out = append(out, x)
		}
	}
	return out
}

// WriteObserved writes the arrays of ObservedData. Classes have the numbers that they have in the
// data.
func WriteObserved(store *trace.Store, sites []driver.Predicted, bound *data.Bound) error {
	for _, s := range sites {
		v := bound.Values[s.Name]
		if v == nil || v.CSR != nil {
			continue
		}
		x := make([]float64, v.Len())
		for i, y := range v.Floats() {
			x[i] = y + float64(s.From)
		}
		if err := store.WriteStatic("observed_data", s.Name, x); err != nil {
			return err
		}
	}
	return nil
}
