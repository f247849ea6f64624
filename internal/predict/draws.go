package predict

import (
	"bufio"
	"strconv"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Draws writes draws of arrays as they are made: none is kept.
type Draws struct {
	Sites        []driver.Predicted
	Chains, Each int
	Numbers      []int // by which the run knows the chains; nil: 0, 1, …
	Record       *run.Record
	Bound        *data.Bound
}

// Write makes a file of a format, json, csv or zarr, out of what draw gives, in one step.
func (w *Draws) Write(
	e *session.Session, out, format string,
	draw func(take func(p session.Drawn, x []float64) error) error,
) error {
	var err error
	switch format {
	case "csv":
		err = trace.WriteStream(out, func(b *bufio.Writer) error { return w.csv(b, draw) })
	case "zarr":
		err = trace.WriteStore(out, func(temp string) error { return w.zarr(temp, draw) })
	default:
		err = e.Stream(out, func(b *bufio.Writer) error { return w.json(b, out, draw) })
	}
	return session.FilesError(err)
}

// csv has a line for every draw, with the columns chain and draw first.
func (w *Draws) csv(
	b *bufio.Writer, draw func(take func(p session.Drawn, x []float64) error) error,
) error {
	b.WriteString("chain,draw")
	for i := range w.Sites {
		for _, name := range session.EntryNames(&w.Sites[i]) {
			b.WriteByte(',')
			session.WriteQuoted(b, name, len(w.Sites[i].Shape) > 0)
		}
	}
	b.WriteByte('\n')
	return draw(func(p session.Drawn, x []float64) error {
		line := strconv.AppendInt(b.AvailableBuffer(), int64(p.Chain), 10)
		line = append(line, ',')
		b.Write(strconv.AppendInt(line, int64(p.Draw), 10))
		for _, v := range x {
			b.Write(trace.AppendNumber(append(b.AvailableBuffer(), ','), v))
		}
		return session.WriteError(b.WriteByte('\n'))
	})
}

// json has for every name the lists of chains of draws.
func (w *Draws) json(
	b *bufio.Writer, out string, draw func(take func(p session.Drawn, x []float64) error) error,
) error {
	var names []string
	for _, s := range w.Sites {
		names = append(names, s.Name)
	}
	l, err := newJSONLists(b, out, names, w.Each, "{")
	if err != nil {
		return err
	}
	defer l.remove()
	err = draw(func(_ session.Drawn, x []float64) error {
		l.begin()
		for i, s := range w.Sites {
			if err := l.put(i, x[s.Offset:s.Offset+s.Len], s.Shape,
				session.Whole(s.Kind)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return l.end()
}

// zarr is a store with the group posterior_predictive, and observed_data where
// the data has the names.
func (w *Draws) zarr(
	dir string, draw func(take func(p session.Drawn, x []float64) error) error,
) error {
	var vars []trace.Variable
	for i := range w.Sites {
		vars = append(vars, session.VariableOf(&w.Sites[i]))
	}
	vars = append(vars, session.ObservedData(w.Sites, w.Bound)...)
	for i := range vars {
		vars[i].Label(w.Bound.Labels)
	}
	store, err := trace.Create(dir, vars, w.Chains, w.Each, 0, session.StoreAttrs(w.Record))
	if err != nil {
		return err
	}
	if w.Numbers != nil {
		if err := store.NumberChains(w.Numbers); err != nil {
			return err
		}
	}
	if err := session.WriteObserved(store, w.Sites, w.Bound); err != nil {
		return err
	}
	var to *trace.Appender
	n := 0
	err = draw(func(p session.Drawn, x []float64) error {
		if n%w.Each == 0 {
			if to != nil {
				if err := to.Close(); err != nil {
					return err
				}
			}
			if to, err = store.Appender(n/w.Each, 0); err != nil {
				return err
			}
		}
		n++
		for i, s := range w.Sites {
			to.Put(i, x[s.Offset:s.Offset+s.Len])
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
