package main

import "fmt"

// A stripWriter writes the interpreter of kernel.Loop for AVX-512: instructions of five bytes, an
// op and the registers dst, x, y and z, each on a strip of entries. R13 is the next instruction,
// R12 the end of all, R11 the table of arrays, BX the table of ops, R10 the bytes of the whole
// vectors of a strip and K1 the mask of the entries behind them. An op has its arrays at DI, SI, R8
// and R9 and their offset in DX; its operands are Z0, Z1 and Z2, its result is Z0.
type stripWriter struct {
	*file
	names []string
}

// strips writes it.
func strips() *file {
	s := &stripWriter{file: &file{}}
	params := []param{{"body", "*uint8"}, {"count", "int"}, {"arrays", "*[64]*float64"},
		{"n", "int"}}
	s.function("strips64avx512", "strips64avx512 does the instructions of a loop on n entries.",
		params)
	for _, p := range [][2]string{{"body", "R13"}, {"count", "AX"}, {"arrays", "R11"},
		{"n", "R10"}} {
		s.load(params, p[0], p[1])
	}
	s.op("LEAQ", "(AX)(AX*4)", "R12")
	s.op("ADDQ", "R13", "R12")
	s.op("LEAQ", "strips64ops<>(SB)", "BX")
	s.op("MOVQ", "R10", "CX")
	s.op("ANDQ", "$7", "CX")
	s.op("MOVQ", "$-1", "AX")
	s.op("BZHIQ", "CX", "AX", "AX")
	s.op("KMOVB", "AX", "K1")
	s.op("SHRQ", "$3", "R10")
	s.op("SHLQ", "$6", "R10")
	s.op("VPTERNLOGQ", "$255", "Z31", "Z31", "Z31")
	s.op("VPSLLQ", "$63", "Z31", "Z30") // the sign
	s.op("VPSRLQ", "$1", "Z31", "Z29")  // all but the sign
	s.op("VPSLLQ", "$54", "Z31", "Z28")
	s.op("VPSRLQ", "$2", "Z28", "Z28")  // 1
	s.op("VPSLLQ", "$53", "Z31", "Z27") // +∞
	s.op("VPSRLQ", "$1", "Z27", "Z27")
	s.op("VPXORQ", "Z26", "Z26", "Z26") // 0
	s.next("start")
	s.write("Copy", 1)
	s.write("Add", 2, "VADDPD Z1, Z0, Z0")
	s.write("Sub", 2, "VSUBPD Z1, Z0, Z0")
	s.write("Mul", 2, "VMULPD Z1, Z0, Z0")
	s.write("Div", 2, "VDIVPD Z1, Z0, Z0")
	s.write("Mul0", 2, "VCMPPD $4, Z26, Z0, K2", "VMULPD.Z Z1, Z0, K2, Z0")
	for _, c := range []struct {
		name      string
		predicate int
	}{{"Eq", 0}, {"Ne", 4}, {"Lt", lt}, {"Le", le}} {
		s.write(c.name, 2, fmt.Sprintf("VCMPPD $%d, Z1, Z0, K2", c.predicate), "VMOVAPD.Z Z28, K2, Z0")
	}
	s.write("Larger", 2, "VCMPPD $3, Z1, Z0, K2", "VCMPPD $0, Z1, Z0, K3", "VMAXPD Z1, Z0, Z2",
		"VPANDQ Z1, Z0, K3, Z2", "VADDPD Z1, Z0, K2, Z2", "VMOVAPD Z2, Z0") // 0 and -0 are equal
	s.write("AddFinite", 2, "VPANDQ Z29, Z0, Z2", "VCMPPD $4, Z27, Z2, K2", "VADDPD Z1, Z0, K2, Z0")
	s.write("Select", 3, "VCMPPD $4, Z26, Z0, K2", "VMOVAPD Z1, K2, Z2", "VMOVAPD Z2, Z0")
	s.write("Neg", 1, "VPXORQ Z30, Z0, Z0")
	s.write("Abs", 1, "VPANDQ Z29, Z0, Z0")
	s.write("Sqrt", 1, "VSQRTPD Z0, Z0")
	s.sum("Sum", func(mask, tail string) { s.op("VADDPD", "(SI)(DX*1)", "Z3"+tail, "Z3") })
	s.sum("Dot", func(mask, tail string) {
		s.op("VMOVUPD"+mask, "(SI)(DX*1)"+tail, "Z0")
		s.op("VMOVUPD"+mask, "(R8)(DX*1)"+tail, "Z1")
		s.op("VMULPD", "Z1", "Z0", "Z0")
		s.op("VADDPD", "Z0", "Z3"+tail, "Z3")
	})
	s.sum("Dot0", func(mask, tail string) {
		s.op("VMOVUPD"+mask, "(SI)(DX*1)"+tail, "Z0")
		s.op("VMOVUPD"+mask, "(R8)(DX*1)"+tail, "Z1")
		s.op("VCMPPD", "$4", "Z26", "Z0", "K2")
		s.op("VMULPD.Z", "Z1", "Z0", "K2", "Z0")
		s.op("VADDPD", "Z0", "Z3"+tail, "Z3")
	})
	s.write("MulAdd", 3, "VMULPD Z1, Z0, Z0", "VADDPD Z2, Z0, Z0")
	s.write("MulSub", 3, "VMULPD Z1, Z0, Z0", "VSUBPD Z2, Z0, Z0")
	s.write("SubMul", 3, "VMULPD Z1, Z0, Z0", "VSUBPD Z0, Z2, Z0")
	s.write("Gap", 2, "VSUBPD Z1, Z0, Z0", "VPORQ Z30, Z0, Z0")
	share := []string{fmt.Sprintf("VCMPPD $%d, Z1, Z0, K2", lt), "VMOVAPD Z28, Z4",
		"VMOVAPD Z2, K2, Z4", "VADDPD Z2, Z28, Z2", "VDIVPD Z2, Z4, Z4"}
	s.write("Share", 3, append(share, "VMOVAPD Z4, Z0")...)
	s.write("Weight", 3, append(share, "VPORQ Z30, Z27, Z2", "VCMPPD $4, Z2, Z0, K2",
		"VMOVAPD.Z Z4, K2, Z0")...)
	fmt.Fprintln(&s.text)
	for i, name := range s.names {
		fmt.Fprintf(&s.text, "DATA strips64ops<>+%d(SB)/8, $%s<>(SB)\n", 8*i, name)
	}
	fmt.Fprintf(&s.text, "GLOBL strips64ops<>(SB), RODATA, $%d\n", 8*len(s.names))
	s.fill()
	return s.file
}

// next goes to the next instruction, or returns.
func (s *stripWriter) next(label string) {
	s.label(label)
	s.op("CMPQ", "R13", "R12")
	s.op("JGE", label+"End")
	for k, reg := range []string{"DI", "SI", "R8", "R9"} {
		s.op("MOVBLZX", fmt.Sprintf("%d(R13)", k+1), "CX")
		s.op("MOVQ", "(R11)(CX*8)", reg)
	}
	s.op("MOVBLZX", "(R13)", "AX")
	s.op("ADDQ", "$5", "R13")
	s.op("XORQ", "DX", "DX")
	s.op("MOVQ", "(BX)(AX*8)", "AX")
	s.op("JMP", "AX")
	s.label(label + "End")
	s.op("VZEROUPPER")
	s.op("RET")
}

// write writes an op.
func (s *stripWriter) write(name string, operands int, instructions ...string) {
	name = "strips64" + name
	s.names = append(s.names, name)
	fmt.Fprintf(&s.text, "\nTEXT %s<>(SB), NOSPLIT, $0-32\n", name)
	body := func(mask string, move string) {
		for k, base := range []string{"SI", "R8", "R9"}[:operands] {
			s.op(move, "("+base+")(DX*1)"+mask, fmt.Sprintf("Z%d", k))
		}
		for _, i := range instructions {
			s.op(i)
		}
		s.op("VMOVUPD", "Z0"+mask, "(DI)(DX*1)")
	}
	s.op("CMPQ", "DX", "R10")
	s.op("JGE", "rest")
	s.op("PCALIGN", "$32")
	s.label("loop")
	body("", "VMOVUPD")
	s.op("ADDQ", "$64", "DX")
	s.op("CMPQ", "DX", "R10")
	s.op("JLT", "loop")
	s.label("rest")
	s.op("KORTESTB", "K1", "K1")
	s.op("JZ", "next")
	body(", K1", "VMOVUPD.Z")
	s.next("next")
}

// sum writes an op that adds to eight lanes, in Z3.
func (s *stripWriter) sum(name string, add func(mask, tail string)) {
	name = "strips64" + name
	s.names = append(s.names, name)
	fmt.Fprintf(&s.text, "\nTEXT %s<>(SB), NOSPLIT, $0-32\n", name)
	s.op("VMOVUPD", "(DI)", "Z3")
	s.op("CMPQ", "DX", "R10")
	s.op("JGE", "rest")
	s.op("PCALIGN", "$32")
	s.label("loop")
	add("", "")
	s.op("ADDQ", "$64", "DX")
	s.op("CMPQ", "DX", "R10")
	s.op("JLT", "loop")
	s.label("rest")
	s.op("KORTESTB", "K1", "K1")
	s.op("JZ", "whole")
	add(".Z", ", K1")
	s.label("whole")
	s.op("VMOVUPD", "Z3", "(DI)")
	s.next("next")
}

// fill writes the function that fills strips with numbers.
func (s *stripWriter) fill() {
	params := []param{{"dst", "*float64"}, {"numbers", "*float64"}, {"count", "int"}, {"n", "int"},
		{"stride", "int"}}
	s.function("fillStrips64avx512", "fillStrips64avx512 fills each of count strips, stride numbers "+
		"apart, with a number:\n// n entries of it, rounded up to eights.", params)
	for _, p := range [][2]string{{"dst", "DI"}, {"numbers", "SI"}, {"count", "CX"}, {"n", "R10"},
		{"stride", "R8"}} {
		s.load(params, p[0], p[1])
	}
	s.op("SHLQ", "$3", "R8")
	s.label("number")
	s.op("VBROADCASTSD", "(SI)", "Z0")
	s.op("XORQ", "DX", "DX")
	s.label("loop")
	s.op("VMOVUPD", "Z0", "(DI)(DX*8)")
	s.op("ADDQ", "$8", "DX")
	s.op("CMPQ", "DX", "R10")
	s.op("JLT", "loop")
	s.op("ADDQ", "$8", "SI")
	s.op("ADDQ", "R8", "DI")
	s.op("DECQ", "CX")
	s.op("JNZ", "number")
	s.op("VZEROUPPER")
	s.op("RET")
}
