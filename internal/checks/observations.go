// Package checks holds a run against its data and its priors: leave-one-out cross-validation
// with the probability integral transforms of the observations, data that are simulated from
// the draws against those observed, and draws from the prior against those of the posterior.
//
// What is computed depends on the run, the data and a seed alone, not on the number of threads,
// and the work is bounded: of many rows and draws some are taken, evenly spread.
package checks

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Observations binds a run's model to its data once more, to evaluate the log likelihood of
// what it observes. specs are the data where they are not any more what the run read. axis
// names the rows that are observations; "" is the run's.
func Observations(
	e *session.Session, dir string, specs []string, axis string,
) (*run.Record, *session.Loglik, error) {
	r, b, err := bind(e, dir, specs, axis)
	if err != nil {
		return nil, nil, err
	}
	if err := session.Likelihood(b.Compiled, "cross-validation"); err != nil {
		return nil, nil, err
	}
	if axis != "" {
		if err := session.Batchable(b.Compiled, axis, true); err != nil {
			return nil, nil, err
		}
	}
	if err := read(e, r, b); err != nil {
		return nil, nil, err
	}
	l, err := session.NewLoglik(e, b)
	return r, l, err
}

// bind compiles the model of a run for its data.
func bind(
	e *session.Session, dir string, specs []string, axis string,
) (*run.Record, *session.Binding, error) {
	r, src, err := session.OpenRun(dir)
	if err != nil {
		return nil, nil, err
	}
	if len(specs) == 0 {
		if err := session.NamesData(dir, r); err != nil {
			return nil, nil, err
		}
		specs = r.Inputs
	}
	b := &session.Binding{
		Given: session.Given{Data: specs, Set: r.Set, Axis: r.RowDim, Precision: r.Precision,
			Levels: r.Levels, NA: r.NA},
		How: session.How{Sampled: r.Sampled, Exact: true},
	} // of the same data, so constants come out the same
	if b.Labels, err = run.Labels(dir, r); err != nil {
		return nil, nil, session.OwnStatus(err)
	}
	if axis != "" {
		b.Axis = axis
	}
	return r, b, b.Compile(e, src)
}

// read reads the data, and holds them against those of the run. The run of a Go program has
// no digests of its data, and sizes alone can be compared.
func read(e *session.Session, r *run.Record, b *session.Binding) error {
	if err := b.Bind(e); err != nil {
		return err
	}
	if !r.OfProgram() {
		return session.SameData(r.Data, b.Bound.Files)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Dims)) {
		if n, ok := b.Bound.Dims[name]; ok && n != r.Dims[name] {
			return session.Failf(session.ExitData,
				"%s is %d in these data, and %d in those of the run", name, n, r.Dims[name])
		}
	}
	e.Note("%s was made by a Go program: that these are its data is taken on trust", r.Model)
	return nil
}

// crossNumbers bounds what is in memory at once.
const crossNumbers = 1 << 24

// Cross evaluates the observations, as many at a time as memory is to hold.
func Cross(
	l *session.Loglik, draws *session.RunDraws, threads int,
) ([]diagnose.LOOPoint, error) {
	states, err := statesOf(draws)
	if err != nil {
		return nil, err
	}
	block := min(l.N, max(1, crossNumbers/len(states)))
	values := make([]float64, block*len(states)) // [draw][observation]
	out := make([]diagnose.LOOPoint, l.N)
	workers := l.Evaluators(threads, len(states))
	spaces := make([]space, session.ThreadsOf(threads, block))
	for i := range spaces {
		spaces[i] = newSpace(draws)
	}
	for from := 0; from < l.N; from += block {
		n := min(block, l.N-from)
		share(len(workers), len(states), draws.Stop, func(worker, s int) {
			workers[worker].Eval(l, states[s].X, from, from+n, values[s*n:(s+1)*n])
		})
		share(len(spaces), n, draws.Stop, func(worker, i int) {
			out[from+i] = spaces[worker].loo(values, n, i)
		})
		if err := draws.Stop.Err(); err != nil {
			return nil, err
		}
	}
	return out, finite(l, out, nil)
}

// statesOf reads all draws.
func statesOf(draws *session.RunDraws) ([]session.Drawn, error) {
	states := make([]session.Drawn, draws.Total())
	for i := range states {
		var err error
		if states[i], err = draws.Read(i); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// finite refuses observations whose likelihood is not; at are their numbers, nil where they
// count from 0.
func finite(l *session.Loglik, points []diagnose.LOOPoint, at []int) error {
	for i, p := range points {
		if math.IsNaN(p.LPD) || math.IsInf(p.LPD, 0) {
			if at != nil {
				i = at[i]
			}
			return session.Failf(session.ExitRun,
				"the likelihood of %s is zero or not a number at every draw, or infinite at one",
				Name(l, i))
		}
	}
	return nil
}

// A space is what one goroutine smooths weights in.
type space struct {
	work   diagnose.Workspace
	series [][]float64
}

func newSpace(draws *session.RunDraws) space {
	s := space{series: make([][]float64, draws.Chains)}
	for c := range s.series {
		s.series[c] = make([]float64, draws.Each)
	}
	return s
}

// loo is what column i of n says, of values by draw.
func (x *space) loo(values []float64, n, i int) diagnose.LOOPoint {
	each := len(x.series[0])
	for c := range x.series {
		for k := range x.series[c] {
			x.series[c][k] = values[(c*each+k)*n+i]
		}
	}
	return x.work.LOO(x.series)
}

// share does n pieces of work by several goroutines, piece i by worker i mod
// workers, until it is stopped.
func share(workers, n int, stop *session.Stopper, work func(worker, i int)) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n && stop.Err() == nil; i += workers {
				work(w, i)
			}
		})
	}
	wg.Wait()
}

// Name is what an observation is called: y[3], or y where it has no axes.
func Name(l *session.Loglik, i int) string {
	for _, v := range l.Arrays {
		if n := v.Len(); i >= n {
			i -= n
			continue
		}
		index := ""
		for _, size := range slices.Backward(v.Shape) {
			index = fmt.Sprintf(",%d%s", i%size, index)
			i /= size
		}
		if index == "" {
			return v.Name
		}
		return v.Name + "[" + index[1:] + "]"
	}
	return ""
}
