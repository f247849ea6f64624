package adapt

// Windows divide a warm-up into a start, in which the chain finds the typical set, windows whose
// states give the metric, and an end in which the step is adapted.
type Windows struct {
	First, Last int64   // iterations first ≤ t < last are in windows
	After       []int64 // the last iteration of each window
}

// The lengths of Stan's warm-up. Shorter warm-ups have the same proportions: 15, 75 and 10 %.
const (
	windowStart, windowEnd, windowBase = 75, 50, 25
	shortestWindows                    = 20
)

// NewWindows returns the windows of a warm-up of this many iterations; a short one has none.
func NewWindows(warmup int64) Windows {
	if warmup < shortestWindows {
		return Windows{}
	}
	w := Windows{First: windowStart, Last: warmup - windowEnd}
	size := int64(windowBase)
	if w.Last-w.First < size {
		w.First, w.Last = warmup*15/100, warmup-warmup/10
		size = w.Last - w.First
	}
	for at := w.First; at < w.Last; size *= 2 {
		end := at + size
		if end+2*size > w.Last { // too few iterations would be left for another, longer window
			end = w.Last
		}
		w.After = append(w.After, end-1)
		at = end
	}
	return w
}

// Holds reports whether an iteration is in a window.
func (w *Windows) Holds(t int64) bool { return t >= w.First && t < w.Last }

// Polishing returns the windows of a warm-up after a pilot: one window, whose states may show that
// the pilot's metric does not fit, and an end in which the step is adapted.
func Polishing(warmup int64) Windows {
	w := Windows{First: warmup / 6, Last: warmup - warmup/3}
	w.After = []int64{w.Last - 1}
	return w
}

// Shift moves the windows to later iterations.
func (w *Windows) Shift(by int64) {
	w.First, w.Last = w.First+by, w.Last+by
	for i := range w.After {
		w.After[i] += by
	}
}

// Length returns the number of iterations left in the window that an iteration is in.
func (w *Windows) Length(t int64) int64 {
	for _, e := range w.After {
		if t <= e {
			return e - t + 1
		}
	}
	return 0
}

// Ends reports whether an iteration is the last of a window.
func (w *Windows) Ends(t int64) bool {
	for _, e := range w.After {
		if e == t {
			return true
		}
	}
	return false
}
