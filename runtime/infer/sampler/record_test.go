package sampler

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// Running means in a record in single precision are those of one in double precision, rounded, and
// both come back from a checkpoint as they were.
func TestRecords(t *testing.T) {
	const n, part, rounds = 300, 128, 2000
	g := rand.New(rand.NewPCG(5, 1))
	wide, narrow := [2]record{}, [2]record{}
	for i := range wide {
		wide[i], narrow[i] = newRecord(n, false, part), newRecord(n, true, part)
	}
	x, room := make([]float64, n), make([]float64, part)
	for k := range rounds {
		for i := range x {
			x[i] = float64(i) + g.NormFloat64()
		}
		for _, r := range []*[2]record{&wide, &narrow} {
			for at := 0; at < n; at += part {
				end := min(at+part, n)
				mean, squares := r[0].open(at, end), r[1].open(at, end)
				kernel.Watch(x[at:end], mean, squares, room[:end-at], 1/float64(k+1))
				r[0].close(at, mean)
				r[1].close(at, squares)
			}
		}
	}
	for i := range n {
		for k := range wide {
			if a, b := wide[k].at(i), narrow[k].at(i); math.Abs(a-b) > 1e-4*(1+math.Abs(a)) {
				t.Fatalf("record %d has %v at %d, and %v in double precision", k, b, i, a)
			}
		}
	}
	label := loop.Label{Magic: "records1"}
	for _, r := range []*record{&wide[1], &narrow[1]} {
		again := newRecord(n, r.narrow != nil, part)
		text := loop.Unseal(loop.Seal(nil, label, r.walk), label, again.walk)
		if text != "" || again.empty() {
			t.Fatal(text)
		}
		for i := range n {
			if again.at(i) != r.at(i) {
				t.Fatalf("%v at %d comes back as %v", r.at(i), i, again.at(i))
			}
		}
	}
}
