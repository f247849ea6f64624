package array

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"slices"
)

// A Decoder reads the output of an Encoder and updates a checksum. After the first error, which it
// keeps, it returns zeros. It does not trust lengths: it allocates memory as bytes arrive.
type Decoder struct {
	r   *bufio.Reader
	sum hash.Hash32
	buf [1 << 12]byte
	err error
}

// NewDecoder returns a decoder that reads from r and writes all bytes it reads to sum.
func NewDecoder(r io.Reader, sum hash.Hash32) *Decoder {
	return &Decoder{r: bufio.NewReaderSize(r, 1<<16), sum: sum}
}

// Err returns the first error of the decoder; nil when there was none.
func (s *Decoder) Err() error { return s.err }

// Fail records an error, unless the decoder has one.
func (s *Decoder) Fail(what string) {
	if s.err == nil {
		s.err = errors.New(what)
	}
}

// Tail reads len(b) bytes that are not part of the checksum.
func (s *Decoder) Tail(b []byte) error {
	_, err := io.ReadFull(s.r, b)
	return err
}

// Fill reads len(b) bytes. It returns false if the decoder has an error.
func (s *Decoder) Fill(b []byte) bool {
	if s.err == nil {
		if _, err := io.ReadFull(s.r, b); err != nil {
			s.err = errors.New("it ends too early")
		}
	}
	if s.err != nil {
		return false
	}
	s.sum.Write(b)
	return true
}

// ReadByte reads one byte into the checksum. It implements io.ByteReader for binary.ReadUvarint.
func (s *Decoder) ReadByte() (byte, error) {
	if !s.Fill(s.buf[:1]) {
		return 0, s.err
	}
	return s.buf[0], nil
}

// Count reads a nonnegative number.
func (s *Decoder) Count() int {
	n, err := binary.ReadUvarint(s)
	if err != nil && s.err == nil || n > math.MaxInt64/16 {
		s.err = errors.New("a count is malformed")
	}
	if s.err != nil {
		return 0
	}
	return int(n)
}

// Text reads a string.
func (s *Decoder) Text() string {
	n := s.Count()
	if n > 1<<20 {
		s.err = errors.New("a name is too long")
		return ""
	}
	b := make([]byte, n)
	s.Fill(b)
	return string(b)
}

// words reads n items of each bytes, and calls to with each item at the start of b.
func (s *Decoder) words(n, each int, to func(b []byte)) {
	for n > 0 && s.err == nil {
		some := min(n, len(s.buf)/each)
		if b := s.buf[:some*each]; s.Fill(b) {
			for i := 0; i < len(b); i += each {
				to(b[i:])
			}
		}
		n -= some
	}
}

func (s *Decoder) floats() []float64 { return read8(s, s.Count(), math.Float64frombits) }

// read8 reads n numbers of eight bytes.
func read8[T any](s *Decoder, n int, of func(uint64) T) []T {
	out := []T{}
	s.words(n, 8, func(b []byte) {
		if len(out) == cap(out) {
			out = slices.Grow(out, more(len(out), n))
		}
		out = append(out, of(binary.LittleEndian.Uint64(b)))
	})
	return out
}

// mask reads the columns of some rows.
func (s *Decoder) mask(rows int) *Mask {
	k := &Mask{Each: s.Count()}
	if k.Each > 1<<25 || rows > 0 && k.Each > math.MaxInt64/16/rows {
		s.Fail("a mask is too long")
		return nil
	}
	k.Words = read8(s, rows*k.Each, func(w uint64) uint64 { return w })
	return k
}

func (s *Decoder) bytes() *Bytes {
	level := s.floats()
	n := s.Count()
	if s.err == nil && len(level) != 256 {
		s.err = errors.New("bytes have no levels")
	}
	if s.err != nil {
		return nil
	}
	b := &Bytes{Level: (*[256]float64)(level)}
	var err error
	if b.Code, _, err = ReadBytes(s.r, n); err != nil {
		s.err = errors.New("it ends too early")
		return nil
	}
	s.sum.Write(b.Code)
	return b
}

func (s *Decoder) ints(n int) []int32 {
	out := []int32{}
	s.words(n, 4, func(b []byte) {
		if len(out) == cap(out) {
			out = slices.Grow(out, more(len(out), n))
		}
		out = append(out, int32(binary.LittleEndian.Uint32(b)))
	})
	return out
}

// more is for how many more entries a list of n is made longer when it has so many: for the rest
// once a quarter is there, so that little is copied and nothing is left over.
func more(have, n int) int { return min(n-have, max(1<<16, 3*have)) }

// packed reads a packed array of the given shape. It checks the axes against the shape before it
// counts the rows.
func (s *Decoder) packed(shape []int, flags int) *Packed {
	p := &Packed{}
	for n := s.Count(); n > 0 && s.err == nil; n-- {
		a := Axis{Of: s.Count()}
		for m := s.Count(); m > 0 && s.err == nil; m-- {
			a.Lengths = append(a.Lengths, s.Count())
		}
		if k := len(p.axes); k < len(shape) {
			a.Size = shape[k]
		}
		p.axes = append(p.axes, a)
	}
	switch {
	case flags&isBytes != 0:
		p.Bytes = s.bytes()
	case flags&isInt32 != 0:
		p.Int32 = s.ints(s.Count())
	default:
		p.F64 = s.floats()
	}
	if text := p.misshapen(shape); text != "" && s.err == nil {
		s.err = errors.New("it " + text)
	}
	if s.err == nil && !p.plausible() {
		s.err = fmt.Errorf("its shape %v is too large for the entries that it has", shape)
	}
	if s.err == nil {
		p.each, _ = Product(shape[len(p.axes):])
		p.offsets()
	}
	return p
}

// emptyPaths is the number of index paths without entries that a packed array may have, in
// addition to 64 for each entry and length. It bounds the time and the memory that a damaged file
// can take by the size of the file.
const emptyPaths = 1 << 24

// plausible reports whether the number of index paths is within the bound of emptyPaths.
func (p *Packed) plausible() bool {
	given := len(p.F64) + len(p.Int32)
	if p.Bytes != nil {
		given += len(p.Bytes.Code)
	}
	for _, a := range p.axes {
		given += len(a.Lengths)
	}
	left := emptyPaths + 64*given
	var path [MostAxes]int
	return p.counted(&path, 0, &left)
}

// Value reads an array that Encoder.Value wrote.
func (s *Decoder) Value() *Value {
	flags := s.Count()
	v := &Value{Canonical: flags&isCanonical != 0}
	for n := s.Count(); n > 0 && s.err == nil; n-- {
		v.Shape = append(v.Shape, s.Count())
	}
	switch {
	case flags&hasCSR != 0:
	case flags&isPacked != 0:
		v.Packed = s.packed(v.Shape, flags)
		return v
	case flags&isBytes != 0:
		v.Bytes = s.bytes()
		return v
	default:
		v.F64 = s.floats()
		return v
	}
	m := &CSR{Rows: s.Count(), Cols: s.Count(), Open: flags&isOpen != 0}
	m.Indptr = make([]int, 1, min(m.Rows, 1<<16)+1)
	total := 0
	for n := m.Rows; n > 0 && s.err == nil; n-- {
		if total += s.Count(); total < 0 {
			s.err = errors.New("its rows are too long")
		}
		m.Indptr = append(m.Indptr, total)
	}
	v.CSR = m
	if flags&isBytes != 0 {
		m.Mask = s.mask(m.Rows)
		m.Bytes = s.bytes()
		return v
	}
	m.Index = s.ints(total)
	if flags&hasEntries != 0 {
		m.Value = s.floats()
	}
	return v
}
