package model

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/kernel"
	"github.com/sgppl/sgppl/runtime/size"

	"github.com/sgppl/sgppl/runtime/data"
)

// checkIndices evaluates the indices that are computed from data and reports
// the first of each that leaves its axis.
func (m *Model) checkIndices(bound *data.Bound) error {
	for i, c := range m.Spec.Checks {
		f := m.code.Func(fmt.Sprintf("check %d", i), m.Dims, 0)
		frame := &Frame{Out: make([]float64, product(c.Shape, m.Dims))}
		for k := range m.Spec.Data {
			var dense []float64
			var rows kernel.Rows
			if d := &m.Spec.Data[k]; !d.Derived && !d.Rows {
				if err := read(bound, d, &dense, &rows); err != nil {
					return err
				}
			}
			frame.Dense, frame.Sparse = append(frame.Dense, dense), append(frame.Sparse, rows)
		}
		f.Prepare(frame)
		f.Finish(frame)
		n := product([]size.Poly{c.Axis}, m.Dims)
		for k, x := range frame.Out {
			if !(x >= 0) && c.Rule != "" {
				return fmt.Errorf("%s: entry %d of %s: %s", c.Place, k, c.Text, c.Rule)
			}
			if !(x >= 0 && x < float64(n)) && c.Type != "" {
				return fmt.Errorf("%s: entry %d of %s is outside its type %s", c.Place, k, c.Text, c.Type)
			}
			if !(x >= 0 && x < float64(n)) {
				return &IndexError{Text: c.Text, Place: c.Place, Entry: k, Value: x, Size: n, Axis: c.Axis.String()}
			}
		}
	}
	return nil
}

// An IndexError is an index, computed from data, that leaves its axis.
type IndexError struct {
	Text, Place string
	Entry       int // which entry of the index, counted in row-major order
	Value       float64
	Size        int
	Axis        string
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("%s: the index %s is %v in entry %d, and the axis %s has %d places, counted from 0", e.Place, e.Text, e.Value, e.Entry, e.Axis, e.Size)
}

// checkRanges refuses plates and comprehensions of a negative length, and
// arrays laid out anew in more or fewer entries than they have, and types that
// have no value of their size.
func (m *Model) checkRanges() error {
	for _, p := range m.Spec.Params {
		for _, s := range p.Shape[len(p.Points):] {
			if n, ok := s.Eval(m.Dims); ok && n < 1 {
				return fmt.Errorf("a %s of size %s = %d has no value: the param %s", p.Support, s, n, p.Name)
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
		if ok && n != 0 && r.Zero {
			return fmt.Errorf("%s: %s has %s = %d entries more than it needs with this data", r.Place, r.Text, r.Size, n)
		}
		if ok && n < 0 {
			return fmt.Errorf("%s: the index runs over %s, which is %s = %d long with this data", r.Place, r.Text, r.Size, n)
		}
	}
	return nil
}
