package diagnose

import (
	"math"
	"math/bits"
	"math/cmplx"
)

// fft is a radix-2 transform of a fixed length, with its roots of unity.
type fft struct {
	n     int
	roots []complex128 // exp(−2πi k/n), k < n/2
	swaps [][2]int32   // places that change with each other, the bits of their numbers reversed
}

// resize prepares for length n, a power of two.
func (f *fft) resize(n int) {
	if f.n == n {
		return
	}
	f.n, f.roots = n, make([]complex128, n/2)
	for k := range f.roots {
		f.roots[k] = cmplx.Exp(complex(0, -2*math.Pi*float64(k)/float64(n)))
	}
	f.swaps = f.swaps[:0]
	if shift := 64 - bits.Len(uint(n-1)); n > 1 {
		for i := range n {
			if j := int(bits.Reverse64(uint64(i)) >> shift); i < j {
				f.swaps = append(f.swaps, [2]int32{int32(i), int32(j)})
			}
		}
	}
}

// times is a product that no machine fuses.
func times(a, b complex128) complex128 {
	return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)),
		float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// transform replaces a by its discrete Fourier transform (Cooley and Tukey
// 1965, decimation in time).
func (f *fft) transform(a []complex128) {
	for _, s := range f.swaps {
		a[s[0]], a[s[1]] = a[s[1]], a[s[0]]
	}
	for half := 1; half < f.n; half *= 2 {
		step := f.n / (2 * half)
		for start := 0; start < f.n; start += 2 * half {
			lo, hi := a[start:start+half], a[start+half:start+2*half]
			for k := range lo {
				t := times(f.roots[k*step], hi[k])
				lo[k], hi[k] = lo[k]+t, lo[k]-t
			}
		}
	}
}
