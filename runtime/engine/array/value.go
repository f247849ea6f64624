// Package array has the arrays that data are kept in, in one of several storages: dense numbers,
// bytes with a table of levels, compressed sparse rows, rows of different lengths without padding.
// It does not know models, file formats or declarations.
package array

// A Value is an array in one of several storages: one of F64, Bytes, CSR and
// Packed is set, and none of an empty dense array. Values are shared, never changed in place.
type Value struct {
	Shape  []int     // sizes of the axes; empty for a scalar
	F64    []float64 // dense, row-major; whole numbers and bools as numbers
	Bytes  *Bytes    // dense, row-major, one byte an entry
	CSR    *CSR      // sparse, of Shape [..., Cols] with the leading axes as rows
	Packed *Packed   // dense, with rows of different lengths: Shape is padded to the longest

	// Lists are set where an array is ragged, as Ragged makes it: F64 has the
	// entries of all lists one after the other, and Shape the longest list of
	// every level. Validate packs such.
	Lists [][]int

	// Range is how many values indices can have where the file says so, as the
	// header of a corpus has the size of its vocabulary; 0 where it does not.
	// If AtLeast is set, there may be more: so many are in the file, of which
	// this may be some rows.
	Range   int
	AtLeast bool

	// Words are the texts of the cells of F64 that are not numbers; WordOf tells which cells these
	// are. Only arrays that come from files have words; bound data do not.
	Words []string

	// Canonical says that indices count from 0 and bools are 0 and 1. Validate
	// makes values so; a file's are not.
	Canonical bool

	Origin *Origin // where it was read; nil for a program's own array

	finite []float64 // F64, where all of its numbers were found to be finite
	room   *room     // that F64 was read into; nil of memory that no other value gets
}

// A CSR is a compressed sparse row matrix. Indices rise strictly in a row.
type CSR struct {
	Rows, Cols int
	Indptr     []int     // Rows + 1 offsets into Index
	Index      []int32   // column of each stored entry
	Value      []float64 // nil when every stored entry is 1, or where Bytes are
	// of each stored entry, in place of Value: Validate keeps what was read as bytes so
	Bytes *Bytes

	// Open says that Cols is only one more than the largest column seen, as in
	// formats that do not state a width: it may grow to the declared size.
	Open bool
}

// An Origin says where a value was read, for messages.
type Origin struct {
	File  string
	Field string  // column, key or field; empty when the file is one array
	Path  string  // JSON path of the value, such as "$.x"; empty for line formats
	First int     // line of row 0; 0 for formats without lines
	Lines []int32 // line of each row when they do not follow one another
	Base  int     // what the file counts columns from, 0 or 1
	Part  string  // the selectors of rows, such as "rows=4%5"; empty of all

	// Number is set where the rows are some of the array's, in any order, as
	// those of a page of a stream are: it gives the place of a row in the array.
	Number func(row int) int
}

// PlaceOf returns the place of a row in the array it is of.
func (o *Origin) PlaceOf(row int) int {
	if o == nil || o.Number == nil {
		return row
	}
	return o.Number(row)
}

// Line returns the line of a row, or 0 when the format has none.
func (o *Origin) Line(row int) int {
	switch {
	case o == nil || o.First == 0:
		return 0
	case row < len(o.Lines):
		return int(o.Lines[row])
	}
	return o.First + row
}

// Scalar is a value without axes.
func Scalar(x float64) *Value { return &Value{F64: []float64{x}} }

// Dense is a row-major array; it keeps v.
func Dense(v []float64, shape ...int) *Value { return &Value{Shape: shape, F64: v} }

// Sparse is a sparse matrix; it keeps m.
func Sparse(m *CSR) *Value { return &Value{Shape: []int{m.Rows, m.Cols}, CSR: m} }

// Whole makes a dense array of whole numbers.
func Whole[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32](
	v []T, shape ...int,
) *Value {
	f := make([]float64, len(v))
	for i, x := range v {
		f[i] = float64(x)
	}
	return Dense(f, shape...)
}

// Bools makes a dense array of zeros and ones.
func Bools(v []bool, shape ...int) *Value {
	f := make([]float64, len(v))
	for i, x := range v {
		if x {
			f[i] = 1
		}
	}
	return Dense(f, shape...)
}

// SetEntries replaces the stored entries of a value that this call owns; the
// matrix it shares with others is left alone.
func (v *Value) SetEntries(list []float64) {
	if v.CSR == nil {
		v.F64 = list
		return
	}
	m := *v.CSR
	m.Value, v.CSR = list, &m
}

// Name is the file, with the field where it has several and the rows where
// some are selected.
func (o *Origin) Name() string {
	name := o.File
	for _, s := range []string{o.Field, o.Part} {
		if s != "" {
			name += ":" + s
		}
	}
	return name
}

// Memory returns how many bytes the arrays of a value take.
func (v *Value) Memory() float64 {
	n := 8*len(v.F64) + v.Bytes.bytes()
	if m := v.CSR; m != nil {
		n += 8*len(m.Indptr) + 4*len(m.Index) + 8*len(m.Value) + m.Bytes.bytes()
	}
	if p := v.Packed; p != nil {
		n += 8*len(p.F64) + 4*len(p.Int32) + p.Bytes.bytes()
		for _, a := range p.axes {
			n += 16 * len(a.Lengths) // and offsets
		}
	}
	return float64(n)
}

// Unpacked is the value with its padding, where it is packed.
func (v *Value) Unpacked() *Value {
	if v.Packed == nil {
		return v
	}
	out := *v
	out.F64, out.Packed = v.Floats(), nil
	return &out
}

// take is the origin of some rows.
func (o *Origin) take(keep []int, part string) *Origin {
	if o == nil {
		return nil
	}
	out := *o
	out.Part = part
	if o.First != 0 {
		out.Lines = make([]int32, len(keep))
		for i, k := range keep {
			out.Lines[i] = int32(o.Line(k))
		}
	}
	return &out
}
