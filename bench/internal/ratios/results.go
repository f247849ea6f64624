// Package ratios has the table of what is compared with C and with other programs, the stored
// measurements of each row, and the tables that pages of bench show of both. Command bench/table
// measures.
package ratios

import (
	"encoding/json"
	"os"
	"slices"
)

// A Measurement is what one run of bench/table found for a row of the table.
type Measurement struct {
	Row    string
	Date   string // yyyy-mm-dd
	Commit string // of the tree that was measured, with a + where it had changes
	CPU    string // the name of the processor
	// Sides has for each side the value of each round: seconds a unit of work, or MiB. The sides
	// took turns, so values with the same index belong together.
	Sides map[string][]float64
}

// Read reads the stored measurements.
func Read(path string) ([]Measurement, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []Measurement
	return all, json.Unmarshal(text, &all)
}

// Store puts measurements in the place of those of the same rows, in the order of the table.
func Store(path string, measured []Measurement) error {
	all, err := Read(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	var out []Measurement
	for _, r := range Rows {
		is := func(m Measurement) bool { return m.Row == r.Name }
		if i := slices.IndexFunc(measured, is); i >= 0 {
			out = append(out, measured[i])
		} else if i := slices.IndexFunc(all, is); i >= 0 {
			out = append(out, all[i])
		}
	}
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o666)
}
