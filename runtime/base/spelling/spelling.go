// Package spelling finds the known name that was probably meant by an unknown one.
package spelling

import (
	"sort"
	"strings"
	"unicode"
)

// Nearest finds the known name that was probably meant, for "did you mean". It is
// empty when none is near. First come names that differ in case, underscores or a
// plural's s alone; then the one at the smallest edit distance (insertion,
// deletion, exchange of a letter or of two neighbours; Damerau 1964), at most a
// third of the name's length and never more than 3; then the only one that begins with
// the name, if that has three letters or more. For a name of one letter it is the only
// one of two letters that begins with it. Of equals the first in order wins.
func Nearest(name string, known []string) string {
	sorted := append([]string(nil), known...)
	sort.Strings(sorted)
	for _, k := range sorted {
		if k != name && fold(k) == fold(name) {
			return k
		}
	}
	word := []rune(name)
	if len(word) == 1 { // any other letter is one exchange away
		return only(sorted, func(k string) bool {
			return len([]rune(k)) == 2 && strings.HasPrefix(k, name)
		})
	}
	best, limit := "", min(3, (len(word)+2)/3)
	for _, k := range sorted {
		if k == name {
			continue
		}
		if d := distance(word, []rune(k)); d <= limit && d > 0 {
			best, limit = k, d-1
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	return only(sorted, func(k string) bool {
		return k != name && strings.HasPrefix(strings.ToLower(k), strings.ToLower(name))
	})
}

// only returns the one name that is, or "" if there are several or none.
func only(names []string, is func(string) bool) string {
	found := ""
	for _, k := range names {
		if !is(k) || k == found {
			continue
		}
		if found != "" {
			return ""
		}
		found = k
	}
	return found
}

// fold takes away what is easily mistaken: case, underscores, and the s at the
// end of a word of three letters or more.
func fold(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r != '_' {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	s := b.String()
	if len(s) > 2 && !strings.HasSuffix(s, "ss") {
		s = strings.TrimSuffix(s, "s")
	}
	return s
}

// distance is the optimal string alignment distance.
func distance(a, b []rune) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = old, row, older
	}
	return rows[1][len(b)]
}
