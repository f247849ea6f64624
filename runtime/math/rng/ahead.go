package rng

// An AheadOf makes the normals of a few steps that follow one another at once, those that a
// sequence makes for each of them. Seeding a generator is a chain of products of which none
// can begin before the last; the chains of several steps run side by side.
type AheadOf[T float32 | float64] struct {
	stream  Stream
	first   uint64 // the first step whose normals are in numbers
	stride  int    // how many normals a step has here, whole rounds
	numbers []T
	made    bool
	blocks  [mostAhead][4]uint64
	lanes   [mostAhead]SequenceOf[T]
}

const (
	mostAhead   = 8    // steps
	aheadPlaces = 1024 // normals in memory: the first cache has room for them
)

// NewAhead returns the memory for the normals of steps of n each.
func NewAhead[T float32 | float64](n int) AheadOf[T] {
	stride := WholeRounds[T](max(n, 1))
	steps := max(1, min(mostAhead, aheadPlaces/stride))
	return AheadOf[T]{stride: stride, numbers: make([]T, steps*stride)}
}

// At returns the normals of a step of a stream, and perhaps more of them than asked for. They
// are good until the next call.
func (a *AheadOf[T]) At(s Stream, step uint64) []T {
	k := step - a.first
	if !a.made || k >= uint64(len(a.numbers)/a.stride) || s != a.stream {
		a.make(s, step)
		k = 0
	}
	return a.numbers[int(k)*a.stride:][:a.stride]
}

// make fills the memory with the normals of the steps from first on.
func (a *AheadOf[T]) make(s Stream, first uint64) {
	a.stream, a.first, a.made = s, first, true
	steps := len(a.numbers) / a.stride
	domain := a.lanes[0].domain()
	for i := range steps {
		a.blocks[i] = s.block(first+uint64(i), domain)
	}
	for i := range steps {
		a.lanes[i].beginAt(&a.blocks[i])
	}
	for i := range steps {
		a.lanes[i].Fill(a.numbers[i*a.stride:][:a.stride])
	}
}
