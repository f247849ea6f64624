package grad

import (
	"errors"

	"github.com/sgppl/sgppl/ir"
)

// ByState returns the derivatives of a value by every block of the state, on the
// axes of the block. The error is an *Error.
func ByState(b *ir.Builder, value *ir.Value, state []ir.Block) ([]ir.Output, error) {
	leaves := map[string][]*ir.Value{}
	var all []*ir.Value
	for _, v := range ir.Reach(value) {
		if v.Op == ir.OpState {
			leaves[v.Name] = append(leaves[v.Name], v)
			all = append(all, v)
		}
	}
	cots, err := Of(b, value, all)
	if e := (*Error)(nil); errors.As(err, &e) {
		return nil, err
	} else if err != nil {
		panic("sgppl: compiler bug: " + err.Error())
	}
	of := map[*ir.Value]*ir.Value{}
	for i, v := range all {
		of[v] = cots[i]
	}
	var out []ir.Output
	for _, block := range state {
		// A block may be read under several sets of axes: their gradients add up.
		sum := b.Num(0)
		for _, leaf := range leaves[block.Name] {
			sum = b.Add(sum, b.OnAxes(of[leaf], leaf.Axes, block.Axes))
		}
		out = append(out, ir.Output{Name: block.Name, Value: sum, Axes: block.Axes})
	}
	return out, nil
}
