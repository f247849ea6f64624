package format

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// idxTypes are the entries of an IDX file by the third byte of its magic.
var idxTypes = map[byte]struct {
	name string
	size int
	get  func(b []byte) float64
}{
	0x08: {"unsigned bytes", 1, nil}, // stay bytes
	0x09: {"signed bytes", 1, func(b []byte) float64 { return float64(int8(b[0])) }},
	0x0b: {"16-bit numbers", 2,
		func(b []byte) float64 { return float64(int16(binary.BigEndian.Uint16(b))) }},
	0x0c: {"32-bit numbers", 4,
		func(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) }},
	0x0d: {"float32", 4, func(b []byte) float64 {
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	}},
	0x0e: {"float64", 8, func(b []byte) float64 {
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	}},
}

// unitField is the field of a file of bytes that has them divided by 255.
const unitField = "unit"

func sniffIDX(h []byte) bool {
	if len(h) < 4 || h[0] != 0 || h[1] != 0 || h[3] == 0 || h[3] > maxDepth {
		return false
	}
	_, known := idxTypes[h[2]]
	return known
}

// readIDX reads the format of the MNIST files (LeCun, Cortes and Burges, "The
// MNIST database of handwritten digits"): two zero bytes, the type of the
// entries, the number of axes, the sizes as big-endian 32-bit numbers, then the
// entries row-major. Unsigned bytes stay bytes in memory; the field "unit" has
// them divided by 255.
func readIDX(file string, r io.Reader) (*Table, []*problem.Error) {
	t := NewTable(file, "idx")
	var head [4]byte
	n, err := io.ReadFull(r, head[:])
	switch {
	case n == 0 && err == io.EOF:
		return t, []*problem.Error{t.Fail(0, 0, "D0103", "is empty")}
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		return t, []*problem.Error{t.readError(0, err)}
	case n < 4 || !sniffIDX(head[:]):
		return t, []*problem.Error{t.Fail(0, 0, "D0150",
			fmt.Sprintf("is no IDX file: it begins with % x, not with 00 00, a type of entries "+
				"and a number of axes", head[:n]))}
	}
	shape := make([]int, head[3])
	sizes := make([]byte, 4*len(shape))
	if _, err := io.ReadFull(r, sizes); err != nil {
		return t, []*problem.Error{t.ends(err, "within its header")}
	}
	for i := range shape {
		shape[i] = int(binary.BigEndian.Uint32(sizes[4*i:]))
	}
	total, ok := array.Product(shape)
	if !ok || total > math.MaxInt/8 {
		return t, []*problem.Error{t.Fail(0, 0, "D0150",
			fmt.Sprintf("states the impossible shape %v", shape))}
	}
	v := &array.Value{Shape: shape, Origin: &array.Origin{File: file}}
	kind := idxTypes[head[2]]
	read := 0
	if kind.get == nil {
		v.Bytes = &array.Bytes{Level: array.PlainLevels}
		v.Bytes.Code, read, err = array.ReadBytes(r, total)
	} else {
		v.F64, read, err = readWords(r, total, kind.size, kind.get)
	}
	if err != nil {
		return t, []*problem.Error{t.ends(err,
			fmt.Sprintf("after %d of the %d %s that its header states", read, total, kind.name))}
	}
	if n, err := io.ReadFull(r, head[:1]); n > 0 {
		return t, []*problem.Error{t.Fail(0, 0, "D0150",
			fmt.Sprintf("goes on after the %d %s that its header states", total, kind.name))}
	} else if err != io.EOF {
		return t, []*problem.Error{t.readError(0, err)}
	}
	t.one = v
	if b := v.Bytes; b != nil {
		t.derive(unitField, func() *array.Value {
			return &array.Value{Shape: shape,
				Bytes:  b.Map(func(x float64) float64 { return x / 255 }),
				Origin: &array.Origin{File: file, Field: unitField}}
		})
	}
	return t, nil
}

// ends says where a file stopped short, or what made reading fail.
func (t *Table) ends(err error, where string) *problem.Error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return t.Fail(0, 0, "D0104", "the file ends "+where+": it is truncated")
	}
	return t.readError(0, err)
}

// readWords reads n entries of several bytes each.
func readWords(
	r io.Reader, n, size int, get func(b []byte) float64,
) (out []float64, read int, err error) {
	out = make([]float64, 0, min(n, 1<<16))
	chunk := make([]byte, size*4096)
	for len(out) < n {
		b := chunk[:size*min(4096, n-len(out))]
		got, err := io.ReadFull(r, b)
		if err != nil {
			return nil, len(out) + got/size, err
		}
		for i := 0; i < len(b); i += size {
			out = append(out, get(b[i:]))
		}
	}
	return out, n, nil
}

// endingsIDX are how files of the format are called, besides names that only
// the first bytes tell, such as train-images-idx3-ubyte.
var endingsIDX = strings.Fields(".idx .idx1-ubyte .idx2-ubyte .idx3-ubyte")
