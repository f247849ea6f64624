package data

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// owned checks the constraints on several entries together, such as those of a simplex. It
// renormalises entries that are off by less than slack.
func (e *entryChecker) owned(out *array.Value) *array.Value {
	if e.row.own == nil || e.in.Own == 0 {
		return out
	}
	n := len(out.Shape) - e.in.Own
	each, _ := array.Product(out.Shape[n:])
	cols := out.Shape[len(out.Shape)-1]
	list, mended := out.F64, 0
	span := func(i int) (lo, hi int) { return i * each, (i + 1) * each }
	if m := out.CSR; m != nil {
		if list = m.Value; list == nil {
			list = array.Ones(len(m.Index))
		}
		span = func(i int) (lo, hi int) { return m.Indptr[i], m.Indptr[i+1] }
		if e.hole(m) >= 0 && !e.row.sums {
			e.c.fail(e.c.at(e.in, e.v, -1, "D0128",
				fmt.Sprintf("%s leaves out zeros, and %s cannot be checked so", e.in.Name,
					e.in.typeName())))
			return out
		}
	}
	fresh := false
	members, _ := array.Product(out.Shape[:n])
	for i := range members {
		lo, hi := span(i)
		d := e.row.own(list[lo:hi], cols)
		switch {
		case d == nil:
		case d.scale != 0:
			if !fresh {
				list, fresh = append([]float64(nil), list...), true
			}
			for j := lo; j < hi; j++ {
				list[j] *= d.scale
			}
			mended++
		case e.told < problem.PerInput:
			name, row := e.indexed(out.Shape[:n], i)
			if d.at >= 0 {
				name, row = e.indexed(out.Shape, lo+d.at)
				d.text = "is " + problem.Number(list[lo+d.at]) + ", which " + d.text
			}
			e.count++
			e.tell(e.c.at(e.in, e.v, row, "D0132",
				fmt.Sprintf("%s %s (%s)", name, d.text, e.in.typeName())), "", "")
		default:
			e.count++
		}
	}
	if mended > 0 {
		e.c.notes = append(e.c.notes,
			fmt.Sprintf("%s: %d of %d renormalised, being off by less than 1e-6", e.in.Name, mended,
				members))
		out.SetEntries(list)
	}
	return out
}
