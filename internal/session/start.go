package session

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// StartFile reads values of parameters.
func StartFile(e *Session, m *model.Model, file string) (map[string][]float64, error) {
	t, errs := formats.ReadFile(file)
	if len(errs) > 0 {
		printable.Fprintf(e.Stderr, "--init %s is neither a radius nor a file of values:\n", file)
		for _, err := range errs {
			fmt.Fprintln(e.Stderr, err.Error())
		}
		return nil, &ExitError{Code: errs[0].Exit()}
	}
	return startValues(e, t, m, file)
}

// Prior draws a starting point for each chain.
func (b *Binding) Prior(e *Session, cfg *sampler.Config) ([][]float64, error) {
	var out [][]float64
	for k := range cfg.Chains {
		src := rng.New(cfg.Seed, k, rng.Init).At(0)
		sim, diags, errs, err := driver.Simulate(b.Src, driver.SimulateOptions{
			Options: driver.Options{Set: Numbers(b.Set)}, Data: b.Data, Sets: b.Set,
			Seed: src.Uint64(), ParamsOnly: true})
		switch {
		case diags.Errors():
			e.Diagnose(diags)
			return nil, &ExitError{Code: ExitModel,
				message: "--init prior needs a prior to draw from"}
		case errs != nil:
			return nil, e.DataErrors(errs)
		case err != nil:
			return nil, Failf(ExitData, "--init prior: %v", err)
		}
		given := map[string][]float64{}
		for _, p := range sim.Params {
			given[p.Name] = p.Value.Floats()
		}
		x, err := StartPoint(b.Target, given, cfg.Seed, k)
		if err != nil {
			return nil, Failf(ExitData, "--init prior: %v", err)
		}
		out = append(out, x)
	}
	return out, nil
}

// startValues picks the parameters' values out of a file.
func startValues(
	e *Session, t *formats.Table, m *model.Model, file string,
) (map[string][]float64, error) {
	given, names := map[string][]float64{}, []string{}
	for _, o := range m.Outputs() {
		if o.Track {
			continue
		}
		names = append(names, o.Name)
		if !slices.Contains(t.Fields, o.Name) {
			continue
		}
		v, errs := t.Field(o.Name)
		if len(errs) > 0 {
			return nil, Failf(ExitData, "%v", errs[0])
		}
		if v.CSR != nil || v.Len() != o.Len {
			return nil, Failf(ExitData,
				"--init %s: %s has %d values, the model wants %d (shape %v)", file, o.Name, v.Len(),
				o.Len, o.Shape)
		}
		given[o.Name] = v.Floats()
	}
	for _, f := range t.Fields {
		if _, used := given[f]; used || strings.HasSuffix(f, ".component") {
			// labels of `simulate --params-out`
			continue
		}
		text := fmt.Sprintf("%s: %s is no parameter of the model, and is not used", file, f)
		if near := spelling.Nearest(f, names); near != "" {
			text += "; did you mean " + near + "?"
		}
		e.Note("%s", text)
	}
	if len(given) == 0 {
		sort.Strings(names)
		return nil, Failf(ExitData, "--init %s has none of the parameters %s", file,
			strings.Join(names, ", "))
	}
	return given, nil
}

func Partial(m *model.Model, given map[string][]float64) bool {
	for _, o := range m.Outputs() {
		if _, ok := given[o.Name]; !ok && !o.Track && o.Len > 0 {
			return true
		}
	}
	return false
}

// StartPoint returns a random starting point of a chain, with the given parameters at their given
// values.
func StartPoint(
	m *model.Model, given map[string][]float64, seed uint64, chain int,
) ([]float64, error) {
	x := make([]float64, m.Dim())
	factors, err := manifold.Product(m.Blocks(), m.Dim())
	if err != nil {
		return nil, err
	}
	src := rng.New(seed, chain, rng.Init).At(0)
	for _, f := range factors {
		n := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += n {
			f.Space.RandomPoint(&src, sampler.DefaultConfig().InitRadius, x[at:at+n])
		}
	}
	eval := m.Evaluator(1)
	if _, err := eval.Start(&src, x); err != nil {
		return nil, err
	}
	out := make([]float64, m.OutputLen())
	eval.Constrain(x, out)
	for _, o := range m.Outputs() {
		if v, ok := given[o.Name]; ok {
			copy(out[o.Offset:o.Offset+o.Len], v)
		}
	}
	// Only the blocks that were given are taken over: the rest keeps its
	// coordinates, which its values may not have back exactly.
	y := make([]float64, m.Dim())
	_ = eval.Unconstrain(out, y) // blocks that are taken over are checked here
	for _, b := range m.Blocks() {
		if _, ok := given[b.Name]; !ok {
			continue
		}
		for i := b.Offset; i < b.Offset+b.Len; i++ {
			if math.IsNaN(y[i]) || math.IsInf(y[i], 0) {
				return nil, fmt.Errorf("%s is outside its support, or on its border", b.Name)
			}
			x[i] = y[i]
		}
	}
	return x, nil
}
