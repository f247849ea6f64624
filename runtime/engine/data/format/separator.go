package format

import "bytes"

// separator returns what separates the cells of a table whose header is line: the commas of
// csv, or semicolons, or tabs, where the header has these and no commas.
func separator(line []byte) byte {
	var counts [256]int
	quoted := false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			counts[c]++
		}
	}
	for _, c := range []byte{',', ';', '\t'} {
		if counts[c] > 0 {
			return c
		}
	}
	return ','
}

// pointed returns a cell with a point in the place of its decimal comma, and false where it
// is not a number with one.
func pointed(cell []byte) ([]byte, bool) {
	k := bytes.IndexByte(cell, ',')
	if k < 0 || bytes.IndexByte(cell[k+1:], ',') >= 0 || bytes.IndexByte(cell, '.') >= 0 {
		return nil, false
	}
	out := bytes.Clone(cell)
	out[k] = '.'
	_, n := Decimal(out)
	return out, n == len(out)
}
