package sampler

import (
	"math"
	"testing"
)

// TestUnevenSequential: where the batch size does not divide the number of rows,
// passes in the rows' own order have the exact mean: no row weighs more than
// others. A drift along the file makes the last rows unlike the first.
func TestUnevenSequential(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"sequential", "shuffle", "blocks"} {
		g := newGaussian([]float64{10, 10, 10, 10, 10}).withRows(1000, 1)
		for i, row := range g.y {
			for j := range row {
				row[j] += float64(j) * float64(i-500) / 1000
			}
		}
		cfg := config("sghmc", "split", 0.0005)
		cfg.FullBatch, cfg.Batch, cfg.BatchOrder, cfg.Friction = false, 300, order, 20
		cfg.Warmup, cfg.Draws = 5000, 100000
		ch := mustChain(t, g, cfg, 0)
		mustSteps(t, ch, int(cfg.Warmup))
		mean := make([]float64, g.dim)
		for range cfg.Draws {
			mustSteps(t, ch, 1)
			for j, x := range ch.Position() {
				mean[j] += x / float64(cfg.Draws)
			}
		}
		for j, got := range mean {
			want, v := g.moments(j)
			z := (got - want) / math.Sqrt(v)
			t.Logf("%s: coordinate %d is %.3f sd off", order, j, z)
			if math.Abs(z) > 0.3 {
				t.Errorf("%s: coordinate %d is %.3f standard deviations off", order, j, z)
			}
		}
	}
}

// TestUnevenNoise: 1,001 rows in batches of at most 100 have gradients with the
// noise of batches of 91 rows. Were one row a batch, it would have ten times that.
func TestUnevenNoise(t *testing.T) {
	const rows, size = 1001, 100
	g := newGaussian([]float64{10, 10}).withRows(rows, 1)
	for _, order := range []string{"shuffle", "blocks"} {
		cfg := config("sgld", "", 1e-9)
		cfg.FullBatch, cfg.Batch, cfg.BatchOrder = false, size, order
		ch := mustChain(t, g, cfg, 0)
		full, some := make([]float64, g.dim), make([]float64, g.dim)
		x := []float64{0.3, -0.2}
		ch.eval.Gradient(x, nil, 1, 1, full)
		got := make([]float64, g.dim)
		const batches = 11 * 200
		for k := range int64(batches) {
			rows, scale := ch.batches.At(k)
			ch.eval.Gradient(x, rows, scale, 1, some)
			for j := range got {
				got[j] += (some[j] - full[j]) * (some[j] - full[j]) / batches
			}
		}
		for j := range got {
			want := g.noise(j, 91, false)
			t.Logf("%s: V[%d] is %.3f of that of batches of equal sizes", order, j, got[j]/want)
			if math.Abs(got[j]/want-1) > 0.15 {
				t.Errorf("%s: V[%d] is %.4g, %.3g times the %.4g of batches of equal sizes", order,
					j, got[j], got[j]/want, want)
			}
		}
	}
}
