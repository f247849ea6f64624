package diagnose

import "math"

// KSD is the kernel Stein discrepancy of n points x with scores g = ∇log p(x),
// both row-major [n, dim], with the inverse multiquadric kernel
// (c² + ‖x − y‖²)^β, −1 < β < 0 (Gorham and Mackey, "Measuring sample quality
// with kernels", 2017); c = 1, β = −1/2 are usual. It takes time n² dim.
func KSD(x, g []float64, dim int, c, beta float64) float64 {
	if dim < 1 || len(x) != len(g) || len(x)%dim != 0 {
		panic("diagnose: KSD of points and scores that do not match")
	}
	n := len(x) / dim
	if n == 0 {
		return math.NaN()
	}
	var sum float64
	for i := range n {
		row := stein(x, g, i, i, dim, c, beta)
		for j := range i { // the kernel is symmetric
			row += 2 * stein(x, g, i, j, dim, c, beta)
		}
		sum += row
	}
	return math.Sqrt(max(sum, 0)) / float64(n)
}

// stein is the Stein kernel k₀ of points i and j, with d = x_i − x_j and
// b = c² + ‖d‖²:
//
//	⟨g,g'⟩ b^β − 2β ⟨g − g', d⟩ b^(β−1) − 2 D β b^(β−1) − 4 β (β−1) ‖d‖² b^(β−2)
func stein(x, g []float64, i, j, dim int, c, beta float64) float64 {
	xi, xj := x[i*dim:(i+1)*dim], x[j*dim:(j+1)*dim]
	gi, gj := g[i*dim:(i+1)*dim], g[j*dim:(j+1)*dim]
	var dd, gg, gd float64
	for k := range xi {
		d := xi[k] - xj[k]
		dd += float64(d * d)
		gg += float64(gi[k] * gj[k])
		gd += float64((gi[k] - gj[k]) * d)
	}
	b := float64(c*c) + dd
	var power float64
	if beta == -0.5 {
		power = 1 / math.Sqrt(b)
	} else {
		power = math.Pow(b, beta)
	}
	return power * (gg - 2*beta*(gd+float64(dim))/b - 4*beta*(beta-1)*dd/(b*b))
}
