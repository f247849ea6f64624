package main

import "fmt"

// sparseRows writes the products of one sparse row with a dense matrix, whose
// rows are h long: gatherRows adds rows of w into a row of the result, which
// stays in registers; scatterRows adds a row, which stays in registers, to
// rows of g. Both take the columns block after block, and the entries in
// order. A step of 0 repeats the first value.
func sparseRows(isa vectors) *file {
	f := &file{}
	for _, p := range []float{f64, f32} {
		s := &sparseWriter{f, isa, p, isa.bytes / p.bytes, isa.name == "avx512"}
		s.write("gatherRows", "adds the rows idx of w, times v, to dst, or writes their sum if zero", s.gather)
		s.write("scatterRows", "adds row, times v, to the rows idx of dst", s.scatter)
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

func (s *sparseWriter) reg(i int) string { return fmt.Sprintf("%s%d", s.isa.reg, i) }

// move is a load or a store of register i of a block, under the mask if it is
// the last of the row.
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

// write writes a function: blocks of many registers as long as there are
// columns, then smaller ones, then what does not fill a register.
func (s *sparseWriter) write(kernel, comment string, block func(label string, regs int, masked bool)) {
	name := kernel + s.p.name + s.isa.name
	first, second := "dst", "w"
	if kernel == "scatterRows" {
		first, second = "dst", "row"
	}
	params := []param{{first, "*" + s.p.kind}, {second, "*" + s.p.kind}, {"v", "*" + s.p.kind}, {"idx", "*int32"},
		{"step", "int"}, {"count", "int"}, {"h", "int"}, {"zero", "int"}}
	s.function(name, name+" "+comment+".", params)
	s.file.load(params, first, "DI")
	s.file.load(params, second, "SI")
	s.file.load(params, "v", "R9")
	s.file.load(params, "idx", "R8")
	s.file.load(params, "step", "R12")
	s.file.load(params, "count", "R10")
	s.file.load(params, "h", "CX")
	s.file.load(params, "zero", "R13")
	s.op("MOVQ", "CX", "BX")
	s.op("SHLQ", fmt.Sprintf("$%d", s.p.shift), "BX")
	s.op("SHLQ", fmt.Sprintf("$%d", s.p.shift), "R12")
	most := 8
	if s.wide {
		most = 16
	}
	for regs := most; regs >= 1; regs /= 2 {
		label := fmt.Sprintf("block%d", regs)
		s.label(label)
		s.op("CMPQ", "CX", fmt.Sprintf("$%d", regs*s.lanes))
		s.op("JLT", "after"+label)
		block(label, regs, false)
		s.op("ADDQ", fmt.Sprintf("$%d", regs*s.isa.bytes), "DI")
		s.op("ADDQ", fmt.Sprintf("$%d", regs*s.isa.bytes), "SI")
		s.op("SUBQ", fmt.Sprintf("$%d", regs*s.lanes), "CX")
		if regs == most {
			s.op("JMP", label)
		}
		s.label("after" + label)
	}
	s.op("TESTQ", "CX", "CX")
	s.op("JZ", "end")
	if s.wide {
		s.op("MOVQ", "$-1", "AX")
		s.op("BZHIQ", "CX", "AX", "AX")
		s.op("KMOVQ", "AX", "K1")
	} else {
		s.op("NEGQ", "CX")
		s.op("LEAQ", fmt.Sprintf("sparseMask%s<>+64(SB)", s.p.name), "AX")
		s.op("VMOVUPD", fmt.Sprintf("(AX)(CX*%d)", s.p.bytes), "Y15")
	}
	block("rest", 1, true)
	s.label("end")
	s.op("VZEROUPPER")
	s.op("RET")
}

// entries writes the loop over the entries: AX points at the block of the row
// that the entry names in the matrix at base, the factor is in a register.
func (s *sparseWriter) entries(label, base, factor string, body func()) {
	s.op("XORQ", "DX", "DX")
	s.op("MOVQ", "R9", "R11")
	s.op("CMPQ", "DX", "R10")
	s.op("JGE", "done"+label)
	s.label("entry" + label)
	s.op("MOVLQSX", "(R8)(DX*4)", "AX")
	s.op("VBROADCAST"+s.p.scalar, "(R11)", factor)
	s.op("IMULQ", "BX", "AX")
	s.op("ADDQ", "R12", "R11")
	s.op("ADDQ", base, "AX")
	body()
	s.op("INCQ", "DX")
	s.op("CMPQ", "DX", "R10")
	s.op("JLT", "entry"+label)
	s.label("done" + label)
}

func (s *sparseWriter) gather(label string, regs int, masked bool) {
	at := func(i int, base string) string { return fmt.Sprintf("%d(%s)", i*s.isa.bytes, base) }
	for i := range regs {
		s.op("VXORPD", "X"+fmt.Sprint(i), "X"+fmt.Sprint(i), "X"+fmt.Sprint(i))
	}
	s.op("TESTQ", "R13", "R13")
	s.op("JNZ", "zero"+label)
	for i := range regs {
		s.load(at(i, "DI"), s.reg(i), masked)
	}
	s.label("zero" + label)
	factor := s.reg(regs)
	s.entries(label, "SI", factor, func() {
		for i := range regs {
			t := s.reg(regs + 1 + i%4)
			if masked {
				s.load(at(i, "AX"), t, masked)
				s.op("VMUL"+s.p.packed, t, factor, t)
			} else {
				s.op("VMUL"+s.p.packed, at(i, "AX"), factor, t)
			}
			s.op("VADD"+s.p.packed, t, s.reg(i), s.reg(i))
		}
	})
	for i := range regs {
		s.store(s.reg(i), at(i, "DI"), masked)
	}
}

func (s *sparseWriter) scatter(label string, regs int, masked bool) {
	at := func(i int, base string) string { return fmt.Sprintf("%d(%s)", i*s.isa.bytes, base) }
	for i := range regs {
		s.load(at(i, "SI"), s.reg(i), masked)
	}
	factor := s.reg(regs)
	s.entries(label, "DI", factor, func() {
		for i := range regs {
			t := s.reg(regs + 1 + i%4)
			s.op("VMUL"+s.p.packed, s.reg(i), factor, t)
			if masked {
				u := s.reg(regs + 5)
				s.load(at(i, "AX"), u, masked)
				s.op("VADD"+s.p.packed, u, t, t)
			} else {
				s.op("VADD"+s.p.packed, at(i, "AX"), t, t)
			}
			s.store(t, at(i, "AX"), masked)
		}
	})
}
