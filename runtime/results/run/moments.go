package run

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/sketch"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// MomentsGroup is the group of a store with summaries of the draws of each chain. A store has it in
// addition to the draws or instead of them. Every array has the axis chain. The array count has the
// number of draws. Every output NAME has the arrays NAME.mean and NAME.variance (divisor count − 1;
// NaN below 2 draws). With quantile sketches there are also batches, the number of full batches,
// batch_length, the draws of a batch, and for every output
//
//   - NAME.quantile, with a last axis quantile: the quantiles sketch.Targets of the chain,
//   - NAME.first_half, the mean of the first ⌊batches/2⌋ batches,
//   - NAME.batch_spread, the variance of the batch means times batch_length,
//   - NAME.entry, with a last axis entry: some of the draws in rising order, and
//     NAME.rank_low and NAME.rank_high: bounds of their ranks among the draws
//     of the chain, counted from 1. Unused entries are NaN and their ranks 0.
const MomentsGroup = "posterior_moments"

// A momentArray describes an array that MomentsGroup has for every output.
type momentArray struct {
	suffix, doc string
	last        string // name of an axis after the axes of the output, if any
	sketched    bool   // the array exists only if quantiles are sketched
	dtype       trace.DType
	// put writes the array's values for one element into dst, from the element's summary c.
	put func(c *sketch.Chain, dst []float64)
}

var momentArrays = []momentArray{
	{suffix: "mean", doc: "mean over the draws of the chain of",
		put: func(c *sketch.Chain, dst []float64) { dst[0] = c.Mean }},
	{suffix: "variance", doc: "variance over the draws of the chain of",
		put: func(c *sketch.Chain, dst []float64) { dst[0] = c.Variance }},
	{suffix: "first_half", doc: "mean over the first half of the batches of draws of",
		sketched: true, put: func(c *sketch.Chain, dst []float64) { dst[0] = c.Half }},
	{suffix: "batch_spread", doc: "variance of the means of batches of draws, times their length, of",
		sketched: true, put: func(c *sketch.Chain, dst []float64) {
			dst[0] = c.Spread
		}},
	{suffix: "quantile", doc: "quantiles, by a sketch, over the draws of the chain of",
		last: "quantile", sketched: true, put: func(c *sketch.Chain, dst []float64) {
			one := [1]sketch.Chain{*c}
			for i, p := range sketch.Targets {
				dst[i], _ = sketch.Quantile(one[:], p)
			}
		}},
	{suffix: "entry", doc: "some draws of the chain, rising, of", last: "entry", sketched: true,
		put: func(c *sketch.Chain, dst []float64) { pad(dst, c.Value, math.NaN()) }},
	{suffix: "rank_low", doc: "lower bounds of the ranks of the entries of", last: "entry",
		sketched: true, dtype: trace.Int32,
		put: func(c *sketch.Chain, dst []float64) { pad(dst, c.Low, 0) }},
	{suffix: "rank_high", doc: "upper bounds of the ranks of the entries of", last: "entry",
		sketched: true, dtype: trace.Int32,
		put: func(c *sketch.Chain, dst []float64) { pad(dst, c.High, 0) }},
}

func pad(dst, values []float64, rest float64) {
	for i := copy(dst, values); i < len(dst); i++ {
		dst[i] = rest
	}
}

// length returns the length of the axis last, or 1 if the array has no such axis.
func (a *momentArray) length(entries int) int {
	switch a.last {
	case "quantile":
		return len(sketch.Targets)
	case "entry":
		return entries
	}
	return 1
}

// momentVariables returns the arrays of MomentsGroup for the outputs. entries is the number of
// entries of a quantile sketch; 0 means no sketches.
func momentVariables(outputs []target.Output, entries int) []trace.Variable {
	scalar := func(name, doc string) trace.Variable {
		return trace.Variable{Group: MomentsGroup, Name: name, Doc: doc, DType: trace.Int64,
			Static: true, PerChain: true}
	}
	vars := []trace.Variable{scalar("count", "draws of the chain")}
	if entries > 0 {
		vars = append(vars, scalar("batches", "full batches of draws of the chain"),
			scalar("batch_length", "draws of a batch"))
	}
	for _, o := range outputs {
		for _, a := range momentArrays {
			if a.sketched && entries == 0 {
				continue
			}
			v := trace.Variable{Group: MomentsGroup, Name: o.Name + "." + a.suffix,
				Doc: a.doc + " " + o.Name, DType: a.dtype, Static: true, PerChain: true,
				Dims: slices.Clone(o.Dims), Shape: slices.Clone(o.Shape)}
			if a.last != "" {
				for len(v.Dims) < len(v.Shape) {
					v.Dims = append(v.Dims, "")
				}
				v.Dims, v.Shape = append(v.Dims, a.last), append(v.Shape, a.length(entries))
			}
			if a.last == "quantile" {
				v.Labels = make([][]string, len(v.Shape))
				for _, p := range sketch.Targets {
					last := len(v.Shape) - 1
					v.Labels[last] = append(v.Labels[last], strconv.FormatFloat(p, 'g', -1, 64))
				}
			}
			vars = append(vars, v)
		}
	}
	return vars
}

// moments accumulates the summaries of the draws of one chain, in a run with --keep moments.
type moments struct {
	outputs []target.Output
	sketch  *sketch.Sketch
}

func newMoments(outputs []target.Output, entries int, draws int64) *moments {
	var spans []sketch.Span
	for _, o := range outputs {
		spans = append(spans, sketch.Span{From: o.Offset, Len: o.Len})
	}
	return &moments{outputs, sketch.New(spans, entries, draws)}
}

// blockNumbers is the number of elements that are written at a time.
const blockNumbers = 1024

// write puts the moments into a store.
func (m *moments) write(s *trace.Store, chain int) error {
	at := 0
	for _, o := range m.outputs {
		if err := m.writeOutput(s, chain, o, at); err != nil {
			return err
		}
		at += o.Len
	}
	if m.sketch.Entries() > 0 {
		full, length := m.sketch.Batches()
		if err := s.WritePerChain(MomentsGroup, "batches", chain, []float64{float64(full)}); err != nil {
			return err
		}
		if err := s.WritePerChain(MomentsGroup, "batch_length", chain,
			[]float64{float64(length)}); err != nil {
			return err
		}
	}
	return s.WritePerChain(MomentsGroup, "count", chain, []float64{float64(m.sketch.Count())})
}

// writeOutput writes all arrays of an output at once. The elements of the output begin at index at
// of the sketch.
func (m *moments) writeOutput(s *trace.Store, chain int, o target.Output, at int) (err error) {
	var arrays []*momentArray
	var files []*trace.ChainWriter
	defer func() {
		for _, f := range files {
			if e := f.Close(); err == nil {
				err = e
			}
		}
	}()
	entries := m.sketch.Entries()
	values := make([][]float64, 0, len(momentArrays))
	for k := range momentArrays {
		a := &momentArrays[k]
		if a.sketched && entries == 0 {
			continue
		}
		f, err := s.PerChain(MomentsGroup, o.Name+"."+a.suffix, chain)
		if err != nil {
			return err
		}
		arrays, files = append(arrays, a), append(files, f)
		values = append(values, make([]float64, a.length(entries)*min(blockNumbers, o.Len)))
	}
	var c sketch.Chain
	for lo := 0; lo < o.Len; lo += blockNumbers {
		size := min(blockNumbers, o.Len-lo)
		for i := range size {
			m.sketch.Chain(at+lo+i, &c)
			for k, a := range arrays {
				n := a.length(entries)
				a.put(&c, values[k][i*n:(i+1)*n])
			}
		}
		for k, a := range arrays {
			if err := files[k].Write(values[k][:size*a.length(entries)]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Moments are the values that MomentsGroup has for a range of elements of one output.
type Moments struct {
	store  *trace.Store
	name   string
	Chains []sketch.Chain // space for one number
	counts [3]*trace.Array
	first  int
	arrays map[string]*trace.Array
}

// ReadMoments reads the moments of the elements lo … hi−1 of an output.
func ReadMoments(s *trace.Store, name string, lo, hi int) (*Moments, error) {
	m := &Moments{store: s, name: name, first: lo, Chains: make([]sketch.Chain, s.Chains()),
		arrays: map[string]*trace.Array{}}
	for i, count := range []string{"count", "batches", "batch_length"} {
		if _, ok := s.Lookup(MomentsGroup, count); !ok {
			continue
		}
		var err error
		if m.counts[i], err = s.Read(MomentsGroup, count); err != nil {
			return nil, err
		}
	}
	if m.counts[0] == nil {
		return nil, fmt.Errorf("%s has no %s", s.Dir(), MomentsGroup)
	}
	for _, a := range momentArrays {
		v, ok := s.Lookup(MomentsGroup, name+"."+a.suffix)
		if !ok || a.suffix == "quantile" {
			continue
		}
		n := 1
		if a.last != "" {
			n = v.Shape[len(v.Shape)-1]
		}
		x, err := s.ReadElements(MomentsGroup, v.Name, lo*n, hi*n)
		if err != nil {
			return nil, err
		}
		m.arrays[a.suffix] = x
	}
	return m, nil
}

// Sketched reports whether the store has quantile sketches and batch means in addition to means and
// variances.
func (m *Moments) Sketched() bool { return m.arrays["entry"] != nil }

// Join summarises element i of the output over all chains. ReadMoments must have read the element.
// The slices of the result are valid until the next call.
func (m *Moments) Join(i int) sketch.Summary {
	i -= m.first
	for k := range m.Chains {
		c := &m.Chains[k]
		*c = sketch.Chain{Count: m.counts[0].At(k, 0)[0], Spread: math.NaN(), Half: math.NaN(),
			Value: c.Value[:0], Low: c.Low[:0], High: c.High[:0]}
		c.Mean, c.Variance = m.arrays["mean"].At(k, 0)[i], m.arrays["variance"].At(k, 0)[i]
		if !m.Sketched() || m.counts[1] == nil || m.counts[2] == nil {
			continue
		}
		c.Batches, c.Length = m.counts[1].At(k, 0)[0], m.counts[2].At(k, 0)[0]
		c.Half, c.Spread = m.arrays["first_half"].At(k, 0)[i], m.arrays["batch_spread"].At(k, 0)[i]
		value, low, high := m.arrays["entry"].At(k, 0), m.arrays["rank_low"].At(k, 0),
			m.arrays["rank_high"].At(k, 0)
		n := len(value) / max(len(m.arrays["mean"].At(k, 0)), 1)
		for j := i * n; j < (i+1)*n && low[j] > 0; j++ {
			c.Value, c.Low, c.High = append(c.Value, value[j]), append(c.Low, low[j]),
				append(c.High, high[j])
		}
	}
	return sketch.Join(m.Chains)
}
