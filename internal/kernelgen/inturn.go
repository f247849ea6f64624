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
		w := &turnWriter{file: f, pool: pool, vectors: vectors, sums: vectors/2 - vectors/8}
		w.write()
	}
	pool.write(f)
	return f
}

// A turnWriter keeps the counts in the first registers and the weights of a draw in as many after
// them. Weights are summed by fours, and by single numbers after these, as Category does. Lane j of
// the sums, eight to a register, adds up as many of these as the j-th running sum has: zeros in
// place of the others. So no running sum waits for a shuffle, and the first that is above the bound
// is that with the category.
//
// DI has the draws, SI the old ones, DX the uniform numbers, CX what each weighs in the counts, R8
// the weights, R9 the room, R10 the end, R11 how far weights are from the next ones, R12 the number
// of fours, R13 that of running sums, BX that of single numbers, and AX the draw.
type turnWriter struct {
	*file
	pool          *constants
	vectors, sums int
	params        []param
}

// The room of draws in turn, in bytes: weights, what is added to counts, the running sums with a
// zero before them, and lanes of running sums that have one, two or three single numbers.
const (
	turnAdded = 512
	turnSums  = 1088
	turnLanes = turnSums + 3*64
)

func (w *turnWriter) write() {
	name := fmt.Sprintf("drawInTurn%davx512", 8*w.vectors)
	w.params = []param{{"dst", "*float64"}, {"z", "*float64"}, {"u", "*float64"},
		{"c", "*float64"}, {"w", "*float64"}, {"a", "*float64"}, {"s", "*float64"},
		{"room", "*[232]float64"}, {"at", "int"}, {"n", "int"}, {"k", "int"}}
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
	w.op("LEAQ", "(R12)(BX*1)", "R13")
	w.lanes()
	w.counts()
	w.op("MOVQ", "AX", "R14")
	w.op("IMULQ", "R11", "R14")
	w.op("ADDQ", "R14", "R8")
	w.label("draw")
	w.op("CMPQ", "AX", "R10")
	w.op("JGE", "end")
	w.weigh()
	w.add()
	w.find()
	w.join()
	w.op("ADDQ", "R11", "R8")
	w.op("INCQ", "AX")
	w.op("JMP", "draw")
	w.label("single")
	w.op("CMPQ", "R14", "R13")
	w.op("JGE", "end")
	w.op("LEAQ", "(R12)(R12*2)", "R15")
	w.op("ADDQ", "R15", "R14")
	w.op("JMP", "drawn")
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

// masks has a bit for each of the kinds, of which BX is the number.
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
}

// lane is the constant with the numbers of eight lanes from 8·v on.
func (w *turnWriter) lane(v int) string {
	var x [8]uint64
	for i := range x {
		x[i] = math.Float64bits(float64(8*v + i))
	}
	return w.pool.at(x)
}

// from is the constant with ones in all bits of the lanes from m on.
func (w *turnWriter) from(m int) string {
	var x [8]uint64
	for i := m; i < 8; i++ {
		x[i] = ^uint64(0)
	}
	return w.pool.at(x)
}

// lanes writes the lanes of running sums that have the single numbers.
func (w *turnWriter) lanes() {
	for r := range 3 {
		w.op("LEAQ", fmt.Sprintf("%d(R12)", r), "R14")
		w.op("VCVTSI2SDQ", "R14", "X16", "X16")
		w.op("VBROADCASTSD", "X16", "Z16")
		for v := range w.sums {
			w.op("VMOVUPD", w.lane(v), "Z17")
			w.op("VCMPPD", "$13", "Z16", "Z17", "K5") // lane ≥ the number of the sum
			w.op("VMOVUPD.Z", w.from(0), "K5", "Z17")
			w.op("VMOVUPD", "Z17", fmt.Sprintf("%d(R9)", turnLanes+64*(w.sums*r+v)))
		}
	}
}

// counts loads the counts, and what is added to them.
func (w *turnWriter) counts() {
	w.load(w.params, "a", "R14")
	w.load(w.params, "s", "R15")
	for r := range w.vectors {
		w.masked("VMOVUPD", r, fmt.Sprintf("%d(R15)", 64*r), z(r))
		w.masked("VMOVUPD", r, fmt.Sprintf("%d(R14)", 64*r), "Z17")
		w.op("VMOVUPD", "Z17", fmt.Sprintf("%d(R9)", turnAdded+64*r))
	}
}

// weigh takes category AX out of the counts and makes the weights.
func (w *turnWriter) weigh() {
	w.op("VBROADCASTSD", "(SI)(AX*8)", "Z17")
	w.op("VBROADCASTSD", "(CX)(AX*8)", "Z16")
	for r := range w.vectors {
		m := fmt.Sprintf("K%d", 5+r%3)
		w.op("VCMPPD", "$0", w.lane(r), "Z17", m)
		w.op("VSUBPD", "Z16", z(r), m, z(r))
	}
	for r := range w.vectors {
		p := z(w.vectors + r)
		w.op("VADDPD", fmt.Sprintf("%d(R9)", turnAdded+64*r), z(r), p)
		if m := w.mask(r); m != "" {
			w.op("VMULPD.Z", fmt.Sprintf("%d(R8)", 64*r), p, m, p)
		} else {
			w.op("VMULPD", fmt.Sprintf("%d(R8)", 64*r), p, p)
		}
		w.op("VMOVUPD", p, fmt.Sprintf("%d(R9)", 64*r))
	}
}

func (w *turnWriter) sum(v int) string { return z(19 + v) }

// add makes the running sums, and the total in all lanes of Z18.
func (w *turnWriter) add() {
	for r := range w.vectors {
		p := z(w.vectors + r)
		w.op("VPERMILPD", "$0x55", p, "Z17")
		w.op("VADDPD", "Z17", p, p)
		w.op("VPERMPD", "$0x4e", p, "Z17")
		w.op("VADDPD", "Z17", p, p)
	}
	for j := range 2 * w.vectors {
		if j >= (w.least()+1)/4 {
			w.op("CMPQ", "R12", fmt.Sprintf("$%d", j))
			w.op("JLE", "rest")
		}
		p := z(w.vectors + j/2)
		w.op("VSHUFF64X2", []string{"$0x00", "$0xaa"}[j%2], p, p, "Z17")
		if j == 0 {
			for _, to := range append([]string{"Z18"}, w.all()...) {
				w.op("VMOVAPD", "Z17", to)
			}
			continue
		}
		w.op("VADDPD", "Z17", "Z18", "Z18")
		for v := range w.sums {
			switch m := j - 8*v; {
			case m <= 0:
				w.op("VADDPD", "Z17", w.sum(v), w.sum(v))
			case m < 8:
				w.op("VANDPD", w.from(m), "Z17", "Z22")
				w.op("VADDPD", "Z22", w.sum(v), w.sum(v))
			}
		}
	}
	w.label("rest")
	w.op("MOVQ", "R12", "R14")
	w.op("SHLQ", "$5", "R14")
	for r := range 3 {
		w.op("CMPQ", "BX", fmt.Sprintf("$%d", r))
		w.op("JLE", "bound")
		w.op("VBROADCASTSD", fmt.Sprintf("%d(R9)(R14*1)", 8*r), "Z17")
		w.op("VADDPD", "Z17", "Z18", "Z18")
		for v := range w.sums {
			w.op("VANDPD", fmt.Sprintf("%d(R9)", turnLanes+64*(w.sums*r+v)), "Z17", "Z22")
			w.op("VADDPD", "Z22", w.sum(v), w.sum(v))
		}
	}
}

func (w *turnWriter) all() (list []string) {
	for v := range w.sums {
		list = append(list, w.sum(v))
	}
	return list
}

// find has the category in R14.
func (w *turnWriter) find() {
	w.label("bound")
	w.op("VBROADCASTSD", "(DX)(AX*8)", "Z17")
	w.op("VMULPD", "Z17", "Z18", "Z18")
	const notGreater = "$0x1a"
	for v := range w.sums {
		m := fmt.Sprintf("K%d", 5+v)
		w.op("VMOVUPD", w.sum(v), fmt.Sprintf("%d(R9)", turnSums+64*v))
		w.op("VCMPPD", notGreater, "Z18", w.sum(v), m)
	}
	w.op("KMOVB", "K5", "R14")
	for v := 1; v < w.sums; v++ {
		w.op("KMOVB", fmt.Sprintf("K%d", 5+v), "R15")
		w.op("SHLQ", fmt.Sprintf("$%d", 8*v), "R15")
		w.op("ORQ", "R15", "R14")
	}
	w.op("NOTQ", "R14")
	w.op("BTSQ", "R13", "R14")
	w.op("TZCNTQ", "R14", "R14")
	w.op("CMPQ", "R14", "R12")
	w.op("JGE", "single")
	w.op("VBROADCASTSD", fmt.Sprintf("%d(R9)(R14*8)", turnSums-8), "Y17")
	w.op("SHLQ", "$2", "R14")
	for i := range 4 {
		w.op("VBROADCASTSD", fmt.Sprintf("%d(R9)(R14*8)", 8*i), "Y22")
		if i > 0 {
			w.op("VANDPD", w.from(i), "Y22", "Y22")
		}
		w.op("VADDPD", "Y22", "Y17", "Y17")
	}
	w.op("VCMPPD", notGreater, "Y18", "Y17", "K5")
	w.op("KMOVB", "K5", "R15")
	w.op("BTQ", "$3", "R15")
	w.op("JCS", "end")
	w.op("ANDQ", "$7", "R15")
	w.op("POPCNTQ", "R15", "R15")
	w.op("ADDQ", "R15", "R14")
}

// join writes the category and adds it to the counts.
func (w *turnWriter) join() {
	w.label("drawn")
	w.op("MOVQ", "$1", "R15")
	w.op("SHLXQ", "R14", "R15", "R15")
	w.op("VCVTSI2SDQ", "R14", "X17", "X17")
	w.op("VMOVSD", "X17", "(DI)(AX*8)")
	for r := range w.vectors {
		m := fmt.Sprintf("K%d", 5+r%3)
		w.op("KMOVB", "R15", m)
		w.op("VADDPD", "Z16", z(r), m, z(r))
		if r+1 < w.vectors {
			w.op("SHRQ", "$8", "R15")
		}
	}
}
