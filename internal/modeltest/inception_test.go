package modeltest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// channels are a picture, [channel][row][column].
type channels [][][]float64

func newChannels(c, a, b int, at func(c, i, j int) float64) channels {
	p := make(channels, c)
	for k := range p {
		p[k] = make([][]float64, a)
		for i := range p[k] {
			p[k][i] = make([]float64, b)
			for j := range p[k][i] {
				p[k][i][j] = at(k, i, j)
			}
		}
	}
	return p
}

// rectified is relu(conv2d(x, w) + bias) with windows of k by k in a picture of the same size.
func rectified(x channels, w, bias []float64, k int) channels {
	a, b := len(x[0]), len(x[0][0])
	return newChannels(len(bias), a, b, func(d, i, j int) float64 {
		sum := bias[d]
		for c := range x {
			for u := range k {
				for v := range k {
					y, z := i+u-k/2, j+v-k/2
					if y >= 0 && y < a && z >= 0 && z < b {
						sum += w[((d*len(x)+c)*k+u)*k+v] * x[c][y][z]
					}
				}
			}
		}
		return max(sum, 0)
	})
}

// An inception block is its four ways, written out.
func TestInception(t *testing.T) {
	const c, a, b = 2, 3, 5
	r := rand.New(rand.NewPCG(8, 3))
	normals := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	flat := normals(c * a * b)
	m := bindArrays(t, "use nn\ndata x[2, 3, 5] : real\n"+
		"layer l = Inception(2, 2, 3, 2, 2, 1, 3)\ntrack out = l(x)\n", nil,
		map[string][]float64{"x": flat})
	values := make([]float64, m.OutputLen())
	m.Evaluator(0).Constrain(normals(m.Dim()), values)
	p, got := map[string][]float64{}, []float64(nil)
	for _, o := range m.Outputs() {
		if v := values[o.Offset : o.Offset+o.Len]; o.Track {
			got = v
		} else {
			p[strings.TrimPrefix(o.Name, "l.")] = v
		}
	}
	x := newChannels(c, a, b, func(c, i, j int) float64 { return flat[(c*a+i)*b+j] })
	pool := newChannels(c, a, b, func(c, i, j int) float64 {
		top := math.Inf(-1)
		for y := max(i-1, 0); y <= min(i+1, a-1); y++ {
			for z := max(j-1, 0); z <= min(j+1, b-1); z++ {
				top = max(top, x[c][y][z])
			}
		}
		return top
	})
	var want []float64
	for _, way := range []channels{
		rectified(x, p["W1"], p["b1"], 1),
		rectified(rectified(x, p["R3"], p["d3"], 1), p["W3"], p["b3"], 3),
		rectified(rectified(x, p["R5"], p["d5"], 1), p["W5"], p["b5"], 5),
		rectified(pool, p["Wp"], p["bp"], 1),
	} {
		for _, channel := range way {
			for _, row := range channel {
				want = append(want, row...)
			}
		}
	}
	if len(got) != len(want) || len(want) != 8*a*b {
		t.Fatalf("%d numbers, want %d", len(got), len(want))
	}
	for i := range want {
		if !near(got[i], want[i], 1e-13) {
			t.Fatalf("entry %d is %v, want %v", i, got[i], want[i])
		}
	}
}
