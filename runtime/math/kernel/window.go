package kernel

// Windows are the sizes of what slides over arrays [Outer, In…, Inner]: in each
// of two directions Pos windows of Len entries, Stride apart. A direction that
// is not there has In, Pos and Len 1.
type Windows struct {
	Outer, Inner int
	In, Pos, Len [2]int
	Stride       int
}

// Window reads x [Outer, In0, In1, Inner] through windows:
//
//	dst[o, p, q, i, j, c] = x[o, Stride·p + i, Stride·q + j, c]
//
// With c the channels of a picture, dst is the matrix of its patches, whose
// product with a matrix of weights is a convolution.
func Window(dst, x []float64, w Windows) { window(dst, x, w) }

// Window32 is Window in single precision.
func Window32(dst, x []float32, w Windows) { window(dst, x, w) }

// WindowAdd adds up at every entry of dst what windows have there, by p, then q, i and j:
//
//	dst[o, a, b, c] = Σ x[o, p, q, i, j, c] over Stride·p + i = a, Stride·q + j = b
func WindowAdd(dst, x []float64, w Windows) { windowAdd(dst, x, w, addTo64) }

// WindowAdd32 is WindowAdd in single precision.
func WindowAdd32(dst, x []float32, w Windows) { windowAdd(dst, x, w, addTo32) }

func window[T float32 | float64](dst, x []T, w Windows) {
	run := w.Len[1] * w.Inner // a row of a window is one run of memory
	line := w.In[1] * w.Inner
	step := w.Stride * w.Inner
	at := 0
	for o := range w.Outer {
		from := x[o*w.In[0]*line:][:w.In[0]*line]
		for p := range w.Pos[0] {
			for q := range w.Pos[1] {
				for i := range w.Len[0] {
					to := dst[at:][:run]
					src := from[(w.Stride*p+i)*line+q*step:][:run]
					if run < 16 { // cheaper than a call of copy
						for len(src) >= 4 && len(to) >= 4 {
							*(*[4]T)(to) = [4]T(src)
							to, src = to[4:], src[4:]
						}
						for k, v := range src {
							to[k] = v
						}
					} else {
						copy(to, src)
					}
					at += run
				}
			}
		}
	}
}

func windowAdd[T float32 | float64](dst, x []T, w Windows, add func(dst, x []T)) {
	run := w.Len[1] * w.Inner
	line := w.In[1] * w.Inner
	step := w.Stride * w.Inner
	at := 0
	for o := range w.Outer {
		to := dst[o*w.In[0]*line:][:w.In[0]*line]
		clear(to)
		for p := range w.Pos[0] {
			for q := range w.Pos[1] {
				for i := range w.Len[0] {
					sum := to[(w.Stride*p+i)*line+q*step:][:run]
					if run < 16 {
						for k, v := range x[at:][:run] {
							sum[k] += v
						}
					} else {
						add(sum, x[at:][:run])
					}
					at += run
				}
			}
		}
	}
}
