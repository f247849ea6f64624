//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/kernel/vec"

// The parts of windows that fill registers of four and eight numbers. Each
// returns how many of Inner it did.

func vectorWindowMax64(dst, x []float64, w Windows) int {
	n := w.Inner &^ 3
	if n > 0 {
		vec.WindowMax64avx2(&dst[0], &x[0], n, w.Len[0], w.Len[1], w.In[1]*w.Inner, w.Inner)
	}
	return n
}

func vectorWindowMax32(dst, x []float32, w Windows) int {
	n := w.Inner &^ 7
	if n > 0 {
		vec.WindowMax32avx2(&dst[0], &x[0], n, w.Len[0], w.Len[1], w.In[1]*w.Inner, w.Inner)
	}
	return n
}

func vectorWindowMaxAdd64(dst, x, most, cot []float64, w Windows) int {
	n := w.Inner &^ 3
	if n > 0 {
		vec.WindowMaxAdd64avx2(&dst[0], &x[0], &most[0], &cot[0], n, w.Len[0], w.Len[1],
			w.In[1]*w.Inner, w.Inner)
	}
	return n
}

func vectorWindowMaxAdd32(dst, x, most, cot []float32, w Windows) int {
	n := w.Inner &^ 7
	if n > 0 {
		vec.WindowMaxAdd32avx2(&dst[0], &x[0], &most[0], &cot[0], n, w.Len[0], w.Len[1],
			w.In[1]*w.Inner, w.Inner)
	}
	return n
}
