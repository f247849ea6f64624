// Package drawhash draws from the posteriors of examples and hashes the draws, to compare
// processors and engines.
package drawhash

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// A Case is a short run of an example.
type Case struct {
	Model   string // the name of its file
	Sampler string
	Batch   int  // rows of a minibatch; 0 for all rows
	Single  bool // in single precision
}

// Cases are ten examples, by which every family of samplers runs, on R^n and on curved
// spaces, with and without minibatches, in both precisions.
var Cases = []Case{
	{Model: "logistic", Sampler: "msgnht", Batch: 200},
	{Model: "linear_regression", Sampler: "sgld", Batch: 20},
	{Model: "eight_schools", Sampler: "nuts"},
	{Model: "varying_intercepts", Sampler: "sghmc", Batch: 100},
	{Model: "softmax_regression", Sampler: "psgld", Batch: 50, Single: true},
	{Model: "vmf_posterior", Sampler: "geodesic_sgnht", Batch: 80},
	{Model: "neural_network", Sampler: "msgnht", Batch: 50, Single: true},
	{Model: "gaussian_process", Sampler: "nuts"},
	{Model: "poisson_regression", Sampler: "sgnht", Batch: 50},
	{Model: "hidden_markov", Sampler: "gmc"},
}

// Line is the name of a case and the hash of its draws, their number, and the first of them.
func (c Case) Line(m *model.Model) (string, error) {
	s := sampler.DefaultConfig()
	s.Sampler, s.Batch, s.FullBatch = c.Sampler, c.Batch, c.Batch == 0
	s.Chains, s.Warmup, s.Draws, s.Thin, s.Seed, s.InitRadius = 2, 40, 10, 2, 20140601, 0.5
	switch c.Sampler {
	case "nuts":
	case "gmc":
		s.Leapfrog = 5
	default:
		s.Step = 0.002
	}
	d, err := sampler.Collect(context.Background(), m, s, sampler.RunOptions{})
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.Model, err)
	}
	h, n := sha256.New(), 0
	for _, chain := range d.Chains {
		for _, x := range chain {
			if x != x {
				return "", fmt.Errorf("%s: a draw is NaN", c.Model)
			}
			var word [8]byte
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(x))
			h.Write(word[:])
		}
		n += len(chain)
	}
	if n == 0 {
		return "", fmt.Errorf("%s: no draws", c.Model)
	}
	return fmt.Sprintf("%s %s %s %d %g", c.Model, c.Sampler, hex.EncodeToString(h.Sum(nil)), n,
		d.Chains[0][0]), nil
}
