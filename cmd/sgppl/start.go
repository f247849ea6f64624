package main

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
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

// start reads --init: a radius goes into cfg; draws from the prior, centres of
// the data and the values of a file are returned as starting points.
func (c *sampleCmd) start(e *env, b *binding, cfg *sampler.Config) ([][]float64, error) {
	m := b.target
	if c.Init == "" {
		return nil, nil // where the model says, or the default radius
	}
	cfg.PlainStart = true
	if c.Init == "prior" {
		return b.prior(e, cfg)
	}
	if pair, ok := strings.CutPrefix(c.Init, "kmeans:"); ok {
		return b.kmeans(e, pair, cfg)
	}
	if r, err := strconv.ParseFloat(c.Init, 64); err == nil {
		cfg.InitRadius = r
		return nil, nil
	}
	given, err := startFile(e, m, c.Init)
	if err != nil {
		return nil, err
	}
	points := 1
	if partial(m, given) {
		points = cfg.Chains
	}
	var out [][]float64
	for k := range points {
		x, err := startPoint(m, given, cfg.Seed, k)
		if err != nil {
			return nil, fail(exitData, "--init %s: %v", c.Init, err)
		}
		out = append(out, x)
	}
	return out, nil
}

// startFile reads values of parameters.
func startFile(e *env, m *model.Model, file string) (map[string][]float64, error) {
	t, errs := formats.ReadFile(file)
	if len(errs) > 0 {
		printable.Fprintf(e.stderr, "--init %s is neither a radius nor a file of values:\n", file)
		for _, err := range errs {
			fmt.Fprintln(e.stderr, err.Error())
		}
		return nil, &exitError{code: errs[0].Exit()}
	}
	return startValues(e, t, m, file)
}

// prior draws a starting point for each chain.
func (b *binding) prior(e *env, cfg *sampler.Config) ([][]float64, error) {
	var out [][]float64
	for k := range cfg.Chains {
		src := rng.New(cfg.Seed, k, rng.Init).At(0)
		sim, diags, errs, err := driver.Simulate(b.src, driver.SimulateOptions{
			Options: driver.Options{Set: numbers(b.set)}, Data: b.data, Sets: b.set, Seed: src.Uint64(), ParamsOnly: true})
		switch {
		case diags.Errors():
			e.diagnose(diags)
			return nil, &exitError{code: exitModel, message: "--init prior needs a prior to draw from"}
		case errs != nil:
			return nil, e.dataErrors(errs)
		case err != nil:
			return nil, fail(exitData, "--init prior: %v", err)
		}
		given := map[string][]float64{}
		for _, p := range sim.Params {
			given[p.Name] = p.Value.Floats()
		}
		x, err := startPoint(b.target, given, cfg.Seed, k)
		if err != nil {
			return nil, fail(exitData, "--init prior: %v", err)
		}
		out = append(out, x)
	}
	return out, nil
}

// startValues picks the parameters' values out of a file.
func startValues(e *env, t *formats.Table, m *model.Model, file string) (map[string][]float64, error) {
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
			return nil, fail(exitData, "%v", errs[0])
		}
		if v.CSR != nil || v.Len() != o.Len {
			return nil, fail(exitData, "--init %s: %s has %d values, the model wants %d (shape %v)", file, o.Name, v.Len(), o.Len, o.Shape)
		}
		given[o.Name] = v.Floats()
	}
	for _, f := range t.Fields {
		if _, used := given[f]; used || strings.HasSuffix(f, ".component") { // labels of `simulate --params-out`
			continue
		}
		text := fmt.Sprintf("%s: %s is no parameter of the model, and is not used", file, f)
		if near := spelling.Nearest(f, names); near != "" {
			text += "; did you mean " + near + "?"
		}
		e.note("%s", text)
	}
	if len(given) == 0 {
		sort.Strings(names)
		return nil, fail(exitData, "--init %s has none of the parameters %s", file, strings.Join(names, ", "))
	}
	return given, nil
}

func partial(m *model.Model, given map[string][]float64) bool {
	for _, o := range m.Outputs() {
		if _, ok := given[o.Name]; !ok && !o.Track && o.Len > 0 {
			return true
		}
	}
	return false
}

// startPoint is a random point of a chain with the given parameters in place.
func startPoint(m *model.Model, given map[string][]float64, seed uint64, chain int) ([]float64, error) {
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
