package data

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// names binds one spec of --names, DIM=FILE. The number of names is the size of the dim.
func (b *binder) names(text string) {
	dim, path, ok := strings.Cut(text, "=")
	dim = strings.TrimSpace(dim)
	if !ok || path == "" || !identifier(dim) {
		b.fail("D0156", "", setting.Sprintf("{names} %s: DIM=FILE is expected", text))
		return
	}
	d := b.schema.Dim(dim)
	switch {
	case d == nil:
		notes := problem.DidYouMean(dim, b.schema.dimNames())
		if b.schema.Input(dim) != nil {
			notes = append(notes, dim+" is an input; its dims have names")
		}
		b.fail("D0113", dim, setting.Sprintf("{names} %s: %s is no dim of the model", text, dim),
			notes...)
		return
	case d.Of != "":
		b.fail("D0126", dim, setting.Sprintf("{names} %s: %s, so its entries have no names", text,
			d.manyLengths()))
		return
	case b.labels[dim] != nil:
		b.fail("D0115", dim, setting.Sprintf("%s has names twice, the second time by {names} %s",
			dim, text))
		return
	}
	names, notes, errs := format.ReadNames(path)
	b.notes, b.errs = append(b.notes, notes...), append(b.errs, errs...)
	if len(errs) > 0 {
		b.excused[dim] = true
		return
	}
	b.label(dim, names, setting.Text("{names} ")+text)
}

// label sets the names of the entries of a dim, and its size.
func (b *binder) label(dim string, names []string, by string) {
	b.size(dim, len(names), by)
	b.labels[dim] = names
}
