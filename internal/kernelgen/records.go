package main

import (
	"fmt"
	"math/bits"
)

// recordLogits writes the pass of logits over rows that lie in records of one length, with ones in
// a few of at most 128 columns. A record has a bit for each column, and then its columns in bytes,
// filled up with 255. Coefficients and gradient are in registers.
func recordLogits() *file {
	f := &file{}
	pool := &constants{label: "recordlogitavx512"}
	for _, w := range []logitWriter{{p: f64}, {p: f32}, {p: f64, difference: true}} {
		w.file, w.pool = f, pool
		r := &recordWriter{w}
		r.write()
	}
	pool.write(f)
	return f
}

// A recordWriter has DI at g, R8 at the numbers of the rows, R10 at the records, R9 the bytes of
// one, R11 the vectors of columns in one, R13 the first row of a block, BX its end and DX a row.
type recordWriter struct{ logitWriter }

// held is the first register of those with coefficients or sums.
const held = 16

// vectors is how many registers 128 numbers take.
func (r *recordWriter) vectors() int { return 128 * r.p.bytes / 64 }

// lanes is how many numbers a register has.
func (r *recordWriter) lanes() int { return 64 / r.p.bytes }

func (r *recordWriter) write() {
	name := map[bool]string{false: "recordLogit", true: "recordLogitDifference"}[r.difference]
	r.begins(name+r.p.name+"avx512", " in records",
		[]param{{"record", "*uint8"}, {"list", "*int"}, {"next", "*int"}},
		[]param{{"records", "int"}, {"stride", "int"}, {"vectors", "int"}})
	for _, a := range [][2]string{{"record", "R10"}, {"list", "R8"}, {"stride", "R9"},
		{"vectors", "R11"}} {
		r.load(r.params, a[0], a[1])
	}
	passes := []dotPass{{func() { r.coefficients("w") }, r.dots, "d", 0}}
	if r.difference {
		passes = append(passes, dotPass{func() { r.coefficients("anchor") }, r.dots, "e", 1})
	}
	r.blocks(passes, r.scatter)
}

// coefficients has those of an array in registers.
func (r *recordWriter) coefficients(array string) {
	r.columns(array, "SI", func(at, mask, reg string) {
		r.op("VMOVU"+r.p.packed+".Z", at, mask, reg)
	})
}

// columns goes through the vectors of an array over the columns: the place of one, a mask of those
// columns that there are, and its register.
func (r *recordWriter) columns(array, base string, each func(at, mask, reg string)) {
	r.load(r.params, array, base)
	r.load(r.params, "columns", "CX")
	r.op("BZHIQ", "CX", "R12", "AX")
	r.op("XORQ", "R14", "R14")
	r.op("SUBQ", "$64", "CX")
	r.op("CMOVQLT", "R14", "CX")
	r.op("BZHIQ", "CX", "R12", "CX")
	for i := range r.vectors() {
		left, mask := "AX", fmt.Sprintf("K%d", 1+i%6)
		if i >= r.vectors()/2 {
			left = "CX"
		}
		r.op("KMOVW", left, mask)
		r.op("SHRQ", fmt.Sprintf("$%d", r.lanes()), left)
		each(fmt.Sprintf("%d(%s)", 64*i, base), mask, z(held+i))
	}
}

// dots sums the coefficients of the columns of row DX + i in the lanes of register i.
func (r *recordWriter) dots(i int) {
	if i > 0 {
		r.op("LEAQ", fmt.Sprintf("%d(DX)", i), "AX")
		r.op("CMPQ", "AX", "BX")
		r.op("JGE", r.at("dotted"))
	}
	r.op("MOVQ", fmt.Sprintf("%d(R8)(DX*8)", 8*i), "AX")
	r.load(r.params, "records", "CX")
	r.op("CMPQ", "AX", "CX")
	r.op("JCC", r.at("beyond"))
	r.op("IMULQ", "R9", "AX")
	r.op("ADDQ", "R10", "AX")
	r.op("MOVQ", "R11", "CX")
	r.label(r.at(fmt.Sprintf("vector%dpass", i)))
	r.op("ADDQ", "$16", "AX")
	r.op("VMOVDQU", "(AX)", "X8")
	// The bits of columns in masks, from the highest, which says that there is none.
	for k := 1; k < 1+8-bits.Len(uint(2*r.lanes()-1)); k++ {
		if k > 1 {
			r.op("VPADDB", "X8", "X8", "X8")
		}
		r.op("VPMOVB2M", "X8", fmt.Sprintf("K%d", k))
	}
	r.op("KNOTW", "K1", "K1")
	if r.p.bytes == 4 {
		r.op("VPMOVZXBD", "(AX)", "Z9")
		x := r.look(held, r.vectors(), 10)
		r.op("VMOVAPS.Z", z(x), "K1", z(x))
		r.op("VEXTRACTF32X8", "$1", z(x), "Y12")
		r.op("VADDPS", y(x), y(i), y(i))
		r.op("VADDPS", "Y12", y(i), y(i))
	} else {
		for half := range 2 {
			if half == 1 {
				for k := 1; k <= 4; k++ {
					r.op("KSHIFTRW", "$8", fmt.Sprintf("K%d", k), fmt.Sprintf("K%d", k))
				}
			}
			r.op("VPMOVZXBQ", fmt.Sprintf("%d(AX)", 8*half), "Z9")
			x := r.look(held, r.vectors(), 10)
			r.op("VMOVAPD.Z", z(x), "K1", z(x))
			r.op("VADDPD", z(x), z(i), z(i))
		}
	}
	r.op("DECQ", "CX")
	r.op("JNE", r.at(fmt.Sprintf("vector%dpass", i)))
}

// look has in a register what the columns of register 9 have in n registers from one on: two are
// looked up by the low bits, and bits above choose between pairs. It uses registers from to on.
func (r *recordWriter) look(from, n, to int) int {
	if n == 2 {
		r.op("VMOVDQA64", "Z9", z(to))
		r.op("VPERMI2"+r.p.packed, z(from+1), z(from), z(to))
		return to
	}
	a, b := r.look(from, n/2, to), r.look(from+n/2, n/2, to+1)
	bit := bits.Len(uint(n*r.lanes())) - 2 // the number of the bit that says which half
	r.op("VMOVA"+r.p.packed, z(b), fmt.Sprintf("K%d", 8-bit), z(a))
	return a
}

// scatter adds the residuals of the block to the sums of the columns of their rows, in order.
func (r *recordWriter) scatter() {
	r.columns("grad", "DI", func(at, mask, reg string) {
		r.op("VMOVU"+r.p.packed+".Z", at, mask, reg)
	})
	r.load(r.params, "d", "SI")
	r.load(r.params, "next", "R15")
	r.label("row")
	r.op("MOVQ", "(R8)(R13*8)", "AX")
	r.op("IMULQ", "R9", "AX")
	r.op("ADDQ", "R10", "AX")
	r.op("VBROADCAST"+r.p.scalar, r.p.at(0, "SI", "R13"), "Z0")
	move := map[int]string{4: "KMOVW", 8: "KMOVB"}[r.p.bytes]
	for i := range r.vectors() {
		mask := fmt.Sprintf("K%d", 1+i%7)
		r.op(move, fmt.Sprintf("%d(AX)", i*r.lanes()/8), mask)
		r.op("VADD"+r.p.packed, "Z0", z(held+i), mask, z(held+i))
	}
	r.op("MOVQ", "(R15)(R13*8)", "AX") // a row of the next minibatch
	r.op("IMULQ", "R9", "AX")
	r.op("PREFETCHT0", "(R10)(AX*1)")
	r.op("INCQ", "R13")
	r.op("CMPQ", "R13", "BX")
	r.op("JLT", "row")
	r.columns("grad", "DI", func(at, mask, reg string) {
		r.op("VMOVU"+r.p.packed, reg, mask, at)
	})
}

// differences writes, of the predictors of the block at both points, the negative of each weight
// times the difference of the probabilities, and adds the products to the lanes.
func (l *logitWriter) differences() {
	l.load(l.params, "table", "SI")
	l.load(l.params, "lanes", "R15")
	l.op("MOVQ", "R13", "DX")
	l.label("logistic")
	l.mask()
	l.load(l.params, "d", "CX")
	l.load(l.params, "e", "DI")
	l.load(l.params, "weight", "R14")
	p := &program{isa: avx512, pool: l.pool, table: "SI", held: 17}
	x := p.load(l.p, l.p.at(0, "CX", "DX"), true)
	p.unless(within(708)(p, x), "large")
	anchor := p.load(l.p, l.p.at(0, "DI", "DX"), true)
	p.unless(within(708)(p, anchor), "large")
	d := p.sub(sigmoid(p, x, p.exp(minusAbs(p, x))),
		sigmoid(p, anchor, p.exp(minusAbs(p, anchor))))
	weight := p.make(vector, "VMOVUPD.Z", l.p.at(0, "R14", "DX"), "K7")
	d = p.make(vector, "VMULPD.Z", weight, d, "K7")
	sum := p.make(vector, "VMOVUPD", "(R15)")
	p.raw("VMOVUPD", p.add(sum, d), "(R15)")
	p.raw("VMOVUPD", p.xor(d, p.bits(signBit)), "K7", l.p.at(0, "CX", "DX"))
	p.write(l.file)
	l.op("ADDQ", "$8", "DX")
	l.op("CMPQ", "DX", "BX")
	l.op("JLT", "logistic")
}
