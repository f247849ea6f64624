package session

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A Loglik evaluates the log likelihood of the observations at states: of the
// rows of an axis, or, where no axis can be taken by rows, of every entry of
// what is observed.
type Loglik struct {
	Axis   string // of the rows; "": entries
	Arrays []trace.Variable
	Rest   []string // observed names that stay in when a row is left out
	N      int      // observations

	B     *Binding
	point *driver.Posterior // of entries
	Sites []driver.Predicted
}

// NewLoglik finds the observations of a model that is bound to data.
func NewLoglik(e *Session, b *Binding) (*Loglik, error) {
	l := &Loglik{B: b, Axis: b.Compiled.Spec.RowDim}
	if l.Axis == "" {
		return l, l.entries(e)
	}
	l.N = b.Target.Rows()
	name := ""
	for _, s := range b.Compiled.Spec.Sites {
		in := b.Compiled.Spec.Schema.Input(s.Name)
		switch {
		case !slices.ContainsFunc(in.Shape,
			func(n size.Poly) bool { return slices.Contains(n.Dims(), l.Axis) }):
			l.Rest = append(l.Rest, s.Name)
		case name == "":
			name = s.Name
		default:
			name = "log_lik" // of several names together
		}
		l.site(s.Name)
	}
	if name == "" {
		name = "log_lik" // of a factor
	}
	l.Arrays = []trace.Variable{{Group: "log_likelihood", Name: name, Dims: []string{l.Axis},
		Shape: []int{l.N}}}
	return l, nil
}

// entries compiles the terms of a model without rows.
func (l *Loglik) entries(e *Session) error {
	p, diags := driver.Pointwise(l.B.Src, driver.Options{Set: Numbers(l.B.Set)})
	e.Diagnose(diags)
	if p == nil {
		return &ExitError{Code: ExitModel}
	}
	target, err := p.VM(l.B.Bound, nil)
	if err != nil {
		return Failf(ExitData, "%v", err)
	}
	l.point, l.B.Target = p, target
	for _, t := range p.Terms {
		v := trace.Variable{Group: "log_likelihood", Name: t.Site, Dims: t.Dims}
		for _, n := range t.Shape {
			k, _ := n.Eval(target.Dims)
			v.Shape = append(v.Shape, k)
		}
		for i := 2; slices.ContainsFunc(l.Arrays, func(x trace.Variable) bool {
			return x.Name == v.Name
		}); i++ {
			v.Name = fmt.Sprintf("%s_%d", t.Site, i) // another statement of the name
		}
		l.Arrays = append(l.Arrays, v)
		l.N += v.Len()
		l.site(t.Site)
	}
	return nil
}

// site takes in an observed name, for observed_data.
func (l *Loglik) site(name string) {
	if slices.ContainsFunc(l.Sites, func(s driver.Predicted) bool { return s.Name == name }) {
		return
	}
	in := l.B.Compiled.Spec.Schema.Input(name)
	s := driver.Predicted{Name: name, Kind: in.Kind, From: in.First()}
	for _, n := range in.Shape {
		k, _ := n.Eval(l.B.Bound.Dims)
		dim, _ := n.Name()
		s.Shape, s.Dims = append(s.Shape, k), append(s.Dims, dim)
	}
	l.Sites = append(l.Sites, s)
}

// A loglikEvaluator is what one goroutine evaluates with.
type loglikEvaluator struct {
	rows  *model.Evaluator
	all   *driver.Likelihood
	index []int
	out   []float64
}

func (l *Loglik) evaluator() *loglikEvaluator {
	if l.point != nil {
		return &loglikEvaluator{all: l.point.Likelihood(l.B.Target), out: make([]float64, l.N)}
	}
	return &loglikEvaluator{rows: l.B.Target.Evaluator(0)}
}

// Eval writes the log likelihood of the observations from…to-1 at a state.
func (v *loglikEvaluator) Eval(l *Loglik, x []float64, from, to int, out []float64) {
	switch {
	case v.all != nil:
		v.all.Eval(x, v.out)
		copy(out, v.out[from:to])
	case from == 0 && to == l.N:
		v.rows.Observed(x, nil, out)
	default:
		v.index = v.index[:0]
		for i := from; i < to; i++ {
			v.index = append(v.index, i)
		}
		v.rows.Observed(x, v.index, out)
	}
}

// EvalAt writes the log likelihood of some observations at a state.
func (v *loglikEvaluator) EvalAt(x []float64, at []int, out []float64) {
	if v.all == nil {
		v.rows.Observed(x, at, out)
		return
	}
	v.all.Eval(x, v.out)
	for i, k := range at {
		out[i] = v.out[k]
	}
}

// Save stores the log likelihood of every draw in the run's store, with the
// data that was observed: the groups log_likelihood and observed_data of ArviZ.
func (l *Loglik) Save(e *Session, dir string, r *run.Record, threads int) error {
	draws, err := OpenDraws(dir, r, l.B.Target, Choice{}, "the log likelihood")
	if err != nil {
		return err
	}
	store, err := trace.OpenOn(disk.Or(e.Disk), run.Draws(dir)) // to write
	if err != nil {
		return FilesError(err)
	}
	if draws.Store.Chains() != draws.Chains || draws.Store.Draws() != draws.Each {
		return Failf(ExitData, "the chains of %s have different numbers of draws", dir)
	}
	stop, release := e.Stopper()
	defer release()
	draws.Stop = stop
	on, temp := disk.Or(e.Disk), run.LogLikPart(dir)
	if err := disk.RemoveAll(on, temp); err != nil {
		return Failf(ExitFiles, "%v", err)
	}
	defer disk.RemoveAll(on, temp)
	vars := slices.Concat(l.Arrays, ObservedData(l.Sites, l.B.Bound))
	part, err := trace.CreateOn(on, temp, vars, draws.Chains, draws.Each, r.Chunk, StoreAttrs(r))
	if err != nil {
		return FilesError(err)
	}
	if err := WriteObserved(part, l.Sites, l.B.Bound); err != nil {
		return FilesError(err)
	}
	var to []*trace.Appender
	for c := range draws.Chains {
		a, err := part.Appender(c, 0)
		if err != nil {
			return FilesError(err)
		}
		to = append(to, a)
	}
	workers := l.Evaluators(threads, draws.Total())
	err = draws.ForEach(threads, l.N, func(worker int, p Drawn, out []float64) error {
		workers[worker].Eval(l, p.X, 0, l.N, out)
		return nil
	}, func(p Drawn, out []float64) error {
		for i, v := range l.Arrays {
			to[p.Chain].Put(i, out[:v.Len()])
			out = out[v.Len():]
		}
		return to[p.Chain].Next()
	})
	for _, a := range to {
		err = errors.Join(err, a.Close())
	}
	if err == nil {
		err = part.Close()
	}
	if err == nil {
		groups := []string{"log_likelihood"}
		if len(vars) > len(l.Arrays) {
			groups = append(groups, "observed_data")
		}
		err = store.Adopt(part, groups...)
	}
	return FilesError(err)
}

func (l *Loglik) Evaluators(threads, n int) []*loglikEvaluator {
	out := make([]*loglikEvaluator, ThreadsOf(threads, n))
	for i := range out {
		out[i] = l.evaluator()
	}
	return out
}

// LoglikFits refuses, before a run, log likelihoods that the model does not
// have or the disk has no room for.
func (b *Binding) LoglikFits(e *Session, dir string, c *sampler.Config, keep Kept) error {
	if err := Likelihood(b.Compiled, "--log-lik"); err != nil {
		return err
	}
	if c.Draws == 0 {
		return Usagef("--log-lik: there are no draws")
	}
	if keep.none() {
		return Usagef("--log-lik needs draws, and --keep moments stores none; --reservoir R or " +
			"--keep last=K beside it stores some")
	}
	for _, p := range b.Compiled.Spec.Params {
		if len(keep.Globs) > 0 && !Matches(keep.Globs, p.Name) {
			return Usagef("--log-lik needs all parameters of a draw, and --keep leaves %s out",
				p.Name)
		}
	}
	of := *b
	l, err := NewLoglik(e, &of)
	if err != nil {
		return err
	}
	draws := keep.stored(c.Draws)
	numbers := float64(l.N) * float64(c.Chains) * float64(draws)
	return OwnStatus(run.Fits(dir, 8*numbers,
		fmt.Sprintf("--log-lik: %d observations at %d chains of %d draws", l.N, c.Chains, draws)))
}

// SaveLoglik stores the log likelihoods of a run that is complete. One process does
// so at a time; where another has done it meanwhile, nothing is left to do.
func (b *Binding) SaveLoglik(e *Session, dir string, r *run.Record, threads int) error {
	unlock, err := run.Lock(dir)
	if err != nil {
		return OwnStatus(err)
	}
	defer unlock()
	now, err := run.Read(dir)
	if err != nil {
		return OwnStatus(err)
	}
	if now.ID != r.ID {
		return Failf(ExitFiles,
			"the run in %s was replaced by another process before its log likelihoods were computed", dir)
	}
	if owes, err := OwesLoglik(dir, now); err != nil || !owes {
		return err
	}
	of := *b
	l, err := NewLoglik(e, &of)
	if err != nil {
		return err
	}
	if err := l.Save(e, dir, r, threads); err != nil {
		e.Note("the draws are complete; only their log likelihoods are missing, and `sgppl "+
			"sample --resume %s` adds them", dir)
		return err
	}
	return nil
}

// HasLoglik reports whether the log likelihoods of a run are stored. They and the data that were
// observed appear in a store in one step.
func HasLoglik(store *trace.Store) bool {
	return slices.ContainsFunc(store.Variables(),
		func(v trace.Variable) bool { return v.Group == "log_likelihood" })
}

// OwesLoglik reports whether a run that is complete was to store log likelihoods and has not: the
// process ended while it computed them.
func OwesLoglik(dir string, r *run.Record) (bool, error) {
	if !r.LogLik || r.Status != run.Done {
		return false, nil
	}
	store, err := run.OpenDraws(dir, r)
	if err != nil {
		return false, OwnStatus(err)
	}
	return !HasLoglik(store), nil
}
