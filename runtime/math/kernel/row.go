package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// longVector is from how many elements on extrema go through registers.
const longVector = 16

// row64 is an element of a product of a matrix and a vector: a Dot.
func row64(x, y []float64) float64 { return Dot(x, y) }

// row32 is that in single precision: a sum in sixteen lanes, halves of them
// added to halves in the end.
func row32(x, y []float32) float32 {
	if level == cpu.Portable || len(x) < shortVector {
		return portableRow32(x, y)
	}
	return vectorRow32(x, y)
}

// total64 is an element of SumAxis along contiguous elements: a Sum.
func total64(x []float64) float64 { return Sum(x) }

// total32 is that in single precision: a Sum32, rounded.
func total32(x []float32) float32 { return float32(Sum32(x)) }
