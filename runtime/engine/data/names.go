package data

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// Name is the file, with the field where it has several and the rows where
// some are selected.
func (o *Origin) Name() string {
	name := o.File
	for _, s := range []string{o.Field, o.Part} {
		if s != "" {
			name += ":" + s
		}
	}
	return name
}

func (s *Schema) inputNames() []string {
	out := make([]string, len(s.Inputs))
	for i := range s.Inputs {
		out[i] = s.Inputs[i].Name
	}
	return out
}

func (s *Schema) dimNames() []string {
	out := make([]string, len(s.Dims))
	for i := range s.Dims {
		out[i] = s.Dims[i].Name
	}
	return out
}

// didYouMean is a note with the nearest of the candidates, or nothing.
func didYouMean(name string, candidates []string) []string {
	if c := nearest(name, candidates); c != "" {
		return []string{fmt.Sprintf("did you mean %s?", c)}
	}
	return nil
}

func nearest(name string, candidates []string) string { return spelling.Nearest(name, candidates) }

// list writes names as "a, b and c".
func list(names []string) string {
	switch n := len(names); n {
	case 0:
		return "nothing"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
