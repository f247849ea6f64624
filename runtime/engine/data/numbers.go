package data

import (
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// countsFromOne reports whether all entries of an index input would be valid if they counted from
// 1.
func (e *entryChecker) countsFromOne(out *array.Value) bool {
	if e.in.Kind != Index || len(e.in.Shape) == 0 || e.in.From != 0 || e.in.Optional ||
		e.v.Canonical || e.v.Range > 0 || out.CSR != nil {
		return false
	}
	for _, x := range out.Floats() {
		if !(x >= 1 && x <= e.hi && x == math.Trunc(x)) {
			return false
		}
	}
	return true
}

// numbers checks each entry and converts the value to canonical form.
func (e *entryChecker) numbers(out *array.Value) *array.Value {
	if out.Bytes != nil {
		if fine, ok := e.levels(out); ok {
			return fine
		}
		out.Bytes, out.F64 = nil, out.Floats() // for the message
	}
	if out.CSR != nil && out.CSR.Bytes != nil {
		if e.sparseLevels(out.CSR) {
			out.Canonical = true
			return out
		}
		out.CSR = out.CSR.Plain() // for the message, or to be made canonical
	}
	list := out.F64
	if out.CSR != nil {
		if list = out.CSR.Value; list == nil {
			list = []float64{1} // one entry for all
			if len(out.CSR.Index) == 0 {
				list = nil
			}
		}
	}
	hole := e.hole(out.CSR)
	signs := e.in.Kind == Bool && !out.Canonical && hole < 0 && plusMinus(list)
	if e.in.Kind == Real && (out.KnownFinite() || allFinite(list)) ||
		e.in.Kind == Bool && !signs && allBits(list) {
		list = nil // all are fine
	}
	if e.in.Kind == Real && !missing(list) && (e.in.Infinite || !infinite(list)) {
		list = nil // all others are fine
	}
	for i, x := range list {
		switch {
		case x != x:
			if !e.in.Unknown && !e.in.Drawn || e.row.own != nil {
				e.bad(out, i, x, "D0131", "is missing (NaN)")
			}
		case math.IsInf(x, 0) && e.fits(x) && !e.row.whole && !e.in.Infinite:
			e.bad(out, i, x, "D0135", "is "+problem.Number(x))
		case e.row.whole && x != math.Trunc(x):
			e.bad(out, i, x, "D0133", "is "+problem.Number(x))
		case e.row.whole && !wholeNumber(x):
			e.bad(out, i, x, "D0133",
				"is "+problem.Number(x)+", from 2^53 on, where whole numbers are rounded")
		case signs:
		case !e.fits(x):
			e.bad(out, i, x, "D0130", "is "+problem.Number(x))
		}
	}
	if hole >= 0 && !e.fits(0) {
		e.count++
		e.told++
		name, row := e.indexed([]int{out.CSR.Rows, out.CSR.Cols}, hole)
		message, notes := fmt.Sprintf("%s is not stored, and so 0, but %s is %s", name,
			e.in.typeName(), e.expect()), []string(nil)
		if open := e.openAt(0); open != nil && e.row.ok(0, e.lo, e.hi) {
			message, notes = e.openEnd(name+" is not stored, and so", open)
			message = strings.Replace(message, "so is 0", "so 0", 1)
		}
		err := e.c.at(e.in, e.v, row, "D0130", message)
		err.Notes = notes
		e.c.fail(err)
	}
	if e.count > 0 {
		return out
	}
	shift := e.in.Kind == Index && e.in.From != 0 && !out.Canonical
	if signs || shift {
		if m := out.CSR; m != nil && m.Value == nil {
			list = array.Ones(len(m.Index))
		}
		fresh := make([]float64, len(list))
		for i, x := range list {
			switch {
			case signs:
				fresh[i] = max(x, 0)
			default:
				fresh[i] = x - float64(e.in.From)
			}
		}
		out.SetEntries(fresh)
	}
	out.Canonical = true
	return out
}

// allFinite reports whether all entries are finite numbers: the difference of each to itself is 0.
func allFinite(list []float64) bool {
	var a, b, c, d float64
	i := 0
	for ; i+4 <= len(list); i += 4 {
		x := list[i : i+4 : i+4]
		a += x[0] - x[0]
		b += x[1] - x[1]
		c += x[2] - x[2]
		d += x[3] - x[3]
	}
	for _, x := range list[i:] {
		a += x - x
	}
	return a+b+c+d == 0
}

// allBits reports whether all entries are 0 or 1.
func allBits(list []float64) bool {
	const one = 0x3ff << 52
	other := uint64(0) // its highest bit is set where an entry is neither; none could be predicted
	for _, x := range list {
		zero, ones := math.Float64bits(x)<<1, math.Float64bits(x)^one
		other |= (zero | -zero) & (ones | -ones)
	}
	return other>>63 == 0
}

// missing reports whether an entry is not a number.
func missing(list []float64) bool {
	for _, x := range list {
		if x != x {
			return true
		}
	}
	return false
}

// infinite reports whether an entry is ±Inf.
func infinite(list []float64) bool {
	for _, x := range list {
		if x-x != 0 && x == x {
			return true
		}
	}
	return false
}

// levels checks entries stored as bytes by their distinct values. It returns false if one of them
// is invalid.
func (e *entryChecker) levels(out *array.Value) (*array.Value, bool) {
	_, list := out.Bytes.Used()
	signs := e.in.Kind == Bool && !out.Canonical && plusMinus(list)
	for _, x := range list {
		if x != x || e.row.whole && (x != math.Trunc(x) || !wholeNumber(x)) ||
			!signs && !e.fits(x) {
			return nil, false
		}
	}
	switch {
	case signs:
		out.Bytes = out.Bytes.Map(func(x float64) float64 { return max(x, 0) })
	case e.in.Kind == Index && e.in.From != 0 && !out.Canonical:
		out.Bytes = out.Bytes.Map(func(x float64) float64 { return x - float64(e.in.From) })
	}
	out.Canonical = true
	return out, true
}

// sparseLevels reports whether the bytes of a sparse matrix are valid and canonical. It checks the
// distinct values.
func (e *entryChecker) sparseLevels(m *array.CSR) bool {
	holes := len(m.Bytes.Code) < m.Rows*m.Cols
	if e.in.Kind == Bool || e.in.Kind == Index || holes && !e.fits(0) {
		return false
	}
	_, list := m.Bytes.Used()
	for _, x := range list {
		if x != x || e.row.whole && (x != math.Trunc(x) || !wholeNumber(x)) || !e.fits(x) {
			return false
		}
	}
	return true
}

// hole returns the flat index of the first entry that a matrix does not store. It returns −1 if
// all are stored or m is nil.
func (e *entryChecker) hole(m *array.CSR) int {
	if m == nil {
		return -1
	}
	for r := range m.Rows {
		row := m.Index[m.Indptr[r]:m.Indptr[r+1]]
		if len(row) == m.Cols {
			continue
		}
		for c, j := range row {
			if int(j) != c {
				return r*m.Cols + c
			}
		}
		return r*m.Cols + len(row)
	}
	return -1
}

// plusMinus reports whether all entries are −1, +1 or missing, and at least one is −1.
func plusMinus(list []float64) bool {
	minus := false
	for _, x := range list {
		if x != 1 && x != -1 && x == x {
			return false
		}
		minus = minus || x == -1
	}
	return minus
}

// fits reports whether x is in the range of the input, and is not an end where its law has no
// finite density.
func (e *entryChecker) fits(x float64) bool { return e.row.ok(x, e.lo, e.hi) && e.openAt(x) == nil }

// openAt returns the open end that equals x; nil if there is none.
func (e *entryChecker) openAt(x float64) *OpenEnd {
	for i := range e.in.Open {
		if o := &e.in.Open[i]; o.At == x {
			return o
		}
	}
	return nil
}

// openEnd returns the message and the notes for an entry at an open end.
func (e *entryChecker) openEnd(name string, o *OpenEnd) (message string, notes []string) {
	return fmt.Sprintf("%s is %s, where %s has no finite density (%s)", name, problem.Number(o.At),
			o.Law, o.Place),
		[]string{"leave such rows out, move them inside, or give the ends a probability of their " +
			"own: rows at an end by a bernoulli, the others by " + o.Law}
}

// bad reports entry i of the stored entries of out.
func (e *entryChecker) bad(out *array.Value, i int, x float64, code, is string) {
	place := func() (string, int) { return e.entry(out, i) }
	if e.repeated(is, place) || e.told == problem.PerInput {
		return
	}
	name, row := place()
	message := fmt.Sprintf("%s %s, but %s is %s", name, is, e.in.typeName(), e.expect())
	var notes []string
	if open := e.openAt(x); code == "D0130" && open != nil && e.row.ok(x, e.lo, e.hi) {
		if message, notes = e.openEnd(name, open); e.told > 0 {
			notes = nil
		}
	}
	if code == "D0130" && e.in.Kind == Positive && x == 0 && e.told == 0 {
		notes = []string{"declare it nonnegative where 0 is a value"}
	}
	if code == "D0135" {
		message = fmt.Sprintf("%s %s, and %s holds finite numbers", name, is, e.in.typeName())
	}
	if code == "D0131" {
		message = fmt.Sprintf("%s %s, but %s has no missing values", name, is, e.in.typeName())
		if e.in.Optional {
			message = fmt.Sprintf("%s %s, and the model has no statement %s ~ … that says what "+
				"it is distributed as", name, is, e.in.Name)
		}
	}
	err := e.c.at(e.in, e.v, row, code, message)
	err.Notes = notes
	if code == "D0131" && e.row.own == nil && !e.in.Optional {
		err.Notes = []string{"declare it " + kinds[e.in.Kind].name + "? to model missing entries"}
		if e.row.whole || e.in.Kind == Bool {
			err.Notes = []string{"missing entries are modelled where data are real numbers: leave " +
				"such rows out, or give missing ones a value of their own"}
		}
		if e.told == 0 && e.c.drops && len(e.in.Shape) > 0 && e.place == nil {
			err.Notes = append(err.Notes,
				setting.Text("{na} drop leaves out the rows that have some"))
		}
	}
	if code == "D0135" && e.told == 0 {
		missing := ", or, where a modelled value is missing, NA with " + kinds[e.in.Kind].name + "?"
		if e.row.whole || e.in.Kind == Bool {
			missing = ""
		}
		err.Notes = []string{"leave the row out, write a finite number" + missing +
			"; only ends, as of truncated(…), and what is compared may be infinite"}
	}
	key := ""
	if e.in.Kind == Index {
		key = is
	}
	e.tell(err, key, "it "+is)
}

// entry returns the name of stored entry i in the shape of the file, such as x[i,j], and its row.
func (e *entryChecker) entry(out *array.Value, i int) (name string, row int) {
	shape := e.v.Shape
	if m := e.v.CSR; m != nil {
		// Both matrices have the same rows; columns count from 0 here.
		if out.CSR == nil {
			shape = out.Shape
		} else {
			for row = 0; m.Indptr[row+1] <= i; row++ {
			}
			return fmt.Sprintf("%s[%d,%d]", e.in.Name, e.v.Origin.PlaceOf(row),
				out.CSR.Index[i]), row
		}
	} else if m := out.CSR; m != nil {
		for row = 0; m.Indptr[row+1] <= i; row++ {
		}
		i = row*m.Cols + int(m.Index[i])
	}
	return e.indexed(shape, i)
}

// indexed returns the name of the entry at a flat index in the user's array, and its row in the
// value at hand.
func (e *entryChecker) indexed(shape []int, flat int) (name string, row int) {
	if e.place == nil {
		name, row = array.EntryName(e.in.Name, shape, flat)
		if number := e.v.Origin.PlaceOf(row); number != row {
			each, _ := array.Product(shape[1:])
			name, _ = array.EntryName(e.in.Name, shape, flat+(number-row)*each)
		}
		return name, row
	}
	each, _ := array.Product(shape[1:])
	path := e.place(flat / max(1, each))
	rest := flat % max(1, each)
	for _, n := range shape[1:] {
		each /= max(1, n)
		path = append(path, rest/max(1, each))
		rest %= max(1, each)
	}
	row = path[0]
	path[0] = e.v.Origin.PlaceOf(row)
	return pathText(e.in.Name, path), row
}

func (e *entryChecker) expect() string {
	switch e.in.Kind {
	case Interval:
		return fmt.Sprintf(e.row.expect, problem.Number(e.lo)+" to "+problem.Number(e.hi))
	case Index:
		if e.hi <= e.lo {
			return fmt.Sprintf("a whole number below %s, and %s is 0", e.in.Below, e.in.Below)
		}
		return fmt.Sprintf(e.row.expect, "from "+problem.Number(e.lo)+" to "+problem.Number(e.hi-1))
	}
	return e.row.expect
}
