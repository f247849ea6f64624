// Package spelling finds the known name that was probably meant by one that is
// unknown.
package spelling

import "strings"

// Nearest is the candidate at the smallest edit distance, when it is small
// for the length of the name; the first of equals.
func Nearest(name string, candidates []string) string {
	best, at := "", max(1, len([]rune(name))/3)+1
	for _, c := range candidates {
		if c == name {
			continue
		}
		d := distance(strings.ToLower(name), strings.ToLower(c))
		if d < at && d < len([]rune(c)) {
			best, at = c, d
		}
	}
	return best
}

// distance is the edit distance with insertions, deletions and replacements
// (Wagner and Fischer 1974).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j := range t {
			cost := diagonal
			if s[i] != t[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(t)]
}
