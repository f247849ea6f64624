package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// The kernels below are running means in one pass; products are rounded before
// they are added. All slices are as long as x.

// WatchPair is an observation, the 1/inv-th, of x and u = −f: it moves their
// means mx and mg, adds (x − mx)·(u − mg), the first before and the second after
// the move, to the co-moments xg, and writes (x − mx)·u into t.
func WatchPair(x, f, mx, mg, xg, t []float64, inv float64) {
	n := len(x)
	f, mx, mg, xg, t = f[:n], mx[:n], mg[:n], xg[:n], t[:n]
	if level != cpu.Portable && n > 0 {
		vectorWatchPair(x, f, mx, mg, xg, t, &[1]float64{inv})
		return
	}
	for i, a := range x {
		u := -f[i]
		dx := a - mx[i]
		m := mx[i] + float64(dx*inv)
		g := mg[i] + float64((u-mg[i])*inv)
		mx[i], mg[i] = m, g
		xg[i] += float64(dx * (u - g))
		t[i] = (a - m) * u
	}
}

// Watch is an observation, the 1/inv-th, of x: it moves the mean, adds to the
// sum of squared deviations ss, and writes the square of x − mean into t.
func Watch(x, mean, ss, t []float64, inv float64) {
	n := len(x)
	mean, ss, t = mean[:n], ss[:n], t[:n]
	if level != cpu.Portable && n > 0 {
		vectorWatch(x, mean, ss, t, &[1]float64{inv})
		return
	}
	for i, a := range x {
		d := a - mean[i]
		m := mean[i] + float64(d*inv)
		e := a - m
		mean[i] = m
		ss[i] += float64(d * e)
		t[i] = e * e
	}
}

// WatchSquares adds (x − mean)²·scale to xx. All slices are as long as x.
func WatchSquares(x, mean, xx []float64, scale float64) {
	mean, xx = mean[:len(x)], xx[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		vectorWatchSquares(x, mean, xx, &[...]float64{scale})
		return
	}
	for i, a := range x {
		d := a - mean[i]
		xx[i] += float64(float64(d*d) * scale)
	}
}
