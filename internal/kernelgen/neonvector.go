package main

import (
	"fmt"
	"strconv"
	"strings"
)

// neonFloats is instructions on numbers, of two operands and of one.
var neonFloats = map[string]armFloat{"VADD": armAdd, "VSUB": armSub, "VMUL": armMul,
	"VDIV": armDiv, "VSQRT": armSqrt}

// neonWhole is instructions on integers and bits, with what Go's assembler calls them for
// arm64 and the arrangement of their operands.
var neonWhole = map[string][2]string{
	"VANDPD": {"VAND", "B16"}, "VPAND": {"VAND", "B16"}, "VORPD": {"VORR", "B16"},
	"VPOR": {"VORR", "B16"}, "VXORPD": {"VEOR", "B16"}, "VPXOR": {"VEOR", "B16"},
	"VPADDQ": {"VADD", "D2"}, "VPADDD": {"VADD", "S4"}, "VPSUBQ": {"VSUB", "D2"},
	"VPSUBD": {"VSUB", "S4"}, "VPCMPEQD": {"VCMEQ", "S4"}, "VPCMPEQB": {"VCMEQ", "B16"},
	"VPMAXUD": {"VUMAX", "S4"}, "VPMAXUB": {"VUMAX", "B16"}, "VUNPCKLPD": {"VZIP1", "D2"},
	"VUNPCKHPD": {"VZIP2", "D2"}, "VUNPCKLPS": {"VZIP1", "S4"}, "VUNPCKHPS": {"VZIP2", "S4"},
}

// vector writes an instruction on vectors.
func (w *neonWriter) vector(l asmLine) {
	name, half := strings.TrimSuffix(l.op, "PD"), strings.HasSuffix(l.op, "PS")
	name = strings.TrimSuffix(name, "PS")
	last := l.args
	if len(last) > 0 {
		last = last[len(last)-1:]
	}
	if op, ok := neonFloats[name]; ok && name != l.op {
		w.eachNumber(l, op, half)
		return
	}
	if whole, ok := neonWhole[l.op]; ok {
		a, d := w.of(l.args[1]), w.of(last[0])
		b := w.source(l.args[0], d, l.args[1] != last[0])
		for i := range d {
			w.all(whole[0], whole[1], b[i], a[i], d[i])
		}
		return
	}
	if scalarOps[l.op] != "" {
		w.scalar(l)
		return
	}
	switch name {
	case "VZEROUPPER":
	case "VMOVU", "VMOVDQU":
		w.move(l.args[0], last[0])
	case "VMASKMOV":
		w.maskMove(l, half)
	case "VBROADCASTSD", "VBROADCASTSS":
		w.broadcast(l)
	case "VFMADD231":
		a, d := w.of(l.args[1]), w.of(last[0])
		b := w.source(l.args[0], d, false)
		for i := range d {
			w.all("VFMLA", arranged(half), b[i], a[i], d[i])
		}
	case "VFMADD213", "VFMSUB213":
		w.fused(l, half)
	case "VCMP":
		w.compare(l, half)
	case "VBLENDV":
		w.blend(l, half)
	case "VMAX", "VMIN":
		w.extreme(l, half)
	default:
		w.rearrange(l)
	}
}

// eachNumber writes arithmetic on numbers.
func (w *neonWriter) eachNumber(l asmLine, op armFloat, half bool) {
	d := w.of(l.args[len(l.args)-1])
	if len(l.args) == 2 {
		a := w.of(l.args[0])
		for i := range d {
			w.two(op, half, d[i], a[i])
		}
		return
	}
	a := w.of(l.args[1])
	b := w.source(l.args[0], d, l.args[1] != l.args[2])
	for i := range d {
		w.three(op, half, d[i], a[i], b[i])
	}
}

// source is the registers of an operand that may be in memory; where it is, and the
// destination is not read, it is loaded there.
func (w *neonWriter) source(arg string, d []int, free bool) []int {
	if isVector(arg) {
		return w.of(arg)
	}
	if m := sbOperand.FindStringSubmatch(arg); m != nil {
		t := w.temp(0)
		w.constant(arg, t)
		return []int{t, t}
	}
	to := d
	if !free {
		to = make([]int, len(d))
		for i := range d {
			to[i] = w.temp(i)
		}
	}
	w.load(arg, to)
	return to
}

// constant loads a constant.
func (w *neonWriter) constant(arg string, to int) {
	m := sbOperand.FindStringSubmatch(arg)
	at, _ := strconv.Atoi(m[2])
	w.emit("FMOVQ %d(%s), F%d", poolOffset(at), constantsAt, to)
}

func (w *neonWriter) load(arg string, to []int) {
	if len(to) == 2 {
		w.emit("FLDPQ %s, (F%d, F%d)", w.at(arg), to[0], to[1])
	} else {
		w.emit("FMOVQ %s, F%d", w.at(arg), to[0])
	}
}

// copy moves a register.
func (w *neonWriter) copy(from, to int) {
	if from != to {
		w.all("VMOV", "B16", from, to)
	}
}

// move writes a load, a store or a copy.
func (w *neonWriter) move(from, to string) {
	switch {
	case isVector(from) && isVector(to):
		a, d := w.of(from), w.of(to)
		for i := range d {
			w.copy(a[i], d[i])
		}
	case sbOperand.MatchString(from):
		d := w.of(to)
		for _, r := range d {
			w.constant(from, r)
		}
	case isVector(to):
		w.load(from, w.of(to))
	default:
		if a := w.of(from); len(a) == 2 {
			w.emit("FSTPQ (F%d, F%d), %s", a[0], a[1], w.at(to))
		} else {
			w.emit("FMOVQ F%d, %s", a[0], w.at(to))
		}
	}
}

// broadcast repeats a number in memory.
func (w *neonWriter) broadcast(l asmLine) {
	d, e, size, shift := w.of(l.args[1]), "D", "FMOVD", 3
	if l.op == "VBROADCASTSS" {
		e, size, shift = "S", "FMOVS", 2
	}
	at := w.direct(l.args[0], shift)
	if d[0] == d[1] && at[0] == '(' && !strings.Contains(at, ")(") {
		w.emit("VLD1R %s, [V%d.%s]", at, d[0], arranged(e == "S"))
		return
	}
	w.emit("%s %s, F%d", size, at, d[0])
	if d[1] != d[0] {
		w.emit("VDUP V%d.%s[0], V%d.%s", d[0], e, d[1], arranged(e == "S"))
	}
	w.emit("VDUP V%d.%s[0], V%d.%s", d[0], e, d[0], arranged(e == "S"))
}

// fused writes d = a·d + b or a·d - b, rounded once: NEON adds products to its
// destination.
func (w *neonWriter) fused(l asmLine, half bool) {
	a, d, t := w.of(l.args[1]), w.of(l.args[2]), w.temp(0)
	for i := range d {
		switch {
		case l.op[:6] == "VFMSUB":
			w.two(armNeg, half, t, w.of(l.args[0])[i])
		case isVector(l.args[0]):
			w.copy(w.of(l.args[0])[i], t)
		default:
			w.constant(l.args[0], t)
		}
		w.all("VFMLA", arranged(half), a[i], d[i], t)
		w.copy(t, d[i])
	}
}

// compare writes all ones where a comparison holds, which is false with NaN.
func (w *neonWriter) compare(l asmLine, half bool) {
	a, d := w.of(l.args[2]), w.of(l.args[3])
	b := w.source(l.args[1], d, l.args[2] != l.args[3])
	predicate, err := strconv.ParseInt(l.args[0][1:], 0, 32)
	if err != nil {
		w.fail(l, err.Error())
	}
	for i := range d {
		switch predicate {
		case 0:
			w.three(armEq, half, d[i], a[i], b[i])
		case 3:
			if l.args[1] != l.args[2] {
				w.fail(l, "only a register with itself")
			}
			w.three(armEq, half, d[i], a[i], b[i])
			w.not(d[i], d[i])
		case lt:
			w.three(armGt, half, d[i], b[i], a[i])
		case le:
			w.three(armGe, half, d[i], b[i], a[i])
		case ge:
			w.three(armGe, half, d[i], a[i], b[i])
		case gt:
			w.three(armGt, half, d[i], a[i], b[i])
		default:
			w.fail(l, "no such predicate")
		}
	}
}

// blend writes a where the sign of the mask is set, else b.
func (w *neonWriter) blend(l asmLine, half bool) {
	m, a, b, d := w.of(l.args[0]), w.of(l.args[1]), w.of(l.args[2]), w.of(l.args[3])
	for i := range d {
		to := d[i]
		if to == a[i] || to == b[i] {
			to = w.temp(0)
		}
		w.two(armLess, half, to, m[i])
		w.choose(to, a[i], b[i], d[i])
	}
}

// choose writes a where the bits of mask are set, else b; mask is d or a spare register.
func (w *neonWriter) choose(mask, a, b, d int) {
	switch d {
	case mask:
		w.all("VBSL", "B16", b, a, d)
	case a:
		w.all("VBIF", "B16", mask, b, d)
	default:
		w.all("VBIT", "B16", mask, a, d)
	}
}

// extreme writes the larger or the smaller of a and b, as amd64 does: b where one is
// NaN or both are zeros.
func (w *neonWriter) extreme(l asmLine, half bool) {
	a, d := w.of(l.args[1]), w.of(l.args[2])
	b := w.source(l.args[0], d, l.args[1] != l.args[2])
	for i := range d {
		to := d[i]
		if to == a[i] || to == b[i] {
			to = w.temp(1)
		}
		if l.op[:4] == "VMAX" {
			w.three(armGt, half, to, a[i], b[i])
		} else {
			w.three(armGt, half, to, b[i], a[i])
		}
		w.choose(to, a[i], b[i], d[i])
	}
}

// gather writes words of a table by their indices.
func (w *neonWriter) gather(l asmLine) {
	table, index, _ := strings.Cut(strings.TrimSuffix(l.args[1], "*8)"), ")(")
	base, from, d := general[table[1:]], w.of(index), w.of(l.args[2])
	for i := range d {
		w.emit("VMOV V%d.D[0], R6", from[i])
		w.emit("VMOV V%d.D[1], R7", from[i])
		w.emit("ADD R7<<3, %s, R7", base)
		w.emit("FMOVD (%s)(R6<<3), F%d", base, d[i])
		w.emit("VLD1 (R7), V%d.D[1]", d[i])
	}
}

// unlessAll jumps where a mask is not full.
func (w *neonWriter) unlessAll(mask, label string) {
	m, t := w.of(mask), w.temp(0)
	from := m[0]
	if len(m) == 2 {
		w.all("VAND", "B16", m[1], m[0], t)
		from = t
	}
	w.least(t, from)
	w.emit("FMOVS F%d, R6", t)
	w.emit("CMNW $1, R6")
	w.emit("BNE %s", label)
}

// any compares with 0, so that it is not equal where the mask has a one.
func (w *neonWriter) any(mask string) {
	m, t := w.of(mask), w.temp(0)
	w.all("VORR", "B16", m[1], m[0], t)
	w.greatest(t, t)
	w.emit("FMOVS F%d, R6", t)
	w.emit("CMPW $0, R6")
}

// maskRegisters hold the words of a mask.
var maskRegisters = []string{"R21", "R22", "R23", "R24"}

// maskMove writes a load or a store of the first elements, which have ones in the mask;
// what is not loaded is 0.
func (w *neonWriter) maskMove(l asmLine, half bool) {
	load := isVector(l.args[2])
	mem, mask, x := l.args[0], w.of(l.args[1]), l.args[2]
	if !load {
		mem, x = l.args[2], l.args[0]
	}
	d := w.of(x)
	mask = mask[:len(d)]
	at, partly, done := w.at(mem), w.mark(), w.mark()
	w.emit("VMOV V%d.D[1], R6", mask[len(mask)-1])
	w.emit("TBZ $63, R6, %s", partly)
	if load {
		w.load(mem, d)
	} else {
		w.move(x, mem)
	}
	w.emit("JMP %s", done)
	fmt.Fprintf(&w.out, "%s:\n", partly)
	w.emit("MOVD $%s, R7", at)
	for i := range 2 * len(d) {
		w.emit("VMOV V%d.D[%d], %s", mask[i/2], i%2, maskRegisters[i])
	}
	for i := range d {
		if load {
			w.all("VEOR", "B16", d[i], d[i], d[i])
		}
	}
	e, bytes := "D", 8
	if half {
		e, bytes = "S", 4
	}
	lanes := 16 / bytes
	for i := range lanes*len(d) - 1 { // the last is not there
		w.emit("TBZ $%d, %s, %s", i*bytes%8*8, maskRegisters[i*bytes/8], done)
		if load {
			w.emit("VLD1.P %d(R7), V%d.%s[%d]", bytes, d[i/lanes], e, i%lanes)
		} else {
			w.emit("VST1.P V%d.%s[%d], %d(R7)", d[i/lanes], e, i%lanes, bytes)
		}
	}
	fmt.Fprintf(&w.out, "%s:\n", done)
}
