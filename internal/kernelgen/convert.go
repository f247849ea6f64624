package main

import "fmt"

// conversions writes the passes between precisions and the combinations of two
// arrays that end a gradient, 16 elements at a time: n is a multiple of 16, not
// 0. They are bound by memory, so that wider registers gain nothing.
func conversions() *file {
	f := &file{}
	pass(f, "narrowavx2", "narrowavx2 writes src in single precision.",
		[]param{{"dst", "*float32"}, {"src", "*float64"}, {"n", "int"}}, func() {
			for v := range 4 {
				f.op("VCVTPD2PSY", fmt.Sprintf("%d(SI)(DX*8)", 32*v), fmt.Sprintf("X%d", v))
			}
			for v := range 4 {
				f.op("VMOVUPS", fmt.Sprintf("X%d", v), fmt.Sprintf("%d(DI)(DX*4)", 16*v))
			}
		})
	pass(f, "widenavx2", "widenavx2 writes src in double precision.",
		[]param{{"dst", "*float64"}, {"src", "*float32"}, {"n", "int"}}, func() {
			for v := range 4 {
				f.op("VCVTPS2PD", fmt.Sprintf("%d(SI)(DX*4)", 16*v), fmt.Sprintf("Y%d", v))
			}
			for v := range 4 {
				f.op("VMOVUPD", fmt.Sprintf("Y%d", v), fmt.Sprintf("%d(DI)(DX*8)", 32*v))
			}
		})
	for _, k := range []struct {
		name string
		p    float
		wide bool
	}{{"combine64avx2", f64, false}, {"combine32avx2", f32, false},
		{"combineWideavx2", f32, true}} {
		dst := k.p.kind
		if k.wide {
			dst = "float64"
		}
		from := "*" + k.p.kind
		params := []param{{"dst", "*" + dst}, {"x", from}, {"y", from}, {"c", from}, {"n", "int"}}
		pass(f, k.name, k.name+" writes c[0]·x + c[1]·y, each product rounded.", params, func() {
			for v := range 16 * k.p.bytes / 32 {
				a, b := fmt.Sprintf("Y%d", v), fmt.Sprintf("Y%d", 4+v)
				f.op("VMUL"+k.p.packed, fmt.Sprintf("%d(SI)(DX*%d)", 32*v, k.p.bytes), "Y14", a)
				f.op("VMUL"+k.p.packed, fmt.Sprintf("%d(R8)(DX*%d)", 32*v, k.p.bytes), "Y15", b)
				f.op("VADD"+k.p.packed, b, a, a)
				if k.wide {
					f.op("VEXTRACTF128", "$1", a, fmt.Sprintf("X%d", 4+v))
					f.op("VCVTPS2PD", fmt.Sprintf("X%d", v), a)
					f.op("VCVTPS2PD", fmt.Sprintf("X%d", 4+v), b)
					f.op("VMOVUPD", a, fmt.Sprintf("%d(DI)(DX*8)", 64*v))
					f.op("VMOVUPD", b, fmt.Sprintf("%d(DI)(DX*8)", 64*v+32))
				} else {
					f.op("VMOVU"+k.p.packed, a, fmt.Sprintf("%d(DI)(DX*%d)", 32*v, k.p.bytes))
				}
			}
		})
	}
	return f
}

// pass writes a loop over DX: dst at DI, what it is made of at SI and R8, two
// coefficients in Y14 and Y15.
func pass(f *file, name, comment string, params []param, body func()) {
	f.function(name, comment, params)
	f.load(params, "dst", "DI")
	if params[1].name == "src" {
		f.load(params, "src", "SI")
	} else {
		f.load(params, "x", "SI")
		f.load(params, "y", "R8")
		f.load(params, "c", "R9")
		scalar, bytes := "SD", 8
		if params[3].kind == "*float32" {
			scalar, bytes = "SS", 4
		}
		f.op("VBROADCAST"+scalar, "(R9)", "Y14")
		f.op("VBROADCAST"+scalar, fmt.Sprintf("%d(R9)", bytes), "Y15")
	}
	f.load(params, "n", "CX")
	f.op("XORQ", "DX", "DX")
	f.op("PCALIGN", "$32")
	f.label("loop")
	body()
	f.op("ADDQ", "$16", "DX")
	f.op("CMPQ", "DX", "CX")
	f.op("JLT", "loop")
	f.op("VZEROUPPER")
	f.op("RET")
}
