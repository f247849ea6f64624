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

// A RowFile is a file of --data that is read by rows, with the rows of it that are bound.
type RowFile struct {
	Path, Format string
	selected     *selectors
	text         string          // text of the row selectors
	fields       map[string]bool // fields that inputs may take; nil for all
	gone         RowSet          // rows that {na} leaves out
}

// Selects reports whether row i of the file is bound.
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

// placeOf returns a function from a row of r to its index among the bound rows. The function is
// slow, and is used in messages only.
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

// Cells opens the file to store the fields that inputs may take as cells. size is its length in
// bytes.
func (f *RowFile) Cells(r io.ReaderAt, size int64) (*format.CellsWriter, *problem.Error) {
	return format.NewCellsWriter(f.Path, f.Format, f.fields, r, size)
}

// Check returns an error if the selectors name a row at or beyond n, the number of rows of the
// file, or if some, the number of selected rows, is 0.
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

// A RowBinder binds inputs of rows as Bind binds whole files.
type RowBinder struct {
	Files  []*RowFile
	Rest   []string // specs of files that are read whole
	Inputs []string // inputs that are bound by rows
	Found  []Found  // results of opening the files

	Labels map[string][]string // by dim, the levels that are known
	Levels []string            // specs of {levels}
	Words  *FoundWords         // collects unknown levels; nil if all are known

	schema *Schema
	dim    string // dim of the rows
	specs  []dataSpec
	of     []int // by spec, the index in Files
	called map[string]*columnNames
}

// A Found is the format and the fields of a file that was opened.
type Found struct {
	Path, Asked string // arguments of Probe
	Format      string
	Fields      []string
}

// NewRowBinder splits the specs of --data into files that are read by rows of a dim, and the rest.
// An input is read by rows if the dim is its first axis. open returns the format of a file and the
// names of its fields.
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

// byRow reports whether the first axis of an input is the dim of the rows. For a ragged dim it
// reports whether its lengths lie along that dim.
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

// needs adds the fields that a spec may take to the fields of the file.
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

// Bind binds the inputs of rows. rows has, for each file, equally many rows. dims has the known
// sizes; those of the rows, and those that differ from row to row, are ignored. among has the
// inputs that are read whole. The notes are those of Bind.
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
	bound.Read = rows
	return bound, notes, nil
}

// read binds the fields to inputs without validating them.
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

// ColumnLabels returns known with the column names of the dims that have none yet, and notes on
// dims without consistent names. The names are those of rows bound while Words was set.
func (b *RowBinder) ColumnLabels(known map[string][]string) (map[string][]string, []string) {
	n := newBinder(b.schema, Options{})
	n.called, n.labels = b.called, maps.Clone(known)
	if n.labels == nil {
		n.labels = map[string][]string{}
	}
	n.labelColumns()
	return n.labels, n.notes
}

// Guessed returns the dims whose size is the largest index or the longest row of the current rows.
// Other rows may have larger ones.
func (b *Bound) Guessed() []string { return b.guessed }

// Zeroless returns the inputs whose largest index gave a dim its size although none of their
// indices is 0, as if they counted from 1. It returns "" for other dims.
func (b *Bound) Zeroless(dim string) string { return b.zeroless[dim] }

// Specs returns the specs of the files that are read by rows.
func (b *RowBinder) Specs() []string {
	var out []string
	for _, p := range b.specs {
		out = append(out, p.text)
	}
	return out
}
