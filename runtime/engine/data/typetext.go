package data

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// typeName writes the type of one value, such as "index[J] from 1" or
// "simplex[K]".
func (in *Input) typeName() string {
	text := in.Kind.String()
	switch {
	case in.Bag:
		return "bag" + sizesText(in.Shape[len(in.Shape)-1:])
	case in.Kind == Interval:
		text = fmt.Sprintf("interval(%s, %s)", in.Lo, in.Hi)
	case in.Kind == Index:
		text = fmt.Sprintf("index[%s]", in.Below)
	}
	text += sizesText(in.Shape[len(in.Shape)-in.ownAxes():])
	if in.Optional {
		text += "?"
	}
	if in.From != 0 || in.Listed {
		text += fmt.Sprintf(" from %d", in.From)
	}
	return text
}

// Type writes the declared type with all axes, such as "real[N, P]" or
// "index[J] from 1 in shape [N]".
func (in *Input) Type() string {
	text, outer := in.typeName(), in.Shape[:len(in.Shape)-in.ownAxes()]
	if in.Bag {
		outer = in.Shape[:len(in.Shape)-1]
	} else if in.Sparse {
		text = "sparse " + text
	}
	switch {
	case len(outer) == 0:
		return text
	case text == kinds[in.Kind].name || text == "sparse "+kinds[in.Kind].name:
		return text + sizesText(outer)
	}
	return text + " in shape " + sizesText(outer)
}

// ownAxes is how many trailing axes are written with the type.
func (in *Input) ownAxes() int {
	if in.Listed {
		return 1
	}
	return in.Own
}

func (e End) String() string {
	if e.Name != "" {
		return e.Name
	}
	return strings.ToLower(problem.Number(e.Value))
}

func sizesText(shape []size.Poly) string {
	if len(shape) == 0 {
		return ""
	}
	parts := make([]string, len(shape))
	for i, p := range shape {
		parts[i] = p.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
