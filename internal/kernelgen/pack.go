package main

import "fmt"

// packRows writes copies of panels: depth rows of cols elements, stride apart,
// each filled up with zeros to the width of one or two registers.
func packRows(f *file, isa vectors, p float, name string, width int) {
	params := []param{{"dst", "*" + p.kind}, {"src", "*" + p.kind}, {"stride", "int"},
		{"depth", "int"}, {"cols", "int"}}
	f.function(name, "", params)
	f.load(params, "dst", "DI")
	f.load(params, "src", "SI")
	f.load(params, "stride", "AX")
	f.load(params, "depth", "CX")
	f.load(params, "cols", "DX")
	f.op("SHLQ", fmt.Sprintf("$%d", p.shift), "AX")
	lanes := isa.bytes / p.bytes
	reg := func(i int) string { return fmt.Sprintf("%s%d", isa.reg, i) }
	wide := isa.name == "avx512"
	if wide {
		f.op("MOVQ", "$-1", "R8")
		f.op("BZHIQ", "DX", "R8", "R8")
		for v := range width {
			f.op("KMOVQ", "R8", fmt.Sprintf("K%d", v+1))
			f.op("SHRQ", fmt.Sprintf("$%d", lanes), "R8")
		}
	} else {
		f.op("NEGQ", "DX")
		f.op("LEAQ", fmt.Sprintf("tileMask%s<>+%d(SB)", p.name, 2*isa.bytes), "R8")
		f.op("LEAQ", fmt.Sprintf("(R8)(DX*%d)", p.bytes), "R8")
		for v := range width {
			f.op("VMOVUPD", fmt.Sprintf("%d(R8)", v*isa.bytes), reg(8+v))
		}
	}
	f.op("TESTQ", "CX", "CX")
	f.op("JLE", "end")
	f.label("loop")
	for v := range width {
		mem := fmt.Sprintf("%d(SI)", v*isa.bytes)
		if wide {
			f.op("VMOVU"+p.packed+".Z", mem, fmt.Sprintf("K%d", v+1), reg(v))
		} else {
			f.op("VMASKMOV"+p.packed, mem, reg(8+v), reg(v))
		}
	}
	for v := range width {
		f.op("VMOVU"+p.packed, reg(v), fmt.Sprintf("%d(DI)", v*isa.bytes))
	}
	f.op("ADDQ", "AX", "SI")
	f.op("ADDQ", fmt.Sprintf("$%d", width*isa.bytes), "DI")
	f.op("DECQ", "CX")
	f.op("JNZ", "loop")
	f.label("end")
	f.op("VZEROUPPER")
	f.op("RET")
}

// transpose writes the transposes of strips: of 4 rows (8 in single precision)
// of src, stride apart, element p of row j goes to dst[p·to + j], for
// p < depth, a multiple of 2 (4 in single precision). Rows j and j + half are
// loaded into the halves of one register, so that the interleaving within
// halves is all there is to do.
func transpose(f *file, p float) {
	name := "transpose" + p.name + "avx2"
	params := []param{{"dst", "*" + p.kind}, {"to", "int"}, {"src", "*" + p.kind},
		{"stride", "int"}, {"depth", "int"}}
	f.function(name, "", params)
	f.load(params, "dst", "DI")
	f.load(params, "to", "BX")
	f.load(params, "src", "SI")
	f.load(params, "stride", "AX")
	f.load(params, "depth", "CX")
	f.op("SHLQ", fmt.Sprintf("$%d", p.shift), "AX")
	f.op("SHLQ", fmt.Sprintf("$%d", p.shift), "BX")
	f.op("LEAQ", "(AX)(AX*2)", "DX")
	if p.bytes == 4 {
		f.op("LEAQ", "(SI)(AX*4)", "R8")
		f.op("LEAQ", "(BX)(BX*2)", "R9")
		f.op("SUBQ", "$4", "CX")
		f.op("JLT", "end")
		f.label("loop")
		rows := []string{"", "(AX*1)", "(AX*2)", "(DX*1)"}
		for r := range 4 {
			f.op("VMOVUPS", "(SI)"+rows[r], fmt.Sprintf("X%d", r))
			f.op("VINSERTF128", "$1", "(R8)"+rows[r], fmt.Sprintf("Y%d", r), fmt.Sprintf("Y%d", r))
		}
		f.op("VUNPCKLPS", "Y1", "Y0", "Y4") // 0₀ 1₀ 0₁ 1₁
		f.op("VUNPCKHPS", "Y1", "Y0", "Y5")
		f.op("VUNPCKLPS", "Y3", "Y2", "Y6")
		f.op("VUNPCKHPS", "Y3", "Y2", "Y7")
		f.op("VUNPCKLPD", "Y6", "Y4", "Y0")
		f.op("VUNPCKHPD", "Y6", "Y4", "Y1")
		f.op("VUNPCKLPD", "Y7", "Y5", "Y2")
		f.op("VUNPCKHPD", "Y7", "Y5", "Y3")
		to := []string{"", "(BX*1)", "(BX*2)", "(R9*1)"}
		for r := range 4 {
			f.op("VMOVUPS", fmt.Sprintf("Y%d", r), "(DI)"+to[r])
		}
		f.op("LEAQ", "(DI)(BX*4)", "DI")
		f.op("ADDQ", "$16", "SI")
		f.op("ADDQ", "$16", "R8")
		f.op("SUBQ", "$4", "CX")
	} else {
		f.op("SUBQ", "$2", "CX")
		f.op("JLT", "end")
		f.label("loop")
		f.op("VMOVUPD", "(SI)", "X0")
		f.op("VMOVUPD", "(SI)(AX*1)", "X1")
		f.op("VINSERTF128", "$1", "(SI)(AX*2)", "Y0", "Y0")
		f.op("VINSERTF128", "$1", "(SI)(DX*1)", "Y1", "Y1")
		f.op("VUNPCKLPD", "Y1", "Y0", "Y2")
		f.op("VUNPCKHPD", "Y1", "Y0", "Y3")
		f.op("VMOVUPD", "Y2", "(DI)")
		f.op("VMOVUPD", "Y3", "(DI)(BX*1)")
		f.op("LEAQ", "(DI)(BX*2)", "DI")
		f.op("ADDQ", "$16", "SI")
		f.op("SUBQ", "$2", "CX")
	}
	f.op("JGE", "loop")
	f.label("end")
	f.op("VZEROUPPER")
	f.op("RET")
}
