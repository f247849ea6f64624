package driver

import (
	"bytes"
	"math"
	"strconv"
)

// JSON writes named arrays as one object of nested row-major lists, a name a
// line, in their order. Numbers read back exactly; those that are not finite
// are the strings of CmdStan's format.
func JSON(list []Named) []byte {
	var b bytes.Buffer
	b.WriteString("{")
	for i, n := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  " + strconv.Quote(n.Name) + ": ")
		dense := n.Value.F64
		if n.Value.CSR != nil {
			dense = n.Value.CSR.Dense(n.Value.CSR.Cols)
		}
		nested(&b, dense, n.Value.Shape, n.Whole)
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

// nested writes one array and returns what is left of the numbers.
func nested(b *bytes.Buffer, x []float64, shape []int, whole bool) []float64 {
	if len(shape) == 0 {
		writeNumber(b, x[0], whole)
		return x[1:]
	}
	b.WriteByte('[')
	for i := range shape[0] {
		if i > 0 {
			b.WriteString(", ")
		}
		x = nested(b, x, shape[1:], whole)
	}
	b.WriteByte(']')
	return x
}

func writeNumber(b *bytes.Buffer, x float64, whole bool) {
	switch {
	case math.IsNaN(x):
		b.WriteString(`"NaN"`)
	case math.IsInf(x, 1):
		b.WriteString(`"Inf"`)
	case math.IsInf(x, -1):
		b.WriteString(`"-Inf"`)
	case whole:
		b.WriteString(strconv.FormatFloat(x, 'f', -1, 64))
	default:
		b.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
	}
}
