package data

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
)

// columnNames has the table columns that an input takes as the entries of a dim.
type columnNames struct {
	input   string
	names   []string
	differs string // an input that takes other columns for the same dim; "" if none does
}

// namedColumns records that the named columns of a table are the entries of the second axis of in.
func (b *binder) namedColumns(in *Input, names []string) {
	dim := columnDim(b.schema, in)
	if dim == "" {
		return
	}
	old := b.called[dim]
	switch {
	case old == nil:
		b.called[dim] = &columnNames{input: in.Name, names: names}
	case !slices.Equal(old.names, names):
		old.differs = in.Name
	}
}

// columnDim returns the dim of the second axis of an input with two axes, along which the columns
// of a table lie. It returns "" if that axis is not one plain dim, or is the dim of the rows too.
func columnDim(s *Schema, in *Input) string {
	if len(in.Shape) != 2 {
		return ""
	}
	name, one := in.Shape[1].Name()
	if d := s.Dim(name); !one || d == nil || d.Of != "" || along(in, name) {
		return ""
	}
	return name
}

// labelColumns names the entries of each dim after their columns, if the dim has no names and no
// levels. It adds a note if the columns are not those of the run, or differ between inputs.
func (b *binder) labelColumns() {
	for _, d := range b.schema.Dims {
		c := b.called[d.Name]
		if c == nil {
			continue
		}
		levels := slices.ContainsFunc(b.schema.Inputs, func(in Input) bool {
			below, _ := in.Below.Name()
			return in.Kind == Index && below == d.Name
		})
		known := b.labels[d.Name]
		switch {
		case c.differs != "":
			if known == nil {
				b.notes = append(b.notes, setting.Sprintf("the entries of %s have no names, as %s "+
					"and %s take other columns; {names} %s=FILE names them", d.Name, c.input,
					c.differs, d.Name))
			}
		case known == nil && !levels:
			b.labels[d.Name] = c.names
		case b.opt.Labels[d.Name] != nil && len(known) == len(c.names) &&
			!slices.Equal(known, c.names) && !levels:
			b.notes = append(b.notes, fmt.Sprintf("%s takes the columns %s, and the run had %s in "+
				"their places", c.input, strings.Join(c.names, ", "), strings.Join(known, ", ")))
		}
	}
}
