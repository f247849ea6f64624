package data

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// rowLengths has the known lengths of the rows of a ragged dim T(S).
type rowLengths struct {
	n     []int    // by row of S; −1 if unknown
	by    []*Input // by row, the input that gave its length
	given bool     // an array gave the lengths, so that inputs may be padded
	room  int      // length of the rows of the padded arrays
}

// longest returns the size of T: the length of the longest row, and at least 1. So an index into
// an empty row refers to padding.
func (r *rowLengths) longest() int {
	top := max(1, r.room)
	for _, n := range r.n {
		top = max(top, n)
	}
	return top
}

// lengths reads and checks the lengths that are given as arrays.
func (c *checker) lengths() {
	for i := range c.schema.Dims {
		d := &c.schema.Dims[i]
		name := LengthsOf(d.Name)
		v := c.values[name]
		if d.Of == "" || v == nil {
			continue
		}
		// For messages, an input of the dim's own name.
		in := &Input{Name: d.Name, Kind: Count, Shape: []size.Poly{size.Dim(d.Of)}, Place: d.Place}
		if v.Lists == nil && len(v.Shape) == 0 {
			c.broken[name] = true
			c.fail(c.at(in, v, -1, "D0126",
				fmt.Sprintf("%s is one number, but %s", d.Name, d.manyLengths())))
			continue
		}
		if v.Lists != nil || v.CSR != nil || len(v.Shape) != 1 || !c.sound(in, v) {
			c.broken[name] = true
			c.fail(c.at(in, v, -1, "D0121",
				fmt.Sprintf("the lengths of %s are an array along %s, and this %s", d.Name, d.Of,
					array.ShapeText(v.Shape))))
			continue
		}
		r := &rowLengths{given: true}
		for row, x := range v.Floats() {
			if !(x >= 0) || !wholeNumber(x) {
				c.broken[name] = true
				c.fail(c.at(in, v, row, "D0130",
					fmt.Sprintf("%s[%d] is %s, but a length is a whole number of at least 0",
						d.Name, row, problem.Number(x))))
				break
			}
			r.n, r.by = append(r.n, int(x)), append(r.by, in)
		}
		c.rows[d.Name] = r
		c.equate(in, v, 1)
	}
}

// row records that a row of a ragged dim has length n by the input in. agrees reports whether
// earlier inputs gave the same length. before is the input that gave it first, and had its length.
func (c *checker) row(d *Dim, in *Input, row, n int) (agrees bool, before *Input, had int) {
	r := c.rows[d.Name]
	for len(r.n) <= row {
		r.n, r.by = append(r.n, -1), append(r.by, nil)
	}
	if r.n[row] < 0 {
		r.n[row], r.by[row] = n, in
	}
	return r.n[row] == n, r.by[row], r.n[row]
}

// complete gives length 0 to the rows that no list has, if the number of rows is known and there
// is no error.
func (c *checker) complete() {
	if len(c.errs) > 0 {
		return
	}
	for _, d := range c.schema.Dims {
		r := c.rows[d.Name]
		rows, known := c.sizes.known[d.Of]
		if r == nil || r.given || !known {
			continue
		}
		for len(r.n) < rows {
			r.n, r.by = append(r.n, 0), append(r.by, nil)
		}
		for i, n := range r.n {
			r.n[i] = max(n, 0)
		}
	}
}

// lengthValues adds the lengths of each ragged dim to the bound values.
func (c *checker) lengthValues(b *Bound) {
	for _, d := range c.schema.Dims {
		r := c.rows[d.Name]
		rows, known := c.sizes.known[d.Of]
		if r == nil || !known || len(r.n) > rows {
			continue
		}
		v := make([]float64, rows)
		for i, n := range r.n {
			v[i] = float64(n)
		}
		out := array.Dense(v, rows)
		out.Canonical = true
		b.Values[LengthsOf(d.Name)] = out
	}
}

// lengths binds an array to the lengths of a ragged dim. It reports a second binding.
func (b *binder) lengths(d *Dim, v *array.Value, errs []*problem.Error, by string) {
	name := LengthsOf(d.Name)
	if old, twice := b.by[name]; twice {
		b.fail("D0115", d.Name, fmt.Sprintf("%s is bound twice: by %s and by %s", d.Name, old, by))
		return
	}
	b.by[name] = by
	for _, e := range errs {
		e := *e
		e.Name, e.Decl = d.Name, d.Place
		b.errs = append(b.errs, &e)
	}
	if len(errs) > 0 {
		b.broken[name] = true
		return
	}
	b.values[name] = v
}
