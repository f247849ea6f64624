package data

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A Dropped has the number of rows of a dim that were left out because they have missing entries.
type Dropped struct {
	Rows int            `json:"rows"` // rows left out
	Of   int            `json:"of"`   // all rows, before any were left out
	By   map[string]int `json:"by"`   // by input, the rows in which it has missing entries
}

// ParseNA reads a spec of {na}: drop, or drop=x,y for rows in which x or y is missing.
func ParseNA(spec string) (names []string, ok bool) {
	if spec == "drop" {
		return nil, true
	}
	list, ok := strings.CutPrefix(spec, "drop=")
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names, ok && len(names) > 0
}

// dropRows removes the rows that {na} leaves out.
func (b *binder) dropRows() {
	if b.opt.NA == "" {
		return
	}
	before := len(b.errs)
	names := b.droppedInputs()
	if len(b.errs) > before {
		return
	}
	for i := range b.schema.Dims {
		if d := &b.schema.Dims[i]; d.Of == "" {
			b.dropRowsOf(d, names)
		}
	}
}

// droppedInputs returns the inputs that {na} names, or nil if it names none. It reports mistakes
// in the spec.
func (b *binder) droppedInputs() []string {
	names, ok := ParseNA(b.opt.NA)
	if !ok {
		b.fail("D0168", "", setting.Sprintf("{na} %s: drop, or drop=NAME,NAME,… with inputs of "+
			"the model, is expected", b.opt.NA))
		return nil
	}
	for _, name := range names {
		if b.schema.Input(name) == nil {
			b.fail("D0113", name,
				setting.Sprintf("{na} %s: %s is not an input of the model", b.opt.NA, name),
				b.inputs(name)...)
			return nil
		}
	}
	return names
}

// given returns the value of an input, as numbers or as words; nil if there is none.
func (b *binder) given(name string) *array.Value {
	if v := b.values[name]; v != nil {
		return v
	}
	return b.texts[name]
}

// along reports whether the first axis of an input is the dim.
func along(in *Input, dim string) bool {
	if len(in.Shape) == 0 {
		return false
	}
	first, one := in.Shape[0].Name()
	return one && first == dim
}

// dropRowsOf removes the rows of a dim in which one of the inputs that count has a missing entry.
func (b *binder) dropRowsOf(d *Dim, names []string) {
	gone, by, rows := []bool(nil), map[string]int{}, -1
	for i := range b.schema.Inputs {
		in := &b.schema.Inputs[i]
		v := b.given(in.Name)
		if v == nil || !along(in, d.Name) || len(v.Shape) == 0 {
			continue
		}
		if rows >= 0 && rows != v.Shape[0] {
			return // which is reported later
		}
		rows = v.Shape[0]
		if gone == nil {
			gone = make([]bool, rows)
		}
		if !in.counts(names) {
			continue
		}
		for _, row := range missingRows(v) {
			gone[row] = true
			by[in.Name]++
		}
	}
	if len(by) == 0 {
		return
	}
	if why := b.indivisible(d); why != "" {
		b.fail("D0168", d.Name, b.cannotLeave(d, why))
		return
	}
	var keep []int
	for row, is := range gone {
		if !is {
			keep = append(keep, row)
		}
	}
	if len(keep) == 0 {
		b.fail("D0168", d.Name, b.noneLeft(d.Name, rows, by))
		return
	}
	b.keepRows(d, rows, keep)
	if b.dropped == nil {
		b.dropped = map[string]Dropped{}
	}
	left := Dropped{Rows: rows - len(keep), Of: rows, By: by}
	b.dropped[d.Name] = left
	b.notes = append(b.notes, b.leftNote(d.Name, left))
}

// byInput returns a text with the number of rows with missing entries of each input.
func (b *binder) byInput(by map[string]int) string {
	var parts []string
	for i := range b.schema.Inputs {
		if name := b.schema.Inputs[i].Name; by[name] > 0 {
			parts = append(parts, fmt.Sprintf("%s in %d", name, by[name]))
		}
	}
	return problem.Names(parts)
}

// indivisible returns the reason why rows of a dim cannot be left out, or "" if they can.
func (b *binder) indivisible(d *Dim) string {
	for i := range b.schema.Inputs {
		in := &b.schema.Inputs[i]
		for axis, p := range in.Shape {
			if slices.Contains(p.Dims(), d.Name) && !(axis == 0 && along(in, d.Name)) {
				return fmt.Sprintf("%s has them along another axis", in.Name)
			}
		}
		if in.Kind == Index && slices.Contains(in.Below.Dims(), d.Name) {
			return fmt.Sprintf("%s is an index of them", in.Name)
		}
	}
	return ""
}

// keepRows replaces the values along a dim by the rows that keep lists. rows is their number
// before.
func (b *binder) keepRows(d *Dim, rows int, keep []int) {
	take := func(of map[string]*array.Value, name string) {
		if v := of[name]; v != nil {
			part := ""
			if v.Origin != nil {
				part = v.Origin.Part
			}
			of[name] = v.Take(keep, part)
		}
	}
	for i := range b.schema.Inputs {
		if in := &b.schema.Inputs[i]; along(in, d.Name) {
			take(b.values, in.Name)
			take(b.texts, in.Name)
		}
	}
	for _, ragged := range b.schema.Dims {
		if ragged.Of == d.Name {
			take(b.values, LengthsOf(ragged.Name))
		}
	}
	if b.dims[d.Name] == rows { // as a file of all rows says
		b.dims[d.Name] = len(keep)
	}
}

// missingRows returns the rows of a value that have a missing entry.
func missingRows(v *array.Value) (rows []int) {
	if v.Lists != nil || len(v.Shape) == 0 {
		return nil // of ragged values, which are reported as they are
	}
	each, _ := array.Product(v.Shape[1:])
	hole := func(list []float64) bool {
		return slices.ContainsFunc(list, func(x float64) bool {
			if x == x {
				return false
			}
			_, word := array.WordOf(x)
			return !word
		})
	}
	if m := v.CSR; m != nil {
		values := m.Values()
		per := m.Rows / max(1, v.Shape[0])
		for i := range v.Shape[0] {
			if values != nil && hole(values[m.Indptr[i*per]:m.Indptr[(i+1)*per]]) {
				rows = append(rows, i)
			}
		}
		return rows
	}
	list := v.Floats()
	for i := range v.Shape[0] {
		if hole(list[i*each : (i+1)*each]) {
			rows = append(rows, i)
		}
	}
	return rows
}
