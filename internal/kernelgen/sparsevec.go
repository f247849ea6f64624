package main

import "fmt"

// sparseVec writes the products of sparse rows and a vector: gathers for the
// sums of rows in eight lanes, and additions one after another for the
// transpose. A column index is held against the number of columns before it is
// used; both return how many rows they did before one that is beyond.
func sparseVec() *file {
	f := &file{}
	for _, values := range []bool{false, true} {
		gatherDots(f, values)
		scatterAdds(f, values)
	}
	masks(f, "vecMask", f64, 64)
	masks(f, "vecMask", f32, 32)
	return f
}

func suffix(values bool) string {
	if values {
		return "Values"
	}
	return "Ones"
}

// begin writes the head: R8 and R9 at lo and hi, R10 at the indices, R11 at the
// values, BX rows, DX counts them.
func beginSparse(f *file, name, comment string, values bool) {
	params := []param{{"dst", "*float64"}, {"w", "*float64"}, {"value", "*float64"}, {"index", "*int32"}, {"lo", "*int"}, {"hi", "*int"},
		{"rows", "int"}, {"columns", "int"}, {"acc", "int"}}
	if !values {
		params = append(params[:2:2], params[3:]...)
	}
	frame := 8*len(params) + 8
	fmt.Fprintf(&f.decl, "\n// %s %s.\n//\n//go:noescape\nfunc %s(%s) (done int)\n", name, comment, name, list(params))
	fmt.Fprintf(&f.text, "\n// func %s(%s) (done int)\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", name, list(params), name, frame)
	f.load(params, "dst", "DI")
	f.load(params, "w", "SI")
	if values {
		f.load(params, "value", "R11")
	}
	f.load(params, "index", "R10")
	f.load(params, "lo", "R8")
	f.load(params, "hi", "R9")
	f.load(params, "rows", "BX")
	f.load(params, "columns", "R12")
	f.load(params, "acc", "R13")
	f.op("XORQ", "DX", "DX")
	f.op("TESTQ", "BX", "BX")
	f.op("JLE", "end")
}

func endSparse(f *file, values bool) {
	done := 72
	if !values {
		done = 64
	}
	f.label("next")
	f.op("INCQ", "DX")
	f.op("CMPQ", "DX", "BX")
	f.op("JLT", "row")
	f.label("end")
	f.op("MOVQ", "DX", fmt.Sprintf("done+%d(FP)", done))
	f.op("VZEROUPPER")
	f.op("RET")
}

// gatherDots: DX row, AX entry, CX entries left.
func gatherDots(f *file, values bool) {
	beginSparse(f, "gatherDots"+suffix(values)+"avx2", "writes the products of rows and w into dst, or adds them", values)
	f.op("DECQ", "R12")
	f.op("VMOVQ", "R12", "X15")
	f.op("VPBROADCASTD", "X15", "Y15")
	f.label("row")
	f.op("MOVQ", "(R8)(DX*8)", "AX")
	f.op("MOVQ", "(R9)(DX*8)", "CX")
	f.op("VXORPD", "Y0", "Y0", "Y0")
	f.op("VXORPD", "Y1", "Y1", "Y1")
	f.op("SUBQ", "AX", "CX")
	f.op("SUBQ", "$8", "CX")
	f.op("JLT", "rest")
	gathers := func() {
		f.op("VEXTRACTI128", "$1", "Y2", "X3")
		f.op("VXORPD", "Y6", "Y6", "Y6")
		f.op("VXORPD", "Y7", "Y7", "Y7")
		f.op("VGATHERDPD", "Y4", "(SI)(X2*8)", "Y6")
		f.op("VGATHERDPD", "Y5", "(SI)(X3*8)", "Y7")
	}
	check := func() { // unsigned: a negative index is beyond, too
		f.op("VPMAXUD", "Y15", "Y2", "Y8")
		f.op("VPCMPEQD", "Y15", "Y8", "Y8")
		f.op("VPMOVMSKB", "Y8", "R14")
		f.op("CMPL", "R14", "$-1")
		f.op("JNE", "end")
	}
	f.label("loop")
	f.op("VMOVDQU", "(R10)(AX*4)", "Y2")
	check()
	f.op("VPCMPEQD", "Y4", "Y4", "Y4")
	f.op("VPCMPEQD", "Y5", "Y5", "Y5")
	gathers()
	if values {
		f.op("VMULPD", "(R11)(AX*8)", "Y6", "Y6")
		f.op("VMULPD", "32(R11)(AX*8)", "Y7", "Y7")
	}
	f.op("VADDPD", "Y6", "Y0", "Y0")
	f.op("VADDPD", "Y7", "Y1", "Y1")
	f.op("ADDQ", "$8", "AX")
	f.op("SUBQ", "$8", "CX")
	f.op("JGE", "loop")
	f.label("rest")
	f.op("ADDQ", "$8", "CX")
	f.op("JZ", "sum")
	f.op("NEGQ", "CX")
	f.op("LEAQ", "vecMask32<>+32(SB)", "R14")
	f.op("VMOVDQU", "(R14)(CX*4)", "Y9")
	f.op("VPMASKMOVD", "(R10)(AX*4)", "Y9", "Y2")
	check()
	f.op("LEAQ", "vecMask64<>+64(SB)", "R14")
	f.op("VMOVDQU", "(R14)(CX*8)", "Y4")
	f.op("VMOVDQU", "32(R14)(CX*8)", "Y5")
	if values {
		f.op("VMASKMOVPD", "(R11)(AX*8)", "Y4", "Y9")
		f.op("VMASKMOVPD", "32(R11)(AX*8)", "Y5", "Y10")
	}
	gathers()
	if values {
		f.op("VMULPD", "Y9", "Y6", "Y6")
		f.op("VMULPD", "Y10", "Y7", "Y7")
	}
	f.op("VADDPD", "Y6", "Y0", "Y0")
	f.op("VADDPD", "Y7", "Y1", "Y1")
	f.label("sum")
	(&level1Writer{f, f64, 4}).combine(0, 1)
	f.op("TESTQ", "R13", "R13")
	f.op("JZ", "store")
	f.op("VADDSD", "(DI)(DX*8)", "X0", "X0")
	f.label("store")
	f.op("VMOVSD", "X0", "(DI)(DX*8)")
	endSparse(f, values)
}

// scatterAdds: dst has the factors of the rows here, w is added to.
func scatterAdds(f *file, values bool) {
	beginSparse(f, "scatterAdds"+suffix(values)+"avx2", "adds rows times their numbers in dst to w", values)
	f.label("row")
	f.op("MOVQ", "(R8)(DX*8)", "AX")
	f.op("MOVQ", "(R9)(DX*8)", "CX")
	f.op("VMOVSD", "(DI)(DX*8)", "X0")
	f.op("SUBQ", "AX", "CX")
	f.op("JLE", "next")
	f.op("SHRQ", "$1", "CX")
	f.op("JCC", "even")
	one := func(off int) {
		f.op("MOVLQZX", fmt.Sprintf("%d(R10)(AX*4)", 4*off), "R14")
		f.op("CMPQ", "R14", "R12")
		f.op("JCC", "end") // unsigned
		x := fmt.Sprintf("X%d", 1+off)
		if values {
			f.op("VMULSD", fmt.Sprintf("%d(R11)(AX*8)", 8*off), "X0", x)
			f.op("VADDSD", "(SI)(R14*8)", x, x)
		} else {
			f.op("VADDSD", "(SI)(R14*8)", "X0", x)
		}
		f.op("VMOVSD", x, "(SI)(R14*8)")
	}
	one(0)
	f.op("INCQ", "AX")
	f.label("even")
	f.op("TESTQ", "CX", "CX")
	f.op("JZ", "next")
	f.label("loop")
	one(0)
	one(1)
	f.op("ADDQ", "$2", "AX")
	f.op("DECQ", "CX")
	f.op("JNZ", "loop")
	endSparse(f, values)
}
