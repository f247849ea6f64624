package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// toNEON writes assembly for AVX2 as assembly for arm64: a register of 256 bits is two
// of NEON, so that every kernel has the lanes, the order and the roundings that its
// description gives it. A general register is another one, an address with an index is
// added up first, and a load under a mask takes elements one by one unless the mask is
// full.
//
// The text has the forms that descriptions use: constants that stay in memory are
// repeated to the width of a register, masks have ones for the first elements and zeros
// for the others, and what gathers does so for all lanes.
func toNEON(text string) string {
	lines := strings.Split(text, "\n")
	repeated := constantsOf(lines)
	var out strings.Builder
	for i := 0; i < len(lines); {
		if !strings.HasPrefix(lines[i], "TEXT ") {
			out.WriteString(data(lines[i], repeated))
			i++
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end] != "" && !strings.HasPrefix(lines[end], "TEXT ") {
			end++
		}
		w := &neonWriter{name: lines[i], constants: repeated}
		for _, l := range lines[i+1 : end] {
			w.lines = append(w.lines, parseLine(l))
		}
		w.assign()
		w.write()
		out.WriteString(lines[i] + "\n" + w.out.String())
		i = end
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// sbOperand is constants in memory as an operand of vectors.
var sbOperand = regexp.MustCompile(`^(\w+<>)\+(\d+)\(SB\)$`)

// dataLine is a word of a table.
var dataLine = regexp.MustCompile(`^(DATA|GLOBL) (\w+<>)(?:\+(\d+))?\(SB\)(.*, )(\$?)(\w+)$`)

// poolWords is how many words of every constant there are for AVX-512, AVX2 and NEON.
const poolWords, neonWords = 8, 2

// constantsOf is the names of tables of constants, of which NEON needs two words each.
func constantsOf(lines []string) map[string]bool {
	names := map[string]bool{}
	for _, l := range lines {
		p := parseLine(l)
		if !strings.HasPrefix(p.op, "V") {
			continue
		}
		for _, a := range p.args {
			if m := sbOperand.FindStringSubmatch(a); m != nil {
				names[m[1]] = true
			}
		}
	}
	return names
}

// data is a line outside of functions; a constant is repeated twice instead of eight times.
func data(line string, repeated map[string]bool) string {
	m := dataLine.FindStringSubmatch(line)
	if m == nil || !repeated[m[2]] {
		return line + "\n"
	}
	if m[1] == "GLOBL" {
		size, _ := strconv.Atoi(m[6])
		return fmt.Sprintf("GLOBL %s(SB)%s$%d\n", m[2], m[4], size/poolWords*neonWords)
	}
	at, _ := strconv.Atoi(m[3])
	if at%(8*poolWords) >= 8*neonWords {
		return ""
	}
	return fmt.Sprintf("DATA %s+%d(SB)%s%s%s\n", m[2], poolOffset(at), m[4], m[5], m[6])
}

// poolOffset is where NEON has what is at an offset in a table of constants.
func poolOffset(at int) int {
	return at/(8*poolWords)*8*neonWords + at%(8*poolWords)
}

// An asmLine is an instruction, or a label, which has no operands and a name with a colon.
type asmLine struct {
	op   string
	args []string
}

func parseLine(l string) asmLine {
	op, rest, _ := strings.Cut(strings.TrimSpace(l), " ")
	if rest == "" {
		return asmLine{op: op}
	}
	return asmLine{op, strings.Split(rest, ", ")}
}

// A neonWriter writes one function.
type neonWriter struct {
	name      string
	lines     []asmLine
	out       strings.Builder
	constants map[string]bool // tables of constants
	halves    [16][]int       // the registers of NEON for each of AVX2
	spare     []int           // registers of NEON that are nobody's
	addresses []address       // sums of a base and an index that are in registers
	next      int             // of addressRegisters
	marks     int             // labels made
	mask      string          // of which the signs were asked for
	branches  bool            // whether the next line asks for flags
}

func (w *neonWriter) emit(format string, args ...any) {
	fmt.Fprintf(&w.out, "\t"+format+"\n", args...)
}

// mark is a new label.
func (w *neonWriter) mark() string {
	w.marks++
	return fmt.Sprintf("mark%d", w.marks)
}

func (w *neonWriter) fail(l asmLine, why string) {
	panic(fmt.Sprintf("%s: %s %s: %s", w.name, l.op, strings.Join(l.args, ", "), why))
}

var vectorRegister = regexp.MustCompile(`\b([XY])(\d+)\b`)

// assign finds registers. One of AVX2 that all lines use by its lower half is one of
// NEON, and so is one that only broadcasts write, as its halves are the same.
func (w *neonWriter) assign() {
	var whole, lower, mixed [16]bool
	for _, l := range w.lines {
		for i, a := range l.args {
			for _, m := range vectorRegister.FindAllStringSubmatch(a, -1) {
				n, _ := strconv.Atoi(m[2])
				whole[n] = whole[n] || m[1] == "Y"
				lower[n] = lower[n] || m[1] == "X"
				written := i == len(l.args)-1 && a == m[0]
				mixed[n] = mixed[n] || written && !strings.HasPrefix(l.op, "VBROADCAST")
			}
		}
	}
	r := 0
	for n := range 16 {
		switch {
		case whole[n] && (mixed[n] || lower[n]):
			w.halves[n] = []int{r, r + 1}
			r += 2
		case whole[n]:
			w.halves[n] = []int{r, r}
			r++
		case lower[n]:
			w.halves[n] = []int{r}
			r++
		}
	}
	for ; r < 32; r++ {
		w.spare = append(w.spare, r)
	}
}

// of is the registers of an operand: one for X, two for Y.
func (w *neonWriter) of(arg string) []int {
	n, _ := strconv.Atoi(arg[1:])
	if arg[0] == 'X' {
		return w.halves[n][:1]
	}
	return w.halves[n]
}

func isVector(arg string) bool { return vectorRegister.FindString(arg) == arg }

// temp is a register that is nobody's.
func (w *neonWriter) temp(i int) int {
	if i >= len(w.spare) {
		panic(w.name + ": no spare register")
	}
	return w.spare[i]
}

// constantsAt is where the constants of a function are.
const constantsAt = "R25"

func (w *neonWriter) write() {
	var pool []string
	for _, l := range w.lines {
		for _, a := range l.args {
			m := sbOperand.FindStringSubmatch(a)
			if m != nil && w.constants[m[1]] && !slices.Contains(pool, m[1]) {
				pool = append(pool, m[1])
			}
		}
	}
	switch len(pool) {
	case 0:
	case 1:
		w.emit("MOVD $%s(SB), %s", pool[0], constantsAt)
	default:
		panic(w.name + ": constants of two tables")
	}
	for len(w.lines) > 0 {
		n := w.sequence()
		if n == 0 {
			n = 1
			l := w.lines[0]
			w.branches = len(w.lines) > 1 && asksFlags(w.lines[1].op)
			switch {
			case strings.HasSuffix(l.op, ":"):
				w.addresses = nil
				fmt.Fprintf(&w.out, "%s\n", l.op)
			case strings.HasPrefix(l.op, "V"):
				w.vector(l)
			default:
				w.general(l)
			}
		}
		w.lines = w.lines[n:]
	}
}

// sequence writes the instructions at the head that mean something together, and returns
// how many they are, or 0.
func (w *neonWriter) sequence() int {
	op := func(i int) string {
		if i < len(w.lines) {
			return w.lines[i].op
		}
		return ""
	}
	l := w.lines[0]
	switch {
	case strings.Contains(l.op, "MOVMSK") && op(1) == "CMPL" && op(2) == "JNE":
		w.unlessAll(l.args[0], w.lines[2].args[0])
		return 3
	case strings.Contains(l.op, "MOVMSK"):
		w.mask = l.args[0]
		return 1
	case l.op == "TESTL":
		w.any(w.mask)
		return 1
	case l.op == "SHRQ" && l.args[0] == "$1" && op(1) == "JCC": // the carry is what is lost
		r := general[l.args[1]]
		w.writes(r)
		w.emit("TST $1, %s", r)
		w.emit("LSR $1, %s, %s", r, r)
		w.emit("BEQ %s", w.lines[1].args[0])
		return 2
	case l.op == "VXORPD" && op(1) == "VPCMPEQD" && op(2) == "VGATHERQPD": // set all lanes
		w.gather(w.lines[2])
		return 3
	}
	return 0
}
