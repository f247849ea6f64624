// Package rng holds the random streams of the runtime and the generators of
// distributions on top of them.
//
// A draw is a function of (seed, chain, purpose, step, index) alone: a stream
// has no position that a checkpoint would have to save, work may be split
// over any number of workers, and what one purpose draws never shifts what
// another sees. Philox4x64-10 (Salmon et al., 2011) turns those numbers into
// the state of xoshiro256++, or for bulk calls of eight xoroshiro128++ side by
// side (Blackman & Vigna, 2021), which make the words.
// The same bits come out on every machine.
package rng
