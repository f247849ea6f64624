package data

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// Options are the options of Validate and Bind. The zero value requires all inputs.
type Options struct {
	Fixed   map[string]int    // sizes of dims in a finished run, for score and predict
	DimFrom map[string]string // source of a given size, such as "N=3" by the setting set
	Absent  []string          // inputs that may be missing, such as those that predict predicts

	// Rows has the sizes of dims that come from inputs read by rows. RowsFrom has their files.
	Rows     map[string]int
	RowsFrom string

	// Names has specs DIM=FILE of --names. Labels has, by dim, the names of its entries that are
	// known. Both give the size of a dim. Only Bind uses them.
	Names  []string
	Labels map[string][]string

	// Levels has specs DIM=ORDER of --levels, the order of the words of columns as levels of a dim.
	// Only Bind uses it.
	Levels []string

	// NewLevels lets Bind add words that Labels lacks as further levels of a dim.
	NewLevels bool

	// NA is drop or drop=x,y. Bind leaves out rows in which entries of x or y are missing, or entries
	// of any input whose missing entries are not unknowns.
	NA string

	// Unprinted lets Bind skip the fingerprints of files, because they are known to be unchanged.
	Unprinted bool

	longest map[string]int  // by ragged dim, the least length of its padded rows
	broken  map[string]bool // inputs that Bind could not read; the error is reported
	excused map[string]bool // dims whose names Bind could not read
}

// Validate checks values and given sizes against a schema, and converts the values to canonical
// form. It infers sizes and checks every entry. Sparse inputs become CSR and other inputs dense or
// packed. Indices count from 0, and bools become 0 and 1. It reports every mistake, and of the
// entries of one input the first few with a count. If there is one, it returns no Bound. It does
// not change the values. The notes report inferred sizes and renormalised entries.
//
// Validating the values of a Bound returns them unchanged. So a caller may add computed defaults
// and validate once more.
func Validate(
	s *Schema, values map[string]*array.Value, dims map[string]int, opt Options,
) (b *Bound, notes []string, errs []*problem.Error) {
	c := &checker{schema: s, values: values, broken: map[string]bool{}, absent: map[string]bool{},
		nests: map[string]*nest{}, rows: map[string]*rowLengths{},
		sizes: sizes{known: map[string]int{}, from: map[string]string{}}}
	for name := range opt.broken {
		c.broken[name] = true
	}
	c.excused, c.longest = opt.excused, opt.longest
	c.drops = opt.broken != nil && opt.Fixed == nil && opt.Rows == nil && opt.NA != "drop"
	for _, name := range opt.Absent {
		c.absent[name] = true
	}
	c.given(dims, opt)
	c.presence()
	c.lengths()
	c.shapes()
	c.infer()
	c.unsized()
	c.complete()
	c.errs = append(c.errs, c.sizes.errs...)
	// Entries are checked all the same, where the sizes they need are known.
	b = &Bound{Dims: c.sizes.known, Values: map[string]*array.Value{},
		guessed: append(c.guessed, slices.Sorted(maps.Keys(c.rows))...), zeroless: c.zeroless}
	// Scalars first: they may be the ends of another input's interval.
	for _, scalars := range []bool{true, false} {
		for i := range s.Inputs {
			in := &s.Inputs[i]
			if v := values[in.Name]; v != nil && scalars == (len(in.Shape) == 0) &&
				!c.broken[in.Name] {
				if n := c.nests[in.Name]; n != nil {
					b.Values[in.Name] = c.nestedValue(n, b.Values)
					continue
				}
				b.Values[in.Name] = c.value(in, v, b.Values)
			}
		}
	}
	c.lengthValues(b)
	c.required(b)
	c.countMissing(b, dims, opt.Fixed)
	if len(c.errs) > 0 {
		return nil, c.notes, c.errs
	}
	return b, c.notes, nil
}

// countMissing sets the sizes of MissingDim. The unknowns of a finished run belong to its own
// rows, so with fixed sizes no entry may be missing.
func (c *checker) countMissing(b *Bound, before, fixed map[string]int) {
	for i := range c.schema.Inputs {
		in := &c.schema.Inputs[i]
		v := b.Values[in.Name]
		if !in.Unknown || v == nil {
			continue
		}
		n := 0
		list := v.F64
		if v.Packed != nil {
			list = v.Packed.F64 // what is stored as whole numbers is not missing
		}
		for _, x := range list {
			if x != x {
				n++
			}
		}
		dim := MissingDim(in.Name)
		have, known := fixed[dim]
		_, again := before[dim]
		if known && n > 0 {
			c.fail(&problem.Error{Code: "D0131", Name: in.Name,
				Message: fmt.Sprintf("%d entries of %s are missing: the run has values for those "+
					"of its own rows alone", n, in.Name), Decl: in.Place,
				Notes: []string{setting.Sprintf("{na} drop=%s leaves these rows out", in.Name)}})
		}
		if known {
			n = have
		} else if n > 0 && !again {
			c.notes = append(c.notes,
				fmt.Sprintf("missing entries of %s, which are unknowns %s: %d", in.Name, dim, n))
		}
		b.Dims[dim] = n
	}
}

type checker struct {
	schema  *Schema
	values  map[string]*array.Value
	sizes   sizes
	broken  map[string]bool        // inputs with a reported error
	absent  map[string]bool        // inputs that may be missing
	excused map[string]bool        // dims with a reported error
	longest map[string]int         // by ragged dim, the least length
	drops   bool                   // {na} could leave out rows
	nests   map[string]*nest       // by input, its nested lists
	rows    map[string]*rowLengths // by ragged dim, its row lengths
	guessed []string               // dims whose size is the largest index in the data
	// zeroless has, by guessed dim, the inputs whose indices gave its size, if none of their indices
	// is 0.
	zeroless map[string]string
	notes    []string
	errs     []*problem.Error
}

func (c *checker) fail(e *problem.Error) { c.errs = append(c.errs, e) }

// given records the sizes that the caller gives, and reports conflicts.
func (c *checker) given(dims map[string]int, opt Options) {
	for _, name := range slices.Sorted(maps.Keys(opt.Fixed)) {
		c.sizes.known[name], c.sizes.from[name] = opt.Fixed[name], "the run"
	}
	for _, name := range slices.Sorted(maps.Keys(opt.Rows)) {
		c.sizes.known[name], c.sizes.from[name] = opt.Rows[name], opt.RowsFrom
	}
	for _, name := range slices.Sorted(maps.Keys(dims)) {
		if c.countsMissing(name) {
			continue // counted anew
		}
		n, from := dims[name], opt.DimFrom[name]
		if from == "" {
			from = "the size given for it"
		}
		d := c.schema.Dim(name)
		if d != nil && d.Of != "" {
			if c.values[LengthsOf(name)] == nil {
				c.fail(&problem.Error{Code: "D0126", Name: name,
					Message: fmt.Sprintf("%s is %d by %s, but %s", name, n, from, d.manyLengths()),
					Decl:    d.Place})
			}
			continue // it is the length of the longest row
		}
		if _, counted := EntriesInput(name); counted && d == nil {
			continue // of what is computed of an input
		}
		switch old, fixed := c.sizes.known[name]; {
		case d == nil:
			c.fail(&problem.Error{Code: "D0113", Name: name,
				Message: fmt.Sprintf("%s is not a dim of the model", name),
				Notes:   problem.DidYouMean(name, c.schema.dimNames())})
		case n < 0:
			c.fail(&problem.Error{Code: "D0124", Name: name,
				Message: fmt.Sprintf("the size of %s is %d by %s, but a size is at least 0", name,
					n, from), Decl: d.Place})
		case fixed && old != n:
			c.fail(&problem.Error{Code: "D0120", Name: name,
				Message: fmt.Sprintf("sizes disagree on %s: %d by %s, %d by %s", name, old,
					c.sizes.from[name], n, from), Decl: d.Place})
		default:
			c.sizes.known[name], c.sizes.from[name] = n, from
		}
	}
}

// presence reports missing inputs and values without an input.
func (c *checker) presence() {
	for i := range c.schema.Inputs {
		in := &c.schema.Inputs[i]
		if v := c.values[in.Name]; v == nil && !in.Default && !c.absent[in.Name] &&
			!c.broken[in.Name] {
			c.fail(&problem.Error{Code: "D0114", Name: in.Name,
				Message: fmt.Sprintf("no value for %s : %s", in.Name, in.Type()), Decl: in.Place})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.values)) {
		if c.schema.Input(name) == nil && !c.schema.lengthsName(name) {
			c.fail(&problem.Error{Code: "D0113", Name: name,
				Message: fmt.Sprintf("%s is not an input of the model", name),
				Notes:   problem.DidYouMean(name, c.schema.inputNames())})
		}
	}
}

// shapes matches every value's axes with the declared sizes and solves. Values that fit only after
// flattening are matched last, when the others have determined the dims.
func (c *checker) shapes() {
	var wait []*Input
	for i := range c.schema.Inputs {
		in := &c.schema.Inputs[i]
		v := c.values[in.Name]
		if v != nil && v.Range > 0 && !v.AtLeast && in.Kind == Index {
			c.sizes.eqs = append(c.sizes.eqs,
				&equation{poly: in.Below, n: v.Range, in: in, axis: -1, val: v})
		}
		switch {
		case v == nil:
		case !c.sound(in, v):
			c.broken[in.Name] = true
		case in.Listed && !v.Canonical || c.schema.ragged(in):
			c.nested(in, v)
		case v.Lists != nil:
			c.broken[in.Name] = true
			c.fail(c.at(in, v, -1, "D0107",
				fmt.Sprintf("the lists of %s differ in length, but %s is declared", in.Name,
					in.Type())))
		case len(in.Shape) != len(v.Shape):
			wait = append(wait, in)
		default:
			c.equate(in, v, len(in.Shape))
		}
	}
	c.sizes.solve()
	for _, in := range wait {
		v := c.values[in.Name]
		if k, ok := fit(in.Shape, v, c.sizes.known); ok {
			c.equate(in, v, k)
			c.sizes.solve()
			continue
		}
		c.broken[in.Name] = true
		c.fail(c.at(in, v, -1, "D0121",
			fmt.Sprintf("%s %s, but %s is declared", in.Name, array.ShapeText(v.Shape), in.Type())))
	}
	c.tails()
	c.sizes.check()
	for _, e := range c.sizes.eqs {
		if e.bad {
			c.broken[e.in.Name] = true
		}
	}
}

// sound checks that the storage of a value agrees with its shape. So an array of a program cannot
// cause accesses out of bounds.
func (c *checker) sound(in *Input, v *array.Value) bool {
	n, ok := array.Product(v.Shape)
	text := ""
	switch m := v.CSR; {
	case v.Lists != nil:
		text = v.ListsDefect()
	case !ok:
		text = fmt.Sprintf("has an impossible shape %v", v.Shape)
	case v.Packed != nil && (v.F64 != nil || v.Bytes != nil || m != nil):
		text = "is packed beside other storage"
	case v.Packed != nil:
		text = v.Packed.Defect(v.Shape)
	case m == nil && v.Len() != n:
		text = fmt.Sprintf("has %d entries, but %s", v.Len(), array.ShapeText(v.Shape))
	case v.Bytes != nil && (v.F64 != nil || v.Bytes.Level == nil):
		text = "has bytes beside other storage, or without levels"
	case m != nil:
		if rows, _ := array.Product(v.Shape[:max(0, len(v.Shape)-1)]); len(v.Shape) == 0 ||
			rows != m.Rows || v.Shape[len(v.Shape)-1] != m.Cols {
			text = fmt.Sprintf("is a sparse matrix of %d × %d, but %s", m.Rows, m.Cols,
				array.ShapeText(v.Shape))
		} else {
			text = m.Defect()
		}
	}
	if text != "" {
		c.fail(c.at(in, v, -1, "D0125", in.Name+" "+text))
	}
	return text == ""
}

func (c *checker) equate(in *Input, v *array.Value, k int) {
	for axis := range k {
		if v.CSR != nil && v.CSR.Open && axis == len(v.Shape)-1 {
			continue // only a lower bound: see infer and value
		}
		c.sizes.eqs = append(c.sizes.eqs,
			&equation{poly: in.Shape[axis], n: v.Shape[axis], in: in, axis: axis, val: v})
	}
}

// infer sets the dims that no axis gives: to their default, or else to fit the largest index in
// the data, with a note.
func (c *checker) infer() {
	for _, d := range c.schema.Dims {
		if _, known := c.sizes.known[d.Name]; !known && d.Default != nil {
			c.sizes.known[d.Name], c.sizes.from[d.Name] = *d.Default, "its default"
		}
	}
	c.sizes.solve()
	raised := map[string]int{}
	c.zeroless = map[string]string{}
	first := func(dim string, in *Input, v *array.Value) {
		if old, seen := c.zeroless[dim]; in.Kind != Index || len(in.Shape) == 0 || in.From != 0 ||
			v.Canonical || v.Range > 0 || seen && old == "" || c.hasZero(in, v) {
			c.zeroless[dim] = ""
		} else {
			c.zeroless[dim] = strings.TrimPrefix(old+" and "+in.Name, " and ")
		}
	}
	for i := range c.schema.Inputs {
		in := &c.schema.Inputs[i]
		v := c.values[in.Name]
		if v == nil || c.broken[in.Name] {
			continue
		}
		from := "the largest index of " + in.Name
		if v.CSR != nil && v.CSR.Open {
			first(c.sizes.atLeast(in.Shape[len(in.Shape)-1], v.CSR.Cols, from, raised), in, v)
		}
		if !in.Listed && in.Kind != Index {
			continue
		}
		if top, some := c.largest(in, v); in.Listed && !v.Canonical && some &&
			top < array.MaxWhole {
			first(c.sizes.atLeast(in.Shape[len(in.Shape)-1], int(top)-in.From+1, from, raised),
				in, v)
		} else if in.Kind == Index && (some || v.AtLeast && v.Range > 0) {
			if v.AtLeast {
				top = max(top, float64(v.Range-1))
			}
			if !v.Canonical {
				top -= float64(in.From)
			}
			if top < array.MaxWhole {
				first(c.sizes.atLeast(in.Below, int(top)+1, from, raised), in, v)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(raised)) {
		c.guessed = append(c.guessed, name)
		c.sizes.known[name] = raised[name]
		c.notes = append(c.notes,
			setting.Sprintf("%s = %d, from %s; {set} %s=… says otherwise", name, raised[name],
				c.sizes.from[name], name))
		if names := c.zeroless[name]; names != "" {
			c.notes = append(c.notes, ZerolessNote(name, names, raised[name]))
		}
	}
}

// largest returns the largest finite entry of a value, without its padding. It returns false if
// there is none.
func (c *checker) largest(in *Input, v *array.Value) (top float64, some bool) {
	n := c.nests[in.Name]
	if n == nil || !n.padded || v.CSR != nil {
		return array.Largest(v)
	}
	if p := n.v.Packed; p != nil {
		return p.Largest()
	}
	each, _ := array.Product(v.Shape[n.head:])
	list := v.Floats()
	c.each(n, v.Shape[:n.head], func(_ []int, _, at, cells int) {
		x, is := array.Largest(&array.Value{F64: list[at*each : (at+cells)*each]})
		if is && (!some || x > top) {
			top, some = x, true
		}
	})
	return top, some
}

// ZerolessNote returns a warning that none of the indices that gave a dim its size is 0, as if
// they counted from 1. A size that the user gives prevents the warning.
func ZerolessNote(dim, inputs string, size int) string {
	return setting.Sprintf("warning: no entry of %s is 0, so entry 0 of %s has no data; if they "+
		"count from 1, declare index[…] from 1; if they are codes of groups, {levels} %s=sorted "+
		"makes each a level; if neither, {set} %s=%d says so", inputs, dim, dim, dim, size)
}

// hasZero reports whether an entry is 0, without the padding.
func (c *checker) hasZero(in *Input, v *array.Value) bool {
	n := c.nests[in.Name]
	if n == nil || !n.padded || v.CSR != nil {
		return array.HasZero(v)
	}
	if p := n.v.Packed; p != nil {
		return array.HasZero(&array.Value{F64: p.F64, Bytes: p.Bytes}) ||
			slices.Contains(p.Int32, 0)
	}
	each, _ := array.Product(v.Shape[n.head:])
	list, found := v.Floats(), false
	c.each(n, v.Shape[:n.head], func(_ []int, _, at, cells int) {
		found = found || slices.Contains(list[at*each:(at+cells)*each], 0)
	})
	return found
}

// unsized reports dims of unknown size. It reports no dim that an input with a reported error
// would give.
func (c *checker) unsized() {
	for _, d := range c.schema.Dims {
		if _, known := c.sizes.known[d.Name]; known {
			continue
		}
		excused := c.broken[LengthsOf(d.Name)] || c.excused[d.Name]
		for i := range c.schema.Inputs {
			in := &c.schema.Inputs[i]
			if v := c.values[in.Name]; v == nil && !in.Default && !c.absent[in.Name] ||
				c.broken[in.Name] {
				for _, p := range append(slices.Clone(in.Shape), in.Below) {
					excused = excused || slices.Contains(p.Dims(), d.Name)
				}
			}
		}
		switch {
		case excused:
		case d.Of != "":
			c.fail(&problem.Error{Code: "D0123", Name: d.Name,
				Message: fmt.Sprintf("the lengths %s of the rows of %s are unknown: no input "+
					"that was given has them", d.Name, d.Of), Decl: d.Place,
				Notes: []string{setting.Sprintf("give them with {data} %s=FILE, or as a key %s "+
					"of a JSON file, one for each of %s", d.Name, d.Name, d.Of)}})
		default:
			c.fail(&problem.Error{Code: "D0123", Name: d.Name,
				Message: fmt.Sprintf("the size of %s is unknown: no input that was given has it",
					d.Name), Decl: d.Place,
				Notes: []string{setting.Sprintf("give it with {set} %s=VALUE, or as a key %s of "+
					"a JSON file", d.Name, d.Name)}})
		}
	}
}

// at returns an error located at a row of a value; row −1 is the whole value.
func (c *checker) at(in *Input, v *array.Value, row int, code, message string) *problem.Error {
	e := &problem.Error{Code: code, Message: message, Name: in.Name, Decl: in.Place}
	if o := v.Origin; o != nil {
		e.File = o.File
		if row >= 0 {
			e.Line = o.Line(row)
		}
		var of []string
		if o.Field != "" && o.Field != in.Name {
			of = append(of, "field "+o.Field)
		}
		if o.Part != "" {
			of = append(of, "of "+o.Part)
		}
		if of != nil {
			e.Message += " (" + strings.Join(of, ", ") + ")"
		}
	}
	return e
}

func (c *checker) countsMissing(dim string) bool {
	return slices.ContainsFunc(c.schema.Inputs,
		func(in Input) bool { return in.Unknown && MissingDim(in.Name) == dim })
}
