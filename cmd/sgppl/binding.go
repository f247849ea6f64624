package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A binding is a model with its data.
type binding struct {
	data, set []string          // as given
	axis      string            // to be minibatched
	precision string            // f32 computes in single precision
	planned   driver.Planned    // what a run of many rows takes besides
	sampled   bool              // latent values of rows are drawn, where they could join the unknowns
	exact     bool              // discrete latent values are summed out where that can be done
	charts    map[string]string // of params, where the model does not ask for one
	fixed     map[string]int
	constants map[string][]float64
	absent    []string               // inputs that need not be there
	names     []string               // --names, as given
	labels    map[string][]string    // names of the entries of dims that are known
	others    map[string]*data.Value // stand in for those of them that are not given
	held      *binding               // rows held out of a run; nil without
	together  int                    // chains that run at a time; 0 where none was asked for yet
	rows      *rowsOptions           // rows are read as they are needed; nil where all are in memory

	src      *source.File
	compiled *driver.Compiled
	bound    *data.Bound
	target   *model.Model
}

func (b *binding) compile(e *env, src *source.File) (err error) {
	b.src = src
	if err := numbers(b.set).sizes(src); err != nil {
		return err
	}
	if b.compiled, err = e.compile(src, driver.Options{Set: numbers(b.set), RowDim: b.axis, Sampled: b.sampled, Exact: b.exact, Charts: b.charts}); err != nil {
		return err
	}
	return inPrecision(b.compiled, b.precision)
}

// inPrecision makes a compiled model compute in f64 or f32.
func inPrecision(c *driver.Compiled, precision string) error {
	if precision != run.Single {
		return nil
	}
	if err := c.ToSingle(); err != nil {
		return usage("--precision f32: %v; f64 computes it", err)
	}
	return nil
}

// bind reads the data and makes the target.
func (b *binding) bind(e *env) error {
	if err := b.read(e); err != nil {
		return err
	}
	if b.rows != nil {
		return b.bindRows(e)
	}
	var err error
	if b.target, err = b.compiled.VM(b.bound, b.constants); err != nil {
		return fail(exitData, "%v", err)
	}
	return nil
}

// read reads the data.
func (b *binding) read(e *env) error {
	consts := map[string]bool{}
	for _, s := range b.compiled.Check.Symbols {
		consts[s.Name] = s.Kind == check.Const
	}
	var set []string
	for _, s := range b.set {
		name, value, _ := strings.Cut(s, "=")
		if !consts[strings.TrimSpace(name)] {
			set = append(set, s)
		} else if _, ok := numbers([]string{s})[strings.TrimSpace(name)]; !ok {
			return usage("--set %s: %q is no number, and %s is a const", s, value, name)
		}
	}
	if b.rows != nil {
		return b.readRows(e, set)
	}
	bound, notes, errs := data.Bind(&b.compiled.Spec.Schema, b.data, set, data.Options{Fixed: b.fixed, Absent: b.absent, Names: b.names, Labels: b.labels})
	for _, n := range notes {
		e.note("%s", n)
	}
	if len(errs) > 0 {
		return e.dataErrors(errs)
	}
	for _, name := range b.absent {
		if v := b.others[name]; v != nil && bound.Values[name] == nil {
			bound.Values[name] = v
		}
	}
	b.bound = bound
	return nil
}

// record is what the run directory keeps of all this.
func (b *binding) record(cfg sampler.Config) *run.Record {
	r := &run.Record{
		Version: sgppl.Version, Model: b.compiled.Spec.Name, Source: b.src.Name, RowDim: b.axis, Sampled: b.sampled, Set: b.set, Charts: b.charts, Precision: b.precision,
		Data: b.bound.Files, Dims: b.bound.Dims, Constants: map[string]run.Exact{}, Types: map[string]string{}, Settings: cfg,
	}
	for _, d := range b.data {
		r.Inputs = append(r.Inputs, absolute(d))
	}
	r.Labels = b.bound.Labels
	for _, n := range b.names {
		r.Names = append(r.Names, absolute(n))
	}
	for name, x := range b.target.Constants {
		r.Constants[name] = x
	}
	for i := range b.compiled.Spec.Params {
		p := &b.compiled.Spec.Params[i]
		r.Types[p.Name] = p.Support
	}
	for _, block := range b.target.Blocks() {
		r.Blocks = append(r.Blocks, block.Name)
	}
	return r
}

// absolute makes the path in a spec of --data absolute. Its field, which
// follows a colon, stays where it is.
func absolute(spec string) string {
	name, path := "", spec
	if k := strings.IndexByte(spec, '='); k > 0 && !strings.ContainsAny(spec[:k], `/\.`) {
		if _, err := os.Lstat(spec); err != nil {
			name, path = spec[:k+1], spec[k+1:]
		}
	}
	if filepath.IsAbs(path) {
		return spec
	}
	dir, err := os.Getwd()
	if err != nil {
		return spec
	}
	return name + dir + string(filepath.Separator) + path
}

// moves refuses data that leave the params no coordinate, before a run is made.
func (b *binding) moves() error {
	if b.target.Dim() > 0 {
		if axis := b.target.RowAxis(); axis != "" && b.target.Rows() == 0 {
			return fail(exitData, "%s: there are no rows, as %s is 0: nothing would be learned; `sgppl simulate` draws from the prior", b.src.Name, axis)
		}
		return nil
	}
	why := "a simplex of one entry, and the like, have one value alone"
	var empty []string
	for _, p := range b.compiled.Spec.Params {
		for _, n := range p.Shape {
			if k, ok := n.Eval(b.target.Dims); ok && k == 0 {
				empty = append(empty, fmt.Sprintf("%s has no entries, as %s is 0", p.Name, n))
				break
			}
		}
	}
	if len(empty) > 0 {
		why = strings.Join(empty, "; ")
	}
	return fail(exitData, "%s: with these sizes there is nothing to sample: %s", b.src.Name, why)
}

// storable refuses, before anything is built or written, what no run can store
// or sample: names of the axes that draws are stored along, and no param at all.
// Names that keep, the globs of --keep, leaves out are free.
func (b *binding) storable(keep []string) error {
	if len(b.compiled.Spec.Params) == 0 {
		return fail(exitModel, "%s: the model has no param, and so nothing to sample; `sgppl simulate` draws data", b.src.Name)
	}
	for _, s := range b.compiled.Check.Symbols {
		stored := s.Kind == check.Param || s.Kind == check.Track
		if !stored || s.Name != "chain" && s.Name != "draw" || len(keep) > 0 && !matches(keep, s.Name) {
			continue
		}
		return fail(exitModel, "%s:%v: a run cannot store %s: its draws are stored along the axes chain and draw; choose another name", b.src.Name, b.src.Position(s.Span.Start), s.Name)
	}
	return nil
}
