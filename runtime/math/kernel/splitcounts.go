package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
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

// manyCounts is how many counts a class it takes as long to draw one by one as to
// part the classes into halves, and those into halves, by binomial draws.
const manyCounts = 12

func many(n float64, classes int) bool { return n >= float64(manyCounts*classes) }

// splitCount parts a count: a large one between the halves of the classes by
// binomial draws, down to single classes or counts that are not large.
func splitCount(dst []float64, n float64, w, scale []float64, u float64) {
	s := splitter{dst: dst, w: w, scale: scale, g: special.BitsOf(u)}
	total := Dot(w, scale)
	if s.even = !(total > 0) || math.IsInf(total, 1); s.even {
		total = float64(len(dst))
	}
	switch {
	case n == 1: // by far the most are
		s.walk(0, len(dst), n, total, u)
	case many(n, len(dst)):
		s.halve(0, len(dst), n, total)
	default:
		s.walk(0, len(dst), n, total, s.least(n))
	}
}

// A splitter parts one count.
type splitter struct {
	dst, w, scale []float64
	even          bool // all classes are equally likely
	g             special.Bits
}

// halve parts n among the classes from lo to hi, whose weights sum to total.
func (s *splitter) halve(lo, hi int, n, total float64) {
	switch {
	case hi-lo == 1:
		s.dst[lo] += n
	case n < 1:
	case !many(n, hi-lo):
		s.walk(lo, hi, n, total, s.least(n))
	default:
		mid := lo + (hi-lo)/2
		left, right := float64(mid-lo), float64(hi-mid)
		if !s.even {
			left, right = Dot(s.w[lo:mid], s.scale[lo:mid]), Dot(s.w[mid:hi], s.scale[mid:hi])
		}
		k := s.g.Binomial(n, left/(left+right))
		s.halve(lo, mid, k, left)
		s.halve(mid, hi, n-k, right)
	}
}

// least is the least of n uniform numbers.
func (s *splitter) least(n float64) float64 { return 1 - special.Exp(special.Log(s.g.Uniform())/n) }

// walk goes through the classes once: the n draws by inversion are taken in
// increasing order, each the least of those that are left, from the first on.
func (s *splitter) walk(lo, hi int, n, total, at float64) {
	dst, w, scale := s.dst[lo:hi], s.w[lo:hi], s.scale[lo:hi]
	last := len(dst) - 1
	for !s.even && last > 0 && !(w[last]*scale[last] > 0) {
		// rounding takes nothing to a class of weight 0
		last--
	}
	sum, j := 0.0, -1
	for left := n; ; {
		for bound := at * total; j < 0 || (sum <= bound && j < last); {
			j++
			if s.even {
				sum++
			} else {
				sum += float64(w[j] * scale[j])
			}
		}
		dst[j]++
		if left--; left < 1 {
			return
		}
		at += float64((1 - at) * s.least(left))
	}
}
