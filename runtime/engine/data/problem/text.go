package problem

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// Names writes names as "a, b and c".
func Names(names []string) string {
	switch n := len(names); n {
	case 0:
		return "nothing"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// DidYouMean returns a note with the nearest of the candidates, or nothing.
func DidYouMean(name string, candidates []string) []string {
	if c := spelling.Nearest(name, candidates); c != "" {
		return []string{fmt.Sprintf("did you mean %s?", c)}
	}
	return nil
}

// Counted writes a number with its noun, in the plural unless the number is 1.
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, y := strings.CutSuffix(what, "y"); y {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Number prints a value as a person would write it.
func Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "Inf"
	case math.IsInf(v, -1):
		return "-Inf"
	case v == math.Trunc(v) && math.Abs(v) < 1e21:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
