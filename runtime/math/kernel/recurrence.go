package kernel

// Recurrence writes h[t+1] = b·h[t] + x[t] for every x from the first one on, or h[t] = b·h[t+1] +
// x[t] with reverse from the last. The array h is longer by one number, and has the first of them,
// or the last. With |b| at most 1 four steps are made at once, each of the number before all four,
// so that a number waits for one product in four steps.
func Recurrence(h, x []float64, b float64, reverse bool) {
	h = h[:len(x)+1]
	at := 0
	if reverse {
		at = len(x)
	}
	last := h[at]
	if b >= -1 && b <= 1 {
		b2 := b * b
		b3, b4 := b2*b, b2*b2
		for ; !reverse && len(x) >= 4; x, h = x[4:], h[4:] {
			x, h := (*[4]float64)(x), (*[5]float64)(h)
			u1 := float64(b*x[0]) + x[1]
			u2 := float64(b*u1) + x[2]
			u3 := float64(b*u2) + x[3]
			h[1], h[2], h[3] = float64(b*last)+x[0], float64(b2*last)+u1, float64(b3*last)+u2
			last = float64(b4*last) + u3
			h[4] = last
		}
		for ; reverse && len(x) >= 4; x, h = x[:len(x)-4], h[:len(h)-4] {
			x, h := (*[4]float64)(x[len(x)-4:]), (*[4]float64)(h[len(h)-5:])
			u1 := float64(b*x[3]) + x[2]
			u2 := float64(b*u1) + x[1]
			u3 := float64(b*u2) + x[0]
			h[3], h[2], h[1] = float64(b*last)+x[3], float64(b2*last)+u1, float64(b3*last)+u2
			last = float64(b4*last) + u3
			h[0] = last
		}
	}
	if reverse {
		for t := len(x) - 1; t >= 0; t-- {
			last = float64(b*last) + x[t]
			h[t] = last
		}
		return
	}
	for t, v := range x {
		last = float64(b*last) + v
		h[t+1] = last
	}
}

// Recurrence32 is Recurrence in single precision, one step after another. Each step is computed in
// double precision and rounded.
func Recurrence32(h, x []float32, b float64, reverse bool) {
	h = h[:len(x)+1]
	if reverse {
		for t := len(x) - 1; t >= 0; t-- {
			h[t] = float32(float64(b*float64(h[t+1])) + float64(x[t]))
		}
		return
	}
	for t, v := range x {
		h[t+1] = float32(float64(b*float64(h[t])) + float64(v))
	}
}
