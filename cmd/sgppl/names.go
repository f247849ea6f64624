package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/spelling"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// namesOf are the names that the entries of a run's dims have: the run's own,
// and those of --names, which go first.
func namesOf(e *env, dir string, r *run.Record, specs []string) (map[string][]string, error) {
	names, err := run.Labels(dir, r)
	if err != nil {
		return nil, ownStatus(err)
	}
	if names == nil {
		names = map[string][]string{}
	}
	for _, spec := range specs {
		dim, path, ok := strings.Cut(spec, "=")
		if !ok || dim == "" || path == "" {
			return nil, usage("--names %s: DIM=FILE is expected", spec)
		}
		n, known := r.Dims[dim]
		if !known {
			dims := slices.Sorted(maps.Keys(r.Dims))
			text := "; its dims are " + andList(dims)
			if near := spelling.Nearest(dim, dims); near != "" {
				text = "; did you mean " + near + "?"
			}
			return nil, usage("--names %s: %s is no dim of the model%s", spec, dim, text)
		}
		list, notes, errs := formats.ReadNames(path)
		for _, text := range notes {
			e.note("%s", text)
		}
		if len(errs) > 0 {
			return nil, e.dataErrors(errs)
		}
		if len(list) != n {
			return nil, fail(exitData, "--names %s: the file has %d names, and %s is %d in the run", spec, len(list), dim, n)
		}
		names[dim] = list
	}
	return names, nil
}

// axisNames are names of the entries along the axes of an array; nil without any.
func axisNames(v trace.Variable, names map[string][]string) [][]string {
	v.Labels = nil
	v.Label(names)
	return v.Labels
}

// entryName is what the names say of element i, row-major: "training", "topic 3,
// neural"; "" where no axis has names.
func entryName(shape []int, names [][]string, i int) string {
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

// numbersOf says how many numbers a table leaves out.
func numbersOf(n int, of []string) string {
	return fmt.Sprintf("%d numbers of %s", n, strings.Join(of, ", "))
}

// andList writes names as "a, b and c".
func andList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
