package data

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Bind reads the files of --data and the values of --set, and validates them against a schema. A
// spec of --data is NAME=FILE, NAME=FILE:FIELD, or FILE. FILE alone binds each field that has the
// name of an input, and sets the size of each dim that is a key of the file. A spec of --set is
// NAME=VALUE for a dim or a scalar input. The notes report inferred sizes and unused fields. The
// errors are those of all files together.
func Bind(s *Schema, specs, sets []string, opt Options) (*Bound, []string, []*problem.Error) {
	b := newBinder(s, opt)
	for _, text := range opt.Levels {
		b.levels(text)
	}
	for _, text := range specs {
		b.spec(parseSpec(text))
	}
	for _, text := range sets {
		b.set(text)
	}
	for _, dim := range slices.Sorted(maps.Keys(opt.Labels)) {
		b.label(dim, opt.Labels[dim], "the names of the run")
	}
	for _, text := range opt.Names {
		b.names(text)
	}
	b.dropRows()
	b.settleLevels()
	b.labelColumns()
	for _, path := range b.files {
		b.extra(b.tables[path])
	}
	opt.Fixed = b.opt.Fixed
	opt.DimFrom, opt.broken, opt.excused = b.from, b.broken, b.excused
	out, notes, errs := Validate(s, b.values, b.dims, opt)
	for _, e := range errs {
		if e.Code == "D0114" {
			e.Notes = append(e.Notes, b.missing(s.Input(e.Name))...)
		}
	}
	notes, errs = append(b.notes, notes...), append(b.errs, errs...)
	if len(errs) > 0 {
		return nil, notes, errs
	}
	for _, path := range b.files {
		out.Files = append(out.Files, b.tables[path].Print)
	}
	out.Labels, out.Dropped, out.NewLevels = b.labels, b.dropped, b.newLevels
	return out, notes, nil
}

func newBinder(s *Schema, opt Options) *binder {
	return &binder{schema: s, opt: opt, values: map[string]*array.Value{}, by: map[string]string{},
		dims: map[string]int{},
		from: map[string]string{}, broken: map[string]bool{}, excused: map[string]bool{},
		readTables: readTables{tables: map[string]*format.Table{},
			parts: map[string]*format.Table{}, extras: map[string]string{}},
		wordTables: wordTables{labels: map[string][]string{}, texts: map[string]*array.Value{},
			orders: map[string]levelOrder{}, called: map[string]*columnNames{}}}
}

type binder struct {
	schema *Schema
	opt    Options
	values map[string]*array.Value
	by     map[string]string // by input, the spec that bound it
	dims   map[string]int
	from   map[string]string // by dim, the source of its size
	broken map[string]bool
	// excused has the dims whose names could not be read. The names may have given the size.
	excused map[string]bool
	readTables
	wordTables
	dropped map[string]Dropped // rows, by dim
	// newLevels has, by dim that got new levels, the number of levels of the run.
	newLevels map[string]int
	notes     []string
	errs      []*problem.Error
}

// readTables has the tables that were read.
type readTables struct {
	// tables is indexed by path, and by format if the spec has one. An entry is nil if the file could
	// not be read.
	tables map[string]*format.Table
	parts  map[string]*format.Table // tables restricted to a selection of words
	files  []string                 // keys of tables read, in order
	whole  []string                 // paths bound as whole files, without NAME=
	extras map[string]string        // by unused field, the file that has it
}

// wordTables has the names of the entries of dims, and the inputs whose entries are words.
type wordTables struct {
	labels map[string][]string
	texts  map[string]*array.Value // by index input, its words until all levels are known
	orders map[string]levelOrder   // by dim, its order of levels in {levels}
	unit   string                  // unit of dates in the current spec
	// found has the words of each input if rows are read only to collect levels.
	found map[string]*wordList
	// called has, by dim, the columns that are its entries.
	called map[string]*columnNames
}

func (b *binder) fail(code, name, message string, notes ...string) {
	b.errs = append(b.errs, &problem.Error{Code: code, Name: name, Message: message, Notes: notes})
}

// A dataSpec is a parsed spec of --data. Its fields record which paths exist.
type dataSpec struct {
	text        string // as given
	name        string // name of the input; empty for a whole file
	file        string // FILE[:FIELD] without the selectors
	path, field string
	sel         selectors
	problem     string        // error of the selectors; empty without one
	whole       bool          // the spec names a file and no field of it
	table       *format.Table // table to bind instead of reading the file
}

func parseSpec(text string) dataSpec {
	name, file, named := split(text)
	p := dataSpec{text: text}
	if named {
		p.name = name
	}
	var cut []string
	p.file, cut = selectorsOf(file)
	p.path, p.field = fieldOf(p.file)
	p.sel, p.problem = parseSelectors(cut)
	_, _, source := format.SourceOf(p.path)
	p.whole = p.field == "" || exists(p.file) || !source && !exists(p.path)
	return p
}

// spec binds one parsed spec of --data.
func (b *binder) spec(p dataSpec) {
	text, name, field, sel := p.text, p.name, p.field, p.sel
	b.unit = sel.unit
	if name == "" {
		b.file(p)
		return
	}
	in := b.schema.Input(name)
	if p.problem != "" {
		b.broken[name] = true
		b.fail("D0153", name, setting.Sprintf("{data} %s: %s", text, p.problem))
		return
	}
	switch d := b.schema.Dim(name); {
	case d != nil && d.Of != "" && p.file != "":
		if t := b.read(&p); t != nil {
			v, errs := b.selected(t, field,
				&Input{Name: name, Shape: []size.Poly{size.Dim(d.Of)}, Place: d.Place}, &sel)
			b.lengths(d, v, errs, setting.Text("{data} ")+text)
		}
		return
	case in == nil && d != nil:
		b.fail("D0113", name, setting.Sprintf("{data} %s: %s is a dim, not an input", text, name),
			setting.Sprintf("give its size with {set} %s=VALUE", name))
		return
	case in == nil:
		b.fail("D0113", name, setting.Sprintf("{data} %s: %s is not an input of the model", text,
			name), b.inputs(name)...)
		return
	case p.file == "":
		b.broken[name] = true
		b.fail("D0112", name, setting.Sprintf("{data} %s names no file; write NAME=FILE, "+
			"NAME=FILE:FIELD or FILE", text))
		return
	}
	t := b.read(&p)
	if t == nil {
		b.broken[name] = true
		return
	}
	v, errs := b.selected(t, field, in, &sel)
	b.bind(in, v, errs, setting.Text("{data} ")+text)
}

// selected returns the rows and words of a field that the selectors choose, as the value of in.
// Both results are set if the value has mistakes that the input may accept, such as lists of
// different lengths.
func (b *binder) selected(
	t *format.Table, field string, in *Input, sel *selectors,
) (*array.Value, []*problem.Error) {
	t, errs := b.thinned(t, sel)
	if errs != nil {
		return nil, errs
	}
	v, errs := b.pick(t, field, in)
	some, wrong := sel.pick(t, v)
	if wrong != nil {
		return nil, wrong
	}
	return some, errs
}

// thinned returns t restricted to the words that the selectors choose, or t itself without such a
// selector. It caches the result.
func (b *binder) thinned(t *format.Table, sel *selectors) (*format.Table, []*problem.Error) {
	switch {
	case sel.words == nil:
		return t, nil
	case !t.IsCorpus():
		return nil, []*problem.Error{t.Fail(0, 0, "D0153",
			sel.words.text+" is for bags of words, and this is a file of "+t.Format)}
	}
	key := t.File + ":" + t.Format + ":" + sel.words.text
	if b.parts[key] == nil {
		thin, errs := t.Words(sel.words.has)
		if errs != nil {
			return nil, errs
		}
		b.parts[key] = thin
	}
	return b.parts[key], nil
}

// inputs returns a note with the input of the nearest name, or with all inputs.
func (b *binder) inputs(name string) []string {
	if near := problem.DidYouMean(name, b.schema.inputNames()); near != nil {
		return near
	}
	if len(b.schema.Inputs) == 0 {
		return []string{"the model has no inputs"}
	}
	return []string{"its inputs are " + problem.Names(b.schema.inputNames())}
}

// read reads the file of a spec, and caches its table. It returns nil if reading failed, and
// reports the errors once.
func (b *binder) read(p *dataSpec) *format.Table {
	if p.table != nil {
		return p.table
	}
	path, kind := p.path, p.sel.format
	if p.name == "" {
		path = p.file
	}
	key := path
	if kind != "" {
		key += ":format=" + kind
	}
	if t, seen := b.tables[key]; seen {
		return t
	}
	read := format.ReadFileAs
	if b.opt.Unprinted {
		read = format.ReadUnprinted
	}
	t, errs := read(path, kind)
	b.errs = append(b.errs, errs...)
	if len(errs) > 0 {
		b.tables[key] = nil
		return nil
	}
	b.tables[key] = t
	b.files = append(b.files, key)
	b.notes = append(b.notes, t.Notes...)
	return t
}

// bind sets the value of an input. It reports an input that is already bound.
func (b *binder) bind(in *Input, v *array.Value, errs []*problem.Error, by string) {
	if old, twice := b.by[in.Name]; twice {
		b.fail("D0115", in.Name,
			fmt.Sprintf("%s is bound twice: by %s and by %s", in.Name, old, by))
		return
	}
	b.by[in.Name] = by
	if v != nil && v.Lists != nil && b.schema.Uneven(in) {
		errs = nil // lists of different lengths are what it takes
	}
	if v != nil && v.Words != nil {
		v, errs = b.readTexts(in, v, errs)
	}
	if dim, named := in.Below.Name(); in.Kind == Index && named && b.isOrdered(dim) &&
		len(errs) == 0 && v != nil && v.CSR == nil && v.Lists == nil && v.Packed == nil {
		v = asWords(v)
	}
	if len(errs) > 0 {
		for _, e := range errs {
			e := *e // a field may be bound to several inputs
			e.Name, e.Decl = in.Name, in.Place
			b.errs = append(b.errs, &e)
		}
		b.broken[in.Name] = true
		return
	}
	if v != nil && v.Words != nil {
		b.texts[in.Name] = v
		return
	}
	if b.collects(in) {
		b.foundNumbers(in, v)
	}
	b.values[in.Name] = v
}

// file binds all fields of a file that are inputs or dims.
func (b *binder) file(p dataSpec) {
	text, path, sel := p.text, p.file, p.sel
	if p.problem != "" {
		b.fail("D0153", "", setting.Sprintf("{data} %s: %s", text, p.problem))
		b.all()
		return
	}
	if !p.whole {
		b.fail("D0112", "",
			setting.Sprintf("{data} %s picks a field, but no input for it; write NAME=%s",
				text, text))
		return
	}
	t := b.read(&p)
	if t == nil {
		b.all()
		return
	}
	if t.One() != nil {
		b.all()
		b.errs = append(b.errs,
			&problem.Error{Code: "D0112", Message: "holds one array without a name", File: path,
				Notes: []string{setting.Text("write {data} NAME=") + text}})
		return
	}
	if slices.Contains(b.whole, path) {
		b.fail("D0115", "", setting.Sprintf("{data} %s is given twice", path))
		return
	}
	if sel.part() != "" && !t.Even() {
		b.all()
		b.errs = append(b.errs,
			&problem.Error{Code: "D0153", File: path,
				Message: sel.part() +
					" is for one input: what else the file holds may have other rows",
				Notes: []string{setting.Text("write {data} NAME=") + text}})
		return
	}
	t, errs := b.thinned(t, &sel)
	if errs != nil {
		b.errs = append(b.errs, errs...)
		b.all()
		return
	}
	b.whole = append(b.whole, path)
	for _, name := range t.Fields {
		if in := b.schema.Input(name); in != nil {
			v, errs := t.Texts(name)
			some, wrong := sel.pick(t, v)
			if wrong != nil {
				some, errs = nil, wrong
			}
			b.bind(in, some, errs, setting.Text("{data} ")+text)
		} else if d := b.schema.Dim(name); d != nil && !t.HasColumns() && !t.IsCorpus() {
			b.dim(t, name, d)
		}
	}
}

// all marks every input as reported, because a missing input may have been in a file that could not
// be read.
func (b *binder) all() {
	for i := range b.schema.Inputs {
		b.broken[b.schema.Inputs[i].Name] = true
	}
}

// mostExtras is the number of unused names per file that are searched for a name similar to an
// input's.
const mostExtras = 100_000

// extra adds a note with the fields of a whole file that are neither inputs nor dims.
func (b *binder) extra(t *format.Table) {
	if !slices.Contains(b.whole, t.File) {
		return
	}
	const most = 8
	var names []string
	n := 0
	for _, name := range t.Fields {
		if b.schema.Input(name) != nil || b.schema.Dim(name) != nil && !t.HasColumns() {
			continue
		}
		if n++; n <= most {
			names = append(names, printable.Line(name))
		}
		if n <= mostExtras {
			b.extras[name] = t.File
		}
	}
	switch {
	case n == 0:
	case n > most:
		b.notes = append(b.notes,
			fmt.Sprintf("%s: not used, as the model has no such inputs: %s and %d more", t.File,
				strings.Join(names, ", "), n-most))
	default:
		b.notes = append(b.notes,
			fmt.Sprintf("%s: not used, as the model has no such inputs: %s", t.File,
				strings.Join(names, ", ")))
	}
}

// apart returns notes on columns with the name of an input that do not form an array: their
// subscripts have a gap, or the header is not separated by commas.
func (b *binder) apart(name string) (notes []string) {
	var parts []string
	for _, column := range slices.Sorted(maps.Keys(b.extras)) {
		if base, at := format.Subscript(column); at != nil && base == name {
			parts = append(parts, column)
		}
		for _, cut := range []string{";", "\t", "|"} {
			cells := strings.Split(column, cut)
			if len(cells) > 1 && slices.ContainsFunc(cells, func(c string) bool {
				base, _ := format.Subscript(strings.TrimSpace(c))
				return base == name
			}) {
				notes = append(notes,
					fmt.Sprintf("%s has a column %q: its cells are separated by %q, and those of "+
						"csv are by commas, of tsv by tabs", b.extras[column], column, cut))
			}
		}
	}
	if len(parts) > 0 {
		notes = append(notes, fmt.Sprintf("%s has %s, which are not all of an array: its indices "+
			"have no gap, and begin at 0 or 1", b.extras[parts[0]], problem.Names(parts)))
	}
	return notes
}

// numbered returns a note on how to bind columns x0, x1, … or x_1, x_2, … to an input x of two or
// more axes. It returns nil if there are not at least two such columns.
func (b *binder) numbered(in *Input) []string {
	if len(in.Shape) < 2 {
		return nil
	}
	columns, order := map[int]string{}, []int{}
	for _, name := range slices.Sorted(maps.Keys(b.extras)) {
		rest, is := strings.CutPrefix(name, in.Name)
		if n, number := format.Ordinal(strings.TrimLeft(rest, "_- ")); is && number {
			if _, twice := columns[n]; !twice {
				order = append(order, n)
			}
			columns[n] = name
		}
	}
	if len(order) < 2 {
		return nil
	}
	slices.Sort(order)
	first, last := columns[order[0]], columns[order[len(order)-1]]
	file := b.extras[first]
	names := make([]string, len(order))
	for i, n := range order {
		names[i] = columns[n]
	}
	list := strings.Join(names, ",")
	if t := b.tables[file]; t != nil && len(names) > 2 {
		if some, _ := columnsNamed(t.Fields, first+".."+last); slices.Equal(some, names) {
			list = first + ".." + last
		}
	}
	return []string{setting.Sprintf("%s has columns %s to %s: {data} %s=%s:%s", file, first, last,
		in.Name, file, list)}
}

// together returns a note on how to bind several columns of a table to an input with two axes.
func (b *binder) together(in *Input) []string {
	if len(in.Shape) != 2 {
		return nil
	}
	for _, path := range b.whole {
		if t := b.tables[path]; t != nil && t.HasColumns() && len(t.Fields) > 1 {
			return []string{setting.Sprintf("where columns of %s together are %s: {data} "+
				"%s=%s:COLUMN,COLUMN,… or FIRST..LAST, or a pattern such as %s*",
				path, in.Name, in.Name, path, in.Name)}
		}
	}
	return nil
}

// missing returns notes on how to supply a missing input.
func (b *binder) missing(in *Input) []string {
	var notes []string
	if columns := b.numbered(in); columns != nil {
		notes = append(notes, columns...)
	} else if near := spelling.Nearest(in.Name, slices.Sorted(maps.Keys(b.extras))); near != "" {
		notes = append(notes, setting.Sprintf("%s has %s; if that is it: {data} %s=%s:%s",
			b.extras[near], near, in.Name, b.extras[near], near))
	}
	if notes = append(notes, b.apart(in.Name)...); notes == nil {
		notes = b.together(in)
	}
	if len(in.Shape) == 0 {
		return append(notes, setting.Sprintf("give it with {set} %s=VALUE or {data} %s=FILE",
			in.Name, in.Name))
	}
	return append(notes, setting.Sprintf("give it with {data} %s=FILE[:FIELD], or as a key of "+
		"{data} FILE.json", in.Name))
}
