package main

import "fmt"

// arithmetic writes the entrywise ops of loops in double precision, 16 entries at a time and then
// four: n is a multiple of 4, not 0. Arrays are in the nearest cache, so that loads and stores take
// the time.
func arithmetic() *file {
	f := &file{}
	const x, y, z = "SI", "R8", "R9"
	at := func(base string, v int) string { return fmt.Sprintf("%d(%s)(DX*8)", 32*v, base) }
	reg := func(v int) string { return fmt.Sprintf("Y%d", v) }
	write := func(name, doc string, operands int, before func(), body func(v int)) {
		params := []param{{"dst", "*float64"}, {"x", "*float64"}, {"y", "*float64"},
			{"z", "*float64"}}[:1+operands]
		params = append(params, param{"n", "int"})
		f.function(name+"64avx2", name+"64avx2 writes "+doc+".", params)
		f.load(params, "dst", "DI")
		for k, r := range []string{x, y, z}[:operands] {
			f.load(params, params[1+k].name, r)
		}
		f.load(params, "n", "CX")
		before()
		f.op("XORQ", "DX", "DX")
		f.op("SUBQ", "$16", "CX")
		f.op("JLT", "few")
		f.op("PCALIGN", "$32")
		f.label("loop")
		for v := range 4 {
			body(v)
		}
		for v := range 4 {
			f.op("VMOVUPD", reg(v), at("DI", v))
		}
		f.op("ADDQ", "$16", "DX")
		f.op("CMPQ", "DX", "CX")
		f.op("JLE", "loop")
		f.label("few")
		f.op("ADDQ", "$16", "CX")
		f.op("CMPQ", "DX", "CX")
		f.op("JGE", "end")
		f.label("four")
		body(0)
		f.op("VMOVUPD", reg(0), at("DI", 0))
		f.op("ADDQ", "$4", "DX")
		f.op("CMPQ", "DX", "CX")
		f.op("JLT", "four")
		f.label("end")
		f.op("VZEROUPPER")
		f.op("RET")
	}
	load := func(v int) { f.op("VMOVUPD", at(x, v), reg(v)) }
	ones := func() { f.op("VPCMPEQQ", "Y15", "Y15", "Y15") }
	nothing := func() {}
	for _, o := range []struct{ name, sign, instruction string }{
		{"add", "x + y", "VADDPD"}, {"sub", "x - y", "VSUBPD"}, {"mul", "x y", "VMULPD"},
		{"div", "x / y", "VDIVPD"}} {
		write(o.name, o.sign, 2, nothing, func(v int) {
			load(v)
			f.op(o.instruction, at(y, v), reg(v), reg(v))
		})
	}
	for _, o := range []struct {
		name, sign string
		predicate  int
	}{{"eq", "=", 0}, {"ne", "≠", 4}, {"lt", "<", lt}, {"le", "≤", le}} {
		write(o.name, "1 where x "+o.sign+" y, else 0", 2, func() {
			ones()
			f.op("VPSLLQ", "$54", "Y15", "Y15")
			f.op("VPSRLQ", "$2", "Y15", "Y15") // the bits of 1
		}, func(v int) {
			load(v)
			f.op("VCMPPD", fmt.Sprintf("$%d", o.predicate), at(y, v), reg(v), reg(v))
			f.op("VANDPD", reg(v), "Y15", reg(v))
		})
	}
	zero := func() { f.op("VXORPD", "Y15", "Y15", "Y15") }
	write("mul0", "x y, and 0 where x is 0", 2, zero, func(v int) {
		load(v)
		f.op("VCMPPD", "$0", reg(v), "Y15", reg(4+v))
		f.op("VMULPD", at(y, v), reg(v), reg(v))
		f.op("VANDNPD", reg(v), reg(4+v), reg(v))
	})
	write("larger", "the larger of x and y, and NaN where one is", 2, nothing, func(v int) {
		load(v)
		f.op("VMOVUPD", at(y, v), reg(8+v))
		f.op("VCMPPD", "$3", reg(8+v), reg(v), reg(4+v)) // unordered
		f.op("VADDPD", reg(8+v), reg(v), reg(12+v))
		f.op("VBLENDVPD", reg(4+v), reg(12+v), reg(8+v), reg(12+v)) // NaN, or y
		f.op("VCMPPD", "$0", reg(8+v), reg(v), reg(4+v))
		f.op("VANDPD", reg(8+v), reg(v), reg(8+v)) // of 0 and -0, 0
		f.op("VMAXPD", reg(12+v), reg(v), reg(v))
		f.op("VBLENDVPD", reg(4+v), reg(8+v), reg(v), reg(v))
	})
	write("addFinite", "x + y, and x where x is infinite", 2, func() {
		ones()
		f.op("VPSRLQ", "$1", "Y15", "Y14") // all but the sign
		f.op("VPSLLQ", "$53", "Y15", "Y15")
		f.op("VPSRLQ", "$1", "Y15", "Y15") // the bits of +∞
	}, func(v int) {
		load(v)
		f.op("VANDPD", reg(v), "Y14", reg(4+v))
		f.op("VCMPPD", "$0", reg(4+v), "Y15", reg(4+v))
		f.op("VADDPD", at(y, v), reg(v), reg(8+v))
		f.op("VBLENDVPD", reg(4+v), reg(v), reg(8+v), reg(v))
	})
	write("select", "y where x is not 0, else z", 3, zero, func(v int) {
		load(v)
		f.op("VCMPPD", "$4", reg(v), "Y15", reg(4+v))
		f.op("VMOVUPD", at(y, v), reg(v))
		f.op("VMOVUPD", at(z, v), reg(8+v))
		f.op("VBLENDVPD", reg(4+v), reg(v), reg(8+v), reg(v))
	})
	write("neg", "-x", 1, func() {
		ones()
		f.op("VPSLLQ", "$63", "Y15", "Y15")
	}, func(v int) { f.op("VXORPD", at(x, v), "Y15", reg(v)) })
	write("abs", "|x|", 1, func() {
		ones()
		f.op("VPSRLQ", "$1", "Y15", "Y15")
	}, func(v int) { f.op("VANDPD", at(x, v), "Y15", reg(v)) })
	write("sqrt", "√x", 1, nothing, func(v int) { f.op("VSQRTPD", at(x, v), reg(v)) })
	return f
}
