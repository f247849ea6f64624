package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/sgppl/sgppl/bench/internal/training"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A product is C = A B of matrices by rows, m × k and k × n, of which one may
// be held transposed.
type product struct {
	precision, transposes string // "f32", "f64"; "AB", "AtB", "ABt"
	m, n, k               int
}

// products are those of a step of the dense network, forward and backward, the
// second convolution of the other by blocks of eight pictures, and a square.
func products() []product {
	var out []product
	for _, s := range [][3]int{{100, 400, 784}, {100, 400, 400}, {784, 400, 100}, {512, 64, 800},
		{512, 512, 512}} {
		for _, transposes := range []string{"AB", "AtB", "ABt"} {
			for _, precision := range []string{"f64", "f32"} {
				out = append(out, product{precision, transposes, s[0], s[1], s[2]})
			}
		}
	}
	return out
}

func (p product) name() string {
	return fmt.Sprintf("%s %s %d×%d×%d", p.precision, p.transposes, p.m, p.n, p.k)
}

func (p product) ask() string {
	return fmt.Sprintf("%s %s %d %d %d", p.precision, p.transposes, p.m, p.n, p.k)
}

// rate is ours in GFLOP/s.
func (p product) rate(seconds float64) float64 {
	ta, tb := p.transposes == "AtB", p.transposes == "ABt"
	lda, ldb := p.k, p.n
	if ta {
		lda = p.m
	}
	if tb {
		ldb = p.k
	}
	var call func()
	if p.precision == "f64" {
		a, b, c := numbers[float64](p.m*p.k), numbers[float64](p.k*p.n), numbers[float64](p.m*p.n)
		call = func() {
			kernel.Gemm(kernel.Matrix{Data: c, Stride: p.n}, kernel.Matrix{Data: a, Stride: lda},
				kernel.Matrix{Data: b, Stride: ldb}, p.m, p.n, p.k, ta, tb, false)
		}
	} else {
		a, b, c := numbers[float32](p.m*p.k), numbers[float32](p.k*p.n), numbers[float32](p.m*p.n)
		call = func() {
			kernel.Gemm32(kernel.Matrix32{Data: c, Stride: p.n},
				kernel.Matrix32{Data: a, Stride: lda}, kernel.Matrix32{Data: b, Stride: ldb}, p.m,
				p.n, p.k, ta, tb, false)
		}
	}
	return 2e-9 * float64(p.m) * float64(p.n) * float64(p.k) * repeated(func(n int) {
		for range n {
			call()
		}
	}, seconds)
}

func numbers[T float32 | float64](n int) []T {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.Float64() - 0.5)
	}
	return x
}

// repeated is how often a second of processor time f can be done. The first
// time is not counted.
func repeated(f func(times int), seconds float64) float64 {
	f(1)
	begun, done := training.CPUTime(), 0
	for chunk := 1; ; chunk = min(2*chunk, 64) {
		f(chunk)
		done += chunk
		if spent := (training.CPUTime() - begun).Seconds(); spent >= seconds {
			return float64(done) / spent
		}
	}
}

// networks makes the table rows of training steps, next to PyTorch's of the same precision. Our
// steps with sparse pixels are compared with PyTorch's dense ones.
func networks() (func(torch *peer) []row, error) {
	type stepper struct {
		name, ask string
		take      func(int)
	}
	var all []stepper
	for _, model := range training.Names {
		for _, suffix := range []string{"32", ""} {
			n, err := training.New(model + suffix)
			if err != nil {
				return nil, err
			}
			chain, err := n.MSGNHT()
			if err != nil {
				return nil, err
			}
			descent, err := n.SGD()
			if err != nil {
				return nil, err
			}
			precision := "f64"
			if suffix != "" {
				precision = "f32"
			}
			theirs := model
			if model == "pixels" {
				theirs = "network"
			}
			all = append(all,
				stepper{model + " sgd " + precision, theirs + "-sgd-" + precision, descent},
				stepper{model + " msgnht " + precision, theirs + "-msgnht-" + precision, chain})
		}
	}
	return func(torch *peer) []row {
		var rows []row
		for _, s := range all {
			rows = append(rows,
				row{group: "steps/s", name: s.name, peer: torch, ask: s.ask, scale: 1,
					own: func(seconds float64) float64 { return repeated(s.take, seconds) }})
		}
		return rows
	}, nil
}
