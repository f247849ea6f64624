package main

import (
	"fmt"
	"regexp"
	"strings"
)

// general is the general registers by those of amd64. R6, R7 and R21 to R24 are for
// single instructions, R16, R17, R19 and R20 for addresses.
var general = map[string]string{"AX": "R0", "CX": "R1", "DX": "R2", "BX": "R3", "SI": "R4",
	"DI": "R5", "R8": "R8", "R9": "R9", "R10": "R10", "R11": "R11", "R12": "R12", "R13": "R13",
	"R14": "R14", "R15": "R15"}

var addressRegisters = []string{"R16", "R17", "R19", "R20"}

// jumps is conditional jumps by those of amd64.
var jumps = map[string]string{"JEQ": "BEQ", "JZ": "BEQ", "JNE": "BNE", "JNZ": "BNE", "JLT": "BLT",
	"JLE": "BLE", "JGT": "BGT", "JGE": "BGE", "JHI": "BHI", "JCC": "BHS"}

func asksFlags(op string) bool {
	return jumps[op] != "" || strings.HasPrefix(op, "CMOV") || strings.HasPrefix(op, "SET")
}

// An address is a base, an index and its shift, whose sum is in a register.
type address struct {
	base, index, register string
	shift                 int
}

var memory = regexp.MustCompile(`^(-?\d*)\((\w+)\)(?:\((\w+)\*([1248])\))?$`)

var shifts = map[string]int{"1": 0, "2": 1, "4": 2, "8": 3}

// at is a memory operand with at most a number and a register.
func (w *neonWriter) at(arg string) string {
	if strings.HasSuffix(arg, "(FP)") {
		return arg
	}
	m := memory.FindStringSubmatch(arg)
	if m == nil {
		panic(w.name + ": no address: " + arg)
	}
	if m[3] == "" {
		return fmt.Sprintf("%s(%s)", m[1], general[m[2]])
	}
	return fmt.Sprintf("%s(%s)", m[1], w.sum(general[m[2]], general[m[3]], shifts[m[4]]))
}

// sum is a register with a base and a shifted index, added up where none has them yet.
func (w *neonWriter) sum(base, index string, shift int) string {
	for _, a := range w.addresses {
		if a.base == base && a.index == index && a.shift == shift {
			return a.register
		}
	}
	r := addressRegisters[w.next%len(addressRegisters)]
	w.next++
	w.forget(func(a address) bool { return a.register == r })
	w.emit("ADD %s, %s, %s", shifted(index, shift), base, r)
	w.addresses = append(w.addresses, address{base, index, r, shift})
	return r
}

func shifted(r string, by int) string {
	if by == 0 {
		return r
	}
	return fmt.Sprintf("%s<<%d", r, by)
}

func (w *neonWriter) forget(which func(a address) bool) {
	var kept []address
	for _, a := range w.addresses {
		if !which(a) {
			kept = append(kept, a)
		}
	}
	w.addresses = kept
}

// writes says that a general register has another value from here on.
func (w *neonWriter) writes(r string) {
	w.forget(func(a address) bool { return a.base == r || a.index == r })
}

// direct is a memory operand of one element of so many bytes: an index without a number
// needs no sum.
func (w *neonWriter) direct(arg string, shift int) string {
	m := memory.FindStringSubmatch(arg)
	if m != nil && (m[1] == "" || m[1] == "0") && m[3] != "" && shifts[m[4]] == shift {
		return fmt.Sprintf("(%s)(%s)", general[m[2]], shifted(general[m[3]], shift))
	}
	return w.at(arg)
}

// value is an operand that is a number or a general register.
func value(arg string) string {
	if arg[0] == '$' {
		return arg
	}
	return general[arg]
}

// general writes an instruction on general registers.
func (w *neonWriter) general(l asmLine) {
	if j := jumps[l.op]; j != "" {
		w.emit("%s %s", j, l.args[0])
		return
	}
	s := ""
	if w.branches {
		s = "S"
	}
	last := ""
	if n := len(l.args); n > 0 {
		last = l.args[n-1]
	}
	r := general[last]
	switch l.op {
	case "PCALIGN":
		w.emit("PCALIGN $16")
	case "RET":
		w.emit("RET")
	case "JMP":
		if r != "" {
			w.emit("JMP (%s)", r)
		} else {
			w.emit("JMP %s", last)
		}
	case "CMPQ":
		w.emit("CMP %s, %s", value(last), general[l.args[0]])
	case "TESTQ":
		w.emit("CMP $0, %s", r)
	case "SETNE":
		w.emit("CSET NE, R6")
		w.emit("MOVB R6, %s", last)
	case "CMOVQHI":
		w.emit("CSEL HI, %s, %s, %s", general[l.args[0]], r, r)
	case "ADDQ", "SUBQ":
		w.emit("%s%s %s, %s, %s", l.op[:3], s, value(l.args[0]), r, r)
	case "INCQ":
		w.emit("ADD%s $1, %s, %s", s, r, r)
	case "DECQ":
		w.emit("SUB%s $1, %s, %s", s, r, r)
	default:
		if s != "" {
			w.fail(l, "sets no flags")
		}
		w.plain(l, r, last)
	}
	if r != "" && l.op != "CMPQ" && l.op != "TESTQ" {
		w.writes(r)
	}
}

// plain writes an instruction that sets no flags.
func (w *neonWriter) plain(l asmLine, r, last string) {
	switch l.op {
	case "NEGQ":
		w.emit("NEG %s, %s", r, r)
	case "XORQ":
		if l.args[0] != last {
			w.fail(l, "only a register with itself")
		}
		w.emit("MOVD $0, %s", r)
	case "IMULQ":
		w.emit("MUL %s, %s, %s", general[l.args[0]], r, r)
	case "SHLQ":
		w.emit("LSL %s, %s, %s", l.args[0], r, r)
	case "SHRQ":
		w.emit("LSR %s, %s, %s", l.args[0], r, r)
	case "LEAQ":
		w.lea(l.args[0], r)
	case "MOVQ":
		switch from := l.args[0]; {
		case r == "":
			w.emit("MOVD %s, %s", general[from], w.direct(last, 3))
		case from[0] == '$' || general[from] != "":
			w.emit("MOVD %s, %s", value(from), r)
		default:
			w.emit("MOVD %s, %s", w.direct(from, 3), r)
		}
	case "MOVLQSX":
		w.emit("MOVW %s, %s", w.direct(l.args[0], 2), r)
	case "MOVLQZX":
		w.emit("MOVWU %s, %s", w.direct(l.args[0], 2), r)
	case "MOVBQZX":
		w.emit("MOVBU %s, %s", w.direct(l.args[0], 0), r)
	default:
		w.fail(l, "no form for arm64: add one to neongeneral.go")
	}
}

var scaled = regexp.MustCompile(`^\((\w+)\*([1248])\)$`)

// lea writes an address into a register.
func (w *neonWriter) lea(from, r string) {
	if strings.HasSuffix(from, "(SB)") {
		w.emit("MOVD $%s, %s", from, r)
		return
	}
	if m := scaled.FindStringSubmatch(from); m != nil {
		w.emit("LSL $%d, %s, %s", shifts[m[2]], general[m[1]], r)
		return
	}
	m := memory.FindStringSubmatch(from)
	base := general[m[2]]
	if m[3] != "" {
		w.emit("ADD %s, %s, %s", shifted(general[m[3]], shifts[m[4]]), base, r)
		base = r
	}
	if m[1] != "" && m[1] != "0" {
		w.emit("ADD $%s, %s, %s", m[1], base, r)
	}
}
