package driver

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// wide says which sparse inputs are read with numbers for all of their columns in
// every row, where the stored entries are most of the work otherwise: the sum of
// rates exp(z[n] @ eta) over the columns has no shorter form.
func wide(m *check.Model, funcs []*ir.Func) []string {
	var out []string
	for _, s := range m.Symbols {
		if s.Kind != check.Data || !s.Type.Sparse && s.Type.Kind != types.Bag ||
			len(s.Type.Shape) != 2 {
			continue
		}
		columns := s.Type.Shape[1]
		own := func(v *ir.Value) bool {
			return v.State() && !v.Sparse && v.RowAxis() != nil &&
				slices.ContainsFunc(v.Axes,
					func(a *ir.Axis) bool { return !a.Rows && a.Size.Equal(columns) })
		}
		for _, f := range funcs {
			if f.ID.Kind == fn.Density && slices.ContainsFunc(f.Values(), own) {
				out = append(out,
					fmt.Sprintf("%s is sparse, and numbers for all %s of a row are computed",
						s.Name, columns))
			}
		}
	}
	return out
}
