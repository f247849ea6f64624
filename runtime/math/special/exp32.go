package special

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

const (
	roundMagic32 = 0x1.8p23

	log2e32 = 0x1.715476p+0 // 1/ln 2
	// ln 2 in two parts: the first has 9 bits, so that its product with k is
	// exact.
	ln2Hi32 = 0x1.63p-1
	ln2Lo32 = -0x1.bd0106p-13

	// (eʳ - 1 - r)/r² on |r| <= 0.347; what is left of the error of eʳ is
	// below 8e-9.
	expE0 = 0x1p-1
	expE1 = 0x1.5554dcp-3
	expE2 = 0x1.555518p-5
	expE3 = 0x1.120cp-7
	expE4 = 0x1.6d119ap-10

	expFast32 = 87 // inside of it the result is normal
)

// Exp32 returns eˣ in single precision, with an error below 1.1 ulp: with
// k = round(x/ln 2) it is 2ᵏ times a polynomial of what is left.
func Exp32(x float32) float32 {
	if x > -expFast32 && x < expFast32 {
		t := FMA32(x, log2e32, roundMagic32)
		k := t - roundMagic32
		r := FMA32(k, -ln2Lo32, FMA32(k, -ln2Hi32, x))
		r2 := float32(r * r)
		lo := FMA32(r, expE1, expE0)
		hi := FMA32(r, expE3, expE2)
		q := FMA32(r2, FMA32(r2, expE4, hi), lo)
		p := 1 + FMA32(r2, q, r)
		return math.Float32frombits(math.Float32bits(p) + math.Float32bits(t)<<23)
	}
	return float32(Exp(float64(x)))
}

// ExpSlice32 writes Exp32(src[i]) into dst[i].
func ExpSlice32(dst, src []float32) {
	dst = dst[:len(src)]
	if level == cpu.Portable {
		for i, x := range src {
			dst[i] = Exp32(x)
		}
		return
	}
	for len(src) > 0 {
		n := min(len(src), chunk)
		done := vectorExp32(&dst[0], &src[0], n)
		if done < n {
			left := min(done+2*lanes(), n)
			for i, x := range src[done:left] {
				dst[done+i] = Exp32(x)
			}
			done = left
		}
		dst, src = dst[done:], src[done:]
	}
}
