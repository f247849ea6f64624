package special

import "math"

// portableExp is ExpSlice in Go.
func portableExp(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		if math.Abs(x) < expFast {
			t := float64(x*log2e64) + roundMagic
			k := t - roundMagic
			r := (x - float64(k*ln2Hi64)) - float64(k*ln2Lo64)
			b := math.Float64bits(t)
			s := math.Float64frombits(exp2Table[b&63] + b<<46&^fractionMask)
			dst[i] = s + float64(s*expTail64(r))
		} else {
			dst[i] = expEdge(x)
		}
	}
}

// portableLog is LogSlice in Go.
func portableLog(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		if b := math.Float64bits(x); b-minNormal < infBits-minNormal {
			b -= sqrtHalfBits
			k := float64(int64(b) >> 52)
			f := math.Float64frombits(b&fractionMask+sqrtHalfBits) - 1
			s := f / (2 + f)
			h := float64(float64(0.5*f) * f)
			w := float64(s*(h+logTail(s*s))) + float64(k*ln2Lo)
			dst[i] = float64(k*ln2Hi) - ((h - w) - f)
		} else {
			dst[i] = logEdge(x)
		}
	}
}

// portableLog1p is Log1pSlice in Go.
func portableLog1p(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = Log1p(x)
	}
}

// portableExpm1 is Expm1Slice in Go.
func portableExpm1(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = Expm1(x)
	}
}

// portableTanh is TanhSlice in Go.
func portableTanh(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = Tanh(x)
	}
}

// strip is how many elements a slice form of several stages takes at a time.
const strip = 64

// expMinusAbs writes exp(-|x|) of the elements of src into e, as many as fit,
// and returns what it wrote.
func expMinusAbs(e *[strip]float64, src []float64) []float64 {
	d := e[:min(strip, len(src))]
	for i := range d {
		d[i] = -math.Abs(src[i])
	}
	portableExp(d, d)
	return d
}

// portableSigmoid is SigmoidSlice in Go.
func portableSigmoid(dst, src []float64) {
	var buf [strip]float64
	for len(src) > 0 {
		e := expMinusAbs(&buf, src)
		d, s := dst[:len(e)], src[:len(e)]
		for i, v := range e {
			d[i] = sigmoid(s[i], v)
		}
		dst, src = dst[len(e):], src[len(e):]
	}
}

// portableSoftplus is SoftplusSlice in Go.
func portableSoftplus(dst, src []float64) {
	var buf [strip]float64
	for len(src) > 0 {
		e := expMinusAbs(&buf, src)
		log1pStrip(e)
		d, s := dst[:len(e)], src[:len(e)]
		for i, v := range e {
			d[i] = max(s[i], 0) + v
		}
		dst, src = dst[len(e):], src[len(e):]
	}
}

// portableLogSigmoid is LogSigmoidSlice in Go.
func portableLogSigmoid(dst, src []float64) {
	var buf [strip]float64
	for len(src) > 0 {
		e := expMinusAbs(&buf, src)
		log1pStrip(e)
		d, s := dst[:len(e)], src[:len(e)]
		for i, v := range e {
			d[i] = min(s[i], 0) - v
		}
		dst, src = dst[len(e):], src[len(e):]
	}
}

// portableLogNormalCDF is LogNormalCDFSlice in Go.
func portableLogNormalCDF(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = LogNormalCDF(x)
	}
}

// log1pStrip is log1p on every element.
func log1pStrip(d []float64) {
	for i, x := range d {
		u := 1 + x
		v := u - 1
		e := (1 - (u - v)) + (x - v)
		b := math.Float64bits(u) - sqrtHalfBits
		k := float64(int64(b) >> 52)
		f := math.Float64frombits(b&fractionMask+sqrtHalfBits) - 1
		s := f / (2 + f)
		h := float64(float64(0.5*f) * f)
		w := float64(s*(h+logTail(s*s))) + float64(k*ln2Lo)
		d[i] = (float64(k*ln2Hi) - ((h - w) - f)) + e/u
	}
}

// portable32 writes function f of src, rounded, into dst.
func portable32(f int, dst, src []float32) {
	var buf [strip]float64
	for len(src) > 0 {
		d := buf[:min(strip, len(src))]
		for i := range d {
			d[i] = float64(src[i])
		}
		switch f {
		case sliceExp:
			portableExp(d, d)
		case sliceExpm1:
			portableExpm1(d, d)
		case sliceLog:
			portableLog(d, d)
		case sliceLog1p:
			portableLog1p(d, d)
		case sliceTanh:
			portableTanh(d, d)
		case sliceSigmoid:
			portableSigmoid(d, d)
		case sliceSoftplus:
			portableSoftplus(d, d)
		case sliceLogSigmoid:
			portableLogSigmoid(d, d)
		case sliceLogNormalCDF:
			portableLogNormalCDF(d, d)
		}
		for i, v := range d {
			dst[i] = float32(v)
		}
		dst, src = dst[len(d):], src[len(d):]
	}
}
