package driver

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A tally adds up what arrays need, before any of them is made. It counts in
// floating point, where no size overflows.
type tally struct {
	dims    map[string]int
	total   float64 // bytes
	largest float64
	what    string // the largest array, for people
}

// entries is the value of a size; 0 where a dim in it is unknown.
func (t *tally) entries(p size.Poly) float64 {
	sum := 0.0
	for _, term := range p.Terms {
		x := float64(term.Coef)
		for _, d := range term.Dims {
			n, known := t.dims[d]
			if !known {
				return 0
			}
			x *= float64(n)
		}
		sum += x
	}
	return max(0, sum/float64(max(p.Over, 1)))
}

// array adds copies of an array of numbers of so many bytes.
func (t *tally) array(what string, shape []size.Poly, copies, bytes float64) {
	n, axes := 1.0, make([]string, len(shape))
	for i, p := range shape {
		k := t.entries(p)
		axes[i] = fmt.Sprintf("%.0f", k)
		n *= k
	}
	t.add(fmt.Sprintf("%s of %s numbers", what, strings.Join(axes, " × ")), n, copies*bytes)
}

// add adds n entries of so many bytes in all.
func (t *tally) add(what string, n, bytes float64) {
	t.total += n * bytes
	if n > t.largest {
		t.largest, t.what = n, what
	}
}

// program adds the workspace of a function for blocks of so many rows.
func (t *tally) program(p *plan.Program, rows, copies float64) {
	if p == nil {
		return
	}
	bytes := 8.0
	if p.Single {
		bytes = 4
	}
	for _, s := range p.Slots {
		n := t.entries(s.Width)
		if s.Rows {
			n *= rows
		}
		t.add(fmt.Sprintf("one of %.0f numbers that it computes", n), n, bytes*copies)
	}
}

// statesOfChain is about how many arrays of the size of the state a chain has at
// least: positions, velocities, gradients, thermostats or trajectories, the value
// in the model's own coordinates, and draws that wait to be written.
const statesOfChain = 6

// Fits returns an error where so many chains at a time, of a model with dims of
// the given sizes, need more memory than there may be besides what is in use.
func (c *Compiled) Fits(dims map[string]int, chains int, planned Planned) error {
	return c.FitsCopy(dims, chains, planned, 0)
}

// Planned is what a run of many rows takes besides its chains: evaluators of gradients with a
// control variate, and bytes of arrays. It is zero of others.
type Planned struct {
	Evaluators int
	Bytes      float64
}

// planRows is how many rows these evaluators take at a time.
const planRows = 1024

// FitsCopy refuses, as Fits does, a run in another process that memory has no space for: that
// process holds a copy of the data, besides what is in use here.
func (c *Compiled) FitsCopy(
	dims map[string]int, chains int, planned Planned, copied float64,
) error {
	t := &tally{dims: dims, total: copied + planned.Bytes}
	n := float64(chains)
	for i := range c.Spec.Params {
		p := &c.Spec.Params[i]
		t.array("param "+p.Name, p.Shape, n, 8)
		t.add("", t.product(p.State), 8*n*(statesOfChain-1))
	}
	for i := range c.Spec.Tracks {
		t.array("the value "+c.Spec.Tracks[i].Name, c.Spec.Tracks[i].Shape, n, 8)
	}
	for _, list := range [][]model.Datum{
		c.Spec.Constants, c.Spec.Derived, c.Spec.StatisticData(), c.Spec.Totals,
	} {
		for i := range list {
			if d := &list[i]; !d.Sparse {
				t.array("what is computed of data, "+d.Name+",", d.Shape, 1, 8)
			}
		}
	}
	rows := t.rows(c.Spec)
	for _, name := range []fn.Kind{fn.Gradient, fn.Density, fn.Constrain} {
		t.program(c.Program(name.ID()), rows, n)
	}
	if planned.Evaluators > 0 {
		t.program(c.Program(fn.Difference.ID()), min(rows, planRows), float64(planned.Evaluators))
	}
	what := "the model"
	if t.what != "" {
		what += ", whose largest array is " + t.what + ","
	}
	if planned.Bytes > t.total/2 {
		what = "finding how many rows are sampled, which --anchor none spares,"
	}
	if copied > 0 {
		what = "the native sampler, which holds a second copy of the data of " +
			memory.Text(copied) + ","
	}
	return memory.FitsNow(t.total, what)
}

func (t *tally) product(shape []size.Poly) float64 {
	n := 1.0
	for _, p := range shape {
		n *= t.entries(p)
	}
	return n
}

// rows is how many rows functions take at a time.
func (t *tally) rows(s *model.Spec) float64 {
	if s.RowDim == "" {
		return 1
	}
	rows := min(float64(model.BlockRows), float64(t.dims[s.RowDim]))
	for _, w := range s.Work {
		if n := t.entries(w); n > 0 {
			rows = min(rows, model.BlockNumbers/n)
		}
	}
	return max(rows, 1)
}
