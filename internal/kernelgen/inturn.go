package main

import (
	"fmt"
	"math"
)

// drawsInTurn writes the draws of categories by their counts, for up to 32 categories and up to 64.
func drawsInTurn() *file {
	f := &file{}
	pool := &constants{label: "inturnavx512"}
	for _, vectors := range []int{4, 8} {
		w := &turnWriter{file: f, pool: pool, vectors: vectors}
		w.write()
	}
	pool.write(f)
	return f
}

// A turnWriter keeps the counts in the first registers, Z0 on, and the weights of a draw from Z8
// on. One draw waits for the one before, so all that counts is how long the way is from counts to
// new counts. On it are the weights, their sums by fours, the running sums of these, the bound, and
// two comparisons. Category looks for the four first and then for the number in it. Here all
// running sums are made at once while the bound is on its way: of the numbers up to a lane, and of
// those before it. The category is where the first is above the bound and the second is not, and
// that mask adds to the counts, without a way over general registers.
//
// Running sums by fours and by numbers are rounded differently. So a draw counts only if the lanes
// above the bound are all from one on, and those whose sum before is not above it are all up to
// that one: then Category finds the same. Any other is left to Go.
//
// DI has the draws, SI the old ones, DX the uniform numbers, CX what each weighs in the counts, R8
// the weights, R9 the room, R10 the end, R11 how far weights are from the next ones, R12 the number
// of fours, BX that of single numbers after them, and AX the draw.
type turnWriter struct {
	*file
	pool    *constants
	vectors int
	params  []param
}

// The registers of turnWriter, besides counts and weights.
const (
	turnBefore = 16 // sums of the numbers before a lane, of each vector
	turnWeight = "Z24"
	turnFours  = "Z27"
	turnRoom   = "Z28"
)

// turnTotal is the running sum of j fours, in all lanes.
func turnTotal(j int) string { return z(25 + j%2) }

// turnAdded is where the room of draws in turn has what is added to counts, in bytes; before it are
// the counts without the category that is drawn.
const turnAdded = 512

func (w *turnWriter) write() {
	name := fmt.Sprintf("drawInTurn%davx512", 8*w.vectors)
	w.params = []param{{"dst", "*float64"}, {"z", "*float64"}, {"u", "*float64"},
		{"c", "*float64"}, {"w", "*float64"}, {"a", "*float64"}, {"s", "*float64"},
		{"room", "*[128]float64"}, {"at", "int"}, {"n", "int"}, {"k", "int"}}
	w.functionOf(name, name+fmt.Sprintf(" draws categories from number at on, of more than %d and "+
		"at most %d kinds. It\n// returns the number of the first that it leaves to Go: it is n, or "+
		"a category that has left\n// the counts.", w.least(), 8*w.vectors), w.params, "(done int)")
	for _, p := range [][2]string{{"dst", "DI"}, {"z", "SI"}, {"u", "DX"}, {"c", "CX"}, {"w", "R8"},
		{"room", "R9"}, {"at", "AX"}, {"n", "R10"}, {"k", "BX"}} {
		w.load(w.params, p[0], p[1])
	}
	w.masks()
	w.op("MOVQ", "BX", "R11")
	w.op("SHLQ", "$3", "R11")
	w.op("MOVQ", "BX", "R12")
	w.op("SHRQ", "$2", "R12")
	w.op("ANDQ", "$3", "BX")
	w.counts()
	w.op("MOVQ", "AX", "R14")
	w.op("IMULQ", "R11", "R14")
	w.op("ADDQ", "R14", "R8")
	w.label("draw")
	w.op("CMPQ", "AX", "R10")
	w.op("JGE", "end")
	w.weigh()
	for r := range w.vectors {
		w.add(r)
	}
	w.find()
	w.join()
	w.op("ADDQ", "R11", "R8")
	w.op("INCQ", "AX")
	w.op("JMP", "draw")
	for j := range 2 * w.vectors {
		w.singles(j)
	}
	w.label("leave")
	for r := range w.vectors {
		w.op("VMOVUPD", fmt.Sprintf("%d(R9)", 64*r), z(r))
	}
	w.label("end")
	w.load(w.params, "s", "R15")
	for r := range w.vectors {
		w.masked("VMOVUPD", r, z(r), fmt.Sprintf("%d(R15)", 64*r))
	}
	w.op("MOVQ", "AX", fmt.Sprintf("done+%d(FP)", 8*len(w.params)))
	w.op("VZEROUPPER")
	w.op("RET")
}

// least is the number of kinds that the function for less has at most, or that are left to Go.
func (w *turnWriter) least() int {
	if w.vectors == 4 {
		return 3
	}
	return 4 * w.vectors
}

// mask is the register with the mask of counts of vector r; "" where all are there.
func (w *turnWriter) mask(r int) string {
	if r < w.vectors-4 {
		return ""
	}
	return fmt.Sprintf("K%d", 1+r-(w.vectors-4))
}

// masked writes an instruction from x to y under the mask of vector r.
func (w *turnWriter) masked(name string, r int, x, y string) {
	switch m := w.mask(r); {
	case m == "":
		w.op(name, x, y)
	case y[0] == 'Z':
		w.op(name+".Z", x, m, y)
	default:
		w.op(name, x, m, y)
	}
}

// masks has a bit for each of the kinds, of which BX is the number, in K1 to K4, and the lanes from
// the second and from the third of each four on in K5 and K6.
func (w *turnWriter) masks() {
	w.op("MOVQ", "$-1", "R15")
	w.op("BZHIQ", "BX", "R15", "R15")
	for r := range w.vectors {
		if m := w.mask(r); m != "" {
			if r > 0 {
				w.op("MOVQ", "R15", "R14")
				w.op("SHRQ", fmt.Sprintf("$%d", 8*r), "R14")
				w.op("KMOVB", "R14", m)
			} else {
				w.op("KMOVB", "R15", m)
			}
		}
	}
	w.op("MOVQ", "$0xee", "R14")
	w.op("KMOVB", "R14", "K5")
	w.op("MOVQ", "$0xcc", "R14")
	w.op("KMOVB", "R14", "K6")
}

// lane is the constant with the numbers of eight lanes from 8·v on.
func (w *turnWriter) lane(v int) string {
	var x [8]uint64
	for i := range x {
		x[i] = math.Float64bits(float64(8*v + i))
	}
	return w.pool.at(x)
}

// counts loads the counts, and what is added to them.
func (w *turnWriter) counts() {
	w.load(w.params, "a", "R14")
	w.load(w.params, "s", "R15")
	for r := range w.vectors {
		w.masked("VMOVUPD", r, fmt.Sprintf("%d(R15)", 64*r), z(r))
		w.masked("VMOVUPD", r, fmt.Sprintf("%d(R14)", 64*r), turnRoom)
		w.op("VMOVUPD", turnRoom, fmt.Sprintf("%d(R9)", turnAdded+64*r))
	}
}

// weigh takes category AX out of the counts and makes the weights. Afterwards K7 has the last lane
// of each four.
func (w *turnWriter) weigh() {
	w.op("VBROADCASTSD", "(SI)(AX*8)", turnRoom)
	w.op("VBROADCASTSD", "(CX)(AX*8)", turnWeight)
	for r := range w.vectors {
		w.op("VCMPPD", "$0", w.lane(r), turnRoom, "K7")
		w.op("VSUBPD", turnWeight, z(r), "K7", z(r))
		w.op("VMOVUPD", z(r), fmt.Sprintf("%d(R9)", 64*r))
	}
	for r := range w.vectors {
		p := z(8 + r)
		w.op("VADDPD", fmt.Sprintf("%d(R9)", turnAdded+64*r), z(r), p)
		if m := w.mask(r); m != "" {
			w.op("VMULPD.Z", fmt.Sprintf("%d(R8)", 64*r), p, m, p)
		} else {
			w.op("VMULPD", fmt.Sprintf("%d(R8)", 64*r), p, p)
		}
	}
	w.op("MOVQ", "$0x88", "R13")
	w.op("KMOVB", "R13", "K7")
}

// add makes the running sums of vector r: up to each number, in place of the weights, and before
// it. Both begin with the running sum of the fours before.
func (w *turnWriter) add(r int) {
	p, before := z(8+r), z(turnBefore+r)
	w.op("VPERMILPD", "$0x55", p, turnFours)
	w.op("VADDPD", p, turnFours, turnFours)
	w.op("VPERMPD", "$0x4e", turnFours, turnRoom)
	w.op("VADDPD", turnRoom, turnFours, turnFours)
	if r == 0 {
		w.op("VXORPD", before, before, before)
	} else {
		w.op("VMOVAPD", turnTotal(2*r), before)
	}
	for half := range 2 {
		j := 2*r + half
		w.op("CMPQ", "R12", fmt.Sprintf("$%d", j))
		w.op("JLE", fmt.Sprintf("single%d", j))
		to := turnRoom
		if j == 0 {
			to = turnTotal(1)
		}
		w.op("VSHUFF64X2", []string{"$0x00", "$0xaa"}[half], turnFours, turnFours, to)
		if j > 0 {
			w.op("VADDPD", turnRoom, turnTotal(j), turnTotal(j+1))
		}
		w.label(fmt.Sprintf("four%d", j))
		if half == 0 {
			w.op("VINSERTF64X4", "$1", fmt.Sprintf("Y%d", 25+(j+1)%2), before, before)
		}
	}
	for i := range 3 {
		w.op("VPERMPD", []string{"$0x00", "$0x55", "$0xaa"}[i], p, z(29+i))
	}
	w.op("VADDPD", "Z29", before, turnRoom)
	w.op("VADDPD", "Z29", before, "K5", before)
	w.op("VADDPD", "Z30", turnRoom, "K5", turnRoom)
	w.op("VADDPD", "Z30", before, "K6", before)
	w.op("VADDPD", "Z31", turnRoom, "K6", turnRoom)
	w.op("VADDPD", "Z31", before, "K7", before)
	w.op("VADDPD", p, turnRoom, "K7", turnRoom)
	w.op("VMOVAPD", turnRoom, p)
}

// singles writes what takes the place of four j where it is not whole: its numbers are added one
// after another, and where it has none the total stays.
func (w *turnWriter) singles(j int) {
	w.label(fmt.Sprintf("single%d", j))
	next, to := fmt.Sprintf("four%d", j), turnTotal(j+1)
	if j == 0 {
		w.op("VXORPD", to, to, to)
	} else {
		w.op("VMOVAPD", turnTotal(j), to)
	}
	w.op("CMPQ", "R12", fmt.Sprintf("$%d", j))
	w.op("JLT", next)
	for i := range 3 {
		w.op("CMPQ", "BX", fmt.Sprintf("$%d", i))
		w.op("JLE", next)
		w.op("VPERMPD", []string{"$0x00", "$0x55", "$0xaa"}[i], z(8+j/2), "Z31")
		w.op("VSHUFF64X2", []string{"$0x00", "$0xaa"}[j%2], "Z31", "Z31", "Z31")
		w.op("VADDPD", "Z31", to, to)
	}
	w.op("JMP", next)
}

// The comparisons with the bound.
const (
	turnGreater    = "$0x1e"
	turnNotGreater = "$0x12" // and no NaN
)

// compare has the lanes of vector r that are not greater in sums before them, in K0, and those that
// are greater in sums up to them, in K7.
func (w *turnWriter) compare(r int) {
	bound := turnTotal(2 * w.vectors)
	w.op("VCMPPD", turnNotGreater, bound, z(turnBefore+r), "K0")
	w.op("VCMPPD", turnGreater, bound, z(8+r), "K7")
}

// find has the category in R14.
func (w *turnWriter) find() {
	bound := turnTotal(2 * w.vectors)
	w.op("VBROADCASTSD", "(DX)(AX*8)", turnRoom)
	w.op("VMULPD", turnRoom, bound, bound)
	for r := range w.vectors {
		w.compare(r)
		if r == 0 {
			w.op("KMOVB", "K7", "R14")
			w.op("KMOVB", "K0", "R15")
			continue
		}
		for _, x := range [][2]string{{"K7", "R14"}, {"K0", "R15"}} {
			w.op("KMOVB", x[0], "R13")
			w.op("SHLQ", fmt.Sprintf("$%d", 8*r), "R13")
			w.op("ORQ", "R13", x[1])
		}
	}
	if w.vectors < 8 {
		w.op("MOVQ", fmt.Sprintf("$%d", -1<<(8*w.vectors)), "R13")
		w.op("ORQ", "R13", "R14")
	}
	w.op("BLSMSKQ", "R14", "R13")
	w.op("CMPQ", "R13", "R15")
	w.op("JNE", "leave")
	w.op("BLSIQ", "R14", "R13")
	w.op("ADDQ", "R14", "R13")
	w.op("JNE", "leave")
	w.op("TZCNTQ", "R14", "R14")
	w.op("JCS", "leave")
}

// join writes the category and adds it to the counts.
func (w *turnWriter) join() {
	w.op("VCVTSI2SDQ", "R14", "X28", "X28")
	w.op("VMOVSD", "X28", "(DI)(AX*8)")
	for r := range w.vectors {
		w.compare(r)
		w.op("KANDB", "K0", "K7", "K7")
		w.op("VADDPD", turnWeight, z(r), "K7", z(r))
	}
}
