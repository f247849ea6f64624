package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/special"
)

// SplitCounts parts counts among k classes and adds up what each class got:
//
//	dst[b, j] = Σ_i y[b, i, j],   y[b, i, ·] ~ Multinomial(n[b, i], ∝ w[b, i, j]·s[b, j])
//
// for batch arrays b of m counts. Each part is a function of u[b, i], uniform on
// (0, 1). Where all weights of a count are zero, or not numbers, all classes are
// equally likely. Of shapes [batch, k], [batch, m], [batch, m, k], [batch, k],
// [batch, m].
func SplitCounts(dst, n, w, s, u []float64, batch, m, k int) {
	for b := range batch {
		to, scale := dst[b*k:][:k], s[b*k:][:k]
		clear(to)
		for i := b * m; i < (b+1)*m; i++ {
			if n[i] >= 1 {
				splitCount(to, n[i], w[i*k:][:k], scale, u[i])
			}
		}
	}
}

// splitCount goes through the classes once: the n draws by inversion are taken
// in increasing order, each the least of those that are left.
func splitCount(dst []float64, n float64, w, scale []float64, u float64) {
	total := Dot(w, scale)
	even := !(total > 0) || math.IsInf(total, 1)
	last := len(dst) - 1
	if even {
		total = float64(len(dst))
	} else {
		for last > 0 && !(w[last]*scale[last] > 0) { // rounding takes nothing to a class of weight 0
			last--
		}
	}
	g := special.BitsOf(u)
	if n == 1 { // by far the most are
		g = 0
	} else {
		u = 1 - special.Exp(special.Log(g.Uniform())/n)
	}
	at, sum, j := u, 0.0, -1
	for left := n; ; {
		for bound := at * total; j < 0 || (sum <= bound && j < last); {
			j++
			if even {
				sum++
			} else {
				sum += float64(w[j] * scale[j])
			}
		}
		dst[j]++
		if left--; left < 1 {
			return
		}
		at += (1 - at) * (1 - special.Exp(special.Log(g.Uniform())/left))
	}
}
