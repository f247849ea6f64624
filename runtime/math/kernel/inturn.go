package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// DrawInTurn draws categories one after another, each given the others through
// counts of all of them. For every one of a batch it has n categories z among k
// kinds, what each of them weighs in the counts, c, and the counts s[k]. For i
// from 0 on, category i leaves the counts and is drawn anew,
//
//	s[z[i]] −= c[i]
//	z[i] = Category(w[i]·(a + s), u[i])
//	s[z[i]] += c[i]
//
// with w [batch, n, k] and a [batch, k]. dst is [batch, n + 2k]: the categories
// drawn, the counts after them, and room for the weights of one.
func DrawInTurn(dst, w, z, u, c, a, s []float64, batch, n, k int) {
	for b := range batch {
		to := dst[b*(n+2*k):][:n+2*k]
		d := inTurn{to: to[:n], s: to[n:][:k], weight: to[n+k:], w: w[b*n*k:][:n*k],
			z: z[b*n:][:n], u: u[b*n:][:n], c: c[b*n:][:n], a: a[b*k:][:k]}
		copy(d.s, s[b*k:])
		if level == cpu.AVX512 && 4 <= k && k <= mostInTurn && n > 0 {
			d.wide()
			continue
		}
		for i := range d.to {
			addEntry(d.s, d.z[i], -d.c[i])
			d.draw(i)
		}
	}
}

// inTurn has the arrays of DrawInTurn for one of the batch.
type inTurn struct{ to, s, weight, w, z, u, c, a []float64 }

// wide draws all categories by assembly, and by Go those where rounding matters.
func (d *inTurn) wide() {
	var room [128]float64
	for i := 0; ; i++ {
		if i = d.vector(i, &room); i == len(d.to) {
			return
		}
		d.draw(i)
	}
}

// draw draws category i, which has left the counts.
func (d *inTurn) draw(i int) {
	k := len(d.weight)
	w, s, a := d.w[i*k:][:k], d.s[:k], d.a[:k]
	for j := range d.weight {
		d.weight[j] = float64(w[j] * (a[j] + s[j]))
	}
	d.to[i] = Category(d.weight, d.u[i])
	addEntry(d.s, d.to[i], d.c[i])
}

// addEntry adds c to the entry of x with number at, where there is one.
func addEntry(x []float64, at, c float64) {
	if k := int(at); uint(k) < uint(len(x)) && float64(k) == at {
		x[k] += c
	}
}
