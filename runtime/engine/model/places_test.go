package model

import (
	"math/rand/v2"
	"testing"
)

// Every row of a page is found at its index, and no other row, whatever pages came before.
func TestRowPlaces(t *testing.T) {
	var p rowPlaces
	if _, there := p.at(0); there {
		t.Error("a row before the first page")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 3, 5000, 0, 64, 1 << 14, 200} {
		seen := map[int]int{}
		var rows []int
		for len(rows) < n {
			first := r.IntN(1 << 40)
			for row := first; row < first+1+r.IntN(500) && len(rows) < n; row++ {
				if _, twice := seen[row]; !twice {
					seen[row] = len(rows)
					rows = append(rows, row)
				}
			}
		}
		p.set(rows)
		for row, want := range seen {
			if got, there := p.at(row); !there || got != want {
				t.Fatalf("row %d is at %d (%v), want %d", row, got, there, want)
			}
			if _, is := seen[row+1000]; !is {
				if _, there := p.at(row + 1000); there {
					t.Fatalf("row %d is not of the page", row+1000)
				}
			}
		}
	}
}

// A page of 24,000 rows, and every row of it.
func BenchmarkRowPlaces(b *testing.B) {
	rows := make([]int, 24_000)
	for i := range rows {
		rows[i] = (i/1500*37+11)*1500 + i%1500
	}
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(rows))
	var p rowPlaces
	sum := 0
	for b.Loop() {
		p.set(rows)
		for _, i := range order {
			k, _ := p.at(rows[i])
			sum += k
		}
	}
	if sum < 0 {
		b.Fatal(sum)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
}
