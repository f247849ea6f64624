package show

import (
	"strings"

	"github.com/sgppl/sgppl/internal/session"
)

// ReadPairs reads the pairs of numbers of --pairs. A comma within brackets is of an index.
func ReadPairs(specs []string) ([][2]string, error) {
	var out [][2]string
	for _, spec := range specs {
		depth, cut := 0, -1
		for i, r := range spec {
			switch {
			case r == '[':
				depth++
			case r == ']':
				depth--
			case r == ',' && depth == 0 && cut < 0:
				cut = i
			case r == ',' && depth == 0:
				return nil, session.Usagef("--pairs %s: two numbers are expected, as mu,tau", spec)
			}
		}
		if cut < 1 || cut == len(spec)-1 {
			return nil, session.Usagef("--pairs %s: two numbers are expected, as mu,tau", spec)
		}
		out = append(out, [2]string{strings.TrimSpace(spec[:cut]), strings.TrimSpace(spec[cut+1:])})
	}
	return out, nil
}
