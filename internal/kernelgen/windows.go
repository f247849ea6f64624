package main

import "fmt"

// The largest entries of one window, and the way of their cotangent back, for n
// entries that stand side by side at every place, as many as whole registers
// hold. Places are rows × cols, a line and a step apart.

// places writes a loop over the places of a window: x at R8, body uses R9.
// With two arrays the other is at R12, in R13.
func (g *level1Writer) places(label string, arrays int, body func()) {
	g.op("MOVQ", "R8", "R10")
	if arrays > 1 {
		g.op("MOVQ", "R12", "R14")
	}
	g.arg("rows", g.rowsAt(arrays), "AX")
	g.label(label + "Row")
	g.op("MOVQ", "R10", "R9")
	if arrays > 1 {
		g.op("MOVQ", "R14", "R13")
	}
	g.arg("cols", g.rowsAt(arrays)+8, "DX")
	g.label(label + "Col")
	body()
	g.op("ADDQ", "R11", "R9")
	if arrays > 1 {
		g.op("ADDQ", "R11", "R13")
	}
	g.op("DECQ", "DX")
	g.op("JNZ", label+"Col")
	g.op("ADDQ", "BX", "R10")
	if arrays > 1 {
		g.op("ADDQ", "BX", "R14")
	}
	g.op("DECQ", "AX")
	g.op("JNZ", label+"Row")
}

// rowsAt is where the parameter rows is: behind the arrays and n.
func (g *level1Writer) rowsAt(arrays int) int {
	if arrays > 1 {
		return 40
	}
	return 24
}

func (g *level1Writer) windowMax() {
	g.begin("windowMax"+g.p.name+"avx2", "writes the largest entries of a window",
		[]string{"dst", "x"}, ", n, rows, cols, line, step int", "", 56)
	g.arg("dst", 0, "DI")
	g.arg("x", 8, "R8")
	g.arg("n", 16, "CX")
	g.arg("line", 40, "BX")
	g.arg("step", 48, "R11")
	g.op("SHLQ", fmt.Sprintf("$%d", g.p.shift), "BX")
	g.op("SHLQ", fmt.Sprintf("$%d", g.p.shift), "R11")
	g.label("lanes")
	g.op("VMOVUPD", "(R8)", "Y0")
	g.places("max", 1, func() {
		// The next, where it is larger or no number; of two zeros the first.
		g.op("VMOVUPD", "(R9)", "Y1")
		g.op(g.ps("VCMP"), "$3", "Y1", "Y1", "Y2")
		g.op(g.ps("VMAX"), "Y0", "Y1", "Y0")
		g.op(g.ps("VBLENDV"), "Y2", "Y1", "Y0", "Y0")
	})
	g.op("VMOVUPD", "Y0", "(DI)")
	g.op("ADDQ", "$32", "DI")
	g.op("ADDQ", "$32", "R8")
	g.op("SUBQ", fmt.Sprintf("$%d", g.lanes), "CX")
	g.op("JNZ", "lanes")
	g.op("VZEROUPPER")
	g.op("RET")
}

func (g *level1Writer) windowMaxAdd() {
	name := "windowMaxAdd" + g.p.name + "avx2"
	g.begin(name, "adds to dst, where x is the most of a window, the cotangent's share",
		[]string{"dst", "x", "most", "cot"}, ", n, rows, cols, line, step int", "", 72)
	g.arg("dst", 0, "R12")
	g.arg("x", 8, "R8")
	g.arg("most", 16, "SI")
	g.arg("cot", 24, "DI")
	g.arg("n", 32, "CX")
	g.arg("line", 56, "BX")
	g.arg("step", 64, "R11")
	g.op("SHLQ", fmt.Sprintf("$%d", g.p.shift), "BX")
	g.op("SHLQ", fmt.Sprintf("$%d", g.p.shift), "R11")
	// All lanes 1: a shift of all ones, ones to the exponent's place.
	g.op("VPCMPEQD", "Y15", "Y15", "Y15")
	if g.p.bytes == 4 {
		g.op("VPSRLD", "$25", "Y15", "Y15")
		g.op("VPSLLD", "$23", "Y15", "Y15")
	} else {
		g.op("VPSRLQ", "$54", "Y15", "Y15")
		g.op("VPSLLQ", "$52", "Y15", "Y15")
	}
	g.label("lanes")
	g.op("VMOVUPD", "(SI)", "Y0")
	g.op("VXORPD", "Y1", "Y1", "Y1")
	hit := func() {
		g.op(g.ps("VCMP"), "$0", "(R9)", "Y0", "Y2")
		g.op("VANDPD", "Y15", "Y2", "Y2")
	}
	g.places("ties", 2, func() {
		hit()
		g.op(g.ps("VADD"), "Y2", "Y1", "Y1")
	})
	g.op("VMOVUPD", "(DI)", "Y3")
	g.op(g.ps("VDIV"), "Y1", "Y3", "Y3")
	g.places("add", 2, func() {
		hit()
		g.op(g.ps("VMUL"), "Y3", "Y2", "Y2")
		g.op(g.ps("VADD"), "(R13)", "Y2", "Y2")
		g.op("VMOVUPD", "Y2", "(R13)")
	})
	for _, r := range []string{"R12", "R8", "SI", "DI"} {
		g.op("ADDQ", "$32", r)
	}
	g.op("SUBQ", fmt.Sprintf("$%d", g.lanes), "CX")
	g.op("JNZ", "lanes")
	g.op("VZEROUPPER")
	g.op("RET")
}
