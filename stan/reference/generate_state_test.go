package reference

// stateful writes statements whose loops carry values from turn to turn, under conditions and
// around them, with what such programs do: values that one branch alone assigns, values read before
// their turn assigns them, turns that end early, loops that are left, and loops in loops whose ends
// move.
func (a *author) stateful(depth int) {
	s, t, i := a.fresh(), a.fresh(), a.fresh()
	from, to := a.ends()
	turn := func(f func()) { // a loop whose body f writes
		a.line("for (%s in %s:%s) {", i, from, to)
		a.loops = append(a.loops, i)
		a.indent++
		f()
		a.indent--
		a.loops = a.loops[:len(a.loops)-1]
		a.line("}")
	}
	branch := func(f func()) {
		a.line("if (%s) {", a.condition(depth))
		a.indent++
		f()
		a.indent--
	}
	step := func(x, y string) string {
		return a.one([]string{"0.5 * " + x + " + " + a.real(1), "tanh(" + x + " - " + y + ")",
			x + " * 0.3 - " + y + " * " + a.real(0), "bend(" + x + ", " + a.one(a.vectors) + ") * 0.2",
			"log_sum_exp(" + x + ", " + y + ")", "fmax(" + x + ", " + a.real(0) + ") * 0.7",
			"walk(" + x + ", " + a.one(a.vectors) + ", " + a.place() + ") * 0.1",
			"(" + a.condition(0) + " ? " + x + " : " + y + ")", a.real(1)})
	}
	early := func() { // the turn ends here, or the loop
		if k := a.IntN(6); k < 2 {
			a.line("if (%s) %s;", a.condition(0), []string{"continue", "break"}[k])
		}
	}
	keep := func(names ...string) {
		for _, x := range names {
			a.reals, a.writable[x] = append(a.reals, x), true
		}
	}
	switch a.IntN(9) {
	case 0: // assigned in branches, one of which goes on in a loop
		a.line("real %s;", s)
		branch(func() {
			a.line("%s = %s;", s, a.real(1))
			turn(func() { a.line("%s = %s;", s, step(s, a.real(0))) })
		})
		a.line("} else {")
		a.line("  %s = %s;", s, a.real(1))
		a.line("}")
		keep(s)
	case 1: // two values that depend on each other
		a.line("real %s = %s;", s, a.real(1))
		a.line("real %s = %s;", t, a.real(0))
		turn(func() {
			early()
			a.line("real old%s = %s;", s, s)
			a.line("%s = %s;", s, step(s, t))
			if a.IntN(2) == 0 {
				early()
				a.line("if (%s) %s = %s;", a.condition(0), t, step("old"+s, t))
			} else {
				a.line("%s = %s;", t, step(t, "old"+s))
			}
		})
		keep(s, t)
	case 2: // a value read in a turn before the turn assigns it
		a.line("real %s = %s;", s, a.real(0))
		a.line("real %s = 0;", t)
		turn(func() {
			early()
			a.line("if (%s > %s) %s += %s;", i, from, t, step(s, t))
			a.line("%s = %s;", s, a.real(1))
		})
		keep(s, t)
	case 3: // a state of several numbers, some of which change
		a.line("vector[N] %s = %s;", s, a.vector(1))
		turn(func() {
			early()
			branch(func() { a.line("%s = %s + 0.3 * %s;", s, s, a.vector(1)) })
			if a.IntN(2) == 0 {
				a.line("} else {")
				a.line("  %s[%s] %s %s;", s, a.place(), a.one([]string{"=", "+="}), a.real(1))
			}
			a.line("}")
		})
		a.vectors, a.writable[s] = append(a.vectors, s), true
	case 4: // whole numbers that say what is left
		a.line("array[N] int %s = rep_array(1, N);", s)
		a.line("real %s = %s;", t, a.real(0))
		turn(func() {
			early()
			a.line("if (%s[%s] == 1) %s = %s;", s, a.place(), t, step(t, a.real(0)))
			a.line("%s[%s] = %s;", s, a.place(), a.one([]string{"0", "2", "b[" + i + "]"}))
			if a.IntN(3) == 0 {
				a.line("if (sum(%s) <= %s) break;", s, a.one([]string{"1", "2", "K"}))
			}
		})
		keep(t)
	case 5: // values named under a condition, of entries that are there under it alone
		v, near := a.one(a.vectors), a.one([]string{"1", "2", "K"})
		a.line("real %s = %s;", s, a.real(0))
		turn(func() {
			a.line("if (%s + %s <= N) {", i, near)
			a.line("  real %s = %s[%s + %s] - %s[%s];", t, v, i, near, v, i)
			a.line("  %s = %s;", s, step(s, t))
			a.line("  %s += 0.1 * square(%s) * %s;", s, t, t)
			a.line("}")
		})
		keep(s)
	case 6: // loops in loops, whose ends move
		a.line("real %s = %s;", s, a.real(0))
		turn(func() {
			j := a.fresh()
			a.line("real %s = %s;", t, a.one([]string{s, a.real(1)}))
			a.line("for (%s in %s:%s) {", j, a.one([]string{"1", i}),
				a.one([]string{"N", "g[" + i + "]", i}))
			a.loops = append(a.loops, j)
			a.indent++
			early()
			a.line("%s = %s;", t, step(t, s))
			a.indent--
			a.loops = a.loops[:len(a.loops)-1]
			a.line("}")
			a.line("%s = 0.4 * %s + 0.3 * %s;", s, s, t)
		})
		keep(s)
	case 7: // an array whose turns fill it under conditions
		a.line("vector[N] %s = %s;", s, a.vector(1))
		turn(func() {
			early()
			a.line("if (%s > 1 && %s) %s[%s] = %s;", i, a.condition(0), s, i,
				step(s+"["+i+" - 1]", a.real(0)))
			if a.IntN(2) == 0 {
				a.line("else %s[%s] += %s;", s, i, a.real(1))
			}
		})
		a.vectors, a.writable[s] = append(a.vectors, s), true
	case 8: // a loop that counts and is left
		a.line("int %s = 0;", i)
		a.line("real %s = %s;", s, a.real(0))
		a.line("while (%s < N) {", i)
		a.indent++
		a.line("%s += 1;", i)
		a.loops = append(a.loops, i)
		if a.IntN(2) == 0 {
			a.line("if (%s) break;", a.condition(0))
		}
		a.line("%s = %s;", s, step(s, a.real(0)))
		a.loops = a.loops[:len(a.loops)-1]
		a.indent--
		a.line("}")
		keep(s)
	}
}

// ends are those of a loop within 1 and N.
func (a *author) ends() (from, to string) {
	to = a.one([]string{"N", "N", "N - 1", "K", "min({K + 1, N})", "g[1]"})
	from = a.one([]string{"1", "1", "2"})
	if n := len(a.loops); n > 0 && a.IntN(2) == 0 {
		i := a.loops[n-1]
		to = a.one([]string{i, "N - " + i, "g[" + i + "]", i + " - 1"})
	}
	return from, to
}
