package main

import (
	"strconv"
	"strings"
)

// scalarOps is instructions on one number, with what they are on arm64.
var scalarOps = map[string]string{"VADDSD": "FADDD", "VADDSS": "FADDS", "VMULSD": "FMULD",
	"VMULSS": "FMULS", "VMOVSD": "FMOVD", "VMOVSS": "FMOVS"}

// scalar writes an instruction on one number.
func (w *neonWriter) scalar(l asmLine) {
	shift, size, op := 3, "FMOVD", scalarOps[l.op]
	if strings.HasSuffix(l.op, "SS") {
		shift, size = 2, "FMOVS"
	}
	last := l.args[len(l.args)-1]
	if op == size {
		if isVector(last) {
			w.emit("%s %s, F%d", op, w.direct(l.args[0], shift), w.of(last)[0])
		} else {
			w.emit("%s F%d, %s", op, w.of(l.args[0])[0], w.direct(last, shift))
		}
		return
	}
	a, d := w.of(l.args[1])[0], w.of(last)[0]
	var b int
	if isVector(l.args[0]) {
		b = w.of(l.args[0])[0]
	} else {
		b = w.temp(0)
		w.emit("%s %s, F%d", size, w.direct(l.args[0], shift), b)
	}
	w.emit("%s F%d, F%d, F%d", op, b, a, d)
}

// number is the value of an immediate operand.
func number(arg string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(arg, "$"))
	if err != nil {
		panic(err)
	}
	return n
}

// rearrange writes conversions, shifts, and what moves elements within registers.
func (w *neonWriter) rearrange(l asmLine) {
	last := l.args[len(l.args)-1]
	var d []int
	if isVector(last) {
		d = w.of(last)
	}
	switch l.op {
	case "VPSLLQ", "VPSRLQ", "VPSLLD", "VPSRLD":
		name, e := "VSHL", arranged(l.op[5] == 'D')
		if l.op[3] == 'R' {
			name = "VUSHR"
		}
		for i, a := range w.of(l.args[1]) {
			w.emit("%s %s, V%d.%s, V%d.%s", name, l.args[0], a, e, d[i], e)
		}
	case "VPSRAD":
		for i, a := range w.of(l.args[1]) {
			w.shiftSigned(d[i], a, number(l.args[0]))
		}
	case "VCVTDQ2PS":
		for i, a := range w.of(l.args[0]) {
			w.fromInt(d[i], a)
		}
	case "VCVTPS2PD":
		from := d[1]
		if isVector(l.args[0]) {
			from = w.of(l.args[0])[0]
		} else {
			w.load(l.args[0], d[1:])
		}
		if from == d[0] {
			w.widenHigh(d[1], from)
			w.widenLow(d[0], from)
		} else {
			w.widenLow(d[0], from)
			w.widenHigh(d[1], from)
		}
	case "VCVTPD2PSY":
		from := []int{w.temp(0), w.temp(1)}
		if isVector(l.args[0]) {
			from = w.of(l.args[0])
		} else {
			w.load(l.args[0], from)
		}
		w.narrowLow(d[0], from[0])
		w.narrowHigh(d[0], from[1])
	case "VEXTRACTF128":
		w.copy(w.of(l.args[1])[1], d[0])
	case "VINSERTF128":
		if l.args[2] != last {
			w.fail(l, "only into the register that it starts from")
		}
		w.load(l.args[1], d[1:])
	case "VPERM2F128":
		a, b := w.of(l.args[2]), w.of(l.args[1])
		if l.args[0] == "$0x20" { // the lower halves of both
			w.copy(b[0], d[1])
			w.copy(a[0], d[0])
		} else { // $0x31, the upper ones
			w.copy(a[1], d[0])
			w.copy(b[1], d[1])
		}
	case "VMOVHLPS":
		w.emit("VDUP V%d.D[1], V%d.D2", w.of(l.args[0])[0], d[0])
	case "VMOVSHDUP":
		a := w.of(l.args[0])[0]
		w.all("VTRN2", "S4", a, a, d[0])
	default:
		w.fromGeneral(l, d)
	}
}

// fromGeneral writes moves of words into vectors, and their repetition.
func (w *neonWriter) fromGeneral(l asmLine, d []int) {
	switch l.op {
	case "VMOVQ":
		if r := general[l.args[0]]; r != "" {
			w.emit("FMOVD %s, F%d", r, d[0])
		} else {
			w.emit("FMOVD %s, F%d", w.direct(l.args[0], 3), d[0])
		}
	case "VPBROADCASTD", "VPBROADCASTB":
		from, e, all := w.of(l.args[0])[0], "S", "S4"
		if l.op == "VPBROADCASTB" {
			e, all = "B", "B16"
		}
		for i := len(d) - 1; i >= 0; i-- { // the first may be where it comes from
			w.emit("VDUP V%d.%s[0], V%d.%s", from, e, d[i], all)
		}
	default:
		w.fail(l, "no form for NEON: add one to neonvector.go or neonmove.go")
	}
}
