package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// An Op is an entrywise op of a loop, with the bits of the op's function.
type Op = uint8

const (
	OpCopy      Op = iota // x
	OpAdd                 // x + y
	OpSub                 // x - y
	OpMul                 // x y
	OpDiv                 // x / y
	OpMul0                // x y, and 0 where x is 0
	OpEq                  // 1 where x = y, else 0
	OpNe                  // 1 where x ≠ y, else 0
	OpLt                  // 1 where x < y, else 0
	OpLe                  // 1 where x ≤ y, else 0
	OpLarger              // the larger of x and y, NaN where one is
	OpAddFinite           // x + y, and x where x is infinite
	OpSelect              // y where x is not 0, else z
	OpNeg                 // -x
	OpAbs                 // |x|
	OpSqrt                // √x
	opSums                // the ops from here on are of strips alone, see Loop
)

// vectorEntries divides the number of entries that a call of assembly takes.
const vectorEntries = 4

// Entrywise writes op of x, y and z into dst, entry by entry. An op of fewer operands does not read
// the others. All arrays have at least the entries of dst; each is dst or does not overlap it.
func Entrywise(op Op, dst, x, y, z []float64) {
	n := len(dst)
	if n == 0 {
		return
	}
	switch done := n &^ (vectorEntries - 1); {
	case op == OpCopy:
		copy(dst, x)
		return
	case level == cpu.Portable || done == 0:
	default:
		vectorEntrywise(op, dst[:done], x, y, z)
		dst, x = dst[done:], x[done:n]
		if op < OpNeg {
			y = y[done:n]
		}
		if op == OpSelect {
			z = z[done:n]
		}
	}
	portableEntrywise(op, dst, x, y, z)
}

func portableEntrywise(op Op, dst, x, y, z []float64) {
	n := len(dst)
	x = x[:n]
	if op < OpNeg {
		y = y[:n]
	}
	switch op {
	case OpAdd:
		for i := range dst {
			dst[i] = x[i] + y[i]
		}
	case OpSub:
		for i := range dst {
			dst[i] = x[i] - y[i]
		}
	case OpMul:
		for i := range dst {
			dst[i] = x[i] * y[i]
		}
	case OpDiv:
		for i := range dst {
			dst[i] = x[i] / y[i]
		}
	case OpMul0:
		for i := range dst {
			dst[i] = special.Mul0(x[i], y[i])
		}
	case OpEq:
		for i := range dst {
			dst[i] = special.Bool(x[i] == y[i])
		}
	case OpNe:
		for i := range dst {
			dst[i] = special.Bool(x[i] != y[i])
		}
	case OpLt:
		for i := range dst {
			dst[i] = special.Bool(x[i] < y[i])
		}
	case OpLe:
		for i := range dst {
			dst[i] = special.Bool(x[i] <= y[i])
		}
	case OpLarger:
		for i := range dst {
			dst[i] = max(x[i], y[i])
		}
	case OpAddFinite:
		for i := range dst {
			v := x[i]
			if !math.IsInf(v, 0) {
				v += y[i]
			}
			dst[i] = v
		}
	case OpSelect:
		z = z[:n]
		for i := range dst {
			dst[i] = special.Select(x[i], y[i], z[i])
		}
	case OpNeg:
		for i := range dst {
			dst[i] = -x[i]
		}
	case OpAbs:
		for i := range dst {
			dst[i] = math.Abs(x[i])
		}
	case OpSqrt:
		for i := range dst {
			dst[i] = math.Sqrt(x[i])
		}
	}
}
