package main

import "fmt"

// prefetches writes functions that ask for rows of an array before they are read: rows of equal
// width, or lists of entries of rows.
func prefetches() *file {
	f := &file{}
	for _, kind := range []string{"float64", "float32", "int"} {
		prefetch(f, "prefetchRows", kind, false)
	}
	for _, kind := range []string{"float64", "float32", "int32", "uint8"} {
		prefetch(f, "prefetchSpans", kind, true)
	}
	return f
}

// mostAsked is how many bytes of a row are asked for: the processor follows long rows by itself.
const mostAsked = 512

// prefetch: SI at the array, R8 at the numbers of the rows, CX rows, DX counts them; AX at a row,
// BX at its last byte.
func prefetch(f *file, name, kind string, spans bool) {
	full := name + title(kind)
	params := []param{{"base", "*" + kind}, {"rows", "*int"}}
	comment := "asks for rows of width bytes, stride bytes from one another"
	if spans {
		params = append(params, param{"lo", "*int"}, param{"hi", "*int"})
		comment = "asks for the entries lo until hi of rows, stride bytes each"
	}
	params = append(params, param{"n", "int"}, param{"stride", "int"})
	if !spans {
		params = append(params, param{"width", "int"})
	}
	f.function(full, full+" "+comment+".", params)
	f.load(params, "base", "SI")
	f.load(params, "rows", "R8")
	f.load(params, "n", "CX")
	f.load(params, "stride", "R9")
	if spans {
		f.load(params, "lo", "R10")
		f.load(params, "hi", "R11")
	} else {
		f.load(params, "width", "R10")
	}
	f.op("XORQ", "DX", "DX")
	f.op("JMP", "test")
	f.label("row")
	f.op("MOVQ", "(R8)(DX*8)", "BX")
	if spans {
		f.op("MOVQ", "(R10)(BX*8)", "AX")
		f.op("MOVQ", "(R11)(BX*8)", "BX")
		f.op("IMULQ", "R9", "AX")
		f.op("IMULQ", "R9", "BX")
		f.op("ADDQ", "SI", "AX")
		f.op("LEAQ", "-1(SI)(BX*1)", "BX")
	} else {
		f.op("IMULQ", "R9", "BX")
		f.op("LEAQ", "(SI)(BX*1)", "AX")
		f.op("LEAQ", "-1(AX)(R10*1)", "BX")
	}
	f.op("LEAQ", fmt.Sprintf("%d(AX)", mostAsked-1), "DI")
	f.op("CMPQ", "BX", "DI")
	f.op("CMOVQHI", "DI", "BX")
	f.op("PREFETCHT0", "(BX)")
	f.label("line")
	f.op("PREFETCHT0", "(AX)")
	f.op("ADDQ", "$64", "AX")
	f.op("CMPQ", "AX", "BX")
	f.op("JLS", "line")
	f.op("INCQ", "DX")
	f.label("test")
	f.op("CMPQ", "DX", "CX")
	f.op("JLT", "row")
	f.op("RET")
}

func title(s string) string { return fmt.Sprintf("%c%s", s[0]-32, s[1:]) }
