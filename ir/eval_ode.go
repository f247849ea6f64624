package ir

// ode integrates by the classical Runge–Kutta method in many small steps of
// equal length, the sensitivities by their variational equations.
func (e *evaluator) ode(v *Value) Array {
	const substeps = 400
	n, ts := v.Over[0], v.To
	batch := OdeBatch(v)
	var cols []*Axis
	if v.Part > 0 {
		cols = OdeColumns(v, v.Part)
	}
	e.active = append(e.active, Bound(v)...)
	defer func() { e.active = e.active[:len(e.active)-2] }()
	roots := []*Value{v.Args[OdeSlope]}
	if v.Part > 0 {
		roots = append(roots, v.Args[OdeJacobian], v.Args[OdeJacobian+v.Part-1])
	}
	var body []*Value
	values := Reach(roots...)
	free := Carries(values)
	for _, x := range values {
		if x.Op != OpCarry && within(free[x], Bound(v)) && !beyond(free[x], e.active) {
			body = append(body, x)
		}
	}
	out := e.make(v.Axes)
	length := e.length(n)
	width := 1
	for _, a := range cols {
		width *= e.length(a)
	}
	e.each(batch, func(at index) {
		z := make([]float64, length)
		s := make([]float64, length*width) // [e, cols]
		for i := range z {
			at[n] = i
			z[i] = e.done[v.Args[OdeStart]].get(at)
			if v.Part == 1 {
				s[i*width+i] = 1
			}
		}
		slope := func(t float64, z, s []float64) (dz, ds []float64) {
			e.done[v.Args[OdeTime]] = Array{Data: []float64{t}}
			e.done[v.Args[OdePoint]] = e.fill(v.Args[OdePoint].Axes, func(p index) float64 { return z[p[n]] })
			for _, x := range body {
				e.done[x] = e.eval(x)
			}
			dz, ds = make([]float64, length), make([]float64, length*width)
			for i := range dz {
				at[n] = i
				dz[i] = e.done[v.Args[OdeSlope]].get(at)
			}
			if v.Part == 0 {
				return dz, ds
			}
			for i := range length {
				at[v.Over[1]] = i
				for j := range length {
					at[n] = j
					a := e.done[v.Args[OdeJacobian]].get(at)
					for k := range width {
						ds[i*width+k] += a * s[j*width+k]
					}
				}
				if v.Part > 1 {
					k := 0
					e.each(cols, func(c index) {
						for x, y := range at {
							if _, own := c[x]; !own {
								c[x] = y
							}
						}
						ds[i*width+k] += e.done[v.Args[OdeJacobian+v.Part-1]].get(c)
						for x := range at {
							if indexOf(cols, x) < 0 {
								delete(c, x)
							}
						}
						k++
					})
				}
			}
			return dz, ds
		}
		t := e.done[v.Args[OdeStartTime]].get(at)
		for k := range e.length(ts) {
			at[ts] = k
			end := e.done[v.Args[OdeTimes]].get(at)
			h := (end - t) / substeps
			for range substeps {
				z, s = rk4(slope, t, h, z, s)
				t += h
			}
			t = end
			e.each(append([]*Axis{v.Over[min(v.Part, 1)]}, cols...), func(c index) {
				offset := 0
				for i, a := range out.Axes {
					x, own := c[a]
					if !own {
						x = at[a]
					}
					offset = offset*out.Dims[i] + x
				}
				if v.Part == 0 {
					out.Data[offset] = z[c[n]]
					return
				}
				col := 0
				for _, a := range cols {
					col = col*e.length(a) + c[a]
				}
				out.Data[offset] = s[c[v.Over[1]]*width+col]
			})
		}
		delete(at, n)
		delete(at, ts)
		if len(v.Over) > 1 {
			delete(at, v.Over[1])
		}
	})
	return out
}

// rk4 is one step of the classical method for a pair of arrays.
func rk4(f func(t float64, z, s []float64) (dz, ds []float64), t, h float64, z, s []float64) (z1, s1 []float64) {
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
