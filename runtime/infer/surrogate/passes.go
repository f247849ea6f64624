package surrogate

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// nothing is the empty list of rows; nil means all rows.
var nothing = []int{}

// differenceStep is how far from the anchor gradients are that second derivatives are made
// of, in posterior standard deviations.
const differenceStep = 2e-4

// An Expansion is the second order of the log likelihood of rows at an anchor: their log
// likelihood, its gradient, and its second derivative, d × d by rows.
type Expansion struct {
	Rows     int       `json:"rows"`
	Value    float64   `json:"value"`
	Gradient []float64 `json:"gradient"`
	Hessian  []float64 `json:"hessian"`
}

// Add adds the expansion of other rows at the same anchor.
func (e *Expansion) Add(of *Expansion) {
	e.Rows += of.Rows
	e.Value += of.Value
	for i, x := range of.Gradient {
		e.Gradient[i] += x
	}
	for i, x := range of.Hessian {
		e.Hessian[i] += x
	}
}

// Expand computes the expansion of all rows of a target, or of a shard. The second derivative
// is by central differences, 2 d + 1 gradients of each row; sds are about the posterior's
// standard deviations.
func Expand(ctx context.Context, p *tall.Sums, rows int, a, sds []float64) (*Expansion, error) {
	d := len(a)
	each := 1 + d + 2*d*d
	sum, _, err := p.Sum(ctx, each, func(e target.DifferenceEvaluator, rows []int, out []float64) {
		out[0] = e.LogDensityGradient(a, rows, 1, 1, out[1:1+d])
		x := make([]float64, d)
		for j := range d {
			for k, sign := range []float64{1, -1} {
				copy(x, a)
				x[j] += float64(sign * float64(differenceStep*sds[j]))
				e.Gradient(x, rows, 1, 1, out[1+d+(2*j+k)*d:][:d])
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := &Expansion{Rows: rows, Value: sum[0], Gradient: sum[1 : 1+d : 1+d],
		Hessian: make([]float64, d*d)}
	column := func(j, i int) float64 {
		up, down := a[j]+float64(differenceStep*sds[j]), a[j]-float64(differenceStep*sds[j])
		at := 1 + d + 2*j*d + i
		return (sum[at] - sum[at+d]) / (up - down)
	}
	for i := range d {
		for j := range d {
			out.Hessian[i*d+j] = (column(j, i) + column(i, j)) / 2
		}
	}
	return out, nil
}

// leverageProbes is how many states rows are looked at, besides the anchor.
const leverageProbes = 4

// Leverages writes for each row how much it says where the posterior is, in the coordinates
// of a map x = m + L z that whitens it: the squared length of its gradient at the anchor, or,
// if that is more, the mean length of what the gradient changes by from there to draws of
// N(0, I). The first alone would be next to 0 of a row that is fitted well and bends all the
// same: its weight would be too large.
func Leverages(
	ctx context.Context, p *tall.Sums, a []float64, white *whitening.Map, seed uint64,
	out []float64,
) error {
	d := len(a)
	probes := [][]float64{a}
	for k := range leverageProbes {
		z, x := make([]float64, d), make([]float64, d)
		rng.New(seed, k, purposeProbe).Normals(0, z)
		white.Apply(z, x)
		for i := range x {
			x[i] += a[i]
		}
		probes = append(probes, x)
	}
	if d <= mostByDifferences {
		return p.Each(ctx, func(e target.DifferenceEvaluator, from, to int) error {
			leveragesByDifferences(e, probes, white, from, out[from:to])
			return nil
		})
	}
	return p.Each(ctx, func(e target.DifferenceEvaluator, from, to int) error {
		leveragesByGradients(e, probes, white, from, out[from:to])
		return nil
	})
}

// leveragesByGradients is Leverages for the rows from … on, by a gradient of each row.
func leveragesByGradients(
	e target.DifferenceEvaluator, probes [][]float64, white *whitening.Map, from int,
	out []float64,
) {
	d := len(probes[0])
	g, z, first := make([]float64, d), make([]float64, d), make([]float64, d)
	row := []int{0}
	rest := make([][]float64, len(probes))
	for k, x := range probes {
		rest[k] = make([]float64, d)
		e.Gradient(x, nothing, 1, 1, rest[k])
	}
	for r := range out {
		row[0] = from + r
		change := 0.0
		for k, x := range probes {
			e.Gradient(x, row, 1, 1, g)
			for i, v := range rest[k] {
				g[i] -= v
			}
			if k == 0 {
				copy(first, g)
				continue
			}
			for i, v := range first {
				g[i] -= v
			}
			white.Pull(g, z)
			change += float64(math.Sqrt(dot(z, z)) / leverageProbes)
		}
		white.Pull(first, z)
		out[r] = max(dot(z, z), change)
	}
}

const (
	// mostByDifferences is up to how many unknowns gradients of rows are made of differences of
	// their log likelihoods, which are computed of many rows together.
	mostByDifferences = 8
	// leverageStep is how far apart the states of these differences are, in coordinates in which
	// the posterior is near N(0, I): leverages need be right to a few digits alone.
	leverageStep = 0.02
)

// leveragesByDifferences is Leverages for the rows from … on, by central differences of their
// log likelihoods along the columns of the map.
func leveragesByDifferences(
	e target.DifferenceEvaluator, probes [][]float64, white *whitening.Map, from int,
	out []float64,
) {
	d, n := len(probes[0]), len(out)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = from + i
	}
	z, step, x := make([]float64, d), make([]float64, d), make([]float64, d)
	up, down := make([]float64, n), make([]float64, n)
	first, change := make([]float64, n*d), make([]float64, n)
	lengths := make([]float64, n) // of the change to a probe, squared
	for k, at := range probes {
		clear(lengths)
		for j := range d {
			clear(z)
			z[j] = leverageStep
			white.Apply(z, step)
			for i := range x {
				x[i] = at[i] + step[i]
			}
			e.LogLik(x, rows, up)
			for i := range x {
				x[i] = at[i] - step[i]
			}
			e.LogLik(x, rows, down)
			for r := range n {
				g := (up[r] - down[r]) / (2 * leverageStep)
				if k == 0 {
					first[r*d+j] = g
				} else {
					g -= first[r*d+j]
				}
				lengths[r] += float64(g * g)
			}
		}
		for r, l := range lengths {
			if k == 0 {
				out[r] = l
			} else {
				change[r] += float64(math.Sqrt(l) / leverageProbes)
			}
		}
	}
	for r, c := range change {
		out[r] = max(out[r], c)
	}
}

// Rate returns the c with which min(1, c·h) adds up to about so many rows.
func Rate(h []float64, size int) float64 {
	c := math.Inf(1)
	if size >= len(h) {
		return c
	}
	total := 0.0
	for _, x := range h {
		total += x
	}
	c = float64(size) / total
	for range 20 {
		expected := 0.0
		for _, x := range h {
			expected += min(1, c*x)
		}
		c *= float64(size) / expected
	}
	return c
}

// Draw takes rows with probabilities min(1, c·h), h their leverages. A row's draw is a
// function of the seed and its number alone, first being that of the row that h begins with.
// Weights are one over the probabilities.
func Draw(h []float64, c float64, seed uint64, first int) (rows []int, weights []float64) {
	stream := rng.New(seed, 0, purposeRows)
	for i, x := range h {
		p := min(1, c*x)
		if math.IsInf(c, 1) {
			p = 1
		}
		src := stream.At(uint64(first + i))
		if u := src.Float64(); math.IsInf(c, 1) || u < p {
			rows = append(rows, i)
			weights = append(weights, 1/p)
		}
	}
	return rows, weights
}

// LogLik writes, for each state, the log likelihood of all rows of a target, or of a shard.
func LogLik(
	ctx context.Context, p *tall.Sums, states [][]float64, out []float64,
) error {
	sum, _, err := p.Sum(ctx, len(states),
		func(e target.DifferenceEvaluator, rows []int, out []float64) {
			for k, x := range states {
				out[k] = e.LogDensity(x, rows, 1, 1)
			}
		})
	copy(out, sum)
	return err
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
