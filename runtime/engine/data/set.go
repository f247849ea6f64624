package data

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// dim sets the size of a dim, or the lengths of a ragged dim, from a key of a file.
func (b *binder) dim(t *format.Table, name string, d *Dim) {
	v, errs := t.Field(name)
	by := "key " + name + " of " + t.File
	switch {
	case d.Of != "":
		b.lengths(d, v, errs, setting.Text("{data} ")+t.File)
	case len(errs) > 0:
		b.errs = append(b.errs, errs...)
	case v.CSR != nil || v.Len() != 1:
		b.errs = append(b.errs,
			&problem.Error{Code: "D0124", Name: name, File: t.File, Decl: d.Place,
				Message: fmt.Sprintf("%s is a dim, but its key %s; a size is one whole number",
					name, array.ShapeText(v.Shape))})
	case v.Floats()[0] < 0 || !wholeNumber(v.Floats()[0]):
		b.errs = append(b.errs,
			&problem.Error{Code: "D0124", Name: name, File: t.File, Decl: d.Place,
				Message: fmt.Sprintf("%s is a dim, but its key is %s; a size is a whole number "+
					"of at least 0", name, problem.Number(v.Floats()[0]))})
	default:
		b.size(name, int(v.Floats()[0]), by)
	}
}

// size sets the size of a dim. It reports a size that differs from an earlier one.
func (b *binder) size(name string, n int, by string) {
	if old, twice := b.dims[name]; twice && old != n {
		b.fail("D0120", name, fmt.Sprintf("sizes disagree on %s: %d by %s, %d by %s", name, old,
			b.from[name], n, by))
		return
	}
	if _, twice := b.dims[name]; !twice {
		b.dims[name], b.from[name] = n, by
	}
}

// set binds one spec of --set.
func (b *binder) set(text string) {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !identifier(name) || value == "" {
		b.fail("D0117", "", setting.Sprintf("{set} %s: NAME=VALUE is expected", text))
		return
	}
	v, n := format.Decimal([]byte(value))
	if n != len(value) {
		if v, ok = format.Word([]byte(value)); !ok {
			switch strings.ToLower(value) {
			case "true":
				v, ok = 1, true
			case "false":
				v, ok = 0, true
			}
		}
	} else {
		ok = !math.IsInf(v, 0)
	}
	if !ok {
		if in := b.schema.Input(name); in != nil {
			b.broken[name] = true
		}
		b.fail("D0117", name, setting.Sprintf("{set} %s: %q is no number in the range of float64",
			text, value))
		return
	}
	in := b.schema.Input(name)
	switch d := b.schema.Dim(name); {
	case d != nil && d.Of != "":
		b.fail("D0126", name, setting.Sprintf("{set} %s: %s", text, d.manyLengths()),
			setting.Text("the data give them: lists of different lengths, or an array of lengths "+
				"with {data} ")+name+"=FILE")
	case d != nil && (v < 0 || !wholeNumber(v)):
		b.fail("D0124", name, setting.Sprintf("{set} %s: %s is a dim, and a size is a whole "+
			"number of at least 0", text, name))
	case d != nil:
		b.size(name, int(v), setting.Text("{set} ")+text)
	case in == nil:
		b.fail("D0113", name, setting.Sprintf("{set} %s: %s is no dim and no input of the model",
			text, name), b.schema.settable(name)...)
	case len(in.Shape) > 0:
		b.broken[name] = true
		b.fail("D0117", name,
			setting.Sprintf("{set} %s: %s has axes, and {set} gives single numbers", text, name),
			setting.Text("give it with {data} ")+name+"=FILE")
	default:
		b.bind(in, &array.Value{F64: []float64{v},
			Origin: &array.Origin{File: setting.Text("{set} ") + text}}, nil,
			setting.Text("{set} ")+text)
	}
}

// settable returns a note with the nearest name that --set may give, or with all such names.
func (s *Schema) settable(name string) []string {
	if near := problem.DidYouMean(name, append(s.dimNames(), s.inputNames()...)); near != nil {
		return near
	}
	names := s.dimNames()
	for i := range s.Inputs {
		if len(s.Inputs[i].Shape) == 0 {
			names = append(names, s.Inputs[i].Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{setting.Text("{set} gives ") + problem.Names(names)}
}

// GivenSizes returns the sizes of dims that a run, --set or --names gives. It reports no mistakes,
// since Bind does.
func GivenSizes(s *Schema, sets, names []string, labels map[string][]string) map[string]int {
	b := newBinder(s, Options{})
	for _, text := range sets {
		b.set(text)
	}
	for _, dim := range slices.Sorted(maps.Keys(labels)) {
		b.label(dim, labels[dim], "the names of the run")
	}
	for _, text := range names {
		b.names(text)
	}
	return b.dims
}

// GivenNames returns the names of the entries of dims that a run or --names gives.
func GivenNames(
	s *Schema, names []string, labels map[string][]string,
) (map[string][]string, []*problem.Error) {
	b := newBinder(s, Options{})
	for _, dim := range slices.Sorted(maps.Keys(labels)) {
		b.label(dim, labels[dim], "the names of the run")
	}
	for _, text := range names {
		b.names(text)
	}
	return b.labels, b.errs
}
