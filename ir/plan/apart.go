package plan

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// apart gives scans that are not the same carries of their own. The names of carries tell the
// recurrences of a function apart. But the function that computes values of data has parts of
// functions whose axes were unified each for itself, so the same scan may come with two sets of
// axes:
//
//	scan (p[c.1], q[c.2]) and scan (p[c.1], q[c.3])  →  scan (p[c.1], q[c.2]) and scan (r[c.1], s[c.3])
func apart(b *ir.Builder, f *ir.Func) *ir.Func {
	owner := map[string]string{} // the scan that has carries of a name
	key := func(args []*ir.Value) string {
		var ids []int
		for _, a := range args {
			ids = append(ids, a.ID)
		}
		return fmt.Sprint(ids)
	}
	shares := func(args []*ir.Value) bool { // a carry with another scan
		k := key(args)
		for _, c := range args[:len(args)/3] {
			if o, is := owner[c.Name]; is && o != k {
				return true
			}
		}
		for _, c := range args[:len(args)/3] {
			owner[c.Name] = k
		}
		return false
	}
	if !slices.ContainsFunc(f.Values(),
		func(v *ir.Value) bool { return v.Op == ir.OpScan && shares(v.Args) }) {
		return f
	}
	clear(owner)
	own := map[string][]*ir.Value{} // the arguments of scans with carries of their own
	out := ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if v.Op != ir.OpScan || !shares(args) {
			return nil
		}
		k := key(args)
		if own[k] == nil {
			m := len(args) / 3
			carries, inits, nexts := args[:m], args[m:2*m], args[2*m:]
			fresh := map[*ir.Value]*ir.Value{}
			for _, c := range carries {
				fresh[c] = b.Carry(c.Hint, c.Mode == ir.OfState, c.Axes...)
				own[k] = append(own[k], fresh[c])
			}
			own[k] = append(append(own[k], inits...), ir.Rewrite(b, nexts,
				func(_ *ir.Builder, x *ir.Value, _ []*ir.Value) *ir.Value { return fresh[x] })...)
		}
		return b.ScanPart(own[k], v.Over[0], v.To, v.Mode == ir.Reverse, v.Part)
	})
	return apart(b, out) // scans inside the steps of one that was copied
}
