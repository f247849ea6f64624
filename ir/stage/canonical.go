package stage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
)

// ConstantKeys maps a digest of what a constant computes to the name under which a run stores its
// value. Names are numbered in the order in which functions need the values, so they differ between
// a model lowered for sampling, for full conditionals and for use after a run; the digests do not.
func (m *Module) ConstantKeys() map[string]string {
	out := map[string]string{}
	for _, o := range m.Constants {
		sum := sha256.Sum256([]byte(canonical(o)))
		out[hex.EncodeToString(sum[:8])] = o.Name
	}
	return out
}

// canonical returns a text that describes what an output computes, independent of the names of
// values and axes: outputs with the same text hold the same numbers.
func canonical(o ir.Output) string {
	value, axis := map[*ir.Value]int{}, map[*ir.Axis]int{}
	var b strings.Builder
	list := func(axes ...*ir.Axis) {
		for _, a := range axes {
			if a == nil {
				continue
			}
			if _, seen := axis[a]; !seen {
				axis[a] = len(axis)
			}
			fmt.Fprintf(&b, " a%d:%s", axis[a], a.Size)
		}
		b.WriteByte(';')
	}
	for i, v := range ir.Reach(o.Value) {
		value[v] = i
		fmt.Fprintf(&b, "%s %s %x %s %t%t", v.Op.Name, v.Name, math.Float64bits(v.Num), v.Off,
			v.Mode != ir.Plain, v.Sparse)
		args := make([]int, len(v.Args))
		for k, a := range v.Args {
			args[k] = value[a]
		}
		if v.Op.Commutes {
			slices.Sort(args)
		}
		fmt.Fprint(&b, args)
		list(v.Over...)
		list(v.To)
		list(v.Axes...)
		b.WriteByte('\n')
	}
	list(o.Axes...)
	return b.String()
}
