package bench

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/ratios"
)

// TestFreshRatios: the tables of ratios are those of the stored measurements:
//
//	go test ./bench -run Fresh -update
func TestFreshRatios(t *testing.T) {
	pages, err := ratios.Pages(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pages {
		if *update {
			if err := os.WriteFile(name, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what table/results.json gives: go test ./bench -run Fresh -update",
				name)
		}
	}
	if pages["README.md"] == nil {
		t.Error("README.md does not show the table")
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
