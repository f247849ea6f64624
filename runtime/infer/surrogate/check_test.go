package surrogate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Rows are drawn in the number that is asked for, and their weights make up for those that
// are left out; a row's draw does not depend on the shard that it is in.
func TestDraw(t *testing.T) {
	const n, size = 20000, 1500
	r := rand.New(rand.NewPCG(1, 2))
	h := make([]float64, n)
	for i := range h {
		h[i] = math.Exp(2 * r.NormFloat64())
	}
	c := Rate(h, size)
	rows, weights := Draw(h, c, 9, 0)
	sum := 0.0
	for k, row := range rows {
		sum += weights[k] * h[row] // by leverage the variance is small
	}
	total := 0.0
	for _, x := range h {
		total += x
	}
	if math.Abs(float64(len(rows))-size) > 4*math.Sqrt(size) {
		t.Errorf("%d rows, about %d were asked for", len(rows), size)
	}
	if math.Abs(sum/total-1) > 0.1 {
		t.Errorf("weighted rows add up to %.3g, all to %.3g", sum, total)
	}
	const cut = 7001
	a, _ := Draw(h[:cut], c, 9, 0)
	b, _ := Draw(h[cut:], c, 9, cut)
	for _, row := range b {
		a = append(a, row+cut)
	}
	if len(a) != len(rows) {
		t.Fatalf("%d rows of shards, %d of all", len(a), len(rows))
	}
	for i := range a {
		if a[i] != rows[i] {
			t.Fatalf("row %d of shards is %d, of all %d", i, a[i], rows[i])
		}
	}
	if all, w := Draw(h[:10], Rate(h[:10], 10), 1, 0); len(all) != 10 || w[3] != 1 {
		t.Errorf("%d of 10 rows, weights %v", len(all), w)
	}
}

// A surrogate that is the posterior has equal weights; one that is too narrow is no good, and
// weights correct one that is shifted.
func TestCheck(t *testing.T) {
	const n = 4000
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		shift, scale float64
		good         bool
	}{{0, 1, true}, {0.5, 1.1, true}, {0, 0.3, false}, {6, 1, false}} {
		x := make([]float64, n)
		lik, rest, lp := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			z := r.NormFloat64()
			x[i] = c.shift + c.scale*z
			lp[i], lik[i], rest[i] = -z*z/2, -x[i]*x[i]/3, -x[i]*x[i]/6
		}
		w, e := Check(lik, rest, lp)
		mean, total := 0.0, 0.0
		for i := range x {
			mean += w[i] * x[i]
			total += w[i]
		}
		if e.Good() != c.good || math.Abs(total-1) > 1e-9 {
			t.Errorf("shift %v, scale %v: %+v, weights add up to %v", c.shift, c.scale, e, total)
		}
		if c.good && math.Abs(mean) > 0.1 {
			t.Errorf("shift %v, scale %v: the weighted mean is %.3f", c.shift, c.scale, mean)
		}
	}
}

// Of rows that shards drew with a larger rate, those are kept that the rate by all leverages
// takes; and that rate needs only their sum, and the large ones.
func TestThin(t *testing.T) {
	const n, size = 30000, 900
	r := rand.New(rand.NewPCG(5, 2))
	h := make([]float64, n)
	total := 0.0
	for i := range h {
		h[i] = math.Exp(2.5 * r.NormFloat64())
		total += h[i]
	}
	want := Rate(h, size)
	ample, _ := Draw(h, 1.7*want, 4, 0)
	var numbers []int64
	var some []float64
	for _, row := range ample {
		numbers, some = append(numbers, int64(row)), append(some, h[row])
	}
	c := RateOf(total, some, size, 1.7*want)
	if math.Abs(c/want-1) > 1e-6 {
		t.Errorf("rate %v, of all leverages %v", c, want)
	}
	if e := Expected(total, some, c); math.Abs(e-size) > 1e-3 {
		t.Errorf("%v rows are expected, %d wanted", e, size)
	}
	rows, weights := Draw(h, c, 4, 0)
	keep, thin := Thin(numbers, some, c, 4)
	if len(keep) != len(rows) {
		t.Fatalf("%d rows are kept, %d drawn", len(keep), len(rows))
	}
	for i, k := range keep {
		if ample[k] != rows[i] || thin[i] != weights[i] {
			t.Fatalf("row %d with weight %v, drawn were %d with %v", ample[k], thin[i], rows[i], weights[i])
		}
	}
}
