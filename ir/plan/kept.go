package plan

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/kernels"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// keepSteps has scans store values of their steps that are needed later for all steps at once, as
// in gradients:
//
//	h = scan { f(g(carry)) }, … g(h[0:]) …   →   (h, k) = scan { x = g(carry); (f(x), x) }, … k[1:] …
//
// A stored value becomes a carry that no step reads. Sums, differences and products of available
// values, and reorderings of their entries, are computed again, which is as fast as reading.
func keepSteps(b *ir.Builder, f *ir.Func) *ir.Func {
	values := f.Values()
	free := ir.Carries(values)
	around := newUsage(values, free)
	kept := map[*ir.Value]*keeping{} // by the first carry
	from := map[*ir.Value]*keeping{} // by the value for all steps
	for _, v := range values {
		if v.Op != ir.OpScan || len(free[v]) > 0 || kept[v.Args[0]] != nil {
			continue
		}
		k := newKeeping(b, v, around)
		kept[v.Args[0]] = k
		for _, x := range k.all {
			from[x] = k
		}
	}
	made := map[*ir.Value]*ir.Value{}
	for _, v := range values {
		args := make([]*ir.Value, len(v.Args))
		same := true
		for i, a := range v.Args {
			args[i] = made[a]
			same = same && args[i] == a
		}
		switch k := from[v]; {
		case v.Op == ir.OpScan && kept[v.Args[0]] != nil && len(kept[v.Args[0]].all) > 0:
			k := kept[v.Args[0]]
			k.extend(b, args, made)
			made[v] = b.ScanPart(k.args, v.Over[0], v.To, v.Mode == ir.Reverse, v.Part)
		case k != nil:
			made[v] = k.read(b, slices.Index(k.all, v))
		case same:
			made[v] = v
		default:
			made[v] = b.Like(v, args)
		}
	}
	out := &ir.Func{ID: f.ID}
	for _, o := range f.Outputs {
		out.Outputs = append(out.Outputs,
			ir.Output{Name: o.Name, Value: made[o.Value], Axes: o.Axes})
	}
	return out
}

// A keeping is a scan with the values of its steps that are stored.
type keeping struct {
	scan *ir.Value
	step []*ir.Value // values of one step
	all  []*ir.Value // the same values for all steps at once, as they are read elsewhere
	part []int       // number of the scan's carry that stores the value
	args []*ir.Value // arguments of the scan that stores them; nil before it is made
}

// A usage is what all scans of a function ask of its values.
type usage struct {
	free    map[*ir.Value][]*ir.Value // carries that a value depends on
	classes classes
	there   map[int]*ir.Value         // the first value of each class
	place   map[*ir.Value]int         // in the function
	users   map[*ir.Value][]*ir.Value // that have a value as an argument
}

func newUsage(values []*ir.Value, free map[*ir.Value][]*ir.Value) *usage {
	u := &usage{free: free, classes: classes{number: map[*ir.Value]int{}, of: map[string]int{}},
		there: map[int]*ir.Value{}, place: map[*ir.Value]int{}, users: map[*ir.Value][]*ir.Value{}}
	if !slices.ContainsFunc(values, func(v *ir.Value) bool { return v.Op == ir.OpScan }) {
		return u
	}
	for i, v := range values {
		if n := u.classes.add(v); u.there[n] == nil {
			u.there[n] = v
		}
		u.place[v] = i
		for _, a := range v.Args {
			u.users[a] = append(u.users[a], v)
		}
	}
	return u
}

// moving lists the values that the steps of a scan compute of its carries, arguments first.
func (u *usage) moving(nexts []*ir.Value) []*ir.Value {
	seen := map[*ir.Value]bool{}
	var out []*ir.Value
	type frame struct {
		v    *ir.Value
		next int
	}
	for _, root := range nexts {
		stack := []frame{{root, 0}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == 0 && (seen[top.v] || len(u.free[top.v]) == 0) {
				stack = stack[:len(stack)-1]
				continue
			}
			seen[top.v] = true
			if top.next < len(top.v.Args) {
				top.next++
				stack = append(stack, frame{top.v.Args[top.next-1], 0})
				continue
			}
			out = append(out, top.v)
			stack = stack[:len(stack)-1]
		}
	}
	return out
}

func newKeeping(b *ir.Builder, scan *ir.Value, around *usage) *keeping {
	carries, _, nexts := ir.ScanParts(scan)
	k := &keeping{scan: scan}
	classes, there, free := &around.classes, around.there, around.free
	// The values for all steps that correspond to values of a step: carries are slices of the scan.
	all, step := map[*ir.Value]*ir.Value{}, map[*ir.Value]*ir.Value{}
	for i, c := range carries {
		all[c] = b.Carried(b.ScanPart(scan.Args, scan.Over[0], scan.To, scan.Mode == ir.Reverse, i))
		classes.add(all[c].Args[0])
		classes.add(all[c])
	}
	costly := map[*ir.Value]bool{}
	for _, v := range around.moving(nexts) {
		if v.Op == ir.OpCarry || v.Op.Class == ir.Sequential ||
			v.Op.Draws() {
			continue
		}
		args := make([]*ir.Value, len(v.Args))
		whole := true
		for i, a := range v.Args {
			if args[i] = a; len(free[a]) > 0 {
				args[i] = all[a]
			}
			whole = whole && args[i] != nil
			costly[v] = costly[v] || costly[a]
		}
		if !whole { // it depends on a recurrence within the step
			continue
		}
		costly[v] = costly[v] || kernelled(v) || kernels.Elementwise(v.Op.Name)
		all[v] = b.Like(v, args)
		if w := there[classes.add(all[v])]; w != nil && w != v && v.Op.Class != ir.Move {
			all[v], step[w] = w, v
		}
	}
	// Values that something else reads, in the order of the function.
	stored := slices.SortedFunc(maps.Keys(step), func(v, w *ir.Value) int {
		return around.place[v] - around.place[w]
	})
	parts := len(nexts)
	for _, v := range stored {
		x := step[v]
		wanted := slices.ContainsFunc(around.users[v], func(u *ir.Value) bool { return step[u] == nil })
		if !wanted || !costly[x] || !x.Has(scan.Over[0]) {
			continue
		}
		k.step, k.all = append(k.step, x), append(k.all, v)
		if i := slices.IndexFunc(nexts, func(y *ir.Value) bool {
			return y == x || renamed(y, x)
		}); i >= 0 && ir.SameAxes(nexts[i].Axes, carries[i].Axes) {
			k.part = append(k.part, i) // it is a carry anyway
			continue
		}
		k.part = append(k.part, parts)
		parts++
	}
	return k
}

// extend makes the arguments of the storing scan; made has the rebuilt values of the steps.
func (k *keeping) extend(b *ir.Builder, args []*ir.Value, made map[*ir.Value]*ir.Value) {
	if k.args != nil {
		return
	}
	n := len(args) / 3
	carries, inits, nexts := slices.Clone(args[:n]), slices.Clone(args[n:2*n]),
		slices.Clone(args[2*n:])
	for i, v := range k.step {
		if k.part[i] < n {
			continue
		}
		x := made[v]
		carries = append(carries, b.Carry(x.Hint, true, x.Axes...))
		inits, nexts = append(inits, b.Num(0)), append(nexts, x)
	}
	k.args = append(append(carries, inits...), nexts...)
}

// read returns a stored value for all steps.
func (k *keeping) read(b *ir.Builder, which int) *ir.Value {
	s := k.scan
	off := size.Const(1)
	if s.Mode == ir.Reverse {
		off = size.Const(0)
	}
	part := b.ScanPart(k.args, s.Over[0], s.To, s.Mode == ir.Reverse, k.part[which])
	v := b.Slice(part, s.To, s.Over[0], off)
	if n := len(s.Args) / 3; k.part[which] < n {
		if y := s.Args[2*n+k.part[which]]; renamed(y, k.step[which]) {
			return b.Rename(v, y.To, y.Over[0])
		}
	}
	return v
}

// renamed reports whether y is x with one axis renamed.
func renamed(y, x *ir.Value) bool { return y.Op == ir.OpRename && y.Args[0] == x }

// A classes numbers values so that values that hold the same numbers get one number, whatever the
// order of axes and of commuting arguments.
type classes struct {
	number map[*ir.Value]int
	of     map[string]int
}

// add returns the number of a value; arguments are numbered first.
func (c *classes) add(v *ir.Value) int {
	if n, ok := c.number[v]; ok {
		return n
	}
	args := make([]int, len(v.Args))
	for i, a := range v.Args {
		args[i] = c.add(a)
	}
	if v.Op.Commutes {
		slices.Sort(args)
	}
	var key strings.Builder
	fmt.Fprint(&key, v.Op.Name, args, math.Float64bits(v.Num), v.Name, v.Off, v.Mode, v.Part,
		v.Stride, v.Lead)
	if v.Op.Draws() {
		fmt.Fprint(&key, v.ID)
	}
	axes := make([]int, len(v.Axes))
	for i, a := range v.Axes {
		axes[i] = a.ID
	}
	slices.Sort(axes)
	fmt.Fprint(&key, axes)
	for _, a := range v.Over {
		fmt.Fprint(&key, " ", a.ID)
	}
	if v.To != nil {
		fmt.Fprint(&key, ">", v.To.ID)
	}
	n, ok := c.of[key.String()]
	if !ok {
		n = len(c.of)
		c.of[key.String()] = n
	}
	c.number[v] = n
	return n
}
