package format

import (
	"strconv"
	"strings"
)

// layout groups the columns of a header into fields: columns name.0, name.1, …
// or name[0], name[1], … in any order are one vector, name.0.0, … or
// name[0,0], … one matrix. Indices count from 0, or from 1 if none is 0.
// Columns that leave a gap, or repeat an index, stay separate columns.
func layout(header []string) ([]*csvField, []cell) {
	type column struct {
		base string
		at   []int
	}
	cols := make([]column, len(header))
	groups := map[string][]int{}
	plain := map[string]bool{}
	for k, name := range header {
		base, at := Subscript(name)
		cols[k] = column{base, at}
		if at != nil {
			groups[base] = append(groups[base], k)
		}
	}
	for k := range cols { // a name that no group has is looked up by nobody
		if cols[k].at == nil && groups[header[k]] != nil {
			plain[header[k]] = true
		}
	}
	place := make([]cell, len(header))
	var fields []*csvField
	for k, name := range header {
		if place[k].field != nil {
			continue
		}
		f := &csvField{name: name, width: 1}
		fields = append(fields, f)
		place[k] = cell{f, 0}
		members := groups[cols[k].base]
		if cols[k].at == nil || plain[cols[k].base] {
			continue
		}
		index := make([][]int, len(members))
		for i, m := range members {
			index[i] = cols[m].at
		}
		if shape, at := grid(index); shape != nil {
			f.name, f.shape, f.width = cols[k].base, shape, len(members)
			for i, m := range members {
				place[m] = cell{f, at[i]}
			}
		}
	}
	return fields, place
}

// Subscript splits w.3, w[3], w.0.1 and w[0,1] into name and indices.
func Subscript(name string) (base string, at []int) {
	var parts []string
	if open := strings.IndexByte(name, '['); open > 0 && strings.HasSuffix(name, "]") {
		base, parts = name[:open], strings.Split(name[open+1:len(name)-1], ",")
	} else {
		parts = strings.Split(name, ".")
		keep := len(parts)
		for keep > 1 {
			if _, ok := Ordinal(parts[keep-1]); !ok {
				break
			}
			keep--
		}
		base, parts = strings.Join(parts[:keep], "."), parts[keep:]
	}
	for _, p := range parts {
		n, ok := Ordinal(strings.TrimSpace(p))
		if !ok {
			return name, nil
		}
		at = append(at, n)
	}
	if at == nil || base == "" {
		return name, nil
	}
	return base, at
}

// Ordinal reads a whole number without a sign, and reports whether s is one.
func Ordinal(s string) (int, bool) {
	if s == "" || s[0] == '+' || s[0] == '-' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// grid says which full array a set of indices forms, and where each falls in
// row-major order; shape is nil when it forms none.
func grid(index [][]int) (shape, at []int) {
	rank := len(index[0])
	lo, hi := append([]int(nil), index[0]...), append([]int(nil), index[0]...)
	for _, ix := range index {
		if len(ix) != rank {
			return nil, nil
		}
		for a, i := range ix {
			lo[a], hi[a] = min(lo[a], i), max(hi[a], i)
		}
	}
	n := 1
	base := lo[0]
	for a := range rank {
		if lo[a] != base || base > 1 || hi[a]-lo[a] >= len(index) {
			return nil, nil
		}
		shape = append(shape, hi[a]-lo[a]+1)
		n *= shape[a]
		if n > len(index) {
			return nil, nil
		}
	}
	seen := make([]bool, n)
	for _, ix := range index {
		flat := 0
		for a, i := range ix {
			flat = flat*shape[a] + i - lo[a]
		}
		if seen[flat] {
			return nil, nil
		}
		seen[flat] = true
		at = append(at, flat)
	}
	if len(at) != n {
		return nil, nil
	}
	return shape, at
}
