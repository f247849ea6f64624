package data

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A RowFile is a file of --data that is read by rows: which of them, and which
// specs bind it.
type RowFile struct {
	Path, Format string
	selected     *selectors
	text         string          // of the selectors
	fields       map[string]bool // that inputs may take; nil: all
	gone         RowSet          // rows that are left out besides
}

// Selects reports whether row i of the file is one that is bound.
func (f *RowFile) Selects(i int) bool {
	s := f.selected
	return !f.gone.Has(i) &&
		(s == nil || (s.rows == nil || s.rows.has(i)) && (s.skip == nil || !s.skip.has(i)))
}

// All reports whether every row is bound.
func (f *RowFile) All() bool {
	return f.gone == nil && (f.selected == nil ||
		f.selected.rows == nil && f.selected.skip == nil)
}

// placeOf gives the places of rows among those that are bound; number has their
// numbers in the file. Only messages ask, so it may take its time.
func (f *RowFile) placeOf(r *format.Rows) func(row int) int {
	return func(row int) int {
		at := r.Number(row)
		if f.All() || r.AsCells() && !format.ByRows(f.Format).FromColumns() {
			// cells of tables are stored of bound rows alone
			return at
		}
		place := 0
		for i := range at {
			if f.Selects(i) {
				place++
			}
		}
		return place
	}
}

// Cells opens the file, of size bytes, to store the fields that inputs may take.
func (f *RowFile) Cells(r io.ReaderAt, size int64) (*format.CellsWriter, *problem.Error) {
	return format.NewCellsWriter(f.Path, f.Format, f.fields, r, size)
}

// Check reports selections of rows that a file of n rows does not have, or of
// none of them.
func (f *RowFile) Check(n, some int) *problem.Error {
	if f.selected == nil || f.selected.rows == nil && f.selected.skip == nil {
		return nil
	}
	fail := func(what string) *problem.Error {
		return format.NewTable(f.Path, f.Format).Fail(0, 0, "D0154", f.text+": "+what)
	}
	for _, x := range []*selection{f.selected.rows, f.selected.skip} {
		if x == nil {
			continue
		}
		if far := x.past(n); far >= 0 {
			return fail(fmt.Sprintf("there is no row %d, as there are %d, counted from 0", far, n))
		}
	}
	if some == 0 {
		what, note := noRows(n)
		err := fail(what)
		if note != "" {
			err.Notes = []string{note}
		}
		return err
	}
	return nil
}

// A RowBinder binds rows as Bind binds whole files.
type RowBinder struct {
	Files  []*RowFile
	Rest   []string // specs of files that are read whole
	Inputs []string // that are bound by rows
	Found  []Found  // of all files that were opened

	Labels map[string][]string // levels of dims that are known
	Levels []string            // specs of {levels}
	Words  *FoundWords         // where the levels that are not known are to be found; nil otherwise

	schema *Schema
	dim    string // of the rows
	specs  []dataSpec
	of     []int // of each spec, its file
	called map[string]*columnNames
}

// Found is what opening a file found.
type Found struct {
	Path, Asked string // as for Probe
	Format      string
	Fields      []string
}

// NewRowBinder parts specs of --data into files that hold rows of a dim, and
// are to be read by them, and the rest. An input has rows where its first axis
// is the dim. head gives the names of the fields of a file that is bound
// whole, and opens it for its format.
func NewRowBinder(
	s *Schema, specs []string, dim string,
	open func(path, format string) (found string, fields []string, errs []*problem.Error),
) (*RowBinder, []*problem.Error) {
	b := &RowBinder{schema: s, dim: dim}
	var errs []*problem.Error
	for _, text := range specs {
		p := parseSpec(text)
		path := p.path
		if p.name == "" {
			path = p.file
		}
		rows := p.problem == "" && path != "" &&
			(p.name == "" && p.whole || p.name != "" && b.byRow(p.name))
		if !rows {
			b.Rest = append(b.Rest, text)
			continue
		}
		kind, fields, wrong := open(path, p.sel.format)
		if wrong != nil {
			errs = append(errs, wrong...)
			continue
		}
		b.Found = append(b.Found, Found{path, p.sel.format, kind, fields})
		if p.name == "" && !slices.ContainsFunc(fields, b.byRow) {
			b.Rest = append(b.Rest, text)
			continue
		}
		if format.ByRows(kind) == nil {
			e := format.NewTable(path, kind).Fail(0, 0, "D0159",
				fmt.Sprintf("a file of %s cannot be read by rows", kind))
			e.Notes = []string{"by rows can be read " + problem.Names(format.RowFormats()) +
				"; .gz and .bz2 of them too"}
			errs = append(errs, e)
			continue
		}
		b.add(p, path, kind).needs(b, p, fields)
		if p.name != "" {
			fields = []string{p.name}
		}
		for _, f := range fields {
			if b.byRow(f) && !slices.Contains(b.Inputs, f) {
				b.Inputs = append(b.Inputs, f)
			}
		}
	}
	slices.Sort(b.Inputs)
	return b, errs
}

// byRow reports whether an input, or the lengths of a ragged dim, have rows first.
func (b *RowBinder) byRow(name string) bool {
	if in := b.schema.Input(name); in != nil {
		if len(in.Shape) == 0 {
			return false
		}
		d, one := in.Shape[0].Name()
		return one && d == b.dim
	}
	d := b.schema.Dim(name)
	return d != nil && d.Of == b.dim
}

// needs notes which fields a spec may take.
func (f *RowFile) needs(b *RowBinder, p dataSpec, fields []string) {
	add := func(name string) {
		if f.fields != nil {
			f.fields[name] = true
		}
	}
	switch {
	case p.name == "":
		for _, name := range fields {
			if b.byRow(name) {
				add(name)
			}
		}
	case p.field != "" && severalColumns(p.field) && !slices.Contains(fields, p.field):
		names, _ := columnsNamed(fields, p.field) // what is wrong with it is told when it is bound
		for _, name := range names {
			add(name)
		}
		if names == nil {
			f.fields = nil
		}
	case p.field != "":
		add(p.field)
	case slices.Contains(fields, p.name):
		add(p.name)
	default:
		f.fields = nil
	}
}

func (b *RowBinder) add(p dataSpec, path, format string) *RowFile {
	f := &RowFile{Path: path, Format: format, text: p.sel.part(), fields: map[string]bool{}}
	if f.text != "" {
		sel := p.sel
		f.selected = &sel
	}
	at := slices.IndexFunc(b.Files,
		func(g *RowFile) bool { return g.Path == path && g.Format == format && g.text == f.text })
	if at < 0 {
		at = len(b.Files)
		b.Files = append(b.Files, f)
	}
	p.sel.rows, p.sel.skip = nil, nil // the rows are selected as they are read
	b.specs, b.of = append(b.specs, p), append(b.of, at)
	return b.Files[at]
}

// Bind binds rows: those of each of the files, as many of each. dims are sizes that are known,
// except for that of the rows and of what differs from row to row; among holds inputs that are read
// whole. Notes are those of Bind.
func (b *RowBinder) Bind(
	rows []*format.Rows, dims map[string]int, among map[string]*array.Value,
) (*Bound, []string, []*problem.Error) {
	n, errs := b.read(rows)
	if errs != nil {
		return nil, nil, errs
	}
	n.settleLevels()
	if b.Words != nil {
		b.called = n.called
	}
	opt := Options{longest: dims, broken: n.broken, excused: n.excused}
	for i := range b.schema.Inputs {
		name := b.schema.Inputs[i].Name
		if v := among[name]; v != nil && len(v.Shape) == 0 && n.values[name] == nil {
			n.values[name] = v // may be the end of an interval
		}
		if !slices.Contains(b.Inputs, name) {
			opt.Absent = append(opt.Absent, name)
		}
	}
	known := maps.Clone(dims)
	for _, d := range b.schema.Dims {
		if d.Name == b.dim || d.Of != "" {
			delete(known, d.Name)
		}
	}
	for i := range b.schema.Inputs {
		delete(known, MissingDim(b.schema.Inputs[i].Name))
	}
	bound, notes, errs := Validate(b.schema, n.values, known, opt)
	notes, errs = append(n.notes, notes...), append(n.errs, errs...)
	if len(errs) > 0 {
		return nil, notes, errs
	}
	for name := range bound.Values {
		if !slices.Contains(b.Inputs, name) && !strings.Contains(name, ".") {
			delete(bound.Values, name)
		}
	}
	return bound, notes, nil
}

// read reads the inputs of rows, without a look at what they are.
func (b *RowBinder) read(rows []*format.Rows) (*binder, []*problem.Error) {
	n := newBinder(b.schema, Options{Labels: b.Labels})
	n.labels = b.Labels
	for _, text := range b.Levels {
		n.levels(text)
	}
	if b.Words != nil {
		n.found = b.Words.of
	}
	tables := make([]*format.Table, len(rows))
	for i, r := range rows {
		t, errs := r.Table()
		if len(errs) > 0 {
			return nil, errs
		}
		tables[i] = t
	}
	for i, p := range b.specs {
		p.table = tables[b.of[i]]
		n.spec(p)
		place := b.Files[b.of[i]].placeOf(rows[b.of[i]])
		for _, v := range n.values {
			if v.Origin != nil && v.Origin.Number == nil {
				v.Origin.Number = place
			}
		}
	}
	return n, nil
}

// ColumnLabels returns the names of the columns that are entries of dims, as rows that were
// bound while Words was set have them, for dims that have no names yet, and notes on those that
// cannot have some.
func (b *RowBinder) ColumnLabels(known map[string][]string) (map[string][]string, []string) {
	n := newBinder(b.schema, Options{})
	n.called, n.labels = b.called, maps.Clone(known)
	if n.labels == nil {
		n.labels = map[string][]string{}
	}
	n.labelColumns()
	return n.labels, n.notes
}

// Guessed are the dims whose size came of entries or lengths of the current rows, of which others
// may have larger.
func (b *Bound) Guessed() []string { return b.guessed }

// Zeroless returns the names of the inputs whose largest index gave a dim its size, where no
// index is 0, as if they counted from 1; it is empty for other dims.
func (b *Bound) Zeroless(dim string) string { return b.zeroless[dim] }

// Specs are those of the files that are read by rows.
func (b *RowBinder) Specs() []string {
	var out []string
	for _, p := range b.specs {
		out = append(out, p.text)
	}
	return out
}
