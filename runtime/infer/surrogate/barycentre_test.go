package surrogate

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
)

func squareFrom(a []float64) matrix.Square { return matrix.Square{N: 2, A: a} }

// squareOf is L Lᵀ.
func squareOf(l []float64) matrix.Square {
	out := matrix.New(2)
	for i := range 2 {
		for j := range 2 {
			out.Set(i, j, dot(l[2*i:2*i+2], l[2*j:2*j+2]))
		}
	}
	return out
}

// Of one unknown the barycentre has the average of the means and of the standard deviations. Of
// covariances that commute it has the average of the roots, squared. In general it is the fixed
// point: a product of all with its map to each shard, averaged, is the identity.
func TestBarycentre(t *testing.T) {
	one := []*Moments{{Mean: []float64{1}, Cov: []float64{4}, Rhat: 1},
		{Mean: []float64{4}, Cov: []float64{25}, Rhat: 1},
		{Mean: []float64{-2}, Cov: []float64{0.25}, Rhat: 1}}
	w, err := barycentreOf(one)
	if err != nil || math.Abs(w.Mean[0]-1) > 1e-12 || math.Abs(w.Chol[0]-2.5) > 1e-9 {
		t.Errorf("%+v, %v", w, err)
	}
	turned := func(a, b, angle float64) []float64 {
		c, s := math.Cos(angle), math.Sin(angle)
		return []float64{a*c*c + b*s*s, (a - b) * c * s, (a - b) * c * s, a*s*s + b*c*c}
	}
	same := []*Moments{{Mean: []float64{0, 0}, Cov: turned(1, 9, 0.7), Rhat: 1},
		{Mean: []float64{2, -4}, Cov: turned(25, 1, 0.7), Rhat: 1}}
	if w, err = barycentreOf(same); err != nil {
		t.Fatal(err)
	}
	want := turned(9, 4, 0.7)
	for i := range 2 {
		for j := range 2 {
			if got := dot(w.Chol[2*i:2*i+2], w.Chol[2*j:2*j+2]); math.Abs(got-want[2*i+j]) > 1e-8 {
				t.Errorf("covariance %d, %d is %g, want %g", i, j, got, want[2*i+j])
			}
		}
	}
	if w.Mean[0] != 1 || w.Mean[1] != -2 {
		t.Errorf("mean %v", w.Mean)
	}
	other := []*Moments{{Mean: []float64{0, 0}, Cov: turned(1, 9, 0.2), Rhat: 1},
		{Mean: []float64{0, 0}, Cov: turned(4, 0.3, 1.3), Rhat: 1},
		{Mean: []float64{0, 0}, Cov: turned(2, 2.5, -0.4), Rhat: 1}}
	if w, err = barycentreOf(other); err != nil {
		t.Fatal(err)
	}
	// The map of optimal transport from N(0, Σ) to N(0, C) is T = Σ^(-1/2)(Σ^½ C Σ^½)^½ Σ^(-1/2),
	// and T Σ T = C. Of a barycentre the average of the maps is the identity.
	sigma := squareOf(w.Chol)
	root, inverse, _ := roots(sigma)
	sum := make([]float64, 4)
	for _, m := range other {
		inner, _, _ := roots(around(root, squareFrom(m.Cov)))
		move := around(inverse, inner)
		back := around(move, sigma)
		for i, v := range move.A {
			sum[i] += v / 3
			if math.Abs(back.A[i]-m.Cov[i]) > 1e-8 {
				t.Errorf("T Σ T is %v, want %v", back.A, m.Cov)
			}
		}
	}
	for i, v := range []float64{1, 0, 0, 1} {
		if math.Abs(sum[i]-v) > 1e-8 {
			t.Errorf("the maps have the average %v", sum)
		}
	}
	flat := &Moments{Mean: []float64{0, 0}, Cov: []float64{1, 1, 1, 1}, Rhat: 1}
	apart := &Moments{Mean: []float64{0, 0}, Cov: []float64{1, 0, 0, 1}, Rhat: 1.3}
	lost := &Moments{Mean: []float64{0, 0}, Cov: []float64{1, 0, 0, 1}, Rhat: math.NaN()}
	for want, wrong := range map[string]*Moments{"no barycentre": flat,
		"of shard 1 disagree (R-hat 1.30)": apart, "of shard 1 disagree (R-hat NaN)": lost} {
		_, err := barycentreOf([]*Moments{same[0], wrong})
		if no := (*Refusal)(nil); !errors.As(err, &no) || !strings.Contains(no.Why, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
