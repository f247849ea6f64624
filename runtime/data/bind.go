package data

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"
)

// Bind reads the files of --data and the values of --set, and holds them
// against a schema. A spec of --data is NAME=FILE, NAME=FILE:FIELD, or FILE,
// of which every field that is called as an input is bound and one that is
// called as a dim settles it; a spec of --set is NAME=VALUE for a dim or an
// input without axes. Notes tell what was inferred or left aside. All
// mistakes of all files are reported together.
func Bind(s *Schema, specs, sets []string, opt Options) (*Bound, []string, []*Error) {
	b := &binder{schema: s, opt: opt, values: map[string]*Value{}, by: map[string]string{}, dims: map[string]int{},
		from: map[string]string{}, broken: map[string]bool{}, tables: map[string]*Table{}, extras: map[string]string{}}
	for _, text := range specs {
		b.spec(text)
	}
	for _, text := range sets {
		b.set(text)
	}
	for _, path := range b.order {
		b.extra(b.tables[path])
	}
	opt.DimFrom, opt.broken = b.from, b.broken
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
	for _, path := range b.order {
		out.Files = append(out.Files, b.tables[path].Print)
	}
	return out, notes, nil
}

type binder struct {
	schema *Schema
	opt    Options
	values map[string]*Value
	by     map[string]string // what bound an input
	dims   map[string]int
	from   map[string]string // what settled a dim
	broken map[string]bool
	tables map[string]*Table // by path; nil when it could not be read
	order  []string          // paths read, in order
	whole  []string          // paths whose every field is an input
	extras map[string]string // unused keys, to the file they are in
	notes  []string
	errs   []*Error
}

func (b *binder) fail(code, name, message string, notes ...string) {
	b.errs = append(b.errs, &Error{Code: code, Name: name, Message: message, Notes: notes})
}

// spec takes one --data.
func (b *binder) spec(text string) {
	name, file, named := split(text)
	if !named {
		b.file(text)
		return
	}
	path, field := fieldOf(file)
	in := b.schema.Input(name)
	switch {
	case in == nil && b.schema.Dim(name) != nil:
		b.fail("D0113", name, fmt.Sprintf("--data %s: %s is a dim, not an input", text, name), fmt.Sprintf("give its size with --set %s=VALUE", name))
		return
	case in == nil:
		b.fail("D0113", name, fmt.Sprintf("--data %s: %s is not an input of the model", text, name), b.inputs(name)...)
		return
	case file == "":
		b.broken[name] = true
		b.fail("D0112", name, fmt.Sprintf("--data %s names no file; write NAME=FILE, NAME=FILE:FIELD or FILE", text))
		return
	}
	t := b.read(path)
	if t == nil {
		b.broken[name] = true
		return
	}
	v, errs := b.pick(t, field, in)
	b.bind(in, v, errs, "--data "+text)
}

// inputs is a note that names the nearest input, or all.
func (b *binder) inputs(name string) []string {
	if near := didYouMean(name, b.schema.inputNames()); near != nil {
		return near
	}
	if len(b.schema.Inputs) == 0 {
		return []string{"the model has no inputs"}
	}
	return []string{"its inputs are " + list(b.schema.inputNames())}
}

// split parts NAME=FILE. A path that exists is a file whatever it contains.
func split(text string) (name, file string, named bool) {
	k := strings.IndexByte(text, '=')
	if k < 0 || !identifier(text[:k]) || exists(text) {
		return "", text, false
	}
	return text[:k], text[k+1:], true
}

func identifier(s string) bool {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// fieldOf parts FILE:FIELD at the last colon that leaves a file. Without one
// the text is all path, or, in an error, all but a plain FIELD.
func fieldOf(text string) (path, field string) {
	if exists(text) {
		return text, ""
	}
	for k := len(text) - 1; k > 0; k-- {
		if text[k] == ':' && exists(text[:k]) {
			return text[:k], text[k+1:]
		}
	}
	if k := strings.LastIndexByte(text, ':'); k > 1 && !strings.ContainsAny(text[k:], `/\`) {
		return text[:k], text[k+1:]
	}
	return text, ""
}

// read reads a file once. nil when that failed, which is reported once.
func (b *binder) read(path string) *Table {
	if t, seen := b.tables[path]; seen {
		return t
	}
	t, errs := ReadFile(path)
	b.errs = append(b.errs, errs...)
	if len(errs) > 0 {
		b.tables[path] = nil
		return nil
	}
	b.tables[path] = t
	b.order = append(b.order, path)
	b.notes = append(b.notes, t.Notes...)
	return t
}

// pick finds the field that an input is bound to.
func (b *binder) pick(t *Table, field string, in *Input) (*Value, []*Error) {
	fail := func(message string, notes ...string) []*Error {
		return []*Error{{Code: "D0111", Name: in.Name, Message: message, File: t.File, Decl: in.Place, Notes: notes}}
	}
	if field != "" {
		v, errs := t.Field(field)
		switch {
		case v != nil || errs != nil:
			return v, errs
		case t.one != nil:
			return nil, fail(fmt.Sprintf("there is no field %s: the file holds one array without a name", field))
		}
		return nil, fail(fmt.Sprintf("there is no field %s", field), b.fields(t, field)...)
	}
	if v, errs := t.Field(""); v != nil || errs != nil {
		return v, errs
	}
	if v, errs := t.Field(in.Name); v != nil || errs != nil {
		return v, errs
	}
	switch {
	case len(t.Fields) == 1:
		return t.Field(t.Fields[0])
	case t.matrix != nil && len(in.Shape) > 1:
		v, errs := t.matrix()
		b.notes = append(b.notes, fmt.Sprintf("%s is the matrix of all %d columns of %s", in.Name, v.Shape[1], t.File))
		return v, errs
	case t.Format == "libsvm" && len(in.Shape) > 1:
		return t.Field("features")
	case len(t.Fields) == 0:
		return nil, fail("it holds nothing that could be " + in.Name)
	}
	return nil, fail(fmt.Sprintf("which field is %s? Write %s=%s:FIELD", in.Name, in.Name, t.File), b.fields(t, in.Name)...)
}

// fields are notes that name the nearest field and all.
func (b *binder) fields(t *Table, name string) []string {
	names := t.Fields
	const most = 20
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	notes := []string{"its fields are " + list(names)}
	if more != "" {
		notes[0] = "its fields are " + strings.Join(names, ", ") + more
	}
	return append(didYouMean(name, t.Fields), notes...)
}

// bind gives an input its value, once.
func (b *binder) bind(in *Input, v *Value, errs []*Error, by string) {
	if old, twice := b.by[in.Name]; twice {
		b.fail("D0115", in.Name, fmt.Sprintf("%s is bound twice: by %s and by %s", in.Name, old, by))
		return
	}
	b.by[in.Name] = by
	if len(errs) > 0 {
		for _, e := range errs {
			e := *e // a field may be bound to several inputs
			e.Name, e.Decl = in.Name, in.Place
			b.errs = append(b.errs, &e)
		}
		b.broken[in.Name] = true
		return
	}
	b.values[in.Name] = v
}

// file binds every field of a file.
func (b *binder) file(path string) {
	if p, field := fieldOf(path); field != "" && !exists(path) && exists(p) {
		b.fail("D0112", "", fmt.Sprintf("--data %s picks a field, but no input for it; write NAME=%s", path, path))
		return
	}
	t := b.read(path)
	if t == nil || t.one != nil {
		// What is missing now may have been in it.
		for i := range b.schema.Inputs {
			b.broken[b.schema.Inputs[i].Name] = true
		}
	}
	if t == nil {
		return
	}
	if t.one != nil {
		b.errs = append(b.errs, &Error{Code: "D0112", Message: "holds one array without a name", File: path, Notes: []string{"write --data NAME=" + path}})
		return
	}
	if slices.Contains(b.whole, path) {
		b.fail("D0115", "", fmt.Sprintf("--data %s is given twice", path))
		return
	}
	b.whole = append(b.whole, path)
	for _, name := range t.Fields {
		if in := b.schema.Input(name); in != nil {
			v, errs := t.Field(name)
			b.bind(in, v, errs, "--data "+path)
		} else if d := b.schema.Dim(name); d != nil && t.matrix == nil {
			b.dim(t, name, d)
		}
	}
}

// dim takes a size from a key of a file.
func (b *binder) dim(t *Table, name string, d *Dim) {
	v, errs := t.Field(name)
	by := "key " + name + " of " + t.File
	switch {
	case len(errs) > 0:
		b.errs = append(b.errs, errs...)
	case v.CSR != nil || len(v.F64) != 1:
		b.errs = append(b.errs, &Error{Code: "D0124", Name: name, File: t.File, Decl: d.Place, Message: fmt.Sprintf("%s is a dim, but its key %s; a size is one whole number", name, shapeText(v.Shape))})
	case v.F64[0] < 0 || !wholeNumber(v.F64[0]):
		b.errs = append(b.errs, &Error{Code: "D0124", Name: name, File: t.File, Decl: d.Place, Message: fmt.Sprintf("%s is a dim, but its key is %s; a size is a whole number of at least 0", name, number(v.F64[0]))})
	default:
		b.size(name, int(v.F64[0]), by)
	}
}

// size settles a dim; a second one must agree.
func (b *binder) size(name string, n int, by string) {
	if old, twice := b.dims[name]; twice && old != n {
		b.fail("D0120", name, fmt.Sprintf("sizes disagree on %s: %d by %s, %d by %s", name, old, b.from[name], n, by))
		return
	}
	if _, twice := b.dims[name]; !twice {
		b.dims[name], b.from[name] = n, by
	}
}

// set takes one --set.
func (b *binder) set(text string) {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !identifier(name) || value == "" {
		b.fail("D0117", "", fmt.Sprintf("--set %s: NAME=VALUE is expected", text))
		return
	}
	v, n := decimal([]byte(value))
	if n != len(value) {
		if v, ok = word([]byte(value)); !ok {
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
		b.fail("D0117", name, fmt.Sprintf("--set %s: %q is no number in the range of float64", text, value))
		return
	}
	in := b.schema.Input(name)
	switch {
	case b.schema.Dim(name) != nil && (v < 0 || !wholeNumber(v)):
		b.fail("D0124", name, fmt.Sprintf("--set %s: %s is a dim, and a size is a whole number of at least 0", text, name))
	case b.schema.Dim(name) != nil:
		b.size(name, int(v), "--set "+text)
	case in == nil:
		notes := didYouMean(name, append(b.schema.dimNames(), b.schema.inputNames()...))
		b.fail("D0113", name, fmt.Sprintf("--set %s: %s is no dim and no input of the model", text, name), notes...)
	case len(in.Shape) > 0:
		b.broken[name] = true
		b.fail("D0117", name, fmt.Sprintf("--set %s: %s has axes, and --set gives single numbers", text, name), "give it with --data "+name+"=FILE")
	default:
		b.bind(in, &Value{F64: []float64{v}, Origin: &Origin{File: "--set " + text}}, nil, "--set "+text)
	}
}

// extra notes what a whole file holds beyond inputs and dims.
func (b *binder) extra(t *Table) {
	if !slices.Contains(b.whole, t.File) {
		return
	}
	var names []string
	for _, name := range t.Fields {
		if b.schema.Input(name) != nil || b.schema.Dim(name) != nil && t.matrix == nil {
			continue
		}
		names = append(names, name)
		b.extras[name] = t.File
	}
	const most = 8
	switch n := len(names); {
	case n == 0:
	case n > most:
		b.notes = append(b.notes, fmt.Sprintf("%s: not used, as the model has no such inputs: %s and %d more", t.File, strings.Join(names[:most], ", "), n-most))
	default:
		b.notes = append(b.notes, fmt.Sprintf("%s: not used, as the model has no such inputs: %s", t.File, strings.Join(names, ", ")))
	}
}

// missing says how an input can be supplied.
func (b *binder) missing(in *Input) []string {
	var notes []string
	if near := nearest(in.Name, sortedKeys(b.extras)); near != "" {
		notes = append(notes, fmt.Sprintf("%s has %s; if that is it: --data %s=%s:%s", b.extras[near], near, in.Name, b.extras[near], near))
	}
	if len(in.Shape) == 0 {
		return append(notes, fmt.Sprintf("give it with --set %s=VALUE or --data %s=FILE", in.Name, in.Name))
	}
	return append(notes, fmt.Sprintf("give it with --data %s=FILE[:FIELD], or as a key of --data FILE.json", in.Name))
}
