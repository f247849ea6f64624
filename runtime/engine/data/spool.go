package data

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A spool is bound data on its way to another process: magic, dims, values,
// files, then a CRC-32C of all before it. Numbers are little-endian, counts
// unsigned varints, float64 as they are.
const spoolMagic = "SGSPOOL1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write writes a spool.
func Write(w io.Writer, b *Bound) error {
	sum := crc32.New(castagnoli)
	out := array.NewEncoder(io.MultiWriter(w, sum))
	out.Raw(spoolMagic)
	out.Count(len(b.Dims))
	for _, name := range slices.Sorted(maps.Keys(b.Dims)) {
		out.Text(name)
		out.Count(b.Dims[name])
	}
	out.Count(len(b.Values))
	for _, name := range slices.Sorted(maps.Keys(b.Values)) {
		out.Text(name)
		out.Value(b.Values[name])
	}
	out.Count(len(b.Files))
	for _, f := range b.Files {
		out.Text(f.Name)
		out.Count(int(f.Bytes))
		out.Text(f.SHA256)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// SpoolBytes returns an estimate of the memory in bytes that a process needs to read the spool:
// all arrays, and the largest once more while it grows.
func (b *Bound) SpoolBytes() float64 {
	total, largest := 0.0, 0.0
	for _, v := range b.Values {
		n := v.Memory()
		total, largest = total+n, max(largest, n)
	}
	return total + largest
}

// Read reads a spool that Write wrote, and verifies its checksum. The values have no Origin.
func Read(r io.Reader) (*Bound, error) {
	sum := crc32.New(castagnoli)
	s := array.NewDecoder(r, sum)
	b := readBound(s)
	if err := s.Err(); err != nil {
		return nil, damaged(err.Error())
	}
	want := sum.Sum32()
	var tail [4]byte
	if err := s.Tail(tail[:]); err != nil || binary.LittleEndian.Uint32(tail[:]) != want {
		return nil, damaged("its checksum does not agree")
	}
	for name, v := range b.Values {
		if v.Packed != nil {
			if text := v.Packed.Defect(v.Shape); text != "" {
				return nil, damaged(name + " " + text)
			}
		}
		if v.CSR != nil {
			if text := v.CSR.Defect(); text != "" {
				return nil, damaged(name + " " + text)
			}
		}
	}
	return b, nil
}

func damaged(what string) error {
	return &problem.Error{Code: "D0140", Message: "the spool is damaged: " + what}
}

func readBound(s *array.Decoder) *Bound {
	b := &Bound{Dims: map[string]int{}, Values: map[string]*array.Value{}}
	magic := make([]byte, len(spoolMagic))
	if s.Fill(magic) && string(magic) != spoolMagic {
		s.Fail(fmt.Sprintf("it begins with %q", magic))
	}
	for n := s.Count(); n > 0 && s.Err() == nil; n-- {
		name := s.Text()
		b.Dims[name] = s.Count()
	}
	for n := s.Count(); n > 0 && s.Err() == nil; n-- {
		name := s.Text()
		b.Values[name] = s.Value()
	}
	for n := s.Count(); n > 0 && s.Err() == nil; n-- {
		b.Files = append(b.Files,
			format.Fingerprint{Name: s.Text(), Bytes: int64(s.Count()), SHA256: s.Text()})
	}
	return b
}
