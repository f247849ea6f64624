package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// checkFunc returns check number n of a model, and its function.
func (l *Model) checkFunc(n int, c indexCheck) (*ir.Func, model.Check) {
	f := &ir.Func{ID: fn.Check.At(n),
		Outputs: []ir.Output{{Name: "index", Value: c.v, Axes: c.v.Axes}}}
	return f, model.Check{Text: c.text, Place: c.place, Type: c.typ, Rule: c.rule, Note: c.note,
		Shape: ir.Sizes(c.v.Axes), Axis: c.n}
}

// A RowValue is a value for every row, other than its log likelihood.
type RowValue struct {
	Kind RowKind
	Of   string // the observed name or the local that the value belongs to
	ir.Output
}

// A RowKind says what a RowValue is.
type RowKind int

const (
	termValue     RowKind = iota // a term of the log density
	MeanOfSite                   // the expected value of an observed name
	ClassesOfSite                // the log probability of every class of an observed name
	PosteriorOf                  // the value that replaces a local that is integrated out
	ValueOf                      // a local that a chain draws
	seenValue                    // a term with its missing entries left out
)

// A Joint is the log density by its parts: a sum over the rows of a minibatch, and the rest.
type Joint struct {
	Dim       string // the dim of the rows; empty where the model has none
	Row, Full *ir.Axis
	Seen      *ir.Value // PerRow with missing entries left out; nil where there are none
	PerRow    *ir.Value // log likelihood of each row; nil without rows
	Rest      *ir.Value // priors, and terms that are not sums over rows
	Jacobian  *ir.Value
	Rows      []RowValue  // other values of a row, for prediction
	Parts     []ir.Output // the terms of PerRow, before they are summed over their other axes

	terms []int // indices in Model.Terms of the terms that PerRow is the sum of
}

// Joint puts the terms that run over the minibatch dim on the row axis, together with further
// values of rows.
func (l *Model) Joint(more ...RowValue) *Joint {
	// First, axes that a rename connects become one, so that a let of a whole array and the plate that
	// reads it share one axis.
	var all []RowValue
	for _, t := range l.Terms {
		all = append(all, RowValue{termValue, t.Site,
			ir.Output{Name: t.Site, Value: t.V, Axes: t.Over}})
	}
	all = append(all, l.siteOutputs()...)
	all = append(all, l.posteriorOutputs()...)
	all = append(all, more...)
	if slices.ContainsFunc(l.Terms, func(t Term) bool { return t.Seen != nil }) {
		for i := range l.Terms {
			if t := &l.Terms[i]; !t.Prior {
				all = append(all,
					RowValue{seenValue, t.Site,
						ir.Output{Name: t.Site, Value: t.Likelihood(), Axes: t.Over}})
			}
		}
	}
	f := &ir.Func{ID: fn.ID{Kind: "terms"}}
	for _, v := range all {
		f.Outputs = append(f.Outputs, v.Output)
	}
	f = ir.Unify(l.B, f)
	for i := range all {
		all[i].Output = f.Outputs[i]
	}
	j := l.split(all, l.RowDim())
	if j == nil {
		j = l.split(all, "")
	}
	j.Jacobian = l.B.Num(0)
	for _, p := range l.Params {
		j.Jacobian = l.B.Add(j.Jacobian, l.B.Sum(p.LogJ, p.Family...))
	}
	return j
}

// RowDim returns the minibatch dim. Where a chain draws locals, it is one of their plates.
func (l *Model) RowDim() string {
	if l.o.Conditionals {
		return "" // sums over all rows, of which those of data alone are computed once
	}
	for _, a := range l.Checked.Batchable {
		if slices.ContainsFunc(l.Sampled, func(z *Sampled) bool {
			return z.Axes[0].Dim != a.Name
		}) {
			continue
		}
		if l.o.RowDim == "" || a.Name == l.o.RowDim {
			return a.Name
		}
	}
	return ""
}

// split divides the terms into those of rows and the rest; nil when the rows of the dim turn out to
// be coupled.
func (l *Model) split(all []RowValue, dim string) *Joint {
	b := l.B
	j := &Joint{Dim: dim, Rest: b.Num(0)}
	if dim != "" {
		j.Row, j.Full = DimAxis(b, dim), DimAxis(b, dim)
		j.Row.Rows = true
	}
	for i, o := range all {
		isTerm := o.Kind == termValue
		prior := isTerm && l.Terms[i].Prior
		var v *ir.Value
		ok := false
		if o.Kind == seenValue {
			if dim == "" {
				continue
			}
			if v, ok, err := l.ByRow(o.Value, o.Axes, dim, j.Row, j.Full); err == nil && ok {
				if j.Seen != nil {
					v = b.Add(j.Seen, v)
				}
				j.Seen = v
			}
			continue
		}
		if dim != "" && !isTerm {
			// Predictions keep their other axes: the classes.
			if v, rest, ok, err := l.OnRows(o.Value, o.Axes, dim, j.Row, j.Full); ok && err == nil {
				j.Rows = append(j.Rows,
					RowValue{o.Kind, o.Of,
						ir.Output{Name: o.Name, Value: v,
							Axes: append([]*ir.Axis{j.Row}, rest...)}})
			}
			continue
		}
		if dim != "" && !prior {
			var err error
			if v, ok, err = l.ByRow(o.Value, o.Axes, dim, j.Row, j.Full); err != nil {
				return nil
			}
			if part, rest, _, _ := l.OnRows(o.Value, o.Axes, dim, j.Row, j.Full); ok &&
				(len(l.Sampled) > 0 || l.o.Entries) {
				j.Parts = append(j.Parts,
					ir.Output{Name: o.Name, Value: part, Axes: append([]*ir.Axis{j.Row}, rest...)})
			}
		}
		if isTerm && ok {
			j.terms = append(j.terms, i)
		}
		switch {
		case !isTerm:
		case ok && j.PerRow == nil:
			j.PerRow = v
		case ok:
			j.PerRow = b.Add(j.PerRow, v)
		default:
			j.Rest = b.Add(j.Rest, b.Sum(o.Value, o.Axes...))
		}
	}
	if dim != "" && j.PerRow == nil {
		return nil
	}
	return j
}

// State returns the blocks of the state, one for each param.
func (l *Model) State() []ir.Block {
	var out []ir.Block
	for _, p := range l.Params {
		out = append(out, ir.Block{Name: p.Name, Axes: p.yAxes()})
	}
	return out
}

// Constrain returns the function from the state to the parameters in the model's coordinates and
// the tracked values.
func (l *Model) Constrain(spec *model.Spec) *ir.Func {
	f := &ir.Func{ID: fn.Constrain.ID()}
	for _, p := range l.Params {
		f.Outputs = append(f.Outputs, ir.Output{Name: p.Name, Value: p.X, Axes: p.XAxes()})
	}
	for _, t := range l.tracks {
		f.Outputs = append(f.Outputs, ir.Output{Name: t.sym.Name, Value: t.t.v, Axes: t.t.axes})
		tr := model.Track{Name: t.sym.Name, Doc: t.sym.Doc, Shape: ir.Sizes(t.t.axes)}
		for _, s := range tr.Shape {
			n, _ := s.Name()
			tr.Dims = append(tr.Dims, n)
		}
		spec.Tracks = append(spec.Tracks, tr)
	}
	return f
}

// Unconstrain returns the inverse of Constrain. Where an end of an interval depends on other
// unknowns, it reads their given values.
func (l *Model) Unconstrain() *ir.Func {
	f := &ir.Func{ID: fn.Unconstrain.ID()}
	for _, p := range l.Params {
		f.Outputs = append(f.Outputs, ir.Output{Name: p.Name, Value: p.inverse(l), Axes: p.yAxes()})
	}
	given := map[*ir.Value]*ir.Value{}
	for _, p := range l.Params {
		given[p.X] = p.given
	}
	return ir.RewriteFunc(l.B, f,
		func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value { return given[v] })
}

// Predictions returns the functions that predict the observed names of a row.
func (l *Model) Predictions(spec *model.Spec, j *Joint) []*ir.Func {
	var funcs []*ir.Func
	find := func(kind RowKind, site string) (ir.Output, bool) {
		for _, o := range slices.Backward(j.Rows) {
			if o.Kind == kind && o.Of == site {
				return o.Output, true
			}
		}
		return ir.Output{}, false
	}
	for i, s := range l.Sites {
		if s.Name == "" || l.SiteTwice(i) {
			continue
		}
		site := model.Site{Name: s.Name, Kind: kinds[s.Type.Kind]}
		if o, ok := find(MeanOfSite, s.Name); ok && onlyAxis(o, j.Row) {
			site.Mean, site.Rows = true, true
			funcs = append(funcs, &ir.Func{ID: fn.Mean.Of(s.Name), Outputs: []ir.Output{o}})
		}
		if o, ok := find(ClassesOfSite, s.Name); ok {
			site.Classes, site.Rows = l.Size(s.Type.Below), true
			site.Alone = l.alone(j, &s)
			funcs = append(funcs, &ir.Func{ID: fn.Classes.Of(s.Name), Outputs: []ir.Output{o}})
		}
		spec.Sites = append(spec.Sites, site)
	}
	return funcs
}

// alone reports whether the log likelihood of row n is the log probability that
// a categorical site gives to entry n of its data.
func (l *Model) alone(j *Joint, s *Site) bool {
	if len(j.terms) != 1 {
		return false
	}
	t := &l.Terms[j.terms[0]]
	left := s.Left
	for left.Op == ir.OpRename {
		left = left.Args[0]
	}
	return t.Site == s.Name && t.Seen == nil && left.Op == ir.OpData && left.Name == s.Name &&
		len(left.Axes) == 1
}

func onlyAxis(o ir.Output, a *ir.Axis) bool { return len(o.Axes) == 1 && o.Axes[0] == a }

// siteOutputs returns the values from which a row's observed names are predicted: the expected
// value and, for a category, the log probability of each class.
func (l *Model) siteOutputs() []RowValue {
	var out []RowValue
	for i := range l.Sites {
		s := &l.Sites[i]
		if s.Name == "" || l.SiteTwice(i) || l.ReadsCollapsed(s.Dist) != nil {
			continue
		}
		l.Quietly(func() {
			if s.Dist.HasMean() {
				if mean := l.Expected(s.Dist.Line("mean", nil), false); mean != nil {
					out = append(out,
						RowValue{MeanOfSite, s.Name,
							ir.Output{Name: fn.Mean.Of(s.Name).String(), Value: mean,
								Axes: s.Over}})
				}
			}
		})
		if s.Type.Kind == types.Index {
			l.Quietly(func() {
				k := l.B.Axis("k", l.Size(s.Type.Below))
				if classes := l.Expected(s.Dist.LogPDF(l.B.Iota(k)), true); classes != nil {
					out = append(out,
						RowValue{ClassesOfSite, s.Name,
							ir.Output{Name: fn.Classes.Of(s.Name).String(), Value: classes,
								Axes: append(append([]*ir.Axis{}, s.Over...), k)}})
				}
			})
		}
	}
	return out
}

func (l *Model) SiteTwice(i int) bool {
	for j := range l.Sites {
		if j != i && l.Sites[j].Name == l.Sites[i].Name {
			return true
		}
	}
	return false
}

// Quietly runs f and discards its diagnostics.
func (l *Model) Quietly(f func()) {
	n := len(l.Diags)
	l.Try(f)
	l.Diags = l.Diags[:n]
}
