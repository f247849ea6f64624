package main

import "fmt"

// stepKernels writes the passes of samplers.
func stepKernels(isa vectors) *file {
	f := &file{}
	pool := &constants{label: "step" + isa.name}
	for _, io := range []float{f64, f32} {
		for _, of := range steps {
			stepKernel(f, isa, pool, io, of, false)
		}
		if isa.name == "avx2" {
			masks(f, "stepMask", io, 32)
		}
	}
	for _, io := range []float{f64, f32} {
		for _, of := range joins {
			stepKernel(f, isa, pool, io, of, true)
			drawingKernel(f, isa, pool, io, of)
		}
	}
	for _, of := range watches {
		stepKernel(f, isa, pool, f64, of, false)
	}
	pool.write(f)
	return f
}

// stepKernel writes one pass; one that stops returns how far it came, and is
// given the table of exponentials.
func stepKernel(f *file, isa vectors, pool *constants, io float, of step, stops bool) {
	result := openStep(f, isa, io, of, stops)
	body := func(short bool, with func(s *stepWriter)) {
		s := &stepWriter{program: &program{isa: isa, pool: pool, half: io == f32, table: "R12"},
			of: of, io: io, short: short, end: "end", other: "other"}
		with(s)
		s.program.write(f)
	}
	most := of.body
	near := nears(of, isa, io)
	if near {
		most = nearZero
	}
	lanes := isa.bytes / io.bytes
	f.op("XORQ", "DX", "DX")
	f.op("MOVQ", "CX", "R10")
	f.op("SUBQ", fmt.Sprintf("$%d", lanes), "R10")
	f.op("JLT", "ending")
	f.op("PCALIGN", "$32")
	f.label("loop")
	body(false, most)
	if near {
		f.label("next")
	}
	f.op("ADDQ", fmt.Sprintf("$%d", lanes), "DX")
	f.op("CMPQ", "DX", "R10")
	f.op("JLE", "loop")
	f.label("ending")
	f.op("SUBQ", "DX", "CX")
	f.op("JLE", "end")
	shortMask(f, isa, io)
	body(true, of.body)
	if stops {
		f.op("ADDQ", "CX", "DX")
	}
	f.label("end")
	if stops {
		f.op("MOVQ", "DX", result)
	}
	f.op("VZEROUPPER")
	f.op("RET")
	if near {
		f.label("other")
		body(false, of.body)
		f.op("JMP", "next")
	}
}

// openStep writes the head of a pass and loads its arguments; the text that it returns is
// where the result of a pass that stops is stored.
func openStep(f *file, isa vectors, io float, of step, stops bool) string {
	name := of.name + io.name + isa.name
	var params []param
	for _, a := range of.arrays {
		params = append(params, param{a, "*" + io.kind})
	}
	if of.numbers != nil {
		params = append(params, param{"c", "*" + io.kind})
	}
	if stops {
		params = append(params, param{"table", "*[64]uint64"})
	}
	params = append(params, param{"n", "int"})
	result := fmt.Sprintf("done+%d(FP)", 8*len(params))
	if stops {
		f.functionOf(name, name+": "+of.doc+".", params, "(done int)")
	} else {
		f.function(name, name+": "+of.doc+".", params)
	}
	for i, a := range of.arrays {
		f.load(params, a, stepRegisters[i])
	}
	if of.numbers != nil {
		f.load(params, "c", "R14")
	}
	if stops {
		f.load(params, "table", "R12")
	}
	f.load(params, "n", "CX")
	return result
}

// shortMask makes the mask of a vector of which CX elements are left.
func shortMask(f *file, isa vectors, io float) {
	if isa.name == "avx512" {
		f.op("MOVQ", "$-1", "R11")
		f.op("BZHIQ", "CX", "R11", "R11")
		f.op("KMOVW", "R11", "K7")
		return
	}
	f.op("MOVQ", "CX", "R10")
	f.op("NEGQ", "R10")
	f.op("LEAQ", fmt.Sprintf("stepMask%s<>+32(SB)", io.name), "R11")
	f.op("LEAQ", fmt.Sprintf("(R11)(R10*%d)", io.bytes), "R11")
}

// nears reports whether a pass has a form for exponentials of small numbers.
func nears(of step, isa vectors, io float) bool {
	return of.name == "thermostatJoin" && isa.name == "avx512" && io == f64
}

// drawingKernel writes a step join that draws: a round is sixteen coordinates, or
// thirty-two in single precision, and as many normals for later. It stops
// with vectors of a round done, and its normals not, where one is for Go, as is
// one for the general form of what has a quicker one. In double precision it is for steps
// of one size.
func drawingKernel(f *file, isa vectors, pool *constants, io float, of step) {
	name := of.name + "Drawing" + io.name + isa.name
	var params []param
	for _, a := range of.arrays {
		params = append(params, param{a, "*" + io.kind})
	}
	params = append(params, param{"c", "*" + io.kind}, param{"table", "*[64]uint64"},
		param{"next", "*" + io.kind}, param{"lanes", "*[16]uint64"}, param{"rounds", "int"})
	round := 128 / io.bytes
	f.functionOf(name, fmt.Sprintf("%s: rounds of %d, with normals into next; %s.", name, round,
		of.doc), params, "(done int)")
	for i, a := range of.arrays {
		f.load(params, a, stepRegisters[i])
	}
	f.load(params, "c", "R14")
	f.load(params, "table", "R12")
	f.load(params, "next", "R11")
	f.load(params, "lanes", "CX")
	f.load(params, "rounds", "R10")
	p := &program{isa: isa, pool: pool, half: io == f32, table: "R12", lanes: "CX"}
	if p.wide() {
		for i := range of.numbers {
			f.op("VBROADCAST"+io.scalar, fmt.Sprintf("%d(R14)", i*io.bytes),
				fmt.Sprintf("Z%d", 31-i))
		}
		p.held = len(of.numbers)
	}
	f.op("XORQ", "DX", "DX")
	f.op("PCALIGN", "$32")
	f.label("loop")
	lanes := isa.bytes / io.bytes
	flush := func() { // few registers
		if !p.wide() {
			p.write(f)
		}
	}
	at := func(v int, end string) *stepWriter {
		return &stepWriter{program: p, of: of, io: io, skip: v * lanes, end: end, other: end,
			steady: true}
	}
	pair := nears(of, isa, io)
	if pair {
		thermostatPair(at(0, "end"), at(1, "end"))
	}
	for v := range round / lanes {
		if pair {
			break
		}
		end := "end"
		if v > 0 {
			end = fmt.Sprintf("end%d", v)
		}
		of.body(at(v, end))
		flush()
	}
	turned := len(p.code)
	for half := range 64 / isa.bytes {
		if p.half = false; io == f32 {
			p.pairs32(half, "R11")
		} else {
			p.pairs(half, "R11")
		}
		flush()
	}
	if p.wide() {
		p.interleave(turned)
		p.write(f)
	}
	f.op("ADDQ", "$128", "R11")
	f.op("ADDQ", fmt.Sprintf("$%d", round), "DX")
	f.op("DECQ", "R10")
	f.op("JNZ", "loop")
	f.label("end")
	f.op("MOVQ", "DX", fmt.Sprintf("done+%d(FP)", 8*len(params)))
	f.op("VZEROUPPER")
	f.op("RET")
	for v := 1; v < round/lanes && !pair; v++ {
		f.label(fmt.Sprintf("end%d", v))
		f.op("ADDQ", fmt.Sprintf("$%d", v*lanes), "DX")
		f.op("JMP", "end")
	}
}
