package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Windows against their definition, with strides, odd lengths and what no
// window covers; the runs of memory are of every length around the vectors'.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		w := Windows{Outer: 1 + r.IntN(2), Inner: []int{1, 2, 3, 8, 17, 40}[r.IntN(6)], Stride: 1 + r.IntN(3)}
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
				t.Fatalf("%+v: entry %d of windows in single precision is %v, want %v", w, i, read32[i], float32(v))
			}
		}
		for i, v := range sum {
			if math.Abs(float64(sum32[i])-v) > 1e-5*(1+math.Abs(v)) {
				t.Fatalf("%+v: entry %d of the sums in single precision is %v, want %v", w, i, sum32[i], v)
			}
		}
	}
}
