// Package pick chooses rows: by size for minibatches, without replacement for a pilot, and the rows
// of a stream that are to be in memory.
package pick

import (
	"math"
	"slices"
	"sort"

	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Sizes has the probability of each row in a minibatch: rows are drawn independently, with
// replacement, with probabilities in proportion to their sizes; the largest rows are in every
// minibatch.
type Sizes struct {
	rows    int     // N
	class   []uint8 // of each row: twice the binary logarithm of its size, rounded down
	always  []int   // rows of every minibatch
	order   []int32 // the other rows, by class; nil if ranks finds them
	ranks   *ranks
	classes []classOf // classes with rows, the smallest sizes first
}

// A classOf has the rows whose sizes are within a factor √2 of each other.
type classOf struct {
	number     uint8
	first, n   int     // range in Sizes.order
	each       float64 // probability of one of its rows
	cumulative float64 // total probability of this class and those before
}

const (
	// bySize is the share of draws that are made by size; the rest is drawn evenly, which bounds the
	// weight of a row whose size was underestimated.
	bySize = 0.85
	// classBase is the class of rows of size 1; sizes from 2^-64 to 2^63 have classes.
	classBase = 128
)

// Classify returns the class of a size.
func Classify(size float64) uint8 {
	if !(size > 0) {
		return 0
	}
	fraction, exponent := math.Frexp(size)
	log2 := float64(exponent) + special.Log(fraction)/math.Ln2
	return uint8(min(max(math.Floor(2*log2)+classBase, 0), 255))
}

// sizeOf returns the typical size of the rows of a class.
func sizeOf(class uint8) float64 {
	// 2^¼ and 2^¾, to a last place
	const quarter, threeQuarters = 0x1.306fe0a31b715p+0, 0x1.ae89f995ad3aep+0
	if k := int(class) - classBase; k&1 == 0 {
		return math.Ldexp(quarter, k>>1)
	} else {
		return math.Ldexp(threeQuarters, k>>1)
	}
}

// EvenSizes returns sizes with which every row has the same probability.
func EvenSizes(rows int) *Sizes { return &Sizes{rows: rows} }

// NewSizes makes sizes from classes, for minibatches of about n rows. Starting with the largest, a
// row is always taken if n rows drawn by size would have it once on average.
func NewSizes(class []uint8, n int) *Sizes {
	s := &Sizes{rows: len(class), class: class}
	var count [256]int
	for _, c := range class {
		count[c]++
	}
	var upTo [256]float64 // total size of all rows of a class and those below it
	sum := 0.0
	for c, k := range count {
		sum += float64(float64(k) * sizeOf(uint8(c)))
		upTo[c] = sum
	}
	// The largest classes, as a whole or in the order of their rows.
	left, most := sum, len(class)/2
	var whole [256]bool
	for c := 255; c >= 0; c-- {
		if count[c] == 0 {
			continue
		}
		if most -= count[c]; most < 0 || float64(n)*sizeOf(uint8(c)) < left {
			break
		}
		whole[c] = true
		left = 0
		if c > 0 { // recomputed, since subtraction might leave only rounding errors
			left = upTo[c-1]
		}
	}
	var at [256]int
	next := 0
	for c, k := range count {
		at[c] = next
		if !whole[c] {
			next += k
		}
	}
	for c, k := range count {
		if k == 0 || whole[c] {
			continue
		}
		each := bySize*sizeOf(uint8(c))/left + (1-bySize)/float64(next)
		s.classes = append(s.classes, classOf{number: uint8(c), first: at[c], n: k, each: each})
	}
	sum = 0
	for i := range s.classes {
		sum += float64(float64(s.classes[i].n) * s.classes[i].each)
		s.classes[i].cumulative = sum
	}
	for i := range s.classes { // their sum is 1 up to rounding
		s.classes[i].each /= sum
		s.classes[i].cumulative /= sum
	}
	for i, c := range class {
		if whole[c] {
			s.always = append(s.always, i)
		}
	}
	if len(class) > LeanRows {
		s.ranks = newRanks(class, &count)
		return s
	}
	s.order = make([]int32, next)
	for i, c := range class {
		if !whole[c] {
			s.order[at[c]] = int32(i)
			at[c]++
		}
	}
	return s
}

// Always returns the rows of every minibatch.
func (s *Sizes) Always() []int { return s.always }

// Even reports whether every row has the same probability.
func (s *Sizes) Even() bool { return s.class == nil }

// Probability returns the probability of a row in each draw; 1 for rows that are always taken.
func (s *Sizes) Probability(row int) float64 {
	if s.Even() {
		return 1 / float64(s.rows)
	}
	if _, is := slices.BinarySearch(s.always, row); is {
		return 1
	}
	return s.find(s.class[row]).each
}

func (s *Sizes) find(class uint8) *classOf {
	i := sort.Search(len(s.classes), func(i int) bool { return s.classes[i].number >= class })
	return &s.classes[i]
}

// Draw fills rows with independent draws, and weights, if not nil, with 1/(n p), where n is their
// number.
func (s *Sizes) Draw(src *rng.Source, rows []int, weights []float64) {
	n := float64(len(rows))
	if s.Even() {
		w := float64(s.rows) / n
		for i := range rows {
			rows[i] = src.IntN(s.rows)
		}
		for i := range weights {
			weights[i] = w
		}
		return
	}
	for i := range rows {
		u := src.Float64()
		k := 0
		for k < len(s.classes)-1 && s.classes[k].cumulative <= u {
			k++
		}
		c := &s.classes[k]
		if k := src.IntN(c.n); s.ranks != nil {
			rows[i] = s.ranks.row(c.number, k)
		} else {
			rows[i] = int(s.order[c.first+k])
		}
		if weights != nil {
			weights[i] = 1 / (n * c.each)
		}
	}
}
