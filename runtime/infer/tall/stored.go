package tall

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// MarshalJSON writes the fields of the plan in their order; numbers that are not finite
// are null.
func (p Plan) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	v := reflect.ValueOf(p)
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if option == "omitempty" && v.Field(i).IsZero() {
			continue
		}
		text, err := []byte("null"), error(nil)
		if x := v.Field(i); x.Kind() != reflect.Float64 || special.Finite(x.Float()) {
			if text, err = json.Marshal(x.Interface()); err != nil {
				return nil, err
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(append(out, '"'), name...), '"', ':'), text...)
	}
	return append(out, '}'), nil
}

// setupLabel returns the header of a stored set-up.
func setupLabel() loop.Label { return loop.Label{Magic: "sgpplst2"} }

// MarshalBinary returns all that a run needs of the set-up: a run in another process that reads it
// has the same draws.
func (s *Setup) MarshalBinary() ([]byte, error) {
	plan, err := json.Marshal(&s.Plan)
	if err != nil {
		return nil, err
	}
	c := *s
	return loop.Seal(nil, setupLabel(), func(d *loop.Codec) { c.walk(d, &plan) }), nil
}

// UnmarshalBinary reads the result of MarshalBinary.
func (s *Setup) UnmarshalBinary(b []byte) error {
	var plan []byte
	out := &Setup{}
	if problem := loop.Unseal(b, setupLabel(),
		func(d *loop.Codec) { out.walk(d, &plan) }); problem != "" {
		return fmt.Errorf("the set-up: %s", problem)
	}
	out.sizes = pick.EvenSizes(out.Plan.Rows)
	if out.class != nil {
		out.sizes = pick.NewSizes(out.class, out.Plan.Batch)
	}
	*s = *out
	return nil
}

// walk reads or writes the text of the plan and the numbers of the set-up.
func (s *Setup) walk(d *loop.Codec, plan *[]byte) {
	bytesOf(d, plan)
	if d.Reading() {
		if json.Unmarshal(*plan, &s.Plan) != nil || s.Plan.Dim < 0 {
			spoil(d)
			return
		}
		n := s.Plan.Dim
		s.white = &whitening.Map{Mean: make([]float64, n)}
		s.anchor = &control.Anchor{X: make([]float64, n)}
		s.noise = &Noise{}
	}
	walkMap(d, s.white)
	d.Floats(s.anchor.X)
	floatsOf(d, &s.anchor.Rows)
	floatsOf(d, &s.middle)
	bytesOf(d, &s.class)
	floatsOf(d, &s.noise.Matrix)
	floatsOf(d, &s.noise.Diag)
	d.Float(&s.noise.Square)
	d.Float(&s.noise.Radial)
	d.Float(&s.noise.Own)
	count := int64(len(s.starts))
	if d.Int(&count); d.Reading() {
		if count < 0 || count > int64(d.Left()) {
			spoil(d)
			return
		}
		s.starts = nil
	}
	for k := range count {
		if d.Reading() {
			s.starts = append(s.starts, nil)
		}
		if !floatsOf(d, &s.starts[k]) {
			return
		}
	}
}

// walkMap reads or writes a map whose size is stored with it.
func walkMap(d *loop.Codec, w *whitening.Map) {
	d.Floats(w.Mean)
	floatsOf(d, &w.Chol)
	floatsOf(d, &w.Diag)
}

// floatsOf reads or writes a list of numbers after its length; an empty list is nil. It returns
// false if the length is impossible.
func floatsOf(d *loop.Codec, x *[]float64) bool {
	n := int64(len(*x))
	if d.Int(&n); d.Reading() {
		if n < 0 || n > int64(d.Left()) {
			spoil(d)
			return false
		}
		*x = nil
		if n > 0 {
			*x = make([]float64, n)
		}
	}
	d.Floats(*x)
	return true
}

// spoil reads past the end, so that Unseal reports damaged data.
func spoil(d *loop.Codec) {
	for d.Left() > 0 {
		d.Word(0)
	}
	d.Word(0)
}

// bytesOf reads or writes bytes after their number, eight in a word; an empty list is nil.
func bytesOf(d *loop.Codec, b *[]byte) {
	n := int64(len(*b))
	if d.Int(&n); d.Reading() {
		if n < 0 || n > 8*int64(d.Left()) {
			spoil(d)
			return
		}
		*b = nil
		if n > 0 {
			*b = make([]byte, n)
		}
	}
	for at := 0; at < len(*b); at += 8 {
		part := (*b)[at:min(at+8, len(*b))]
		word := uint64(0)
		for i, x := range part {
			word |= uint64(x) << (8 * i)
		}
		word = d.Word(word)
		for i := range part {
			part[i] = byte(word >> (8 * i))
		}
	}
}
