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

// A Model is a compiled model bound to data. It implements target.Target and is immutable.
type Model struct {
	Spec *Spec
	Dims map[string]int
	// Constants are the derived values without a row axis, such as mean(income). score and predict
	// reuse the constants of the fitted run.
	Constants map[string][]float64
	// HeldOut is the same model bound to rows that are not fitted. It is used for predictive scores
	// during a run; nil if there are none. It must be set before the run starts.
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
	block  int // the number of rows that a function processes at a time

	observed map[string]*array.Value // by name of the site

	streamed *streamed // the state shared by pages, for streamed rows; otherwise nil
	all      int       // the number of all rows, for streamed rows
}

// A storage holds the values of Spec.Data, by index.
type storage struct {
	full   [][]float64   // the row axis is the first
	sparse []kernel.Rows // the row axis is the first
	single single        // the values in single precision, if Spec.Single
	// cells holds outputs of the function derive that are stored without padding, by name.
	cells map[string]*array.Packed
	// columns holds the data with a row axis; nil for other data and for data that evaluators fill.
	columns []column.Column
	doubles []column.Column // the columns in double precision, if Spec.Single
	// wide returns the numbers of a column that full and sparse lack: an array, or sparse rows.
	wide []func() ([]float64, kernel.Rows)
}

// New binds a model's functions to validated data. The values in constants, which may be nil,
// replace derived values of the same name. It returns an error if the data violate a condition or
// check of the model.
func New(spec *Spec, code Code, bound *data.Bound, constants map[string][]float64) (*Model, error) {
	return bind(spec, code, bound, constants, false)
}

// Rebind binds the functions of a model to other data; see New.
func (m *Model) Rebind(bound *data.Bound, constants map[string][]float64) (*Model, error) {
	return New(m.Spec, m.code, bound, constants)
}

// bind is New, with page set for a page of a stream.
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

// derive computes the values that depend on inputs only: first the constants, then the derived
// columns, which read the constants.
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

// compute runs a function of the inputs and of the known values. It adds the outputs to known.
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

// Lengths returns the sum of the lengths of the rows along each ragged dim, such as T of dim T(N),
// by the name of the dim. It returns nil if no dim is ragged or if the rows are streamed.
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

// Observed returns the values of an observed name in row-major order. It returns nil if there are
// none.
func (m *Model) Observed(site string) []float64 {
	v := m.observed[site]
	if v == nil {
		return nil
	}
	return v.Floats()
}

// Frame returns a frame with the data that a function without a row axis reads. The caller sets X
// and Out. Every call returns a new frame. For a model in single precision, data with a row axis
// are missing unless statistics read them.
func (m *Model) Frame() *Frame {
	f := &Frame{Dense: slices.Clone(m.full), Sparse: slices.Clone(m.sparse)}
	for i, wide := range m.wide { // all of it: such functions read whole arrays
		if wide != nil {
			f.Dense[i], f.Sparse[i] = wide()
		}
	}
	return f
}
