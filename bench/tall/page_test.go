package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPage: the table of bench/tall.md and the picture are those of the runs.
func TestPage(t *testing.T) {
	runs, err := readRuns("runs.csv")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "tall.md"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := withTable(string(page), runs); err != nil || text != string(page) {
		t.Errorf("the table of bench/tall.md is not that of runs.csv (%v): go run ./bench/tall -page",
			err)
	}
	svg, err := os.ReadFile(filepath.Join("..", "tall.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if string(svg) != picture(runs) {
		t.Error("bench/tall.svg is not the picture of runs.csv: go run ./bench/tall -page")
	}
}

// TestPicture: an extrapolation is ten times as high at ten times as many rows, and the
// line without settings has none.
func TestPicture(t *testing.T) {
	if down, across := placeY(1)-placeY(10), placeX(1e5)-placeX(1e4); down != (bottom-top)/6. ||
		across != (right-left)/4. {
		t.Errorf("a factor of ten is %g up and %g to the right", down, across)
	}
	if got := (&result{way: "nuts", seconds: 30, ess: 600}).to400(); got != 20 {
		t.Errorf("30 s for 600 effective draws are %g s for 400", got)
	}
	if got := (&result{way: "auto", seconds: 30, ess: 600}).to400(); got != 30 {
		t.Errorf("a run that stops by itself took 30 s, not %g", got)
	}
}
