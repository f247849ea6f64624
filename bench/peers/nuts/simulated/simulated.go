// Package simulated makes the data sets of the comparison with other programs
// that are not public data: the same numbers everywhere.
package simulated

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A Hierarchy is what models/radon.sg is given.
type Hierarchy struct {
	J      int       `json:"J"`
	N      int       `json:"N"`
	County []int     `json:"county"` // counted from 1
	X      []float64 `json:"x"`
	Y      []float64 `json:"y"`
}

// Radon has the shape of the radon data of Gelman and Hill (2007), chapter 12:
// 919 houses in 85 counties, 17 % measured on the ground floor.
func Radon() *Hierarchy {
	h := &Hierarchy{J: 85, N: 919}
	src := rng.New(1, 0, rng.Init).At(0)
	normals := make([]float64, h.J+h.N)
	rng.New(1, 1, rng.Init).Normals(0, normals)
	for range h.N {
		h.County = append(h.County, 1+int(src.Float64()*float64(h.J)))
	}
	slices.Sort(h.County)
	for n, g := range h.County {
		x := 0.0
		if src.Float64() < 0.17 {
			x = 1
		}
		a := 1.5 + 0.3*normals[g-1]
		h.X = append(h.X, x)
		h.Y = append(h.Y, a-0.65*x+0.75*normals[h.J+n])
	}
	return h
}

// JSON is the data file.
func (h *Hierarchy) JSON() []byte { return text(h) }

// A Regression is what models/regression.sg is given.
type Regression struct {
	N int         `json:"N"`
	P int         `json:"P"`
	X [][]float64 `json:"x"`
	Y []int       `json:"y"`
}

// Logistic is a logistic regression of 1,000 rows with 20 normal predictors.
func Logistic() *Regression {
	const n, p = 1000, 20
	r := &Regression{N: n, P: p}
	src := rng.New(2, 0, rng.Init).At(0)
	stream := rng.New(2, 1, rng.Init)
	for i := range n {
		x := make([]float64, p)
		stream.Normals(uint64(i), x)
		eta := 0.3
		for k, v := range x {
			eta += 0.5 * math.Cos(float64(k)) * v
		}
		y := 0
		if src.Float64() < 1/(1+math.Exp(-eta)) {
			y = 1
		}
		r.X, r.Y = append(r.X, x), append(r.Y, y)
	}
	return r
}

// JSON is the data file.
func (r *Regression) JSON() []byte { return text(r) }

func text(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // numbers alone
	}
	return out
}
