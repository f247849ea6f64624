package data

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/runtime/engine/array"
)

// required refuses data of other values than the model requires.
func (c *checker) required(b *Bound) {
	for i := range c.schema.Inputs {
		in := &c.schema.Inputs[i]
		v := b.Values[in.Name]
		if in.RequiredAt == "" || v == nil || c.broken[in.Name] {
			continue
		}
		message := ""
		if !slices.Equal(v.Shape, in.RequiredOf) {
			message = fmt.Sprintf("%s %s, and the model is for data of the shape %v alone", in.Name,
				array.ShapeText(v.Shape), in.RequiredOf)
		} else if k := differs(v.Floats(), in.Required); k >= 0 {
			first := float64(in.First())
			name, _ := array.EntryName(in.Name, v.Shape, k)
			message = fmt.Sprintf("%s is %s, and the model is for %s alone", name,
				short(v.Floats()[k]+first), short(in.Required[k]+first))
		}
		if message == "" {
			continue
		}
		e := c.at(in, v, -1, "D0170", message)
		e.Decl = in.RequiredAt
		e.Notes = append(e.Notes, "what the model computes depends on these values; if it was imported, "+
			"import the program again, for these data")
		c.fail(e)
	}
}

// differs is the first place at which two lists of one length differ; -1 without one.
func differs(a, b []float64) int {
	for k := range b {
		if a[k] != b[k] {
			return k
		}
	}
	return -1
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
