package grad

import (
	"math"

	"github.com/sgppl/sgppl/ir"
)

const (
	mostIndex = 1 << 53 // above every index

	// Values between least and most are apart from 0 and finite, in single precision too.
	least, most = 0x1p-120, 0x1p120
)

// apart reports whether all entries of a value are certainly finite and apart from 0. It is true of
// values made of indices and positive constants alone, as √((k + 1)(k + 2)).
func apart(v *ir.Value) bool {
	lo, _, ok := bounds(v)
	return ok && lo > 0
}

// bounds returns bounds of the entries of a value that is made of indices and constants, none of
// them negative. It returns false for other values, and where a value or a part of it may be too
// large or too near 0 for single precision. Rounding is monotonic, so the bounds hold for rounded
// values.
func bounds(v *ir.Value) (lo, hi float64, ok bool) {
	switch v.Op {
	case ir.OpConst:
		lo, hi = v.Num, v.Num
	case ir.OpIota:
		return 0, mostIndex, true
	case ir.OpAdd, ir.OpMul:
		l, h, one := bounds(v.Args[0])
		m, n, other := bounds(v.Args[1])
		if !one || !other {
			return 0, 0, false
		}
		lo, hi = l+m, h+n
		if v.Op == ir.OpMul {
			lo, hi = l*m, h*n
		}
	case ir.OpSqrt:
		l, h, one := bounds(v.Args[0])
		if !one {
			return 0, 0, false
		}
		lo, hi = math.Sqrt(l), math.Sqrt(h)
	default:
		return 0, 0, false
	}
	return lo, hi, (lo == 0 || lo >= least) && hi <= most
}
