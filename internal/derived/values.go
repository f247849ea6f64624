package derived

import (
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// values has the values of quantities at the draws of a run.
type values struct {
	record *run.Record
	bound  *data.Bound
	draws  *session.RunDraws
	sites  []driver.Predicted // the quantities
	x      []float64          // [draw][entry of all quantities]
	width  int

	posterior *driver.Posterior
	from      []int // where each quantity begins in what Constrain writes
}

// openValues compiles quantities over the model of a run, and binds it to other data where
// there are specs, to the run's where a quantity reads data, else to its sizes alone.
func openValues(
	e *session.Session, dir string, quantities []driver.Quantity, specs, set []string,
	choice session.Choice,
) (*values, error) {
	o := opened{dir: dir, data: specs, set: set, choice: choice, what: "derive"}
	err := o.open(e, func(src *source.File, with driver.Options) (*driver.Posterior, diag.List) {
		return driver.Derive(src, quantities, with)
	})
	if err != nil {
		return nil, err
	}
	d := &values{record: o.record, bound: o.target.Bound, draws: o.draws, posterior: o.posterior}
	for _, o := range o.target.Target.Outputs() {
		if o.Track {
			d.sites = append(d.sites,
				driver.Predicted{Name: o.Name, Dims: o.Dims, Shape: o.Shape, Offset: d.width,
					Len: o.Len, Latent: true})
			d.from = append(d.from, o.Offset)
			d.width += o.Len
		}
	}
	return d, nil
}

// compute evaluates the quantities at every draw.
func (d *values) compute(threads int) error {
	m := d.draws.Model
	type worker struct {
		eval interface{ Constrain(x, out []float64) }
		out  []float64
	}
	workers := make([]worker, session.ThreadsOf(threads, d.draws.Total()))
	for i := range workers {
		workers[i] = worker{m.NewEvaluator(1), make([]float64, m.OutputLen())}
	}
	d.x = make([]float64, 0, d.width*d.draws.Total())
	return d.draws.ForEach(threads, d.width, func(k int, p session.Drawn, out []float64) error {
		w := &workers[k]
		w.eval.Constrain(p.X, w.out)
		for i, s := range d.sites {
			copy(out[s.Offset:s.Offset+s.Len], w.out[d.from[i]:])
		}
		return nil
	}, func(_ session.Drawn, out []float64) error {
		d.x = append(d.x, out...)
		return nil
	})
}

// each gives the values of every draw.
func (d *values) each(take func(p session.Drawn, x []float64) error) error {
	for i := range d.draws.Total() {
		p, err := d.draws.Read(i)
		if err != nil {
			return err
		}
		if err := take(p, d.x[i*d.width:(i+1)*d.width]); err != nil {
			return err
		}
	}
	return nil
}
