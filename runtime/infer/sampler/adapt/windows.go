package adapt

// Windows are the parts of a warm-up: a start in which the chain finds the
// typical set, windows whose states make the metric, and an end for the step.
type Windows struct {
	First, Last int64   // iterations first ≤ t < last are in windows
	After       []int64 // the last iteration of each
}

// The lengths of Stan's warm-up; shorter ones have its shares, 15, 75 and 10 %.
const (
	windowStart, windowEnd, windowBase = 75, 50, 25
	shortestWindows                    = 20
)

// NewWindows returns the windows of a warm-up of so many iterations, none of a short one.
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
		if end+2*size > w.Last { // too few iterations for another, longer window
			end = w.Last
		}
		w.After = append(w.After, end-1)
		at = end
	}
	return w
}

// Holds reports whether an iteration is in a window.
func (w *Windows) Holds(t int64) bool { return t >= w.First && t < w.Last }

// Polishing are the windows after a pilot: one, whose states may show that its
// metric does not fit, and an end for the step.
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

// Length returns how many iterations are left of the window of an iteration.
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
