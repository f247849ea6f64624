package codegen

// apiText is model.go of a package, behind its types of data and parameters. Parts between
// marks are for models that have what they are about.
const apiText = `
// A Model is the model bound to data. It is immutable, and may be used by
// several goroutines at once.
type Model struct {
	bound *model.Model
	eval  typed.Evaluators
//[new
	data  *data.Bound
//new]
}

// New checks the data against the declarations of the model and binds them.
func New(d Data) (*Model, error) {
	s := spec()
	inputs, err := d.inputs().Bind(&s.Schema)
	if err != nil {
		return nil, err
	}
	return bind(s, inputs)
}

// Open reads the data from files, as the flag --data of the command sgppl does: a file whose
// fields or columns have the names of the model, as json or csv, or NAME=FILE[:FIELD] for one
// of them. note, unless it is nil, is told what was noticed that is no error.
func Open(note func(string), files ...string) (*Model, error) {
	s := spec()
	inputs, err := typed.Read(&s.Schema, note, files)
	if err != nil {
		return nil, err
	}
	return bind(s, inputs)
}

func bind(s *model.Spec, inputs *data.Bound) (*Model, error) {
	bound, err := model.New(s, code{}, inputs, nil)
	if err != nil {
		return nil, err
	}
	m := &Model{bound: bound, eval: typed.NewEvaluators(bound)}
//[new
	m.data = inputs
//new]
	return m, nil
}

// Dim is the length of the state: the unknowns in the coordinates that
// samplers move in, without constraints.
func (m *Model) Dim() int { return m.bound.Dim() }

// Target is the model as the samplers of the runtime see it.
func (m *Model) Target() target.Target { return m.bound }

// Pack maps parameters to a state, of length Dim. It fails where one has another shape than
// the model's or lies outside its support.
func (m *Model) Pack(p Params) ([]float64, error) { return typed.Pack(m.bound, p.fields()) }

// Unpack maps a state, of length Dim, to parameters.
func (m *Model) Unpack(x []float64) (Params, error) {
	var p Params
	err := m.eval.Unpack(x, p.fields())
	return p, err
}

//[density
// LogDensity returns the log of the joint density of data and parameters, on
// the model's own scale.
func (m *Model) LogDensity(p Params) (float64, error) {
	x, err := m.Pack(p)
	if err != nil {
		return 0, err
	}
	var f float64
	m.eval.Do(func(e target.Evaluator) { f = e.LogDensity(x, nil, 1, 0) })
	return f, nil
}

//density]
//[prior
// LogPrior is LogDensity without the rows of {{row}}: the prior, and the terms of
// the likelihood that belong to no row.
func (m *Model) LogPrior(p Params) (float64, error) {
	x, err := m.Pack(p)
	if err != nil {
		return 0, err
	}
	var f float64
	m.eval.Do(func(e target.Evaluator) { f = e.LogDensity(x, []int{}, 1, 0) })
	return f, nil
}

//prior]
//[loglik
// LogLik returns the log likelihood of each row of {{row}}.
func (m *Model) LogLik(p Params) ([]float64, error) {
	x, err := m.Pack(p)
	if err != nil {
		return nil, err
	}
	out := make([]float64, m.bound.Rows())
	m.eval.Do(func(e target.Evaluator) { e.LogLik(x, nil, out) })
	return out, nil
}

//loglik]
//[density
// Grad returns the log density at a state, of length Dim, and writes its gradient into grad,
// which has the same length. It is the density that samplers see, that of the state: with the
// log-Jacobian of the map to the model's own scale. To take a gradient over a minibatch, or
// many without allocation, use an evaluator of Target.
func (m *Model) Grad(x, grad []float64) (float64, error) { return m.eval.Grad(x, grad) }

//density]
`
