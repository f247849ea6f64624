package data

import "github.com/sgppl/sgppl/runtime/special"

// LogFactorialsOf is the name of Σ log x! along the last axis of an input x of
// sparse counts: what the density of counts has beside the terms with unknowns.
// It is no input of the model's text, and computed when it is read.
func LogFactorialsOf(input string) string { return input + logFactorials }

const logFactorials = ".log_factorials"

// Value is a value of the bound data, or what is computed of one: the numbers
// that LogFactorialsOf names. nil when there is none.
func (b *Bound) Value(name string) *Value {
	if v := b.Values[name]; v != nil {
		return v
	}
	n := len(name) - len(logFactorials)
	if n <= 0 || name[n:] != logFactorials || b.Values[name[:n]] == nil {
		return nil
	}
	return b.Values[name[:n]].logFactorials()
}

func (v *Value) logFactorials() *Value {
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
