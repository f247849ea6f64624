package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// sequence removes the axis of the steps from the next values of every scan. They were written for
// all steps at once; afterwards they describe one step, which reads the current entries (op now) of
// values that are computed for all steps.
func sequence(b *ir.Builder, f *ir.Func) *ir.Func {
	if !slices.ContainsFunc(f.Values(), func(v *ir.Value) bool {
		return v.Op.Class == ir.Sequential
	}) {
		return f
	}
	fresh := map[*ir.Value][]*ir.Value{} // by the first of the old carries
	inner := innerCarries{}
	f = ir.RewriteFunc(b, readCarries(b, f),
		func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
			if v.Op != ir.OpScan {
				return nil
			}
			w := b.ScanPart(args, v.Over[0], v.To, v.Mode == ir.Reverse, v.Part)
			if fresh[w.Args[0]] == nil {
				carries, _, _ := ir.ScanParts(w)
				for _, c := range carries {
					fresh[w.Args[0]] = append(fresh[w.Args[0]],
						b.Carry(c.Hint, c.Mode == ir.OfState, ir.Without(c.Axes, w.Over)...))
				}
			}
			return oneStep(b, w, fresh[w.Args[0]], inner)
		})
	odes := map[string][]*ir.Value{}
	f = oneSolution(b, f)
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if v.Op != ir.OpOde {
			return nil
		}
		return oneEntry(b, b.Ode(args, v.Over, v.To, v.Mode == ir.Stiff, v.Part), odes)
	})
}

// innerCarries has, by the first carry of a scan and a carry of a scan within its steps, the carry
// of the latter for one step. It has a name of its own: the scan within may stand outside of the
// steps too, where it is computed for all of them at once.
type innerCarries map[[2]*ir.Value]*ir.Value

func (m innerCarries) of(b *ir.Builder, outer, c *ir.Value, axes []*ir.Axis) *ir.Value {
	key := [2]*ir.Value{outer, c}
	if m[key] == nil {
		m[key] = b.Carry(c.Hint, c.Mode == ir.OfState, axes...)
	}
	return m[key]
}

func oneStep(b *ir.Builder, v *ir.Value, fresh []*ir.Value, inner innerCarries) *ir.Value {
	t := v.Over[0]
	carries, inits, nexts := ir.ScanParts(v)
	made := map[*ir.Value]*ir.Value{} // values computed in a step
	for k, c := range carries {
		made[c] = fresh[k]
	}
	values := ir.Reach(nexts...)
	// The carries of scans and odes within a step lose the axis, and so do those within their steps.
	free := ir.Carries(values)
	inStep := func(c *ir.Value) bool { return made[c] != nil }
	renamed := map[string]string{}
	for more := true; more; {
		more = false
		for _, x := range values {
			bound := ir.Bound(x)
			if len(bound) == 0 || made[bound[0]] != nil || !slices.ContainsFunc(free[x], inStep) {
				continue
			}
			for _, c := range bound {
				axes := ir.Without(c.Axes, v.Over)
				if made[c], more = b.CarryLike(c, axes), true; x.Op == ir.OpScan {
					made[c] = inner.of(b, v.Args[0], c, axes)
					renamed[c.Name] = made[c].Name
				}
			}
		}
	}
	for _, x := range values {
		inside := false
		for _, a := range x.Args {
			inside = inside || made[a] != nil
		}
		switch name := renamed[x.Name]; {
		case made[x] != nil:
		case x.Op == ir.OpNow && name != "":
			arg := made[x.Args[0]]
			if arg == nil {
				if arg = x.Args[0]; arg.Has(t) {
					arg = entry(b, arg, t, fresh[0].Name)
				}
			}
			made[x] = b.Now(arg, x.Over[0], name)
		case inside:
			args := make([]*ir.Value, len(x.Args))
			for i, a := range x.Args {
				if args[i] = made[a]; args[i] == nil {
					args[i] = entry(b, a, t, fresh[0].Name)
				}
			}
			if x.Op == ir.OpScatter { // a scatter names the axes that it keeps
				made[x] = b.Scatter(args[0], args[1], x.To, ir.Without(x.Axes, v.Over))
				continue
			}
			made[x] = b.Like(x, args)
		}
	}
	args := make([]*ir.Value, 0, len(v.Args))
	for _, c := range carries {
		args = append(args, made[c])
	}
	args = append(args, inits...)
	for _, x := range nexts {
		y := made[x]
		if y == nil {
			y = now(b, x, t, fresh[0].Name)
		}
		args = append(args, y)
	}
	return b.ScanPart(args, t, v.To, v.Mode == ir.Reverse, v.Part)
}

// entry returns the entry of the current step. It is read from the array if there is one, but
// computed where the array would be larger than its arguments, as for products x[row, k]·y[k,
// step]: a sum or a product costs no more than writing to memory and reading back.
func entry(b *ir.Builder, v *ir.Value, t *ir.Axis, carry string) *ir.Value {
	spread := func(x *ir.Value) bool { return 0 < len(x.Axes) && len(x.Axes) < len(v.Axes) }
	if v.RowAxis() == nil || len(v.Axes) < 3 || !v.Has(t) || !cheap(v) ||
		!slices.ContainsFunc(v.Args, spread) {
		return now(b, v, t, carry)
	}
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = entry(b, a, t, carry)
	}
	return b.Like(v, args)
}

// cheap reports whether computing a value costs no more than reading it.
func cheap(v *ir.Value) bool {
	switch v.Op {
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpNeg:
		return true
	}
	return false
}

// now returns the entry of the current step. For an entry that an inner scan reads, the outer step
// is selected first, so that the inner steps read from the array of one outer step.
func now(b *ir.Builder, v *ir.Value, t *ir.Axis, carry string) *ir.Value {
	if v.Op == ir.OpNow && v.Args[0].Has(t) {
		return b.Now(now(b, v.Args[0], t, carry), v.Over[0], v.Name)
	}
	return b.Now(v, t, carry)
}

// A recurrence is a scan or an ode while the plan is built. Its values are computed step by step,
// in their own region.
type recurrence struct {
	carries, inits, nexts []*ir.Value
	parts                 []*ir.Value // results of all carries, including those that nothing reads
	t, to                 *ir.Axis
	reverse               bool
	up                    *recurrence // the recurrence in whose steps this one is
	planned, emitted      bool
	first                 *ir.Value // the result that was planned first

	// solution is the value of an ode, which has no nexts: one problem for every entry of the batch
	// axes. slope is the region of the slope inside it.
	solution *ir.Value
	slope    *recurrence
}

// carried returns the recurrence that a carry belongs to, and its number there.
func (p *planner) carried(c *ir.Value) (*recurrence, int) {
	r := p.region[c]
	for k, x := range r.carries {
		if x == c {
			return r, k
		}
	}
	panic("plan: a carry outside its scan")
}

// offsets returns where, along To, a step reads the carries and where it writes them.
func (r *recurrence) offsets() (read, write int) {
	if r.reverse {
		return 1, 0
	}
	return 0, 1
}

// recurrences finds the scans and odes of the function and, for every value, the innermost one in
// whose steps it is computed.
func (p *planner) recurrences(b *ir.Builder) {
	of := map[string]*recurrence{} // by the names of their leaves
	around := map[*recurrence][]*recurrence{}
	for _, v := range p.values {
		bound := ir.Bound(v)
		if len(bound) == 0 {
			continue
		}
		r := of[bound[0].Name]
		switch {
		case r == nil && v.Op == ir.OpScan:
			r = p.scanned(b, v)
		case r == nil:
			r = &recurrence{solution: v, inits: v.Args[ir.OdeStart : ir.OdeTimes+1]}
			r.slope = &recurrence{up: r}
			around[r.slope] = []*recurrence{r}
			// By their number: part k of the solution.
			r.parts = make([]*ir.Value, max(1, len(v.Args)-ir.OdeJacobian+1))
		}
		if v.Op == ir.OpOde {
			r.parts[v.Part] = v
		}
		for _, c := range bound {
			of[c.Name] = r
		}
		p.scan[v] = r
	}
	for _, v := range p.values {
		if r := p.scan[v]; v.Op == ir.OpOde && r.parts[0] == nil {
			// Only sensitivities are read; the solution is computed nevertheless.
			w := *b.Ode(v.Args, v.Over, v.To, v.Mode == ir.Stiff, 0)
			w.Axes = ir.OdeAxes(&w)
			r.parts[0] = b.MakeOrdered(w)
		}
	}
	// in has the recurrences in whose steps a value is.
	in := map[*ir.Value][]*recurrence{}
	for _, v := range p.values {
		own := p.scan[v]
		join := func(r *recurrence) {
			if r != own && (own == nil || r != own.slope) && !slices.Contains(in[v], r) {
				in[v] = append(in[v], r)
			}
		}
		switch r := of[v.Name]; {
		case v.Op == ir.OpNow, v.Op == ir.OpCarry && r.slope == nil:
			join(r)
		case v.Op == ir.OpCarry:
			join(r)
			join(r.slope)
		}
		for _, a := range v.Args {
			for _, r := range in[a] {
				join(r)
			}
		}
		if own != nil {
			around[own] = in[v]
			if own.slope != nil {
				around[own.slope] = append([]*recurrence{own}, in[v]...)
			}
		}
	}
	for _, v := range p.values {
		for _, r := range in[v] {
			if old := p.region[v]; old == nil || slices.Contains(around[r], old) {
				p.region[v] = r
			}
		}
		if r := p.scan[v]; r != nil {
			r.up = p.region[v]
		}
	}
}

func (p *planner) scanned(b *ir.Builder, v *ir.Value) *recurrence {
	carries, inits, nexts := ir.ScanParts(v)
	r := &recurrence{carries: carries, inits: inits, nexts: nexts,
		parts: make([]*ir.Value, len(carries)), t: v.Over[0], to: v.To,
		reverse: v.Mode == ir.Reverse}
	for k := range carries {
		w := *b.ScanPart(v.Args, r.t, r.to, r.reverse, k)
		w.Axes = rowsFirst(w.Axes)
		r.parts[k] = b.MakeOrdered(w)
	}
	return r
}
