package main

import "fmt"

// sparseRows writes the products of sparse rows with a dense matrix, whose rows
// are h long, a panel of columns at a time. sumRows makes each row of the result
// as the sum of the rows of w that its entries name, and keeps it in registers;
// addRows adds one row, which stays in registers, to the rows that entries name.
// Both take the entries of a row in order; step is how many bytes factors are
// apart, 0 to repeat the first, and istep the same of indices.
func sparseRows(isa vectors) *file {
	f := &file{}
	for _, p := range []float{f64, f32} {
		s := &sparseWriter{f, isa, p, isa.bytes / p.bytes, isa.name == "avx512"}
		s.shapes("sumRows", "writes to rows of dst, or adds to them unless zero, the sums of "+
			"rows idx of w, times v, each over entries lo to hi",
			[]param{{"dst", "*" + p.kind}, {"w", "*" + p.kind}, {"v", "*" + p.kind},
				{"idx", "*int32"}, {"lo", "*int"}, {"hi", "*int"},
				{"istep", "int"}, {"step", "int"}, {"rows", "int"}, {"h", "int"}, {"cols", "int"},
				{"zero", "int"}}, s.sum)
		s.shapes("addRows", "adds row, times v, to the rows idx of dst",
			[]param{{"dst", "*" + p.kind}, {"row", "*" + p.kind}, {"v", "*" + p.kind},
				{"idx", "*int32"},
				{"step", "int"}, {"count", "int"}, {"h", "int"}, {"cols", "int"}}, s.add)
		if isa.name == "avx2" {
			maskTable(f, "sparseMask", p)
		}
	}
	return f
}

type sparseWriter struct {
	*file
	isa   vectors
	p     float
	lanes int
	wide  bool
}

// most is how many registers a panel has at most, with one for the factor and
// two more, for a mask and a load under it, where masks are vectors.
func (s *sparseWriter) most() int {
	if s.wide {
		return 16
	}
	return 12
}

func (s *sparseWriter) reg(i int) string { return fmt.Sprintf("%s%d", s.isa.reg, i) }

// shapes writes a function for every number of registers, of which the last
// holds cols columns, and the one that jumps to them.
func (s *sparseWriter) shapes(
	kernel, comment string, params []param, body func(params []param, regs int),
) {
	name := kernel + s.p.name + s.isa.name
	s.function(name, name+" "+comment+
		"; shape is the number of registers less one, of which the last has cols columns.",
		append(params, param{"shape", "int"}))
	s.file.load(append(params, param{"shape", "int"}), "shape", "AX")
	s.op("LEAQ", name+"s<>(SB)", "CX")
	s.op("MOVQ", "(CX)(AX*8)", "AX")
	s.op("JMP", "AX")
	for regs := 1; regs <= s.most(); regs++ {
		s.static(fmt.Sprintf("%sx%d", name, regs), params)
		s.mask(params)
		body(params, regs)
		s.op("VZEROUPPER")
		s.op("RET")
	}
	fmt.Fprintf(&s.text, "\n")
	for i := range s.most() {
		fmt.Fprintf(&s.text, "DATA %ss<>+%d(SB)/8, $%sx%d<>(SB)\n", name, 8*i, name, i+1)
	}
	fmt.Fprintf(&s.text, "GLOBL %ss<>(SB), RODATA, $%d\n", name, 8*s.most())
}

// mask is of the last register: K1, or Y15.
func (s *sparseWriter) mask(params []param) {
	s.file.load(params, "cols", "CX")
	if s.wide {
		s.op("MOVQ", "$-1", "AX")
		s.op("BZHIQ", "CX", "AX", "AX")
		s.op("KMOVQ", "AX", "K1")
		return
	}
	s.op("NEGQ", "CX")
	s.op("LEAQ", fmt.Sprintf("sparseMask%s<>+64(SB)", s.p.name), "AX")
	s.op("VMOVUPD", fmt.Sprintf("(AX)(CX*%d)", s.p.bytes), "Y15")
}

func (s *sparseWriter) load(mem, reg string, masked bool) {
	switch {
	case !masked:
		s.op("VMOVU"+s.p.packed, mem, reg)
	case s.wide:
		s.op("VMOVU"+s.p.packed+".Z", mem, "K1", reg)
	default:
		s.op("VMASKMOV"+s.p.packed, mem, "Y15", reg)
	}
}

func (s *sparseWriter) store(reg, mem string, masked bool) {
	switch {
	case !masked:
		s.op("VMOVU"+s.p.packed, reg, mem)
	case s.wide:
		s.op("VMOVU"+s.p.packed, reg, "K1", mem)
	default:
		s.op("VMASKMOV"+s.p.packed, reg, "Y15", mem)
	}
}

// sum: R10 and R11 at lo and hi, CX rows left, DX at an index, R9 behind the last,
// R13 at its factor, AX at the row that the entry names.
func (s *sparseWriter) sum(params []param, regs int) {
	at := func(i int, base string) string { return fmt.Sprintf("%d(%s)", i*s.isa.bytes, base) }
	factor := s.reg(regs)
	s.file.load(params, "dst", "DI")
	s.file.load(params, "w", "SI")
	s.file.load(params, "v", "R14")
	s.file.load(params, "idx", "R8")
	s.file.load(params, "lo", "R10")
	s.file.load(params, "hi", "R11")
	s.file.load(params, "istep", "R15")
	s.file.load(params, "step", "R12")
	s.file.load(params, "rows", "CX")
	s.file.load(params, "h", "BX")
	s.op("SHLQ", fmt.Sprintf("$%d", s.p.shift), "BX")
	s.label("row")
	s.op("MOVQ", "(R10)", "DX")
	s.op("MOVQ", "(R11)", "R9")
	s.op("ADDQ", "$8", "R10")
	s.op("ADDQ", "$8", "R11")
	s.op("MOVQ", params[11].name+"+88(FP)", "AX")
	s.op("TESTQ", "AX", "AX")
	s.op("JNZ", "zero")
	for i := range regs {
		s.load(at(i, "DI"), s.reg(i), i == regs-1)
	}
	s.op("JMP", "begin")
	s.label("zero")
	for i := range regs {
		x := s.reg(i)
		if s.wide {
			s.op("VPXORQ", x, x, x)
		} else {
			s.op("VXORPD", x, x, x)
		}
	}
	s.label("begin")
	s.op("MOVQ", "DX", "R13")
	s.op("IMULQ", "R12", "R13")
	s.op("IMULQ", "R15", "DX")
	s.op("IMULQ", "R15", "R9")
	s.op("ADDQ", "R14", "R13")
	s.op("ADDQ", "R8", "DX")
	s.op("ADDQ", "R8", "R9")
	s.op("CMPQ", "DX", "R9")
	s.op("JGE", "end")
	s.op("PCALIGN", "$32")
	s.label("entry")
	s.op("MOVLQSX", "(DX)", "AX")
	s.op("VBROADCAST"+s.p.scalar, "(R13)", factor)
	s.op("IMULQ", "BX", "AX")
	s.op("ADDQ", "R12", "R13")
	s.op("ADDQ", "R15", "DX")
	s.op("ADDQ", "SI", "AX")
	for i := range regs {
		s.multiplyAdd(at(i, "AX"), factor, s.reg(i), i == regs-1)
	}
	s.op("CMPQ", "DX", "R9")
	s.op("JLT", "entry")
	s.label("end")
	for i := range regs {
		s.store(s.reg(i), at(i, "DI"), i == regs-1)
	}
	s.op("ADDQ", "BX", "DI")
	s.op("DECQ", "CX")
	s.op("JNZ", "row")
}

// multiplyAdd adds what is in memory times the factor to a register.
func (s *sparseWriter) multiplyAdd(mem, factor, acc string, masked bool) {
	switch {
	case !masked:
		s.op("VFMADD231"+s.p.packed, mem, factor, acc)
	case s.wide:
		s.op("VFMADD231"+s.p.packed, mem, factor, "K1", acc)
	default:
		s.load(mem, "Y14", true)
		s.op("VFMADD231"+s.p.packed, "Y14", factor, acc)
	}
}

func (s *sparseWriter) add(params []param, regs int) {
	at := func(i int, base string) string { return fmt.Sprintf("%d(%s)", i*s.isa.bytes, base) }
	factor, sum := s.reg(regs), s.reg(regs+1)
	s.file.load(params, "dst", "DI")
	s.file.load(params, "row", "SI")
	s.file.load(params, "v", "R9")
	s.file.load(params, "idx", "R8")
	s.file.load(params, "step", "R12")
	s.file.load(params, "count", "R10")
	s.file.load(params, "h", "BX")
	s.op("SHLQ", fmt.Sprintf("$%d", s.p.shift), "BX")
	for i := range regs {
		s.load(at(i, "SI"), s.reg(i), i == regs-1)
	}
	s.op("XORQ", "DX", "DX")
	s.label("entry")
	s.op("MOVLQSX", "(R8)(DX*4)", "AX")
	s.op("VBROADCAST"+s.p.scalar, "(R9)", factor)
	s.op("IMULQ", "BX", "AX")
	s.op("ADDQ", "R12", "R9")
	s.op("INCQ", "DX")
	s.op("ADDQ", "DI", "AX")
	for i := range regs {
		masked := i == regs-1
		s.load(at(i, "AX"), sum, masked)
		s.op("VFMADD231"+s.p.packed, s.reg(i), factor, sum)
		s.store(sum, at(i, "AX"), masked)
	}
	s.op("CMPQ", "DX", "R10")
	s.op("JLT", "entry")
}
