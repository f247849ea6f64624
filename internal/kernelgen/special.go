package main

import (
	"fmt"
	"math"
	"slices"

	runtime "github.com/sgppl/sgppl/runtime/math/special"
)

// The constants of package special, by the names they have there; its tests
// compare the results bit for bit.
const (
	roundMagic = 0x1.8p52
	log2e64    = 0x1.71547652b82fep+6
	ln2Hi64    = 0x1.62e42fe8p-7
	ln2Lo64    = 0x1.e8e7bcd5e4f1ep-37

	expD0 = 0x1.ffffffffff574p-2
	expD1 = 0x1.5555555555252p-3
	expD2 = 0x1.55556b3e385f1p-5
	expD3 = 0x1.11111d9625013p-7

	ln2Hi        = 0x1.62e42feep-1
	ln2Lo        = 0x1.a39ef35793c76p-33
	sqrtHalfBits = 0x3fe6a09e667f3bcd
	fractionMask = 1<<52 - 1

	logC0 = 0x1.5555555555558p-1
	logC1 = 0x1.9999999995273p-2
	logC2 = 0x1.2492492dfd86cp-2
	logC3 = 0x1.c71c62d5e53e0p-3
	logC4 = 0x1.7462b91b8df65p-3
	logC5 = 0x1.39fdcceb4bb45p-3
	logC6 = 0x1.2b5f68a50d903p-3

	signBit = 1 << 63

	invSqrt2 = 0x1.6a09e667f3bcdp-1
)

// reduced is 2^(k/64) and r with x = k·ln(2)/64 + r, and where the table has
// the first.
func (p *program) reduced(x val) (s, r, index val) {
	t := p.add(p.mul(x, p.num(log2e64)), p.num(roundMagic))
	k := p.sub(t, p.num(roundMagic))
	r = p.sub(p.sub(x, p.mul(k, p.num(ln2Hi64))), p.mul(k, p.num(ln2Lo64)))
	index = p.and(t, p.bits(63))
	table := p.table
	if table == "" {
		table = "R8"
	}
	s = p.addq(p.gather(table, index), p.shl(p.shr(t, 6), 52))
	return s, r, index
}

// exp is special.Exp where |x| < 708.
func (p *program) exp(x val) val {
	s, r, _ := p.reduced(x)
	return p.expOf(s, r)
}

// nearLimit is below 7½·ln(2)/64.
const nearLimit = 0.08

// nearExp is exp where |x| < nearLimit, which needs no more of the table than
// two registers hold. With AVX-512 only.
func (p *program) nearExp(x val) val {
	t := p.add(p.mul(x, p.num(log2e64)), p.num(roundMagic))
	k := p.sub(t, p.num(roundMagic))
	r := p.sub(p.sub(x, p.mul(k, p.num(ln2Hi64))), p.mul(k, p.num(ln2Lo64)))
	table := runtime.ExpTable()
	var below [8]uint64 // 2^(k/64) for k from -8 on
	for i := range below {
		below[i] = table[56+i] - 1<<52
	}
	s := p.fresh(vector)
	first := p.reg(p.words(table[:8]...))
	rest := p.words(below[:]...)
	p.emit(instruction{name: "VPERMI2PD", args: []any{rest, first, val{id: s}},
		use: []int{first.id}, dst: s, keep: t.id})
	return p.expOf(val{id: s}, r)
}

// nearTerms is x in sixty-fourths of ln 2, rounded to whole numbers, from -8 on: where it is
// below 16 the word is that of nearZeroth with the number in its lowest four bits.
func (p *program) nearTerms(x val) val {
	return p.add(p.mul(x, p.num(log2e64)), p.num(roundMagic+8))
}

const nearZeroth = 0x4338 << 48 // the bits of roundMagic

// nearExpOf is nearExp of x given t = nearTerms(x) below 16, with AVX-512.
func (p *program) nearExpOf(x, t val) val {
	k := p.sub(t, p.num(roundMagic+8))
	r := p.sub(p.fma(k, p.num(-ln2Hi64), x), p.mul(k, p.num(ln2Lo64)))
	table := runtime.ExpTable()
	var below [8]uint64 // 2^(k/64) for k from -8 on
	for i := range below {
		below[i] = table[56+i] - 1<<52
	}
	s := p.fresh(vector)
	first := p.reg(p.words(below[:]...))
	p.emit(instruction{name: "VPERMI2PD", args: []any{p.words(table[:8]...), first, val{id: s}},
		use: []int{first.id}, dst: s, keep: p.make(vector, "VMOVUPD", t).id})
	return p.expOf(val{id: s}, r)
}

// expOf is s·eʳ.
func (p *program) expOf(s, r val) val {
	r2 := p.mul(r, r)
	lo := p.add(p.num(expD0), p.mul(p.num(expD1), r))
	hi := p.add(p.num(expD2), p.mul(p.num(expD3), r))
	tail := p.add(r, p.mul(r2, p.add(lo, p.mul(r2, hi))))
	return p.add(s, p.mul(s, tail))
}

// expm1 is special.expm1.
func (p *program) expm1(x val) val {
	s, r, index := p.reduced(x)
	r2 := p.mul(r, r)
	q := p.add(p.num(1.0/2), p.mul(p.num(1.0/6), r))
	q2 := p.add(p.num(1.0/24), p.mul(p.num(1.0/120), r))
	q = p.add(q, p.mul(r2, p.add(q2, p.mul(p.num(1.0/720), r2))))
	t := p.add(r, p.add(p.mul(r2, q), p.gather("R9", index)))
	return p.add(p.sub(s, p.num(1)), p.mul(s, t))
}

// log is special.logBits: x is positive and normal.
func (p *program) log(x val) val {
	b := p.subq(x, p.bits(sqrtHalfBits))
	// The exponent plus 1024, put into the fraction of 2⁵².
	k := p.shr(p.addq(b, p.bits(1<<62)), 52)
	k = p.sub(p.or(k, p.num(0x1p52)), p.num(0x1p52+1024))
	f := p.sub(p.addq(p.and(b, p.bits(fractionMask)), p.bits(sqrtHalfBits)), p.num(1))
	s := p.div(f, p.add(p.num(2), f))
	h := p.mul(p.mul(p.num(0.5), f), f)
	z := p.mul(s, s)
	z2 := p.mul(z, z)
	lo := p.add(p.add(p.num(logC0), p.mul(p.num(logC1), z)),
		p.mul(z2, p.add(p.num(logC2), p.mul(p.num(logC3), z))))
	hi := p.add(p.add(p.num(logC4), p.mul(p.num(logC5), z)), p.mul(z2, p.num(logC6)))
	tail := p.mul(z, p.add(lo, p.mul(p.mul(z2, z2), hi)))
	w := p.add(p.mul(s, p.add(h, tail)), p.mul(k, p.num(ln2Lo)))
	return p.sub(p.mul(k, p.num(ln2Hi)), p.sub(p.sub(h, w), f))
}

// log1p is special.log1p.
func (p *program) log1p(x val) val {
	u := p.add(p.num(1), x)
	v := p.sub(u, p.num(1))
	e := p.add(p.sub(p.num(1), p.sub(u, v)), p.sub(x, v))
	return p.add(p.log(u), p.div(e, u))
}

// erfcx is special.erfcx where 0 <= x < 2⁶⁰.
func (p *program) erfcx(x val) val {
	t := p.div(p.sub(x, p.num(3.75)), p.add(x, p.num(3.75)))
	terms := runtime.ErfcxTerms()
	s := p.reg(p.num(terms[len(terms)-1]))
	for _, c := range slices.Backward(terms[:len(terms)-1]) {
		s = p.add(p.mul(s, t), p.num(c))
	}
	return p.div(s, p.add(p.num(1), p.mul(p.num(2), x)))
}

// logNormalCDF is special.LogNormalCDF where |x| < 37: there exp(−x²/2) is far from subnormal.
func logNormalCDF(p *program, x val) val {
	a := p.abs(x)
	half := p.mul(p.num(0.5), p.erfcx(p.mul(a, p.num(invSqrt2))))
	half = p.choose(p.compare(x, eq, p.num(0)), p.reg(p.num(0.5)), half)
	square := p.mul(a, a)
	rest := p.fms(a, a, square) // what rounding lost
	e := p.mul(p.exp(p.mul(square, p.num(-0.5))), p.sub(p.reg(p.num(1)), p.mul(rest, p.num(0.5))))
	y := p.xor(p.mul(e, half), p.bits(signBit))
	u := p.add(p.num(1), y)
	v := p.sub(u, p.num(1))
	lost := p.add(p.sub(p.num(1), p.sub(u, v)), p.sub(y, v))
	upper := p.compare(x, gt, p.num(0))
	log := p.log(p.choose(upper, u, half))
	upperTail := p.choose(p.compare(p.abs(y), le, p.num(0x1p-54)), y, p.add(log, p.div(lost, u)))
	return p.choose(upper, upperTail, p.add(p.mul(p.mul(p.num(-0.5), x), x), log))
}

func (p *program) abs(x val) val {
	if p.half {
		return p.and(x, p.bits(1<<31-1))
	}
	return p.and(x, p.bits(signBit-1))
}

// copysign is |a| with the sign of b.
func (p *program) copysign(a, b val) val {
	return p.or(p.abs(a), p.and(b, p.bits(signBit)))
}

// A slice is an elementwise function: common computes it where test holds for
// all elements of a vector, rare, if there is one, where wider holds.
// Elsewhere the vector is left to Go.
type slice struct {
	name        string
	test, wider func(p *program, x val) val
	common      func(p *program, x val) val
	rare        func(p *program, x val) val
}

func within(limit float64) func(p *program, x val) val {
	return func(p *program, x val) val { return p.compare(p.abs(x), lt, p.num(limit)) }
}

// expEdges is where exp(x) is 0, infinite, or what it is within ±708.
func expEdges(p *program, x val) val {
	out := p.eitherMask(p.compare(x, lt, p.num(-746)), p.compare(x, gt, p.num(710)))
	return p.eitherMask(out, within(708)(p, x))
}

// expRare is special.Exp where expEdges holds.
func expRare(p *program, x val) val {
	v := p.exp(p.choose(within(708)(p, x), x, p.num(0)))
	v = p.choose(p.compare(x, lt, p.num(-746)), p.reg(p.num(0)), v)
	return p.choose(p.compare(x, gt, p.num(710)), p.reg(p.num(math.Inf(1))), v)
}

// minusAbs is −|x|.
func minusAbs(p *program, x val) val { return p.or(x, p.bits(signBit)) }

func absEdges(p *program, x val) val { return expEdges(p, minusAbs(p, x)) }

func common(
	exp func(p *program, x val) val, f func(p *program, x, e val) val,
) func(p *program, x val) val {
	return func(p *program, x val) val { return f(p, x, exp(p, minusAbs(p, x))) }
}

func sigmoid(p *program, x, e val) val {
	one := p.reg(p.num(1))
	if p.wide() {
		negative := p.make(mask, "VPMOVQ2M", x)
		return p.div(p.choose(negative, e, one), p.add(e, p.num(1)))
	}
	return p.div(p.choose(x, e, one), p.add(e, p.num(1))) // blends by the sign
}

func softplus(p *program, x, e val) val { return p.add(p.max(x, p.num(0)), p.log1p(e)) }

func logSigmoid(p *program, x, e val) val { return p.sub(p.min(x, p.num(0)), p.log1p(e)) }

// sliced are the functions, in the order of the constants in package special.
var sliced = []slice{
	{name: "Exp", test: within(708), common: (*program).exp, wider: expEdges, rare: expRare},
	{name: "Expm1",
		test: func(p *program, x val) val { return p.compare(x, le, p.num(708)) },
		common: func(p *program, x val) val {
			v := p.choose(p.compare(x, lt, p.num(-40)), p.reg(p.num(-1)), p.expm1(x))
			return p.choose(p.compare(p.abs(x), lt, p.num(0x1p-54)), x, v)
		}},
	{name: "Log",
		test: func(p *program, x val) val {
			return p.bothMasks(p.compare(x, ge, p.num(0x1p-1022)),
				p.compare(x, lt, p.num(math.Inf(1))))
		},
		common: (*program).log},
	{name: "Log1p",
		test: func(p *program, x val) val {
			return p.bothMasks(p.compare(x, gt, p.num(-1)), p.compare(x, lt, p.num(0x1p60)))
		},
		common: func(p *program, x val) val {
			return p.choose(p.compare(p.abs(x), le, p.num(0x1p-54)), x, p.log1p(x))
		}},
	{name: "Tanh", common: func(p *program, x val) val {
		a := p.abs(x)
		e := p.expm1(p.mul(a, p.num(-2)))
		v := p.div(p.xor(e, p.bits(signBit)), p.add(p.num(2), e))
		v = p.choose(p.compare(a, gt, p.num(20)), p.reg(p.num(1)), v)
		return p.choose(p.compare(a, lt, p.num(0x1p-28)), x, p.copysign(v, x))
	}},
	{name: "Sigmoid", test: within(708), common: common((*program).exp, sigmoid), wider: absEdges,
		rare: common(expRare, sigmoid)},
	{name: "Softplus", test: within(708), common: common((*program).exp, softplus), wider: absEdges,
		rare: common(expRare, softplus)},
	{name: "LogSigmoid", test: within(708), common: common((*program).exp, logSigmoid),
		wider: absEdges, rare: common(expRare, logSigmoid)},
	{name: "LogNormalCDF", test: within(37), common: logNormalCDF},
}

// special writes the elementwise functions.
func special(isa vectors) *file {
	f := &file{}
	pool := &constants{label: "const" + isa.name}
	lanes := isa.bytes / 8
	for _, io := range []float{f64, f32} {
		params := []param{{"f", "int"}, {"dst", "*" + io.kind}, {"src", "*" + io.kind},
			{"n", "int"}, {"done", "(result)"}}
		entry := "slice" + io.name + isa.name
		fmt.Fprintf(&f.decl, "\n// %s writes function f of n elements, up to a vector (of %d) "+
			"with an\n// element that it leaves to Go; it returns how many it "+
			"wrote.\n//\n//go:noescape\nfunc %s(f int, dst, src *%s, n int) (done int)\n", entry,
			lanes, entry, io.kind)
		fmt.Fprintf(&f.text, "\n// func %s(f int, dst, src *%s, n int) (done int)\n"+
			"TEXT ·%s(SB), NOSPLIT, $0-40\n", entry, io.kind, entry)
		f.load(params, "f", "AX")
		f.op("LEAQ", entry+"s<>(SB)", "CX")
		f.op("MOVQ", "(CX)(AX*8)", "AX")
		f.op("JMP", "AX")
		for _, s := range sliced {
			fmt.Fprintf(&f.text, "\nTEXT %s%s<>(SB), NOSPLIT, $0-40\n", entry, s.name)
			f.load(params, "dst", "DI")
			f.load(params, "src", "SI")
			f.load(params, "n", "CX")
			f.op("LEAQ", "·exp2Table(SB)", "R8")
			f.op("LEAQ", "·exp2Rest(SB)", "R9")
			f.op("XORQ", "DX", "DX")
			f.op("MOVQ", "CX", "R10")
			f.op("SUBQ", fmt.Sprintf("$%d", lanes), "R10")
			f.op("JLT", "ending")
			f.op("PCALIGN", "$32")
			f.label("loop")
			elements(f, isa, pool, io, s.test, s.common, "other", false)
			f.label("next")
			f.op("ADDQ", fmt.Sprintf("$%d", lanes), "DX")
			f.op("CMPQ", "DX", "R10")
			f.op("JLE", "loop")
			f.label("ending")
			f.op("CMPQ", "DX", "CX")
			f.op("JGE", "end")
			(&program{isa: isa}).ending(f, "endMask")
			elements(f, isa, pool, io, s.test, s.common, "otherEnding", true)
			f.label("ended")
			f.op("MOVQ", "CX", "DX")
			if s.rare == nil {
				f.label("other")
				f.label("otherEnding")
			}
			f.label("end")
			f.op("MOVQ", "DX", "done+32(FP)")
			f.op("VZEROUPPER")
			f.op("RET")
			if s.rare != nil {
				f.label("other")
				elements(f, isa, pool, io, s.wider, s.rare, "end", false)
				f.op("JMP", "next")
				f.label("otherEnding")
				elements(f, isa, pool, io, s.wider, s.rare, "end", true)
				f.op("JMP", "ended")
			}
		}
		fmt.Fprintf(&f.text, "\n")
		for i, s := range sliced {
			fmt.Fprintf(&f.text, "DATA %ss<>+%d(SB)/8, $%s%s<>(SB)\n", entry, 8*i, entry, s.name)
		}
		fmt.Fprintf(&f.text, "GLOBL %ss<>(SB), RODATA, $%d\n", entry, 8*len(sliced))
	}
	pool.write(f)
	if isa.name == "avx2" {
		masks(f, "endMask", f64, 32)
		masks(f, "endMask", f32, 16)
	}
	return f
}

// elements writes the code for one vector, the last if it is short, which jumps
// to a label where the test fails.
func elements(
	f *file, isa vectors, pool *constants, io float, test func(p *program, x val) val,
	value func(p *program, x val) val, otherwise string, short bool,
) {
	p := &program{isa: isa, pool: pool}
	at := func(base string) string { return fmt.Sprintf("(%s)(DX*%d)", base, io.bytes) }
	x := p.load(io, at("SI"), short)
	if test != nil {
		p.unless(test(p, x), otherwise)
	}
	p.save(io, value(p, x), at("DI"), short)
	p.write(f)
}
