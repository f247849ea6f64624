package special

import "math"

// Bits is a small generator of random numbers, for laws that need more than one
// for a draw where one uniform number u is given: its state is the bits of u, so
// that a draw is a function of u (Steele, Lea and Flood 2014, Fast splittable
// pseudorandom number generators).
type Bits uint64

// BitsOf starts from a number.
func BitsOf(u float64) Bits { return Bits(math.Float64bits(u)) }

// Uniform is the next number between 0 and 1, neither included.
func (g *Bits) Uniform() float64 {
	*g += 0x9e3779b97f4a7c15
	z := uint64(*g)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return float64((float64(z>>12) + 0.5) * 0x1p-52)
}

// Normal is a standard normal, by the polar method (Marsaglia and Bray 1964).
func (g *Bits) Normal() float64 {
	for {
		x, y := float64(2*g.Uniform())-1, float64(2*g.Uniform())-1
		if r := float64(x*x) + float64(y*y); r < 1 {
			return x * math.Sqrt(-2*Log(r)/r)
		}
	}
}

// LogGammaVariate is the logarithm of a draw of Gamma(shape, 1) that is a
// function of a uniform number u: for shapes below 1 the draw itself may be too
// small for a float64. NaN where shape is not positive. Source: Marsaglia and
// Tsang (2000), A simple method for generating gamma variables, §6 for shapes
// below 1.
func LogGammaVariate(shape, u float64) float64 {
	switch {
	case !(shape > 0):
		return math.NaN()
	case math.IsInf(shape, 1):
		return shape
	}
	g, boost := BitsOf(u), 0.0
	if shape < 1 {
		boost = Log(g.Uniform()) / shape
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := g.Normal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(v * v * v)
		logv := Log(v)
		if Log(g.Uniform()) < float64(0.5*x*x)+float64(d*(1-v+logv)) {
			return Log(d) + logv + boost
		}
	}
}
