package main

import "fmt"

// rectifiers writes the passes of a layer of rectified units: the units of what
// has been multiplied, and the way of their cotangents back. They are bound by
// memory, so that wider registers gain nothing.
func rectifiers() *file {
	f := &file{}
	for _, p := range []float{f64, f32} {
		g := &level1Writer{f, p, 32 / p.bytes}
		g.addRelu()
		g.positive()
		maskTable(f, "rectifyMask", p)
	}
	return f
}

// along writes a loop over CX elements at the registers of address: body makes
// Y0, which goes to the first. AX, Y14 and Y15 are its own.
func (g *level1Writer) along(address []string, body func(load func(reg, base string))) {
	g.op("SUBQ", fmt.Sprintf("$%d", g.lanes), "CX")
	g.op("JLT", "rest")
	g.label("loop")
	body(func(reg, base string) { g.op("VMOVUPD", "("+base+")", reg) })
	g.op("VMOVUPD", "Y0", "("+address[0]+")")
	for _, a := range address {
		g.op("ADDQ", "$32", a)
	}
	g.op("SUBQ", fmt.Sprintf("$%d", g.lanes), "CX")
	g.op("JGE", "loop")
	g.label("rest")
	g.op("ADDQ", fmt.Sprintf("$%d", g.lanes), "CX")
	g.op("JZ", "done")
	g.op("MOVQ", "CX", "AX")
	g.op("NEGQ", "AX")
	g.op("LEAQ", fmt.Sprintf("rectifyMask%s<>+64(SB)", g.p.name), "DX")
	g.op("VMOVUPD", fmt.Sprintf("(DX)(AX*%d)", g.p.bytes), "Y15")
	body(func(reg, base string) { g.op(g.ps("VMASKMOV"), "("+base+")", "Y15", reg) })
	g.op(g.ps("VMASKMOV"), "Y0", "Y15", "("+address[0]+")")
	g.op("LEAQ", fmt.Sprintf("(CX*%d)", g.p.bytes), "AX")
	for _, a := range address {
		g.op("ADDQ", "AX", a)
	}
	g.label("done")
}

// addRelu: of two zeros, or where one is no number, VMAX takes the second.
func (g *level1Writer) addRelu() {
	g.begin("addRelu"+g.p.name+"avx2", "writes max(x + bias, 0) into dst, row by row",
		[]string{"dst", "x", "bias"}, ", rows, width int", "", 40)
	g.arg("dst", 0, "DI")
	g.arg("x", 8, "SI")
	g.arg("bias", 16, "R9")
	g.arg("rows", 24, "R8")
	g.arg("width", 32, "R10")
	g.op("VXORPD", "Y14", "Y14", "Y14")
	g.label("row")
	g.op("MOVQ", "R9", "BX")
	g.op("MOVQ", "R10", "CX")
	g.along([]string{"DI", "SI", "BX"}, func(load func(reg, base string)) {
		load("Y0", "SI")
		load("Y1", "BX")
		g.op(g.ps("VADD"), "Y1", "Y0", "Y0")
		g.op(g.ps("VMAX"), "Y14", "Y0", "Y0")
	})
	g.op("DECQ", "R8")
	g.op("JNZ", "row")
	g.op("VZEROUPPER")
	g.op("RET")
}

func (g *level1Writer) positive() {
	g.begin("positive"+g.p.name+"avx2", "writes x, times 1 where a > 0 and 0 elsewhere, into dst",
		[]string{"dst", "a", "x"}, ", n int, one "+g.p.kind, "", 32+g.p.bytes)
	g.arg("dst", 0, "DI")
	g.arg("a", 8, "SI")
	g.arg("x", 16, "BX")
	g.arg("n", 24, "CX")
	g.op("VBROADCAST"+g.p.scalar, "one+32(FP)", "Y13")
	g.op("VXORPD", "Y14", "Y14", "Y14")
	g.along([]string{"DI", "SI", "BX"}, func(load func(reg, base string)) {
		load("Y0", "SI")
		load("Y1", "BX")
		g.op(g.ps("VCMP"), "$30", "Y14", "Y0", "Y0") // greater, ordered
		g.op("VANDPD", "Y13", "Y0", "Y0")
		g.op(g.ps("VMUL"), "Y1", "Y0", "Y0")
	})
	g.op("VZEROUPPER")
	g.op("RET")
}
