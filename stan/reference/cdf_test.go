package reference

import "math"

// integrated is a distribution function as the integral of a density, by the rules of Takahasi and
// Mori, in two parts where the density has a kink.
func integrated(law string, x []float64) float64 {
	f := func(y float64) float64 {
		return math.Exp(reals[law](append([]float64{y}, x[1:]...)))
	}
	switch law {
	case "uniform":
		return (x[0] - x[1]) / (x[2] - x[1])
	case "von_mises":
		return between(f, -math.Pi, x[1]) + between(f, x[1], x[0])
	case "beta_proportion":
		return between(f, 0, x[0])
	case "pareto", "pareto_type_2":
		return between(f, x[1], x[0])
	}
	if domains[law] != "" && domains[law][0] == 'p' || law == "loglogistic" {
		return between(f, 0, x[0])
	}
	middle := math.Min(x[1], x[0])
	return upTo(f, middle) + between(f, middle, x[0])
}

// between is the integral of f from a to b.
func between(f func(float64) float64, a, b float64) float64 {
	const h = 1.0 / 64
	s, half := 0.0, (b-a)/2
	for k := -4 * 64; k <= 4*64; k++ {
		u := math.Pi / 2 * math.Sinh(float64(k)*h)
		w := half * h * math.Pi / 2 * math.Cosh(float64(k)*h) / (math.Cosh(u) * math.Cosh(u))
		y := (a+b)/2 + half*math.Tanh(u)
		if v := f(y); w != 0 && !math.IsInf(v, 0) && !math.IsNaN(v) {
			s += w * v
		}
	}
	return s
}

// upTo is the integral of f from minus infinity to b.
func upTo(f func(float64) float64, b float64) float64 {
	const h = 1.0 / 64
	s := 0.0
	for k := -4 * 64; k <= 4*64; k++ {
		u := math.Exp(math.Pi / 2 * math.Sinh(float64(k)*h))
		if v := f(b - u); v != 0 {
			s += v * u * h * math.Pi / 2 * math.Cosh(float64(k)*h)
		}
	}
	return s
}

// summed is a distribution function as a sum of probabilities.
func summed(law string, x []float64) float64 {
	s := 0.0
	for k := 0.0; k <= x[0]; k++ {
		if law == "discrete_range" && k < x[1] {
			continue
		}
		s += math.Exp(counts[law](append([]float64{k}, x[1:]...)))
	}
	return s
}
