package data

import (
	"fmt"
	"sort"
	"strings"
)

// Name is the file, with the field where it has several and the rows where
// some are selected.
func (o *Origin) Name() string {
	name := o.File
	for _, s := range []string{o.Field, o.Part} {
		if s != "" {
			name += ":" + s
		}
	}
	return name
}

func (s *Schema) inputNames() []string {
	out := make([]string, len(s.Inputs))
	for i := range s.Inputs {
		out[i] = s.Inputs[i].Name
	}
	return out
}

func (s *Schema) dimNames() []string {
	out := make([]string, len(s.Dims))
	for i := range s.Dims {
		out[i] = s.Dims[i].Name
	}
	return out
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// didYouMean is a note with the nearest of the candidates, or nothing.
func didYouMean(name string, candidates []string) []string {
	if c := nearest(name, candidates); c != "" {
		return []string{fmt.Sprintf("did you mean %s?", c)}
	}
	return nil
}

// nearest is the candidate at the smallest edit distance, when it is small
// for the length of the name; the first of equals.
func nearest(name string, candidates []string) string {
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

// list writes names as "a, b and c".
func list(names []string) string {
	switch n := len(names); n {
	case 0:
		return "nothing"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
