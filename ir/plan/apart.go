package plan

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// apart gives scans that are not the same carries of their own. The names of carries tell the
// recurrences of a function apart. But the function that computes values of data has parts of
// functions whose axes were unified each for itself, so the same scan may come with two sets of
// axes, also inside the steps of one another:
//
//	scan (p[c.1], q[c.2]) and scan (p[c.1], q[c.3])  →  scan (p[c.1], q[c.2]) and scan (r[c.1], s[c.3])
func apart(b *ir.Builder, f *ir.Func) *ir.Func {
	owner := map[string]string{} // by the name of a carry: the last scan that has it
	key := func(args []*ir.Value) string {
		var ids []int
		for _, a := range args {
			ids = append(ids, a.ID)
		}
		return fmt.Sprint(ids)
	}
	scans := false
	for _, v := range f.Values() { // a scan inside the steps of another one comes before it
		if v.Op == ir.OpScan {
			scans = true
			for _, c := range v.Args[:len(v.Args)/3] {
				owner[c.Name] = key(v.Args)
			}
		}
	}
	shares := func(v *ir.Value) bool { // a carry with a later scan
		return v.Op == ir.OpScan && slices.ContainsFunc(v.Args[:len(v.Args)/3],
			func(c *ir.Value) bool { return owner[c.Name] != key(v.Args) })
	}
	if !scans || !slices.ContainsFunc(f.Values(), shares) {
		return f
	}
	own := map[string][]*ir.Value{} // the arguments of scans with carries of their own
	out := ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if !shares(v) {
			return nil
		}
		k := key(v.Args)
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
