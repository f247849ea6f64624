package codegen

// rowsText is rows.go of a package whose rows have a likelihood or expected values.
const rowsText = `
// Rows are new rows of {{row}}, bound to the model. They may be used by several goroutines at
// once.
type Rows struct{ rows *typed.Rows }

// NewRows checks new rows of {{row}} and binds them. Of d it reads what has the axis {{row}};
// all else, and sizes of parameters, are those of the data of New.
//[optional
// Without observed values ({{optional}}) there are predictions, but no likelihoods.
//optional]
func (m *Model) NewRows(d Data) (*Rows, error) {
	r, err := typed.NewRows(m.bound, m.data, d.inputs(), {{names}})
	if err != nil {
		return nil, err
	}
	return &Rows{r}, nil
}

// Len is the number of rows.
func (r *Rows) Len() int { return r.rows.Len() }

//[loglik
// LogLik returns the log likelihood of each row at parameters.
func (r *Rows) LogLik(p Params) ([]float64, error) { return r.rows.LogLik(p.fields()) }

// LogLik returns, for each row, the log of its mean likelihood over all draws: the log of its
// predictive density.
func (p *Posterior) LogLik(rows *Rows) ([]float64, error) { return p.set.LogLik(rows.rows) }

//loglik]
//[sites
// Predicted is what is expected of rows whose observed values are not looked at.
type Predicted {{predicted}}

func (p *Predicted) fields() []any { return {{fields}} }

// Predict returns what parameters say of the rows.
func (r *Rows) Predict(p Params) (Predicted, error) {
	var out Predicted
	err := r.rows.Predict(p.fields(), out.fields())
	return out, err
}

// Predict returns the means over all draws of what each says of the rows.
func (p *Posterior) Predict(rows *Rows) (Predicted, error) {
	var out Predicted
	err := p.set.Predict(rows.rows, out.fields())
	return out, err
}

// Expect is Predict of rows that NewRows takes.
func (p *Posterior) Expect(d Data) (Predicted, error) {
	rows, err := p.m.NewRows(d)
	if err != nil {
		return Predicted{}, err
	}
	return p.Predict(rows)
}

//sites]
`
