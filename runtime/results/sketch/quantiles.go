package sketch

import "math"

// Targets are the quantiles that runs store.
var Targets = []float64{0.05, 0.25, 0.5, 0.75, 0.95}

// pending is the number of draws that are taken into a quantile sketch together.
const pending = 8

// ranks are the quantile sketches of Greenwald and Khanna (2001, "Space-efficient online
// computation of quantile summaries"): some of the draws in their order, each with a lower and an
// upper bound of its rank among all draws so far. The first and the last entry are the least and
// the largest draw.
//
// A new draw between two entries is at least one above the lower bound of the left one and at most
// one below the upper bound of the right one, so bounds stay true whatever comes and in whatever
// order. There are always as many entries as there may be, and the one is dropped that tells least
// (as in the variant GKAdaptive of Luo, Wang, Yi and Cormode 2016, "Quantiles over data streams:
// experimental comparisons, new analyses, and further improvements", except for the measure, loss:
// theirs is the gap that is left, which, of draws that resemble those before them and few entries,
// forgets the wrong ones).
//
// The error of a quantile is thus not assumed: every one comes with its own bound, see Quantile.
type ranks struct {
	entries   int // entries that a number may have
	slots     int // entries that a number has the place of: fewer, where draws are few
	used      int // entries in use, of every number
	waiting   int
	numbers   int
	most      int64     // draws up to which ranks are counted: more do not enter the sketch
	wait      []float32 // pending draws one after another; distances from the origin
	value     []float32 // entries a number, rising; distances from the origin
	low, high bounds    // of ranks, from 1
	old, room []entry
	sorted    [pending]float32 // scratch: wait keeps its order, which checkpoints store
	cost      []uint64
	prev      []uint16 // indices of the neighbours of the entries that remain
	after     []uint16
}

// An entry is a draw with bounds of its rank.
type entry struct {
	value     float32
	low, high uint32
}

// behind returns the entry with n more draws before it.
func (e entry) behind(n int) entry { return entry{e.value, e.low + uint32(n), e.high + uint32(n)} }

// maxCount is the number of draws up to which ranks are counted in 32 bits.
const maxCount = math.MaxInt32 - pending

// bounds has bounds of ranks: 16 bits each where a chain has no more draws than these count.
type bounds struct {
	short []uint16
	long  []uint32
}

func newBounds(n int, draws int64) bounds {
	if draws <= maxShort {
		return bounds{short: make([]uint16, n)}
	}
	return bounds{long: make([]uint32, n)}
}

// maxShort is the number of draws of a chain up to which a bound of a rank takes 16 bits.
const maxShort = math.MaxUint16

func (b *bounds) at(k int) uint32 {
	if b.short != nil {
		return uint32(b.short[k])
	}
	return b.long[k]
}

func (b *bounds) set(k int, x uint32) {
	if b.short != nil {
		b.short[k] = uint16(x)
	} else {
		b.long[k] = x
	}
}

func newRanks(n, entries int, draws int64) ranks {
	_, wait, slots := capacity(entries, draws)
	return ranks{entries: entries, slots: slots, numbers: n, most: min(maxCount, max(draws, 0)),
		wait: make([]float32, n*wait), value: make([]float32, n*slots),
		low: newBounds(n*slots, draws), high: newBounds(n*slots, draws),
		old: make([]entry, 0, entries), room: make([]entry, 0, entries+pending),
		cost: make([]uint64, entries+pending),
		prev: make([]uint16, entries+pending), after: make([]uint16, entries+pending)}
}

func (r *ranks) put(at int, x, origin []float64) {
	first := r.waiting*r.numbers + at
	if first >= len(r.wait) {
		return // more draws than there may be
	}
	wait := r.wait[first:]
	for i, v := range x {
		wait[i] = float32(v-origin[i]) + 0 // never −0
	}
}

// next ends draw number count.
func (r *ranks) next(count int64) {
	if count > r.most {
		return
	}
	if r.waiting++; r.waiting < pending {
		return
	}
	for i := range r.numbers {
		for j, e := range r.entry(i, uint32(count)) {
			k := i*r.slots + j
			r.value[k] = e.value
			r.low.set(k, e.low)
			r.high.set(k, e.high)
		}
	}
	r.used, r.waiting = min(r.used+pending, r.entries), 0
}

// entry returns the sketch of number i after its waiting draws are added, with count draws in all.
// The result is valid until the next call.
func (r *ranks) entry(i int, count uint32) []entry {
	wait := r.sorted[:r.waiting]
	for j := range wait {
		wait[j] = r.wait[j*r.numbers+i]
	}
	for j := 1; j < len(wait); j++ { // they are few
		for x := wait[j]; j > 0 && wait[j-1] > x; j-- {
			wait[j-1], wait[j] = x, wait[j-1]
		}
	}
	old := r.old[:r.used]
	for j := range old {
		k := i*r.slots + j
		old[j] = entry{r.value[k], r.low.at(k), r.high.at(k)}
	}
	room := r.room[:0]
	before := count - uint32(len(wait)) // draws of the entries
	o := 0
	for j, x := range wait {
		for ; o < len(old) && old[o].value <= x; o++ {
			room = append(room, old[o].behind(j))
		}
		e := entry{value: x, low: uint32(j) + 1, high: before + uint32(j) + 1}
		if o > 0 {
			e.low += old[o-1].low
		}
		if o < len(old) {
			e.high = old[o].high + uint32(j)
		}
		if o == len(old) {
			e.low = e.high // all others are before it
		}
		room = append(room, e)
	}
	for ; o < len(old); o++ {
		room = append(room, old[o].behind(len(wait)))
	}
	return r.thin(room, float64(count))
}

// thin drops entries until there are at most r.entries of them. It drops those with the smallest
// loss first.
func (r *ranks) thin(e []entry, count float64) []entry {
	drop := len(e) - r.entries
	if drop <= 0 {
		return e
	}
	last := len(e) - 1
	cost, prev, next := r.cost[:len(e)], r.prev[:len(e)], r.after[:len(e)]
	scale := shades / (2 * count)
	cost[0], cost[last] = math.MaxUint64, math.MaxUint64 // both ends stay
	for j := 1; j < last; j++ {
		cost[j] = loss(e, j-1, j, j+1, scale)
		prev[j], next[j] = uint16(j-1), uint16(j+1)
	}
	for range drop {
		least := cost[0]
		for _, c := range cost[1:] {
			least = min(least, c)
		}
		j := int(least & places)
		a, b := int(prev[j]), int(next[j])
		cost[j] = math.MaxUint64
		e[j].low = 0 // no rank: gone
		if a > 0 {
			next[a] = uint16(b)
			cost[a] = loss(e, int(prev[a]), a, b, scale)
		}
		if b < last {
			prev[b] = uint16(a)
			cost[b] = loss(e, a, b, int(next[b]), scale)
		}
	}
	kept := e[:0]
	for _, x := range e {
		if x.low > 0 {
			kept = append(kept, x)
		}
	}
	return kept
}

// places masks the bits of a loss that hold the index of its entry.
const places = 1<<12 - 1

// MaxEntries is the largest number of entries of a quantile sketch.
const MaxEntries = places + 1 - pending

// loss returns the loss of information if entry j between a and b is dropped, with j in its last
// bits. The loss is the growth of Σ mass · gap² over the gaps between entries, weighted by
// quantile. A gap is the largest error of a rank between two entries. The loss is not negative, so
// the bits of the float64 have the order of its values.
func loss(e []entry, a, j, b int, scale float64) uint64 {
	al, ah := float64(e[a].low), float64(e[a].high)
	l, h := float64(e[j].low), float64(e[j].high)
	bl, bh := float64(e[b].low), float64(e[b].high)
	gap, left, right := bh-al, h-al, bh-l
	if e[a].value == e[j].value { // there is nothing to know between draws that are the same
		left = 0
		if e[b].value == e[a].value {
			return uint64(j)
		}
	}
	if e[b].value == e[j].value {
		right = 0
	}
	x := float64((l+h-al-ah)*((gap-left)*(gap+left))) +
		float64((bl+bh-l-h)*((gap-right)*(gap+right)))
	return math.Float64bits(float64(x*weight[int((l+h)*scale)]))&^places | uint64(j)
}

// shades is the number of steps of weight.
const shades = 256

// weight of a squared gap at a quantile p: 1 over the square of how large it may be, 0.03 + p (1 −
// p), so that bounds are closer in the tails.
var weight = func() (w [shades + 1]float64) {
	for i := range w {
		p := float64(float64(i) / shades)
		may := 0.03 + float64(p*(1-p))
		w[i] = 1 / float64(may*may)
	}
	return w
}()
