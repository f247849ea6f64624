package hmc

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMerge holds the joint of two subtrees to the criterion as Betancourt (2017) writes it:
// p·ρ > 0 at both ends of the whole, and of each half with the nearest leaf of the other.
func TestMerge(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	const n = 3
	dot := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	plus := func(a, b []float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = a[i] + b[i]
		}
		return out
	}
	random := func() node {
		buffer := make([]float64, 3*n)
		for i := range buffer {
			buffer[i] = src.NormFloat64() + 0.7
		}
		return newNode(&buffer, n)
	}
	on, off := 0, 0
	for range 1000 {
		a, b := random(), random()
		rho := plus(a.rho, b.rho)
		left, right := plus(a.rho, b.first), plus(a.last, b.rho)
		want := dot(a.first, rho) > 0 && dot(b.last, rho) > 0 &&
			dot(a.first, left) > 0 && dot(b.first, left) > 0 &&
			dot(a.last, right) > 0 && dot(b.last, right) > 0
		if got := merge(a, b); got != want {
			t.Fatalf("merge says %v, the criterion %v", got, want)
		}
		for i := range rho {
			if math.Abs(rho[i]-b.rho[i]) > 1e-15 {
				t.Fatalf("the sum of momenta is %v, want %v", b.rho, rho)
			}
		}
		if want {
			on++
		} else {
			off++
		}
	}
	if on < 100 || off < 100 {
		t.Errorf("%d subtrees go on and %d turn: both need to be tried", on, off)
	}
}

// TestPair holds the joint of two leaves to that of two subtrees of one leaf each.
func TestPair(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	const n = 2
	for range 1000 {
		a, b := make([]float64, n), make([]float64, n)
		twice, leaf := 0.0, 0.0
		for i := range n {
			a[i], b[i] = src.NormFloat64(), src.NormFloat64()
			leaf += a[i] * a[i]
			twice += b[i] * b[i]
		}
		clone := func(x []float64) []float64 { return append([]float64(nil), x...) }
		want := merge(node{clone(a), clone(a), clone(a)}, node{clone(b), clone(b), clone(b)})
		buffer := make([]float64, 4*n)
		tree := &Tree{doubling: doubling{current: newNode(&buffer, n), leaf: clone(a),
			leafKinetic: leaf}}
		if got := tree.pair(b, twice); got != want {
			t.Fatalf("pair of %v and %v says %v, merge %v", a, b, got, want)
		}
		for i := range n {
			if tree.current.first[i] != a[i] || tree.current.last[i] != b[i] ||
				tree.current.rho[i] != a[i]+b[i] {
				t.Fatalf("the pair of %v and %v is %+v", a, b, tree.current)
			}
		}
	}
}
