package diagnose

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// entry is a draw in the order of all draws.
type entry struct {
	key   uint64 // orders as the value does
	index int32  // chain·draws + draw
}

// ordered maps finite numbers to keys that compare as they do; −0 and 0 share one.
func ordered(x float64) uint64 {
	b := math.Float64bits(x + 0)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// value is the inverse of ordered.
func (e entry) value() float64 {
	if e.key>>63 != 0 {
		return math.Float64frombits(e.key &^ (1 << 63))
	}
	return math.Float64frombits(^e.key)
}

// digit is the width in bits of a pass of the radix sort: its counters stay in
// the first cache.
const digit = 11

// sortDraws leaves all draws in order in w.order and their values in
// w.sorted. It sorts by digits, least first (a comparison sort of a few
// thousand random numbers spends its time on mispredicted branches), and a
// pass whose digit is the same everywhere is skipped.
func (w *Workspace) sortDraws(chains [][]float64) {
	draws, total := shape(chains)
	a, b := resize(w.order, total), resize(w.spare, total)
	for c, x := range chains {
		for i, v := range x {
			a[c*draws+i] = entry{ordered(v), int32(c*draws + i)}
		}
	}
	var differ uint64
	for _, e := range a {
		differ |= e.key ^ a[0].key
	}
	for shift := uint(0); shift < 64; shift += digit {
		if differ>>shift&(1<<digit-1) == 0 {
			continue
		}
		var start [1 << digit]int32
		for _, e := range a {
			start[e.key>>shift&(1<<digit-1)]++
		}
		var at int32
		for i, n := range start {
			start[i] = at
			at += n
		}
		for _, e := range a {
			k := e.key >> shift & (1<<digit - 1)
			b[start[k]] = e
			start[k]++
		}
		a, b = b, a
	}
	w.order, w.spare = a, b
	w.sorted = resize(w.sorted, total)
	for i, e := range a {
		w.sorted[i] = e.value()
	}
}

// fold leaves in w.spare the draws in the order of their distance from m,
// which the keys then are: w.order is read from m outward in both directions.
func (w *Workspace) fold(m float64) {
	up, _ := slices.BinarySearch(w.sorted, m)
	down := up - 1
	for i := range w.spare {
		below, above := math.Inf(1), math.Inf(1)
		if down >= 0 {
			below = m - w.sorted[down]
		}
		if up < len(w.sorted) {
			above = w.sorted[up] - m
		}
		if below <= above {
			w.spare[i] = entry{ordered(below), w.order[down].index}
			down--
		} else {
			w.spare[i] = entry{ordered(above), w.order[up].index}
			up++
		}
	}
}

// normalScores writes Φ⁻¹((r − 3/8)/(S + 1/4)) for every draw of the split
// chains into dst, by chain, and returns dst's halves: r is the draw's average
// rank among the S of them, in the given order of all draws.
func (w *Workspace) normalScores(order []entry, dst [][]float64) [][]float64 {
	draws := len(dst[0])
	halves := w.split(dst)
	n := len(halves) * (draws / 2)
	if w.sample != n {
		w.sample, w.scores = n, resize(w.scores, 2*n+1)
		for i := range w.scores {
			w.scores[i] = math.NaN()
		}
	}
	middle := -1 // the draw that belongs to no half
	if draws%2 == 1 {
		middle = draws / 2
	}
	flat := dst[0][:len(order):len(order)] // the chains of a work series adjoin
	rank := 0                              // of the draw before this group of equals
	for i := 0; i < len(order); {
		end, same := i, 0
		for ; end < len(order) && order[end].key == order[i].key; end++ {
			if middle < 0 || int(order[end].index)%draws != middle {
				same++
			}
		}
		z := math.NaN()
		if same > 0 {
			twice := 2*rank + same + 1 // twice the mean of rank+1…rank+same
			if z = w.scores[twice]; math.IsNaN(z) {
				z = special.NormalQuantile((float64(float64(twice)/2) - 0.375) /
					(float64(n) + 0.25))
				w.scores[twice] = z
			}
		}
		for ; i < end; i++ {
			flat[order[i].index] = z
		}
		rank += same
	}
	return halves
}
