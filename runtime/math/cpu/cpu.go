// Package cpu says which vector instructions the kernels of the runtime use.
//
// A kernel has up to four variants: portable Go, AVX2 and AVX-512 on amd64, and
// NEON on arm64. They give the same bits, so which one runs shows in nothing but
// the time. The choice is made once, when the program starts: what the processor
// and the operating system can do, unless the environment variable SGPPL_KERNELS
// (portable, avx2, avx512, neon) asks for less. The build tag purego leaves the
// portable variants alone.
package cpu

import (
	"os"
	"slices"
)

// A Level is a set of instructions.
type Level int

const (
	Portable Level = iota // Go alone
	AVX2                  // AVX2, FMA and BMI2
	AVX512                // AVX-512 F, DQ, BW and VL as well
	NEON                  // what every processor of arm64 has
)

var names = [...]string{"portable", "avx2", "avx512", "neon"}

func (l Level) String() string { return names[l] }

// Best is the level that kernels use.
var Best = choose(os.Getenv("SGPPL_KERNELS"), detect())

// choose returns the level of the given name if it is among those that can run,
// which are in order; else the last of these.
func choose(name string, can []Level) Level {
	for _, l := range can {
		if l.String() == name {
			return l
		}
	}
	return can[len(can)-1]
}

// Levels lists the levels that can run here, up to Best, which is the last: for tests.
func Levels() []Level {
	can := detect()
	return can[:slices.Index(can, Best)+1]
}
