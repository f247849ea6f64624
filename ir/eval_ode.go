package ir

// ode integrates by the classical Runge–Kutta method in many small steps of
// equal length, the sensitivities by their variational equations.
func (e *evaluator) ode(v *Value) Array {
	const substeps = 400
	e.active = append(e.active, Bound(v)...)
	defer func() { e.active = e.active[:len(e.active)-2] }()
	o := e.odeOf(v)
	out := e.make(v.Axes)
	e.each(OdeBatch(v), func(at index) {
		z := make([]float64, o.length)
		s := make([]float64, o.length*o.width)
		for i := range z {
			at[o.n] = i
			z[i] = e.done[v.Args[OdeStart]].get(at)
			if v.Part == 1 {
				s[i*o.width+i] = 1
			}
		}
		slope := func(t float64, z, s []float64) (dz, ds []float64) { return o.slope(at, t, z, s) }
		t := e.done[v.Args[OdeStartTime]].get(at)
		for k := range e.length(v.To) {
			at[v.To] = k
			end := e.done[v.Args[OdeTimes]].get(at)
			h := (end - t) / substeps
			for range substeps {
				z, s = rk4(slope, t, h, z, s)
				t += h
			}
			t = end
			o.store(out, at, z, s)
		}
		delete(at, o.n)
		delete(at, v.To)
		if len(v.Over) > 1 {
			delete(at, v.Over[1])
		}
	})
	return out
}

// An odeReference evaluates one system of differential equations.
type odeReference struct {
	*evaluator
	v      *Value
	n      *Axis    // of the state
	cols   []*Axis  // the values that sensitivities are with respect to; none for the state itself
	body   []*Value // the values between point and slope, in order
	length int      // of n
	width  int      // entries along cols
}

func (e *evaluator) odeOf(v *Value) *odeReference {
	o := &odeReference{evaluator: e, v: v, n: v.Over[0], length: e.length(v.Over[0]), width: 1}
	roots := []*Value{v.Args[OdeSlope]}
	if v.Part > 0 {
		o.cols = OdeColumns(v, v.Part)
		roots = append(roots, v.Args[OdeJacobian], v.Args[OdeJacobian+v.Part-1])
	}
	values := Reach(roots...)
	free := Carries(values)
	for _, x := range values {
		if x.Op != OpCarry && within(free[x], Bound(v)) && !beyond(free[x], e.active) {
			o.body = append(o.body, x)
		}
	}
	for _, a := range o.cols {
		o.width *= e.length(a)
	}
	return o
}

// slope is the derivative by time of the state z and of the sensitivities s [e, cols], at an
// entry of the batch.
func (o *odeReference) slope(at index, t float64, z, s []float64) (dz, ds []float64) {
	v, done := o.v, o.done
	done[v.Args[OdeTime]] = Array{Data: []float64{t}}
	done[v.Args[OdePoint]] = o.fill(v.Args[OdePoint].Axes,
		func(p index) float64 { return z[p[o.n]] })
	for _, x := range o.body {
		done[x] = o.eval(x)
	}
	dz, ds = make([]float64, o.length), make([]float64, o.length*o.width)
	for i := range dz {
		at[o.n] = i
		dz[i] = done[v.Args[OdeSlope]].get(at)
	}
	if v.Part == 0 {
		return dz, ds
	}
	for i := range o.length {
		at[v.Over[1]] = i
		for j := range o.length {
			at[o.n] = j
			a := done[v.Args[OdeJacobian]].get(at)
			for k := range o.width {
				ds[i*o.width+k] += a * s[j*o.width+k]
			}
		}
		if v.Part == 1 {
			continue
		}
		k := 0
		o.each(o.cols, func(c index) {
			for x, y := range at {
				if _, own := c[x]; !own {
					c[x] = y
				}
			}
			ds[i*o.width+k] += done[v.Args[OdeJacobian+v.Part-1]].get(c)
			for x := range at {
				if indexOf(o.cols, x) < 0 {
					delete(c, x)
				}
			}
			k++
		})
	}
	return dz, ds
}

// store puts the state, or the sensitivities, at an entry of batch and times into out.
func (o *odeReference) store(out Array, at index, z, s []float64) {
	v := o.v
	o.each(append([]*Axis{v.Over[min(v.Part, 1)]}, o.cols...), func(c index) {
		offset := 0
		for i, a := range out.Axes {
			x, own := c[a]
			if !own {
				x = at[a]
			}
			offset = offset*out.Dims[i] + x
		}
		if v.Part == 0 {
			out.Data[offset] = z[c[o.n]]
			return
		}
		col := 0
		for _, a := range o.cols {
			col = col*o.evaluator.length(a) + c[a]
		}
		out.Data[offset] = s[c[v.Over[1]]*o.width+col]
	})
}

// rk4 is one step of the classical method for a pair of arrays.
func rk4(
	f func(t float64, z, s []float64) (dz, ds []float64), t, h float64, z, s []float64,
) (z1, s1 []float64) {
	add := func(x, k []float64, w float64) []float64 {
		out := make([]float64, len(x))
		for i := range x {
			out[i] = x[i] + w*k[i]
		}
		return out
	}
	a, b := f(t, z, s)
	c, d := f(t+h/2, add(z, a, h/2), add(s, b, h/2))
	g, k := f(t+h/2, add(z, c, h/2), add(s, d, h/2))
	p, q := f(t+h, add(z, g, h), add(s, k, h))
	z1 = add(add(add(add(z, a, h/6), c, h/3), g, h/3), p, h/6)
	s1 = add(add(add(add(s, b, h/6), d, h/3), k, h/3), q, h/6)
	return z1, s1
}
