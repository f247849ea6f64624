package sampler

// windows are the parts of a warm-up: a start in which the chain finds the
// typical set, windows whose states make the metric, and an end for the step.
type windows struct {
	first, last int64   // iterations first ≤ t < last are in windows
	after       []int64 // the last iteration of each
}

// The lengths of Stan's warm-up; shorter ones have its shares, 15, 75 and 10 %.
const (
	windowStart, windowEnd, windowBase = 75, 50, 25
	shortestWindows                    = 20
)

func newWindows(warmup int64) windows {
	if warmup < shortestWindows {
		return windows{}
	}
	w := windows{first: windowStart, last: warmup - windowEnd}
	size := int64(windowBase)
	if w.last-w.first < size {
		w.first, w.last = warmup*15/100, warmup-warmup/10
		size = w.last - w.first
	}
	for at := w.first; at < w.last; size *= 2 {
		end := at + size
		if end+2*size > w.last { // no room for another that is longer
			end = w.last
		}
		w.after = append(w.after, end-1)
		at = end
	}
	return w
}

func (w *windows) holds(t int64) bool { return t >= w.first && t < w.last }

// polishing are the windows after a pilot: one, whose states may show that its
// metric does not fit, and an end for the step.
func polishing(warmup int64) windows {
	w := windows{first: warmup / 6, last: warmup - warmup/3}
	w.after = []int64{w.last - 1}
	return w
}

// shift moves the windows to later iterations.
func (w *windows) shift(by int64) {
	w.first, w.last = w.first+by, w.last+by
	for i := range w.after {
		w.after[i] += by
	}
}

// length returns how many iterations are left of the window of an iteration.
func (w *windows) length(t int64) int64 {
	for _, e := range w.after {
		if t <= e {
			return e - t + 1
		}
	}
	return 0
}

func (w *windows) ends(t int64) bool {
	for _, e := range w.after {
		if e == t {
			return true
		}
	}
	return false
}
