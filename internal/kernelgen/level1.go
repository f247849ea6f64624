package main

import "fmt"

// level1 writes the kernels on vectors and on a matrix and a vector. They are
// bound by memory, so that wider registers than those of AVX2 gain nothing.
// A product is rounded before it is added, as everywhere but in gemm. What is
// left over at the end goes through the same lanes under a mask: the elements
// beyond are 0, and adding 0 to a lane that began with 0 changes no bit of it.
func level1() *file {
	f := &file{}
	for _, p := range []float{f64, f32} {
		g := &level1Writer{f, p, 32 / p.bytes}
		if p == f64 {
			g.reduction("dot64avx2", "the sum of x[i]·y[i] in eight lanes", []string{"x", "y"})
			g.reduction("sum64avx2", "the sum of x[i] in eight lanes", []string{"x"})
		} else {
			g.widening("dot32avx2", "the sum of x[i]·y[i] in eight lanes of double precision",
				[]string{"x", "y"})
			g.widening("sum32avx2", "the sum of x[i] in eight lanes of double precision",
				[]string{"x"})
			g.reduction("row32avx2", "the sum of x[i]·y[i] in sixteen lanes", []string{"x", "y"})
		}
		g.dots()
		g.axpys()
		g.addTo()
		g.scale()
		g.extremum("max")
		g.extremum("min")
		g.windowMax()
		g.windowMaxAdd()
		maskTable(f, "laneMask", p)
	}
	return f
}

type level1Writer struct {
	*file
	p     float
	lanes int // of a register
}

func (g *level1Writer) ps(name string) string { return name + g.p.packed }

// begin writes the head of a function.
func (g *level1Writer) begin(
	name, comment string, pointers []string, rest, result string, frame int,
) {
	list := ""
	for i, q := range pointers {
		if i > 0 {
			list += ", "
		}
		list += q
	}
	fmt.Fprintf(&g.decl, "\n// %s %s.\n//\n//go:noescape\nfunc %s(%s *%s%s)%s\n", name, comment,
		name, list, g.p.kind, rest, result)
	fmt.Fprintf(&g.text, "\n// func %s(%s *%s%s)%s\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", name, list,
		g.p.kind, rest, result, name, frame)
}

func (g *level1Writer) arg(name string, off int, reg string) {
	g.op("MOVQ", fmt.Sprintf("%s+%d(FP)", name, off), reg)
}

// rest loads the masks of two registers for the CX elements left over.
func (g *level1Writer) rest(m0, m1 string) {
	g.op("NEGQ", "CX")
	g.op("LEAQ", fmt.Sprintf("laneMask%s<>+%d(SB)", g.p.name, 64), "AX")
	g.op("LEAQ", fmt.Sprintf("(AX)(CX*%d)", g.p.bytes), "AX")
	g.op("VMOVUPD", "(AX)", m0)
	g.op("VMOVUPD", "32(AX)", m1)
}

// reduction writes a sum in two registers of lanes.
func (g *level1Writer) reduction(name, comment string, from []string) {
	n := 8 * len(from)
	g.begin(name, "returns "+comment, from, ", n int", fmt.Sprintf(" (sum %s)", g.p.kind),
		n+8+g.p.bytes)
	regs := []string{"SI", "DI"}
	for i, q := range from {
		g.arg(q, 8*i, regs[i])
	}
	g.arg("n", n, "CX")
	g.op("VXORPD", "Y0", "Y0", "Y0")
	g.op("VXORPD", "Y1", "Y1", "Y1")
	g.op("SUBQ", fmt.Sprintf("$%d", 2*g.lanes), "CX")
	g.op("JLT", "rest")
	g.label("loop")
	for v := range 2 {
		if len(from) == 2 {
			g.op("VMOVUPD", fmt.Sprintf("%d(SI)", 32*v), fmt.Sprintf("Y%d", 2+v))
			g.op(g.ps("VMUL"), fmt.Sprintf("%d(DI)", 32*v), fmt.Sprintf("Y%d", 2+v),
				fmt.Sprintf("Y%d", 2+v))
			g.op(g.ps("VADD"), fmt.Sprintf("Y%d", 2+v), fmt.Sprintf("Y%d", v),
				fmt.Sprintf("Y%d", v))
		} else {
			g.op(g.ps("VADD"), fmt.Sprintf("%d(SI)", 32*v), fmt.Sprintf("Y%d", v),
				fmt.Sprintf("Y%d", v))
		}
	}
	for i := range from {
		g.op("ADDQ", "$64", regs[i])
	}
	g.op("SUBQ", fmt.Sprintf("$%d", 2*g.lanes), "CX")
	g.op("JGE", "loop")
	g.label("rest")
	g.op("ADDQ", fmt.Sprintf("$%d", 2*g.lanes), "CX")
	g.op("JZ", "end")
	g.rest("Y8", "Y9")
	for v := range 2 {
		x, y := fmt.Sprintf("Y%d", 2+v), fmt.Sprintf("Y%d", 4+v)
		m := fmt.Sprintf("Y%d", 8+v)
		g.op(g.ps("VMASKMOV"), fmt.Sprintf("%d(SI)", 32*v), m, x)
		if len(from) == 2 {
			g.op(g.ps("VMASKMOV"), fmt.Sprintf("%d(DI)", 32*v), m, y)
			g.op(g.ps("VMUL"), y, x, x)
		}
		g.op(g.ps("VADD"), x, fmt.Sprintf("Y%d", v), fmt.Sprintf("Y%d", v))
	}
	g.label("end")
	g.combine(0, 1)
	g.op("VMOV"+g.p.scalar, "X0", fmt.Sprintf("sum+%d(FP)", n+8))
	g.op("VZEROUPPER")
	g.op("RET")
}

// combine adds the lanes of two registers into the first element of the first:
// halves to halves.
func (g *level1Writer) combine(a, b int) {
	x, y, ax := fmt.Sprintf("Y%d", a), fmt.Sprintf("Y%d", b), fmt.Sprintf("X%d", a)
	bx := fmt.Sprintf("X%d", b)
	g.op(g.ps("VADD"), y, x, x)
	g.op("VEXTRACTF128", "$1", x, bx)
	g.op(g.ps("VADD"), bx, ax, ax)
	if g.p.bytes == 4 {
		g.op("VMOVHLPS", ax, ax, bx)
		g.op("VADDPS", bx, ax, ax)
		g.op("VMOVSHDUP", ax, bx)
		g.op("VADDSS", bx, ax, ax)
	} else {
		g.op("VUNPCKHPD", ax, ax, bx)
		g.op("VADDSD", bx, ax, ax)
	}
}

// widening writes a sum of numbers in single precision in eight lanes of
// double precision; products of two are exact there.
func (g *level1Writer) widening(name, comment string, from []string) {
	n := 8 * len(from)
	g.begin(name, "returns "+comment, from, ", n int", " (sum float64)", n+16)
	regs := []string{"SI", "DI"}
	for i, q := range from {
		g.arg(q, 8*i, regs[i])
	}
	g.arg("n", n, "CX")
	g.op("VXORPD", "Y0", "Y0", "Y0")
	g.op("VXORPD", "Y1", "Y1", "Y1")
	term := func(v int) {
		if len(from) == 2 {
			g.op("VMULPD", fmt.Sprintf("Y%d", 4+v), fmt.Sprintf("Y%d", 2+v),
				fmt.Sprintf("Y%d", 2+v))
		}
		g.op("VADDPD", fmt.Sprintf("Y%d", 2+v), fmt.Sprintf("Y%d", v), fmt.Sprintf("Y%d", v))
	}
	g.op("SUBQ", "$8", "CX")
	g.op("JLT", "rest")
	g.label("loop")
	for v := range 2 {
		for i := range from {
			g.op("VCVTPS2PD", fmt.Sprintf("%d(%s)", 16*v, regs[i]), fmt.Sprintf("Y%d", 2+2*i+v))
		}
		term(v)
	}
	for i := range from {
		g.op("ADDQ", "$32", regs[i])
	}
	g.op("SUBQ", "$8", "CX")
	g.op("JGE", "loop")
	g.label("rest")
	g.op("ADDQ", "$8", "CX")
	g.op("JZ", "end")
	g.op("NEGQ", "CX")
	g.op("LEAQ", "laneMask32<>+64(SB)", "AX")
	g.op("VMOVUPD", "(AX)(CX*4)", "Y8")
	for i := range from {
		whole, low := fmt.Sprintf("Y%d", 6+i), fmt.Sprintf("X%d", 6+i)
		g.op("VMASKMOVPS", fmt.Sprintf("(%s)", regs[i]), "Y8", whole)
		g.op("VCVTPS2PD", low, fmt.Sprintf("Y%d", 2+2*i))
		g.op("VEXTRACTF128", "$1", whole, low)
		g.op("VCVTPS2PD", low, fmt.Sprintf("Y%d", 3+2*i))
	}
	term(0)
	term(1)
	g.label("end")
	wide := level1Writer{g.file, f64, 4}
	wide.combine(0, 1)
	g.op("VMOVSD", "X0", fmt.Sprintf("sum+%d(FP)", n+8))
	g.op("VZEROUPPER")
	g.op("RET")
}

// dots writes four sums of products of rows with x, each in two registers of
// lanes.
func (g *level1Writer) dots() {
	name := "dots" + g.p.name + "avx2"
	g.begin(name, "writes the dots of four rows of a, stride apart, with x",
		[]string{"out", "a", "x"}, ", stride, n int", "", 40)
	g.arg("out", 0, "DX")
	g.arg("a", 8, "R8")
	g.arg("x", 16, "SI")
	g.arg("stride", 24, "R12")
	g.arg("n", 32, "CX")
	g.op("SHLQ", fmt.Sprintf("$%d", g.p.shift), "R12")
	rows := []string{"R8", "R9", "R10", "R11"}
	for r := 1; r < 4; r++ {
		g.op("LEAQ", fmt.Sprintf("(%s)(R12*1)", rows[r-1]), rows[r])
	}
	for r := range 8 {
		g.op("VXORPD", fmt.Sprintf("Y%d", r), fmt.Sprintf("Y%d", r), fmt.Sprintf("Y%d", r))
	}
	g.op("SUBQ", fmt.Sprintf("$%d", 2*g.lanes), "CX")
	g.op("JLT", "rest")
	g.op("PCALIGN", "$32")
	g.label("loop")
	for v := range 2 {
		g.op("VMOVUPD", fmt.Sprintf("%d(SI)", 32*v), fmt.Sprintf("Y%d", 8+v))
	}
	for r := range 4 {
		for v := range 2 {
			t, acc := fmt.Sprintf("Y%d", 10+(2*r+v)%4), fmt.Sprintf("Y%d", 2*r+v)
			g.op(g.ps("VMUL"), fmt.Sprintf("%d(%s)", 32*v, rows[r]), fmt.Sprintf("Y%d", 8+v), t)
			g.op(g.ps("VADD"), t, acc, acc)
		}
		g.op("ADDQ", "$64", rows[r])
	}
	g.op("ADDQ", "$64", "SI")
	g.op("SUBQ", fmt.Sprintf("$%d", 2*g.lanes), "CX")
	g.op("JGE", "loop")
	g.label("rest")
	g.op("ADDQ", fmt.Sprintf("$%d", 2*g.lanes), "CX")
	g.op("JZ", "end")
	g.rest("Y14", "Y15")
	for v := range 2 {
		g.op(g.ps("VMASKMOV"), fmt.Sprintf("%d(SI)", 32*v), fmt.Sprintf("Y%d", 14+v),
			fmt.Sprintf("Y%d", 8+v))
	}
	for r := range 4 {
		for v := range 2 {
			t, acc := fmt.Sprintf("Y%d", 10+v), fmt.Sprintf("Y%d", 2*r+v)
			g.op(g.ps("VMASKMOV"), fmt.Sprintf("%d(%s)", 32*v, rows[r]), fmt.Sprintf("Y%d", 14+v), t)
			g.op(g.ps("VMUL"), fmt.Sprintf("Y%d", 8+v), t, t)
			g.op(g.ps("VADD"), t, acc, acc)
		}
	}
	g.label("end")
	for r := range 4 {
		g.combine(2*r, 2*r+1)
		g.op("VMOV"+g.p.scalar, fmt.Sprintf("X%d", 2*r), fmt.Sprintf("%d(DX)", r*g.p.bytes))
	}
	g.op("VZEROUPPER")
	g.op("RET")
}

// stream writes a loop over the elements of dst, a register at a time and two
// in a round, with a masked end. load brings what is there into the given
// register, value computes into it.
func (g *level1Writer) stream(
	pointers []string, value func(v int, at func(base string) string, load func(mem, reg string)),
) {
	reg := func(v int) string { return fmt.Sprintf("Y%d", v) }
	g.op("SUBQ", fmt.Sprintf("$%d", 2*g.lanes), "CX")
	g.op("JLT", "rest")
	g.op("PCALIGN", "$32")
	g.label("loop")
	for v := range 2 {
		at := func(base string) string { return fmt.Sprintf("%d(%s)", 32*v, base) }
		value(v, at, func(mem, r string) { g.op("VMOVUPD", mem, r) })
		g.op("VMOVUPD", reg(v), at("DI"))
	}
	for _, p := range pointers {
		g.op("ADDQ", "$64", p)
	}
	g.op("SUBQ", fmt.Sprintf("$%d", 2*g.lanes), "CX")
	g.op("JGE", "loop")
	g.label("rest")
	g.op("ADDQ", fmt.Sprintf("$%d", 2*g.lanes), "CX")
	g.op("JZ", "end")
	g.rest("Y8", "Y9")
	for v := range 2 {
		at := func(base string) string { return fmt.Sprintf("%d(%s)", 32*v, base) }
		m := fmt.Sprintf("Y%d", 8+v)
		value(v, at, func(mem, r string) { g.op(g.ps("VMASKMOV"), mem, m, r) })
		g.op(g.ps("VMASKMOV"), reg(v), m, at("DI"))
	}
	g.label("end")
	g.op("VZEROUPPER")
	g.op("RET")
}

// axpys writes the additions of one and of four multiples.
func (g *level1Writer) axpys() {
	size := g.p.bytes
	g.begin("axpy"+g.p.name+"avx2", "adds a·x to dst", []string{"dst", "x"}, ", n int, a "+g.p.kind,
		"", 24+size)
	g.arg("dst", 0, "DI")
	g.arg("x", 8, "SI")
	g.arg("n", 16, "CX")
	g.op("VBROADCAST"+g.p.scalar, "a+24(FP)", "Y15")
	g.stream([]string{"DI", "SI"}, func(v int, at func(string) string, load func(mem, reg string)) {
		y, x := fmt.Sprintf("Y%d", v), fmt.Sprintf("Y%d", 2+v)
		load(at("SI"), x)
		load(at("DI"), y)
		g.op(g.ps("VMUL"), "Y15", x, x)
		g.op(g.ps("VADD"), x, y, y)
	})
	g.begin("axpys"+g.p.name+"avx2", "adds four rows of a, stride apart, times x to dst, in order",
		[]string{"dst", "a", "x"}, ", stride, n int", "", 40)
	g.arg("dst", 0, "DI")
	g.arg("a", 8, "R8")
	g.arg("x", 16, "SI")
	g.arg("stride", 24, "R12")
	g.arg("n", 32, "CX")
	g.op("SHLQ", fmt.Sprintf("$%d", g.p.shift), "R12")
	rows := []string{"R8", "R9", "R10", "R11"}
	for r := range 4 {
		g.op("VBROADCAST"+g.p.scalar, fmt.Sprintf("%d(SI)", r*size), fmt.Sprintf("Y%d", 12+r))
		if r > 0 {
			g.op("LEAQ", fmt.Sprintf("(%s)(R12*1)", rows[r-1]), rows[r])
		}
	}
	g.stream(append([]string{"DI"}, rows...),
		func(v int, at func(string) string, load func(mem, reg string)) {
			y := fmt.Sprintf("Y%d", v)
			load(at("DI"), y)
			for r := range 4 {
				x := fmt.Sprintf("Y%d", 4+r)
				load(at(rows[r]), x)
				g.op(g.ps("VMUL"), fmt.Sprintf("Y%d", 12+r), x, x)
				g.op(g.ps("VADD"), x, y, y)
			}
		})
}

func (g *level1Writer) addTo() {
	g.begin("addTo"+g.p.name+"avx2", "adds x to dst", []string{"dst", "x"}, ", n int", "", 24)
	g.arg("dst", 0, "DI")
	g.arg("x", 8, "SI")
	g.arg("n", 16, "CX")
	g.stream([]string{"DI", "SI"}, func(v int, at func(string) string, load func(mem, reg string)) {
		y, x := fmt.Sprintf("Y%d", v), fmt.Sprintf("Y%d", 2+v)
		load(at("SI"), x)
		load(at("DI"), y)
		g.op(g.ps("VADD"), x, y, y)
	})
}

func (g *level1Writer) scale() {
	g.begin("scale"+g.p.name+"avx2", "writes a·x into dst", []string{"dst", "x"},
		", n int, a "+g.p.kind, "", 24+g.p.bytes)
	g.arg("dst", 0, "DI")
	g.arg("x", 8, "SI")
	g.arg("n", 16, "CX")
	g.op("VBROADCAST"+g.p.scalar, "a+24(FP)", "Y15")
	g.stream([]string{"DI", "SI"}, func(v int, at func(string) string, load func(mem, reg string)) {
		y := fmt.Sprintf("Y%d", v)
		load(at("SI"), y)
		g.op(g.ps("VMUL"), "Y15", y, y)
	})
}

// extremum writes the largest or the smallest of at least two registers of
// elements: the last two registers may overlap those before. Where a NaN is
// met it says so.
func (g *level1Writer) extremum(which string) {
	op := map[string]string{"max": "VMAX", "min": "VMIN"}[which]
	size := g.p.bytes
	name := which + g.p.name + "avx2"
	g.begin(name, fmt.Sprintf("returns the %simum of x, n >= %d, and whether there is a NaN", which,
		2*g.lanes), []string{"x"}, ", n int",
		fmt.Sprintf(" (m %s, nan bool)", g.p.kind), 17+size)
	g.arg("x", 0, "SI")
	g.arg("n", 8, "CX")
	g.op("VMOVUPD", "(SI)", "Y0")
	g.op("VMOVUPD", "32(SI)", "Y1")
	g.op(g.ps("VCMP"), "$3", "Y0", "Y0", "Y2") // unordered with itself
	g.op(g.ps("VCMP"), "$3", "Y1", "Y1", "Y3")
	g.op("LEAQ", fmt.Sprintf("-64(SI)(CX*%d)", size), "DI") // the last two
	g.op("JMP", "next")
	g.op("PCALIGN", "$32")
	g.label("loop")
	step := func(base string) {
		for v := range 2 {
			x, m, u := fmt.Sprintf("Y%d", 4+v), fmt.Sprintf("Y%d", v), fmt.Sprintf("Y%d", 2+v)
			g.op("VMOVUPD", fmt.Sprintf("%d(%s)", 32*v, base), x)
			g.op(g.ps("VCMP"), "$3", x, x, fmt.Sprintf("Y%d", 6+v))
			g.op("VORPD", fmt.Sprintf("Y%d", 6+v), u, u)
			g.op(g.ps(op), x, m, m)
		}
	}
	step("SI")
	g.label("next")
	g.op("ADDQ", "$64", "SI")
	g.op("CMPQ", "SI", "DI")
	g.op("JLT", "loop")
	step("DI")
	g.op(g.ps(op), "Y1", "Y0", "Y0")
	g.op("VORPD", "Y3", "Y2", "Y2")
	g.op("VEXTRACTF128", "$1", "Y0", "X1")
	g.op(g.ps(op), "X1", "X0", "X0")
	g.op("VMOVHLPS", "X0", "X0", "X1")
	g.op(g.ps(op), "X1", "X0", "X0")
	if size == 4 {
		g.op("VMOVSHDUP", "X0", "X1")
		g.op(g.ps(op), "X1", "X0", "X0")
	}
	g.op("VMOVMSKPD", "Y2", "AX")
	if size == 4 {
		g.op("VMOVMSKPS", "Y2", "AX")
	}
	g.op("TESTL", "AX", "AX")
	g.op("VMOV"+g.p.scalar, "X0", "m+16(FP)")
	g.op("SETNE", fmt.Sprintf("nan+%d(FP)", 16+size))
	g.op("VZEROUPPER")
	g.op("RET")
}
