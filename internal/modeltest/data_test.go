package modeltest

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// randomData makes inputs that fit a model's schema, of the sizes given.
func randomData(s *data.Schema, dims map[string]int, r *rand.Rand) *data.Bound {
	b := &data.Bound{Dims: maps.Clone(dims), Values: map[string]*data.Value{}}
	for _, d := range s.Dims {
		if d.Of != "" { // rows of every length from two to the longest
			v := make([]float64, dims[d.Of])
			for i := range v {
				v[i] = float64(dims[d.Name] - i%max(1, dims[d.Name]-1))
			}
			b.Values[data.LengthsOf(d.Name)] = data.Dense(v, len(v))
		}
	}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		shape, n := make([]int, len(in.Shape)), 1
		for k, p := range in.Shape {
			shape[k] = eval(p, dims)
			n *= shape[k]
		}
		below, _ := in.Below.Eval(dims)
		lo, hi := end(in.Lo, b, math.Inf(-1)), end(in.Hi, b, math.Inf(1))
		v := make([]float64, n)
		for k := range v {
			v[k] = entry(in.Kind, below, lo, hi, r)
		}
		if in.Unknown {
			missing := 0
			for k := 0; k < n; k += 2 {
				v[k] = math.NaN()
				missing++
			}
			b.Dims[data.MissingDim(in.Name)] = missing
		}
		own := 1
		for _, k := range shape[len(shape)-in.Own:] {
			own *= k
		}
		if in.Own > 0 && own > 0 {
			for k := 0; k < n; k += own {
				whole(in.Kind, v[k:k+own])
			}
		}
		value := data.Dense(v, shape...)
		if in.Sparse {
			value = data.Sparse(compressed(v, shape, r))
		}
		value.Canonical = true
		b.Values[in.Name] = value
	}
	return b
}

func eval(p size.Poly, dims map[string]int) int {
	n, ok := p.Eval(dims)
	if !ok {
		panic("unknown size " + p.String())
	}
	return n
}

func end(e data.End, b *data.Bound, open float64) float64 {
	switch {
	case e.Name != "":
		return b.Values[e.Name].F64[0]
	case math.IsNaN(e.Value) || e.Value == 0:
		return open
	}
	return e.Value
}

func entry(k data.Kind, below int, lo, hi float64, r *rand.Rand) float64 {
	switch k {
	case data.Positive, data.PositiveOrdered, data.Simplex:
		return 0.1 + r.ExpFloat64()
	case data.Unit:
		return 0.05 + 0.9*r.Float64()
	case data.Interval:
		switch u := 0.05 + 0.9*r.Float64(); {
		case math.IsInf(lo, -1) && math.IsInf(hi, 1):
			return r.NormFloat64()
		case math.IsInf(hi, 1):
			return lo + u
		case math.IsInf(lo, -1):
			return hi - u
		default:
			return lo + u*(hi-lo)
		}
	case data.Int:
		return float64(r.IntN(4))
	case data.Count:
		return float64(r.IntN(6))
	case data.Bool:
		return float64(r.IntN(2))
	case data.Index:
		return float64(r.IntN(max(below, 1)))
	}
	return r.NormFloat64()
}

// whole makes one value of a kind with axes of its own out of free entries.
func whole(k data.Kind, v []float64) {
	sum, square := 0.0, 0.0
	for _, x := range v {
		sum, square = sum+x, square+x*x
	}
	for i := range v {
		switch k {
		case data.Simplex:
			v[i] /= sum
		case data.Sphere:
			v[i] /= math.Sqrt(square)
		case data.SumToZero:
			v[i] -= sum / float64(len(v))
		}
	}
	if k == data.Ordered || k == data.PositiveOrdered {
		slices.Sort(v)
	}
}

// compressed keeps every third entry.
func compressed(v []float64, shape []int, r *rand.Rand) *data.CSR {
	cols := shape[len(shape)-1]
	m := &data.CSR{Rows: len(v) / max(cols, 1), Cols: cols, Indptr: []int{0}}
	for i := range m.Rows {
		for j := range cols {
			if r.IntN(3) == 0 {
				m.Index = append(m.Index, int32(j))
				m.Value = append(m.Value, v[i*cols+j])
			}
		}
		m.Indptr = append(m.Indptr, len(m.Index))
	}
	return m
}
