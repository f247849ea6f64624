package main

import "fmt"

// mostLine is how many registers of columns a line of a product takes at a time.
func mostLine(isa vectors) int {
	if isa.name == "avx512" {
		return 16
	}
	return 12
}

// leastLine is below how many a tile does as well.
const leastLine = 3

// lines writes products of one row with a matrix, in which as many columns as
// the registers hold are summed at once, so that memory is read in the order in
// which it lies:
//
//	C[j] = (zero ? 0 : C[j]) + Σ_p A[p]·B[p, j],  j < cols
//
// each product added with one rounding, in the order of p. A[p] is at a + p·ap
// elements, B[p, j] at b + p·bp + j.
func lines(f *file, isa vectors, p float) {
	params := []param{{"a", "*" + p.kind}, {"ap", "int"}, {"b", "*" + p.kind}, {"bp", "int"},
		{"c", "*" + p.kind}, {"k", "int"}, {"cols", "int"}, {"zero", "int"}, {"wide", "int"}}
	entry := "line" + p.name + isa.name
	f.function(entry, fmt.Sprintf("%s is a line of a product of as many registers of columns as "+
		"wide says, from %d on; k > 0.", entry, leastLine), params)
	f.load(params, "wide", "AX")
	f.op("LEAQ", entry+"s<>(SB)", "CX")
	f.op("MOVQ", "(CX)(AX*8)", "AX")
	f.op("JMP", "AX")
	for wide := leastLine; wide <= mostLine(isa); wide++ {
		line(f, isa, p, params, fmt.Sprintf("line%sx%d%s", p.name, wide, isa.name), wide)
	}
	fmt.Fprintf(&f.text, "\n")
	for wide := range mostLine(isa) + 1 {
		fmt.Fprintf(&f.text, "DATA %ss<>+%d(SB)/8, $line%sx%d%s<>(SB)\n", entry, 8*wide, p.name,
			max(wide, leastLine), isa.name)
	}
	fmt.Fprintf(&f.text, "GLOBL %ss<>(SB), RODATA, $%d\n", entry, 8*(mostLine(isa)+1))
}

func line(f *file, isa vectors, p float, params []param, name string, wide int) {
	f.static(name, params)
	reg := func(i int) string { return fmt.Sprintf("%s%d", isa.reg, i) }
	full := isa.name == "avx512"
	last, cast, tail, mask := wide-1, reg(wide), reg(wide+1), reg(wide+2)
	f.load(params, "a", "R8")
	f.load(params, "ap", "DX")
	f.load(params, "b", "SI")
	f.load(params, "bp", "AX")
	f.load(params, "c", "DI")
	f.load(params, "k", "CX")
	f.load(params, "cols", "R15")
	for _, r := range []string{"DX", "AX"} {
		f.op("SHLQ", fmt.Sprintf("$%d", p.shift), r)
	}
	// The mask of the last register.
	f.op("SUBQ", fmt.Sprintf("$%d", last*isa.bytes/p.bytes), "R15")
	if full {
		f.op("MOVQ", "$-1", "R14")
		f.op("BZHIQ", "R15", "R14", "R14")
		f.op("KMOVQ", "R14", "K1")
	} else {
		f.op("NEGQ", "R15")
		f.op("LEAQ", fmt.Sprintf("tileMask%s<>+%d(SB)", p.name, 2*isa.bytes), "R14")
		f.op("VMOVUPD", fmt.Sprintf("(R14)(R15*%d)", p.bytes), mask)
	}
	at := func(base string, v int) string { return fmt.Sprintf("%d(%s)", v*isa.bytes, base) }
	move := func(base string, v int, dst string) {
		switch {
		case v < last:
			f.op("VMOVU"+p.packed, at(base, v), dst)
		case full:
			f.op("VMOVU"+p.packed+".Z", at(base, v), "K1", dst)
		default:
			f.op("VMASKMOV"+p.packed, at(base, v), mask, dst)
		}
	}
	f.op("MOVQ", "zero+56(FP)", "R14")
	f.op("TESTQ", "R14", "R14")
	f.op("JNZ", "zero")
	for v := range wide {
		move("DI", v, reg(v))
	}
	f.op("JMP", "loop")
	f.label("zero")
	for v := range wide {
		if full {
			f.op("VPXORQ", reg(v), reg(v), reg(v))
		} else {
			f.op("VXORPD", reg(v), reg(v), reg(v))
		}
	}
	f.op("PCALIGN", "$32")
	f.label("loop")
	f.op("VBROADCAST"+p.scalar, "(R8)", cast)
	for v := range last {
		f.op("VFMADD231"+p.packed, at("SI", v), cast, reg(v))
	}
	move("SI", last, tail)
	f.op("VFMADD231"+p.packed, tail, cast, reg(last))
	f.op("ADDQ", "AX", "SI")
	f.op("ADDQ", "DX", "R8")
	f.op("DECQ", "CX")
	f.op("JNZ", "loop")
	for v := range last {
		f.op("VMOVU"+p.packed, reg(v), at("DI", v))
	}
	if full {
		f.op("VMOVU"+p.packed, reg(last), "K1", at("DI", last))
	} else {
		f.op("VMASKMOV"+p.packed, reg(last), mask, at("DI", last))
	}
	f.op("VZEROUPPER")
	f.op("RET")
}
