package data

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

func anyNumber(v, _, _ float64) bool { return true }
func above0(v, _, _ float64) bool    { return v > 0 }
func atLeast0(v, _, _ float64) bool  { return v >= 0 }
func from0(v, _, _ float64) bool     { return v >= 0 && !math.IsInf(v, 1) }
func finite(v, _, _ float64) bool    { return !math.IsInf(v, 0) }
func zeroOne(v, _, _ float64) bool   { return v == 0 || v == 1 }
func within(v, lo, hi float64) bool  { return lo <= v && v <= hi }
func fromTo(v, lo, hi float64) bool  { return lo <= v && v < hi }

// wholeNumber reports whether a number is whole, and surely the one that was written: 2^53 is also
// what 2^53 + 1 is rounded to.
func wholeNumber(v float64) bool { return v == math.Trunc(v) && math.Abs(v) < array.MaxWhole }

// slack is the largest error of a sum or a length that is accepted. An entry with an error above
// rounding is renormalised.
const (
	slack    = 1e-6
	rounding = 1e-12
)

// A defect is a mistake in a constrained entry, such as a simplex or a point of a sphere. at is
// the index of the wrong number, or −1 for the entry as a whole. If scale is not 0, multiplication
// by scale corrects the entry.
type defect struct {
	at    int
	text  string
	scale float64
}

func simplex(v []float64, _ int) *defect {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return normalised(s, s, "sums to %s, not to 1")
}

func sphere(v []float64, _ int) *defect {
	s := 0.0
	for _, x := range v {
		s += float64(x * x)
	}
	s = math.Sqrt(s)
	return normalised(s, s, "has length %s, not 1")
}

func normalised(is, by float64, text string) *defect {
	switch gap := math.Abs(is - 1); {
	case !(gap <= slack):
		return &defect{at: -1, text: fmt.Sprintf(text, problem.Number(is))}
	case gap > rounding:
		return &defect{scale: 1 / by}
	}
	return nil
}

func rising(v []float64, _ int) *defect {
	for i := 1; i < len(v); i++ {
		if !(v[i-1] < v[i]) {
			return &defect{at: i,
				text: "is not above the entry before it, " + problem.Number(v[i-1])}
		}
	}
	return nil
}

func sumToZero(v []float64, _ int) *defect {
	s, size := 0.0, 1.0
	for _, x := range v {
		s += x
		size = max(size, math.Abs(x))
	}
	if math.Abs(s) > float64(slack*size) {
		return &defect{at: -1, text: "sums to " + problem.Number(s) + ", not to 0"}
	}
	return nil
}

func hyperbolic(v []float64, _ int) *defect {
	square := 1.0
	for _, x := range v[1:] {
		square += float64(x * x)
	}
	if want := math.Sqrt(square); !(math.Abs(v[0]-want) <= slack*want) {
		return &defect{at: 0, text: "is not " + problem.Number(want) + ", the square root of 1 " +
			"and the squares of the entries after it"}
	}
	return nil
}

func stiefel(v []float64, cols int) *defect {
	if cols == 0 {
		return nil
	}
	rows := len(v) / cols
	for a := range cols {
		for b := 0; b <= a; b++ {
			dot := 0.0
			for i := range rows {
				dot += float64(v[i*cols+a] * v[i*cols+b])
			}
			want := 0.0
			if a == b {
				want = 1
			}
			if math.Abs(dot-want) > slack {
				return &defect{at: -1,
					text: fmt.Sprintf("has columns %d and %d with inner product %s, not %s", b, a,
						problem.Number(dot), problem.Number(want))}
			}
		}
	}
	return nil
}

func corrChol(v []float64, cols int) *defect {
	if d := covChol(v, cols); d != nil {
		return d
	}
	for r := 0; r*cols < len(v); r++ {
		if d := sphere(v[r*cols:(r+1)*cols], 0); d != nil && d.scale == 0 {
			return &defect{at: -1, text: fmt.Sprintf("has a row %d that %s", r, d.text)}
		}
	}
	return nil
}

func covChol(v []float64, cols int) *defect {
	for i, x := range v {
		switch r, c := i/cols, i%cols; {
		case c > r && x != 0:
			return &defect{at: i,
				text: "is not 0, but lies above the diagonal of a lower triangular matrix"}
		case c == r && !(x > 0):
			return &defect{at: i,
				text: "is not above 0, but lies on the diagonal of a Cholesky factor"}
		}
	}
	return nil
}
