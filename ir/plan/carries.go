package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// readCarries removes carries from scans that nothing reads, neither after the scan nor in a step
// that computes a carry that is read:
//
//	scan (a, b) { n = f(b); (n, g(n)) }, where only b is read  →  scan b { g(f(b)) }
func readCarries(b *ir.Builder, f *ir.Func) *ir.Func {
	kept := map[*ir.Value][]bool{} // whether each carry is kept, by the first carry
	scans := map[*ir.Value]*ir.Value{}
	for _, v := range f.Values() {
		if v.Op != ir.OpScan {
			continue
		}
		if kept[v.Args[0]] == nil {
			kept[v.Args[0]], scans[v.Args[0]] = make([]bool, len(v.Args)/3), v
		}
		kept[v.Args[0]][v.Part] = true
	}
	some := false
	for first, keep := range kept {
		carries, _, nexts := ir.ScanParts(scans[first])
		for grown := true; grown; {
			grown = false
			var from []*ir.Value
			for k, x := range nexts {
				if keep[k] {
					from = append(from, x)
				}
			}
			reached := ir.Reach(from...)
			for k, c := range carries {
				if !keep[k] && slices.Contains(reached, c) {
					keep[k], grown = true, true
				}
			}
		}
		some = some || slices.Contains(keep, false)
	}
	if !some {
		return f
	}
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if v.Op != ir.OpScan || !slices.Contains(kept[v.Args[0]], false) {
			return nil
		}
		keep := kept[v.Args[0]]
		var out []*ir.Value
		for i, a := range args {
			if keep[i%len(keep)] {
				out = append(out, a)
			}
		}
		part := 0
		for _, k := range keep[:v.Part] {
			if k {
				part++
			}
		}
		return b.ScanPart(out, v.Over[0], v.To, v.Mode == ir.Reverse, part)
	})
}
