package session

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/kmeans"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// rowsACentre is the number of rows per centre that are clustered, drawn without replacement; at
// least fewestRows in all. The centres are only starting points, so not all rows are needed.
const rowsACentre, fewestRows = 200, 4000

// Kmeans returns starting points in which a family of params is at the cluster centres of an
// input's rows. what is the argument of `--init kmeans:mu=x`. After commas it may give starts of
// other params: `kappa=100` for all entries of kappa, or a file of values. The remaining params
// start at random. All chains have the same centres, so that clusters have the same numbers in all.
func (b *Binding) Kmeans(e *Session, what string, cfg *sampler.Config) ([][]float64, error) {
	pair, rest, _ := strings.Cut(what, ",")
	name, from, ok := strings.Cut(pair, "=")
	if !ok || name == "" || from == "" {
		return nil, Usagef("--init kmeans:%s: write --init kmeans:PARAM=INPUT, such as kmeans:mu=x",
			pair)
	}
	out, err := b.output(name)
	if err != nil {
		return nil, err
	}
	x, err := b.rowsOf(from)
	if err != nil {
		return nil, err
	}
	n, row := x.Shape[0], x.Shape[1:]
	family := len(out.Shape) - len(row)
	if family < 0 || !slices.Equal(out.Shape[family:], row) {
		return nil, Usagef("--init kmeans:%s: a row of %s has shape %v, and %s has shape %v, "+
			"which does not end in it", pair, from, row, name, out.Shape)
	}
	width := array.Len(row)
	if n == 0 || width == 0 || out.Len == 0 {
		return nil, Failf(ExitData,
			"--init kmeans:%s: nothing to cluster: %d rows of %d numbers, %d centres", pair, n,
			width, out.Len/max(1, width))
	}
	k := out.Len / width
	src := rng.New(cfg.Seed, 0, rng.Init).At(1) // step 0 draws the random part of the starts
	rows := sampleOf(x.Floats(), n, width, max(fewestRows, rowsACentre*k), &src)
	support := b.support(name)
	if support == "sphere" {
		if rows = unitRows(rows, width); len(rows) == 0 {
			return nil, Failf(ExitData,
				"--init kmeans:%s: every row of %s is 0, and has no direction", pair, from)
		}
	}
	centres, spread := kmeans.Centres(rows, width,
		kmeans.Options{K: k, Unit: support == "sphere", Swaps: 20 * k, Lloyd: 20}, &src)
	if support == "ordered" || support == "positive_ordered" {
		slices.Sort(centres)
	}
	e.Note("%s starts at %d centres of %d rows of %s, whose mean squared distance to theirs is %.4g",
		name, k, len(rows)/width, from, spread)
	given, err := b.beside(e, rest)
	if err != nil {
		return nil, err
	}
	given[name] = centres
	var starts [][]float64
	for chain := range cfg.Chains {
		at, err := StartPoint(b.Target, given, cfg.Seed, chain)
		if err != nil {
			return nil, Failf(ExitData, "--init kmeans:%s: %v", pair, err)
		}
		starts = append(starts, at)
	}
	return starts, nil
}

// beside reads the arguments after a clustering: numbers for params, and files.
func (b *Binding) beside(e *Session, list string) (map[string][]float64, error) {
	given := map[string][]float64{}
	for part := range strings.SplitSeq(list, ",") {
		if part == "" {
			continue
		}
		name, text, _ := strings.Cut(part, "=")
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			o, err := b.output(name)
			if err != nil {
				return nil, err
			}
			given[name] = slices.Repeat([]float64{x}, o.Len)
			continue
		}
		values, err := StartFile(e, b.Target, part)
		if err != nil {
			return nil, err
		}
		maps.Copy(given, values)
	}
	return given, nil
}

// output finds a param.
func (b *Binding) output(name string) (target.Output, error) {
	var names []string
	for _, o := range b.Target.Outputs() {
		if o.Name == name && !o.Track {
			return o, nil
		}
		if !o.Track {
			names = append(names, o.Name)
		}
	}
	return target.Output{}, Usagef("--init kmeans: %s is no parameter of the model%s", name,
		meant(name, names))
}

// rowsOf finds an input of rows of numbers.
func (b *Binding) rowsOf(name string) (*data.Value, error) {
	var names []string
	for _, in := range b.Compiled.Spec.Schema.Inputs {
		names = append(names, in.Name)
	}
	x := b.Bound.Values[name]
	switch {
	case !slices.Contains(names, name) || x == nil:
		return nil, Usagef("--init kmeans: %s is no input of the model%s", name, meant(name, names))
	case x.CSR != nil:
		return nil, Usagef("--init kmeans: %s is sparse, and its rows cannot be clustered; "+
			"cluster them outside, and give --init a file", name)
	case len(x.Shape) == 0:
		return nil, Usagef("--init kmeans: %s is one number, and has no rows", name)
	}
	return x, nil
}

func (b *Binding) support(name string) string {
	for _, p := range b.Compiled.Spec.Params {
		if p.Name == name {
			return p.Support
		}
	}
	return ""
}

func meant(name string, names []string) string {
	if near := spelling.Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// sampleOf is at most limit of the n rows, drawn without replacement, in order.
func sampleOf(x []float64, n, width, limit int, src *rng.Source) []float64 {
	if n <= limit {
		return x
	}
	out := make([]float64, 0, limit*width)
	for i, left := 0, limit; left > 0; i++ { // Knuth's algorithm S
		if src.IntN(n-i) < left {
			out = append(out, x[i*width:(i+1)*width]...)
			left--
		}
	}
	return out
}

// unitRows are the rows at length 1, without those of length 0.
func unitRows(x []float64, width int) []float64 {
	out := make([]float64, 0, len(x))
	for i := 0; i < len(x); i += width {
		row, length := x[i:i+width], 0.0
		for _, v := range row {
			length = math.Hypot(length, v)
		}
		if length == 0 {
			continue
		}
		for _, v := range row {
			out = append(out, v/length)
		}
	}
	return out
}
