package stdlib_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMatrixMeans holds what `mean` says of laws of vectors, counts and
// matrices to draws, entry by entry.
func TestMatrixMeans(t *testing.T) {
	lib := mustLoad(t)
	square := func(x ...float64) value {
		n := int(math.Sqrt(float64(len(x))))
		return value{[]int{n, n}, x}
	}
	scale, factor := square(2, 0.5, -0.3, 0.5, 1, 0.2, -0.3, 0.2, 1.5),
		square(1.2, 9, 9, -0.4, 0.8, 9, 0.3, 0.2, 0.5)
	mu, three := vector(0.5, -1, 2), map[string]float64{"K": 3}
	for k, c := range []struct {
		name  string
		args  []value
		sizes map[string]float64
	}{
		{"multi_normal", []value{mu, scale}, nil},
		{"multi_normal_cholesky", []value{mu, square(1.2, 0, 0, -0.4, 0.8, 0, 0.3, 0.2, 0.5)}, nil},
		{"multi_normal_prec", []value{mu, scale}, nil},
		{"multi_student_t", []value{scalar(5), mu, scale}, nil},
		{"multi_student_t_cholesky",
			[]value{scalar(5), mu, square(1.2, 0, 0, -0.4, 0.8, 0, 0.3, 0.2, 0.5)}, nil},
		{"multinomial", []value{vector(0.2, 0.5, 0.3), scalar(7)}, nil},
		{"multinomial_logit", []value{mu, scalar(7)}, nil},
		{"dirichlet_multinomial", []value{vector(0.6, 2, 1), scalar(7)}, nil},
		{"lkj_corr_cholesky", []value{scalar(0.7)}, three},
		{"wishart", []value{scalar(4.5), scale}, nil},
		{"wishart_cholesky", []value{scalar(2.5), factor}, nil},
		{"inv_wishart", []value{scalar(9), scale}, nil},
		{"inv_wishart_cholesky", []value{scalar(6), factor}, nil},
	} {
		d, rng := lib.dists[c.name], rand.New(rand.NewPCG(31, uint64(k)))
		want := lib.call(d, "mean", c.args, c.sizes, nil)
		const n = 4000
		sum, squares := make([]float64, len(want.data)), make([]float64, len(want.data))
		for range n {
			x := lib.call(d, "sample", c.args, c.sizes, rng)
			if !slices.Equal(x.shape, want.shape) {
				t.Fatalf("%s: a draw has shape %v, the mean %v", c.name, x.shape, want.shape)
			}
			for i, v := range x.data {
				sum[i], squares[i] = sum[i]+v/n, squares[i]+v*v/n
			}
		}
		for i, m := range want.data {
			if se := math.Sqrt(max(squares[i]-sum[i]*sum[i], 0) / n); !(math.Abs(sum[i]-m) <=
				4.5*se+1e-12) {
				t.Errorf("%s: entry %d has mean %.4f, draws %.4f ± %.4f", c.name, i, m, sum[i], se)
			}
		}
	}
}
