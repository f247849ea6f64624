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
		f.function(entry, fmt.Sprintf("%s is the tile of the given shape: rows - 1, and %d more "+
			"for one of two registers.", entry, isa.rows), params)
		f.load(params, "shape", "AX")
		f.op("LEAQ", entry+"s<>(SB)", "CX")
		f.op("MOVQ", "(CX)(AX*8)", "AX")
		f.op("JMP", "AX")
		var shapes []string
		for width := 1; width <= 2; width++ {
			for rows := 1; rows <= isa.rows; rows++ {
				name := fmt.Sprintf("tile%sx%dx%d%s", p.name, rows, width, isa.name)
				shapes = append(shapes, name)
				writeTile(f, isa, p, name, rows, width)
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
