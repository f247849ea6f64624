package papers

import "math"

// wellZ is the integral of exp(−U) of the double well.
const wellZ = 28.02236819

// wellU is the double well's potential.
func wellU(x float64) float64 {
	return float64(float64((x+4)*(x+1))*float64((x-1)*(x-3))/14) + 0.5
}

func wellPotential() Series {
	s := Series{Name: "potential", Colour: 2}
	for i := range 181 {
		x := -4.5 + float64(0.05*float64(i))
		s.X, s.Y = append(s.X, x), append(s.Y, wellU(x))
	}
	return s
}

func wellDensity() Series {
	s := Series{Name: "exact", Colour: 5, Dashed: true}
	for i := range 201 {
		x := -5 + float64(0.05*float64(i))
		s.X, s.Y = append(s.X, x), append(s.Y, math.Exp(-wellU(x))/wellZ)
	}
	return s
}
