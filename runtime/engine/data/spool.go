package data

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"
)

// A spool is bound data on its way to another process: magic, dims, values,
// files, then a CRC-32C of all before it. Numbers are little-endian, counts
// unsigned varints, float64 as they are.
const spoolMagic = "SGSPOOL1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write writes a spool.
func Write(w io.Writer, b *Bound) error {
	sum := crc32.New(castagnoli)
	out := &spoolWriter{w: bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)}
	out.w.WriteString(spoolMagic)
	out.count(len(b.Dims))
	for _, name := range slices.Sorted(maps.Keys(b.Dims)) {
		out.text(name)
		out.count(b.Dims[name])
	}
	out.count(len(b.Values))
	for _, name := range slices.Sorted(maps.Keys(b.Values)) {
		out.text(name)
		out.value(b.Values[name])
	}
	out.count(len(b.Files))
	for _, f := range b.Files {
		out.text(f.Name)
		out.count(int(f.Bytes))
		out.text(f.SHA256)
	}
	if err := out.w.Flush(); err != nil {
		return err
	}
	_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// SpoolBytes is about how much memory a process needs to read the spool of the data: all
// of them, and its largest array once more, as it grows.
func (b *Bound) SpoolBytes() float64 {
	total, largest := 0.0, 0.0
	for _, v := range b.Values {
		n := v.bytes()
		total, largest = total+n, max(largest, n)
	}
	return total + largest
}

// bytes is how much memory the arrays of a value take.
func (v *Value) bytes() float64 {
	n := 8*len(v.F64) + v.Bytes.bytes()
	if m := v.CSR; m != nil {
		n += 8*len(m.Indptr) + 4*len(m.Index) + 8*len(m.Value) + m.Bytes.bytes()
	}
	if p := v.Packed; p != nil {
		n += 8*len(p.F64) + 4*len(p.Int32) + p.Bytes.bytes()
		for _, a := range p.axes {
			n += 16 * len(a.lengths) // and offsets
		}
	}
	return float64(n)
}

func (b *Bytes) bytes() int {
	if b == nil {
		return 0
	}
	return len(b.Code)
}

// A spoolWriter writes; bufio keeps the first error for Flush.
type spoolWriter struct {
	w   *bufio.Writer
	buf []byte
}

func (s *spoolWriter) count(n int) {
	s.buf = binary.AppendUvarint(s.buf[:0], uint64(n))
	s.w.Write(s.buf)
}

func (s *spoolWriter) text(t string) {
	s.count(len(t))
	s.w.WriteString(t)
}

func (s *spoolWriter) floats(v []float64) {
	s.count(len(v))
	for _, x := range v {
		s.w.Write(binary.LittleEndian.AppendUint64(s.w.AvailableBuffer(), math.Float64bits(x)))
	}
}

const (
	hasCSR = 1 << iota
	hasEntries
	isCanonical
	isOpen
	isBytes
	isPacked
	isInt32
)

func (s *spoolWriter) value(v *Value) {
	flags, p := 0, v.Packed
	for _, f := range []struct {
		bit int
		on  bool
	}{{hasCSR, v.CSR != nil}, {hasEntries, v.CSR != nil && v.CSR.Value != nil}, {isCanonical, v.Canonical}, {isOpen, v.CSR != nil && v.CSR.Open}, {isBytes, v.Bytes != nil || v.CSR != nil && v.CSR.Bytes != nil || p != nil && p.Bytes != nil},
		{isPacked, p != nil}, {isInt32, p != nil && p.Int32 != nil}} {
		if f.on {
			flags |= f.bit
		}
	}
	s.count(flags)
	s.count(len(v.Shape))
	for _, n := range v.Shape {
		s.count(n)
	}
	if p != nil {
		s.packed(p)
		return
	}
	if m := v.CSR; m != nil {
		s.count(m.Rows)
		s.count(m.Cols)
		for r := range m.Rows {
			s.count(m.Indptr[r+1] - m.Indptr[r])
		}
		s.ints(m.Index)
		if m.Value != nil {
			s.floats(m.Value)
		}
		if m.Bytes != nil {
			s.bytes(m.Bytes)
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
func (s *spoolWriter) packed(p *Packed) {
	s.count(len(p.axes))
	for _, a := range p.axes {
		s.count(a.of)
		s.count(len(a.lengths))
		for _, n := range a.lengths {
			s.count(n)
		}
	}
	switch {
	case p.Bytes != nil:
		s.bytes(p.Bytes)
	case p.Int32 != nil:
		s.count(len(p.Int32))
		s.ints(p.Int32)
	default:
		s.floats(p.F64)
	}
}

func (s *spoolWriter) ints(list []int32) {
	for _, j := range list {
		s.w.Write(binary.LittleEndian.AppendUint32(s.w.AvailableBuffer(), uint32(j)))
	}
}

func (s *spoolWriter) bytes(b *Bytes) {
	s.floats(b.Level[:])
	s.count(len(b.Code))
	s.w.Write(b.Code)
}

// Read reads a spool that Write wrote, and checks that it arrived whole.
// Values have lost their Origin.
func Read(r io.Reader) (*Bound, error) {
	s := &spoolReader{r: bufio.NewReaderSize(r, 1<<16), sum: crc32.New(castagnoli)}
	b := s.bound()
	if s.err != nil {
		return nil, s.err
	}
	want := s.sum.Sum32()
	var tail [4]byte
	if _, err := io.ReadFull(s.r, tail[:]); err != nil || binary.LittleEndian.Uint32(tail[:]) != want {
		return nil, damaged("its checksum does not agree")
	}
	for name, v := range b.Values {
		if v.Packed != nil {
			if text := v.Packed.unsound(v.Shape); text != "" {
				return nil, damaged(name + " " + text)
			}
		}
		if v.CSR != nil {
			if text := v.CSR.defect(); text != "" {
				return nil, damaged(name + " " + text)
			}
		}
	}
	return b, nil
}

func damaged(what string) error {
	return &Error{Code: "D0140", Message: "the spool is damaged: " + what}
}

// A spoolReader keeps its first error and returns zeros after it. Lengths
// may lie, so arrays grow with what is read.
type spoolReader struct {
	r   *bufio.Reader
	sum hash.Hash32
	buf [1 << 12]byte
	err error
}

func (s *spoolReader) fill(b []byte) bool {
	if s.err == nil {
		if _, err := io.ReadFull(s.r, b); err != nil {
			s.err = damaged("it ends too early")
		}
	}
	if s.err != nil {
		return false
	}
	s.sum.Write(b)
	return true
}

// ReadByte lets binary.ReadUvarint read and sum.
func (s *spoolReader) ReadByte() (byte, error) {
	if !s.fill(s.buf[:1]) {
		return 0, s.err
	}
	return s.buf[0], nil
}

func (s *spoolReader) count() int {
	n, err := binary.ReadUvarint(s)
	if err != nil && s.err == nil || n > math.MaxInt64/16 {
		s.err = damaged("a count is malformed")
	}
	if s.err != nil {
		return 0
	}
	return int(n)
}

func (s *spoolReader) text() string {
	n := s.count()
	if n > 1<<20 {
		s.err = damaged("a name is too long")
		return ""
	}
	b := make([]byte, n)
	s.fill(b)
	return string(b)
}

// words reads n entries of the given bytes each.
func (s *spoolReader) words(n, each int, to func(b []byte)) {
	for n > 0 && s.err == nil {
		some := min(n, len(s.buf)/each)
		if b := s.buf[:some*each]; s.fill(b) {
			for i := 0; i < len(b); i += each {
				to(b[i:])
			}
		}
		n -= some
	}
}

func (s *spoolReader) floats() []float64 {
	n := s.count()
	out := make([]float64, 0, min(n, 1<<16))
	s.words(n, 8, func(b []byte) { out = append(out, math.Float64frombits(binary.LittleEndian.Uint64(b))) })
	return out
}

func (s *spoolReader) bytes() *Bytes {
	level := s.floats()
	n := s.count()
	if s.err == nil && len(level) != 256 {
		s.err = damaged("bytes have no levels")
	}
	if s.err != nil {
		return nil
	}
	b := &Bytes{Level: (*[256]float64)(level)}
	var err error
	if b.Code, _, err = readBytes(s.r, n); err != nil {
		s.err = damaged("it ends too early")
		return nil
	}
	s.sum.Write(b.Code)
	return b
}

func (s *spoolReader) ints(n int) []int32 {
	out := make([]int32, 0, min(n, 1<<16))
	s.words(n, 4, func(b []byte) { out = append(out, int32(binary.LittleEndian.Uint32(b))) })
	return out
}

// packed reads an array of a shape. What it says of rows is held against the
// shape before the rows are counted.
func (s *spoolReader) packed(shape []int, flags int) *Packed {
	p := &Packed{}
	for n := s.count(); n > 0 && s.err == nil; n-- {
		a := packedAxis{of: s.count()}
		for m := s.count(); m > 0 && s.err == nil; m-- {
			a.lengths = append(a.lengths, s.count())
		}
		if k := len(p.axes); k < len(shape) {
			a.size = shape[k]
		}
		p.axes = append(p.axes, a)
	}
	switch {
	case flags&isBytes != 0:
		p.Bytes = s.bytes()
	case flags&isInt32 != 0:
		p.Int32 = s.ints(s.count())
	default:
		p.F64 = s.floats()
	}
	if text := p.misshapen(shape); text != "" && s.err == nil {
		s.err = damaged("it " + text)
	}
	if s.err == nil {
		p.each, _ = product(shape[len(p.axes):])
		p.offsets()
	}
	return p
}

func (s *spoolReader) bound() *Bound {
	b := &Bound{Dims: map[string]int{}, Values: map[string]*Value{}}
	magic := make([]byte, len(spoolMagic))
	if s.fill(magic) && string(magic) != spoolMagic {
		s.err = damaged(fmt.Sprintf("it begins with %q", magic))
	}
	for n := s.count(); n > 0 && s.err == nil; n-- {
		name := s.text()
		b.Dims[name] = s.count()
	}
	for n := s.count(); n > 0 && s.err == nil; n-- {
		name := s.text()
		b.Values[name] = s.value()
	}
	for n := s.count(); n > 0 && s.err == nil; n-- {
		b.Files = append(b.Files, Fingerprint{Name: s.text(), Bytes: int64(s.count()), SHA256: s.text()})
	}
	return b
}

func (s *spoolReader) value() *Value {
	flags := s.count()
	v := &Value{Canonical: flags&isCanonical != 0}
	for n := s.count(); n > 0 && s.err == nil; n-- {
		v.Shape = append(v.Shape, s.count())
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
	m := &CSR{Rows: s.count(), Cols: s.count(), Open: flags&isOpen != 0}
	m.Indptr = make([]int, 1, min(m.Rows, 1<<16)+1)
	total := 0
	for n := m.Rows; n > 0 && s.err == nil; n-- {
		if total += s.count(); total < 0 {
			s.err = damaged("its rows are too long")
		}
		m.Indptr = append(m.Indptr, total)
	}
	m.Index = s.ints(total)
	if flags&hasEntries != 0 {
		m.Value = s.floats()
	}
	if flags&isBytes != 0 {
		m.Bytes = s.bytes()
	}
	v.CSR = m
	return v
}
