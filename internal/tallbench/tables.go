package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

const sparseLogit = `dim N, P
data x[N] : sparse real[P]
data y[N] : bool
param w[P] : real ~ normal(0, sqrt(10))
param b : real ~ normal(0, sqrt(10))
for n in N { y[n] ~ bernoulli_logit(x[n] @ w + b) }`

// libsvm are data of a file of the reference material.
func libsvm(elem ...string) func() ([]string, error) {
	return func() ([]string, error) {
		dir, ok := reference.Dir()
		if !ok {
			return nil, fmt.Errorf("no reference material: set SGPPL_SHARED")
		}
		path := filepath.Join(append([]string{dir, "data"}, elem...)...)
		return []string{"x=" + path + ":features", "y=" + path + ":label"}, nil
	}
}

// skin is UCI's skin segmentation, colours by 255.
func skin() (values, error) {
	dir, ok := reference.Dir()
	if !ok {
		return nil, fmt.Errorf("no reference material: set SGPPL_SHARED")
	}
	f, err := os.Open(filepath.Join(dir, "data", "tall", "skin.csv.gz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var rows [][]float64
	var y []float64
	s := bufio.NewScanner(z)
	s.Scan() // the header
	for s.Scan() {
		row := make([]float64, 4)
		for i, cell := range strings.Split(strings.TrimSpace(s.Text()), ",") {
			if row[i], err = strconv.ParseFloat(cell, 64); err != nil {
				return nil, err
			}
		}
		label := 2 - row[3] // 1 is skin, 2 is not
		for i := range row[:3] {
			row[i] /= 255
		}
		rows, y = append(rows, row[:3]), append(y, label)
	}
	return values{"x": data.Sparse(data.FromRows(rows, 3)), "y": data.Dense(y, len(y))}, s.Err()
}

const network = `dim N, P, H
data x[N, P], y[N] : real
param u[H, P] : real ~ normal(0, 1)
param c[H], v[H] : real ~ normal(0, 1)
param b : real ~ normal(0, 1)
for n in N { y[n] ~ normal(tanh(u @ x[n] + c) @ v + b, 0.3) }`

// networkData come from a network of 8 inputs and 20 units.
func networkData() values {
	const n, p, h = 8192, 8, 20
	r := rand.New(rand.NewPCG(11, 7))
	u, v := make([]float64, h*p), make([]float64, h)
	for i := range u {
		u[i] = r.NormFloat64()
	}
	for i := range v {
		v[i] = r.NormFloat64()
	}
	x, y := make([]float64, n*p), make([]float64, n)
	for i := range y {
		for j := range p {
			x[i*p+j] = r.NormFloat64()
		}
		for k := range h {
			at := 0.0
			for j := range p {
				at += u[k*p+j] * x[i*p+j]
			}
			y[i] += v[k] * math.Tanh(at)
		}
		y[i] += 0.3 * r.NormFloat64()
	}
	return values{"x": data.Dense(x, n, p), "y": data.Dense(y, n)}
}

const linearGaussian = `dim N, P
data x[N, P], y[N] : real
param w[P] : real ~ normal(0, 5)
param s : positive ~ exponential(1)
for n in N { y[n] ~ normal(x[n] @ w, s) }`

func linearData(n int) values {
	return simulated(n, 10, 12,
		func(r *rand.Rand, eta float64) float64 { return eta + 0.7*r.NormFloat64() })
}

// classesByRows are classes with a number of each row, too small to matter, that keeps rows apart.
func classesByRows() values {
	v := classes()
	e := make([]float64, v["y"].Shape[0])
	for i := range e {
		e[i] = 1e-30 * float64(i) // changes no sum
	}
	v["e"] = data.Dense(e, len(e))
	return v
}

const hierarchical = `dim N, J, P
data g[N] : index[J]
data x[N, P] : real
data y[N] : bool
param m : real ~ normal(0, 5)
param tau : positive ~ exponential(1)
param w[P] : real ~ normal(0, 5)
param a[J] : real ~ normal(m, tau)
track log_tau = log(tau)
for n in N { y[n] ~ bernoulli_logit(a[g[n]] + x[n] @ w) }`

const hierarchicalCells = `dim C, J, P
data g[C] : index[J]
data x[C, P] : real
data k[C], t[C] : count
param m : real ~ normal(0, 5)
param tau : positive ~ exponential(1)
param w[P] : real ~ normal(0, 5)
param a[J] : real ~ normal(m, tau)
track log_tau = log(tau)
for c in C { k[c] ~ binomial_logit(t[c], a[g[c]] + x[c] @ w) }`

// unequal are rows of very unequal groups, with five covariates of ±1, so that cells have
// the same posterior.
func unequal(n, j int) values {
	const p = 5
	r := rand.New(rand.NewPCG(13, 7))
	a := make([]float64, j)
	for i := range a {
		a[i] = -0.5 + 0.8*r.NormFloat64()
	}
	g, x, y := make([]float64, n), make([]float64, n*p), make([]float64, n)
	for i := range y {
		k := i % j
		if i >= 20*j { // at least 20 of each
			u := r.Float64()
			k = int(float64(j) * u * u * u)
		}
		eta := a[k]
		for q := range p {
			v := 1.0
			if r.Float64() < 0.5-0.08*float64(q) {
				v = -1
			}
			x[i*p+q] = v
			eta += v * (0.3 - 0.1*float64(q))
		}
		g[i], y[i] = float64(k), bernoulli(r, eta)
	}
	return values{"g": {Shape: []int{n}, F64: g, Canonical: true}, "x": data.Dense(x, n, p),
		"y": data.Dense(y, n)}
}

// cellsOf counts the rows of each group and covariates.
func cellsOf(v values) values {
	g, x, y := v["g"].F64, v["x"].F64, v["y"].F64
	p := v["x"].Shape[1]
	at := map[string]int{}
	var cg, cx, k, t []float64
	for i := range y {
		key := fmt.Sprint(g[i], x[i*p:(i+1)*p])
		c, is := at[key]
		if !is {
			c = len(k)
			at[key] = c
			cg, cx, k, t = append(cg, g[i]), append(cx, x[i*p:(i+1)*p]...), append(k, 0),
				append(t, 0)
		}
		k[c], t[c] = k[c]+y[i], t[c]+1
	}
	n := len(k)
	return values{"g": {Shape: []int{n}, F64: cg, Canonical: true}, "x": data.Dense(cx, n, p),
		"k": data.Dense(k, n), "t": data.Dense(t, n)}
}

const varyingCells = `dim C, J
data g[C] : index[J]
data mean[C], ss[C], t[C] : real
param m : real ~ normal(0, 5)
param tau, s : positive ~ exponential(1)
param a[J] : real ~ normal(m, tau)
track log_tau = log(tau)
for c in C { factor -t[c] * log(s) - (ss[c] + t[c] * square(mean[c] - a[g[c]])) / (2 * square(s)) }`

// groupSums are counts, means and sums of squares of the groups.
func groupSums(v values, j int) values {
	g, y := v["g"].F64, v["y"].F64
	at, mean, ss, t := make([]float64, j), make([]float64, j), make([]float64, j),
		make([]float64, j)
	for i := range y {
		k := int(g[i])
		t[k]++
		d := y[i] - mean[k]
		mean[k] += d / t[k]
		ss[k] += d * (y[i] - mean[k])
	}
	for k := range at {
		at[k] = float64(k)
	}
	return values{"g": {Shape: []int{j}, F64: at, Canonical: true}, "mean": data.Dense(mean, j),
		"ss": data.Dense(ss, j), "t": data.Dense(t, j)}
}
