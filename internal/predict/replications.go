package predict

import (
	"bufio"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Replications are data sets of one model with the same covariates, which are
// written as they are drawn.
type Replications struct {
	Simulator *driver.Simulator
	First     *driver.Simulated // of the seed
	Seed      uint64
	N         int
	Stop      *session.Stopper
}

// draw calls take with every data set, in their order; several are drawn at once.
func (r *Replications) draw(take func(s *driver.Simulated) error) error {
	workers := min(runtime.GOMAXPROCS(0), r.N)
	sets, errs := make([]*driver.Simulated, workers), make([]error, workers)
	for from := 0; from < r.N; from += workers {
		n := min(workers, r.N-from)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				var wrong []*data.Error
				sets[i], wrong, errs[i] = r.Simulator.Draw(driver.ReplicationSeed(r.Seed, from+i))
				if wrong != nil {
					errs[i] = wrong[0]
				}
			})
		}
		wg.Wait()
		for i := range n {
			if errs[i] != nil {
				return session.Failf(session.ExitData, "data set %d: %v", from+i, errs[i])
			}
			if err := take(sets[i]); err != nil {
				return err
			}
		}
		if err := r.Stop.Err(); err != nil {
			return err
		}
	}
	return nil
}

// parts sorts the values of a data set: what all share, what each has drawn,
// the parameters.
func (r *Replications) parts(s *driver.Simulated) (shared, drawn, params []driver.Named) {
	for _, v := range s.Data {
		if r.Simulator.Drawn(v.Name) {
			drawn = append(drawn, v)
		} else {
			shared = append(shared, v)
		}
	}
	return shared, drawn, append(append([]driver.Named{}, s.Params...), s.Components...)
}

// dense are the numbers of a value.
func dense(v *data.Value) []float64 {
	if v.CSR != nil {
		return v.CSR.Dense(v.CSR.Cols)
	}
	return v.Floats()
}

// JSON writes what all share once, and of what each has drawn the list.
func (r *Replications) JSON(e *session.Session, out, params string) error {
	shared, drawn, unknown := r.parts(r.First)
	return e.Stream(out, func(b *bufio.Writer) error {
		if params == "" {
			return r.lists(b, out, shared, drawn, nil, "", nil)
		}
		return e.Stream(params,
			func(p *bufio.Writer) error {
				return r.lists(b, out, shared, drawn, p, params, unknown)
			})
	})
}

// lists writes the data, and besides them the unknowns where p is not nil.
func (r *Replications) lists(
	b *bufio.Writer, out string, shared, drawn []driver.Named, p *bufio.Writer, params string,
	unknown []driver.Named,
) error {
	begin := func(b *bufio.Writer, out string, list []driver.Named,
		start string) (*jsonLists, error) {
		var names []string
		for _, v := range list {
			names = append(names, v.Name)
		}
		return newJSONLists(b, out, names, 0, start)
	}
	if err := driver.OpenJSON(b, shared); err != nil {
		return session.WriteError(err)
	}
	var of [2]*jsonLists
	var err error
	if len(drawn) > 0 {
		start := ""
		if len(shared) > 0 {
			start = ","
		}
		if of[0], err = begin(b, out, drawn, start); err != nil {
			return err
		}
		defer of[0].remove()
	}
	if p != nil && len(unknown) > 0 {
		if of[1], err = begin(p, params, unknown, "{"); err != nil {
			return err
		}
		defer of[1].remove()
	}
	err = r.draw(func(s *driver.Simulated) error {
		_, drawn, unknown := r.parts(s)
		for k, list := range [][]driver.Named{drawn, unknown} {
			if of[k] == nil {
				continue
			}
			of[k].begin()
			for i, v := range list {
				if err := of[k].named(i, &v); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for k, w := range []*bufio.Writer{b, p} {
		switch {
		case of[k] != nil:
			err = of[k].end()
		case w != nil: // nothing was drawn for it
			if k == 1 {
				w.WriteString("{")
			}
			_, err = w.WriteString("\n}\n")
		}
		if err != nil {
			return session.WriteError(err)
		}
	}
	return nil
}

// Zarr writes a store that has the groups prior and prior_predictive, of one chain whose draws are
// the data sets, and constant_data.
func (r *Replications) Zarr(dir, model string) error {
	shared, drawn, unknown := r.parts(r.First)
	var vars []trace.Variable
	add := func(group string, list []driver.Named, static bool) {
		for _, v := range list {
			x := trace.Variable{Group: group, Name: v.Name, Shape: v.Value.Shape,
				Dims: r.Simulator.Dims(v.Name), Static: static}
			if v.Whole && !slices.ContainsFunc(dense(v.Value), math.IsNaN) {
				x.DType = trace.Int64
			}
			vars = append(vars, x)
		}
	}
	add("prior", unknown, false)
	add("prior_predictive", drawn, false)
	add("constant_data", shared, true)
	store, err := trace.Create(dir, vars, 1, r.N, 0, map[string]any{
		"creation_library_version": sgppl.Version, "inference_library_version": sgppl.Version,
		"model": model})
	if err != nil {
		return err
	}
	for _, v := range shared {
		if err := store.WriteStatic("constant_data", v.Name, dense(v.Value)); err != nil {
			return err
		}
	}
	to, err := store.Appender(0, 0)
	if err != nil {
		return err
	}
	err = r.draw(func(s *driver.Simulated) error {
		_, drawn, unknown := r.parts(s)
		for i, v := range append(unknown, drawn...) {
			to.Put(i, dense(v.Value))
		}
		return to.Next()
	})
	if err != nil {
		return err
	}
	if err := to.Close(); err != nil {
		return err
	}
	return store.Close()
}
