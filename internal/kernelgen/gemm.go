package main

import "fmt"

// vectors describes an instruction set.
type vectors struct {
	name  string
	bytes int    // of a register
	reg   string // its letter
	rows  int    // of the tallest tile of a product, with two registers a row
}

var (
	avx2   = vectors{"avx2", 32, "Y", 6}
	avx512 = vectors{"avx512", 64, "Z", 14}
)

// A float is a precision.
type float struct {
	kind   string // in Go
	name   string // in the names of functions
	bytes  int
	shift  int    // log2 of it
	scalar string // suffix of instructions on one
	packed string // suffix of instructions on many
}

var (
	f64 = float{"float64", "64", 8, 3, "SD", "PD"}
	f32 = float{"float32", "32", 4, 2, "SS", "PS"}
)

var tileParams = func(kind string) []param {
	return []param{{"a", "*" + kind}, {"ai", "int"}, {"ap", "int"}, {"b", "*" + kind}, {"bp", "int"},
		{"c", "*" + kind}, {"ci", "int"}, {"k", "int"}, {"cols", "int"}, {"zero", "int"}}
}

// gemm writes the register tiles of matrix products: for every height up to
// that which fits into the registers and a width of one and two registers,
//
//	C[i, j] = (zero ? 0 : C[i, j]) + Σ_p A[i, p]·B[p, j],  j < cols
//
// each product added with one rounding, in the order of p. A[i, p] is at
// a + i·ai + p·ap elements, B[p, j] at b + p·bp + j, C[i, j] at c + i·ci + j.
// A is read as it lies: an element is broadcast whatever its strides.
func gemm(isa vectors) *file {
	f := &file{}
	for _, p := range []float{f64, f32} {
		params := append(tileParams(p.kind), param{"shape", "int"})
		entry := "tile" + p.name + isa.name
		f.function(entry, fmt.Sprintf("%s is the tile of the given shape: rows - 1, and %d more for one of two registers.", entry, isa.rows), params)
		f.load(params, "shape", "AX")
		f.op("LEAQ", entry+"s<>(SB)", "CX")
		f.op("MOVQ", "(CX)(AX*8)", "AX")
		f.op("JMP", "AX")
		var shapes []string
		for width := 1; width <= 2; width++ {
			for rows := 1; rows <= isa.rows; rows++ {
				name := fmt.Sprintf("tile%sx%dx%d%s", p.name, rows, width, isa.name)
				shapes = append(shapes, name)
				tile(f, isa, p, name, rows, width)
			}
		}
		fmt.Fprintf(&f.text, "\n")
		for i, name := range shapes {
			fmt.Fprintf(&f.text, "DATA %ss<>+%d(SB)/8, $%s<>(SB)\n", entry, 8*i, name)
		}
		fmt.Fprintf(&f.text, "GLOBL %ss<>(SB), RODATA, $%d\n", entry, 8*len(shapes))
		lines(f, isa, p)
		for width := 1; width <= 2; width++ {
			packRows(f, isa, p, fmt.Sprintf("packRows%sx%d%s", p.name, width, isa.name), width)
		}
		if isa.name == "avx2" {
			transpose(f, p)
			maskTable(f, "tileMask", p)
		}
	}
	return f
}

// maskTable holds the masks of two registers: ones for two registers, then
// zeros. From element 2·lanes − cols on it has cols ones.
func maskTable(f *file, label string, p float) { masks(f, label, p, 64) }

// masks holds that many bytes of ones, then of zeros.
func masks(f *file, label string, p float, bytes int) {
	lanes := bytes / 2 / p.bytes
	fmt.Fprintf(&f.text, "\n")
	for i := 0; i < 4*lanes; i += 8 / p.bytes {
		v := "$0xffffffffffffffff"
		if i >= 2*lanes {
			v = "$0"
		}
		fmt.Fprintf(&f.text, "DATA %s%s<>+%d(SB)/8, %s\n", label, p.name, i*p.bytes, v)
	}
	fmt.Fprintf(&f.text, "GLOBL %s%s<>(SB), RODATA|NOPTR, $%d\n", label, p.name, 4*lanes*p.bytes)
}

func tile(f *file, isa vectors, p float, name string, rows, width int) {
	params := tileParams(p.kind)
	f.static(name, params)
	reg := func(i int) string { return fmt.Sprintf("%s%d", isa.reg, i) }
	wide := isa.name == "avx512"
	// Registers: accumulators, then the row of B, then broadcast elements of A.
	acc := func(i, v int) string { return reg(i*width + v) }
	b := func(v int) string { return reg(rows*width + v) }
	spare := 2
	if rows*width+width+spare > map[bool]int{false: 16, true: 32}[wide] {
		panic("too many registers")
	}
	cast := func(i int) string { return reg(rows*width + width + i%spare) }
	// Rows of A in triples: at base, base + ai, base + 2 ai.
	bases := []string{"R8", "R9", "R10", "R11", "R12"}
	triples := (rows + 2) / 3
	at := func(i int) string { return bases[i/3] + []string{"", "(R13*1)", "(R13*2)"}[i%3] }
	address := func(i int) string {
		if i%3 == 0 {
			return "(" + at(i) + ")"
		}
		return "(" + bases[i/3] + ")" + []string{"", "(R13*1)", "(R13*2)"}[i%3]
	}

	f.load(params, "a", "R8")
	f.load(params, "ai", "R13")
	f.load(params, "ap", "DX")
	f.load(params, "b", "SI")
	f.load(params, "bp", "AX")
	f.load(params, "c", "DI")
	f.load(params, "ci", "BX")
	f.load(params, "k", "CX")
	f.load(params, "cols", "R15")
	for _, r := range []string{"R13", "DX", "AX", "BX"} {
		f.op("SHLQ", fmt.Sprintf("$%d", p.shift), r)
	}
	if triples > 1 {
		f.op("LEAQ", "(R13)(R13*2)", "R14")
		for t := 1; t < triples; t++ {
			f.op("LEAQ", "("+bases[t-1]+")(R14*1)", bases[t])
		}
	}
	masks := make([]string, width)
	lanes := isa.bytes / p.bytes
	if wide {
		f.op("MOVQ", "$-1", "R14")
		f.op("BZHIQ", "R15", "R14", "R14")
		for v := range width {
			masks[v] = fmt.Sprintf("K%d", v+1)
			f.op("KMOVQ", "R14", masks[v])
			if v+1 < width {
				f.op("SHRQ", fmt.Sprintf("$%d", lanes), "R14")
			}
		}
	} else {
		f.op("NEGQ", "R15")
		f.op("LEAQ", fmt.Sprintf("tileMask%s<>+%d(SB)", p.name, 2*isa.bytes), "R14")
		f.op("LEAQ", fmt.Sprintf("(R14)(R15*%d)", p.bytes), "R15")
		for v := range width { // B and the broadcasts are not there yet
			masks[v] = reg(rows*width + v)
			f.op("VMOVUPD", fmt.Sprintf("%d(R15)", v*isa.bytes), masks[v])
		}
	}
	f.op("MOVQ", params[9].name+"+72(FP)", "R14")
	f.op("TESTQ", "R14", "R14")
	f.op("JNZ", "zero")
	f.op("MOVQ", "DI", "R14")
	for i := range rows {
		for v := range width {
			mem := fmt.Sprintf("%d(R14)", v*isa.bytes)
			if wide {
				f.op("VMOVU"+p.packed+".Z", mem, masks[v], acc(i, v))
			} else {
				f.op("VMASKMOV"+p.packed, mem, masks[v], acc(i, v))
			}
		}
		if i+1 < rows {
			f.op("ADDQ", "BX", "R14")
		}
	}
	f.op("JMP", "begin")
	f.label("zero")
	for i := range rows {
		for v := range width {
			if wide {
				f.op("VPXORQ", acc(i, v), acc(i, v), acc(i, v))
			} else {
				f.op("VXORPD", acc(i, v), acc(i, v), acc(i, v))
			}
		}
	}
	f.label("begin")
	f.op("TESTQ", "CX", "CX")
	f.op("JLE", "end")
	f.op("PCALIGN", "$32")
	f.label("loop")
	for v := range width {
		mem := fmt.Sprintf("%d(SI)", v*isa.bytes)
		if wide {
			f.op("VMOVU"+p.packed+".Z", mem, masks[v], b(v))
		} else {
			f.op("VMOVU"+p.packed, mem, b(v))
		}
	}
	f.op("ADDQ", "AX", "SI")
	for i := range rows {
		f.op("VBROADCAST"+p.scalar, address(i), cast(i))
		for v := range width {
			f.op("VFMADD231"+p.packed, b(v), cast(i), acc(i, v))
		}
		if i%3 == 2 || i == rows-1 {
			f.op("ADDQ", "DX", bases[i/3])
		}
	}
	f.op("DECQ", "CX")
	f.op("JNZ", "loop")
	f.label("end")
	if !wide {
		for v := range width {
			f.op("VMOVUPD", fmt.Sprintf("%d(R15)", v*isa.bytes), masks[v])
		}
	}
	for i := range rows {
		for v := range width {
			mem := fmt.Sprintf("%d(DI)", v*isa.bytes)
			if wide {
				f.op("VMOVU"+p.packed, acc(i, v), masks[v], mem)
			} else {
				f.op("VMASKMOV"+p.packed, acc(i, v), masks[v], mem)
			}
		}
		if i+1 < rows {
			f.op("ADDQ", "BX", "DI")
		}
	}
	f.op("VZEROUPPER")
	f.op("RET")
}
