// Package cpu says which vector instructions the kernels of the runtime use.
//
// A kernel has up to three variants: portable Go, AVX2 and AVX-512. They give
// the same bits, so which one runs shows in nothing but the time. The choice
// is made once, when the program starts: what the processor and the operating
// system can do, unless the environment variable SGPPL_KERNELS (portable,
// avx2, avx512) asks for less. The build tag purego leaves the portable
// variants alone.
package cpu

import "os"

// A Level is a set of instructions; a greater one contains the smaller ones.
type Level int

const (
	Portable Level = iota // Go alone
	AVX2                  // AVX2, FMA and BMI2
	AVX512                // AVX-512 F, DQ, BW and VL as well
)

var names = [...]string{"portable", "avx2", "avx512"}

func (l Level) String() string { return names[l] }

// Best is the level that kernels use.
var Best = choose(os.Getenv("SGPPL_KERNELS"), detect())

// choose returns the level of the given name, not above have; have when there
// is no such level.
func choose(name string, have Level) Level {
	for l, n := range names {
		if n == name {
			return min(Level(l), have)
		}
	}
	return have
}

// Levels lists the levels that can run here, Best last: for tests.
func Levels() []Level {
	var all []Level
	for l := Portable; l <= Best; l++ {
		all = append(all, l)
	}
	return all
}
