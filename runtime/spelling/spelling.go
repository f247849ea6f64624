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

// distance is the edit distance with insertions, deletions, replacements and swaps
// of neighbours, of which no part is edited twice (Wagner and Fischer 1974, with the
// swaps of Damerau 1964).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := [3][]int{} // of the two letters of s before, of the one before, and this one's
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
	}
	for j := range rows[2] {
		rows[2][j] = j
	}
	for i := range s {
		rows[0], rows[1], rows[2] = rows[1], rows[2], rows[0]
		before, row := rows[1], rows[2]
		row[0] = i + 1
		for j := range t {
			cost := before[j]
			if s[i] != t[j] {
				cost++
			}
			row[j+1] = min(cost, row[j]+1, before[j+1]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], rows[0][j-1]+1)
			}
		}
	}
	return rows[2][len(t)]
}
