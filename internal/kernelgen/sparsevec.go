package main

import "fmt"

// sparseVec writes the products of sparse rows and a vector: sums of rows
// in eight lanes, and additions one after another for the
// transpose. A column index is held against the number of columns before it is
// used; both return how many rows they did before one that is beyond.
func sparseVec() *file {
	f := &file{}
	for _, p := range []float{f64, f32} {
		for _, e := range []entryKind{"Ones", "Values", "Bytes"} {
			gatherDots(f, p, e)
			scatterAdds(f, p, e)
		}
	}
	return f
}

// sparseVecWide writes the products of sparse rows and a vector with the lanes of a row in one
// register: entries are gathered, and the last ones of a row masked, so that no branch depends
// on how many they are.
func sparseVecWide() *file {
	f := &file{}
	for _, p := range []float{f64, f32} {
		for _, e := range []entryKind{"Ones", "Values", "Bytes"} {
			gatherDotsWide(f, p, e)
		}
	}
	return f
}

// A gatherInto says which registers gatherEight uses, and where it goes when an index is beyond.
type gatherInto struct {
	columns, product, sum int
	beyond                string
}

// gatherEight adds eight entries of a row times the numbers at their columns to the lanes of a
// register or, masked, the entries that are left. AX is the entry, CX how many are left, R10 the
// columns, R11 the values, SI the numbers, Y15 the last column that is allowed, R12 all ones.
func gatherEight(f *file, p float, e entryKind, to gatherInto, masked bool) {
	wide := map[int]func(int) string{8: z, 4: y}[p.bytes]
	columns, product, sum := y(to.columns), wide(to.product), wide(to.sum)
	load, mem := "VMOVDQU32", "(R10)(AX*4)"
	if e == "Bytes" {
		load, mem = "VPMOVZXBD", "(R10)(AX*1)"
	}
	if masked {
		f.op("BZHIQ", "CX", "R12", "R14")
		f.op("KMOVB", "R14", "K2")
		f.op(load+".Z", mem, "K2", columns)
		f.op("VPCMPUD", "$2", "Y15", columns, "K2", "K1") // unsigned: a negative index is beyond
		f.op("KMOVB", "K1", "R15")
		f.op("CMPQ", "R14", "R15")
	} else {
		f.op(load, mem, columns)
		f.op("VPCMPUD", "$2", "Y15", columns, "K1")
		f.op("KMOVB", "K1", "R15")
		f.op("CMPL", "R15", "$255")
	}
	f.op("JNE", to.beyond)
	f.op("VPXORQ", z(to.product), z(to.product), z(to.product))
	f.op("VGATHERD"+p.packed, fmt.Sprintf("(SI)(%s*%d)", columns, p.bytes), "K1", product)
	switch factor := p.at(0, "R11", "AX"); {
	case e.values() && masked:
		f.op("VMUL"+p.packed+".Z", factor, product, "K2", product)
	case e.values():
		f.op("VMUL"+p.packed, factor, product, product)
	}
	f.op("VADD"+p.packed, product, sum, sum)
}

// gatherDotsWide: DX row, AX entry, CX entries left; lanes in Z0, columns in Y8.
func gatherDotsWide(f *file, p float, e entryKind) {
	beginSparse(f, p, "gatherDots"+string(e)+p.name+"avx512",
		"writes the products of rows and w into dst, or adds them", e)
	f.op("DECQ", "R12")
	if e == "Bytes" {
		f.op("MOVQ", "$255", "AX")
		f.op("CMPQ", "R12", "AX")
		f.op("CMOVQHI", "AX", "R12")
	}
	f.op("VPBROADCASTD", "R12", "Y15")
	f.op("MOVQ", "$-1", "R12")
	f.label("row")
	f.op("MOVQ", "(R8)(DX*8)", "AX")
	f.op("MOVQ", "(R9)(DX*8)", "CX")
	f.op("VPXORQ", "Z0", "Z0", "Z0")
	f.op("SUBQ", "AX", "CX")
	f.op("SUBQ", "$8", "CX")
	f.op("JLT", "rest")
	f.label("loop")
	gatherEight(f, p, e, gatherInto{columns: 8, product: 9, sum: 0, beyond: "end"}, false)
	f.op("ADDQ", "$8", "AX")
	f.op("SUBQ", "$8", "CX")
	f.op("JGE", "loop")
	f.label("rest")
	f.op("ADDQ", "$8", "CX")
	f.op("JEQ", "sum")
	gatherEight(f, p, e, gatherInto{columns: 8, product: 9, sum: 0, beyond: "end"}, true)
	f.label("sum")
	if p.bytes == 8 {
		f.op("VEXTRACTF64X4", "$1", "Z0", "Y1")
		f.op("VADDPD", "Y1", "Y0", "Y0")
		f.op("VEXTRACTF128", "$1", "Y0", "X1")
		f.op("VADDPD", "X1", "X0", "X0")
		f.op("VPERMILPD", "$1", "X0", "X1")
	} else {
		f.op("VEXTRACTF128", "$1", "Y0", "X1")
		f.op("VADDPS", "X1", "X0", "X0")
		f.op("VMOVHLPS", "X0", "X0", "X1")
		f.op("VADDPS", "X1", "X0", "X0")
		f.op("VMOVSHDUP", "X0", "X1")
	}
	f.op("VADD"+p.scalar, "X1", "X0", "X0")
	f.op("TESTQ", "R13", "R13")
	f.op("JZ", "store")
	f.op("VADD"+p.scalar, p.at(0, "DI", "DX"), "X0", "X0")
	f.label("store")
	f.op("VMOV"+p.scalar, "X0", p.at(0, "DI", "DX"))
	endSparse(f, e)
}

// at is the address of a number so many bytes behind element i.
func (p float) at(offset int, base, i string) string {
	return fmt.Sprintf("%d(%s)(%s*%d)", offset, base, i, p.bytes)
}

// An entryKind is how entries are stored: by their columns alone, with values, or
// by columns of one byte each.
type entryKind string

func (e entryKind) pointer() string {
	if e == "Bytes" {
		return "*uint8"
	}
	return "*int32"
}

func (e entryKind) values() bool { return e == "Values" }

// index loads the column of an entry some places behind AX.
func (e entryKind) index(f *file, offset int, reg string) {
	if e == "Bytes" {
		f.op("MOVBQZX", fmt.Sprintf("%d(R10)(AX*1)", offset), reg)
	} else {
		f.op("MOVLQZX", fmt.Sprintf("%d(R10)(AX*4)", 4*offset), reg)
	}
}

// begin writes the head: R8 and R9 at lo and hi, R10 at the indices, R11 at the
// values, BX rows, DX counts them.
func beginSparse(f *file, p float, name, comment string, e entryKind) {
	params := []param{{"dst", "*" + p.kind}, {"w", "*" + p.kind}, {"value", "*" + p.kind},
		{"index", e.pointer()}, {"lo", "*int"}, {"hi", "*int"},
		{"rows", "int"}, {"columns", "int"}, {"acc", "int"}}
	if !e.values() {
		params = append(params[:2:2], params[3:]...)
	}
	frame := 8*len(params) + 8
	fmt.Fprintf(&f.decl, "\n// %s %s.\n//\n//go:noescape\nfunc %s(%s) (done int)\n", name, comment,
		name, list(params))
	fmt.Fprintf(&f.text, "\n// func %s(%s) (done int)\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", name,
		list(params), name, frame)
	f.load(params, "dst", "DI")
	f.load(params, "w", "SI")
	if e.values() {
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

func endSparse(f *file, e entryKind) {
	done := 72
	if !e.values() {
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

// gatherDots: DX row, AX entry, CX entries left. A lane is a register of its
// own: loads of single numbers are quicker than the gather instructions.
func gatherDots(f *file, p float, e entryKind) {
	beginSparse(f, p, "gatherDots"+string(e)+p.name+"avx2",
		"writes the products of rows and w into dst, or adds them", e)
	at := p.at
	f.op("DECQ", "R12")
	if e == "Bytes" {
		f.op("MOVQ", "$255", "AX")
		f.op("CMPQ", "R12", "AX")
		f.op("CMOVQHI", "AX", "R12")
		f.op("VMOVQ", "R12", "X15")
		f.op("VPBROADCASTB", "X15", "X15")
	} else {
		f.op("VMOVQ", "R12", "X15")
		f.op("VPBROADCASTD", "X15", "Y15")
	}
	f.label("row")
	f.op("MOVQ", "(R8)(DX*8)", "AX")
	f.op("MOVQ", "(R9)(DX*8)", "CX")
	for l := range 8 {
		x := fmt.Sprintf("X%d", l)
		f.op("VXORPD", x, x, x)
	}
	f.op("SUBQ", "AX", "CX")
	f.op("SUBQ", "$8", "CX")
	f.op("JLT", "rest")
	add := func(l int) {
		x := fmt.Sprintf("X%d", l)
		if e.values() {
			f.op("VMOV"+p.scalar, at(p.bytes*l, "R11", "AX"), "X9")
			f.op("VMUL"+p.scalar, at(0, "SI", "R14"), "X9", "X9")
			f.op("VADD"+p.scalar, "X9", x, x)
		} else {
			f.op("VADD"+p.scalar, at(0, "SI", "R14"), x, x)
		}
	}
	f.label("loop")
	if e == "Bytes" {
		f.op("VMOVQ", "(R10)(AX*1)", "X8")
		f.op("VPMAXUB", "X15", "X8", "X8")
		f.op("VPCMPEQB", "X15", "X8", "X8")
		f.op("VPMOVMSKB", "X8", "R14")
		f.op("CMPL", "R14", "$0xffff")
	} else {
		f.op("VPMAXUD", "(R10)(AX*4)", "Y15", "Y8") // unsigned: a negative index is beyond, too
		f.op("VPCMPEQD", "Y15", "Y8", "Y8")
		f.op("VPMOVMSKB", "Y8", "R14")
		f.op("CMPL", "R14", "$-1")
	}
	f.op("JNE", "end")
	for l := range 8 {
		e.index(f, l, "R14")
		add(l)
	}
	f.op("ADDQ", "$8", "AX")
	f.op("SUBQ", "$8", "CX")
	f.op("JGE", "loop")
	f.label("rest")
	f.op("ADDQ", "$8", "CX")
	for l := range 7 {
		f.op("CMPQ", "CX", fmt.Sprintf("$%d", l))
		f.op("JLE", "sum")
		e.index(f, l, "R14")
		f.op("CMPQ", "R14", "R12")
		f.op("JHI", "end")
		add(l)
	}
	f.label("sum")
	for _, l := range [][2]int{{0, 4}, {2, 6}, {1, 5}, {3, 7}, {0, 2}, {1, 3}, {0, 1}} {
		x := fmt.Sprintf("X%d", l[0])
		f.op("VADD"+p.scalar, fmt.Sprintf("X%d", l[1]), x, x)
	}
	f.op("TESTQ", "R13", "R13")
	f.op("JZ", "store")
	f.op("VADD"+p.scalar, at(0, "DI", "DX"), "X0", "X0")
	f.label("store")
	f.op("VMOV"+p.scalar, "X0", at(0, "DI", "DX"))
	endSparse(f, e)
}

// scatterAdds: dst has the factors of the rows here, w is added to.
func scatterAdds(f *file, p float, e entryKind) {
	beginSparse(f, p, "scatterAdds"+string(e)+p.name+"avx2",
		"adds rows times their numbers in dst to w", e)
	at := p.at
	f.label("row")
	f.op("MOVQ", "(R8)(DX*8)", "AX")
	f.op("MOVQ", "(R9)(DX*8)", "CX")
	f.op("VMOV"+p.scalar, at(0, "DI", "DX"), "X0")
	f.op("SUBQ", "AX", "CX")
	f.op("JLE", "next")
	f.op("SHRQ", "$1", "CX")
	f.op("JCC", "even")
	one := func(off int) {
		e.index(f, off, "R14")
		f.op("CMPQ", "R14", "R12")
		f.op("JCC", "end") // unsigned
		x := fmt.Sprintf("X%d", 1+off)
		if e.values() {
			f.op("VMUL"+p.scalar, at(p.bytes*off, "R11", "AX"), "X0", x)
			f.op("VADD"+p.scalar, at(0, "SI", "R14"), x, x)
		} else {
			f.op("VADD"+p.scalar, at(0, "SI", "R14"), "X0", x)
		}
		f.op("VMOV"+p.scalar, x, at(0, "SI", "R14"))
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
	endSparse(f, e)
}
