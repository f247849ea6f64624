package main

import (
	"fmt"
	"math"
)

// expSums writes the sum of exponentials of log_sum_exp, in eight lanes.
func expSums() *file {
	f := &file{}
	pool := &constants{label: "expsumavx512"}
	const name = "expLanes64avx512"
	params := []param{{"lanes", "*[8]float64"}, {"x", "*float64"}, {"m", "*float64"},
		{"table", "*[64]uint64"}, {"n", "int"}}
	f.functionOf(name, name+" adds exp(x[i] - m) to lane i mod 8, for numbers below n in eights. It "+
		"returns how\n// many it took before eight that it leaves to Go.", params, "(done int)")
	for _, p := range [][2]string{{"lanes", "DI"}, {"x", "SI"}, {"m", "CX"}, {"table", "R8"},
		{"n", "R10"}} {
		f.load(params, p[0], p[1])
	}
	f.op("VBROADCASTSD", "(CX)", "Z30")
	f.op("VMOVUPD", "(DI)", "Z31")
	f.op("XORQ", "DX", "DX")
	f.op("SUBQ", "$8", "R10")
	f.op("JLT", "end")
	f.op("SUBQ", "$24", "R10")
	f.op("JLT", "few")
	f.label("loop")
	expLanes(f, pool, 4)
	f.op("ADDQ", "$32", "DX")
	f.op("CMPQ", "DX", "R10")
	f.op("JLE", "loop")
	f.label("few")
	f.op("ADDQ", "$24", "R10")
	f.op("CMPQ", "DX", "R10")
	f.op("JGT", "end")
	f.label("eight")
	expLanes(f, pool, 1)
	f.op("ADDQ", "$8", "DX")
	f.op("CMPQ", "DX", "R10")
	f.op("JLE", "eight")
	f.label("end")
	f.op("VMOVUPD", "Z31", "(DI)")
	f.op("MOVQ", "DX", fmt.Sprintf("done+%d(FP)", 8*len(params)))
	f.op("VZEROUPPER")
	f.op("RET")
	expLines(f, pool)
	pool.write(f)
	return f
}

// expLines writes the maxima and the sums of log_sum_exp of short lines: in Z30 is a line's
// maximum, in Z31 are the lanes of its sum.
func expLines(f *file, pool *constants) {
	const name = "expLines64avx512"
	params := []param{{"sums", "*float64"}, {"maxima", "*float64"}, {"x", "*float64"},
		{"table", "*[64]uint64"}, {"lines", "int"}, {"n", "int"}}
	f.functionOf(name, name+" writes the maximum m of each line of n > 0 numbers, and the sum of "+
		"exp(x[i] - m)\n// in eight lanes. It returns how many lines it took before one that it leaves "+
		"to Go.", params, "(done int)")
	for _, p := range [][2]string{{"sums", "DI"}, {"maxima", "R9"}, {"x", "SI"}, {"table", "R8"},
		{"lines", "R10"}, {"n", "CX"}} {
		f.load(params, p[0], p[1])
	}
	f.op("MOVQ", "CX", "R12")
	f.op("ANDQ", "$-8", "R12") // numbers in whole registers
	f.op("MOVQ", "CX", "R13")
	f.op("ANDQ", "$7", "R13")
	f.op("MOVQ", "$-1", "AX")
	f.op("BZHIQ", "R13", "AX", "AX")
	f.op("KMOVB", "AX", "K7")
	f.op("XORQ", "R11", "R11")
	f.op("VMOVUPD", (&program{pool: pool}).num(math.Inf(-1)).konst, "Z29")
	f.label("line")
	f.op("CMPQ", "R11", "R10")
	f.op("JGE", "end")
	f.op("VMOVUPD", "Z29", "Z28")
	inEights(f, "most", func() { f.op("VMAXPD", "(SI)(DX*8)", "Z28", "Z28") }, func() {
		f.op("VMOVUPD", "Z29", "Z27")
		f.op("VMOVUPD", "(SI)(DX*8)", "K7", "Z27")
		f.op("VMAXPD", "Z27", "Z28", "Z28")
	})
	halves := func(op, reg string) { // of a register to its lowest number
		f.op("VEXTRACTF64X4", "$1", "Z"+reg, "Y27")
		f.op(op, "Y27", "Y"+reg, "Y"+reg)
		f.op("VEXTRACTF64X2", "$1", "Y"+reg, "X27")
		f.op(op, "X27", "X"+reg, "X"+reg)
		f.op("VPERMILPD", "$1", "X"+reg, "X27")
		f.op(op, "X27", "X"+reg, "X"+reg)
	}
	halves("VMAXPD", "28")
	f.op("VBROADCASTSD", "X28", "Z30")
	f.op("VPXORQ", "Z31", "Z31", "Z31")
	inEights(f, "sum", func() { expLine(f, pool, false) }, func() { expLine(f, pool, true) })
	halves("VADDPD", "31")
	f.op("VMOVSD", "X31", "(DI)(R11*8)")
	f.op("VMOVSD", "X30", "(R9)(R11*8)")
	f.op("LEAQ", "(SI)(CX*8)", "SI")
	f.op("INCQ", "R11")
	f.op("JMP", "line")
	f.label("end")
	f.op("MOVQ", "R11", fmt.Sprintf("done+%d(FP)", 8*len(params)))
	f.op("VZEROUPPER")
	f.op("RET")
}

// inEights writes what is done with whole registers of a line, and with its last numbers.
func inEights(f *file, name string, eight, rest func()) {
	f.op("XORQ", "DX", "DX")
	f.op("CMPQ", "DX", "R12")
	f.op("JGE", name+"Rest")
	f.label(name)
	eight()
	f.op("ADDQ", "$8", "DX")
	f.op("CMPQ", "DX", "R12")
	f.op("JLT", name)
	f.label(name + "Rest")
	f.op("TESTQ", "R13", "R13")
	f.op("JZ", name+"Done")
	rest()
	f.label(name + "Done")
}

// expLine adds exponentials of a line's numbers to the lanes, of the last numbers under the mask.
func expLine(f *file, pool *constants, short bool) {
	p := &program{isa: avx512, pool: pool, held: 5}
	const at = "(SI)(DX*8)"
	var x val
	if short {
		x = p.make(vector, "VMOVUPD.Z", at, "K7")
		x = p.make(vector, "VBLENDMPD", x, "Z30", "K7")
	} else {
		x = p.make(vector, "VMOVUPD", at)
	}
	x = p.make(vector, "VSUBPD", "Z30", x)
	p.unless(within(708)(p, x), "end")
	e := p.exp(x)
	if short {
		p.raw("VADDPD", e, "Z31", "K7", "Z31")
	} else {
		p.raw("VADDPD", e, "Z31", "Z31")
	}
	p.write(f)
}

// expLanes adds the exponentials of vectors to Z31; it leaves those that are not within ±708. Of
// several, which go on to the loop of single ones there, all are left.
func expLanes(f *file, pool *constants, vectors int) {
	p := &program{isa: avx512, pool: pool, held: 2}
	otherwise := "end"
	if vectors > 1 {
		otherwise = "few"
	}
	var all []val
	for i := range vectors {
		x := p.make(vector, "VMOVUPD", fmt.Sprintf("%d(SI)(DX*8)", 64*i))
		all = append(all, p.make(vector, "VSUBPD", "Z30", x))
	}
	fits := within(708)(p, all[0])
	for _, x := range all[1:] {
		fits = p.bothMasks(fits, within(708)(p, x))
	}
	p.unless(fits, otherwise)
	for i, x := range all {
		all[i] = p.exp(x)
	}
	for _, e := range all {
		p.raw("VADDPD", e, "Z31", "Z31")
	}
	p.write(f)
}
