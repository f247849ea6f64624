package sketch

// A Span is a part of a draw: the numbers From … From+Len−1.
type Span struct{ From, Len int }

// A Sketch summarises the draws of one chain.
type Sketch struct {
	spans   []Span
	numbers int
	count   int64
	mean    []float64
	square  []float64 // Σ (x − mean)²
	origin  []float64 // the first draw: what is stored in single precision is a distance from it
	batches batches
	ranks   ranks
}

// Entries of a quantile sketch where nobody says otherwise: SmallEntries up to SmallNumbers
// numbers, DefaultEntries above.
const (
	DefaultEntries = 16
	SmallEntries   = 64
	SmallNumbers   = 100_000
)

// Entries returns the default number of entries of a quantile sketch, for a model with so many
// numbers.
func Entries(numbers int) int {
	if numbers <= SmallNumbers {
		return SmallEntries
	}
	return DefaultEntries
}

// MinEntries is the least number of entries of a quantile sketch: both ends, and some between.
const MinEntries = 8

// BytesPer is the memory that a number takes in a sketch of so many entries, of a chain of at most
// so many draws; 0 entries are the moments alone.
func BytesPer(entries int, draws int64) int {
	if entries == 0 {
		return 2 * 8
	}
	each := 4 + 2*4
	if draws <= maxShort {
		each = 4 + 2*2
	}
	batches, wait, slots := capacity(entries, draws)
	return 2*8 + 8 + 8 + 4*batches + 4*wait + each*slots
}

// capacity returns of how many batches, pending draws and entries a number has the place: no more
// than a chain of so many draws can fill.
func capacity(entries int, draws int64) (batches, wait, slots int) {
	draws = max(draws, 0)
	return int(min(maxBatches-1, draws)), int(min(pending, draws)),
		int(min(int64(entries), draws-draws%pending))
}

// New makes the sketch of the numbers in the spans of draws, in the order of the spans. entries is
// 0, for moments alone, or at least MinEntries. A chain may have at most draws draws.
func New(spans []Span, entries int, draws int64) *Sketch {
	n := 0
	for _, s := range spans {
		n += s.Len
	}
	k := &Sketch{spans: spans, numbers: n, mean: make([]float64, n), square: make([]float64, n)}
	if entries > 0 {
		k.origin, k.batches, k.ranks = make([]float64, n), newBatches(n, draws),
			newRanks(n, max(entries, MinEntries), draws)
	}
	return k
}

// Count is the number of draws so far.
func (k *Sketch) Count() int64 { return k.count }

// Numbers returns the number of elements that are summarised.
func (k *Sketch) Numbers() int { return k.numbers }

// Entries is the number of entries of a quantile sketch; 0 where there is none.
func (k *Sketch) Entries() int { return k.ranks.entries }

// Batches are the number of full batches of draws and their length.
func (k *Sketch) Batches() (full int, length int64) { return k.batches.full, k.batches.length }

// Add takes a draw. It keeps nothing of the slice.
func (k *Sketch) Add(draw []float64) {
	k.count++
	n, at := float64(k.count), 0
	for _, s := range k.spans {
		mean, square := k.mean[at:at+s.Len], k.square[at:at+s.Len]
		for i, x := range draw[s.From : s.From+s.Len] {
			d := x - mean[i]
			mean[i] += d / n
			square[i] += float64(d * (x - mean[i]))
		}
		at += s.Len
	}
	if k.ranks.entries == 0 {
		return
	}
	at = 0
	for _, s := range k.spans {
		x, origin := draw[s.From:s.From+s.Len], k.origin[at:at+s.Len]
		if k.count == 1 {
			copy(origin, x)
		}
		k.batches.put(at, x, origin)
		k.ranks.put(at, x, origin)
		at += s.Len
	}
	k.batches.next()
	k.ranks.next(k.count)
}
