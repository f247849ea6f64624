package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// specOf describes the inputs and unknowns.
func (l *lowerer) specOf() *model.Spec {
	spec := &model.Spec{Doc: l.model.File.Doc, Text: l.model.File.Source.Text}
	spec.Schema = l.schema()
	for _, p := range l.params {
		spec.Params = append(spec.Params, p.spec())
	}
	return spec
}

// checkFunc is a check and its function, the n-th of a model.
func (l *lowerer) checkFunc(n int, c indexCheck) (*ir.Func, model.Check) {
	f := &ir.Func{ID: fn.Check.At(n), Outputs: []ir.Output{{Name: "index", Value: c.v, Axes: c.v.Axes}}}
	return f, model.Check{Text: c.text, Place: c.place, Type: c.typ, Rule: c.rule, Note: c.note, Shape: ir.Sizes(c.v.Axes), Axis: c.n}
}

// A RowValue is a value of every row besides its log likelihood.
type RowValue struct {
	Kind RowKind
	Of   string // the observed name or the local
	ir.Output
}

// A RowKind is what a value of a row is.
type RowKind int

const (
	termValue     RowKind = iota // a term of the log density
	MeanOfSite                   // the expected value of an observed name
	ClassesOfSite                // the log probability of every class of it
	PosteriorOf                  // what stands for a local that is integrated out
	ValueOf                      // a local that a chain draws
	seenValue                    // a term without entries that are missing
)

// A Joint is the log density by its parts, on the rows of a minibatch.
type Joint struct {
	Dim       string // the dim of the rows; empty where the model has none
	Row, Full *ir.Axis
	Seen      *ir.Value // PerRow without missing entries; nil where there are none
	PerRow    *ir.Value // log likelihood of each row; nil without rows
	Rest      *ir.Value // priors, and terms that do not go by row
	Jacobian  *ir.Value
	Rows      []RowValue  // other values of a row, for prediction
	Parts     []ir.Output // the terms of PerRow, before they are summed over their other axes

	terms []int // of the lowerer, those that PerRow is the sum of
}

// joint puts the terms that run over the minibatch dim on the row axis.
func (l *lowerer) joint() *Joint {
	// First every axis that a rename joins becomes one: a let of a whole array
	// and the plate that reads it then share theirs.
	var all []RowValue
	for _, t := range l.terms {
		all = append(all, RowValue{termValue, t.site, ir.Output{Name: t.site, Value: t.v, Axes: t.over}})
	}
	all = append(all, l.siteOutputs()...)
	all = append(all, l.posteriorOutputs()...)
	all = append(all, l.valueOutputs()...)
	if slices.ContainsFunc(l.terms, func(t term) bool { return t.seen != nil }) {
		for i := range l.terms {
			if t := &l.terms[i]; !t.prior {
				all = append(all, RowValue{seenValue, t.site, ir.Output{Name: t.site, Value: t.likelihood(), Axes: t.over}})
			}
		}
	}
	f := &ir.Func{ID: fn.ID{Kind: "terms"}}
	for _, v := range all {
		f.Outputs = append(f.Outputs, v.Output)
	}
	f = ir.Unify(l.b, f)
	for i := range all {
		all[i].Output = f.Outputs[i]
	}
	j := l.split(all, l.rowDim())
	if j == nil {
		j = l.split(all, "")
	}
	j.Jacobian = l.b.Num(0)
	for _, p := range l.params {
		j.Jacobian = l.b.Add(j.Jacobian, l.b.Sum(p.logJ, p.family...))
	}
	return j
}

// rowDim picks the minibatch dim: where locals are drawn, one of their plates.
func (l *lowerer) rowDim() string {
	for _, a := range l.model.Batchable {
		if slices.ContainsFunc(l.sampled, func(z *sampled) bool { return z.axes[0].Dim != a.Name }) {
			continue
		}
		if l.o.RowDim == "" || a.Name == l.o.RowDim {
			return a.Name
		}
	}
	return ""
}

// split sorts the terms; nil when the rows of the dim turn out to be coupled.
func (l *lowerer) split(all []RowValue, dim string) *Joint {
	b := l.b
	j := &Joint{Dim: dim, Rest: b.Num(0)}
	if dim != "" {
		j.Row, j.Full = dimAxis(b, dim), dimAxis(b, dim)
		j.Row.Rows = true
	}
	for i, o := range all {
		isTerm := o.Kind == termValue
		prior := isTerm && l.terms[i].prior
		var v *ir.Value
		ok := false
		if o.Kind == seenValue {
			if dim == "" {
				continue
			}
			if v, ok, err := l.rowValue(o.Value, o.Axes, dim, j.Row, j.Full); err == nil && ok {
				if j.Seen != nil {
					v = b.Add(j.Seen, v)
				}
				j.Seen = v
			}
			continue
		}
		if dim != "" && !isTerm {
			// Predictions keep their other axes: the classes.
			if v, rest, ok, err := l.onRows(o.Value, o.Axes, dim, j.Row, j.Full); ok && err == nil {
				j.Rows = append(j.Rows, RowValue{o.Kind, o.Of, ir.Output{Name: o.Name, Value: v, Axes: append([]*ir.Axis{j.Row}, rest...)}})
			}
			continue
		}
		if dim != "" && !prior {
			var err error
			if v, ok, err = l.rowValue(o.Value, o.Axes, dim, j.Row, j.Full); err != nil {
				return nil
			}
			if part, rest, _, _ := l.onRows(o.Value, o.Axes, dim, j.Row, j.Full); ok && (len(l.sampled) > 0 || l.completing != nil) {
				j.Parts = append(j.Parts, ir.Output{Name: o.Name, Value: part, Axes: append([]*ir.Axis{j.Row}, rest...)})
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

// blocks are the blocks of the state, one a param.
func (l *lowerer) blocks() []ir.Block {
	var out []ir.Block
	for _, p := range l.params {
		out = append(out, ir.Block{Name: p.name, Axes: p.yAxes()})
	}
	return out
}

// constrain gives the parameters in the model's coordinates and the tracks.
func (l *lowerer) constrain(spec *model.Spec) *ir.Func {
	f := &ir.Func{ID: fn.Constrain.ID()}
	for _, p := range l.params {
		f.Outputs = append(f.Outputs, ir.Output{Name: p.name, Value: p.x, Axes: p.xAxes()})
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

// unconstrain is the inverse: where an end of an interval depends on other
// unknowns, it reads their given values.
func (l *lowerer) unconstrain() *ir.Func {
	f := &ir.Func{ID: fn.Unconstrain.ID()}
	for _, p := range l.params {
		f.Outputs = append(f.Outputs, ir.Output{Name: p.name, Value: p.inverse(l), Axes: p.yAxes()})
	}
	given := map[*ir.Value]*ir.Value{}
	for _, p := range l.params {
		given[p.x] = p.given
	}
	return ir.RewriteFunc(l.b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value { return given[v] })
}

// predictions are the functions of observed names that go by row.
func (l *lowerer) predictions(spec *model.Spec, j *Joint) []*ir.Func {
	var funcs []*ir.Func
	find := func(kind RowKind, site string) (ir.Output, bool) {
		for _, o := range slices.Backward(j.Rows) {
			if o.Kind == kind && o.Of == site {
				return o.Output, true
			}
		}
		return ir.Output{}, false
	}
	for i, s := range l.sites {
		if s.name == "" || l.siteTwice(i) {
			continue
		}
		site := model.Site{Name: s.name, Kind: kinds[s.typ.Kind]}
		if o, ok := find(MeanOfSite, s.name); ok && onlyAxis(o, j.Row) {
			site.Mean, site.Rows = true, true
			funcs = append(funcs, &ir.Func{ID: fn.Mean.Of(s.name), Outputs: []ir.Output{o}})
		}
		if o, ok := find(ClassesOfSite, s.name); ok {
			site.Classes, site.Rows = l.size(s.typ.Below), true
			site.Alone = l.alone(j, &s)
			funcs = append(funcs, &ir.Func{ID: fn.Classes.Of(s.name), Outputs: []ir.Output{o}})
		}
		spec.Sites = append(spec.Sites, site)
	}
	return funcs
}

// alone reports whether the log likelihood of row n is the log probability that
// a categorical site gives to entry n of its data.
func (l *lowerer) alone(j *Joint, s *observed) bool {
	if len(j.terms) != 1 {
		return false
	}
	t := &l.terms[j.terms[0]]
	left := s.left
	for left.Op == ir.OpRename {
		left = left.Args[0]
	}
	return t.site == s.name && t.seen == nil && left.Op == ir.OpData && left.Name == s.name && len(left.Axes) == 1
}

func onlyAxis(o ir.Output, a *ir.Axis) bool { return len(o.Axes) == 1 && o.Axes[0] == a }

// siteOutputs are what a row's observed names are predicted with: the
// expected value, and for a category the log probability of each class.
func (l *lowerer) siteOutputs() []RowValue {
	var out []RowValue
	for i := range l.sites {
		s := &l.sites[i]
		if s.name == "" || l.siteTwice(i) || l.readsCollapsed(s.dist) != nil {
			continue
		}
		l.quietly(func() {
			if s.dist.has("mean") && len(s.dist.y.own) == 0 && s.dist.point == nil && s.dist.comps == nil && s.dist.lo == nil {
				if mean := l.expected(s.dist.line("mean", nil), false); mean != nil {
					out = append(out, RowValue{MeanOfSite, s.name, ir.Output{Name: fn.Mean.Of(s.name).String(), Value: mean, Axes: s.over}})
				}
			}
		})
		if s.typ.Kind == types.Index {
			l.quietly(func() {
				k := l.b.Axis("k", l.size(s.typ.Below))
				if classes := l.expected(s.dist.logpdf(l.b.Iota(k)), true); classes != nil {
					out = append(out, RowValue{ClassesOfSite, s.name, ir.Output{Name: fn.Classes.Of(s.name).String(), Value: classes, Axes: append(append([]*ir.Axis{}, s.over...), k)}})
				}
			})
		}
	}
	return out
}

func (l *lowerer) siteTwice(i int) bool {
	for j := range l.sites {
		if j != i && l.sites[j].name == l.sites[i].name {
			return true
		}
	}
	return false
}

// quietly runs f and forgets what it reports.
func (l *lowerer) quietly(f func()) {
	n := len(l.diags)
	l.try(f)
	l.diags = l.diags[:n]
}
