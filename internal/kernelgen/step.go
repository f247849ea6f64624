package main

import "fmt"

// A step is one pass over the coordinates of a sampler: arrays that it reads
// and writes, numbers for all of them, and what becomes of an entry.
type step struct {
	name, doc string
	arrays    []string
	numbers   []string
	body      func(s *stepWriter)
}

var steps = []step{
	{"driftThermostat", "x += ta·v, ξ += (v² - temp)·tt, e = -(ξ·tb)",
		[]string{"x", "v", "xi", "e"}, []string{"ta", "tt", "tb", "temp"}, func(s *stepWriter) {
			p := s.read("v")
			s.write("x", s.add(s.read("x"), s.mul(p, s.number("ta"))))
			z := s.add(s.read("xi"), s.mul(s.sub(s.mul(p, p), s.number("temp")), s.number("tt")))
			s.write("xi", z)
			s.write("e", s.xor(s.mul(z, s.number("tb")), s.sign()))
		}},
	{"kickDriftThermostat", "v = (v + (grad·to + sd·u))·e, x += ta·v, ξ += (v² - temp)·tt",
		[]string{"x", "v", "grad", "u", "xi", "e"}, []string{"to", "sd", "ta", "tt", "temp"}, func(s *stepWriter) {
			p := s.mul(s.kicked(), s.read("e"))
			s.write("v", p)
			s.write("x", s.add(s.read("x"), s.mul(p, s.number("ta"))))
			s.write("xi", s.add(s.read("xi"), s.mul(s.sub(s.mul(p, p), s.number("temp")), s.number("tt"))))
		}},
	{"kickDrift", "v = (v + (grad·to + sd·u))·e, x += ta·v",
		[]string{"x", "v", "grad", "u"}, []string{"to", "sd", "e", "ta"}, func(s *stepWriter) {
			p := s.mul(s.kicked(), s.number("e"))
			s.write("v", p)
			s.write("x", s.add(s.read("x"), s.mul(p, s.number("ta"))))
		}},
	{"driftDamp", "x += ta·v, v = v·e",
		[]string{"x", "v"}, []string{"ta", "e"}, func(s *stepWriter) {
			p := s.read("v")
			s.write("x", s.add(s.read("x"), s.mul(p, s.number("ta"))))
			s.write("v", s.mul(p, s.number("e")))
		}},
	{"langevin", "x += grad·t + sd·u",
		[]string{"x", "grad", "u"}, []string{"t", "sd"}, func(s *stepWriter) {
			s.write("x", s.add(s.read("x"), s.add(s.mul(s.read("grad"), s.number("t")), s.mul(s.read("u"), s.number("sd")))))
		}},
	{"multiply", "x = x·y",
		[]string{"x", "y"}, nil, func(s *stepWriter) { s.write("x", s.mul(s.read("x"), s.read("y"))) }},
}

// kicked is v + (grad·to + sd·u).
func (s *stepWriter) kicked() val {
	return s.add(s.read("v"), s.add(s.mul(s.read("grad"), s.number("to")), s.mul(s.read("u"), s.number("sd"))))
}

// A stepWriter is the program for one vector of a step.
type stepWriter struct {
	*program
	of    step
	io    float
	short bool
}

var stepRegisters = []string{"DI", "SI", "R8", "R9", "BX", "R13"}

func (s *stepWriter) at(array string) string {
	for i, a := range s.of.arrays {
		if a == array {
			return fmt.Sprintf("(%s)(DX*%d)", stepRegisters[i], s.io.bytes)
		}
	}
	panic("no array " + array)
}

func (s *stepWriter) read(array string) val {
	switch {
	case !s.short:
		return s.make(vector, "VMOVU"+s.io.packed, s.at(array))
	case s.wide():
		return s.make(vector, "VMOVU"+s.io.packed+".Z", s.at(array), "K7")
	}
	return s.make(vector, "VMASKMOV"+s.io.packed, s.at(array), s.make(vector, "VMOVUPD", "(R11)"))
}

func (s *stepWriter) write(array string, v val) {
	switch {
	case !s.short:
		s.raw("VMOVU"+s.io.packed, v, s.at(array))
	case s.wide():
		s.raw("VMOVU"+s.io.packed, v, "K7", s.at(array))
	default:
		s.raw("VMASKMOV"+s.io.packed, v, s.make(vector, "VMOVUPD", "(R11)"), s.at(array))
	}
}

func (s *stepWriter) number(name string) val {
	for i, n := range s.of.numbers {
		if n == name {
			return s.make(vector, "VBROADCAST"+s.io.scalar, fmt.Sprintf("%d(R14)", i*s.io.bytes))
		}
	}
	panic("no number " + name)
}

func (s *stepWriter) sign() val {
	if s.half {
		return s.bits(1 << 31)
	}
	return s.bits(signBit)
}

// stepKernels writes the passes of samplers.
func stepKernels(isa vectors) *file {
	f := &file{}
	pool := &constants{label: "step" + isa.name}
	for _, io := range []float{f64, f32} {
		for _, of := range steps {
			name := of.name + io.name + isa.name
			var params []param
			for _, a := range of.arrays {
				params = append(params, param{a, "*" + io.kind})
			}
			if of.numbers != nil {
				params = append(params, param{"c", "*" + io.kind})
			}
			params = append(params, param{"n", "int"})
			f.function(name, name+": "+of.doc+".", params)
			for i, a := range of.arrays {
				f.load(params, a, stepRegisters[i])
			}
			if of.numbers != nil {
				f.load(params, "c", "R14")
			}
			f.load(params, "n", "CX")
			body := func(short bool) {
				s := &stepWriter{&program{isa: isa, pool: pool, half: io == f32}, of, io, short}
				of.body(s)
				s.program.write(f)
			}
			lanes := isa.bytes / io.bytes
			f.op("XORQ", "DX", "DX")
			f.op("MOVQ", "CX", "R10")
			f.op("SUBQ", fmt.Sprintf("$%d", lanes), "R10")
			f.op("JLT", "ending")
			f.op("PCALIGN", "$32")
			f.label("loop")
			body(false)
			f.op("ADDQ", fmt.Sprintf("$%d", lanes), "DX")
			f.op("CMPQ", "DX", "R10")
			f.op("JLE", "loop")
			f.label("ending")
			f.op("SUBQ", "DX", "CX")
			f.op("JLE", "end")
			if isa.name == "avx512" {
				f.op("MOVQ", "$-1", "R11")
				f.op("BZHIQ", "CX", "R11", "R11")
				f.op("KMOVW", "R11", "K7")
			} else {
				f.op("NEGQ", "CX")
				f.op("LEAQ", fmt.Sprintf("stepMask%s<>+32(SB)", io.name), "R11")
				f.op("LEAQ", fmt.Sprintf("(R11)(CX*%d)", io.bytes), "R11")
			}
			body(true)
			f.label("end")
			f.op("VZEROUPPER")
			f.op("RET")
		}
		if isa.name == "avx2" {
			masks(f, "stepMask", io, 32)
		}
	}
	pool.write(f)
	return f
}
