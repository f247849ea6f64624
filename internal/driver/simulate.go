package driver

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/internal/vm"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Simulated is a data set drawn from a model, in declaration order.
type Simulated struct {
	Data   []Named // inputs, given or drawn, and dims without array
	Params []Named
	// Components are the labels of what was drawn from mixtures, x.component with
	// an index for every member of x's family, and the latent values of rows.
	Components []Named
	Notes      []string
	// Bound has the inputs and the values of params by name, as a model takes them.
	Bound *data.Bound
}

// A Named is an array with its name.
type Named struct {
	Name  string
	Whole bool // whole numbers
	Value *data.Value
	// Lists are Value as a file has it where that is not an array: rows of their own
	// lengths, lists of indices; nil otherwise.
	Lists *data.Value
}

// SimulateOptions of a simulation.
type SimulateOptions struct {
	Options
	Data []string // --data: covariates
	Sets []string // --set: sizes and scalar inputs
	// Params are values of unknowns, row-major; what is missing is drawn.
	Params map[string]*data.Value
	Seed   uint64 // of Simulate
	// Redraw draws observed names that Data has too: only their sizes are taken.
	Redraw bool
	// ParamsOnly draws what params depend on, and no data.
	ParamsOnly bool
	// Bound, when not nil, is what Data and Sets would be read to.
	Bound *data.Bound
	// Size, when not nil, gives a dim that nothing else settles its size; 0: none.
	Size func(dim string) int
}

// rounds is how often entries that left their type are drawn again.
const rounds = 10000

// Simulate draws parameters from their priors, covariates that are not given
// from simple laws, and observed names from their distributions. The first
// return lists diagnostics of the model, the second mistakes of the data.
func Simulate(src *source.File, o SimulateOptions) (*Simulated, diag.List, []*data.Error, error) {
	s, diags, errs, err := NewSimulator(src, o)
	if s == nil {
		return nil, diags, errs, err
	}
	out, errs, err := s.Draw(o.Seed)
	return out, diags, errs, err
}

// A Simulator draws data sets from one model. It is immutable: several
// goroutines may draw at once.
type Simulator struct {
	sim      *posterior.Simulation
	o        SimulateOptions
	programs map[fn.ID]*plan.Program
	bound    *data.Bound // what is given
	notes    []string
	// keep, unless it is nil, puts known entries into what was drawn of a name, before anything else
	// reads it.
	keep func(name string, drawn []float64)
}

// NewSimulator compiles a model for drawing from its prior, and reads what is
// given. Returns are those of Simulate; nil unless all went well.
func NewSimulator(
	src *source.File, o SimulateOptions,
) (*Simulator, diag.List, []*data.Error, error) {
	_, m := Check(src, o.Options)
	if m.Diags.Errors() {
		return nil, m.Diags, nil, nil
	}
	given := map[string]bool{}
	for name := range o.Params {
		given[name] = true
	}
	sim, diags := posterior.Simulate(m, lowering(Options{}), given)
	diags = append(m.Diags, diags...)
	if diags.Errors() {
		return nil, diags, nil, nil
	}
	s := &Simulator{sim: sim, o: o, programs: map[fn.ID]*plan.Program{}}
	for _, f := range stageSimulation(sim) {
		p, err := plan.Build(sim.Model.B, f)
		if err != nil {
			return nil, diags, nil, err
		}
		s.programs[f.ID] = p
	}
	s.o.Sets = withoutConsts(m, o.Sets)
	if errs := s.bind(); errs != nil {
		return nil, diags, errs, nil
	}
	return s, diags, nil, nil
}

// bind reads what is given.
func (s *Simulator) bind() []*data.Error {
	schema := &s.sim.Spec.Schema
	var absent []string
	for _, in := range schema.Inputs {
		absent = append(absent, in.Name)
	}
	sized := map[string]bool{}
	for {
		if of := s.o.Bound; of != nil {
			s.bound = &data.Bound{Dims: of.Dims, Values: maps.Clone(of.Values), Files: of.Files}
			break
		}
		b, notes, errs := data.Bind(schema, s.o.Data, s.o.Sets, data.Options{Absent: absent})
		if errs == nil {
			s.bound, s.notes = b, append(s.notes, notes...)
			break
		}
		before := len(sized)
		for _, e := range errs {
			if e.Code != unknownSize || s.o.Size == nil || sized[e.Name] {
				continue
			}
			if d := schema.Dim(e.Name); d != nil && d.Of != "" {
				continue // one size is not enough
			}
			if n := s.o.Size(e.Name); n > 0 {
				s.o.Sets = append(s.o.Sets, fmt.Sprintf("%s=%d", e.Name, n))
				s.notes = append(s.notes,
					fmt.Sprintf("%s is %d where nothing says its size; --set %s=… chooses another",
						e.Name, n, e.Name))
				sized[e.Name] = true
			}
		}
		if len(sized) == before {
			return errs
		}
	}
	if s.o.Redraw {
		for _, d := range s.sim.Draws {
			if !d.Param && s.bound.Values[d.Name] != nil {
				delete(s.bound.Values, d.Name)
				s.notes = append(s.notes,
					d.Name+" is given, and drawn all the same: only its size is used")
			}
		}
	}
	for name, v := range s.o.Params {
		s.bound.Values[name] = v
	}
	return nil
}

// unknownSize is the code of a dim that nothing settles.
const unknownSize = "D0123"

// Draw draws one data set. Its second and third return are as those of Simulate.
func (s *Simulator) Draw(seed uint64) (*Simulated, []*data.Error, error) {
	d := &simulator{Simulator: s, seed: seed,
		code: &vm.Code{Spec: s.sim.Spec, Programs: s.programs},
		out:  &Simulated{Notes: slices.Clone(s.notes)}}
	d.bound = &data.Bound{Dims: s.bound.Dims, Values: maps.Clone(s.bound.Values),
		Files: s.bound.Files}
	if err := s.room(); err != nil {
		return nil, nil, err
	}
	var err error
	if d.checks, err = model.NewChecks(s.sim.Spec, d.code, d.bound.Dims); err != nil {
		return nil, nil, err
	}
	if errs := d.covariates(); errs != nil {
		return nil, errs, nil
	}
	wanted := s.wanted()
	for i := range s.sim.Draws {
		if !wanted[i] {
			continue
		}
		if err := d.checks.Hold(d.bound); err != nil {
			return nil, nil, err
		}
		if err := d.draw(i); err != nil {
			return nil, nil, err
		}
	}
	d.collect()
	d.out.Bound = d.bound
	return d.out, nil, nil
}

// mostDrawn is how many numbers an array that is drawn may have; all are in memory.
const mostDrawn = 1 << 31

// room refuses arrays that could not be held.
func (s *Simulator) room() error {
	t := &tally{dims: s.bound.Dims}
	fits := func(name string, shape []size.Poly) error {
		n := 1
		for _, p := range shape {
			k, ok := p.Eval(s.bound.Dims)
			if !ok {
				return nil // told where it is needed
			}
			if k > 0 && n > mostDrawn/k {
				return fmt.Errorf("%s would have more than %d entries, too many to draw: smaller "+
					"sizes by --set or --data are needed", name, mostDrawn)
			}
			n *= k
		}
		t.array(name, shape, 2, 8) // as it is drawn, and as it is written
		return nil
	}
	for i := range s.sim.Spec.Schema.Inputs {
		if in := &s.sim.Spec.Schema.Inputs[i]; s.bound.Values[in.Name] == nil {
			if err := fits(in.Name, in.Shape); err != nil {
				return err
			}
		}
	}
	for i := range s.sim.Draws {
		if err := fits(s.sim.Draws[i].Name, s.sim.Draws[i].Shape); err != nil {
			return err
		}
	}
	return memory.Fits(t.total+memory.InUse(), "the simulation, whose largest array is "+t.what+",")
}

// wanted are the draws to make: all, or the params with what they depend on.
func (s *Simulator) wanted() []bool {
	out, read := make([]bool, len(s.sim.Draws)), map[string]bool{}
	for i := len(out) - 1; i >= 0; i-- {
		d := &s.sim.Draws[i]
		if out[i] = d.Param || read[d.Name] || !s.o.ParamsOnly; !out[i] {
			continue
		}
		for _, v := range d.Func.Values() {
			if v.Op.Name == "data" {
				read[v.Name] = true
			}
		}
	}
	return out
}

// OutOfOrder says which name a draw reads before it is drawn; empty when there is
// none. Such a model, whose data come one after another, cannot be simulated.
func (s *Simulator) OutOfOrder() string {
	late := map[string]bool{}
	for _, d := range s.sim.Draws {
		late[d.Name] = s.bound.Values[d.Name] == nil
	}
	for i := range s.sim.Draws {
		d := &s.sim.Draws[i]
		if late[d.Name] {
			for _, v := range d.Func.Values() {
				if v.Op.Name == "data" && late[v.Name] {
					return outOfOrder(d.Name, v.Name)
				}
			}
		}
		delete(late, d.Name)
	}
	return ""
}

func outOfOrder(name, reads string) string {
	return fmt.Sprintf(
		"%s depends on %s, which is not drawn before it, so the model cannot be simulated",
		name, reads)
}

// A simulator is one draw of a data set.
type simulator struct {
	*Simulator
	seed   uint64
	code   *vm.Code
	bound  *data.Bound
	out    *Simulated
	checks *model.Checks
}

// covariates draws the inputs that are neither given nor observed.
func (s *simulator) covariates() []*data.Error {
	schema, b := &s.sim.Spec.Schema, s.bound
	stream := rng.New(s.seed, 0, rng.Simulate)
	for i := range schema.Inputs {
		in := &schema.Inputs[i]
		if b.Values[in.Name] != nil || s.observed(in.Name) {
			continue
		}
		if in.RequiredAt != "" {
			b.Values[in.Name] = &data.Value{Shape: slices.Clone(in.RequiredOf),
				F64: slices.Clone(in.Required), Canonical: true}
			continue
		}
		if in.Default {
			if err := s.checks.Hold(b); err != nil {
				return []*data.Error{{Code: "D0130", Name: in.Name, Message: err.Error()}}
			}
			with, err := s.withDefault(in.Name)
			if err != nil {
				return []*data.Error{{Code: "D0114", Name: in.Name, Message: err.Error()}}
			}
			b.Values[in.Name] = with
			continue
		}
		if k, ok := in.Below.Eval(b.Dims); ok && k < 1 && in.Kind == data.Index {
			return []*data.Error{{Code: "D0124", Name: in.Name,
				Message: fmt.Sprintf("%s is an index below %s = %d, which has no value", in.Name,
					in.Below, k)}}
		}
		src := stream.At(uint64(1)<<40 + uint64(i))
		v, law := covariate(in, b.Dims, &src)
		b.Values[in.Name] = v
		s.out.Notes = append(s.out.Notes,
			fmt.Sprintf("%s has no distribution and was not given: %s", in.Name, law))
	}
	return nil
}

func (s *simulator) withDefault(name string) (*data.Value, error) {
	in := s.sim.Spec.Schema.Input(name)
	part := *s.sim.Spec
	part.Schema.Inputs = []data.Input{*in}
	b, err := model.WithDefaults(&part, s.code, s.bound)
	if err != nil {
		return nil, err
	}
	return b.Values[name], nil
}

func (s *simulator) observed(name string) bool {
	return slices.ContainsFunc(s.sim.Draws,
		func(d posterior.Draw) bool { return d.Name == name && !d.Param })
}

// read finds what a draw reads. A name that is drawn later cannot be read.
func (s *simulator) read(d *model.Datum, by *posterior.Draw) ([]float64, kernel.Rows, error) {
	v := s.bound.Value(d.Name)
	if v == nil {
		for _, x := range by.Func.Values() {
			if x.Name == d.Name && x.Op.Name == "data" {
				return nil, kernel.Rows{}, errors.New(outOfOrder(by.Name, d.Name))
			}
		}
		return nil, kernel.Rows{}, nil
	}
	if d.Sparse {
		c := v.CSR
		return nil, kernel.Rows{Lo: c.Indptr[:c.Rows], Hi: c.Indptr[1 : c.Rows+1],
			Index: c.Columns(), Value: c.Values()}, nil
	}
	return v.Floats(), kernel.Rows{}, nil
}

func (s *simulator) collect() {
	for _, p := range s.sim.Spec.Params {
		s.out.Params = append(s.out.Params, Named{p.Name, false, s.bound.Values[p.Name], nil})
	}
	if s.o.ParamsOnly {
		return
	}
	for _, d := range s.sim.Spec.Schema.Dims {
		if v := s.bound.Values[data.LengthsOf(d.Name)]; d.Of != "" && v != nil {
			s.out.Data = append(s.out.Data, Named{d.Name, true, v, nil})
		} else if n, ok := s.bound.Dims[d.Name]; ok {
			s.out.Data = append(s.out.Data, Named{d.Name, true, data.Scalar(float64(n)), nil})
		}
	}
	for i := range s.sim.Spec.Schema.Inputs {
		in := &s.sim.Spec.Schema.Inputs[i]
		v := s.bound.Values[in.Name]
		var lists *data.Value
		if given := s.bound.AsGiven(&s.sim.Spec.Schema, in); given.Lists != nil {
			lists = given
		} else if in.First() != 0 {
			v = given
		}
		whole := in.Kind == data.Int || in.Kind == data.Count || in.Kind == data.Bool ||
			in.Kind == data.Index
		s.out.Data = append(s.out.Data, Named{in.Name, whole, v, lists})
	}
}
