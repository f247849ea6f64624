package stream

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A discovery gathers the sizes that the rows of a plan determine, such as the size of a
// vocabulary.
type discovery struct {
	*Plan
	schema   *data.Schema
	o        Options
	words    *data.FoundWords
	largest  map[string]int    // sizes that entries or lengths of rows decide, so far
	zeroless map[string]string // the inputs that decide a size, where no index so far is 0
	unknown  []*problem.Error  // errors of rows that decide no size
	notes    []string
}

// discover finds the sizes that rows have: those of the first window, and of
// all rows where they decide one. Rows that may be followed by others are all
// read: in such an index is none that was never bound.
func (p *Plan) discover(
	s *data.Schema, b *data.RowBinder, o Options,
) (notes []string, errs []*problem.Error) {
	src := &Source{Plan: p, schema: s, binder: b, among: o.Among}
	if errs = src.open(); errs != nil {
		return nil, errs
	}
	defer src.Close()
	d := &discovery{Plan: p, schema: s, o: o, words: data.NewFoundWords(),
		largest: map[string]int{}, zeroless: map[string]string{}}
	b.Labels, b.Levels, b.Words = p.Labels, p.Levels, d.words
	errs = d.read(src.reader())
	if len(errs) == 0 {
		errs = d.settle()
		var notes []string
		p.Labels, notes = b.ColumnLabels(p.Labels)
		d.notes = append(d.notes, notes...)
		b.Labels = p.Labels
	}
	b.Words = nil
	return d.notes, errs
}

// read binds windows of rows until all sizes are known, and notes their sizes.
func (d *discovery) read(r *Reader) []*problem.Error {
	blocks, window := d.Layout.Blocks(), d.Layout.Window
	for at := 0; at < blocks; at += window {
		var some []int
		for k := at; k < min(at+window, blocks); k++ {
			some = append(some, k)
		}
		bound, more, wrong := r.load(nil, some, d.fixed(d.o.Given))
		if unsized(wrong) {
			d.unknown = wrong
			continue
		}
		if wrong != nil {
			return wrong
		}
		if d.base(r) && at > 0 { // what was found so far, was with ids from 1
			clear(d.largest)
			clear(d.zeroless)
			at, d.notes = -window, nil
			continue
		}
		d.sizes(bound)
		d.note(bound, more)
		if len(d.largest) == 0 && d.unknown == nil && !d.Follow && !d.words.Any() {
			break // nothing is to be discovered
		}
	}
	for i := range d.Files {
		if f := &d.Files[i]; f.Format == "libsvm" && f.Base < 0 {
			f.Base = 1
		}
	}
	d.Dims[d.Dim] = d.Layout.Rows
	for _, e := range d.unknown {
		if _, decided := d.largest[e.Name]; !decided {
			return d.unknown
		}
	}
	maps.Copy(d.Dims, d.largest)
	d.noteLargest()
	return nil
}

// sizes takes the sizes of the rows of a window.
func (d *discovery) sizes(bound *data.Bound) {
	for _, dim := range bound.Guessed() {
		if _, given := d.o.Given[dim]; !given {
			if _, again := d.largest[dim]; !again || bound.Zeroless(dim) == "" {
				d.zeroless[dim] = bound.Zeroless(dim)
			}
			d.largest[dim] = max(d.largest[dim], bound.Dims[dim])
		}
	}
	for _, name := range d.o.Stored {
		if v := bound.Values[name]; v != nil && v.CSR != nil {
			dim := data.EntriesName(name)
			d.largest[dim] = max(d.largest[dim], 1, v.MostEntries())
		}
	}
	for dim, n := range bound.Dims {
		if _, guessed := d.largest[dim]; !guessed && dim != d.Dim {
			d.Dims[dim] = n
		}
	}
}

// note keeps the notes of a window that hold for all rows.
func (d *discovery) note(bound *data.Bound, more []string) {
	for _, n := range more {
		if slices.ContainsFunc(bound.Guessed(), func(dim string) bool {
			return n == data.ZerolessNote(dim, bound.Zeroless(dim), bound.Dims[dim])
		}) {
			continue // other rows may have a 0
		}
		if !slices.Contains(d.notes, n) && !strings.Contains(n, "from the largest") {
			d.notes = append(d.notes, n)
		}
	}
}

// noteLargest notes the sizes that all rows decided.
func (d *discovery) noteLargest() {
	for _, name := range slices.Sorted(maps.Keys(d.largest)) {
		if _, stored := data.EntriesInput(name); stored || d.words.Dim(d.schema, name) {
			continue
		}
		text := fmt.Sprintf("%s = %d, from all rows", name, d.Dims[name])
		if dim := d.schema.Dim(name); dim != nil && dim.Of == "" {
			text += setting.Sprintf("; {set} %s=… spares a pass over them", name)
		}
		d.notes = append(d.notes, text)
		if d.zeroless[name] != "" {
			d.notes = append(d.notes, data.ZerolessNote(name, d.zeroless[name], d.Dims[name]))
		}
	}
}

// settle makes levels of the words that were found in all rows.
func (d *discovery) settle() []*problem.Error {
	found, notes, errs := d.words.Settle(d.schema, d.o.Levels)
	d.Labels = maps.Clone(d.Labels)
	if d.Labels == nil {
		d.Labels = map[string][]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		n := len(found[name])
		if given, is := d.o.Given[name]; is && given != n {
			errs = append(errs, &problem.Error{Code: "D0120", Name: name, Message: fmt.Sprintf(
				"sizes disagree on %s: %d are given, and the words of the rows are %d levels", name,
				given, n)})
		}
		d.Labels[name], d.Dims[name] = found[name], n
	}
	d.notes = append(d.notes, notes...)
	return errs
}

// base notes where ids of libsvm count from 0; it tells whether that is new.
func (p *Plan) base(r *Reader) (found bool) {
	for i := range p.Files {
		if id, some := r.rows[i].Smallest(); some && id == 0 && p.Files[i].Base < 0 {
			p.Files[i].Base, found = 0, true
		}
	}
	return found
}

// unsized says that nothing is wrong with rows but that they decide no size.
func unsized(errs []*problem.Error) bool {
	return len(errs) > 0 && !slices.ContainsFunc(errs,
		func(e *problem.Error) bool { return e.Code != "D0123" })
}
