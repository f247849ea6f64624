package kernel

// Forward recursions in single precision are computed in double precision, some steps at a time,
// and rounded. What a step takes from the one before is not rounded.

// A wideForward has room for some steps in double precision.
type wideForward struct {
	h, x [forwardNumbers + mostForward]float64
	flow [2 * mostForward * mostForward]float64
	step [mostForward * mostForward]float64
}

// LogForward32 is LogForward in single precision.
func LogForward32(dst, init, step, seen []float32, batch, n, k int) {
	var room wideForward
	w, h, x, s := forwardNumbers/k, room.h[:], room.x[:], room.step[:]
	if k > mostForward {
		w, h, x, s = 1, make([]float64, 2*k), make([]float64, k), make([]float64, k*k)
	}
	s = s[:k*k]
	for b := range batch {
		to, from := dst[b*(n+1)*k:][:(n+1)*k], seen[b*n*k:][:n*k]
		Widen(s, step[b*k*k:][:k*k])
		copy(to[:k], init[b*k:])
		Widen(h[:k], to[:k])
		for lo := 0; lo < n; lo += w {
			m := min(w, n-lo)
			Widen(x[:m*k], from[lo*k:][:m*k])
			LogForward(h[:(m+1)*k], h[:k], s, x[:m*k], 1, m, k)
			Narrow(to[(lo+1)*k:][:m*k], h[k:][:m*k])
			copy(h[:k], h[m*k:][:k])
		}
	}
}

// LogForwardAdjoint32 is LogForwardAdjoint in single precision.
func LogForwardAdjoint32(dst, h, step, cot []float32, batch, n, k int) {
	var room wideForward
	w, at, c, s := max(1, forwardNumbers/(k*k)), room.h[:], room.x[:], room.step[:]
	flow := room.flow[:]
	if k > mostForward {
		at, c, s = make([]float64, 2*k), make([]float64, 2*k), make([]float64, k*k)
		flow = make([]float64, 2*k*k)
	}
	s = s[:k*k]
	for b := range batch {
		to, from := dst[b*(n+1)*k*k:][:(n+1)*k*k], h[b*(n+1)*k:][:(n+1)*k]
		cots := cot[b*(n+1)*k:][:(n+1)*k]
		Widen(s, step[b*k*k:][:k*k])
		clear(to[n*k*k:])
		for hi := n; hi > 0; hi -= w {
			m := min(w, hi)
			Widen(at[:(m+1)*k], from[(hi-m)*k:][:(m+1)*k])
			if hi == n {
				Widen(c[m*k:][:k], cots[n*k:])
			} else { // of the steps behind, which end with flow
				for j := range k {
					c[m*k+j] = c[j] + sumOf(flow[j*k:][:k])
				}
			}
			Widen(c[:m*k], cots[(hi-m)*k:][:m*k])
			LogForwardAdjoint(flow[:(m+1)*k*k], at[:(m+1)*k], s, c[:(m+1)*k], 1, m, k)
			Narrow(to[(hi-m)*k*k:][:m*k*k], flow[:m*k*k])
		}
	}
}
