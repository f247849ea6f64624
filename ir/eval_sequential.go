package ir

// all evaluates values in order, except for those in the steps of a scan, which the scan
// evaluates.
func (e *evaluator) all(values []*Value) {
	free := Carries(values)
	for _, v := range values {
		if len(free[v]) == 0 {
			e.done[v] = e.eval(v)
		}
	}
}

// scan runs a recurrence by its definition: every step computes everything
// for all steps again, and keeps its own.
func (e *evaluator) scan(v *Value) Array {
	carries, inits, nexts := ScanParts(v)
	t, n := v.Over[0], e.length(v.Over[0])
	var body []*Value
	values := Reach(nexts...)
	e.active = append(e.active, carries...)
	defer func() { e.active = e.active[:len(e.active)-len(carries)] }()
	free := Carries(values)
	for _, x := range values {
		// A scan within evaluates its own steps.
		if x.Op != OpCarry && within(free[x], carries) && !beyond(free[x], e.active) {
			body = append(body, x)
		}
	}
	out := make([]Array, len(carries))
	for k, c := range carries {
		axes := append([]*Axis{v.To}, without(c.Axes, []*Axis{t})...)
		start := 0
		if v.Mode == Reverse {
			start = n
		}
		out[k] = e.fill(axes, func(at index) float64 {
			if at[v.To] == start {
				return e.done[inits[k]].get(at)
			}
			return 0
		})
	}
	from, to := 0, 1
	if v.Mode == Reverse {
		from, to = 1, 0
	}
	for step := range n {
		if v.Mode == Reverse {
			step = n - 1 - step
		}
		for k, c := range carries {
			e.done[c] = e.fill(c.Axes, func(at index) float64 {
				at[v.To] = at[t] + from
				x := out[k].get(at)
				delete(at, v.To)
				return x
			})
		}
		for _, x := range body {
			e.done[x] = e.eval(x)
		}
		for k := range carries {
			i := 0
			e.each(out[k].Axes, func(at index) {
				if at[v.To] == step+to {
					at[t] = step
					out[k].Data[i] = e.done[nexts[k]].get(at)
					delete(at, t)
				}
				i++
			})
		}
	}
	return out[v.Part]
}

// within reports whether some of a are in b.
func within(a, b []*Value) bool {
	for _, x := range a {
		if contains(b, x) {
			return true
		}
	}
	return false
}

// beyond reports whether some of a are not in b.
func beyond(a, b []*Value) bool {
	for _, x := range a {
		if !contains(b, x) {
			return true
		}
	}
	return false
}
