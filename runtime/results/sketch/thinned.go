package sketch

// A Thinned keeps at most so many of a chain's draws, evenly spread over a chain whose length
// is not known before it ends: first every draw, and whenever it is full every second one of
// those that it has. The draws that it keeps are those whose numbers are multiples of its
// stride, so two of the same chain, begun at different draws, keep the same ones later.
type Thinned struct {
	most, width int
	stride      int64
	index       []int64
	values      []float64
}

// NewThinned keeps at most so many draws, at least 2, of so many numbers each.
func NewThinned(most, width int) *Thinned {
	most = max(most, 2)
	return &Thinned{most: most, width: width, stride: 1, index: make([]int64, 0, most),
		values: make([]float64, 0, most*width)}
}

// Takes reports whether Add keeps the draw of that number.
func (t *Thinned) Takes(index int64) bool { return index%t.stride == 0 }

// Add keeps a draw, whose number is larger than those of all before it, if Takes says so. It
// allocates nothing.
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

// Coarsen makes the stride at least as long as another, which is a power of two: that of draws
// that another Thinned kept.
func (t *Thinned) Coarsen(stride int64) {
	for t.stride < stride {
		t.halve()
	}
}

// Cut forgets the draws from number index on: a chain that begins anew gives them again.
func (t *Thinned) Cut(index int64) {
	n := len(t.index)
	for n > 0 && t.index[n-1] >= index {
		n--
	}
	if t.index, t.values = t.index[:n], t.values[:n*t.width]; n == 0 {
		t.stride = 1
	}
}

// Stride is how far the numbers of the draws are from one another, unless Takes refused none.
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
