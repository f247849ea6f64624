package bench

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/gradients"
)

// TestFreshGradients: the tables of gradients.md are those of the results.
//
//	go test ./bench -run Fresh -update
func TestFreshGradients(t *testing.T) {
	text, err := os.ReadFile("gradients/results.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := gradients.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	from := map[string]int{}
	for _, r := range rows {
		if !math.IsNaN(r.Stan) {
			from[r.From]++
		}
	}
	if from["posteriordb"] < 16 || from["corpus"] < 20 || from["imported"] < 18 {
		t.Errorf("Stan was measured for %v, not for all of 16 posteriors and 38 programs", from)
	}
	have, err := os.ReadFile("gradients.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := gradients.Page(have, rows)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := os.ReadFile("gradients/starts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if want, err = gradients.Starts(want, begun); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("gradients.md", want, 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(have, want) {
		t.Error("gradients.md is not what the results give: go test ./bench -run Fresh -update")
	}
	if _, err := gradients.Read(bytes.Replace(text, []byte("\t"), []byte(" "), 1)); err == nil {
		t.Error("results with a field less are read")
	}
}
