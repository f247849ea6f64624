package batch

import (
	"math/bits"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// heaps is how many heaps rows are dealt into.
const heaps = 256

// deal returns the numbers below n in a random order, uniform over all orders. Each number is dealt
// to one of 256 heaps with equal probability, and then each heap is shuffled alone, in a near
// cache. Given how many numbers fall into each heap, all ways to deal them are equally probable,
// and so are then all orders (Rao, 1961; Sandelius, 1962).
func deal(n int, stream rng.Stream) []uint32 {
	row := make([]uint32, n)
	var count [heaps]int
	src := stream.At(0)
	for i := 0; i < n; i += 8 {
		w := src.Uint64()
		for range min(8, n-i) {
			count[uint8(w)]++
			w >>= 8
		}
	}
	var begin, next [heaps]int
	at := 0
	for h, c := range count {
		begin[h], next[h] = at, at
		at += c
	}
	src = stream.At(0) // the same bytes again
	for i := 0; i < n; i += 8 {
		w := src.Uint64()
		for k := range min(8, n-i) {
			h := uint8(w)
			row[next[h]] = uint32(i + k)
			next[h]++
			w >>= 8
		}
	}
	for h := range heaps {
		src := stream.At(uint64(h + 1))
		mix(&src, row[begin[h]:next[h]])
	}
	return row
}

// mix shuffles a list (Fisher–Yates) by halves of words.
func mix(src *rng.Source, list []uint32) {
	i := 1
	for ; i+1 < len(list); i += 2 {
		w := src.Uint64()
		j, k := below(src, uint32(w), uint32(i+1)), below(src, uint32(w>>32), uint32(i+2))
		list[i], list[j] = list[j], list[i]
		list[i+1], list[k] = list[k], list[i+1]
	}
	if i < len(list) {
		j := below(src, uint32(src.Uint64()), uint32(i+1))
		list[i], list[j] = list[j], list[i]
	}
}

// below is uniform below n > 0, made of 32 random bits, and of more where these would have a bias
// (Lemire, 2019).
func below(src *rng.Source, x, n uint32) uint32 {
	hi, lo := bits.Mul32(x, n)
	if lo < n {
		for floor := -n % n; lo < floor; {
			hi, lo = bits.Mul32(uint32(src.Uint64()), n)
		}
	}
	return hi
}
