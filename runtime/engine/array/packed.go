package array

import (
	"fmt"
	"math"
	"slices"
)

// A Packed is an array with ragged axes, stored without padding: the cells of all rows one after
// another, whole numbers in as few bytes as they need. One of F64, Int32 and Bytes is set; F64 if
// the array is empty. Row pads a row when it is needed.
type Packed struct {
	F64   []float64
	Int32 []int32
	Bytes *Bytes

	axes []Axis    // the leading axes of the array, up to its last ragged one
	each int       // entries of a cell
	off  []int     // where the entries of index i of the first axis begin; one more than there are
	fill []float64 // the cell that pads each row, of two leading axes; nil of zeros
}

// An Axis is one of the leading axes of a Packed.
type Axis struct {
	Size    int   // its padded length
	Of      int   // for a ragged axis, the axis whose rows differ in length
	Lengths []int // the lengths by index of that axis; nil for an axis of one size
}

// Lay returns a packed array without entries: the caller sets one of F64, Int32 and
// Bytes. each is how many entries a cell has.
func Lay(axes []Axis, each int) *Packed {
	p := &Packed{axes: axes, each: each}
	p.offsets()
	return p
}

// Axes returns the leading axes.
func (p *Packed) Axes() []Axis { return p.axes }

// NewPacked makes an array of rows with the given numbers of cells, of each entries a cell. The
// array that it represents pads all rows to the same number of cells. SetRow fills the rows.
func NewPacked(lengths []int, padded, each int) *Packed {
	p := &Packed{axes: []Axis{{Size: len(lengths)}, {Size: padded, Lengths: lengths}}, each: each,
		fill: make([]float64, len(lengths)*each)}
	p.offsets()
	p.F64 = make([]float64, p.Stored())
	return p
}

// SetRow keeps a row of the padded array without its padding, all cells of
// which must be the same; false where they are not.
func (p *Packed) SetRow(row int, x []float64) bool {
	own := p.off[row+1] - p.off[row]
	copy(p.F64[p.off[row]:], x[:own])
	pad := x[own:]
	copy(p.fill[row*p.each:(row+1)*p.each], pad)
	for k := p.each; k < len(pad); k++ {
		if math.Float64bits(pad[k]) != math.Float64bits(pad[k-p.each]) {
			return false
		}
	}
	return true
}

// MostAxes bounds the leading axes of a packed array.
const MostAxes = 16

// offsets finds where the entries of each index of the first axis begin.
func (p *Packed) offsets() {
	p.off = make([]int, p.axes[0].Size+1)
	var path [MostAxes]int
	for i := range p.axes[0].Size {
		path[0] = i
		p.off[i+1] = p.off[i] + p.cells(&path, 1)*p.each
	}
}

// cells counts those behind a path of k indices.
func (p *Packed) cells(path *[MostAxes]int, k int) int {
	n := p.long(path, k)
	if k+1 == len(p.axes) {
		return n
	}
	sum := 0
	for i := range n {
		path[k] = i
		sum += p.cells(path, k+1)
	}
	return sum
}

// counted reports whether the paths behind a path of k indices are at most those left, and
// takes them from these.
func (p *Packed) counted(path *[MostAxes]int, k int, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	if k+1 == len(p.axes) {
		return true
	}
	for i := range p.long(path, k) {
		path[k] = i
		if !p.counted(path, k+1, left) {
			return false
		}
	}
	return true
}

// long is the length of axis k at a path.
func (p *Packed) long(path *[MostAxes]int, k int) int {
	a := &p.axes[k]
	if a.Lengths == nil {
		return a.Size
	}
	return a.Lengths[path[a.Of]]
}

// Stored is how many entries there are, padding left out.
func (p *Packed) Stored() int { return p.off[len(p.off)-1] }

// Rows is the size of the first axis.
func (p *Packed) Rows() int { return p.axes[0].Size }

// Lengths are those of the rows, in cells.
func (p *Packed) Lengths() []float64 {
	out := make([]float64, p.Rows())
	for i := range out {
		out[i] = float64((p.off[i+1] - p.off[i]) / max(p.each, 1))
	}
	return out
}

// Width is how many entries a row of the padded array has: one for each of the
// axes behind the first.
func (p *Packed) Width() int {
	n := p.each
	for _, a := range p.axes[1:] {
		n *= a.Size
	}
	return n
}

// Len is how many entries the padded array has.
func (p *Packed) Len() int { return p.Rows() * p.Width() }

// Row writes a row of the padded array: dst has Width entries, or, if the second axis is the only
// ragged one, at least as many as the row. Padding is 0, unless SetRow wrote other values.
func Row[T float32 | float64](p *Packed, dst []T, row int) {
	lo, hi := p.off[row], p.off[row+1]
	if len(p.axes) == 2 {
		widen(p, dst[:hi-lo], lo)
		pad := dst[hi-lo:]
		if p.fill == nil {
			clear(pad)
			return
		}
		for k, x := range p.fill[row*p.each : (row+1)*p.each] {
			for ; k < len(pad); k += p.each {
				pad[k] = T(x)
			}
		}
		return
	}
	clear(dst)
	path := [MostAxes]int{row}
	spread(p, dst, &path, 1, 0, lo)
}

// spread writes the cells behind a path of k indices, which come base-th of
// those of their level, from the entry at on; it returns the one behind them.
func spread[T float32 | float64](p *Packed, dst []T, path *[MostAxes]int, k, base, at int) int {
	n := p.long(path, k)
	base *= p.axes[k].Size
	if k+1 == len(p.axes) {
		widen(p, dst[base*p.each:(base+n)*p.each], at)
		return at + n*p.each
	}
	for i := range n {
		path[k] = i
		at = spread(p, dst, path, k+1, base+i, at)
	}
	return at
}

// widen writes entries from the at-th on.
func widen[T float32 | float64](p *Packed, dst []T, at int) {
	switch {
	case p.Bytes != nil:
		level := p.Bytes.Level
		for i, c := range p.Bytes.Code[at : at+len(dst)] {
			dst[i] = T(level[c])
		}
	case p.Int32 != nil:
		for i, x := range p.Int32[at : at+len(dst)] {
			dst[i] = T(x)
		}
	default:
		for i, x := range p.F64[at : at+len(dst)] {
			dst[i] = T(x)
		}
	}
}

// Entries are those of all rows, one after the other, as float64: F64 itself
// where that is set.
func (p *Packed) Entries() []float64 {
	if p.Bytes == nil && p.Int32 == nil {
		return p.F64
	}
	out := make([]float64, p.Stored())
	widen(p, out, 0)
	return out
}

// Padded is the array with its padding, made anew.
func (p *Packed) Padded() []float64 {
	w, out := p.Width(), make([]float64, p.Len())
	for i := range p.Rows() {
		Row(p, out[i*w:(i+1)*w], i)
	}
	return out
}

// Like reports whether another is laid out the same.
func (p *Packed) Like(q *Packed) bool {
	return p.each == q.each && slices.Equal(p.off, q.off) && slices.EqualFunc(p.axes, q.axes,
		func(a, b Axis) bool {
			return a.Size == b.Size && a.Of == b.Of && slices.Equal(a.Lengths, b.Lengths)
		})
}

// Keep stores the entries of all rows: whole numbers in bytes or in 32 bits if they fit. Otherwise
// it keeps list itself.
func (p *Packed) Keep(list []float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range list {
		if x != math.Trunc(x) || x == 0 && math.Signbit(x) || x > math.MaxInt32 ||
			x < math.MinInt32 {
			// NaN too
			p.F64 = list
			return
		}
		lo, hi = min(lo, x), max(hi, x)
	}
	switch {
	case len(list) == 0:
		p.F64 = list
	case lo >= 0 && hi <= math.MaxUint8:
		p.Bytes = &Bytes{Code: make([]uint8, len(list)), Level: PlainLevels}
		for i, x := range list {
			p.Bytes.Code[i] = uint8(x)
		}
	default:
		p.Int32 = make([]int32, len(list))
		for i, x := range list {
			p.Int32[i] = int32(x)
		}
	}
}

// Defect says what keeps a packed array from being one of the shape; "" when
// nothing does.
func (p *Packed) Defect(shape []int) string {
	if text := p.misshapen(shape); text != "" {
		return text
	}
	stored, storages := 0, 0
	if p.F64 != nil {
		stored, storages = len(p.F64), storages+1
	}
	if p.Int32 != nil {
		stored, storages = len(p.Int32), storages+1
	}
	if p.Bytes != nil && p.Bytes.Level != nil {
		stored, storages = len(p.Bytes.Code), storages+1
	}
	if each, _ := Product(shape[len(p.axes):]); each != p.each || len(p.off) != p.axes[0].Size+1 ||
		storages > 1 || stored != p.Stored() {
		return fmt.Sprintf("is a packed array of %d entries, but %s", stored, ShapeText(shape))
	}
	return ""
}

// misshapen says how the axes contradict each other or the shape.
func (p *Packed) misshapen(shape []int) string {
	if len(p.axes) < 2 || len(p.axes) > MostAxes || len(shape) < len(p.axes) {
		return "is a packed array without its axes"
	}
	if _, ok := Product(shape); !ok {
		return fmt.Sprintf("has an impossible shape %v", shape)
	}
	for k, a := range p.axes {
		switch {
		case a.Size != shape[k]:
			return fmt.Sprintf("is a packed array of another shape than %v", shape)
		case a.Lengths != nil && (a.Of >= k || len(a.Lengths) != p.axes[a.Of].Size):
			return "is a packed array whose rows have no lengths"
		}
		for _, n := range a.Lengths {
			if n < 0 || n > a.Size {
				return fmt.Sprintf("is a packed array with a row of %d along an axis of %d",
					n, a.Size)
			}
		}
	}
	return ""
}

// Largest is the largest finite entry.
func (p *Packed) Largest() (top float64, some bool) {
	if p.Int32 == nil {
		return Largest(&Value{F64: p.F64, Bytes: p.Bytes})
	}
	return float64(slices.Max(p.Int32)), true
}
