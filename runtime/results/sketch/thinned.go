package sketch

// A Thinned keeps at most a given number of draws, evenly spread over a chain of unknown length. At
// first it keeps every draw. Whenever it is full, it doubles its stride and drops the draws whose
// numbers are not multiples of it. Two Thinned that start at different draws of the same chain
// therefore keep the same draws later.
type Thinned struct {
	most, width int
	stride      int64
	index       []int64
	values      []float64
}

// NewThinned returns a Thinned that keeps at most most draws (at least 2) of width numbers each.
func NewThinned(most, width int) *Thinned {
	most = max(most, 2)
	return &Thinned{most: most, width: width, stride: 1, index: make([]int64, 0, most),
		values: make([]float64, 0, most*width)}
}

// Takes reports whether Add keeps the draw of that number.
func (t *Thinned) Takes(index int64) bool { return index%t.stride == 0 }

// Add adds draw number index, which must be larger than the numbers before, if Takes reports true
// for it. It allocates nothing.
func (t *Thinned) Add(index int64, x []float64) {
	for len(t.index) >= t.most {
		t.halve()
	}
	if !t.Takes(index) {
		return
	}
	t.index = append(t.index, index)
	t.values = append(t.values, x[:t.width]...)
}

// halve doubles the stride.
func (t *Thinned) halve() {
	t.stride *= 2
	n := 0
	for i, index := range t.index {
		if index%t.stride != 0 {
			continue
		}
		t.index[n] = index
		copy(t.values[n*t.width:(n+1)*t.width], t.values[i*t.width:(i+1)*t.width])
		n++
	}
	t.index, t.values = t.index[:n], t.values[:n*t.width]
}

// Coarsen doubles the stride until it is at least stride, which is a power of two: the stride of
// another Thinned.
func (t *Thinned) Coarsen(stride int64) {
	for t.stride < stride {
		t.halve()
	}
}

// Cut removes the draws from number index on. A chain that is restarted adds them again.
func (t *Thinned) Cut(index int64) {
	n := len(t.index)
	for n > 0 && t.index[n-1] >= index {
		n--
	}
	if t.index, t.values = t.index[:n], t.values[:n*t.width]; n == 0 {
		t.stride = 1
	}
}

// Stride returns the stride: the kept draws are multiples of it.
func (t *Thinned) Stride() int64 { return t.stride }

// Draws are the numbers of the draws, in order, and Values the draws, one after another. Both
// are valid until the next Add or Cut.
func (t *Thinned) Draws() []int64 { return t.index }

// Values are the draws one after another; see Draws.
func (t *Thinned) Values() []float64 { return t.values }

// After are the draws with numbers above index, as Draws and Values.
func (t *Thinned) After(index int64) (draws []int64, values []float64) {
	n := len(t.index)
	for n > 0 && t.index[n-1] > index {
		n--
	}
	return t.index[n:], t.values[n*t.width:]
}
