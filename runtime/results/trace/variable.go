package trace

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// A DType is the element type of an array, in the notation of Zarr.
type DType string

// The element types of a store. Numbers are cut to the integers of a type, not rounded.
const (
	Float64 DType = "<f8"
	Int64   DType = "<i8"
	Int32   DType = "<i4"
	Bool    DType = "|b1"
)

// Size is that of an element, in bytes.
func (t DType) Size() int { return t.size() }

func (t DType) size() int {
	switch t {
	case Bool:
		return 1
	case Int32:
		return 4
	}
	return 8
}

// fill is the metadata's fill_value. Integers and booleans have none: xarray
// would take the fill value for "missing" and turn the array into floats, so
// their chunks exist, as zeros, from the beginning.
func (t DType) fill() any {
	if t == Float64 {
		return "NaN"
	}
	return nil
}

// blank writes over b what an unwritten element holds.
func (t DType) blank(b []byte) {
	if t != Float64 {
		clear(b)
		return
	}
	bits := math.Float64bits(math.NaN())
	for i := 0; i+8 <= len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], bits)
	}
}

func (t DType) encode(dst []byte, values []float64) {
	switch t {
	case Bool:
		for i, x := range values {
			dst[i] = 0
			if x != 0 {
				dst[i] = 1
			}
		}
	case Int64:
		for i, x := range values {
			binary.LittleEndian.PutUint64(dst[8*i:], uint64(int64(x)))
		}
	case Int32:
		for i, x := range values {
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(int32(x)))
		}
	default:
		for i, x := range values {
			binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(x))
		}
	}
}

func (t DType) decode(dst []float64, b []byte) {
	switch t {
	case Bool:
		for i := range dst {
			dst[i] = float64(b[i])
		}
	case Int64:
		for i := range dst {
			dst[i] = float64(int64(binary.LittleEndian.Uint64(b[8*i:])))
		}
	case Int32:
		for i := range dst {
			dst[i] = float64(int32(binary.LittleEndian.Uint32(b[4*i:])))
		}
	default:
		for i := range dst {
			dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
}

// A Variable is an array of a store.
type Variable struct {
	Group string // "posterior", "sample_stats", …
	Name  string
	// Dims names the axes after chain and draw; "" or a missing name stands
	// for NAME_dim_0, NAME_dim_1, ….
	Dims  []string
	Shape []int // of one draw; empty for a number
	// Labels are names of the entries of each axis, which become its coordinate;
	// nil, or nil for an axis, for 0, 1, …. An axis has one coordinate in a group.
	Labels [][]string
	Doc    string
	DType  DType // "" is Float64
	// Static arrays have no chain and draw: observed_data, constants.
	Static bool
	// PerChain arrays are Static ones with the axis chain before their own: what
	// is known of a chain as a whole. They are written by WritePerChain.
	PerChain bool
	// Chunk is the number of draws a chunk holds; 0 chooses by the size of a draw.
	Chunk int
}

// Len is the number of elements of one draw.
func (v Variable) Len() int {
	n := 1
	for _, s := range v.Shape {
		n *= s
	}
	return n
}

// chunkBytes is what a chunk grows to before it is written: large enough that
// files are few, small enough that the buffers of a chain are.
const chunkBytes = 1 << 19

func (v Variable) chunk(draws int) int {
	k := v.Chunk
	if k <= 0 {
		k = min(chunkBytes/(8*max(v.Len(), 1)), 1000)
	}
	return max(min(k, draws), 1)
}

// Chunk is the smallest of the numbers of draws that a chunk of the variables
// holds by itself, each given the default length or 0.
func Chunk(vars []Variable, draws, length int) int {
	least := max(draws, 1)
	for _, v := range vars {
		if v.Static {
			continue
		}
		if v.Chunk == 0 {
			v.Chunk = length
		}
		least = min(least, v.chunk(draws))
	}
	return least
}

// validate refuses what could not be a directory's name or would hide a
// coordinate.
func (v Variable) validate() error {
	for _, s := range []string{v.Group, v.Name} {
		if s == "" || s[0] == '.' || strings.ContainsAny(s, "/\\\x00:") || disk.IsTemp(s) {
			return fmt.Errorf("%q cannot be the name of an array or group in a trace", s)
		}
	}
	if v.Name == "chain" || v.Name == "draw" {
		return fmt.Errorf("%q cannot be stored: the name is taken by an axis of the trace", v.Name)
	}
	switch v.DType {
	case Float64, Int64, Int32, Bool:
	default:
		return fmt.Errorf("%s has the element type %q, which a trace does not hold", v.Name, v.DType)
	}
	if len(v.Dims) > len(v.Shape) {
		return fmt.Errorf("%s has %d names for %d axes", v.Name, len(v.Dims), len(v.Shape))
	}
	for i, s := range v.Shape {
		if s < 0 {
			return fmt.Errorf("%s has an axis of size %d", v.Name, s)
		}
		if i < len(v.Labels) && v.Labels[i] != nil && len(v.Labels[i]) != s {
			return fmt.Errorf("%s has %d names for the %d entries of an axis", v.Name,
				len(v.Labels[i]), s)
		}
	}
	return nil
}
