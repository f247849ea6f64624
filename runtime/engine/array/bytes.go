package array

import "io"

// Bytes holds entries of one byte each: the value of entry i is Level[Code[i]]. Images and labels
// are stored so, in an eighth of the memory of float64. Numerical code widens the rows of the
// current batch to float64.
type Bytes struct {
	Code  []uint8
	Level *[256]float64
}

// PlainLevels is the table of levels in which each byte stands for its own value, 0 to 255.
var PlainLevels = func() *[256]float64 {
	var l [256]float64
	for i := range l {
		l[i] = float64(i)
	}
	return &l
}()

// Widen writes the values of code into dst. dst must be at least as long as code.
func (b *Bytes) Widen(dst []float64, code []uint8) {
	level := b.Level
	dst = dst[:len(code)]
	for i, c := range code {
		dst[i] = level[c]
	}
}

// Used returns the codes that occur in b, in rising order, and the level of each.
func (b *Bytes) Used() (codes []uint8, levels []float64) {
	var seen [256]bool
	for _, c := range b.Code {
		seen[c] = true
	}
	for c, is := range seen {
		if is {
			codes, levels = append(codes, uint8(c)), append(levels, b.Level[c])
		}
	}
	return codes, levels
}

// Map returns bytes with the same codes, whose levels are f of the levels of b. The codes are
// shared.
func (b *Bytes) Map(f func(x float64) float64) *Bytes {
	level := *b.Level
	for i, x := range level {
		level[i] = f(x)
	}
	return &Bytes{Code: b.Code, Level: &level}
}

// Len returns the number of entries of a dense value, padding included.
func (v *Value) Len() int {
	switch {
	case v.Bytes != nil:
		return len(v.Bytes.Code)
	case v.Packed != nil:
		return v.Packed.Len()
	}
	return len(v.F64)
}

// Floats returns the entries of a dense value as float64, padding included. It returns F64 itself
// if that is set, and a new slice if the entries are bytes or packed. It returns nil for a sparse
// value.
func (v *Value) Floats() []float64 {
	switch {
	case v.Packed != nil:
		return v.Packed.Padded()
	case v.Bytes == nil:
		return v.F64
	}
	out := make([]float64, len(v.Bytes.Code))
	v.Bytes.Widen(out, v.Bytes.Code)
	return out
}

func (b *Bytes) bytes() int {
	if b == nil {
		return 0
	}
	return len(b.Code)
}

// ReadBytes reads n bytes from r. It does not trust n: it allocates memory as bytes arrive. It
// also returns the number of bytes read.
func ReadBytes(r io.Reader, n int) (out []uint8, read int, err error) {
	const step = 1 << 22
	for read < n {
		some := min(step, n-read)
		if cap(out)-len(out) < some { // the rest at once when a sixteenth of all was there already
			grown := make([]uint8, len(out), len(out)+max(some, min(n-read, 15*len(out))))
			copy(grown, out)
			out = grown
		}
		out = out[:read+some]
		got, err := io.ReadFull(r, out[read:])
		read += got
		if err != nil {
			return nil, read, err
		}
	}
	return out, read, nil
}
