package bench

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/ratios"
)

// TestFreshRatios: the table of README.md is that of the stored measurements:
//
//	go test ./bench -run Fresh -update
func TestFreshRatios(t *testing.T) {
	want, err := ratios.Page(".")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("README.md", want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile("README.md"); err != nil || !bytes.Equal(have, want) {
		t.Error("README.md is not what table/results.json gives: " +
			"go test ./bench -run Fresh -update")
	}
}

// TestRatios: every row of the table has been measured, in rounds of all its sides.
func TestRatios(t *testing.T) {
	all, err := ratios.Read("table/results.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range ratios.Rows {
		i := slices.IndexFunc(all, func(m ratios.Measurement) bool { return m.Row == r.Name })
		if i < 0 {
			t.Errorf("%s was not measured: go run ./bench/table -only '%s'", r.Name, r.Name)
			continue
		}
		m := all[i]
		if m.Date == "" || m.Commit == "" {
			t.Errorf("%s: a measurement has its date and its commit", r.Name)
		}
		for _, s := range r.Sides {
			if len(m.Sides[s.Who]) == 0 || len(m.Sides[s.Who]) != len(m.Sides[ratios.Sgppl]) {
				t.Errorf("%s: %s was measured in %d rounds, sgppl in %d", r.Name, s.Who,
					len(m.Sides[s.Who]), len(m.Sides[ratios.Sgppl]))
			}
		}
	}
	for _, m := range all {
		if !slices.ContainsFunc(ratios.Rows, func(r ratios.Row) bool { return r.Name == m.Row }) {
			t.Errorf("%s is measured and is no row", m.Row)
		}
	}
}
