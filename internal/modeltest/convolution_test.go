package modeltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A picture is an array [c][a][b].
type picture struct {
	shape [3]int
	at    []float64
}

func (p picture) get(c, a, b int) float64 {
	if a < 0 || b < 0 || a >= p.shape[1] || b >= p.shape[2] {
		return 0
	}
	return p.at[(c*p.shape[1]+a)*p.shape[2]+b]
}

// wholeNumbers are small, so that sums are exact and pools have ties.
func wholeNumbers(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(r.IntN(7) - 3)
	}
	return x
}

func bindArrays(
	t *testing.T, text string, dims map[string]int, arrays map[string][]float64,
) *model.Model {
	t.Helper()
	return bindPrecision(t, text, false, dims, arrays)
}

// bindPrecision is bindArrays in double or in single precision.
func bindPrecision(
	t *testing.T, text string, single bool, dims map[string]int, arrays map[string][]float64,
) *model.Model {
	t.Helper()
	c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
	if c == nil {
		t.Fatalf("%s\n%s", diags[0].Message, text)
	}
	if single {
		if err := c.ToSingle(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	bound := randomData(&c.Spec.Schema, dims, rand.New(rand.NewPCG(1, 1)))
	for name, x := range arrays {
		if len(bound.Values[name].F64) != len(x) {
			t.Fatalf("%s has %d numbers, the model wants %d\n%s", name, len(x),
				len(bound.Values[name].F64), text)
		}
		copy(bound.Values[name].F64, x)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Convolutions and their gradients, for the weights and for a picture of unknowns as well as
// pictures of data, against direct loops, on random shapes with odd strides and zeros around: whole
// numbers, so that all is exact, in single precision too.
func TestConvolution(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	for range 25 {
		const n = 3
		c, d, k, l, s, pad := 1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(3),
			r.IntN(3)
		a, b := max(k-2*pad, 1)+r.IntN(6), max(l-2*pad, 1)+r.IntN(6)
		p, q := (a+2*pad-k)/s+1, (b+2*pad-l)/s+1
		text := fmt.Sprintf(`dim N
data x[N] : real[%d, %d, %d]
data g[N] : real[%d, %d, %d]
data last[%d, %d, %d] : real
param W[%d, %d, %d, %d] : real
param z[%d, %d, %d] : real
for n in N { factor sum(g[n] * conv2d(x[n], W, stride = %d, pad = %d)) }
factor sum(last * conv2d(z, W, stride = %d, pad = %d))
`, c, a, b, d, p, q, d, p, q, d, c, k, l, c, a, b, s, pad, s, pad)
		x, g, w := wholeNumbers(r, n*c*a*b), wholeNumbers(r, (n+1)*d*p*q),
			wholeNumbers(r, d*c*k*l+c*a*b)
		z := w[d*c*k*l:]
		want, grad := 0.0, make([]float64, len(w))
		for m := range n + 1 {
			pic := picture{[3]int{c, a, b}, z}
			if m < n {
				pic.at = x[m*c*a*b:]
			}
			out := picture{[3]int{d, p, q}, g[m*d*p*q:]}
			for o := range d {
				for u := range p {
					for v := range q {
						for ch := range c {
							for i := range k {
								for j := range l {
									at := ((o*c+ch)*k+i)*l + j
									in := pic.get(ch, s*u+i-pad, s*v+j-pad)
									want += out.get(o, u, v) * in * w[at]
									grad[at] += out.get(o, u, v) * in
									if e, f := s*u+i-pad, s*v+j-pad; m == n && e >= 0 && f >= 0 &&
										e < a && f < b {
										grad[d*c*k*l+(ch*a+e)*b+f] += out.get(o, u, v) * w[at]
									}
								}
							}
						}
					}
				}
			}
		}
		for _, single := range []bool{false, true} {
			arrays := map[string][]float64{"x": x, "g": g[:n*d*p*q], "last": g[n*d*p*q:]}
			e := bindPrecision(t, text, single, map[string]int{"N": n}, arrays).Evaluator(0)
			got := make([]float64, len(w))
			if f := e.LogDensity(w, nil, 1, 1); f != want {
				t.Errorf("the sum is %v, want %v (single %t)\n%s", f, want, single, text)
			}
			e.Gradient(w, nil, 1, 1, got)
			for i := range got {
				if got[i] != grad[i] {
					t.Errorf("gradient[%d] is %v, want %v (single %t)\n%s", i, got[i], grad[i],
						single, text)
					break
				}
			}
		}
	}
}

// Pools and their gradients against direct loops, in both precisions; equal
// entries of a window share the gradient of its largest.
func TestPools(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 4))
	for range 25 {
		c, k, s := 1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(3)
		a, b := k+r.IntN(5), k+r.IntN(5)
		p, q := (a-k)/s+1, (b-k)/s+1
		x, g := wholeNumbers(r, c*a*b), wholeNumbers(r, c*p*q)
		pic, out := picture{[3]int{c, a, b}, x}, picture{[3]int{c, p, q}, g}
		for _, name := range []string{"max_pool2d", "avg_pool2d"} {
			text := fmt.Sprintf(`data g : real[%d, %d, %d]
param x[%d, %d, %d] : real
factor sum(g * %s(x, %d, stride = %d))
`, c, p, q, c, a, b, name, k, s)
			want, grad := 0.0, make([]float64, len(x))
			for ch := range c {
				for u := range p {
					for v := range q {
						largest, ties, sum := math.Inf(-1), 0.0, 0.0
						for i := range k * k {
							y := pic.get(ch, s*u+i/k, s*v+i%k)
							sum += y
							switch {
							case y > largest:
								largest, ties = y, 1
							case y == largest:
								ties++
							}
						}
						cot := out.get(ch, u, v)
						if name == "avg_pool2d" {
							want += cot * sum / float64(k*k)
						} else {
							want += cot * largest
						}
						for i := range k * k {
							at := (ch*a+s*u+i/k)*b + s*v + i%k
							switch {
							case name == "avg_pool2d":
								grad[at] += cot / float64(k*k)
							case x[at] == largest:
								grad[at] += cot / ties
							}
						}
					}
				}
			}
			for single, bound := range map[bool]float64{false: 1e-14, true: 1e-6} {
				e := bindPrecision(t, text, single, nil, map[string][]float64{"g": g}).Evaluator(0)
				if f := e.LogDensity(x, nil, 1, 1); !near(f, want, bound) {
					t.Errorf("the sum is %v, want %v (single %t)\n%s", f, want, single, text)
				}
				got := make([]float64, len(x))
				e.Gradient(x, nil, 1, 1, got)
				for i := range got {
					if !near(got[i], grad[i], bound) {
						t.Errorf("gradient[%d] is %v, want %v (single %t)\n%s", i, got[i], grad[i],
							single, text)
						break
					}
				}
			}
		}
	}
}

// Rows that are wide come in small blocks: the gradient of all rows is the sum
// of those of single ones.
func TestWideRows(t *testing.T) {
	const n = 40
	text := `dim N
data x[N] : real[1, 30, 30]
data y[N] : real
param W[40, 1, 5, 5] : real
for n in N { y[n] ~ normal(sum(tanh(conv2d(x[n], W))), 1) }`
	m := bindArrays(t, text, map[string]int{"N": n}, nil)
	if w := m.Spec.Work; len(w) == 0 {
		t.Fatal("the model does not say how wide its rows are")
	} else if k, _ := w[0].Number(); k < model.BlockNumbers/n {
		t.Fatalf("a block of %d numbers a row holds all %d rows: the test needs wider ones", k, n)
	}
	e, r := m.Evaluator(0), rand.New(rand.NewPCG(9, 9))
	x := make([]float64, m.Dim())
	for i := range x {
		x[i] = 0.1 * r.NormFloat64()
	}
	sum, part, all, batch := make([]float64, len(x)), make([]float64, len(x)),
		make([]float64, len(x)), make([]float64, len(x))
	rows := make([]int, n)
	for i := range n {
		rows[i] = i
		e.Gradient(x, []int{i}, 1, 1, part)
		for k, v := range part {
			sum[k] += v
		}
	}
	e.Gradient(x, nil, 1, 1, all)
	e.Gradient(x, rows, 1, 1, batch)
	for k, v := range sum {
		if !near(all[k], v, 1e-11) || all[k] != batch[k] {
			t.Fatalf("gradient[%d] of all rows is %v, of a batch of them %v, the sum over rows %v",
				k, all[k], batch[k], v)
		}
	}
}
