package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// wide is the type of sums, in either precision.
type wide = float64

// sumLanes are the lanes of a sum.
type sumLanes [8]wide

// sum is that of the lanes, in the order of Sum.
func (l *sumLanes) sum() wide {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

func sum64(x []float64) wide { return Sum(x) }

func sum32(x []float32) wide { return Sum32(x) }

func sigmoid64(x []float64) { Sigmoid(x, x) }

func sigmoid32(x []float32) { Sigmoid32(x, x) }

// logitVector reports whether there is assembly for SparseLogit.
func logitVector() bool { return level == cpu.AVX512 }
