package grad

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// scans groups the scan values of the function by recurrence. Each group is stored under its first
// value: when the reverse pass comes to it, all users of the group have been processed.
func scans(values []*ir.Value) map[*ir.Value][]*ir.Value {
	first := map[*ir.Value]*ir.Value{} // the first value of a recurrence, by its first carry
	parts := map[*ir.Value][]*ir.Value{}
	for _, v := range values {
		if v.Op != ir.OpScan {
			continue
		}
		key := v.Args[0]
		if first[key] == nil {
			first[key] = v
		}
		parts[first[key]] = append(parts[first[key]], v)
	}
	return parts
}

// unbound marks the values that a constant that is not finite may reach, through the steps of scans
// too: such as an array that starts without numbers, of which the steps assign some entries.
func unbound(values []*ir.Value) map[*ir.Value]bool {
	out := map[*ir.Value]bool{}
	for again := true; again; {
		again = false
		for _, v := range values {
			c, is := v.Const()
			on := is && (math.IsInf(c, 0) || math.IsNaN(c))
			for _, a := range v.Args {
				on = on || out[a]
			}
			if on {
				out[v] = true
			}
			if v.Op != ir.OpScan {
				continue
			}
			carries, inits, nexts := ir.ScanParts(v)
			for k, c := range carries {
				if !out[c] && (out[inits[k]] || out[nexts[k]]) {
					out[c], again = true, true
				}
			}
		}
	}
	return out
}

// pushScan sends the cotangents of a recurrence h[t+1] = next(h[t], …) to its
// starts and nexts. The cotangents λ of the carried values solve a recurrence
// from the other end,
//
//	λ[T] = h̄[T],   λ[t] = h̄[t] + (∂next[t]/∂h[t])ᵀ λ[t+1],
//
// and next[t] has the cotangent λ[t+1]: what lies behind it is differentiated
// for all steps at once.
func (r *reverse) pushScan(parts []*ir.Value) error {
	v := parts[0]
	b, t, to := r.b, v.Over[0], v.To
	carries, inits, nexts := ir.ScanParts(v)
	cots := make([]*ir.Value, len(carries))
	guarded := false
	for k := range cots {
		cots[k] = b.Num(0)
	}
	for _, p := range parts {
		if c := r.cot[p]; c != nil {
			cots[p.Part] = c
			guarded = guarded || r.guarded[p]
		}
	}
	// The ends of the two directions: h[0] … h[T] for a scan from the start.
	n := t.Size
	first, last, here, after := size.Const(0), n, size.Const(0), size.Const(1)
	if v.Mode == ir.Reverse {
		first, last, here, after = n, size.Const(0), size.Const(1), size.Const(0)
	}
	lambda := make([]*ir.Value, len(carries))
	for k, c := range carries {
		lambda[k] = b.Carry("adjoint", true,
			append(slices.Clone(c.Axes), ir.Without(r.keep, c.Axes)...)...)
	}
	inner := reverse{b: b, cot: map[*ir.Value]*ir.Value{}, guarded: map[*ir.Value]bool{},
		risk: r.risk, unbound: r.unbound, keep: r.keep}
	for k, next := range nexts {
		// A next value that lacks axes of its carry is constant along them, so its cotangent is a sum
		// over them.
		l := b.Sum(lambda[k], ir.Without(carries[k].Axes, next.Axes)...)
		if old := inner.cot[next]; old != nil {
			l = b.Add(old, l)
		}
		inner.cot[next] = l
		inner.guarded[next] = guarded
	}
	if err := inner.run(ir.Reach(nexts...), carries); err != nil {
		return err
	}
	starts, steps := make([]*ir.Value, len(carries)), make([]*ir.Value, len(carries))
	for k, c := range carries {
		starts[k] = b.At(cots[k], to, last)
		steps[k] = b.Slice(cots[k], to, t, here)
		if d := inner.cot[c]; d != nil {
			steps[k] = b.Add(steps[k], d)
		}
	}
	back := b.Scan(lambda, starts, steps, t, to, v.Mode != ir.Reverse)
	for k, c := range carries {
		if r.active[inits[k]] {
			start := b.At(back[k], to, first)
			r.add(v, inits[k], b.Sum(start, ir.Without(without(c.Axes, t), inits[k].Axes)...),
				guarded)
		}
		if r.active[nexts[k]] {
			step := b.Slice(back[k], to, t, after)
			r.add(v, nexts[k], b.Sum(step, ir.Without(c.Axes, nexts[k].Axes)...), guarded)
		}
	}
	return nil
}

func without(axes []*ir.Axis, a *ir.Axis) []*ir.Axis { return ir.Without(axes, []*ir.Axis{a}) }

// releaseAll calls release for all scans among the values, inner ones first.
func releaseAll(b *ir.Builder, roots, values []*ir.Value) []*ir.Value {
	recurrences := scans(values)
	for _, v := range values {
		if len(recurrences[v]) > 0 {
			roots = release(b, roots, v)
		}
	}
	return roots
}

// release replaces carries outside the steps of their own scan by the array of carried values,
// which is complete there. A scan within the steps then becomes a copy with its own carries.
func release(b *ir.Builder, roots []*ir.Value, scan *ir.Value) []*ir.Value {
	carries, _, _ := ir.ScanParts(scan)
	made := map[*ir.Value]*ir.Value{}
	for k, c := range carries {
		made[c] = b.Carried(b.ScanPart(scan.Args, scan.Over[0], scan.To,
			scan.Mode == ir.Reverse, k))
	}
	values := ir.Reach(roots...)
	free := ir.Carries(values)
	for _, v := range values {
		if v.Op != ir.OpScan || v.Args[0] == carries[0] || !meets(free[v], carries) {
			continue
		}
		own, _, _ := ir.ScanParts(v)
		for _, c := range own {
			if made[c] == nil {
				made[c] = b.Carry(c.Hint, c.Mode == ir.OfState, c.Axes...)
			}
		}
	}
	for _, v := range values {
		if made[v] != nil {
			continue
		}
		made[v] = v
		if v.Op == ir.OpScan && v.Args[0] == carries[0] {
			continue
		}
		same := true
		args := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = made[a]
			same = same && args[i] == a
		}
		if !same {
			made[v] = b.Like(v, args)
		}
	}
	out := make([]*ir.Value, len(roots))
	for i, r := range roots {
		out[i] = made[r]
	}
	return out
}

func meets(a, b []*ir.Value) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}
