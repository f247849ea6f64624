package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/engine/data"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// NamesOf returns the names of the entries of a run's dims. The names of --names replace the names
// that the run stored.
func NamesOf(e *Session, dir string, r *run.Record, specs []string) (map[string][]string, error) {
	names, err := run.Labels(dir, r)
	if err != nil {
		return nil, OwnStatus(err)
	}
	if names == nil {
		names = map[string][]string{}
	}
	for _, spec := range specs {
		dim, path, ok := strings.Cut(spec, "=")
		if !ok || dim == "" || path == "" {
			return nil, Usagef("--names %s: DIM=FILE is expected", spec)
		}
		n, known := r.Dims[dim]
		if !known {
			dims := slices.Sorted(maps.Keys(r.Dims))
			text := "; its dims are " + andList(dims)
			if near := spelling.Nearest(dim, dims); near != "" {
				text = "; did you mean " + near + "?"
			}
			return nil, Usagef("--names %s: %s is no dim of the model%s", spec, dim, text)
		}
		list, notes, errs := formats.ReadNames(path)
		for _, text := range notes {
			e.Note("%s", text)
		}
		if len(errs) > 0 {
			return nil, e.DataErrors(errs)
		}
		if len(list) != n {
			return nil, Failf(ExitData,
				"--names %s: the file has %d names, and %s is %d in the run", spec,
				len(list), dim, n)
		}
		names[dim] = list
	}
	return names, nil
}

// SharedLabels returns the names of a run that also apply to other rows: names along dims with a
// fixed size, and along dims whose entries are the levels of an index.
func (b *Binding) SharedLabels(names map[string][]string) map[string][]string {
	out := map[string][]string{}
	for dim, list := range names {
		if _, shared := b.Fixed[dim]; shared {
			out[dim] = list
		}
	}
	for i := range b.Compiled.Spec.Schema.Inputs {
		in := &b.Compiled.Spec.Schema.Inputs[i]
		if dim, named := in.Below.Name(); named && in.Kind == data.Index && names[dim] != nil {
			out[dim] = names[dim]
		}
	}
	return out
}

// RunLabels sets the labels of the binding from the names of a run, for rows other than the run's
// own.
func (b *Binding) RunLabels(dir string, r *run.Record) error {
	names, err := run.Labels(dir, r)
	if err != nil {
		return OwnStatus(err)
	}
	b.Labels = b.SharedLabels(names)
	return nil
}

// AxisNames are names of the entries along the axes of an array; nil without any.
func AxisNames(v trace.Variable, names map[string][]string) [][]string {
	v.Labels = nil
	v.Label(names)
	return v.Labels
}

// EntryName returns the names of element i (row-major) along all named axes, such as "training" or
// "topic 3, neural"; "" if no axis has names.
func EntryName(shape []int, names [][]string, i int) string {
	var parts []string
	for k := len(shape) - 1; k >= 0; k-- {
		if k < len(names) && names[k] != nil {
			parts = append(parts, names[k][i%shape[k]])
		}
		i /= max(1, shape[k])
	}
	slices.Reverse(parts)
	return strings.Join(parts, ", ")
}

// NumbersOf says how many numbers a table leaves out.
func NumbersOf(n int, of []string) string {
	return fmt.Sprintf("%d numbers of %s", n, strings.Join(of, ", "))
}

// andList writes names as "a, b and c".
func andList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// EntryNames names the entries of a predicted array: y, y[0], y[0,1].
func EntryNames(s *driver.Predicted) []string {
	var out []string
	for _, name := range VariableOf(s).Elements() {
		out = append(out, name)
	}
	if len(out) != s.Len {
		panic(fmt.Sprintf("%d names for %d entries", len(out), s.Len))
	}
	return out
}

func Matches(globs []string, names ...string) bool {
	for _, g := range globs {
		for _, n := range names {
			if run.Match(g, n) {
				return true
			}
		}
	}
	return len(globs) == 0
}
