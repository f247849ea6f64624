package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// WindowMax writes the largest entry of every window of x [Outer, In0, In1, Inner]:
//
//	dst[o, p, q, c] = max x[o, Stride·p + i, Stride·q + j, c] over i and j
//
// NaN where a window has one; of two zeros the first.
func WindowMax(dst, x []float64, w Windows) { windowMax(dst, x, w, vectorWindowMax64) }

// WindowMax32 is WindowMax in single precision.
func WindowMax32(dst, x []float32, w Windows) { windowMax(dst, x, w, vectorWindowMax32) }

// WindowMaxAdd takes the cotangent of the largest entries back to x: those
// entries of a window that are equal to its largest share what it has, and what
// several windows give to an entry is added up by p, q, i and j:
//
//	dst[o, a, b, c] = Σ [x[o, a, b, c] = most[o, p, q, c]] · cot[o, p, q, c] / ties[o, p, q, c]
func WindowMaxAdd(dst, x, most, cot []float64, w Windows) {
	windowMaxAdd(dst, x, most, cot, w, vectorWindowMaxAdd64)
}

// WindowMaxAdd32 is WindowMaxAdd in single precision.
func WindowMaxAdd32(dst, x, most, cot []float32, w Windows) {
	windowMaxAdd(dst, x, most, cot, w, vectorWindowMaxAdd32)
}

// windowMax leaves to vector the first entries of Inner, as many as it says.
func windowMax[T float32 | float64](dst, x []T, w Windows, vector func(dst, x []T, w Windows) int) {
	w.each(func(at, window int) {
		to, from := dst[window:][:w.Inner], x[at:]
		done := 0
		if level != cpu.Portable {
			done = vector(to, from, w)
		}
		for c := done; c < len(to); c++ {
			most := from[c]
			for i := range w.Len[0] {
				for j := range w.Len[1] {
					if v := from[(i*w.In[1]+j)*w.Inner+c]; v > most || v != v {
						most = v
					}
				}
			}
			to[c] = most
		}
	})
}

func windowMaxAdd[T float32 | float64](
	dst, x, most, cot []T, w Windows, vector func(dst, x, most, cot []T, w Windows) int,
) {
	clear(dst[:w.Outer*w.In[0]*w.In[1]*w.Inner])
	w.each(func(at, window int) {
		to, from, m, d := dst[at:], x[at:], most[window:][:w.Inner], cot[window:][:w.Inner]
		done := 0
		if level != cpu.Portable {
			done = vector(to, from, m, d, w)
		}
		for c := done; c < len(m); c++ {
			ties := T(0)
			for i := range w.Len[0] {
				for j := range w.Len[1] {
					ties += hit(from[(i*w.In[1]+j)*w.Inner+c], m[c])
				}
			}
			q := d[c] / ties
			for i := range w.Len[0] {
				for j := range w.Len[1] {
					k := (i*w.In[1]+j)*w.Inner + c
					to[k] += T(hit(from[k], m[c]) * q)
				}
			}
		}
	})
}

// hit is 1 where x is the most, else 0.
func hit[T float32 | float64](x, most T) T {
	if x == most {
		return 1
	}
	return 0
}

// each calls f for every window: where it begins in x, and where its entries
// in an array of one for each window.
func (w Windows) each(f func(at, window int)) {
	window := 0
	for o := range w.Outer {
		for p := range w.Pos[0] {
			line := (o*w.In[0] + w.Stride*p) * w.In[1]
			for q := range w.Pos[1] {
				f((line+w.Stride*q)*w.Inner, window)
				window += w.Inner
			}
		}
	}
}
