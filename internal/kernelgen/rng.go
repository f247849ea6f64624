package main

import "fmt"

// The constants of package rng, by the names they have there; its tests
// compare the results bit for bit.
const (
	expOne = 0x3ff0000000000000

	bmL0   = 2 * 0x1.5555554bb1b2fp-1
	bmL1   = 2 * 0x1.9999eb63e783dp-2
	bmL2   = 2 * 0x1.245c40aecb50cp-2
	bmL3   = 2 * 0x1.ddcf7101b6371p-3
	twoLn2 = 0x1.62e42fefa39efp+0

	bmS0 = 0x1.921fb5443b587p+0
	bmS1 = -0x1.4abbce56ae6e1p-1
	bmS2 = 0x1.466bbac8a513ep-4
	bmS3 = -0x1.32ca9d79e10d1p-8
	bmS4 = 0x1.4bc85cc35124ap-13

	bmC0 = 0x1.ffffffff9785ep-1
	bmC1 = -0x1.3bd3cc7313b2p+0
	bmC2 = 0x1.03c1dc16cd808p-2
	bmC3 = -0x1.55c57912c09afp-6
	bmC4 = 0x1.d9c2e7e3b6703p-11

	sL0 = 0x1.55555cp+0
	sL1 = 0x1.997c3p-1
	sL2 = 0x1.2ee61p-1

	sS0 = 0x1.921fb6p+0
	sS1 = -0x1.4abbbap-1
	sS2 = 0x1.465ec4p-4
	sS3 = -0x1.2d9b4p-8

	sC0 = 1
	sC1 = -0x1.3bd392p+0
	sC2 = 0x1.03af58p-2
	sC3 = -0x1.4e5e06p-6

	sqrtHalfBits32 = 0x3f3504f3
	fractionMask32 = 1<<23 - 1

	splitMix0 = 0xbf58476d1ce4e5b9
	splitMix1 = 0x94d049bb133111eb
)

// next makes a word of xoroshiro128++ and moves the state on.
func (p *program) next(s0, s1 val) (word, t0, t1 val) {
	word = p.addq(p.rotl(p.addq(s0, s1), 17), s0)
	s1 = p.xor(s1, s0)
	s0 = p.xor3(p.rotl(s0, 49), s1, p.shl(s1, 21))
	return word, s0, p.rotl(s1, 28)
}

// step makes words of the lanes whose state is at offset off.
func (p *program) step(off, words int) []val {
	at := "BX"
	if p.lanes != "" {
		at = p.lanes
	}
	s0 := p.make(vector, "VMOVDQU"+p.wordSize(), fmt.Sprintf("%d(%s)", off, at))
	s1 := p.make(vector, "VMOVDQU"+p.wordSize(), fmt.Sprintf("%d(%s)", 64+off, at))
	w := make([]val, words)
	for i := range w {
		w[i], s0, s1 = p.next(s0, s1)
	}
	stores := len(p.code)
	p.raw("VMOVDQU"+p.wordSize(), s0, fmt.Sprintf("%d(%s)", off, at))
	p.raw("VMOVDQU"+p.wordSize(), s1, fmt.Sprintf("%d(%s)", 64+off, at))
	if p.lanes != "" {
		p.later = append(p.later, p.code[stores:]...)
		p.code = p.code[:stores]
	}
	return w
}

func (p *program) wordSize() string {
	if p.wide() {
		return "64"
	}
	return ""
}

// radius is √(-2 log u), u from the word a.
func (p *program) radius(a val) val {
	one := p.or(p.shr(a, 12), p.bits(expOne))
	u := p.subq(p.sub(p.num(2), one), p.bits(sqrtHalfBits))
	f := p.sub(p.addq(p.and(u, p.bits(fractionMask)), p.bits(sqrtHalfBits)), p.num(1))
	s := p.div(f, p.add(p.num(2), f))
	z := p.mul(s, s)
	l := p.add(p.add(p.num(bmL0), p.mul(p.num(bmL1), z)),
		p.mul(p.mul(z, z), p.add(p.num(bmL2), p.mul(p.num(bmL3), z))))
	k := p.minusExponent(u)
	return p.sqrt(p.sub(p.mul(k, p.num(twoLn2)), p.mul(s, p.add(p.num(4), p.mul(z, l)))))
}

// minusExponent is minus the upper twelve bits of u as a number, of six bits.
func (p *program) minusExponent(u val) val {
	if p.wide() { // rounding down what is negated is rounding up
		up := p.subq(p.bits(1<<52-1), u)
		return p.make(vector, "VCVTQQ2PD", p.make(vector, "VPSRAQ", "$52", up))
	}
	k := p.and(p.subq(p.bits(0), p.shr(u, 52)), p.bits(63))
	return p.sub(p.or(k, p.num(0x1p52)), p.num(0x1p52))
}

// xor3 is a ^ b ^ c.
func (p *program) xor3(a, b, c val) val {
	if p.wide() {
		return p.over(a, "VPTERNLOGQ", "$0x96", c, b)
	}
	return p.xor(p.xor(a, b), c)
}

// turn is the unit vector of the word v: cosine and sine.
func (p *program) turn(v val) (val, val) {
	t := p.sub(p.or(p.shr(v, 12), p.bits(expOne)), p.num(1.5))
	y := p.mul(t, t)
	y2 := p.mul(y, y)
	poly := func(c0, c1, c2, c3, c4 float64) val {
		hi := p.add(p.add(p.num(c2), p.mul(p.num(c3), y)), p.mul(y2, p.num(c4)))
		return p.add(p.add(p.num(c0), p.mul(p.num(c1), y)), p.mul(y2, hi))
	}
	cos := p.xor(poly(bmC0, bmC1, bmC2, bmC3, bmC4), p.shl(v, 63))
	sin := p.mul(t, poly(bmS0, bmS1, bmS2, bmS3, bmS4))
	return p.swap(v, 62, cos, sin)
}

// swap exchanges a and b where bit 1 of v, the sign of v << up, is set.
func (p *program) swap(v val, up int, a, b val) (val, val) {
	if p.wide() {
		m := p.make(mask, p.d("VPTESTM"), p.bits(2), v)
		return p.choose(m, b, a), p.choose(m, a, b)
	}
	s := p.shl(v, up)
	return p.choose(s, b, a), p.choose(s, a, b)
}

// normals writes bulk normals and uniforms: rounds of a word or two of eight
// lanes of xoroshiro128++ side by side, whose states s0 are followed by their
// states s1.
func normals(isa vectors) *file {
	f := &file{}
	pool := &constants{label: "const" + isa.name}
	loop := func(name, kind, comment string, step int, body func(p *program, half int)) {
		params := []param{{"dst", "*" + kind}, {"state", "*[16]uint64"}, {"rounds", "int"}}
		f.function(name, name+" "+comment, params)
		f.load(params, "dst", "DI")
		f.load(params, "state", "BX")
		f.load(params, "rounds", "CX")
		f.op("PCALIGN", "$32")
		f.label("loop")
		for half := range 64 / isa.bytes {
			p := &program{isa: isa, pool: pool}
			body(p, half)
			p.write(f)
		}
		f.op("ADDQ", fmt.Sprintf("$%d", step), "DI")
		f.op("DECQ", "CX")
		f.op("JNZ", "loop")
		f.op("VZEROUPPER")
		f.op("RET")
	}
	loop("uniforms"+isa.name, "float64", "writes 8 uniforms a round.", 64, func(p *program, half int) {
		w := p.step(half*isa.bytes, 1)[0]
		p.store(p.sub(p.or(p.shr(w, 12), p.bits(expOne)), p.num(1-0x1p-53)), "DI", half*isa.bytes)
	})
	loop("normals"+isa.name, "float64", "writes 8 pairs of normals a round.", 128,
		func(p *program, half int) { p.pairs(half, "DI") })
	loop("normals32"+isa.name, "float32", "writes 16 pairs of normals a round.", 128,
		func(p *program, half int) { p.pairs32(half, "DI") })
	if isa.name == "avx512" {
		seeds(f, isa, pool)
	}
	pool.write(f)
	return f
}

// seeds writes the function that seeds the lanes of a bulk call; without products of words it
// would gain nothing.
func seeds(f *file, isa vectors, pool *constants) {
	params := []param{{"state", "*[16]uint64"}, {"block", "*[4]uint64"}}
	f.function("seeds"+isa.name, "seeds"+isa.name+" seeds the eight lanes from the block of a step.",
		params)
	f.load(params, "state", "DI")
	f.load(params, "block", "SI")
	p := &program{isa: isa, pool: pool}
	p.seed()
	p.write(f)
	f.op("VZEROUPPER")
	f.op("RET")
}

// seed is newLane of the eight lanes.
func (p *program) seed() {
	for i := range 2 {
		start := p.make(vector, "VPBROADCASTQ", fmt.Sprintf("%d(SI)", 8*i))
		step := p.or(p.make(vector, "VPBROADCASTQ", fmt.Sprintf("%d(SI)", 16+8*i)), p.bits(1))
		z := p.addq(start, p.two("VPMULLQ", step, p.words(1, 2, 3, 4, 5, 6, 7, 8)))
		z = p.two("VPMULLQ", p.xor(z, p.shr(z, 30)), p.bits(splitMix0))
		z = p.two("VPMULLQ", p.xor(z, p.shr(z, 27)), p.bits(splitMix1))
		p.store(p.xor(z, p.shr(z, 31)), "DI", 64*i)
	}
}

func (p *program) store(x val, reg string, off int) {
	p.raw("VMOVUPD", x, fmt.Sprintf("%d(%s)", off, reg))
}

// pairs writes a round of eight pairs of normals, or with vectors of four the
// first or the second half of it.
func (p *program) pairs(half int, dst string) {
	w := p.step(half*p.isa.bytes, 2)
	r := p.radius(w[0])
	c, s := p.turn(w[1])
	c, s = p.mul(r, c), p.mul(r, s)
	if p.wide() {
		for i := range uint64(2) {
			i *= 4
			first := p.make(vector, "VMOVUPD", c)
			both := p.fresh(vector)
			at := p.reg(p.words(i, 8+i, 1+i, 9+i, 2+i, 10+i, 3+i, 11+i))
			p.emit(instruction{name: "VPERMT2PD", args: []any{s, at, val{id: both}},
				use: []int{s.id, at.id}, dst: both, keep: first.id})
			p.store(val{id: both}, dst, int(i)*16)
		}
		return
	}
	even, odd := p.make(vector, "VUNPCKLPD", s, c), p.make(vector, "VUNPCKHPD", s, c)
	p.store(p.make(vector, "VPERM2F128", "$0x20", odd, even), dst, half*64)
	p.store(p.make(vector, "VPERM2F128", "$0x31", odd, even), dst, half*64+32)
}

// pairs32 is pairs in single precision, of sixteen: radii from the halves of one
// word of each lane, angles from those of the next; cosines first.
func (p *program) pairs32(half int, dst string) {
	w := p.step(half*p.isa.bytes, 2)
	p.half = true
	r := p.radius32(w[0])
	c, s := p.turn32(w[1])
	p.store(p.mul(r, c), dst, half*p.isa.bytes)
	p.store(p.mul(r, s), dst, 64+half*p.isa.bytes)
	p.half = false
}

// radius32 is radius in single precision, of half a word.
func (p *program) radius32(a val) val {
	x := p.make(vector, "VCVTDQ2PS", p.or(p.shr(a, 1), p.bits(1)))
	b := p.subq(x, p.bits(sqrtHalfBits32))
	k := p.make(vector, "VCVTDQ2PS", p.subq(p.bits(31), p.make(vector, "VPSRAD", "$23", b)))
	f := p.sub(p.addq(p.and(b, p.bits(fractionMask32)), p.bits(sqrtHalfBits32)), p.num(1))
	s := p.div(f, p.sub(p.num(-2), f))
	z := p.mul(s, s)
	l := p.fma(z, p.fma(z, p.num(sL2), p.num(sL1)), p.num(sL0))
	return p.sqrt(p.fma(k, p.num(twoLn2), p.mul(s, p.fma(z, l, p.num(4)))))
}

// turn32 is turn in single precision, of half a word.
func (p *program) turn32(b val) (val, val) {
	t := p.mul(p.make(vector, "VCVTDQ2PS", b), p.num(0x1p-32))
	y := p.mul(t, t)
	poly := func(c0, c1, c2, c3 float64) val {
		return p.fma(y, p.fma(y, p.fma(y, p.num(c3), p.num(c2)), p.num(c1)), p.num(c0))
	}
	cos := p.xor(poly(sC0, sC1, sC2, sC3), p.shl(b, 31))
	sin := p.mul(t, poly(sS0, sS1, sS2, sS3))
	return p.swap(b, 30, cos, sin)
}
