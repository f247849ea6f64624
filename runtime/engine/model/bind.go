package model

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model/column"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Model is a compiled model bound to data: a target. It is immutable.
type Model struct {
	Spec *Spec
	Dims map[string]int
	// Constants are the derived values without row axis, such as mean(income):
	// score and predict reuse those of the fitted run.
	Constants map[string][]float64
	// HeldOut is the same model bound to rows that are not fitted, for a running
	// predictive; nil without. Whoever binds both sets it, before anything runs.
	HeldOut *Model

	code    Code
	dim     int
	outLen  int
	blocks  []target.Block
	outputs []target.Output
	storage
	totals *totals
	equal  *distinctRows
	rows   int
	block  int // rows that a function takes at a time

	observed map[string]*array.Value // by name of the site

	streamed *streamed // of a model whose rows come by pages; nil of others
	all      int       // how many rows it has then
}

// storage has the numbers of Spec.Data, by index.
type storage struct {
	full   [][]float64   // row axis first
	sparse []kernel.Rows // likewise
	single single        // the same in single precision, where Spec.Single
	// of what derive computed, rows that stay without their padding, by name
	cells map[string]*array.Packed
	// what has rows; nil of others, and of what evaluators fill
	columns []column.Column
	doubles []column.Column    // the same in double precision, where Spec.Single
	wide    []func() []float64 // likewise, the numbers of columns that full and sparse do not have
}

// New binds a model's functions to validated data. constants, which may be
// nil, replace derived values of the same name.
func New(spec *Spec, code Code, bound *data.Bound, constants map[string][]float64) (*Model, error) {
	return bind(spec, code, bound, constants, false)
}

// Rebind binds the functions of a model to other data; see New.
func (m *Model) Rebind(bound *data.Bound, constants map[string][]float64) (*Model, error) {
	return New(m.Spec, m.code, bound, constants)
}

// bind is New, also for a page of a stream.
func bind(
	spec *Spec, code Code, bound *data.Bound, constants map[string][]float64, page bool,
) (*Model, error) {
	m := &Model{Spec: spec, Dims: entryDims(spec, bound), code: code,
		totals: &totals{}, equal: &distinctRows{}, Constants: map[string][]float64{},
		storage: storage{cells: map[string]*array.Packed{}}}
	if spec.Chain != nil {
		m.Dims = chainDims(m.Dims, target.LocalOptions{}.Filled())
	}
	m.block = spec.blockRows(m.Dims)
	if err := m.checkRanges(page); err != nil {
		return nil, err
	}
	checks := newChecks(spec, code, m.Dims)
	bound, err := withDefaults(spec, code, bound, checks.Hold)
	if err != nil {
		return nil, err
	}
	m.observed = map[string]*array.Value{}
	for _, s := range spec.Sites {
		m.observed[s.Name] = bound.Values[s.Name]
	}
	for _, p := range spec.Params {
		n := p.StateLen(m.Dims)
		geometry := target.Geometry{Kind: p.Geometry, Points: product(p.Points, m.Dims), Dim: 1}
		switch own := size.Shape(p.State[len(p.Points):], m.Dims); len(own) {
		case 2:
			geometry.Dim, geometry.Cols = own[0], own[1]
		case 1:
			geometry.Dim = own[0]
		}
		if n > 0 {
			m.blocks = append(m.blocks,
				target.Block{Name: p.Name, Offset: m.dim, Len: n, Geometry: geometry})
		}
		m.dim += n
		m.output(target.Output{Name: p.Name, Doc: p.Doc, Dims: p.Dims,
			Shape: size.Shape(p.Shape, m.Dims)})
	}
	for _, t := range spec.Tracks {
		m.output(target.Output{Name: t.Name, Doc: t.Doc, Dims: t.Dims,
			Shape: size.Shape(t.Shape, m.Dims), Track: true})
	}
	if spec.RowDim != "" {
		m.rows = m.Dims[spec.RowDim]
	}
	if err := checks.rest(bound); err != nil {
		return nil, err
	}
	derived, err := m.derive(bound, constants)
	if err != nil {
		return nil, err
	}
	return m, m.load(bound, derived)
}

func (m *Model) output(o target.Output) {
	o.Len = 1
	for _, n := range o.Shape {
		o.Len *= n
	}
	o.Offset = m.outLen
	m.outLen += o.Len
	m.outputs = append(m.outputs, o)
}

// derive computes, once, what depends on inputs alone: first the constants,
// then the columns, which read them.
func (m *Model) derive(
	bound *data.Bound, fixed map[string][]float64,
) (map[string][]float64, error) {
	known := map[string][]float64{}
	for _, d := range m.Spec.Given {
		x, ok := fixed[d.Name]
		if n := product(d.Shape, m.Dims); !ok || len(x) != n {
			return nil, fmt.Errorf("the run's %s has %d numbers, this data wants %d", d.Name,
				len(x), n)
		}
		known[d.Name] = x
	}
	for _, d := range m.Spec.Latent {
		known[d.Name] = make([]float64, product(d.Shape, m.Dims))
	}
	if err := m.compute(fn.Constants, m.Spec.Constants, bound, known); err != nil {
		return nil, err
	}
	for _, d := range m.Spec.Constants {
		name, x := d.Name, known[d.Name]
		if given, ok := fixed[name]; ok {
			if len(given) != len(x) {
				return nil, fmt.Errorf("the run's %s has %d numbers, this data wants %d", name,
					len(given), len(x))
			}
			known[name] = given
		}
		m.Constants[name] = known[name]
	}
	return known, m.compute(fn.Derive, m.Spec.Derived, bound, known)
}

// compute runs a function of inputs and of what is known so far, and adds its
// outputs to the latter.
func (m *Model) compute(
	function fn.Kind, outputs []Datum, bound *data.Bound, known map[string][]float64,
) error {
	if len(outputs) == 0 {
		return nil
	}
	if function == fn.Derive && m.Spec.Apart && m.rows > m.block {
		return m.computeApart(function, outputs, bound, known)
	}
	total := 0
	for _, d := range outputs {
		total += product(d.Shape, m.Dims)
	}
	f := m.code.Func(string(function), m.Dims, 0)
	frame := &Frame{Out: make([]float64, total)}
	for i := range m.Spec.Data {
		d := &m.Spec.Data[i]
		frame.Dense, frame.Sparse = append(frame.Dense, known[d.Name]),
			append(frame.Sparse, kernel.Rows{})
		if d.Derived || d.Rows || d.Filled || m.streamed != nil && bound.Value(d.Name) == nil {
			continue // of rows that are not there, nothing is computed
		}
		if err := read(bound, d, &frame.Dense[i], &frame.Sparse[i]); err != nil {
			return err
		}
	}
	f.Prepare(frame)
	f.Finish(frame)
	at := 0
	for _, d := range outputs {
		n := product(d.Shape, m.Dims)
		known[d.Name] = frame.Out[at : at+n : at+n]
		at += n
	}
	return nil
}

func (m *Model) Name() string             { return m.Spec.Name }
func (m *Model) Dim() int                 { return m.dim }
func (m *Model) Blocks() []target.Block   { return m.blocks }
func (m *Model) Outputs() []target.Output { return m.outputs }
func (m *Model) OutputLen() int           { return m.outLen }
func (m *Model) RowAxis() string          { return m.Spec.RowDim }

// Rows implements target.Target.
func (m *Model) Rows() int {
	if m.streamed != nil {
		return m.all
	}
	return m.rows
}

// Lengths are the sums of the lengths of the rows along their ragged dims, such
// as T of dim T(N), by the dim's name; nil where rows have none, or are not all there.
func (m *Model) Lengths() map[string]int {
	var out map[string]int
	if m.streamed != nil {
		return nil
	}
	for i, x := range m.Spec.Data {
		for _, d := range m.Spec.Schema.Dims {
			if d.Of == "" || d.Of != m.Spec.RowDim || x.Name != data.LengthsOf(d.Name) ||
				len(m.full[i]) != m.rows {
				continue
			}
			total := 0.0
			for _, n := range m.full[i] {
				total += n
			}
			if out == nil {
				out = map[string]int{}
			}
			out[d.Name] = int(total)
		}
	}
	return out
}

// Observed are the values of an observed name, row-major; nil where there are
// none, or sparse ones.
func (m *Model) Observed(site string) []float64 {
	v := m.observed[site]
	if v == nil {
		return nil
	}
	return v.Floats()
}

// Frame is what a function without row axis sees of the data: the caller sets
// X, the state, and Out. Every caller has its own. Of a model in single precision
// it lacks data by row, unless statistics read them.
func (m *Model) Frame() *Frame {
	f := &Frame{Dense: slices.Clone(m.full), Sparse: slices.Clone(m.sparse)}
	for i, wide := range m.wide { // all of it: such functions read whole arrays
		switch {
		case wide == nil:
		case m.Spec.Data[i].Sparse:
			f.Sparse[i].Value = wide()
		default:
			f.Dense[i] = wide()
		}
	}
	return f
}
