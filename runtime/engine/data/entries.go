package data

import (
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// maxDense is the largest number of entries of a sparse value that is stored densely.
const maxDense = 1 << 32

// value checks the entries of an input and converts them to the storage that the declaration
// requires. It returns nil if a size of the shape is unknown or the entries do not fit it.
func (c *checker) value(in *Input, v *array.Value, done map[string]*array.Value) *array.Value {
	shape, ok := evalShape(in.Shape, c.sizes.known)
	if !ok {
		return nil
	}
	return c.entries(in, v.Unpacked(), shape, done, nil)
}

// entries does the work of value for a known shape. place maps an index of the first axis to its
// path in the user's array; it is nil if both are the same.
func (c *checker) entries(
	in *Input, v *array.Value, shape []int, done map[string]*array.Value, place func(int) []int,
) *array.Value {
	e := &entryChecker{c: c, in: in, v: v, row: &kinds[in.Kind], place: place}
	if !e.ends(done) || v.CSR != nil && v.CSR.Open && !e.width(shape[len(shape)-1]) {
		return nil
	}
	out := e.store(shape)
	if out == nil {
		return nil
	}
	before := len(c.errs)
	out = e.numbers(out)
	if e.count == 0 {
		out = e.owned(out)
	} else if e.countsFromOne(out) && len(c.errs) > before {
		first := c.errs[before]
		first.Notes = append(first.Notes,
			fmt.Sprintf("no entry is below 1 or above %s: if they count from 1, declare %s from 1",
				problem.Number(e.hi), in.typeName()))
	}
	e.rest("%d more entries of %s are not in its type")
	return out
}

// rest adds notes to the errors: where repeated mistakes occur, and how many mistakes were not
// reported.
func (e *entryChecker) rest(text string) {
	more := e.count - e.told
	for _, r := range e.again {
		if more -= r.n; r.n > 0 {
			r.err.Notes = append([]string{r.text()}, r.err.Notes...)
		}
	}
	if more > 0 {
		last := e.c.errs[len(e.c.errs)-1]
		last.Notes = append(last.Notes, fmt.Sprintf(text, more, e.in.Name))
	}
}

// A repeat is a mistake that is reported once, such as a word that no level has, with the number
// and the locations of its repetitions.
type repeat struct {
	err    *problem.Error
	what   string
	n      int
	places []string // locations of the first repetitions
}

func (r *repeat) text() string {
	text := fmt.Sprintf("%s %d times more: %s", r.what, r.n, strings.Join(r.places, ", "))
	switch {
	case r.n == 1:
		return fmt.Sprintf("%s once more: %s", r.what, r.places[0])
	case r.n > len(r.places):
		text += ", …"
	}
	return text
}

// repeated counts a mistake. It returns true if the same mistake was reported before, and then
// records its location. key what identifies the mistake.
func (e *entryChecker) repeated(what string, place func() (name string, row int)) bool {
	e.count++
	r := e.again[what]
	if r == nil {
		return false
	}
	if r.n++; len(r.places) < problem.PerInput-1 {
		name, row := place()
		if line := e.v.Origin.Line(row); line > 0 {
			name += fmt.Sprintf(" (line %d)", line)
		}
		r.places = append(r.places, name)
	}
	return true
}

// tell reports a mistake. If key is not "", repetitions of the mistake are counted, and added to
// the error as a note that begins with what.
func (e *entryChecker) tell(err *problem.Error, key, what string) {
	e.told++
	e.c.fail(err)
	if key == "" {
		return
	}
	if e.again == nil {
		e.again = map[string]*repeat{}
	}
	e.again[key] = &repeat{err: err, what: what}
}

func evalShape(shape []size.Poly, known map[string]int) ([]int, bool) {
	out := make([]int, len(shape))
	for i, p := range shape {
		n, ok := p.Eval(known)
		if !ok || n < 0 {
			return nil, false
		}
		out[i] = n
	}
	return out, true
}

// An entryChecker checks the entries of one value.
type entryChecker struct {
	c      *checker
	in     *Input
	v      *array.Value
	row    *kindRow
	lo, hi float64
	count  int                // mistakes, reported or not
	told   int                // mistakes that were reported
	again  map[string]*repeat // reported mistakes that may recur, by what is wrong
	place  func(cell int) []int
}

// ends sets lo and hi from the kind of the input. It returns false if they are unknown or the
// interval is empty.
func (e *entryChecker) ends(done map[string]*array.Value) bool {
	in := e.in
	switch in.Kind {
	case Unit:
		e.lo, e.hi = 0, 1
	case Index:
		k, ok := in.Below.Eval(e.c.sizes.known)
		if !ok {
			return false
		}
		e.hi = float64(k)
		if !e.v.Canonical {
			e.lo, e.hi = float64(in.From), float64(in.From)+e.hi
		}
	case Interval:
		for _, end := range []struct {
			End
			to      *float64
			without float64
		}{{in.Lo, &e.lo, math.Inf(-1)}, {in.Hi, &e.hi, math.Inf(1)}} {
			*end.to = end.Value
			if end.Name != "" {
				// An end left to its default is checked when that is computed.
				*end.to = end.without
				if v := done[end.Name]; v != nil && v.Len() == 1 {
					*end.to = v.Floats()[0]
				}
			}
		}
		if !(e.lo < e.hi) {
			e.c.fail(e.c.at(in, e.v, -1, "D0134",
				fmt.Sprintf("%s : %s is empty, as its ends are %s and %s", in.Name, in.Type(),
					problem.Number(e.lo), problem.Number(e.hi))))
			return false
		}
	}
	return true
}

// width checks that the columns of a matrix of unstated width are below the declared width.
func (e *entryChecker) width(cols int) bool {
	m := e.v.CSR
	if m.Cols <= cols {
		return true
	}
	for r := range m.Rows {
		if lo, hi := m.Indptr[r], m.Indptr[r+1]; lo < hi && int(m.Index[hi-1]) >= cols {
			at := column(e.v.Origin, int(m.Index[hi-1]))
			if !e.repeated(at, func() (string, int) {
				return fmt.Sprintf("row %d", e.v.Origin.PlaceOf(r)), r
			}) && e.told < problem.PerInput {
				poly := e.in.Shape[len(e.in.Shape)-1]
				is := fmt.Sprintf("%s is %d", poly, cols)
				if _, fixed := poly.Number(); fixed {
					is = fmt.Sprintf("%s is declared", problem.Counted(cols, "column"))
				}
				err := e.c.at(e.in, e.v, r, "D0127",
					fmt.Sprintf("%s has an entry at %s, but %s", e.in.Name, at, is))
				for _, d := range poly.Dims() {
					err.Notes = append(err.Notes,
						fmt.Sprintf("%s is %d by %s", d, e.c.sizes.known[d], e.c.sizes.from[d]))
				}
				e.tell(err, at, "it has one there")
			}
		}
	}
	e.rest("%d more rows of %s do not fit")
	return false
}

// column returns the name of column j in messages, in the counting of its file.
func column(o *array.Origin, j int) string {
	if o != nil && o.Base != 0 {
		return fmt.Sprintf("feature %d (counting from %d)", j+o.Base, o.Base)
	}
	return fmt.Sprintf("column %d (counting from 0)", j)
}

// store returns the value in its declared shape and storage. It shares memory with v if it can. It
// returns nil if the value is too large.
func (e *entryChecker) store(shape []int) *array.Value {
	v := e.v
	out := &array.Value{Shape: shape, F64: v.F64, Bytes: v.Bytes, CSR: v.CSR,
		Canonical: v.Canonical, Origin: v.Origin}
	out.SameMemory(v)
	cols := 1
	if len(shape) > 0 {
		cols = shape[len(shape)-1]
	}
	switch sparse := e.in.Sparse || e.in.Bag; {
	case sparse && v.CSR != nil:
		if m := *v.CSR; m.Cols != cols || m.Open {
			m.Cols, m.Open = cols, false
			out.CSR = &m
		}
	case sparse:
		rows, _ := array.Product(shape[:max(0, len(shape)-1)])
		if cols > math.MaxInt32 {
			e.c.fail(e.c.at(e.in, v, -1, "D0128",
				fmt.Sprintf("%s has %d columns, more than a sparse input may have",
					e.in.Name, cols)))
			return nil
		}
		out.F64, out.Bytes, out.CSR = nil, nil, array.Compress(v, rows, cols)
		if e.row.own != nil { // rows are looked at, and mended, as numbers
			out.CSR = out.CSR.Plain()
		}
	case v.CSR != nil:
		n, ok := array.Product(shape)
		if !ok || n > maxDense {
			e.c.fail(e.c.at(e.in, v, -1, "D0128",
				fmt.Sprintf(
					"%s is sparse in the file, but declared dense: %d × %d numbers are too many",
					e.in.Name, v.CSR.Rows, cols)))
			e.c.errs[len(e.c.errs)-1].Notes = []string{"declare it sparse " + e.in.Type()}
			return nil
		}
		out.CSR, out.F64 = nil, v.CSR.Dense(cols)
	case v.Bytes != nil && (len(shape) == 0 || e.row.own != nil):
		out.Bytes, out.F64 = nil, v.Floats()
	}
	return out
}
