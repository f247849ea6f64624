package array

import "io"

// Bytes are entries stored as one byte each: entry i is Level[Code[i]]. Images and labels come so,
// at an eighth of the memory of float64; whoever computes with them widens the current rows.
type Bytes struct {
	Code  []uint8
	Level *[256]float64
}

// PlainLevels are the levels of bytes that stand for themselves.
var PlainLevels = func() *[256]float64 {
	var l [256]float64
	for i := range l {
		l[i] = float64(i)
	}
	return &l
}()

// Widen writes the entries of code into dst, which is as long.
func (b *Bytes) Widen(dst []float64, code []uint8) {
	level := b.Level
	dst = dst[:len(code)]
	for i, c := range code {
		dst[i] = level[c]
	}
}

// Used are the levels that occur.
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

// Map are the same codes with the levels that f makes of codes and levels.
func (b *Bytes) Map(f func(x float64) float64) *Bytes {
	level := *b.Level
	for i, x := range level {
		level[i] = f(x)
	}
	return &Bytes{Code: b.Code, Level: &level}
}

// Len is the number of entries of a dense value, padding included.
func (v *Value) Len() int {
	switch {
	case v.Bytes != nil:
		return len(v.Bytes.Code)
	case v.Packed != nil:
		return v.Packed.Len()
	}
	return len(v.F64)
}

// Floats are the entries of a dense value as float64, made anew where they are
// stored as bytes or packed; nil of a sparse one.
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

// ReadBytes reads n bytes. It does not trust n: memory grows with the bytes that are there. read
// is their number.
func ReadBytes(r io.Reader, n int) (out []uint8, read int, err error) {
	const step = 1 << 24
	for read < n {
		some := min(step, n-read)
		if cap(out)-len(out) < some { // the rest at once when so much was there already
			grown := make([]uint8, len(out), len(out)+max(some, min(n-read, 2*len(out))))
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
