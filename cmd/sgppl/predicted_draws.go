package main

import (
	"bufio"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// predictedDraws writes draws of the data as they are made: none is kept.
type predictedDraws struct {
	sites        []driver.Predicted
	chains, each int
	numbers      []int // by which the run knows the chains; nil: 0, 1, …
	record       *run.Record
	seed         uint64
	bound        *data.Bound
}

// whole says that a kind has whole numbers.
func whole(k data.Kind) bool {
	return k == data.Int || k == data.Count || k == data.Bool || k == data.Index
}

// variableOf is a predicted array in a store.
func variableOf(s *driver.Predicted) trace.Variable {
	v := trace.Variable{Group: "posterior_predictive", Name: s.Name, Dims: s.Dims, Shape: s.Shape}
	if s.Latent {
		v.Group = "posterior"
	}
	if whole(s.Kind) && !s.Missing {
		v.DType = trace.Int64
	}
	return v
}

// write makes a file out of what draw gives, in one step.
func (w *predictedDraws) write(e *env, out, format string, draw func(take func(p drawn, x []float64) error) error) error {
	var err error
	switch format {
	case "csv":
		err = trace.WriteStream(out, func(b *bufio.Writer) error { return w.csv(b, draw) })
	case "zarr":
		err = trace.WriteStore(out, func(temp string) error { return w.zarr(temp, draw) })
	default:
		err = e.stream(out, func(b *bufio.Writer) error { return w.json(b, out, draw) })
	}
	return filesError(err)
}

// stream writes a file in one step, or standard output for "-".
func (e *env) stream(out string, write func(b *bufio.Writer) error) error {
	if out != "-" {
		return trace.WriteStream(out, write)
	}
	b := bufio.NewWriter(e.stdout)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return fail(exitFiles, "cannot write: %v", err)
	}
	return nil
}

// filesError gives an error without a status that of files.
func filesError(err error) error {
	var own *exitError
	if err == nil || errors.As(err, &own) {
		return err
	}
	return fail(exitFiles, "%v", err)
}

// csv has a line for every draw, with the columns chain and draw first.
func (w *predictedDraws) csv(b *bufio.Writer, draw func(take func(p drawn, x []float64) error) error) error {
	b.WriteString("chain,draw")
	for i := range w.sites {
		for _, name := range entryNames(&w.sites[i]) {
			b.WriteByte(',')
			writeQuoted(b, name, len(w.sites[i].Shape) > 0)
		}
	}
	b.WriteByte('\n')
	return draw(func(p drawn, x []float64) error {
		line := strconv.AppendInt(b.AvailableBuffer(), int64(p.Chain), 10)
		line = append(line, ',')
		b.Write(strconv.AppendInt(line, int64(p.Draw), 10))
		for _, v := range x {
			b.Write(trace.AppendNumber(append(b.AvailableBuffer(), ','), v))
		}
		return writeError(b.WriteByte('\n'))
	})
}

// writeQuoted writes a name of a column, in quotes where it has indices.
func writeQuoted(b *bufio.Writer, name string, quoted bool) {
	if quoted {
		name = `"` + name + `"`
	}
	b.WriteString(name)
}

func writeError(err error) error {
	if err == nil {
		return nil
	}
	return fail(exitFiles, "cannot write: %v", err)
}

// json has for every name the lists of chains of draws.
func (w *predictedDraws) json(b *bufio.Writer, out string, draw func(take func(p drawn, x []float64) error) error) error {
	var names []string
	for _, s := range w.sites {
		names = append(names, s.Name)
	}
	l, err := newJSONLists(b, out, names, w.each, "{")
	if err != nil {
		return err
	}
	defer l.remove()
	err = draw(func(_ drawn, x []float64) error {
		l.begin()
		for i, s := range w.sites {
			if err := l.put(i, x[s.Offset:s.Offset+s.Len], s.Shape, whole(s.Kind)); err != nil {
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
func (w *predictedDraws) zarr(dir string, draw func(take func(p drawn, x []float64) error) error) error {
	var vars []trace.Variable
	for i := range w.sites {
		vars = append(vars, variableOf(&w.sites[i]))
	}
	vars = append(vars, observedData(w.sites, w.bound)...)
	for i := range vars {
		vars[i].Label(w.bound.Labels)
	}
	store, err := trace.Create(dir, vars, w.chains, w.each, 0, storeAttrs(w.record))
	if err != nil {
		return err
	}
	if w.numbers != nil {
		if err := store.NumberChains(w.numbers); err != nil {
			return err
		}
	}
	if err := writeObserved(store, w.sites, w.bound); err != nil {
		return err
	}
	var to *trace.Appender
	n := 0
	err = draw(func(p drawn, x []float64) error {
		if n%w.each == 0 {
			if to != nil {
				if err := to.Close(); err != nil {
					return err
				}
			}
			if to, err = store.Appender(n/w.each, 0); err != nil {
				return err
			}
		}
		n++
		for i, s := range w.sites {
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

// storeAttrs are the attributes of a store that is made from a run.
func storeAttrs(r *run.Record) map[string]any {
	return map[string]any{"creation_library_version": r.Version, "inference_library_version": r.Version, "model": r.Model, "sampler": r.Outline().Method}
}

// observedData are the arrays of the group observed_data, as far as they are given.
func observedData(sites []driver.Predicted, bound *data.Bound) []trace.Variable {
	var out []trace.Variable
	for _, s := range sites {
		if v := bound.Values[s.Name]; v != nil && v.CSR == nil {
			x := trace.Variable{Group: "observed_data", Name: s.Name, Dims: s.Dims, Shape: s.Shape, Static: true}
			if whole(s.Kind) && !slices.ContainsFunc(v.Floats(), math.IsNaN) {
				x.DType = trace.Int64
			}
			out = append(out, x)
		}
	}
	return out
}

// writeObserved fills them in; classes count as the data count them.
func writeObserved(store *trace.Store, sites []driver.Predicted, bound *data.Bound) error {
	for _, s := range sites {
		v := bound.Values[s.Name]
		if v == nil || v.CSR != nil {
			continue
		}
		x := make([]float64, v.Len())
		for i, y := range v.Floats() {
			x[i] = y + float64(s.From)
		}
		if err := store.WriteStatic("observed_data", s.Name, x); err != nil {
			return err
		}
	}
	return nil
}
