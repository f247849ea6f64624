package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/data"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Given is the data of a model as the command line gives it.
type Given struct {
	Data, Set []string // --data and --set
	Names     []string // --names
	Levels    []string // --levels
	NA        string   // --na
	Axis      string   // to be minibatched
	Precision string   // f32 computes in single precision
}

// How has the options with which a model is compiled.
type How struct {
	Sampled bool              // latent values of rows are sampled although they could be parameters
	Gibbs   bool              // for draws of every unknown from its full conditional
	Exact   bool              // discrete latent values are summed out where that can be done
	Charts  map[string]string // of params, where the model does not ask for one
}

// A Binding is a model with its data.
type Binding struct {
	Given
	How
	Planned   driver.Planned  // memory that a run of many rows takes besides
	Ran       driver.Recorded // constants of the run whose model is compiled; none: no run has any
	Fixed     map[string]int
	Constants map[string][]float64
	Absent    []string               // inputs that need not be there
	Labels    map[string][]string    // names of the entries of dims that are known
	NewLevels bool                   // words that Labels lack are further levels
	others    map[string]*data.Value // values of Absent inputs that are not given
	Held      *Binding               // rows held out of a run; nil without
	together  int                    // chains that run at a time; 0 where none was asked for yet
	// rows are read as they are needed; nil where all are in memory
	Rows *RowsOptions

	Src      *source.File
	Compiled *driver.Compiled
	Bound    *data.Bound
	Target   *model.Model
}

// Compile compiles the model of src for the flags of the binding.
func (b *Binding) Compile(e *Session, src *source.File) (err error) {
	b.Src = src
	if err := Numbers(b.Set).Sizes(src); err != nil {
		return err
	}
	if b.Compiled, err = e.Compile(src,
		driver.Options{Set: Numbers(b.Set), RowDim: b.Axis, Sampled: b.Sampled, Exact: b.Exact,
			Gibbs: b.Gibbs, Charts: b.Charts}); err != nil {
		return err
	}
	if b.Ran.Values != nil {
		b.Constants = b.Compiled.Constants(b.Ran)
	}
	return InPrecision(b.Compiled, b.Precision)
}

// InPrecision makes a compiled model compute in f64 or f32.
func InPrecision(c *driver.Compiled, precision string) error {
	if precision != run.Single {
		return nil
	}
	if err := c.ToSingle(); err != nil {
		return Usagef("--precision f32: %v; f64 computes it", err)
	}
	return nil
}

// Bind reads the data and makes the target.
func (b *Binding) Bind(e *Session) error {
	if err := b.Read(e); err != nil {
		return err
	}
	if b.Rows != nil {
		return b.bindRows(e)
	}
	var err error
	if b.Target, err = b.Compiled.VM(b.Bound, b.Constants); err != nil {
		return Failf(ExitData, "%v", err)
	}
	return nil
}

// Read reads the data.
func (b *Binding) Read(e *Session) error {
	memory.Tight() // from here on data are most of what there is
	consts := map[string]bool{}
	for _, s := range b.Compiled.Check.Symbols {
		consts[s.Name] = s.Kind == check.Const
	}
	var set []string
	for _, s := range b.Set {
		name, value, _ := strings.Cut(s, "=")
		if !consts[strings.TrimSpace(name)] {
			set = append(set, s)
		} else if _, ok := Numbers([]string{s})[strings.TrimSpace(name)]; !ok {
			return Usagef("--set %s: %q is no number, and %s is a const", s, value, name)
		}
	}
	if b.Rows != nil {
		return b.readRows(e, set)
	}
	bound, notes, errs := data.Bind(&b.Compiled.Spec.Schema, b.Data, set,
		data.Options{Fixed: b.Fixed, Absent: b.Absent, Names: b.Names, Labels: b.Labels,
			Levels: b.Levels, NA: b.NA, NewLevels: b.NewLevels})
	for _, n := range notes {
		e.Note("%s", n)
	}
	if len(errs) > 0 {
		return e.DataErrors(errs)
	}
	for _, name := range b.Absent {
		if v := b.others[name]; v != nil && bound.Values[name] == nil {
			bound.Values[name] = v
		}
	}
	b.Bound = bound
	return nil
}

// Record returns the record of a run of the bound model with the settings cfg.
func (b *Binding) Record(cfg sampler.Config) *run.Record {
	r := &run.Record{
		Version: sgppl.Version,
		ModelInfo: run.ModelInfo{Model: b.Compiled.Spec.Name, Source: b.Src.Name, RowDim: b.Axis,
			Sampled: b.Sampled, Set: b.Set, Charts: b.Charts, Precision: b.Precision},
		DataInfo: run.DataInfo{Data: b.Bound.Files, Dims: b.Bound.Dims,
			Constants: map[string]run.Exact{}, ConstantKeys: b.Compiled.ConstantKeys(),
			Types: map[string]string{}},
		Method: run.Method{Settings: cfg},
	}
	for _, d := range b.Data {
		r.Inputs = append(r.Inputs, absolute(d))
	}
	r.Labels, r.Levels, r.NA, r.Dropped = b.Bound.Labels, b.Levels, b.NA, b.Bound.Dropped
	for _, n := range b.Names {
		r.Names = append(r.Names, absolute(n))
	}
	for name, x := range b.Target.Constants {
		r.Constants[name] = x
	}
	for i := range b.Compiled.Spec.Params {
		p := &b.Compiled.Spec.Params[i]
		r.Types[p.Name] = p.Support
	}
	for _, block := range b.Target.Blocks() {
		r.Blocks = append(r.Blocks, block.Name)
	}
	return r
}

// absolute makes the path in a spec of --data absolute. A field after a colon is kept.
func absolute(spec string) string {
	name, path := "", spec
	if k := strings.IndexByte(spec, '='); k > 0 && !strings.ContainsAny(spec[:k], `/\.:`) {
		if _, err := os.Lstat(spec); err != nil {
			name, path = spec[:k+1], spec[k+1:]
		}
	}
	if _, _, is := formats.SourceOf(path); is {
		return name + data.AbsoluteSource(path)
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

// Moves returns an error if the data leave the params no coordinate to sample. It is called before
// a run directory is made.
func (b *Binding) Moves() error {
	if b.Still() {
		return nil
	}
	if b.Target.Dim() > 0 {
		if axis := b.Target.RowAxis(); axis != "" && b.Target.Rows() == 0 {
			return Failf(ExitData,
				"%s: there are no rows, as %s is 0: nothing would be learned; `sgppl simulate` "+
					"draws from the prior", b.Src.Name, axis)
		}
		return nil
	}
	why := "a simplex of one entry, and the like, have one value alone"
	var empty []string
	for _, p := range b.Compiled.Spec.Params {
		for _, n := range p.Shape {
			if k, ok := n.Eval(b.Target.Dims); ok && k == 0 {
				empty = append(empty, fmt.Sprintf("%s has no entries, as %s is 0", p.Name, n))
				break
			}
		}
	}
	if len(empty) > 0 {
		why = strings.Join(empty, "; ")
	}
	return Failf(ExitData, "%s: with these sizes there is nothing to sample: %s", b.Src.Name, why)
}

// Storable returns an error if no run can store the model: it has neither params nor anything that
// it tracks or generates, or stores a value named chain or draw, which are the names of the axes.
// Names that the globs of --keep exclude are allowed. It is called before anything is built or
// written.
func (b *Binding) Storable(keep []string) error {
	some := !b.Still()
	for _, s := range b.Compiled.Check.Symbols {
		stored := s.Kind == check.Param || s.Kind == check.Track || s.Kind == check.Generated
		some = some || stored
		if !stored || s.Name != "chain" && s.Name != "draw" ||
			len(keep) > 0 && !Matches(keep, s.Name) {
			continue
		}
		file, at := b.Src.Seen(s.Span.Start)
		return Failf(ExitModel,
			"%s:%v: a run cannot store %s: its draws are stored along the axes chain and draw; "+
				"choose another name", file, at, s.Name)
	}
	if !some {
		return Failf(ExitModel, "%s: the model has no param, and tracks and generates nothing: there "+
			"is nothing to draw; `sgppl simulate` draws data", b.Src.Name)
	}
	return nil
}

// Still reports whether the model has no params: a draw is what it tracks and generates.
func (b *Binding) Still() bool { return len(b.Compiled.Spec.Params) == 0 }

// HasParams returns an error if the model has no params. does is what params are needed for.
func (b *Binding) HasParams(does string) error {
	if !b.Still() {
		return nil
	}
	return Failf(ExitModel, "%s: the model has no param, and so nothing to %s; `sgppl sample` draws "+
		"what it tracks and generates, `sgppl simulate` draws data", b.Src.Name, does)
}

// Likelihood returns an error if the model has no likelihood of a row in closed form. what is the
// command or flag that needs one.
func Likelihood(c *driver.Compiled, what string) error {
	if c.Spec.Chain == nil {
		return nil
	}
	z := c.Spec.Chain.Links[0].Name
	return Usagef("%s: %s is drawn for every row, so the model has no likelihood of a row in "+
		"closed form, and %s needs one; `sgppl score` averages over draws of it, with --observed "+
		"those of documents of which a part is known", what, z, what)
}

// ConstsStay returns an error if --set sets a const of a model that was fitted: its value is the
// one in the run.
func ConstsStay(m *check.Model, set []string) error {
	for _, s := range set {
		name, _, _ := strings.Cut(s, "=")
		for _, sym := range m.Symbols {
			if sym.Name == strings.TrimSpace(name) && sym.Kind == check.Const {
				return Usagef("--set %s: %s is a const, and is what it was in the run", s, sym.Name)
			}
		}
	}
	return nil
}

// Coupled returns the reason why the likelihood is not a sum over the rows of any axis.
func Coupled(m *check.Model) string {
	if len(m.Unbatchable) == 0 {
		return "its likelihood is no sum over an axis of the data"
	}
	var out []string
	for _, u := range m.Unbatchable {
		out = append(out, u.Axis+": "+u.Reason)
	}
	return strings.Join(out, "; ")
}

// SharedDims returns the sizes of the dims on which the shapes of parameters depend, except the row
// axis. Other data for the same run must have these sizes.
func SharedDims(c *driver.Compiled, dims map[string]int) map[string]int {
	out := map[string]int{}
	add := func(shape []size.Poly) {
		for _, p := range shape {
			for _, d := range p.Dims() {
				if n, ok := dims[d]; ok && d != c.Spec.RowDim {
					out[d] = n
				}
			}
		}
	}
	for _, p := range c.Spec.Params {
		add(p.Shape)
		add(p.State)
	}
	return out
}
