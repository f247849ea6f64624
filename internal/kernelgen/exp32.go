package main

import (
	"fmt"
	"math"
)

// The constants of special.Exp32.
const (
	roundMagic32 = 0x1.8p23
	log2e32      = 0x1.715476p+0
	ln2Hi32      = 0x1.63p-1
	ln2Lo32      = -0x1.bd0106p-13

	expE0 = 0x1p-1
	expE1 = 0x1.5554dcp-3
	expE2 = 0x1.555518p-5
	expE3 = 0x1.120cp-7
	expE4 = 0x1.6d119ap-10
)

// exp32 is special.Exp32 where |x| < 87.
func (p *program) exp32(x val) val {
	t := p.fma(x, p.num(log2e32), p.num(roundMagic32))
	k := p.sub(t, p.num(roundMagic32))
	r := p.fma(k, p.num(-ln2Lo32), p.fma(k, p.num(-ln2Hi32), x))
	r2 := p.mul(r, r)
	lo := p.fma(r, p.num(expE1), p.num(expE0))
	hi := p.fma(r, p.num(expE3), p.num(expE2))
	q := p.fma(r2, p.fma(r2, p.num(expE4), hi), lo)
	v := p.add(p.num(1), p.fma(r2, q, r))
	return p.addq(v, p.shl(t, 23))
}

// single writes the exponential in single precision, the one function that
// samplers need for every coordinate.
func single(isa vectors) *file {
	f := &file{}
	pool := &constants{label: "single" + isa.name}
	lanes := isa.bytes / 4
	params := []param{{"dst", "*float32"}, {"src", "*float32"}, {"n", "int"}}
	name := "exp32" + isa.name
	fmt.Fprintf(&f.decl, "\n// %s writes Exp32 of n elements, up to a vector (of %d) with an "+
		"element\n// that it leaves to Go; it returns how many it "+
		"wrote.\n//\n//go:noescape\nfunc %s(%s) (done int)\n", name, lanes, name, list(params))
	fmt.Fprintf(&f.text, "\n// func %s(%s) (done int)\nTEXT ·%s(SB), NOSPLIT, $0-32\n", name,
		list(params), name)
	f.load(params, "dst", "DI")
	f.load(params, "src", "SI")
	f.load(params, "n", "CX")
	within := func(p *program, x val) val {
		return p.compare(p.and(x, p.bits(1<<31-1)), lt, p.num(87))
	}
	element := func(short, rare bool, otherwise string) {
		p := &program{isa: isa, pool: pool, half: true}
		s := &stepWriter{program: p, of: step{arrays: []string{"dst", "src"}}, io: f32,
			short: short}
		x := s.read("src")
		near := within(p, x)
		if !rare {
			p.unless(near, otherwise)
			s.write("dst", p.exp32(x))
			p.write(f)
			return
		}
		p.unless(p.eitherMask(p.eitherMask(p.compare(x, lt, p.num(-104)),
			p.compare(x, gt, p.num(89))), near), otherwise)
		v := p.exp32(p.choose(within(p, x), x, p.num(0)))
		v = p.choose(p.compare(x, lt, p.num(-104)), p.reg(p.num(0)), v)
		v = p.choose(p.compare(x, gt, p.num(89)), p.reg(p.num(math.Inf(1))), v)
		s.write("dst", v)
		p.write(f)
	}
	f.op("XORQ", "DX", "DX")
	f.op("MOVQ", "CX", "R10")
	f.op("SUBQ", fmt.Sprintf("$%d", lanes), "R10")
	f.op("JLT", "ending")
	f.op("PCALIGN", "$32")
	f.label("loop")
	element(false, false, "other")
	f.label("next")
	f.op("ADDQ", fmt.Sprintf("$%d", lanes), "DX")
	f.op("CMPQ", "DX", "R10")
	f.op("JLE", "loop")
	f.label("ending")
	f.op("MOVQ", "CX", "AX")
	f.op("SUBQ", "DX", "AX")
	f.op("JLE", "end")
	if isa.name == "avx512" {
		f.op("MOVQ", "$-1", "R11")
		f.op("BZHIQ", "AX", "R11", "R11")
		f.op("KMOVW", "R11", "K7")
	} else {
		f.op("NEGQ", "AX")
		f.op("LEAQ", "singleMask32<>+32(SB)", "R11")
		f.op("LEAQ", "(R11)(AX*4)", "R11")
	}
	element(true, false, "otherEnding")
	f.label("ended")
	f.op("MOVQ", "CX", "DX")
	f.label("end")
	f.op("MOVQ", "DX", "done+24(FP)")
	f.op("VZEROUPPER")
	f.op("RET")
	f.label("other")
	element(false, true, "end")
	f.op("JMP", "next")
	f.label("otherEnding")
	element(true, true, "end")
	f.op("JMP", "ended")
	if isa.name == "avx2" {
		masks(f, "singleMask", f32, 32)
	}
	pool.write(f)
	return f
}
