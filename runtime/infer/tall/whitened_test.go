package tall

import (
	"context"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// TestWhitenedGradient: the gradient of a minibatch in the coordinates of a set-up has that
// of all rows as its mean, with its part of log|J|; that of a part of a minibatch too. It
// has no noise at the anchor, and allocates nothing.
func TestWhitenedGradient(t *testing.T) {
	for k, of := range []*rowTarget{outliers(20000, 5, 6), directionRows(3000, 1, 3)} {
		s, err := Prepare(t.Context(), of, Settings{Seed: 2, Anyway: true}, loop.Options{})
		if err != nil {
			t.Fatal(err)
		}
		const size = 30
		in := s.Whitened(of, size, "size").(*whitened)
		if k == 0 && len(in.sizes.Always()) == 0 {
			t.Error("no row is in every minibatch")
		}
		e := in.NewEvaluator(size)
		d := in.Dim()
		z, full, sum, g := make([]float64, d), make([]float64, d), make([]float64, d),
			make([]float64, d)
		stream := rng.New(1, 0, 77)
		for _, far := range []float64{0, 1} {
			for i := range z {
				z[i] = far * float64(1-2*(i%2))
			}
			// z = 0 is the anchor where the set-up placed it at the mean of its window.
			e.Gradient(z, nil, 1, 0.6, full)
			for _, k := range []int{size, size / 2} {
				clear(sum)
				square, n := 0.0, 2000.0
				rows := make([]int, size)
				for b := range int(n) {
					src := stream.At(uint64(b))
					in.DrawRows(&src, rows)
					e.Gradient(z, rows[:k], float64(of.n)/float64(k), 0.6, g)
					for i := range sum {
						sum[i] += g[i] / n
						square += (g[i] - full[i]) * (g[i] - full[i]) / n
					}
				}
				for i := range sum {
					if off := math.Abs(sum[i] - full[i]); off > 1e-9*(1+math.Abs(full[i]))+
						5*math.Sqrt(square/n) {
						t.Errorf("derivative %d is %g in the mean, not %g (noise %g)", i, sum[i],
							full[i], math.Sqrt(square/n))
					}
				}
				if far == 0 && square > 1e-16*(1+dot(full, full)) || far > 0 && !(square > 1e-3) {
					t.Errorf("%g from the anchor the variance is %g", far, square)
				}
			}
		}
		rows := make([]int, size)
		if n := testing.AllocsPerRun(20, func() {
			src := stream.At(0)
			in.DrawRows(&src, rows)
			e.Gradient(z, rows, 1, 1, g)
		}); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

// TestWhitenedThermostats: thermostats with an anchor have the moments of the posterior, on
// a sphere too, with rows by size and in passes: the noise that is left is small, and the
// step is found for it.
func TestWhitenedThermostats(t *testing.T) {
	flat, curved := logisticRegression(4000, 3, 3), directionRows(3000, 1, 3)
	for _, c := range []struct {
		of             *rowTarget
		sampler, order string
	}{{flat, "msgnht", "size"}, {curved, "geodesic_sgnht", "size"}, {flat, "sgnht", "shuffle"},
		{curved, "msgnht", "replace"}}[:thermostats] {
		s, err := Prepare(t.Context(), c.of,
			Settings{Seed: 5, Anyway: true, Even: c.order != "size"}, loop.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cfg := sampler.DefaultConfig()
		cfg.Sampler, cfg.Batch, cfg.BatchOrder, cfg.Init = c.sampler, s.Plan.Batch, c.order,
			s.Starts()
		if c.order == "size" {
			cfg.BatchOrder = "replace"
		}
		cfg.Draws, cfg.Thin = 1200, 5
		d, err := sampler.Collect(context.Background(), s.Whitened(c.of, cfg.Batch, c.order), cfg,
			sampler.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		mean, sd := exactMoments(c.of, s)
		for j := range mean {
			n, sum, squares := 0.0, 0.0, 0.0
			for k := range d.Chains {
				for i := range d.Len(k) {
					x := d.Draw(k, i)[j]
					n, sum, squares = n+1, sum+x, squares+x*x
				}
			}
			m := sum / n
			off, ratio := (m-mean[j])/sd[j], math.Sqrt(squares/n-m*m)/sd[j]
			if math.Abs(off) > 0.12 || math.Abs(ratio-1) > 0.08 {
				t.Errorf("%s, %s: number %d is off by %.3f sd, its sd is %.3f of the exact one",
					c.sampler, c.order, j, off, ratio)
			}
		}
	}
}

// exactMoments are means and standard deviations of the numbers of a draw, by the normal
// law of the set-up with importance weights of all rows.
func exactMoments(of *rowTarget, s *Setup) (mean, sd []float64) {
	in := s.Whitened(of, 2, "replace")
	e := in.NewEvaluator(2)
	const draws = 3000
	d, k := in.Dim(), of.OutputLen()
	z, out := make([]float64, d), make([]float64, k)
	stream := rng.New(9, 0, 78)
	total, most := 0.0, e.LogDensity(z, nil, 1, 1)
	mean, sd = make([]float64, k), make([]float64, k)
	for i := range draws {
		stream.Normals(uint64(i/2), z)
		for j := range z {
			z[j] *= 1.1 * float64(1-2*(i%2))
		}
		w := math.Exp(e.LogDensity(z, nil, 1, 1) - most + dot(z, z)/(2*1.1*1.1))
		e.Constrain(z, out)
		total += w
		for j, x := range out {
			mean[j] += w * x
			sd[j] += w * x * x
		}
	}
	for j := range mean {
		mean[j] /= total
		sd[j] = math.Sqrt(sd[j]/total - mean[j]*mean[j])
	}
	return mean, sd
}
