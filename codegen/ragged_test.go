package codegen_test

import (
	"strings"
	"testing"
)

// Users give rows of their own lengths as slices of slices, and of bools that
// files list the indices.
func TestRaggedFields(t *testing.T) {
	for _, c := range own(t) {
		if c.name != "ragged" {
			continue
		}
		text := string(c.generate(t)["model.go"])
		for _, want := range []string{
			"On   [][][]int   // [S, T, 5] bool: lists of the indices that are on, from 3",
			"Loud [][]float64 // [S, T] positive",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no field %s", want)
			}
		}
		if strings.Contains(text, "T int") || strings.Contains(text, `"T"`) {
			t.Error("the size of T is asked for, which the rows have")
		}
		return
	}
	t.Error("no model with ragged rows")
}
