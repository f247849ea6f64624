package main

import (
	"fmt"
	"strings"
)

// An armFloat is a NEON instruction on vectors of numbers that Go's assembler does not
// have: its name in Arm's syntax, and its encoding on two numbers in double precision.
// Source: Arm Architecture Reference Manual for A-profile, C7.2.
type armFloat struct {
	name string
	code uint32
}

// single is the bit of an encoding that is 0 where numbers or integers have 32 bits.
const single32 = 1 << 22

var (
	armAdd  = armFloat{"fadd", 0x4e60d400}
	armSub  = armFloat{"fsub", 0x4ee0d400}
	armMul  = armFloat{"fmul", 0x6e60dc00}
	armDiv  = armFloat{"fdiv", 0x6e60fc00}
	armEq   = armFloat{"fcmeq", 0x4e60e400}
	armGe   = armFloat{"fcmge", 0x6e60e400}
	armGt   = armFloat{"fcmgt", 0x6ee0e400}
	armSqrt = armFloat{"fsqrt", 0x6ee1f800}
	armNeg  = armFloat{"fneg", 0x6ee0f800}
	armLess = armFloat{"cmlt", 0x4ee0a800} // integers below 0: all ones by the sign
)

// arrangement is how Arm's syntax writes a vector of 32-bit or 64-bit elements.
func arrangement(half bool) string {
	if half {
		return "4s"
	}
	return "2d"
}

// word writes an instruction by its encoding, with what it is in Arm's syntax, which a
// test assembles.
func (w *neonWriter) word(code uint32, format string, args ...any) {
	w.emit("WORD $%#08x // %s", code, fmt.Sprintf(format, args...))
}

// three writes d = n op m on one register.
func (w *neonWriter) three(op armFloat, half bool, d, n, m int) {
	code, a := op.code, arrangement(half)
	if half {
		code &^= single32
	}
	w.word(code|uint32(m)<<16|uint32(n)<<5|uint32(d), "%s v%d.%s, v%d.%s, v%d.%s", op.name, d, a, n,
		a, m, a)
}

// two writes d = op n on one register.
func (w *neonWriter) two(op armFloat, half bool, d, n int) {
	code, a, zero := op.code, arrangement(half), ""
	if half {
		code &^= single32
	}
	if op.name == armLess.name {
		zero = ", #0"
	}
	w.word(code|uint32(n)<<5|uint32(d), "%s v%d.%s, v%d.%s%s", op.name, d, a, n, a, zero)
}

// Conversions and reductions, with one arrangement each.
func (w *neonWriter) convert(code uint32, format string, d, n int) {
	w.word(code|uint32(n)<<5|uint32(d), format, d, n)
}

func (w *neonWriter) widenLow(d, n int)  { w.convert(0x0e617800, "fcvtl v%d.2d, v%d.2s", d, n) }
func (w *neonWriter) widenHigh(d, n int) { w.convert(0x4e617800, "fcvtl2 v%d.2d, v%d.4s", d, n) }
func (w *neonWriter) narrowLow(d, n int) { w.convert(0x0e616800, "fcvtn v%d.2s, v%d.2d", d, n) }
func (w *neonWriter) narrowHigh(d, n int) {
	w.convert(0x4e616800, "fcvtn2 v%d.4s, v%d.2d", d, n)
}
func (w *neonWriter) fromInt(d, n int) { w.convert(0x4e21d800, "scvtf v%d.4s, v%d.4s", d, n) }
func (w *neonWriter) least(d, n int)   { w.convert(0x6eb1a800, "uminv s%d, v%d.4s", d, n) }
func (w *neonWriter) greatest(d, n int) {
	w.convert(0x6eb0a800, "umaxv s%d, v%d.4s", d, n)
}
func (w *neonWriter) not(d, n int) { w.convert(0x6e205800, "mvn v%d.16b, v%d.16b", d, n) }

// shiftSigned writes d = n >> by on integers of 32 bits.
func (w *neonWriter) shiftSigned(d, n, by int) {
	w.word(0x4f000400|uint32(64-by)<<16|uint32(n)<<5|uint32(d), "sshr v%d.4s, v%d.4s, #%d", d, n, by)
}

// all writes an instruction that Go's assembler has on registers of one arrangement, in
// its order: the destination last.
func (w *neonWriter) all(name, arranged string, registers ...int) {
	s := make([]string, len(registers))
	for i, r := range registers {
		s[i] = fmt.Sprintf("V%d.%s", r, arranged)
	}
	w.emit("%s %s", name, strings.Join(s, ", "))
}

// arranged is how Go's assembler writes a vector of 32-bit or 64-bit elements.
func arranged(half bool) string {
	if half {
		return "S4"
	}
	return "D2"
}
