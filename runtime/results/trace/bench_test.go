package trace

import (
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
)

func manyVars() []Variable {
	var vars []Variable
	for i := range 12 {
		vars = append(vars, Variable{Group: "posterior", Name: fmt.Sprint("v", i),
			Shape: []int{10}})
	}
	return vars
}

// What a run pays before its first draw.
func BenchmarkCreate(b *testing.B) {
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		s, err := Create(filepath.Join(dir, strconv.Itoa(i)), manyVars(), 4, 1000, 0, nil)
		if err != nil {
			b.Fatal(err)
		}
		for c := range 4 {
			if _, err := s.Appender(c, 0); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// What a draw of 120 numbers costs, chunks and all.
func BenchmarkAppend(b *testing.B) {
	s, err := Create(filepath.Join(b.TempDir(), "d"), manyVars(), 1, 1<<24, 0, nil)
	if err != nil {
		b.Fatal(err)
	}
	a, err := s.Appender(0, 0)
	if err != nil {
		b.Fatal(err)
	}
	x := make([]float64, 10)
	for b.Loop() {
		for i := range 12 {
			a.Put(i, x)
		}
		if err := a.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSync measures the cost of a checkpoint except for writing its file.
func BenchmarkSync(b *testing.B) {
	s, err := Create(filepath.Join(b.TempDir(), "d"), manyVars(), 1, 1<<20, 0, nil)
	if err != nil {
		b.Fatal(err)
	}
	a, err := s.Appender(0, 0)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := a.Next(); err != nil {
			b.Fatal(err)
		}
		if err := a.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}
