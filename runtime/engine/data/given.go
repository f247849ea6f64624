package data

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
)

// AsGiven returns the value of a bound input in the form of a file. Indices count from the
// declared base. Rows of ragged axes have their own lengths. Inputs that are declared as lists of
// indices are such lists. It is dense or ragged, and nil if the input is not bound.
func (b *Bound) AsGiven(s *Schema, in *Input) *array.Value {
	v := b.Values[in.Name]
	if v == nil {
		return nil
	}
	out := &array.Value{Shape: v.Shape}
	switch {
	case v.CSR != nil:
		out.F64 = v.CSR.Dense(v.CSR.Cols)
	case !s.Uneven(in):
		out.F64 = v.Floats()
	default:
		out.F64, out.Bytes, out.Packed = v.F64, v.Bytes, v.Packed
	}
	if s.Uneven(in) {
		out = b.checker(s).unpad(newNest(s, in, out, in.Listed))
	}
	if from := in.First(); from != 0 {
		out.F64 = slices.Clone(out.F64)
		for i := range out.F64 {
			out.F64[i] += float64(from)
		}
	}
	return out
}

// There reports for each entry of an input whether it lies within its row, and is not padding. It
// returns nil if there is no padding. The input need not be bound.
func (b *Bound) There(s *Schema, in *Input) []bool {
	full, ok := evalShape(in.Shape, b.Dims)
	if !ok || !s.ragged(in) {
		return nil
	}
	total, _ := array.Product(full)
	out := make([]bool, total)
	n := newNest(s, in, nil, false)
	each, _ := array.Product(full[n.head:])
	b.checker(s).each(n, full, func(_ []int, _, at, cells int) {
		for i := at * each; i < (at+cells)*each; i++ {
			out[i] = true
		}
	})
	if !slices.Contains(out, false) {
		return nil
	}
	return out
}

// checker returns a checker that has the row lengths of the ragged dims.
func (b *Bound) checker(s *Schema) *checker {
	c := &checker{schema: s, rows: map[string]*rowLengths{}}
	for _, d := range s.Dims {
		if l := b.Values[LengthsOf(d.Name)]; d.Of != "" && l != nil {
			r := &rowLengths{}
			for _, n := range l.Floats() {
				r.n = append(r.n, int(n))
			}
			c.rows[d.Name] = r
		}
	}
	return c
}

// unpad converts an array to nested lists without padding.
func (c *checker) unpad(n *nest) *array.Value {
	full := n.v.Shape
	cells := 0
	c.each(n, full, func(_ []int, _, _, m int) { cells += m })
	list := c.squeeze(n, append([]int{cells}, full[n.head:]...)).Floats()
	levels := make([][]int, len(full))
	var flat []float64
	var down func(path []int)
	down = func(path []int) {
		k := len(path)
		if k == len(full) {
			flat, list = append(flat, list[0]), list[1:]
			return
		}
		if n.listed && k == n.head {
			on := 0
			for i, x := range list[:full[k]] {
				if x != 0 {
					flat = append(flat, float64(i+n.in.From))
					on++
				}
			}
			levels[k], list = append(levels[k], on), list[full[k]:]
			return
		}
		m := full[k]
		if d := n.dims[k]; d != nil {
			m = c.rows[d.Name].n[path[n.parent[k]]]
		}
		levels[k] = append(levels[k], m)
		for i := range m {
			down(append(path, i))
		}
	}
	down(make([]int, 0, len(full)))
	return array.Ragged(flat, levels)
}
