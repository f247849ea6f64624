package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// Windows against their definition, with strides, odd lengths and what no
// window covers; the runs of memory are of every length around the vectors'.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		w := Windows{Outer: 1 + r.IntN(2), Inner: []int{1, 2, 3, 8, 17, 40}[r.IntN(6)],
			Stride: 1 + r.IntN(3)}
		for d := range 2 {
			w.Pos[d], w.Len[d] = 1+r.IntN(3), 1+r.IntN(4)
			w.In[d] = w.Stride*(w.Pos[d]-1) + w.Len[d] + r.IntN(2)
		}
		small := w.Outer * w.In[0] * w.In[1] * w.Inner
		large := w.Outer * w.Pos[0] * w.Pos[1] * w.Len[0] * w.Len[1] * w.Inner
		x, y := make([]float64, small), make([]float64, large)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for i := range y {
			y[i] = r.NormFloat64()
		}
		read, sum := make([]float64, large), make([]float64, small)
		at := 0
		for o := range w.Outer {
			for p := range w.Pos[0] {
				for q := range w.Pos[1] {
					for i := range w.Len[0] {
						for j := range w.Len[1] {
							for c := range w.Inner {
								from := ((o*w.In[0]+w.Stride*p+i)*w.In[1]+w.Stride*q+j)*w.Inner + c
								read[at] = x[from]
								sum[from] += y[at]
								at++
							}
						}
					}
				}
			}
		}
		gotRead, gotSum := make([]float64, large), make([]float64, small)
		for i := range gotSum {
			gotSum[i] = math.NaN() // what was there is forgotten
		}
		Window(gotRead, x, w)
		WindowAdd(gotSum, y, w)
		for i, v := range read {
			if gotRead[i] != v {
				t.Fatalf("%+v: entry %d of windows is %v, want %v", w, i, gotRead[i], v)
			}
		}
		for i, v := range sum {
			if gotSum[i] != v {
				t.Fatalf("%+v: entry %d of the sums is %v, want %v", w, i, gotSum[i], v)
			}
		}
		x32, y32 := make([]float32, small), make([]float32, large)
		for i, v := range x {
			x32[i] = float32(v)
		}
		for i, v := range y {
			y32[i] = float32(v)
		}
		read32, sum32 := make([]float32, large), make([]float32, small)
		Window32(read32, x32, w)
		WindowAdd32(sum32, y32, w)
		for i, v := range read {
			if read32[i] != float32(v) {
				t.Fatalf("%+v: entry %d of windows in single precision is %v, want %v", w, i,
					read32[i], float32(v))
			}
		}
		for i, v := range sum {
			if math.Abs(float64(sum32[i])-v) > 1e-5*(1+math.Abs(v)) {
				t.Fatalf("%+v: entry %d of the sums in single precision is %v, want %v", w, i,
					sum32[i], v)
			}
		}
	}
}

// The largest entries of windows and their adjoint, at every level, against
// their definition: ties, zeros of both signs, NaN, windows that overlap.
func TestWindowMax(t *testing.T) {
	t.Run("f64", func(t *testing.T) { testWindowMax(t, WindowMax, WindowMaxAdd) })
	t.Run("f32", func(t *testing.T) { testWindowMax(t, WindowMax32, WindowMaxAdd32) })
}

func testWindowMax[T float32 | float64](
	t *testing.T, most func(dst, x []T, w Windows), back func(dst, x, most, cot []T, w Windows),
) {
	defer func(l cpu.Level) { level = l }(level)
	r := rand.New(rand.NewPCG(3, 1))
	nan := T(math.NaN())
	for round := range 300 {
		w := Windows{Outer: 1 + r.IntN(2), Inner: []int{1, 2, 3, 4, 8, 17, 40}[r.IntN(7)],
			Stride: 1 + r.IntN(3)}
		for d := range 2 {
			w.Pos[d], w.Len[d] = 1+r.IntN(3), 1+r.IntN(4)
			w.In[d] = w.Stride*(w.Pos[d]-1) + w.Len[d] + r.IntN(2)
		}
		small, few := w.Outer*w.In[0]*w.In[1]*w.Inner, w.Outer*w.Pos[0]*w.Pos[1]*w.Inner
		x, cot := make([]T, small), make([]T, few)
		for i := range x {
			x[i] = T(r.IntN(4) - 2)
			switch r.IntN(20) {
			case 0:
				x[i] = T(math.Copysign(0, -1))
			case 1:
				if round%4 == 0 {
					x[i] = nan
				}
			}
		}
		for i := range cot {
			cot[i] = T(r.NormFloat64())
		}
		want, grad := make([]T, few), make([]T, small)
		for at := range want {
			c, q, p, o := at%w.Inner, at/w.Inner%w.Pos[1], at/w.Inner/w.Pos[1]%w.Pos[0],
				at/w.Inner/w.Pos[1]/w.Pos[0]
			var places []int
			for i := range w.Len[0] {
				for j := range w.Len[1] {
					places = append(places,
						((o*w.In[0]+w.Stride*p+i)*w.In[1]+w.Stride*q+j)*w.Inner+c)
				}
			}
			want[at] = x[places[0]]
			for _, k := range places {
				if x[k] > want[at] || x[k] != x[k] {
					want[at] = x[k]
				}
			}
			ties := T(0)
			for _, k := range places {
				if x[k] == want[at] {
					ties++
				}
			}
			for _, k := range places {
				share := cot[at] / ties
				if x[k] != want[at] {
					share *= 0
				}
				grad[k] += share
			}
		}
		for _, l := range cpu.Levels() {
			level = l
			got, back2 := make([]T, few), make([]T, small)
			for i := range back2 {
				back2[i] = nan // what was there is forgotten
			}
			most(got, x, w)
			back(back2, x, want, cot, w)
			if i := differs(got, want); i >= 0 {
				t.Fatalf("%v, %+v: largest entry %d is %v, want %v", l, w, i, got[i], want[i])
			}
			if i := differs(back2, grad); i >= 0 {
				t.Fatalf("%v, %+v: cotangent %d is %v, want %v", l, w, i, back2[i], grad[i])
			}
		}
	}
}

// differs is the first entry with other bits, except for which NaN it is; -1 for none.
func differs[T float32 | float64](a, b []T) int {
	for i := range a {
		if (a[i] == a[i] || b[i] == b[i]) &&
			(a[i] != b[i] || math.Signbit(float64(a[i])) != math.Signbit(float64(b[i]))) {
			return i
		}
	}
	return -1
}
