package driver

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// ofRows are the kinds of functions that score or predict rows at a draw of the unknowns.
var ofRows = map[fn.Kind]bool{fn.Derive: true, fn.Loglik: true, fn.Observed: true, fn.Mean: true,
	fn.Classes: true, fn.Predict: true, fn.Expect: true, fn.Chances: true, fn.Place: true,
	fn.Pointwise: true, fn.Latent: true}

// tiesOf returns, for each dim, what in the functions that score or predict rows takes the entries
// along it together, or counts them. Such a dim cannot have more entries for new rows than when
// the model was fitted. Dims whose entries stay by themselves are not in the map. kept are the
// constants whose values are those of the fit.
func tiesOf(funcs []*ir.Func, kept []string) map[string]string {
	constants := map[string][]*ir.Value{}
	for _, f := range funcs {
		if f.ID.Kind != fn.Constants {
			continue
		}
		for _, o := range f.Outputs {
			if !slices.Contains(kept, o.Name) {
				constants[o.Name] = ir.Reach(o.Value)
			}
		}
	}
	ties := map[string]string{}
	for _, f := range funcs {
		if !ofRows[f.ID.Kind] {
			continue
		}
		for _, v := range f.Values() {
			maps.Copy(ties, tied(v))
			if v.Op == ir.OpData {
				for _, u := range constants[v.Name] {
					maps.Copy(ties, tied(u))
				}
			}
		}
	}
	return ties
}

// tied says along which dims a value takes entries together, or how it depends on the number of
// them. The entry of an index, and a fixed entry, are of one level alone.
func tied(v *ir.Value) map[string]string {
	ties := map[string]string{}
	for _, d := range v.Off.Dims() {
		ties[d] = fmt.Sprintf("the number of levels, %s, is a number of it", d)
	}
	switch v.Op {
	case ir.OpGather, ir.OpAt, ir.OpRename, ir.OpRows, ir.OpDiagonal:
		return ties
	}
	why := "it takes levels of %s together (" + v.Op.Name + ")"
	if v.Op == ir.OpIota {
		for _, a := range v.Axes {
			for _, d := range a.Size.Dims() {
				ties[d] = fmt.Sprintf("the position of a level of %s is a number of it", d)
			}
		}
	}
	for _, a := range v.Over {
		for _, d := range a.Size.Dims() {
			ties[d] = fmt.Sprintf(why, d)
		}
	}
	return ties
}

// Tied says why a dim cannot have more levels for new rows than when the model was fitted; nil
// where it can.
func (c *Compiled) Tied(dim string) error {
	if why, is := c.ties[dim]; is {
		return fmt.Errorf("what predicts rows has no meaning for new levels of %s: %s", dim, why)
	}
	return nil
}
