package kernel_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/cputime"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// where is x, or 0: without a jump, as signs are hard to predict.
func where(c bool, x float32) float32 {
	w := math.Float32bits(x)
	if !c {
		w = 0
	}
	return math.Float32frombits(w)
}

func relu(x float32) float32 { return where(x > 0, x) }

// BenchmarkNetwork is the arithmetic of a training step of a network
// 784-400-400-10 on a minibatch of 100 rows in single precision: what its
// matrix products alone cost, those with all else, and the passes of samplers
// over its 478,410 numbers. No compiled model can be quicker with these kernels.
func BenchmarkNetwork(b *testing.B) {
	const rows = 100
	widths := []int{784, 400, 400, 10}
	layers := len(widths) - 1
	s := rng.New(1, 0, rng.Test)
	draw := func(n int) []float32 {
		x := make([]float32, n)
		s.Normals32(uint64(n), x)
		return x
	}
	size := 0
	w, dw := make([]kernel.Matrix32, layers), make([]kernel.Matrix32, layers)
	bias, dbias := make([][]float32, layers), make([][]float32, layers)
	for l := range layers {
		size += (widths[l] + 1) * widths[l+1]
	}
	x, v, g, xi, e := draw(size), draw(size), draw(size), draw(size), draw(size)
	for i := range x {
		x[i] *= 0.05
		xi[i] = 1
	}
	at := 0
	for l := range layers {
		n, m := widths[l], widths[l+1]
		w[l], dw[l] = kernel.Matrix32{Data: x[at:][:n*m], Stride: m},
			kernel.Matrix32{Data: g[at:][:n*m], Stride: m}
		at += n * m
		bias[l], dbias[l] = x[at:][:m], g[at:][:m]
		at += m
	}
	act, back := make([]kernel.Matrix32, layers+1), make([]kernel.Matrix32, layers+1)
	for l, n := range widths {
		act[l], back[l] = kernel.Matrix32{Data: draw(rows * n), Stride: n},
			kernel.Matrix32{Data: draw(rows * n), Stride: n}
	}
	pixels := kernel.Rows32{}
	for i := range act[0].Data { // 81 % zeros
		if i%784 == 0 {
			pixels.Lo = append(pixels.Lo, len(pixels.Index))
		}
		if i*7919%100 < 19 {
			pixels.Index = append(pixels.Index, int32(i%784))
			pixels.Value = append(pixels.Value, act[0].Data[i])
		}
		if i%784 == 783 {
			pixels.Hi = append(pixels.Hi, len(pixels.Index))
		}
	}
	gradient := func(sparse, all bool) {
		for l := range layers {
			n, m := widths[l], widths[l+1]
			if sparse && l == 0 {
				kernel.SparseMulMat32(act[1].Data, pixels, w[0].Data, m, false)
			} else {
				kernel.Gemm32(act[l+1], act[l], w[l], rows, m, n, false, false, false)
			}
			if all {
				for i := range rows {
					row := act[l+1].Data[i*m:][:m]
					for j, c := range bias[l][:m] {
						if row[j] += c; l+1 < layers {
							row[j] = relu(row[j])
						}
					}
				}
			}
		}
		if all {
			kernel.LogSumExpAxis32(back[0].Data[:rows], act[layers].Data, rows, 10, 1)
		}
		for l := layers - 1; l >= 0; l-- {
			n, m := widths[l], widths[l+1]
			if sparse && l == 0 {
				kernel.SparseMulMatT32(dw[0].Data, pixels, back[1].Data, m, false)
			} else {
				kernel.Gemm32(dw[l], act[l], back[l+1], n, m, rows, true, false, false)
			}
			if all {
				kernel.SumAxis32(dbias[l], back[l+1].Data, 1, rows, m)
			}
			if l > 0 {
				kernel.Gemm32(back[l], back[l+1], w[l], rows, n, m, false, true, false)
				if all {
					d, a := back[l].Data[:rows*n], act[l].Data[:rows*n]
					for i := range d {
						d[i] = where(a[i] > 0, d[i])
					}
				}
			}
		}
	}
	// A step join in pieces, each of which makes the normals of the next.
	const piece = 1024
	join := kernel.Join32{Kick: 1e-9, SD: 1e-9, Drift: 1e-9, Thermostat: 1e-9, Temperature: 1,
		NextDrift: 1e-9, NextThermostat: 1e-9, MinusFriction: -1e-9}
	var normals rng.Sequence32
	now, next := make([]float32, piece), make([]float32, piece)
	move := func(step uint64) {
		normals.Begin(s, step)
		normals.Fill(now)
		for i := 0; i < size; i += piece {
			j := min(i+piece, size)
			draws := kernel.Draws32{To: next, Lanes: normals.Lanes()}
			k := i + kernel.ThermostatJoin32(x[i:j], v[i:j], g[i:j], now[:j-i], xi[i:j], e[i:j],
				&join, &draws)
			normals.Fill(next[draws.Made:])
			kernel.ThermostatJoin32(x[k:j], v[k:j], g[k:j], now[k-i:j-i], xi[k:j], e[k:j], &join, nil)
			now, next = next, now
		}
	}
	step := uint64(0)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"products", func() { gradient(false, false) }},
		{"gradient", func() { gradient(false, true) }},
		{"sgd", func() { gradient(false, true); kernel.Axpy32(1e-9, g, x) }},
		{"msgnht", func() {
			gradient(false, true)
			move(step)
			step++
		}},
		{"sparse/products", func() { gradient(true, false) }},
		{"sparse/msgnht", func() {
			gradient(true, true)
			move(step)
			step++
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			begin := cputime.Now()
			for b.Loop() {
				c.f()
			}
			b.ReportMetric(float64(b.N)/(cputime.Now()-begin).Seconds(), "steps/s")
		})
	}
}
