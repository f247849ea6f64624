package array

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
)

// An Encoder writes counts, texts and arrays. Numbers are little-endian, and counts are unsigned
// varints. Flush returns the first error.
type Encoder struct {
	w   *bufio.Writer
	buf []byte
}

// NewEncoder returns an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: bufio.NewWriterSize(w, 1<<16)} }

// Flush writes the buffered bytes, and returns the first error of any write.
func (s *Encoder) Flush() error { return s.w.Flush() }

// Raw writes the bytes of t without their length.
func (s *Encoder) Raw(t string) { s.w.WriteString(t) }

// Count writes a nonnegative number.
func (s *Encoder) Count(n int) {
	s.buf = binary.AppendUvarint(s.buf[:0], uint64(n))
	s.w.Write(s.buf)
}

// Text writes the length of a string, then the string.
func (s *Encoder) Text(t string) {
	s.Count(len(t))
	s.w.WriteString(t)
}

func (s *Encoder) floats(v []float64) {
	s.Count(len(v))
	for _, x := range v {
		s.w.Write(binary.LittleEndian.AppendUint64(s.w.AvailableBuffer(), math.Float64bits(x)))
	}
}

// The flags of an encoded value, one bit each, in its first number.
const (
	hasCSR = 1 << iota
	hasEntries
	isCanonical
	isOpen
	isBytes
	isPacked
	isInt32
)

// Value writes an array with its flags and shape, in its storage.
func (s *Encoder) Value(v *Value) {
	flags, p := 0, v.Packed
	for _, f := range []struct {
		bit int
		on  bool
	}{{hasCSR, v.CSR != nil}, {hasEntries, v.CSR != nil && v.CSR.Value != nil},
		{isCanonical, v.Canonical}, {isOpen, v.CSR != nil && v.CSR.Open},
		{isBytes, v.Bytes != nil || v.CSR != nil && v.CSR.Bytes != nil ||
			p != nil && p.Bytes != nil},
		{isPacked, p != nil}, {isInt32, p != nil && p.Int32 != nil}} {
		if f.on {
			flags |= f.bit
		}
	}
	s.Count(flags)
	s.Count(len(v.Shape))
	for _, n := range v.Shape {
		s.Count(n)
	}
	if p != nil {
		s.packed(p)
		return
	}
	if m := v.CSR; m != nil {
		s.Count(m.Rows)
		s.Count(m.Cols)
		for r := range m.Rows {
			s.Count(m.Indptr[r+1] - m.Indptr[r])
		}
		if m.Bytes != nil {
			s.mask(m.Mask)
			s.bytes(m.Bytes)
			return
		}
		s.ints(m.Index)
		if m.Value != nil {
			s.floats(m.Value)
		}
		return
	}
	if v.Bytes != nil {
		s.bytes(v.Bytes)
		return
	}
	s.floats(v.F64)
}

// packed writes the leading axes, then the entries.
func (s *Encoder) packed(p *Packed) {
	s.Count(len(p.axes))
	for _, a := range p.axes {
		s.Count(a.Of)
		s.Count(len(a.Lengths))
		for _, n := range a.Lengths {
			s.Count(n)
		}
	}
	switch {
	case p.Bytes != nil:
		s.bytes(p.Bytes)
	case p.Int32 != nil:
		s.Count(len(p.Int32))
		s.ints(p.Int32)
	default:
		s.floats(p.F64)
	}
}

func (s *Encoder) ints(list []int32) {
	for _, j := range list {
		s.w.Write(binary.LittleEndian.AppendUint32(s.w.AvailableBuffer(), uint32(j)))
	}
}

func (s *Encoder) mask(k *Mask) {
	s.Count(k.Each)
	for _, w := range k.Words {
		s.w.Write(binary.LittleEndian.AppendUint64(s.w.AvailableBuffer(), w))
	}
}

func (s *Encoder) bytes(b *Bytes) {
	s.floats(b.Level[:])
	s.Count(len(b.Code))
	s.w.Write(b.Code)
}
