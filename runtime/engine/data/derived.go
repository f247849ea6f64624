package data

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// What is computed of an input x of sparse counts, by name. None is an input of
// the model's text; they are computed when they are read.
//
//   - log factorials: Σ log x! along the last axis, what the density of counts
//     has beside the terms with unknowns;
//   - columns and counts: of every row the stored entries, along an axis as long
//     as the row with the most of them; what a row lacks has column 0 and count 0.
const (
	logFactorials = ".log_factorials"
	columns       = ".columns"
	counts        = ".counts"
	stored        = ".entries"
)

// LogFactorialsOf is the name of Σ log x! along the last axis of an input x.
func LogFactorialsOf(input string) string { return input + logFactorials }

// ColumnsOf is the name of the columns of the stored entries of an input [N, V]:
// shape [N, EntriesDim].
func ColumnsOf(input string) string { return input + columns }

// CountsOf is the name of the values of the stored entries, likewise.
func CountsOf(input string) string { return input + counts }

// EntriesDim is how many entries the row with the most of them has.
func EntriesDim(input string) size.Poly { return size.Dim(EntriesName(input)) }

// EntriesName is the name of that dim.
func EntriesName(input string) string { return input + stored }

// EntriesInput is the input whose stored entries a dim of EntriesDim counts.
func EntriesInput(dim string) (input string, ok bool) { return strings.CutSuffix(dim, stored) }

// Value is a value of the bound data, or what is computed of one. nil when
// there is none.
func (b *Bound) Value(name string) *Value {
	if v := b.Values[name]; v != nil {
		return v
	}
	for _, d := range []struct {
		suffix string
		of     func(v *Value, width int) *Value
	}{{logFactorials, (*Value).logFactorials}, {columns, (*Value).columns}, {counts, (*Value).counts}} {
		if input, ok := strings.CutSuffix(name, d.suffix); ok && b.Values[input] != nil {
			return d.of(b.Values[input], b.Dims[EntriesName(input)])
		}
	}
	return nil
}

// MostEntries is how many entries are stored of the row of sparse data that has
// the most.
func (v *Value) MostEntries() int {
	most := 0
	for r := range v.CSR.Rows {
		most = max(most, int(v.CSR.Indptr[r+1]-v.CSR.Indptr[r]))
	}
	return most
}

func (v *Value) columns(width int) *Value {
	p := v.entries(width)
	p.Int32 = v.CSR.Index
	return &Value{Shape: []int{p.Rows(), p.Width()}, Packed: p, Canonical: true}
}

func (v *Value) counts(width int) *Value {
	p := v.entries(width)
	switch m := v.CSR; {
	case m.Bytes != nil:
		p.Bytes = m.Bytes
	case m.Value != nil:
		p.F64 = m.Value
	default: // all are 1
		p.F64 = make([]float64, len(m.Index))
		for i := range p.F64 {
			p.F64[i] = 1
		}
	}
	return &Value{Shape: []int{p.Rows(), p.Width()}, Packed: p, Canonical: true}
}

// entries is an array of a number for every stored entry, still without them, as
// long as width, or the row with the most.
func (v *Value) entries(width int) *Packed {
	lengths := make([]int, v.CSR.Rows)
	for r := range lengths {
		lengths[r] = int(v.CSR.Indptr[r+1] - v.CSR.Indptr[r])
	}
	p := &Packed{axes: []packedAxis{{size: len(lengths)}, {size: max(1, width, v.MostEntries()), lengths: lengths}}, each: 1}
	p.offsets()
	return p
}

func (v *Value) logFactorials(int) *Value {
	shape := v.Shape[:max(0, len(v.Shape)-1)]
	rows, _ := product(shape)
	out := make([]float64, rows)
	if m := v.CSR; m != nil {
		for r := range out {
			for k := m.Indptr[r]; k < m.Indptr[r+1]; k++ {
				if x := m.count(k); x != 1 {
					out[r] += special.Lgamma(x + 1)
				}
			}
		}
	} else {
		x, cols := v.Floats(), 0
		if rows > 0 {
			cols = len(x) / rows
		}
		for r := range out {
			for _, x := range x[r*cols : (r+1)*cols] {
				if x != 0 && x != 1 {
					out[r] += special.Lgamma(x + 1)
				}
			}
		}
	}
	return &Value{Shape: shape, F64: out, Canonical: true}
}
