package main

import "fmt"

// tileParams are the parameters of a tile of numbers of the given kind.
func tileParams(kind string) []param {
	return []param{{"a", "*" + kind}, {"ai", "int"}, {"ap", "int"}, {"b", "*" + kind},
		{"bp", "int"},
		{"c", "*" + kind}, {"ci", "int"}, {"k", "int"}, {"cols", "int"}, {"zero", "int"}}
}

// spareRegisters is how many registers of a tile hold broadcast elements of A.
const spareRegisters = 2

// A tileWriter writes one register tile of a matrix product. Its vector registers are, in
// this order, the accumulators, a row of B, and broadcast elements of A.
type tileWriter struct {
	*file
	isa         vectors
	p           float
	rows, width int
	masks       []string // registers with the masks of columns that are there
}

// writeTile writes the tile of that many rows and registers a row; gemm says what it computes.
func writeTile(f *file, isa vectors, p float, name string, rows, width int) {
	params := tileParams(p.kind)
	f.static(name, params)
	t := &tileWriter{file: f, isa: isa, p: p, rows: rows, width: width,
		masks: make([]string, width)}
	have := 16
	if t.wide() {
		have = 32
	}
	if rows*width+width+spareRegisters > have {
		panic("too many registers")
	}
	t.arguments(params)
	t.setMasks()
	t.begin(params)
	t.loop()
	t.store()
	f.op("VZEROUPPER")
	f.op("RET")
}

func (t *tileWriter) wide() bool             { return t.isa.name == "avx512" }
func (t *tileWriter) reg(i int) string       { return fmt.Sprintf("%s%d", t.isa.reg, i) }
func (t *tileWriter) acc(i, v int) string    { return t.reg(i*t.width + v) }
func (t *tileWriter) b(v int) string         { return t.reg(t.rows*t.width + v) }
func (t *tileWriter) broadcast(i int) string { return t.reg((t.rows+1)*t.width + i%spareRegisters) }

// tileBases are registers with the addresses of rows 0, 3, 6, … of A: rows are in triples, at
// base, base + ai and base + 2 ai.
var tileBases = []string{"R8", "R9", "R10", "R11", "R12"}

// row is the address of row i of A.
func (t *tileWriter) row(i int) string {
	return "(" + tileBases[i/3] + ")" + []string{"", "(R13*1)", "(R13*2)"}[i%3]
}

// arguments loads the arguments, and makes bytes of strides and addresses of triples of rows.
func (t *tileWriter) arguments(params []param) {
	t.load(params, "a", "R8")
	t.load(params, "ai", "R13")
	t.load(params, "ap", "DX")
	t.load(params, "b", "SI")
	t.load(params, "bp", "AX")
	t.load(params, "c", "DI")
	t.load(params, "ci", "BX")
	t.load(params, "k", "CX")
	t.load(params, "cols", "R15")
	for _, r := range []string{"R13", "DX", "AX", "BX"} {
		t.op("SHLQ", fmt.Sprintf("$%d", t.p.shift), r)
	}
	if triples := (t.rows + 2) / 3; triples > 1 {
		t.op("LEAQ", "(R13)(R13*2)", "R14")
		for i := 1; i < triples; i++ {
			t.op("LEAQ", "("+tileBases[i-1]+")(R14*1)", tileBases[i])
		}
	}
}

// setMasks makes the masks of the first cols columns. With AVX2 they are vectors, kept where
// B will be, and loaded again at the end.
func (t *tileWriter) setMasks() {
	if t.wide() {
		lanes := t.isa.bytes / t.p.bytes
		t.op("MOVQ", "$-1", "R14")
		t.op("BZHIQ", "R15", "R14", "R14")
		for v := range t.width {
			t.masks[v] = fmt.Sprintf("K%d", v+1)
			t.op("KMOVQ", "R14", t.masks[v])
			if v+1 < t.width {
				t.op("SHRQ", fmt.Sprintf("$%d", lanes), "R14")
			}
		}
		return
	}
	t.op("NEGQ", "R15")
	t.op("LEAQ", fmt.Sprintf("tileMask%s<>+%d(SB)", t.p.name, 2*t.isa.bytes), "R14")
	t.op("LEAQ", fmt.Sprintf("(R14)(R15*%d)", t.p.bytes), "R15")
	for v := range t.width {
		t.masks[v] = t.b(v)
	}
	t.loadMasks()
}

// loadMasks loads the masks of AVX2 from where R15 points.
func (t *tileWriter) loadMasks() {
	for v := range t.width {
		t.op("VMOVUPD", fmt.Sprintf("%d(R15)", v*t.isa.bytes), t.masks[v])
	}
}

// begin sets the accumulators to C, or to zeros.
func (t *tileWriter) begin(params []param) {
	t.op("MOVQ", params[9].name+"+72(FP)", "R14")
	t.op("TESTQ", "R14", "R14")
	t.op("JNZ", "zero")
	t.op("MOVQ", "DI", "R14")
	for i := range t.rows {
		for v := range t.width {
			mem := fmt.Sprintf("%d(R14)", v*t.isa.bytes)
			if t.wide() {
				t.op("VMOVU"+t.p.packed+".Z", mem, t.masks[v], t.acc(i, v))
			} else {
				t.op("VMASKMOV"+t.p.packed, mem, t.masks[v], t.acc(i, v))
			}
		}
		if i+1 < t.rows {
			t.op("ADDQ", "BX", "R14")
		}
	}
	t.op("JMP", "begin")
	t.label("zero")
	clear := "VXORPD"
	if t.wide() {
		clear = "VPXORQ"
	}
	for i := range t.rows {
		for v := range t.width {
			t.op(clear, t.acc(i, v), t.acc(i, v), t.acc(i, v))
		}
	}
	t.label("begin")
}

// loop adds the products.
func (t *tileWriter) loop() {
	t.op("TESTQ", "CX", "CX")
	t.op("JLE", "end")
	t.op("PCALIGN", "$32")
	t.label("loop")
	for v := range t.width {
		mem := fmt.Sprintf("%d(SI)", v*t.isa.bytes)
		if t.wide() {
			t.op("VMOVU"+t.p.packed+".Z", mem, t.masks[v], t.b(v))
		} else {
			t.op("VMOVU"+t.p.packed, mem, t.b(v))
		}
	}
	t.op("ADDQ", "AX", "SI")
	for i := range t.rows {
		t.op("VBROADCAST"+t.p.scalar, t.row(i), t.broadcast(i))
		for v := range t.width {
			t.op("VFMADD231"+t.p.packed, t.b(v), t.broadcast(i), t.acc(i, v))
		}
		if i%3 == 2 || i == t.rows-1 {
			t.op("ADDQ", "DX", tileBases[i/3])
		}
	}
	t.op("DECQ", "CX")
	t.op("JNZ", "loop")
	t.label("end")
}

// store writes the accumulators to C.
func (t *tileWriter) store() {
	if !t.wide() {
		t.loadMasks()
	}
	for i := range t.rows {
		for v := range t.width {
			mem := fmt.Sprintf("%d(DI)", v*t.isa.bytes)
			if t.wide() {
				t.op("VMOVU"+t.p.packed, t.acc(i, v), t.masks[v], mem)
			} else {
				t.op("VMASKMOV"+t.p.packed, t.acc(i, v), t.masks[v], mem)
			}
		}
		if i+1 < t.rows {
			t.op("ADDQ", "BX", "DI")
		}
	}
}
