package array

import (
	"fmt"
	"math"
	"strings"
)

// Product returns the product of the sizes. ok is false if a size is negative or the product
// overflows an int.
func Product(shape []int) (n int, ok bool) {
	n = 1
	for _, d := range shape {
		if d < 0 || d != 0 && n > math.MaxInt/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// Len returns the product of the sizes of an array that is in memory, so that it fits an int.
func Len(shape []int) int {
	n, _ := Product(shape)
	return n
}

// ShapeText returns the shape of an array as part of a message, such as "has shape [2, 3]".
func ShapeText(shape []int) string {
	if len(shape) == 0 {
		return "is a single number"
	}
	return "has shape " + strings.ReplaceAll(fmt.Sprint(shape), " ", ", ")
}

// EntryName returns the name of the entry at a flat index, such as "x[1,2]", and its first index.
func EntryName(name string, shape []int, flat int) (string, int) {
	if len(shape) == 0 {
		return name, 0
	}
	parts := make([]string, len(shape))
	for a := len(shape) - 1; a >= 0; a-- {
		n := max(1, shape[a])
		parts[a] = fmt.Sprint(flat % n)
		if a == 0 {
			parts[a] = fmt.Sprint(flat)
		} else {
			flat /= n
		}
	}
	return name + "[" + strings.Join(parts, ",") + "]", flat
}

// MaxWhole is 2^53, the largest magnitude below which float64 holds every
// whole number.
const MaxWhole = 1 << 53
