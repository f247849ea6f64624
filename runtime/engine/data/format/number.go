package format

import (
	"math"
	"strconv"
)

// pow10 are the powers of ten that float64 holds exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Decimal reads the decimal number at the start of b, rounded to nearest. n
// is how long it is, 0 when there is none; a number too large is ±Inf.
//
// A mantissa below 2^53 times or over an exact power of ten is one rounding
// (Clinger 1990); the rest goes to strconv.
func Decimal(b []byte) (v float64, n int) {
	i, negative := 0, false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	var mantissa uint64
	start := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
	}
	digits, exponent := i-start, 0
	if i < len(b) && b[i] == '.' {
		i++
		point := i
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(b[i]-'0')
		}
		digits += i - point
		exponent = point - i
	}
	if digits == 0 {
		return 0, 0
	}
	long := digits > 19 // the mantissa may have wrapped
	if i < len(b) && b[i]|0x20 == 'e' {
		j, down, e := i+1, false, 0
		if j < len(b) && (b[j] == '-' || b[j] == '+') {
			down = b[j] == '-'
			j++
		}
		first := j
		for ; j < len(b) && b[j]-'0' <= 9; j++ {
			e = min(e*10+int(b[j]-'0'), 1<<20)
		}
		if j > first {
			if down {
				e = -e
			}
			exponent += e
			i = j
		}
	}
	switch {
	case long || mantissa > 1<<53 || exponent < -22 || exponent > 22:
		v, _ = strconv.ParseFloat(string(b[:i]), 64) // its only failure here is the range: ±Inf
		return v, i
	case exponent < 0:
		v = float64(mantissa) / pow10[-exponent]
	default:
		v = float64(mantissa) * pow10[exponent]
	}
	if negative {
		v = -v
	}
	return v, i
}

// Word reads what stands for a number in words: NaN, Inf and their kin.
func Word(b []byte) (v float64, ok bool) {
	sign := 1
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		if b[0] == '-' {
			sign = -1
		}
		b = b[1:]
	}
	switch lower(b) {
	case "inf", "infinity":
		return math.Inf(sign), true
	case "nan":
		return math.NaN(), true
	}
	return 0, false
}

// lower is a short text in lower case; "" for a long one.
func lower(b []byte) string {
	if len(b) > 16 {
		return ""
	}
	var small [16]byte
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		small[i] = c
	}
	return string(small[:len(b)])
}
