package kernel

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// equal fails unless two slices hold the same bits.
func equal(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(got), len(want))
	}
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestSumDot(t *testing.T) {
	g := source(1)
	for _, n := range sizes {
		x, y := normals(g, n), normals(g, n+3)
		equal(t, "Sum", []float64{Sum(x)}, []float64{lanes(n, func(j int) float64 { return x[j] })})
		equal(t, "Dot", []float64{Dot(x, y)},
			[]float64{lanes(n, func(j int) float64 { return float64(x[j] * y[j]) })})
		if got, want := Sum(x), exactSum(x); math.Abs(got-want) > 1e-13*float64(n+1) {
			t.Errorf("Sum of %d is %v, want %v", n, got, want)
		}
		p := 1.0
		for i := range x {
			x[i] = 1 + 0.1*x[i]
			p *= x[i]
		}
		if got := Prod(x); math.Abs(got-p) > 1e-12*math.Abs(p) {
			t.Errorf("Prod of %d is %v, want %v", n, got, p)
		}
	}
}

func TestMaxMin(t *testing.T) {
	g := source(2)
	for _, n := range sizes {
		x := normals(g, n)
		hi, lo := math.Inf(-1), math.Inf(1)
		for _, v := range x {
			hi, lo = math.Max(hi, v), math.Min(lo, v)
		}
		if Max(x) != hi || Min(x) != lo {
			t.Errorf("Max, Min of %d are %v, %v, want %v, %v", n, Max(x), Min(x), hi, lo)
		}
		if n > 0 {
			x[g.IntN(n)] = math.NaN()
			if v := Max(x); v == v {
				t.Errorf("Max hides a NaN")
			}
			if v := Min(x); v == v {
				t.Errorf("Min hides a NaN")
			}
		}
	}
}

// TestAxes compares every axis kernel with the reduction of each strided line,
// in lanes where inner is 1 and in order elsewhere.
func TestAxes(t *testing.T) { atLevels(t, testAxes) }

func testAxes(t *testing.T) {
	g := source(3)
	for _, s := range [][3]int{{1, 0, 1}, {3, 0, 2}, {1, 1, 1}, {2, 7, 1}, {5, 8, 1}, {3, 9, 1},
		{2, 5, 3}, {1, 1000, 1}, {4, 6, 130}, {3, 3, 3}, {0, 4, 2}, {2, 4, 0}, {2, 65, 2},
		{1, 2, 1}, {3, 2, 1}, {300, 2, 1}, {0, 2, 1}, {2, 2, 0}, {2, 2, 3}, {3, 2, 200}, {1, 2, 2},
		{300, 3, 1}, {90, 8, 1}, {70, 7, 1}, {40, 1, 1}, {9, 11, 2}, {2, 3, 40}} {
		outer, n, inner := s[0], s[1], s[2]
		x := normals(g, outer*n*inner)
		for i := range x {
			if x[i] *= 30; i%7 == 0 {
				x[i] = math.Inf(-1)
			}
		}
		line := func(o, i int) []float64 {
			v := make([]float64, n)
			for k := range n {
				v[k] = x[(o*n+k)*inner+i]
			}
			return v
		}
		order := func(start float64, v []float64, f func(a, b float64) float64) float64 {
			for _, e := range v {
				start = f(start, e)
			}
			return start
		}
		for _, c := range []struct {
			name   string
			kernel func(dst, x []float64, outer, n, inner int)
			ref    func(v []float64) float64
		}{
			{"SumAxis", SumAxis, func(v []float64) float64 {
				if inner == 1 {
					return lanes(n, func(j int) float64 { return v[j] })
				}
				return order(0, v, func(a, b float64) float64 { return a + b })
			}},
			{"ProdAxis", ProdAxis, func(v []float64) float64 {
				if inner == 1 {
					return Prod(v)
				}
				return order(1, v, func(a, b float64) float64 { return a * b })
			}},
			{"MaxAxis", MaxAxis,
				func(v []float64) float64 { return order(math.Inf(-1), v, math.Max) }},
			{"MinAxis", MinAxis,
				func(v []float64) float64 { return order(math.Inf(1), v, math.Min) }},
			{"LogSumExpAxis", LogSumExpAxis, func(v []float64) float64 {
				m := order(math.Inf(-1), v, math.Max)
				if math.IsInf(m, -1) {
					return m
				}
				if inner == 1 {
					return m +
						special.Log(lanes(n, func(j int) float64 { return special.Exp(v[j] - m) }))
				}
				return m + special.Log(order(0, v,
					func(a, b float64) float64 { return a + special.Exp(b-m) }))
			}},
		} {
			got, want := make([]float64, outer*inner), make([]float64, outer*inner)
			for o := range outer {
				for i := range inner {
					want[o*inner+i] = c.ref(line(o, i))
				}
			}
			c.kernel(got, x, outer, n, inner)
			equal(t, c.name, got, want)
		}
		for _, reverse := range []bool{false, true} {
			got, want := make([]float64, len(x)), make([]float64, len(x))
			for o := range outer {
				for i := range inner {
					s := 0.0
					for k := range n {
						at := k
						if reverse {
							at = n - 1 - k
						}
						p := (o*n+at)*inner + i
						if k == 0 {
							s = x[p]
						} else {
							s += x[p]
						}
						want[p] = s
					}
				}
			}
			CumSumAxis(got, x, outer, n, inner, reverse)
			equal(t, "CumSumAxis", got, want)
			copy(got, x)
			CumSumAxis(got, got, outer, n, inner, reverse)
			equal(t, "CumSumAxis in place", got, want)
		}
	}
}

func TestLogSumExpEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{nil, -inf}, {[]float64{-inf, -inf}, -inf}, {[]float64{-inf, 3}, 3},
		{[]float64{inf, 3}, inf},
		{[]float64{1000, 1000}, 1000 + math.Ln2}, {[]float64{-1e308, -1e308}, -1e308},
		{[]float64{-inf, inf}, inf},
	} {
		if got := LogSumExp(c.x); got != c.want {
			t.Errorf("LogSumExp(%v) = %v, want %v", c.x, got, c.want)
		}
		// The same lines side by side, so that inner is not 1.
		x, got := make([]float64, 0, 2*len(c.x)), make([]float64, 2)
		for _, v := range c.x {
			x = append(x, v, v)
		}
		LogSumExpAxis(got, x, 1, len(c.x), 2)
		if got[0] != c.want || got[1] != c.want {
			t.Errorf("LogSumExpAxis of %v = %v, want %v", c.x, got, c.want)
		}
	}
	if v := LogSumExp([]float64{1, math.NaN()}); v == v {
		t.Error("LogSumExp hides a NaN")
	}
}

// TestLogSumExpLevels: the bits of all levels of vectors, also where some terms are far below the
// largest.
func TestLogSumExpLevels(t *testing.T) {
	defer func(l cpu.Level) { level = l }(level)
	g := source(9)
	for n := 3; n < 200; n += 1 + n/40 {
		for _, spread := range []float64{1, 300, 2000} {
			x := make([]float64, n)
			for i := range x {
				x[i] = spread * g.NormFloat64()
			}
			level = cpu.Portable
			want := LogSumExp(x)
			for _, l := range cpu.Levels() {
				level = l
				if got := LogSumExp(x); got != want {
					t.Errorf("%d numbers, %v: %v, want %v", n, l, got, want)
				}
			}
		}
	}
}

func TestGemv(t *testing.T) {
	g := source(4)
	for _, m := range []int{0, 1, 3, 4, 5, 8, 9, 33} {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 123} {
			a, x, y := normals(g, m*n), normals(g, n), normals(g, m)
			for _, acc := range []bool{false, true} {
				got := normals(g, m)
				want := append([]float64{}, got...)
				for i := range want {
					s := lanes(n, func(j int) float64 { return float64(a[i*n+j] * x[j]) })
					if acc {
						s += want[i]
					}
					want[i] = s
				}
				Gemv(got, a, x, m, n, acc)
				equal(t, "Gemv", got, want)

				got = normals(g, n)
				want = append([]float64{}, got...)
				for j := range want {
					if !acc {
						want[j] = 0
					}
					for i := range m {
						want[j] += float64(y[i] * a[i*n+j])
					}
				}
				GemvT(got, a, y, m, n, acc)
				equal(t, "GemvT", got, want)

				got = normals(g, m*n)
				want = append([]float64{}, got...)
				for i := range want {
					p := float64(y[i/n] * x[i%n])
					if acc {
						p += want[i]
					}
					want[i] = p
				}
				Ger(got, y, x, m, n, acc)
				equal(t, "Ger", got, want)
			}
		}
	}
}

func TestSparse(t *testing.T) { atLevels(t, testSparse) }

func testSparse(t *testing.T) {
	g := source(6)
	for trial := range 60 {
		p, h := 1+g.IntN(40), 1+g.IntN(9)
		r := randomRows(g, g.IntN(12), p, g.IntN(20), trial%2 == 0)
		acc := trial%4 < 2
		n := r.Len()
		w, d, wm, dm := normals(g, p), normals(g, n), normals(g, p*h), normals(g, n*h)
		begin := func(n int) (got, want []float64) {
			got = normals(g, n)
			want = make([]float64, n)
			if acc {
				copy(want, got)
			}
			return got, want
		}

		got, want := begin(n)
		for i := range n {
			s := lanes(r.Hi[i]-r.Lo[i],
				func(j int) float64 { return float64(r.value(r.Lo[i]+j) * w[r.Index[r.Lo[i]+j]]) })
			if acc {
				s += want[i]
			}
			want[i] = s
		}
		SparseMulVec(got, r, w, acc)
		equal(t, "SparseMulVec", got, want)

		got, want = begin(p)
		for i := range n {
			for j := r.Lo[i]; j < r.Hi[i]; j++ {
				want[r.Index[j]] += float64(r.value(j) * d[i])
			}
		}
		SparseMulVecT(got, r, d, acc)
		equal(t, "SparseMulVecT", got, want)

		got, want = begin(n * h)
		for i := range n {
			for j := r.Lo[i]; j < r.Hi[i]; j++ {
				for k := range h {
					want[i*h+k] = fma64(r.value(j), wm[int(r.Index[j])*h+k], want[i*h+k])
				}
			}
		}
		SparseMulMat(got, r, wm, h, acc)
		equal(t, "SparseMulMat", got, want)

		got, want = begin(p * h)
		for i := range n {
			for j := r.Lo[i]; j < r.Hi[i]; j++ {
				for k := range h {
					to := &want[int(r.Index[j])*h+k]
					*to = fma64(r.value(j), dm[i*h+k], *to)
				}
			}
		}
		SparseMulMatT(got, r, dm, h, acc)
		equal(t, "SparseMulMatT", got, want)
	}
}

func TestGatherScatter(t *testing.T) { atLevels(t, testGatherScatter) }

func testGatherScatter(t *testing.T) {
	g := source(7)
	for _, width := range []int{1, 2, 5} {
		for _, n := range []int{0, 1, 9, 50} {
			idx := make([]int32, n)
			for i := range idx {
				idx[i] = int32(g.IntN(6))
			}
			src := normals(g, 6*width)
			got, want := make([]float64, n*width), make([]float64, n*width)
			for i := range want {
				want[i] = src[int(idx[i/width])*width+i%width]
			}
			Gather(got, src, idx, width)
			equal(t, "Gather", got, want)

			sum := append([]float64{}, src...)
			add := normals(g, n*width)
			for i := range add {
				sum[int(idx[i/width])*width+i%width] += add[i]
			}
			ScatterAdd(src, add, idx, width)
			equal(t, "ScatterAdd", src, sum)
		}
	}
}

func TestElementwise(t *testing.T) {
	g := source(8)
	for _, c := range []struct {
		name   string
		kernel func(dst, src []float64)
		f      func(float64) float64
	}{
		{"Exp", Exp, special.Exp}, {"Expm1", Expm1, special.Expm1}, {"Log", Log, special.Log},
		{"Log1p", Log1p, special.Log1p},
		{"Tanh", Tanh, special.Tanh}, {"Sigmoid", Sigmoid, special.Sigmoid},
		{"LogSigmoid", LogSigmoid, special.LogSigmoid},
		{"LogNormalCDF", LogNormalCDF, special.LogNormalCDF},
		{"Softplus", Softplus, special.Softplus}, {"Sqrt", Sqrt, math.Sqrt},
	} {
		x := normals(g, 131)
		for i := range x {
			x[i] = math.Abs(x[i] * 10)
		}
		want := make([]float64, len(x))
		for i, v := range x {
			want[i] = c.f(v)
		}
		c.kernel(x, x)
		equal(t, c.name, x, want)
	}
	x, y := normals(g, 9), normals(g, 9)
	want := append([]float64{}, y...)
	for i := range want {
		want[i] += float64(0.3 * x[i])
	}
	Axpy(0.3, x, y)
	equal(t, "Axpy", y, want)
}

// Products with few columns have the signs of zeros of the lanes.
func TestGemvZeros(t *testing.T) {
	zero := math.Copysign(0, -1)
	for n := 1; n <= 5; n++ {
		a, x := make([]float64, 2*n), make([]float64, n)
		for i := range x {
			x[i], a[n+i] = 1, 1
			a[i] = zero
		}
		for _, acc := range []bool{false, true} {
			got := []float64{zero, zero}
			want := []float64{0, float64(n)}
			Gemv(got, a, x, 2, n, acc)
			if math.Signbit(got[0]) || got[0] != want[0] || got[1] != want[1] {
				t.Errorf("%d columns: %v", n, got)
			}
		}
	}
}

// TestGemvNarrow: products with few columns in single precision have the bits of sums in lanes.
func TestGemvNarrow(t *testing.T) {
	g := source(6)
	for n := 1; n <= 5; n++ {
		const m = 7
		a, x := make([]float32, m*n), make([]float32, n)
		for i, v := range normals(g, m*n) {
			a[i] = float32(v)
		}
		for i, v := range normals(g, n) {
			x[i] = float32(v)
		}
		for _, acc := range []bool{false, true} {
			got, want := make([]float32, m), make([]float32, m)
			for i := range want {
				got[i] = float32(i)
				if want[i] = row32(a[i*n:(i+1)*n], x); acc {
					want[i] += got[i]
				}
			}
			if Gemv32(got, a, x, m, n, acc); !slices.Equal(got, want) {
				t.Errorf("%d columns: %v, want %v", n, got, want)
			}
		}
	}
}
