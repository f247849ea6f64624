package tall

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// denseNoise is the most coordinates for which the noise is subtracted as a matrix.
const denseNoise = 64

// noiseStates is the number of states at which the noise is measured, noiseBatches that of
// minibatches at each.
const noiseStates, noiseBatches = 16, 14

// A noiseEstimate is the variance of a minibatch's gradient, for a given number of drawn rows.
type noiseEstimate struct {
	rows  int     // drawn rows of a minibatch
	noise *Noise  // mean over states
	most  float64 // largest coordinate of noise
	eigen float64 // largest eigenvalue of noise
	far   float64 // mean over coordinates, at the state where it is largest
	near  float64 // mean over states of the mean over coordinates
}

// measureNoise measures the noise of minibatches of n rows at the states z.
func measureNoise(
	ctx context.Context, p *passes, e *control.Estimator, s *pick.Sizes, n int, states [][]float64,
	stream rng.Stream,
) (*noiseEstimate, error) {
	d := len(states[0])
	out := &noiseEstimate{rows: n, noise: &Noise{Diag: make([]float64, d)}}
	if d <= denseNoise {
		out.noise.Matrix = make([]float64, d*d)
	}
	batches := make([]*control.Batch, noiseBatches)
	for j := range batches {
		batches[j] = control.NewBatch(n, s)
	}
	var deviations [][]float64
	degrees := float64(len(states) * (noiseBatches - 1))
	for k, z := range states {
		g := make([][]float64, noiseBatches)
		mean := make([]float64, d)
		for j, b := range batches {
			src := stream.At(uint64(k*noiseBatches + j))
			b.Draw(s, &src)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := p.have(e.Eval, batches...); err != nil {
			return nil, err
		}
		for j, b := range batches {
			g[j] = make([]float64, d)
			e.Of(z, b, g[j])
			for i, x := range g[j] {
				mean[i] += x / noiseBatches
			}
		}
		trace := 0.0
		for j := range g {
			for i := range mean {
				g[j][i] -= mean[i]
				trace += float64(g[j][i] * g[j][i])
			}
		}
		trace /= float64(d * (noiseBatches - 1))
		out.far = max(out.far, trace)
		out.near += trace / float64(len(states))
		deviations = append(deviations, g...)
	}
	for _, g := range deviations {
		for i, x := range g {
			out.noise.Diag[i] += float64(x*x) / degrees
			if m := out.noise.Matrix; m != nil {
				for j, y := range g {
					m[i*d+j] += float64(x*y) / degrees
				}
			}
		}
	}
	for _, x := range out.noise.Diag {
		out.most = max(out.most, x)
	}
	out.noise.grow(states, deviations)
	half := len(deviations) / 2
	out.eigen = max(leadingVariance(deviations[:half], deviations[half:], stream),
		leadingVariance(deviations[half:], deviations[:half], stream))
	return out, nil
}

// leadingVariance returns the variance of the deviations in judge along the direction of the
// largest variance in find. So it is not inflated by the search for the largest.
func leadingVariance(find, judge [][]float64, stream rng.Stream) float64 {
	u := make([]float64, len(find[0]))
	next := make([]float64, len(u))
	stream.Normals(1<<40, u)
	for range 30 {
		if !normalise(u) {
			return 0
		}
		clear(next)
		for _, x := range find {
			by := dot(x, u)
			for i, y := range x {
				next[i] += float64(by * y)
			}
		}
		u, next = next, u
	}
	if !normalise(u) {
		return 0
	}
	sum := 0.0
	for _, x := range judge {
		by := dot(x, u)
		sum += float64(by * by)
	}
	return sum * noiseBatches / float64(len(judge)*(noiseBatches-1))
}

// normalise scales u to length 1; false if u is 0.
func normalise(u []float64) bool {
	norm := math.Sqrt(dot(u, u))
	if !(norm > 0) {
		return false
	}
	for i := range u {
		u[i] /= norm
	}
	return true
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
