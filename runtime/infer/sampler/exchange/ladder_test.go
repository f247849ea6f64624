package exchange

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// tempered draws the ratios log p − log q of all replicas, for q = N(0, 1) and p = e^log N(0, s²):
// between the two all laws are normal.
func tempered(l *Ladder, src *rng.Source, s, log float64, ratios []float64) {
	for i, b := range l.Betas {
		x := src.Normal() / math.Sqrt(1-b+b/(s*s))
		ratios[i] = log - math.Log(s) - x*x/(2*s*s) + x*x/2
	}
}

// TestLadder: temperatures come to equal rejections, and the evidence is right within its error.
func TestLadder(t *testing.T) {
	const s, log, replicas = 0.02, 3.0, 7
	stream := rng.New(3, 0, rng.Test)
	src := stream.At(0)
	l := NewLadder(replicas)
	ratios := make([]float64, replicas)
	first := make([]float64, 100)
	for i := range first {
		x := src.Normal()
		first[i] = log - math.Log(s) - x*x/(2*s*s) + x*x/2
	}
	l.Begin(first)
	if !slices.IsSorted(l.Betas) || l.Betas[0] != 0 || l.Betas[replicas-1] != 1 {
		t.Fatalf("ladder %v", l.Betas)
	}
	for range 6 {
		for range 1000 {
			tempered(l, &src, s, log, ratios)
			l.See(ratios, nil, 0, true)
		}
		l.Refit()
	}
	for range 1000 {
		tempered(l, &src, s, log, ratios)
		l.See(ratios, nil, 0, true)
	}
	l.Settle()
	const n, groups = 1000, 20
	sum, square := 0.0, 0.0
	for range groups {
		for i := range l.gaps {
			l.gaps[i].n, l.gaps[i].rejected, l.gaps[i].hot, l.gaps[i].cold = 0, 0, 0, 0
		}
		for range n {
			tempered(l, &src, s, log, ratios)
			l.See(ratios, nil, 0, false)
		}
		v := l.LogEvidence()
		sum += v / groups
		square += v * v / groups
	}
	mcse := math.Sqrt((square - sum*sum) / (groups - 1))
	t.Logf("ladder %.4g, barrier %.3f, log evidence %.4f ± %.4f", l.Betas, l.Barrier(), sum, mcse)
	if math.Abs(sum-log) > 4*mcse || mcse > 0.02 {
		t.Errorf("log evidence %.4f ± %.4f, and %v is expected", sum, mcse, log)
	}
	each := l.Barrier() / (replicas - 1)
	for i := range l.gaps {
		if r := l.gaps[i].rejected / l.gaps[i].n; math.Abs(r-each) > 0.05 {
			t.Errorf("gap %d rejects %.3f of the swaps, on average %.3f are rejected", i, r, each)
		}
	}
	// Λ = ∫ E|ℓ − ℓ'|/2 dβ, and E|z² − z'²| = 4/π of standard normal variables (Syed et al.
	// 2022, section 4.1).
	if b, all := l.Barrier(), -2*math.Log(s)/math.Pi; b < 0.9*all || b > all {
		t.Errorf("barrier %.4f, and at most %.4f is expected", b, all)
	}
}

// TestReference: the draws of the reference law have its density, and its gradient is that of it.
func TestReference(t *testing.T) {
	spaces, err := manifold.Product([]target.Block{
		{Name: "a", Offset: 0, Len: 2, Geometry: target.Geometry{Kind: "euclidean", Points: 1, Dim: 2}},
		{Name: "b", Offset: 2, Len: 3, Geometry: target.Geometry{Kind: "sphere", Points: 1, Dim: 3}},
	}, 5)
	if err != nil {
		t.Fatal(err)
	}
	r := NewReference(spaces, 5)
	r.Fit([][]float64{{1, 5, 0, 0, 1}, {1, -5, 0, 1, 0}})
	if r.Normed() || r.mean[0] != 1 || r.sd[0] != 2 || math.Abs(r.sd[1]-2*math.Sqrt(50)) > 1e-12 {
		t.Fatalf("means %v, deviations %v", r.mean, r.sd)
	}
	stream, x, grad := rng.New(1, 0, rng.Test), make([]float64, 5), make([]float64, 5)
	const n = 4000
	square := 0.0
	for i := range n {
		src := stream.At(uint64(i))
		r.Draw(&src, x)
		square += (x[1] / r.sd[1]) * (x[1] / r.sd[1]) / n
		if length := x[2]*x[2] + x[3]*x[3] + x[4]*x[4]; math.Abs(length-1) > 1e-12 {
			t.Fatalf("a point of length %v", length)
		}
	}
	if math.Abs(square-1) > 4*math.Sqrt(2.0/n) {
		t.Errorf("variance %v of that of the law", square)
	}
	r.pull(1, x, grad)
	for i := range 2 {
		const h = 1e-5
		x[i] += h
		up := r.Log(x)
		x[i] -= 2 * h
		down := r.Log(x)
		x[i] += h
		if d := (up - down) / (2 * h); math.Abs(d-grad[i]) > 1e-8 {
			t.Errorf("coordinate %d: gradient %v, differences %v", i, grad[i], d)
		}
	}
	if grad[2] != 0 {
		t.Errorf("the uniform law has a gradient: %v", grad)
	}
}
