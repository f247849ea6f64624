package driver

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// covariate draws an input that no distribution describes, by its type.
func covariate(in *data.Input, dims map[string]int, src *rng.Source) (*data.Value, string) {
	shape, n := make([]int, len(in.Shape)), 1
	for i, p := range in.Shape {
		shape[i], _ = p.Eval(dims)
		n *= shape[i]
	}
	x := make([]float64, n)
	fill := func(f func() float64) {
		for i := range x {
			x[i] = f()
		}
	}
	law := "drawn from N(0, 1)"
	own := 1
	if in.Own > 0 {
		own = shape[len(shape)-1]
	}
	groups := func(f func(g []float64)) {
		for lo := 0; lo+own <= n; lo += own {
			f(x[lo : lo+own])
		}
	}
	switch in.Kind {
	case data.Bool:
		fill(func() float64 { return math.Floor(2 * src.Float64()) })
		law = "drawn by fair coins"
	case data.Index:
		k, _ := in.Below.Eval(dims)
		fill(func() float64 { return float64(src.IntN(max(k, 1))) })
		law = "drawn uniformly"
	case data.Unit:
		fill(src.Float64)
		law = "drawn uniformly"
	case data.Interval:
		lo, hi := in.Lo.Value, in.Hi.Value
		fill(func() float64 { return lo + (hi-lo)*src.Float64() })
		law = "drawn uniformly"
	case data.Positive, data.Nonnegative:
		fill(src.Exponential)
		law = "drawn from an exponential distribution of rate 1"
	case data.Int, data.Count:
		fill(func() float64 { return float64(src.IntN(10)) })
		law = "drawn uniformly from 0 to 9"
	case data.Simplex:
		fill(src.Exponential)
		groups(func(g []float64) { scaleBy(g, sum(g)) })
		law = "drawn uniformly"
	case data.Sphere:
		fill(src.Normal)
		groups(func(g []float64) { scaleBy(g, math.Sqrt(sumSquares(g))) })
		law = "drawn uniformly"
	case data.Ordered, data.PositiveOrdered:
		fill(src.Normal)
		if in.Kind == data.PositiveOrdered {
			fill(src.Exponential)
		}
		groups(slices.Sort[[]float64])
		law = "drawn and sorted"
	default:
		fill(src.Normal)
	}
	if in.Sparse {
		for i := range x {
			if src.Float64() >= 0.1 {
				x[i] = 0
			}
		}
		return sparse(x, shape), law + ", one entry in ten kept"
	}
	v := data.Dense(x, shape...)
	v.Canonical = true
	return v, law
}

func sparse(x []float64, shape []int) *data.Value {
	cols := shape[len(shape)-1]
	m := &data.CSR{Rows: len(x) / max(cols, 1), Cols: cols, Indptr: []int{0}}
	for r := range m.Rows {
		for c, v := range x[r*cols : (r+1)*cols] {
			if v != 0 {
				m.Index = append(m.Index, int32(c))
				m.Value = append(m.Value, v)
			}
		}
		m.Indptr = append(m.Indptr, len(m.Index))
	}
	v := data.Sparse(m)
	v.Shape = shape
	v.Canonical = true
	return v
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func sumSquares(x []float64) (s float64) {
	for _, v := range x {
		s += v * v
	}
	return s
}

func scaleBy(x []float64, by float64) {
	for i := range x {
		x[i] /= by
	}
}
