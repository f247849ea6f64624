package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
)

// A Table has the customers: what is known of each, and whether it left.
type Table struct {
	X    [][]float64
	Left []bool
}

// ReadTable reads a csv with a header. Its last column is left, 0 or 1; all others are
// numbers.
func ReadTable(path string) (Table, error) {
	var t Table
	f, err := os.Open(path)
	if err != nil {
		return t, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	if len(lines) < 2 || len(lines[0]) < 2 {
		return t, fmt.Errorf("%s: a header, two columns or more and a row or more are expected",
			path)
	}
	for i, line := range lines[1:] {
		row := make([]float64, len(line))
		for k, cell := range line {
			if row[k], err = strconv.ParseFloat(cell, 64); err != nil {
				return t, fmt.Errorf("%s: line %d: %s: %w", path, i+2, lines[0][k], err)
			}
		}
		last := len(row) - 1
		if row[last] != 0 && row[last] != 1 {
			return t, fmt.Errorf("%s: line %d: %s is %v, not 0 or 1", path, i+2, lines[0][last],
				row[last])
		}
		t.X, t.Left = append(t.X, row[:last]), append(t.Left, row[last] == 1)
	}
	return t, nil
}
