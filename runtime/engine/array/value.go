// Package array has the arrays that data are kept in, in one of several storages: dense numbers,
// bytes with a table of levels, compressed sparse rows, rows of different lengths without padding.
// It does not know models, file formats or declarations.
package array

// A Value is an array in one of several storages. One of F64, Bytes, CSR and Packed is set; none
// is set in an empty dense array. Values are shared, and never changed in place.
type Value struct {
	Shape  []int     // sizes of the axes; empty for a scalar
	F64    []float64 // dense, row-major; whole numbers and bools as numbers
	Bytes  *Bytes    // dense, row-major, one byte per entry
	CSR    *CSR      // sparse, of Shape [..., Cols]; the leading axes are the rows
	Packed *Packed   // dense, with ragged axes; Shape is padded to the longest row

	// Lists has the lengths of nested lists if the array is ragged, in the form that Ragged takes.
	// F64 then has the entries of all lists one after another, and Shape the length of the longest
	// list at each depth. Validate packs ragged arrays.
	Lists [][]int

	// Range is the number of values that indices can take, if the file states it, as a corpus states
	// the size of its vocabulary. It is 0 if the file does not. If AtLeast is set, Range is a lower
	// bound: the value may be some rows of a file with more.
	Range   int
	AtLeast bool

	// Words are the texts of the cells of F64 that are not numbers; WordOf tells which cells these
	// are. Only arrays that come from files have words; bound data do not.
	Words []string

	// Canonical reports whether indices count from 0 and bools are 0 or 1. Validate makes values
	// canonical; values from files are not.
	Canonical bool

	Origin *Origin // where the value was read; nil for an array of a program

	finite []float64 // F64, if NoteFinite found all of its numbers finite
	room   *room     // buffer of F64; nil if NewRoom did not allocate it
}

// A CSR is a compressed sparse row matrix. Column indices rise strictly within a row.
type CSR struct {
	Rows, Cols int
	Indptr     []int     // Rows + 1 offsets into Index
	Index      []int32   // column of each stored entry; nil if Mask is set
	Value      []float64 // value of each stored entry; nil if all are 1 or Bytes is set
	// Bytes has the value of each stored entry as a byte, instead of Value. Mask is set with it, and
	// has the columns, instead of Index.
	Bytes *Bytes
	Mask  *Mask

	// Open is set if the file does not state a width. Cols is then one more than the largest column
	// read, and may grow to the declared size.
	Open bool
}

// An Origin is the file, field and lines that a value was read from, for messages.
type Origin struct {
	File  string
	Field string  // column, key or field; empty when the file is one array
	Path  string  // JSON path of the value, such as "$.x"; empty for line formats
	First int     // line of row 0; 0 for formats without lines
	Lines []int32 // line of each row, if rows are not on consecutive lines
	Base  int     // index of the first column in the file's own counting, 0 or 1
	Part  string  // selectors of the rows, such as "rows=4%5"; empty for all rows

	// Number returns the index in the whole array of a row of this value. It is set if the value has
	// some rows of the array, such as a page of a stream.
	Number func(row int) int
}

// PlaceOf returns the index in the whole array of a row of the value.
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

// Scalar returns a value without axes.
func Scalar(x float64) *Value { return &Value{F64: []float64{x}} }

// Dense returns a dense row-major array that shares v.
func Dense(v []float64, shape ...int) *Value { return &Value{Shape: shape, F64: v} }

// Sparse returns a sparse matrix that shares m.
func Sparse(m *CSR) *Value { return &Value{Shape: []int{m.Rows, m.Cols}, CSR: m} }

// Whole returns a dense array of whole numbers.
func Whole[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32](
	v []T, shape ...int,
) *Value {
	f := make([]float64, len(v))
	for i, x := range v {
		f[i] = float64(x)
	}
	return Dense(f, shape...)
}

// Bools returns a dense array with 1 for true and 0 for false.
func Bools(v []bool, shape ...int) *Value {
	f := make([]float64, len(v))
	for i, x := range v {
		if x {
			f[i] = 1
		}
	}
	return Dense(f, shape...)
}

// SetEntries replaces the entries of a dense value, or the stored entries of a sparse one. It does
// not change a matrix that v shares with other values.
func (v *Value) SetEntries(list []float64) {
	if v.CSR == nil {
		v.F64 = list
		return
	}
	m := *v.CSR
	m.Value, v.CSR = list, &m
}

// Name returns FILE:FIELD:PART, without the parts that are empty.
func (o *Origin) Name() string {
	name := o.File
	for _, s := range []string{o.Field, o.Part} {
		if s != "" {
			name += ":" + s
		}
	}
	return name
}

// Memory returns the size of the arrays of v, in bytes.
func (v *Value) Memory() float64 {
	n := 8*len(v.F64) + v.Bytes.bytes()
	if m := v.CSR; m != nil {
		n += 8*len(m.Indptr) + 4*len(m.Index) + 8*len(m.Value) + m.Bytes.bytes()
		if m.Mask != nil {
			n += 8 * len(m.Mask.Words)
		}
	}
	if p := v.Packed; p != nil {
		n += 8*len(p.F64) + 4*len(p.Int32) + p.Bytes.bytes()
		for _, a := range p.axes {
			n += 16 * len(a.Lengths) // and offsets
		}
	}
	return float64(n)
}

// Unpacked returns v with its padding and without Packed. It returns v itself if v is not packed.
func (v *Value) Unpacked() *Value {
	if v.Packed == nil {
		return v
	}
	out := *v
	out.F64, out.Packed = v.Floats(), nil
	return &out
}

// take returns the origin of the rows that keep lists.
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
