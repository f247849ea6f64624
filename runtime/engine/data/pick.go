package data

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// pick returns the value of the field that a spec binds to an input. Without a field in the spec,
// it chooses one by the format, the name of the input, or the number of fields.
func (b *binder) pick(t *format.Table, field string, in *Input) (*array.Value, []*problem.Error) {
	fail := func(message string, notes ...string) []*problem.Error {
		return []*problem.Error{{Code: "D0111", Name: in.Name, Message: message, File: t.File,
			Decl: in.Place, Notes: notes}}
	}
	if field != "" {
		v, errs := t.Texts(field)
		switch {
		case v != nil || errs != nil:
			return v, errs
		case severalColumns(field) && len(t.Fields) > 0:
			return b.columns(t, field, in)
		case t.One() != nil && len(t.Fields) > 0:
			return nil, fail(fmt.Sprintf("there is no field %s", field),
				append(problem.DidYouMean(field, t.Fields),
					"without a field it is the array as the file has it; there is "+
						problem.Names(t.Fields)+" besides")...)
		case t.One() != nil:
			return nil, fail(fmt.Sprintf("there is no field %s: the file holds one array without a name",
				field))
		}
		notes := b.fields(t, field)
		if key, _, is := strings.Cut(field, "="); is {
			notes = append(notes, "what selects rows is one of "+problem.Names(selectorKeys[:3]))
			if near := spelling.Nearest(key, selectorKeys); near != "" {
				notes = append(notes, fmt.Sprintf("did you mean %s=?", near))
			}
		}
		return nil, fail(fmt.Sprintf("there is no field %s", field), notes...)
	}
	wanted := format.Wanted{Name: in.Name, Axes: len(in.Shape), Index: in.Kind == Index,
		Ragged: b.schema.ragged(in)}
	if name := t.Natural(wanted); name != "" {
		return t.Texts(name)
	}
	if v, errs := t.Texts(""); v != nil || errs != nil {
		return v, errs
	}
	if v, errs := t.Texts(in.Name); v != nil || errs != nil {
		return v, errs
	}
	switch {
	case len(t.Fields) == 1:
		return t.Texts(t.Fields[0])
	case t.HasColumns() && len(in.Shape) > 1:
		v, errs := t.Matrix()
		b.notes = append(b.notes,
			fmt.Sprintf("%s is the matrix of all %d columns of %s", in.Name, v.Shape[1], t.File))
		return v, errs
	case len(t.Fields) == 0:
		return nil, fail("it holds nothing that could be " + in.Name)
	}
	return nil, fail(fmt.Sprintf("which field is %s? Write %s=%s:FIELD", in.Name, in.Name, t.File),
		b.fields(t, in.Name)...)
}

// fields returns notes with the field of the nearest name and with all fields.
func (b *binder) fields(t *format.Table, name string) []string {
	names := t.Fields
	const most = 20
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	notes := []string{"its fields are " + problem.Names(names)}
	if more != "" {
		notes[0] = "its fields are " + strings.Join(names, ", ") + more
	}
	return append(problem.DidYouMean(name, t.Fields), notes...)
}
