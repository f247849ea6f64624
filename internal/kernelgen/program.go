package main

import (
	"fmt"
	"math"
	"slices"
)

// A program is straight-line code on vectors: values in static single
// assignment, for which registers are found when it is written out. Constants
// stay in memory, repeated to the width of the widest register.
type program struct {
	isa   vectors
	code  []instruction
	kinds []kind // of the values
	pool  *constants
	half  bool          // numbers are in single precision, integers of 32 bits
	table string        // the register with the table of exponentials; "" is R8
	lanes string        // the register with the states of the generators; "" is BX
	later []instruction // with lanes: the stores of the states, written last
	held  int           // registers, the last ones, that are not this program's to give out
}

type kind uint8

const (
	vector kind = iota
	mask        // a mask register of AVX-512; with AVX2 it is a vector
)

// A val is a value: a number of one, or a constant in memory.
type val struct {
	id    int
	konst string
}

type instruction struct {
	name string
	args []any // val, or a string that is written as it is
	dst  int   // a value, or -1
	use  []int // values read
	keep int   // a value that dst starts from, or -1: they get one register
}

// constants are words in memory, by their bits.
type constants struct {
	label string
	words [][8]uint64
}

func (c *constants) at(w [8]uint64) string {
	i := slices.Index(c.words, w)
	if i < 0 {
		i = len(c.words)
		c.words = append(c.words, w)
	}
	return fmt.Sprintf("%s<>+%d(SB)", c.label, 64*i)
}

func (c *constants) write(f *file) {
	fmt.Fprintf(&f.text, "\n")
	for i, w := range c.words {
		for j, b := range w {
			fmt.Fprintf(&f.text, "DATA %s<>+%d(SB)/8, $%#016x\n", c.label, 64*i+8*j, b)
		}
	}
	fmt.Fprintf(&f.text, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n", c.label, 64*len(c.words))
}

// num is a number, repeated.
func (p *program) num(x float64) val {
	if p.half {
		return p.bits(uint64(math.Float32bits(float32(x))))
	}
	return p.bits(math.Float64bits(x))
}

// bits is a word, or a half of one, repeated.
func (p *program) bits(b uint64) val {
	if p.half {
		b |= b << 32
	}
	return val{-1, p.pool.at([8]uint64{b, b, b, b, b, b, b, b})}
}

// words are the words of a vector of eight.
func (p *program) words(w ...uint64) val { return val{-1, p.pool.at([8]uint64(w))} }

// ps is the name of an instruction on numbers, d on integers.
func (p *program) ps(name string) string {
	if p.half {
		return name + "PS"
	}
	return name + "PD"
}

func (p *program) d(name string) string {
	if p.half {
		return name + "D"
	}
	return name + "Q"
}

func (p *program) wide() bool         { return p.isa.name == "avx512" }
func (p *program) fresh(k kind) int   { p.kinds = append(p.kinds, k); return len(p.kinds) - 1 }
func (p *program) emit(i instruction) { p.code = append(p.code, i) }
func (p *program) raw(n string, a ...any) {
	p.emit(instruction{name: n, args: a, dst: -1, keep: -1, use: uses(a)})
}

func uses(args []any) []int {
	var u []int
	for _, a := range args {
		if l, ok := a.(low); ok {
			a = l.of
		}
		if v, ok := a.(val); ok && v.konst == "" {
			u = append(u, v.id)
		}
	}
	return u
}

// make writes an instruction whose last operand is a new value.
func (p *program) make(k kind, name string, args ...any) val {
	d := p.fresh(k)
	p.emit(instruction{name: name, args: append(args, val{id: d}), dst: d, use: uses(args),
		keep: -1})
	return val{id: d}
}

// reg brings a constant into a register.
func (p *program) reg(v val) val {
	if v.konst == "" {
		return v
	}
	return p.make(vector, "VMOVUPD", v)
}

// two writes an instruction of two operands: dst = a op b. The assembler wants
// b first, and only b may be in memory.
func (p *program) two(name string, a, b val) val { return p.make(vector, name, b, p.reg(a)) }

func (p *program) commute(name string, a, b val) val {
	if a.konst != "" {
		a, b = b, a
	}
	return p.two(name, a, b)
}

func (p *program) add(a, b val) val  { return p.commute(p.ps("VADD"), a, b) }
func (p *program) mul(a, b val) val  { return p.commute(p.ps("VMUL"), a, b) }
func (p *program) sub(a, b val) val  { return p.two(p.ps("VSUB"), a, b) }
func (p *program) div(a, b val) val  { return p.two(p.ps("VDIV"), a, b) }
func (p *program) max(a, b val) val  { return p.two(p.ps("VMAX"), a, b) }
func (p *program) min(a, b val) val  { return p.two(p.ps("VMIN"), a, b) }
func (p *program) addq(a, b val) val { return p.commute(p.d("VPADD"), a, b) }
func (p *program) subq(a, b val) val { return p.two(p.d("VPSUB"), a, b) }
func (p *program) and(a, b val) val  { return p.commute(p.q("VPAND"), a, b) }
func (p *program) or(a, b val) val   { return p.commute(p.q("VPOR"), a, b) }
func (p *program) xor(a, b val) val  { return p.commute(p.q("VPXOR"), a, b) }
func (p *program) sqrt(a val) val    { return p.make(vector, p.ps("VSQRT"), a) }

// fma is x·y + z, rounded once.
func (p *program) fma(x, y, z val) val {
	if x.konst != "" {
		x, y = y, x
	}
	name, first, args := p.ps("VFMADD231"), z, []any{y, x}
	if z.konst != "" {
		name, first, args = p.ps("VFMADD213"), x, []any{z, p.reg(y)}
	}
	return p.over(first, name, args...)
}

// fms is x·y - z, rounded once; x is no constant.
func (p *program) fms(x, y, z val) val {
	return p.over(x, p.ps("VFMSUB213"), z, p.reg(y))
}

// over writes an instruction that starts from a value and leaves it alone.
func (p *program) over(first val, name string, args ...any) val {
	start, d := p.make(vector, "VMOVUPD", first), p.fresh(vector)
	p.emit(instruction{name: name, args: append(args, val{id: d}), use: uses(args), dst: d,
		keep: start.id})
	return val{id: d}
}

func (p *program) q(name string) string {
	if p.wide() {
		return name + "Q"
	}
	return name
}

func (p *program) shl(a val, n int) val {
	return p.make(vector, p.d("VPSLL"), fmt.Sprintf("$%d", n), p.reg(a))
}
func (p *program) shr(a val, n int) val {
	return p.make(vector, p.d("VPSRL"), fmt.Sprintf("$%d", n), p.reg(a))
}

// rotl rotates words to the left.
func (p *program) rotl(a val, n int) val {
	if p.wide() {
		return p.make(vector, p.d("VPROL"), fmt.Sprintf("$%d", n), a)
	}
	return p.or(p.shl(a, n), p.shr(a, 64-n))
}

// Predicates of comparisons, ordered and quiet: false where one is NaN.
const (
	eq = 0x00
	lt = 0x11
	le = 0x12
	ge = 0x1d
	gt = 0x1e
)

// compare is a mask of where a ? b holds.
func (p *program) compare(a val, predicate int, b val) val {
	k := vector
	if p.wide() {
		k = mask
	}
	return p.make(k, p.ps("VCMP"), fmt.Sprintf("$%#x", predicate), b, p.reg(a))
}

func (p *program) bothMasks(a, b val) val {
	if p.wide() {
		return p.make(mask, "KANDW", a, b)
	}
	return p.make(vector, "VANDPD", a, b)
}

func (p *program) eitherMask(a, b val) val {
	if p.wide() {
		return p.make(mask, "KORW", a, b)
	}
	return p.make(vector, "VORPD", a, b)
}

// choose is a where the mask holds, else b.
func (p *program) choose(m, a, b val) val {
	if p.wide() {
		return p.make(vector, p.ps("VBLENDM"), a, p.reg(b), m)
	}
	return p.make(vector, p.ps("VBLENDV"), m, a, p.reg(b))
}

// unless jumps to a label where the mask does not hold for all elements.
func (p *program) unless(m val, label string) {
	switch {
	case p.wide() && p.half:
		p.raw("KMOVW", m, "AX")
		p.raw("CMPL", "AX", "$65535")
	case p.wide():
		p.raw("KMOVB", m, "AX")
		p.raw("CMPL", "AX", "$255")
	case p.half:
		p.raw("VMOVMSKPS", m, "AX")
		p.raw("CMPL", "AX", "$255")
	default:
		p.raw("VMOVMSKPD", m, "AX")
		p.raw("CMPL", "AX", "$15")
	}
	p.raw("JNE", label)
}

// gather looks words up in the table at a general register.
func (p *program) gather(table string, index val) val {
	// The instruction merges into its destination, which is cleared first so
	// that it does not wait for what was there.
	zero := p.fresh(vector)
	p.emit(instruction{name: "VXORPD", args: []any{val{id: zero}, val{id: zero}, val{id: zero}},
		dst: zero, keep: -1})
	d := p.fresh(vector)
	at := lookup{table, index}
	if p.wide() {
		all := p.fresh(mask)
		p.emit(instruction{name: "KXNORB", args: []any{val{id: all}, val{id: all}, val{id: all}},
			dst: all, keep: -1})
		p.emit(instruction{name: "VGATHERQPD", args: []any{at, val{id: all}, val{id: d}}, dst: d,
			use: []int{all, index.id}, keep: zero})
	} else {
		all := p.make(vector, "VPCMPEQD", index, index)
		p.emit(instruction{name: "VGATHERQPD", args: []any{all, at, val{id: d}}, dst: d,
			use: []int{all.id, index.id}, keep: zero})
	}
	return val{id: d}
}

// A lookup is a memory operand with a vector of indices of words.
type lookup struct {
	table string
	index val
}

// load reads a vector from memory, in double precision. Where it is the last,
// and shorter, what is missing is 1. The masks of such a vector are K7, or at
// R11 and for single precision at R12.
func (p *program) load(io float, mem string, short bool) val {
	if !short {
		if io.bytes == 4 {
			return p.make(vector, "VCVTPS2PD", mem)
		}
		return p.make(vector, "VMOVUPD", mem)
	}
	var x, m val
	switch {
	case p.wide() && io.bytes == 8:
		x = p.make(vector, "VMOVUPD.Z", mem, "K7")
	case p.wide():
		x = p.halved(vector, "VMOVUPS.Z", mem, "K7")
		x = p.make(vector, "VCVTPS2PD", low{x})
	case io.bytes == 8:
		m = p.make(vector, "VMOVUPD", "(R11)")
		x = p.make(vector, "VMASKMOVPD", mem, m)
	default:
		m = p.halved(vector, "VMOVUPS", "(R12)")
		x = p.halved(vector, "VMASKMOVPS", mem, low{m})
		x = p.make(vector, "VCVTPS2PD", low{x})
		m = p.make(vector, "VMOVUPD", "(R11)")
	}
	if p.wide() {
		return p.make(vector, "VBLENDMPD", x, p.reg(p.num(1)), "K7")
	}
	return p.make(vector, "VBLENDVPD", m, x, p.reg(p.num(1)))
}

// save writes a vector to memory, as load reads it.
func (p *program) save(io float, y val, mem string, short bool) {
	if io.bytes == 4 {
		y = p.halved(vector, map[string]string{"avx2": "VCVTPD2PSY",
			"avx512": "VCVTPD2PS"}[p.isa.name], y)
	}
	switch {
	case !short && io.bytes == 8:
		p.raw("VMOVUPD", y, mem)
	case !short:
		p.raw("VMOVUPS", low{y}, mem)
	case p.wide() && io.bytes == 8:
		p.raw("VMOVUPD", y, "K7", mem)
	case p.wide():
		p.raw("VMOVUPS", low{y}, "K7", mem)
	case io.bytes == 8:
		p.raw("VMASKMOVPD", y, p.make(vector, "VMOVUPD", "(R11)"), mem)
	default:
		p.raw("VMASKMOVPS", low{y}, low{p.halved(vector, "VMOVUPS", "(R12)")}, mem)
	}
}

// halved is make with a result in the lower half of a register.
func (p *program) halved(k kind, name string, args ...any) val {
	d := p.fresh(k)
	p.emit(instruction{name: name, args: append(args, low{val{id: d}}), dst: d, use: uses(args),
		keep: -1})
	return val{id: d}
}

// ending loads the masks of the last elements, of which there are CX - DX.
func (p *program) ending(f *file, label string) {
	f.op("MOVQ", "CX", "AX")
	f.op("SUBQ", "DX", "AX")
	if p.wide() {
		f.op("MOVQ", "$-1", "R11")
		f.op("BZHIQ", "AX", "R11", "R11")
		f.op("KMOVB", "R11", "K7")
		return
	}
	f.op("NEGQ", "AX")
	f.op("LEAQ", label+"64<>+32(SB)", "R11")
	f.op("LEAQ", label+"32<>+16(SB)", "R12")
	f.op("LEAQ", "(R11)(AX*8)", "R11")
	f.op("LEAQ", "(R12)(AX*4)", "R12")
}

// interleave mixes what comes from instruction n on with what is before it, which does
// not depend on it, evenly: so that few instructions on, the machine finds work of
// either.
func (p *program) interleave(n int) {
	a, b := p.code[:n], p.code[n:]
	mixed := make([]instruction, 0, len(p.code))
	for i, c := range a {
		mixed = append(mixed, c)
		mixed = append(mixed, b[i*len(b)/n:(i+1)*len(b)/n]...)
	}
	p.code = mixed
}

// low is the lower half of a register.
type low struct{ of val }

// write finds registers for all values and writes the code. A register is free
// again after the last use of its value, and may hold the result of that very
// instruction.
func (p *program) write(f *file) {
	p.code, p.later = append(p.code, p.later...), nil
	last := make([]int, len(p.kinds))
	for i, c := range p.code {
		for _, u := range c.use {
			last[u] = i
		}
		if c.keep >= 0 {
			last[c.keep] = i
		}
	}
	registers := make([]int, len(p.kinds))
	count := 16
	if p.wide() {
		count = 32
	}
	var free [2][]int
	for r := count - p.held - 1; r >= 0; r-- {
		free[vector] = append(free[vector], r)
	}
	for r := 6; r >= 1; r-- { // K0 means no mask, K7 is that of the end
		free[mask] = append(free[mask], r)
	}
	release := func(v, i int) {
		if last[v] == i {
			free[p.kinds[v]] = append(free[p.kinds[v]], registers[v])
			last[v] = -1
		}
	}
	for i, c := range p.code {
		for _, u := range c.use {
			release(u, i)
		}
		if c.dst >= 0 {
			k := p.kinds[c.dst]
			if c.keep >= 0 {
				registers[c.dst] = registers[c.keep]
			} else {
				if len(free[k]) == 0 {
					panic("out of registers")
				}
				end := len(free[k]) - 1
				registers[c.dst] = free[k][end]
				free[k] = free[k][:end]
			}
			if last[c.dst] == 0 {
				panic("a value that nobody reads: " + c.name)
			}
		}
		text := make([]any, len(c.args))
		for j, a := range c.args {
			switch a := a.(type) {
			case val:
				text[j] = p.operand(a, registers)
			case low:
				text[j] = map[string]string{"Y": "X", "Z": "Y"}[p.isa.reg] +
					p.operand(a.of, registers)[1:]
			case lookup:
				text[j] = fmt.Sprintf("(%s)(%s*8)", a.table, p.operand(a.index, registers))
			default:
				text[j] = a
			}
		}
		if c.name == "VMOVUPD" && c.dst >= 0 && text[0] == text[1] {
			continue // a value that goes on in its register
		}
		f.op(c.name, text...)
	}
	p.code, p.kinds = nil, nil
}

func (p *program) operand(v val, registers []int) string {
	switch {
	case v.konst != "":
		return v.konst
	case p.kinds[v.id] == mask:
		return fmt.Sprintf("K%d", registers[v.id])
	}
	return fmt.Sprintf("%s%d", p.isa.reg, registers[v.id])
}
