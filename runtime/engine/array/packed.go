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

	axes []Axis // the leading axes of the array, up to its last ragged one
	each int    // each is the number of entries of a cell
	// off has the index of the first entry of each index of the first axis, and the number of all
	// entries last.
	off []int
	// fill has the cell that pads each row, if there are two leading axes. It is nil if all padding
	// is 0.
	fill []float64
}

// An Axis is one of the leading axes of a Packed.
type Axis struct {
	Size    int   // length of the axis, padding included
	Of      int   // for a ragged axis, the earlier axis by whose index the length differs
	Lengths []int // length at each index of axis Of; nil for an axis of one length
}

// Lay returns a packed array with offsets but without entries. A cell has each entries. The caller
// sets one of F64, Int32 and Bytes.
func Lay(axes []Axis, each int) *Packed {
	p := &Packed{axes: axes, each: each}
	p.offsets()
	return p
}

// Axes returns the leading axes.
func (p *Packed) Axes() []Axis { return p.axes }

// NewPacked returns an array of rows, in which row i has lengths[i] cells of each entries. All
// entries are 0 until SetRow stores them. The padded array has padded cells a row.
func NewPacked(lengths []int, padded, each int) *Packed {
	p := &Packed{axes: []Axis{{Size: len(lengths)}, {Size: padded, Lengths: lengths}}, each: each,
		fill: make([]float64, len(lengths)*each)}
	p.offsets()
	p.F64 = make([]float64, p.Stored())
	return p
}

// SetRow stores row x of the padded array without its padding. It returns false if the cells of
// the padding differ from one another.
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

// MostAxes is the largest number of leading axes of a packed array.
const MostAxes = 16

// offsets computes off from the lengths of the axes.
func (p *Packed) offsets() {
	p.off = make([]int, p.axes[0].Size+1)
	var path [MostAxes]int
	for i := range p.axes[0].Size {
		path[0] = i
		p.off[i+1] = p.off[i] + p.cells(&path, 1)*p.each
	}
}

// cells returns the number of cells below the first k indices of path.
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

// counted subtracts the number of index paths that begin with the first k indices of path from
// left. It returns false as soon as left is negative.
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

// long returns the length of axis k at the indices of path.
func (p *Packed) long(path *[MostAxes]int, k int) int {
	a := &p.axes[k]
	if a.Lengths == nil {
		return a.Size
	}
	return a.Lengths[path[a.Of]]
}

// Stored returns the number of stored entries, without padding.
func (p *Packed) Stored() int { return p.off[len(p.off)-1] }

// Rows returns the size of the first axis.
func (p *Packed) Rows() int { return p.axes[0].Size }

// Lengths returns the number of cells of each row, without padding.
func (p *Packed) Lengths() []float64 {
	out := make([]float64, p.Rows())
	for i := range out {
		out[i] = float64((p.off[i+1] - p.off[i]) / max(p.each, 1))
	}
	return out
}

// Width returns the number of entries of a row of the padded array.
func (p *Packed) Width() int {
	n := p.each
	for _, a := range p.axes[1:] {
		n *= a.Size
	}
	return n
}

// Len returns the number of entries of the padded array.
func (p *Packed) Len() int { return p.Rows() * p.Width() }

// Row writes row row of the padded array to dst. dst has Width entries. If the second axis is the
// only ragged one, dst may also be as short as the row without its padding. Padding is 0, unless
// SetRow stored another value.
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

// spread writes the cells below the first k indices of path to dst, where base is their flat index
// in the padded row. at is the index of their first stored entry. It returns the index after their
// last one.
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

// widen converts the stored entries from index at on to the type of dst, and fills dst.
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

// Entries returns the stored entries of all rows as float64, without padding. It returns F64
// itself if that is set, and a new slice otherwise.
func (p *Packed) Entries() []float64 {
	if p.Bytes == nil && p.Int32 == nil {
		return p.F64
	}
	out := make([]float64, p.Stored())
	widen(p, out, 0)
	return out
}

// Padded returns a new row-major array of all entries, padding included.
func (p *Packed) Padded() []float64 {
	w, out := p.Width(), make([]float64, p.Len())
	for i := range p.Rows() {
		Row(p, out[i*w:(i+1)*w], i)
	}
	return out
}

// Like reports whether q has the same axes, lengths and cell size as p.
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

// Defect returns a message on why p cannot be an array of the given shape, or "" if it can.
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

// misshapen returns a message on axes that contradict each other or the shape, or "" if none do.
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

// Largest returns the largest finite stored entry. It returns false if there is none.
func (p *Packed) Largest() (top float64, some bool) {
	if len(p.Int32) == 0 {
		return Largest(&Value{F64: p.F64, Bytes: p.Bytes})
	}
	return float64(slices.Max(p.Int32)), true
}
