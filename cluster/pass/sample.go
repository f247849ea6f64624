package pass

import (
	"context"
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// A Method is how the posterior of the rows of all shards is sampled.
type Method string

// The methods.
const (
	// Auto is Statistics where the likelihood collapses or few rows are different, else Surrogate.
	Auto       Method = "auto"
	Statistics Method = "statistics"
	Surrogate  Method = "surrogate"
)

// A Refused error says why rows in shards have no posterior that the driver can sample.
type Refused struct{ Why string }

func (e *Refused) Error() string { return e.Why }

// A Choice is a method with the rows of the first shard.
type Choice struct {
	Method Method
	// Tables says that the statistics are tables of different rows, and no sums.
	Tables bool
	First  *model.Model
	Rest   *data.Bound // inputs that belong to no row, and the first rows
	suits  error       // why a surrogate does not stand for the posterior; nil where it may
}

// Choose reads the first shard, and settles the method. The error is a *Refused where there is
// none that fits.
func Choose(ctx context.Context, e *Env, want Method) (*Choice, error) {
	c, err := e.Compiled()
	if err != nil {
		return nil, err
	}
	if err := c.Shards(); err != nil {
		return nil, &Refused{fmt.Sprintf("the rows cannot be taken in shards: %v", err)}
	}
	m, bound, err := e.Rows(ctx, 0)
	if err != nil {
		return nil, err
	}
	if err := e.rowsHaveAxis(ctx, bound); err != nil {
		return nil, err
	}
	out := &Choice{Method: want, First: m, Rest: bound}
	folds := m.Folds()
	if !folds && want != Surrogate {
		rows, _ := m.EqualRows()
		out.Tables = rows != nil && len(rows) <= m.Rows()/2
	}
	switch collapses := folds || out.Tables; {
	case collapses && want == Auto:
		out.Method = Statistics
	case want == Auto:
		out.Method = Surrogate
	case want == Statistics && !collapses:
		return nil, &Refused{"the likelihood does not collapse: its rows enter by no sums that cost " +
			"less than they do, and most of them are different. --method surrogate may take it"}
	}
	if out.suits = suitsSurrogate(c, m); want == Statistics {
		out.suits = &Refused{"--method surrogate may take them"}
	}
	if out.Method == Surrogate {
		return out, out.suits
	}
	return out, nil
}

// suitsSurrogate is a *Refused where no surrogate stands for a posterior.
func suitsSurrogate(c *driver.Compiled, m *model.Model) error {
	for _, d := range c.Spec.Schema.Dims {
		if d.Of == c.Spec.RowDim {
			return &Refused{fmt.Sprintf("no surrogate stands for this posterior: %s has lists "+
				"of different lengths for the rows", d.Name)}
		}
	}
	if err := surrogate.Suits(m); err != nil {
		return &Refused{fmt.Sprintf("no surrogate stands for this posterior: %v", err)}
	}
	return nil
}

// A Posterior of all rows, for the driver.
type Whole struct {
	Target  target.Target
	Model   *model.Model
	Bound   *data.Bound
	Settled *Settled
	Exact   *surrogate.Exactness // of statistics; nil of a surrogate
}

// WholeOf does the passes that come before the chains, from number on.
func WholeOf(
	ctx context.Context, e *Env, front Front, number int, c *Choice, seed uint64,
) (*Whole, error) {
	if c.Method == Surrogate {
		r, err := RemoteOf(ctx, e, front, number, seed, c.Rest)
		if err != nil {
			return nil, err
		}
		return &Whole{Target: r, Model: r.Model, Bound: r.Bound(), Settled: r.Settled()},
			nil
	}
	if c.Tables {
		w, err := tabled(ctx, e, front, number, c.Rest)
		if !errors.Is(err, errDifferent) {
			return w, err
		}
		if c.suits != nil {
			return nil, &Refused{fmt.Sprintf("%v, and %v", err, c.suits)}
		}
		if e.Note != nil {
			e.Note(err.Error() + ": a surrogate takes the place of that table")
		}
		again := *c
		again.Method = Surrogate
		return WholeOf(ctx, e, front, number+1, &again, seed)
	}
	t, err := StatisticsOf(ctx, e, front, number, c.First)
	if err != nil {
		return nil, err
	}
	m, bound, err := Exact(ctx, e, t)
	if err != nil {
		return nil, err
	}
	return &Whole{Target: m, Model: m, Bound: bound, Settled: t.Settled,
		Exact: &surrogate.Exactness{Kind: "exact", All: t.Settled.total(), Sums: len(t.Sums.Values),
			Passes: t.Passes, Shards: len(e.Run.Manifest.Shards)}}, nil
}

// rowsHaveAxis refuses inputs of the files of rows that do not have the axis of rows, and
// inputs with it that other files have: shards would have parts of the former, and all of the
// latter.
func (e *Env) rowsHaveAxis(ctx context.Context, b *data.Bound) error {
	c, err := e.Compiled()
	if err != nil {
		return err
	}
	file, err := e.piece(ctx, 0)
	if err != nil {
		return err
	}
	for i := range c.Spec.Schema.Inputs {
		in := &c.Spec.Schema.Inputs[i]
		v := b.Values[in.Name]
		if v == nil || v.Origin == nil {
			continue
		}
		switch here, along := v.Origin.File == file, alongRows(c, in); {
		case here && !along:
			return &Permanent{fmt.Errorf("%s : %s is in the files of rows, and has no axis %s: give it in "+
				"a file of its own, which each task reads whole", in.Name, in.Type(), c.Spec.RowDim)}
		case !here && along:
			return &Permanent{fmt.Errorf("%s : %s has the axis of rows, %s, and is in a file that each "+
				"task reads whole: put it into the files of rows", in.Name, in.Type(), c.Spec.RowDim)}
		}
	}
	return nil
}
