package main

import (
	"fmt"
	"slices"
)

// logits writes the pass of logistic regressions over sparse rows: eight rows at a time, their
// products with the coefficients in the lanes of gatherDotsWide, summed for the eight together;
// then the residuals; then what these add to the gradient, in the order of scatterAdds.
func logits() *file {
	f := &file{}
	pool := &constants{label: "logitavx512"}
	for _, p := range []float{f64, f32} {
		for _, e := range []entryKind{"Ones", "Values", "Bytes"} {
			l := &logitWriter{file: f, p: p, e: e, pool: pool}
			l.write()
		}
	}
	pool.write(f)
	return f
}

// A logitWriter has DI at g, SI at w, R8 and R9 at lo and hi, R10 at the indices, R11 at the
// values, R13 the first row of a block, BX its end, DX a row, AX an entry and CX entries left.
type logitWriter struct {
	*file
	p          float
	e          entryKind
	difference bool // of the gradients at two points
	pool       *constants
	params     []param
	suffix     string // of the labels of a pass
}

// A dotPass writes the predictors of a block of rows, eight at a time: dots sums the products of
// row DX + i in the lanes of register i. The predictors go to an array.
type dotPass struct {
	begin     func()
	dots      func(i int)
	to        string
	intercept int // its place behind bias
}

// begins begins the function, with what it gets of rows that lie as of says.
func (l *logitWriter) begins(name, of string, rows, sizes []param) {
	kind := "*" + l.p.kind
	l.params = []param{{"grad", kind}, {"w", kind}}
	if l.difference {
		l.params = append(l.params, param{"anchor", kind})
	}
	l.params = append(l.params, rows...)
	if l.difference {
		l.params = append(l.params, param{"weight", kind}, param{"d", kind}, param{"e", kind},
			param{"bias", "*[2]" + l.p.kind})
	} else {
		l.params = append(l.params, param{"y", kind}, param{"d", kind}, param{"bias", kind})
	}
	l.params = append(l.params, param{"lanes", "*[8]float64"}, param{"table", "*[64]uint64"},
		param{"rows", "int"}, param{"columns", "int"})
	l.params = append(l.params, sizes...)
	what := "rows of a logistic regression"
	if l.difference {
		what = "the differences of rows of a logistic regression to an anchor"
	}
	l.functionOf(name, fmt.Sprintf("%s takes %s%s, eight at a time,\n// and returns how many it did "+
		"before those that it leaves to Go.", name, what, of), l.params, "(done int)")
}

func (l *logitWriter) write() {
	rows := []param{{"value", "*" + l.p.kind}, {"index", l.e.pointer()}, {"lo", "*int"},
		{"hi", "*int"}}
	if !l.e.values() {
		rows = rows[1:]
	}
	l.begins("sparseLogit"+string(l.e)+l.p.name+"avx512", "", rows, nil)
	for _, a := range [][2]string{{"grad", "DI"}, {"w", "SI"}, {"index", "R10"}, {"lo", "R8"},
		{"hi", "R9"}, {"columns", "CX"}} {
		l.load(l.params, a[0], a[1])
	}
	if l.e.values() {
		l.load(l.params, "value", "R11")
	}
	l.op("DECQ", "CX")
	if l.e == "Bytes" {
		l.op("MOVQ", "$255", "AX")
		l.op("CMPQ", "CX", "AX")
		l.op("CMOVQHI", "AX", "CX")
	}
	l.op("VPBROADCASTD", "CX", "Y15")
	l.blocks([]dotPass{{func() {}, l.dots, "d", 0}}, l.scatter)
}

// blocks goes through the rows in blocks: the passes for the predictors, the residuals, and
// scatter. It leaves R12 at -1.
func (l *logitWriter) blocks(passes []dotPass, scatter func()) {
	l.op("MOVQ", "$-1", "R12")
	l.op("XORQ", "R13", "R13")
	l.op("MOVQ", "R13", l.stop())
	l.op("MOVQ", l.rows(), "BX")
	l.op("TESTQ", "BX", "BX")
	l.op("JLE", "end")
	l.label("block")
	l.op("MOVQ", l.rows(), "BX")
	l.op("LEAQ", fmt.Sprintf("%d(R13)", logitBlock), "AX")
	l.op("CMPQ", "BX", "AX")
	l.op("CMOVQGT", "AX", "BX")
	for k, pass := range passes {
		l.suffix = passSuffix(k)
		l.label(l.at("pass"))
		l.op("MOVQ", "R13", "DX")
		pass.begin()
		l.label(l.at("group"))
		for i := range 8 {
			l.op("VPXORQ", z(i), z(i), z(i))
		}
		for i := range 8 {
			pass.dots(i)
		}
		l.label(l.at("dotted"))
		l.predictors(pass.to, pass.intercept)
		l.op("ADDQ", "$8", "DX")
		l.op("CMPQ", "DX", "BX")
		l.op("JLT", l.at("group"))
	}
	l.label("residuals")
	l.residuals()
	l.label("scatter")
	scatter()
	l.op("CMPQ", l.stop(), "$0")
	l.op("JNE", "end")
	l.op("CMPQ", "R13", l.rows())
	l.op("JLT", "block")
	l.label("end")
	l.op("MOVQ", "R13", l.stop())
	l.op("VZEROUPPER")
	l.op("RET")
	for k := range passes {
		l.label("beyond" + passSuffix(k))
		if k+1 < len(passes) {
			l.shorten("pass" + passSuffix(k+1))
		} else {
			l.shorten("residuals")
		}
	}
	l.label("large")
	l.shorten("scatter")
}

// passSuffix is that of the labels of pass k.
func passSuffix(k int) string {
	if k == 0 {
		return ""
	}
	return fmt.Sprint(k)
}

// at is a label of the present pass.
func (l *logitWriter) at(label string) string { return label + l.suffix }

// rows is where the number of rows is.
func (l *logitWriter) rows() string {
	i := slices.IndexFunc(l.params, func(p param) bool { return p.name == "rows" })
	return fmt.Sprintf("rows+%d(FP)", 8*i)
}

// logitBlock is how many rows go through a phase before the next one begins: enough that the
// processor need not wait for the exponentials of a few.
const logitBlock = 64

// stop is where the result is written, and not 0 before that where the block is the last.
func (l *logitWriter) stop() string { return fmt.Sprintf("done+%d(FP)", 8*len(l.params)) }

// shorten ends the block before the present eight rows, and goes on with the rows before them.
func (l *logitWriter) shorten(label string) {
	l.op("MOVQ", "DX", "BX")
	l.op("MOVQ", "$1", "AX")
	l.op("MOVQ", "AX", l.stop())
	l.op("CMPQ", "BX", "R13")
	l.op("JEQ", "end")
	l.op("JMP", label)
}

func z(i int) string { return fmt.Sprintf("Z%d", i) }
func y(i int) string { return fmt.Sprintf("Y%d", i) }

// full is the register of eight numbers.
func (l *logitWriter) full(i int) string {
	if l.p.bytes == 8 {
		return z(i)
	}
	return y(i)
}

// dots sums the entries of row DX + i times w in the lanes of register i.
func (l *logitWriter) dots(i int) {
	if i > 0 {
		l.op("LEAQ", fmt.Sprintf("%d(DX)", i), "AX")
		l.op("CMPQ", "AX", "BX")
		l.op("JGE", "dotted")
	}
	l.op("MOVQ", fmt.Sprintf("%d(R8)(DX*8)", 8*i), "AX")
	l.op("MOVQ", fmt.Sprintf("%d(R9)(DX*8)", 8*i), "CX")
	l.op("SUBQ", "AX", "CX")
	l.op("SUBQ", "$8", "CX")
	l.op("JLT", fmt.Sprintf("rest%d", i))
	l.label(fmt.Sprintf("loop%d", i))
	l.entries(i, false)
	l.op("ADDQ", "$8", "AX")
	l.op("SUBQ", "$8", "CX")
	l.op("JGE", fmt.Sprintf("loop%d", i))
	l.label(fmt.Sprintf("rest%d", i))
	l.op("ADDQ", "$8", "CX")
	l.op("JEQ", fmt.Sprintf("row%d", i))
	l.entries(i, true)
	l.label(fmt.Sprintf("row%d", i))
}

// entries adds eight entries to the lanes of register i, or those that are left.
func (l *logitWriter) entries(i int, masked bool) {
	gatherEight(l.file, l.p, l.e, gatherInto{columns: 14, product: 13, sum: i, beyond: "beyond"},
		masked)
}

// sums adds the lanes of each of registers 0 to 7, those that are four apart first, and has the
// eight sums in register 0.
func (l *logitWriter) sums() {
	// two puts what an instruction takes of a and b into dst, adding the two ways to take it.
	two := func(name, low, high string, a, b, dst int) {
		l.op(name, low, l.full(b), l.full(a), l.full(13))
		l.op(name, high, l.full(b), l.full(a), l.full(14))
		l.op("VADD"+l.p.packed, l.full(14), l.full(13), l.full(dst))
	}
	if l.p.bytes == 8 {
		for i := range 4 { // 0 2, 1 3, 4 6, 5 7
			a := i%2 + i/2*4
			two("VSHUFF64X2", "$0x44", "$0xee", a, a+2, a)
		}
		two("VSHUFF64X2", "$0x88", "$0xdd", 0, 4, 0)
		two("VSHUFF64X2", "$0x88", "$0xdd", 1, 5, 1)
		l.op("VUNPCKLPD", "Z1", "Z0", "Z13")
		l.op("VUNPCKHPD", "Z1", "Z0", "Z14")
		l.op("VADDPD", "Z14", "Z13", "Z0")
		return
	}
	for i := range 4 {
		two("VPERM2F128", "$0x20", "$0x31", i, i+4, i)
	}
	for i := 0; i < 4; i += 2 {
		l.op("VUNPCKLPD", y(i+1), y(i), "Y13")
		l.op("VUNPCKHPD", y(i+1), y(i), "Y14")
		l.op("VADDPS", "Y14", "Y13", y(i))
	}
	two("VSHUFPS", "$0x88", "$0xdd", 0, 2, 0)
}

// mask has a bit in K7 for each of the eight rows that there are.
func (l *logitWriter) mask() {
	l.op("MOVQ", "BX", "AX")
	l.op("SUBQ", "DX", "AX")
	l.op("MOVQ", "$8", "CX")
	l.op("CMPQ", "AX", "CX")
	l.op("CMOVQHI", "CX", "AX")
	l.op("BZHIQ", "AX", "R12", "R14")
	l.op("KMOVB", "R14", "K7")
}

// predictors writes the sums of eight rows, with an intercept, into an array.
func (l *logitWriter) predictors(to string, intercept int) {
	l.sums()
	l.mask()
	l.load(l.params, "bias", "CX")
	l.op("VBROADCAST"+l.p.scalar, fmt.Sprintf("%d(CX)", intercept*l.p.bytes), l.full(13))
	l.op("VADD"+l.p.packed, l.full(13), l.full(0), l.full(0))
	l.load(l.params, to, "CX")
	l.op("VMOVU"+l.p.packed, l.full(0), "K7", l.p.at(0, "CX", "DX"))
}

// residuals makes residuals of the predictors of the block, and adds them to the lanes.
func (l *logitWriter) residuals() {
	if l.difference {
		l.differences()
		return
	}
	l.load(l.params, "table", "SI")
	l.load(l.params, "lanes", "R15")
	l.op("MOVQ", "R13", "DX")
	l.label("logistic")
	l.mask()
	l.load(l.params, "d", "CX")
	l.load(l.params, "y", "R14")
	at := l.p.at(0, "CX", "DX")
	p := &program{isa: avx512, pool: l.pool, table: "SI", held: 17}
	x := p.load(l.p, at, true)
	p.unless(within(708)(p, x), "large")
	s := sigmoid(p, x, p.exp(minusAbs(p, x)))
	label := l.p.at(0, "R14", "DX")
	sum := p.make(vector, "VMOVUPD", "(R15)")
	if l.p.bytes == 8 {
		d := p.make(vector, "VSUBPD.Z", s, p.make(vector, "VMOVUPD.Z", label, "K7"), "K7")
		p.raw("VMOVUPD", d, "K7", at)
		p.raw("VMOVUPD", p.add(sum, d), "(R15)")
	} else {
		s = p.halved(vector, "VCVTPD2PS", s)
		t := p.halved(vector, "VMOVUPS.Z", label, "K7")
		d := p.halved(vector, "VSUBPS.Z", low{s}, low{t}, "K7")
		p.raw("VMOVUPS", low{d}, "K7", at)
		p.raw("VMOVUPD", p.add(sum, p.make(vector, "VCVTPS2PD", low{d})), "(R15)")
	}
	p.write(l.file)
	l.op("ADDQ", "$8", "DX")
	l.op("CMPQ", "DX", "BX")
	l.op("JLT", "logistic")
}

// scatter adds the rows of the block times their residuals to g. The columns have been held
// against their number.
func (l *logitWriter) scatter() {
	l.load(l.params, "d", "SI")
	l.label("row")
	l.op("MOVQ", "(R8)(R13*8)", "AX")
	l.op("MOVQ", "(R9)(R13*8)", "CX")
	l.op("VMOV"+l.p.scalar, l.p.at(0, "SI", "R13"), "X0")
	l.op("SUBQ", "AX", "CX")
	l.op("JLE", "added")
	one := func(off int) {
		x := fmt.Sprintf("X%d", 1+off)
		l.e.index(l.file, off, "R14")
		if l.e.values() {
			l.op("VMUL"+l.p.scalar, l.p.at(l.p.bytes*off, "R11", "AX"), "X0", x)
			l.op("VADD"+l.p.scalar, l.p.at(0, "DI", "R14"), x, x)
		} else {
			l.op("VADD"+l.p.scalar, l.p.at(0, "DI", "R14"), "X0", x)
		}
		l.op("VMOV"+l.p.scalar, x, l.p.at(0, "DI", "R14"))
	}
	l.op("SHRQ", "$1", "CX")
	l.op("JCC", "even")
	one(0)
	l.op("INCQ", "AX")
	l.label("even")
	l.op("TESTQ", "CX", "CX")
	l.op("JZ", "added")
	l.label("entry")
	one(0)
	one(1)
	l.op("ADDQ", "$2", "AX")
	l.op("DECQ", "CX")
	l.op("JNZ", "entry")
	l.label("added")
	l.op("INCQ", "R13")
	l.op("CMPQ", "R13", "BX")
	l.op("JLT", "row")
	l.load(l.params, "w", "SI")
}
