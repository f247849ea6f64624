package model

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// Checks are the conditions on sizes, and the checks of indices computed from data,
// of a model. Each is held as soon as what it reads is there, and once.
type Checks struct {
	spec *Spec
	code Code
	dims map[string]int
	done []bool
}

// NewChecks makes the checks of a model for sizes. It refuses sizes that break a
// condition.
func NewChecks(spec *Spec, code Code, dims map[string]int) (*Checks, error) {
	if err := (&Model{Spec: spec, Dims: dims}).checkRanges(false); err != nil {
		return nil, err
	}
	return newChecks(spec, code, dims), nil
}

func newChecks(spec *Spec, code Code, dims map[string]int) *Checks {
	return &Checks{spec, code, dims, make([]bool, len(spec.Checks))}
}

// Hold evaluates the indices that are computed from the data that are bound so far, and
// reports the first of each that leaves its axis.
func (m *Checks) Hold(bound *data.Bound) error {
	for i := range m.spec.Checks {
		c := &m.spec.Checks[i]
		if m.done[i] || slices.ContainsFunc(c.Reads,
			func(name string) bool { return bound.Value(name) == nil }) {
			continue
		}
		m.done[i] = true
		f := m.code.Func(fn.Check.At(i).String(), m.dims, 0)
		frame := &Frame{Out: make([]float64, product(c.Shape, m.dims))}
		for k := range m.spec.Data {
			var dense []float64
			var rows kernel.Rows
			if d := &m.spec.Data[k]; slices.Contains(c.Reads, d.Name) && !d.Derived && !d.Rows {
				if err := read(bound, d, &dense, &rows); err != nil {
					return err
				}
			}
			frame.Dense, frame.Sparse = append(frame.Dense, dense), append(frame.Sparse, rows)
		}
		f.Prepare(frame)
		f.Finish(frame)
		n := product([]size.Poly{c.Axis}, m.dims)
		for k, x := range frame.Out {
			if !(x >= 0) && c.Rule != "" {
				return c.broken(k, x)
			}
			if !(x >= 0 && x < float64(n)) && c.Type != "" {
				return fmt.Errorf("%s: entry %d of %s is outside its type %s", c.Place, k, c.Text, c.Type)
			}
			if !(x >= 0 && x < float64(n)) {
				return &IndexError{Text: c.Text, Place: c.Place, Entry: k, Value: x, Size: n,
					Axis: c.Axis.String(), Note: c.Note}
			}
		}
	}
	return nil
}

// rest is Hold of data that are all there: none is left out.
func (m *Checks) rest(bound *data.Bound) error {
	if err := m.Hold(bound); err != nil {
		return err
	}
	for i, done := range m.done {
		if !done {
			return fmt.Errorf("%s: %s cannot be checked: an input is missing of %s",
				m.spec.Checks[i].Place, m.spec.Checks[i].Text,
				strings.Join(m.spec.Checks[i].Reads, ", "))
		}
	}
	return nil
}

// broken says that entry k, which is x, breaks the rule of a check. A rule of
// rows tells the length of the row n by −1 − n.
func (c *Check) broken(k int, x float64) error {
	text := fmt.Sprintf("%s: entry %d of %s: %s", c.Place, k, c.Text, c.Rule)
	if strings.Contains(c.Rule, "%d") {
		text = fmt.Sprintf("%s: in %s, %s (entry %d)", c.Place, c.Text,
			fmt.Sprintf(c.Rule, int(-1-x)), k)
	}
	if c.Note != "" {
		text += "; " + c.Note
	}
	return errors.New(text)
}

// An IndexError is an index, computed from data, that leaves its axis.
type IndexError struct {
	Text, Place string
	Entry       int // which entry of the index, counted in row-major order
	Value       float64
	Size        int
	Axis        string
	Note        string
}

func (e *IndexError) Error() string {
	axis := e.Axis
	if axis != strconv.Itoa(e.Size) {
		axis += " = " + strconv.Itoa(e.Size)
	}
	text := fmt.Sprintf("%s: the index %s is %v in entry %d, and the axis has %s entries, "+
		"counted from 0", e.Place, e.Text, e.Value, e.Entry, axis)
	if e.Note != "" {
		text += "; " + e.Note
	}
	return text
}

// A SizeError says that sizes break a condition of the model, whatever the data are.
type SizeError struct{ text string }

func (e *SizeError) Error() string { return e.text }

// checkRanges refuses plates and comprehensions of a negative length, and
// arrays laid out anew in more or fewer entries than they have, types that
// have no value of their size, and indices and slices that run out of their axes.
// A page of a stream has some of the rows, so the last are not held against its sizes.
func (m *Model) checkRanges(page bool) error {
	if err := m.ranges(page); err != nil {
		return &SizeError{err.Error()}
	}
	return nil
}

// ranges is checkRanges except for the type of the error.
func (m *Model) ranges(page bool) error {
	for _, p := range m.Spec.Params {
		for _, s := range p.Shape[len(p.Points):] {
			if n, ok := s.Eval(m.Dims); ok && n < 1 {
				return fmt.Errorf("a %s of size %s = %d has no value: the param %s", p.Support, s,
					n, p.Name)
			}
		}
	}
	if c := m.Spec.Chain; c != nil {
		for _, k := range c.Links {
			for _, s := range k.Sizes {
				if n, ok := s.Eval(m.Dims); ok && n < 1 {
					return fmt.Errorf("%s of size %s = %d has no value: the local %s", k.Type, s, n, k.Name)
				}
			}
		}
	}
	for _, r := range m.Spec.Ranges {
		n, ok := r.Size.Eval(m.Dims)
		if ok && r.Of != "" {
			if page {
				continue // sizes of some rows, and the functions are told those of all
			}
			if err := r.inside(n, m.Dims, &m.Spec.Schema); err != nil {
				return err
			}
			continue
		}
		if ok && n != 0 && r.Zero {
			return fmt.Errorf("%s: %s has %s = %d entries more than it needs with this data",
				r.Place, r.Text, r.Size, n)
		}
		if ok && n < 0 {
			return fmt.Errorf("%s: the index runs over %s, which is %s = %d long with this data",
				r.Place, r.Text, r.Size, n)
		}
	}
	return nil
}

// inside refuses n entries from From on that are not all on the axis.
func (r *Range) inside(n int, dims map[string]int, schema *data.Schema) error {
	from, ok := r.From.Eval(dims)
	axis, ok2 := r.Axis.Eval(dims)
	if !ok || !ok2 || from >= 0 && n >= 0 && from <= axis-n {
		return nil
	}
	var what string
	switch {
	case n < 0:
		what = fmt.Sprintf("has %s = %d entries", r.Size, n)
	case n == 0:
		what = fmt.Sprintf("begins at %d", from)
	case n == 1:
		what = fmt.Sprintf("is %d", from)
	default:
		what = fmt.Sprintf("runs from %d to %d", from, from+n-1)
	}
	length := r.Axis.String()
	if _, fixed := r.Axis.Number(); !fixed {
		length += " = " + strconv.Itoa(axis)
	}
	has := "the axis has %s entries"
	ragged := func(name string) bool {
		d := schema.Dim(name)
		return d != nil && d.Of != ""
	}
	if slices.ContainsFunc(r.Axis.Dims(), ragged) {
		// the axis has padding, at least where all rows are empty
		has = "a row has at most %s entries"
	}
	text := fmt.Sprintf("%s: in %s, %s %s, and "+has+", counted from 0", r.Place, r.Of, r.Text,
		what, length)
	if r.Text == strconv.Itoa(from) && n == 1 {
		text = fmt.Sprintf("%s: there is no %s: "+has+", counted from 0", r.Place, r.Of, length)
	}
	var met []string
	for _, d := range r.From.Add(r.Size).Add(r.From).Add(r.Axis).Dims() {
		if name, one := r.Axis.Name(); !one || name != d {
			met = append(met, fmt.Sprintf("%s = %d", d, dims[d]))
		}
	}
	if met != nil {
		text += ", with " + strings.Join(met, ", ")
	}
	if r.Note != "" {
		text += "; " + r.Note
	}
	return errors.New(text)
}
