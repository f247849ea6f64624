package array

import (
	"fmt"
	"math"
	"strings"
)

// Product multiplies sizes; ok is false when it does not fit an int.
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

// Len multiplies the sizes of an array that is in memory, whose length fits an int.
func Len(shape []int) int {
	n, _ := Product(shape)
	return n
}

// ShapeText says what shape an array has, as part of a message.
func ShapeText(shape []int) string {
	if len(shape) == 0 {
		return "is a single number"
	}
	return "has shape " + strings.ReplaceAll(fmt.Sprint(shape), " ", ", ")
}

// EntryName writes name[i,j] of a flat index, and gives i.
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
