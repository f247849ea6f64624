package main

import "fmt"

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
	pool.write(f)
	return f
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
