package main

import (
	"math"
	"math/rand/v2"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// curvedCases have blocks on curved spaces. Full passes are those of gmc.
func curvedCases() []bench {
	return []bench{
		{name: "direction", nuts: 2500, per: 322,
			make: simple(func() values { return directed(1e5, 10) }), model: `dim N, P
data x[N, P] : real
data y[N] : bool
param u : sphere[P] ~ uniform_sphere()
for n in N { y[n] ~ bernoulli_logit(2 * (x[n] @ u)) }`},
		{name: "frame", nuts: 2500, make: simple(func() values { return framed(1e5, 6, 2) }),
			dims: map[string]int{"K": 2}, model: `dim N, P, K
data x[N, P], y[N, K] : real
param w : stiefel[P, K] ~ uniform_stiefel()
param s : positive ~ exponential(1)
for n in N { for k in K { y[n, k] ~ student_t(4, x[n] @ w[:, k], s) } }`},
		{name: "two directions", nutsWanted: true, seeds: 10,
			make: simple(func() values { return mixedDirections(1e5, 4) }), model: `dim N, P
data x[N] : sphere[P]
param u, v : sphere[P] ~ uniform_sphere()
for n in N { x[n] ~ mixture(0.5, vmf(u, 5), vmf(v, 5)) }`},
		{name: "axis", nutsWanted: true, seeds: 10, make: simple(func() values { return axes(1e5, 5) }),
			model: `dim N, P
data x[N, P] : real
data y[N] : bool
param u : sphere[P] ~ uniform_sphere()
for n in N { y[n] ~ bernoulli_logit(2 * (x[n] @ u) ^ 2 - 1) }`},
	}
}

func unit(r *rand.Rand, d int) []float64 {
	x, norm := make([]float64, d), 0.0
	for i := range x {
		x[i] = r.NormFloat64()
		norm += x[i] * x[i]
	}
	for i := range x {
		x[i] /= math.Sqrt(norm)
	}
	return x
}

func inner(x, y []float64) float64 {
	sum := 0.0
	for i, a := range x {
		sum += a * y[i]
	}
	return sum
}

// directed are rows whose outcome depends on a direction, covariates partly skewed.
func directed(n, d int) values {
	r := rand.New(rand.NewPCG(11, 7))
	u := unit(r, d)
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range y {
		row := x[i*d : (i+1)*d]
		for j := range row {
			if row[j] = r.NormFloat64(); j%3 == 0 {
				row[j] = math.Exp(row[j]) - 1.6
			}
		}
		y[i] = bernoulli(r, 2*inner(row, u))
	}
	return values{"x": data.Dense(x, n, d), "y": data.Dense(y, n)}
}

// mixedDirections are unit vectors about two directions: which is the first is not known.
func mixedDirections(n, d int) values {
	r := rand.New(rand.NewPCG(12, 7))
	u := [2][]float64{unit(r, d), unit(r, d)}
	x := make([]float64, 0, n*d)
	for range n {
		row, of := unit(r, d), u[r.IntN(2)]
		for i := range row {
			row[i] = of[i] + 0.6*row[i]
		}
		norm := math.Sqrt(inner(row, row))
		for i := range row {
			row[i] /= norm
		}
		x = append(x, row...)
	}
	return values{"x": data.Dense(x, n, d)}
}

// axes are rows whose outcome depends on an axis, whose sign is not known.
func axes(n, d int) values {
	r := rand.New(rand.NewPCG(13, 7))
	u := unit(r, d)
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range y {
		row := x[i*d : (i+1)*d]
		for j := range row {
			row[j] = r.NormFloat64()
		}
		along := inner(row, u)
		y[i] = bernoulli(r, 2*along*along-1)
	}
	return values{"x": data.Dense(x, n, d), "y": data.Dense(y, n)}
}

// framed are outcomes along orthonormal directions of covariates of unequal sizes.
func framed(n, d, k int) values {
	r := rand.New(rand.NewPCG(14, 7))
	w := make([][]float64, k)
	for c := range w {
		w[c] = unit(r, d)
		for _, v := range w[:c] {
			by := inner(w[c], v)
			for i := range v {
				w[c][i] -= by * v[i]
			}
		}
		norm := math.Sqrt(inner(w[c], w[c]))
		for i := range w[c] {
			w[c][i] /= norm
		}
	}
	x, y := make([]float64, n*d), make([]float64, n*k)
	for i := range n {
		row := x[i*d : (i+1)*d]
		for j := range row {
			if row[j] = r.NormFloat64() / float64(j+1); j%3 == 0 {
				row[j] = math.Exp(r.NormFloat64()) - 1.6
			}
		}
		for c, v := range w {
			y[i*k+c] = heavy(r, inner(row, v))
		}
	}
	return values{"x": data.Dense(x, n, d), "y": data.Dense(y, n, k)}
}
