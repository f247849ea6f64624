// Package calibrate tests a model against itself: its gradient against central
// differences, every term of its log density at draws from its prior, and the
// posterior draws of a sampler by simulation-based calibration. It is what
// `sgppl test` does.
package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/internal/vm"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/replicate"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// Options of a test.
type Options struct {
	Set map[string]float64 // consts and dims that specialise the model
	// --data and --set, as for sample; what is observed is drawn all the same
	Data, Sets   []string
	Replications int     // of calibration; 0: none
	Draws        int     // L: posterior draws a replication keeps
	Coverage     float64 // of the simultaneous bands, of all quantities together
	Seed         uint64
	Threads      int
	// Config says what to sample with. Its chains, draws, seed and rows are the test's own.
	Config sampler.Config
	// FromTruth starts chains at the draw from the prior, which is one of the
	// posterior too. Ranks are then uniform for the right density even where chains
	// do not find all modes: what a random start adds is whether they do.
	FromTruth bool
	// Native, when not nil, builds the generated package for the chains, which the VM
	// samples otherwise. Draws are the same.
	Native *native.Builder
	// Sampled, when not nil, has what Kept made of a replication, in another process.
	Sampled func(r int) (*replicate.Kept, error)
	// Progress, when not nil, is told how many replications are done.
	Progress func(done, of int)
}

// DefaultOptions has the default of every setting.
func DefaultOptions() Options {
	o := Options{Replications: 100, Draws: 99, Coverage: 0.99, Seed: 1,
		Config: sampler.DefaultConfig()}
	o.Config.Warmup = 500
	return o
}

// A Test is a compiled model ready to be tested.
type Test struct {
	o         Options
	compiled  *driver.Compiled
	breakdown *driver.Breakdown
	simulator *driver.Simulator // of its inputs alone where the model cannot be simulated
	why       string            // it cannot be; empty where it can
	factors   []manifold.Factor
	names     []string // of the coordinates of the state
}

// New compiles a model for a test. Errors of the model are in the diagnostics,
// those of the data in the list; otherwise the Test is not nil.
func New(src *source.File, o Options) (*Test, diag.List, []*data.Error, error) {
	t := &Test{o: o}
	var diags diag.List
	if t.compiled, diags = driver.Compile(src,
		driver.Options{Set: o.Set, Exact: true}); t.compiled == nil {
		return nil, diags, nil, nil
	}
	if len(t.compiled.Spec.Params) == 0 {
		return nil, diags, nil,
			errors.New("the model has no param, and so nothing to test; `sgppl simulate` draws data")
	}
	if c := t.compiled.Spec.Chain; c != nil {
		return nil, diags, nil,
			fmt.Errorf("%s is drawn for every row, so the model has no density of its params in "+
				"closed form, and a test needs one", c.Links[0].Name)
	}
	b, more, err := driver.Break(t.compiled.Check)
	if b == nil {
		return nil, more, nil, err
	}
	t.breakdown = b
	so := driver.SimulateOptions{Options: driver.Options{Set: o.Set}, Data: o.Data, Sets: o.Sets,
		Redraw: true, Size: driver.DefaultSize(t.compiled.Check)}
	s, list, errs, err := driver.NewSimulator(src, so)
	switch {
	case err != nil:
		return nil, diags, nil, err
	case errs != nil:
		return nil, diags, errs, nil
	case s == nil:
		t.why = reasons(list)
	default:
		t.why = s.OutOfOrder()
	}
	if t.why != "" {
		if s, errs = t.compiled.Inputs(so); errs != nil {
			return nil, diags, errs, nil
		}
	}
	t.simulator = s
	return t, diags, nil, nil
}

func reasons(list diag.List) string {
	var out []string
	for _, d := range list {
		if d.Severity == diag.Error {
			out = append(out, d.Message)
		}
	}
	return strings.Join(out, "; ")
}

// A world is one data set with the model bound to it, for one goroutine.
type world struct {
	sim    *driver.Simulated
	inputs *data.Bound
	target *model.Model
	eval   *model.Evaluator
	terms  *driver.Terms
	truth  []float64 // the state of the prior draw; nil where there is none
	out    []float64 // its values and tracks
}

// world draws a data set.
func (t *Test) world(seed uint64) (*world, []*data.Error, error) {
	sim, errs, err := t.simulator.Draw(seed)
	if errs != nil || err != nil {
		return nil, errs, err
	}
	schema := t.compiled.Spec.Schema
	schema.Inputs = slices.Clone(schema.Inputs)
	for i := range schema.Inputs {
		schema.Inputs[i].Infinite = true // a draw may be, and is then told by its term
	}
	bound, err := model.WithDefaults(t.compiled.Spec,
		&vm.Code{Spec: t.compiled.Spec, Programs: t.compiled.Table()}, sim.Bound)
	if err != nil {
		return nil, nil, err
	}
	w := &world{sim: sim}
	values := map[string]*data.Value{}
	for i := range schema.Inputs {
		values[schema.Inputs[i].Name] = bound.Values[schema.Inputs[i].Name]
	}
	for _, d := range schema.Dims {
		if v := bound.Values[data.LengthsOf(d.Name)]; d.Of != "" && v != nil {
			values[data.LengthsOf(d.Name)] = v
		}
	}
	if w.inputs, _, errs = data.Validate(&schema, values, bound.Dims, data.Options{}); errs != nil {
		return nil, nil, fmt.Errorf("the simulated data do not fit their declaration: %s",
			errs[0].Message)
	}
	if w.target, err = t.compiled.VM(w.inputs, nil); err != nil {
		return nil, nil, err
	}
	w.eval = w.target.Evaluator(0)
	if w.terms, err = t.breakdown.Bind(w.inputs); err != nil {
		return nil, nil, err
	}
	if t.why != "" {
		return w, nil, nil
	}
	out := make([]float64, w.target.OutputLen())
	for _, o := range w.target.Outputs() {
		if v := sim.Bound.Values[o.Name]; v != nil && !o.Track {
			copy(out[o.Offset:o.Offset+o.Len], v.Floats())
		}
	}
	w.truth, w.out = make([]float64, w.target.Dim()), out
	if err := w.eval.Unconstrain(out, w.truth); err != nil {
		return nil, nil, fmt.Errorf("a prior draw cannot be told from the border of its type: %v", err)
	}
	w.eval.Constrain(w.truth, out)
	return w, nil, nil
}

// LogDensity implements Density: all rows, with the Jacobian.
func (w *world) LogDensity(x []float64) float64 { return w.eval.LogDensity(x, nil, 1, 1) }

// Gradient implements Density.
func (w *world) Gradient(x, grad []float64) { w.eval.Gradient(x, nil, 1, 1, grad) }

// parts are the summands with their gradients.
func (t *Test) parts(w *world) []Summand {
	var out []Summand
	for i := range t.breakdown.Parts {
		out = append(out, Summand{t.breakdown.Parts[i].String(), part{w.terms, i}})
	}
	return out
}

type part struct {
	t *driver.Terms
	i int
}

func (p part) LogDensity(x []float64) float64 { return p.t.LogDensity(p.i, x) }
func (p part) Gradient(x, grad []float64)     { p.t.Gradient(p.i, x, grad) }

// Run does every check that the model admits. On cancellation the error is that
// of ctx; data errors are those of a draw of the inputs.
func (t *Test) Run(ctx context.Context) (*Report, []*data.Error, error) {
	first, errs, err := t.world(t.seeds(0).sim)
	if errs != nil {
		return nil, errs, nil
	}
	var sizes *model.SizeError
	if errors.As(err, &sizes) { // no draw has others
		return nil, nil, err
	}
	r := &Report{Model: t.compiled.Spec.Name, Seed: t.o.Seed, Notes: []string{}, Skipped: []Skip{}}
	if first != nil {
		r.Dims, r.Notes = first.target.Dims, append(r.Notes, first.sim.Notes...)
	}
	if t.why != "" {
		if err != nil {
			return nil, nil, err
		}
		r.Skipped = append(r.Skipped,
			Skip{"calibration", t.why,
				"terms and gradient were looked at in random points, not in draws from the prior"})
	}
	if err := t.checks(ctx, r); err != nil {
		return nil, nil, err
	}
	if t.why == "" && t.o.Replications > 0 {
		c, err := t.calibrate(ctx)
		if err != nil {
			return nil, nil, err
		}
		r.Calibration = c
	}
	if t.why == "" && t.o.Replications == 0 {
		r.Skipped = append(r.Skipped, Skip{"calibration", "--replications 0", ""})
	}
	r.judge()
	return r, nil, nil
}

// checkedPoints and gradientPoints are how many points the checks look at.
const (
	checkedPoints  = 100
	gradientPoints = 5 // draws from the prior, and as many random ones
)

// checks compares gradients and looks for terms that are not finite.
func (t *Test) checks(ctx context.Context, r *Report) error {
	from := "prior draws"
	if t.why != "" {
		from = "random points"
	}
	name := func(i int) (string, int) { p := &t.breakdown.Parts[i]; return p.String(), p.Line }
	finite := newFiniteCheck(from, name)
	var gradient *gradientCheck
	for k := range checkedPoints {
		if err := ctx.Err(); err != nil {
			return err
		}
		w, errs, err := t.world(t.seeds(k).sim)
		if errs != nil {
			err = errs[0]
		}
		if err != nil {
			finite.undrawn(err)
			continue
		}
		if t.names == nil {
			if t.factors, err = manifold.Product(w.target.Blocks(), w.target.Dim()); err != nil {
				return err
			}
			t.names = stateNames(t.compiled.Spec, w.target.Dims)
		}
		if gradient == nil {
			gradient = newGradientCheck(w, nil,
				func(i int) int { return t.breakdown.Parts[i].Line }, t.factors, t.names,
				entries(w.target.Rows(), w.target.Dim()))
		}
		gradient.f, gradient.parts = w, t.parts(w)
		grad := make([]float64, w.target.Dim())
		random := t.randomPoint(k)
		if w.truth != nil {
			finite.point(w.terms, w, t.names, w.truth, grad)
			if k < gradientPoints {
				gradient.point(w.truth)
				gradient.point(random)
			}
			continue
		}
		// Random points may lie where a term is −∞ by right.
		if d := w.LogDensity(random); !math.IsInf(d, -1) {
			finite.point(w.terms, w, t.names, random, grad)
		}
		if k < 2*gradientPoints {
			gradient.point(random)
		}
	}
	r.Finite = finite.done()
	if gradient != nil {
		r.Gradient = gradient.done()
	} else {
		r.Gradient = GradientReport{Off: []GradientOff{}, Verdict: Skipped}
	}
	return nil
}

const pointRadius = 2

// randomPoint is uniform on (−2, 2) in flat coordinates, uniform on curved spaces.
func (t *Test) randomPoint(k int) []float64 {
	x := make([]float64, len(t.names))
	src := rng.New(t.o.Seed, k, purposePoints).At(0)
	for _, f := range t.factors {
		n := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += n {
			f.Space.RandomPoint(&src, pointRadius, x[at:at+n])
		}
	}
	return x
}

// seeds of a replication, of its data set and of its chain.
type seeds struct{ sim, chain uint64 }

func (t *Test) seeds(r int) seeds {
	src := rng.New(t.o.Seed, r, purposeSeeds).At(0)
	return seeds{src.Uint64(), src.Uint64()}
}

// stateNames names the coordinates of a state: beta[2], theta[0,1].
func stateNames(spec *model.Spec, dims map[string]int) []string {
	var out []string
	for i := range spec.Params {
		p := &spec.Params[i]
		shape := make([]int, len(p.State))
		for k, s := range p.State {
			shape[k], _ = s.Eval(dims)
		}
		out = entryNames(out, p.Name, shape)
	}
	return out
}

func entryNames(out []string, name string, shape []int) []string {
	n := 1
	for _, k := range shape {
		n *= k
	}
	for i := range n {
		at := make([]string, len(shape))
		rest := i
		for k := len(shape) - 1; k >= 0; k-- {
			at[k] = fmt.Sprint(rest % shape[k])
			rest /= shape[k]
		}
		if len(at) == 0 {
			out = append(out, name)
		} else {
			out = append(out, name+"["+strings.Join(at, ",")+"]")
		}
	}
	return out
}
