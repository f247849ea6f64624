package pass

import (
	"strconv"
	"strings"
)

// Numbers are the values NAME=VALUE that are numbers, by name.
func Numbers(set []string) map[string]float64 {
	out := map[string]float64{}
	for _, s := range set {
		name, value, _ := strings.Cut(s, "=")
		if x, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil {
			out[strings.TrimSpace(name)] = x
		}
	}
	return out
}
