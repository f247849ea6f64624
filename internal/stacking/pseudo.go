package stacking

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// Replications is how many times PseudoBMA draws weights of the observations.
const Replications = 1000

// PseudoBMA are weights of models in proportion to exp(elpd), averaged over the Bayesian
// bootstrap of the observations (pseudo-BMA+): without it, a difference of elpd that is small
// compared with its standard error would decide.
func PseudoBMA(elpd [][]float64, seed uint64) []float64 {
	n := len(elpd[0])
	out, score := make([]float64, len(elpd)), make([]float64, len(elpd))
	alpha := make([]float64, n)
	stream := rng.New(seed, 0, rng.Predict)
	for b := range Replications {
		source := stream.At(uint64(b))
		total := 0.0
		for i := range alpha { // a draw of a Dirichlet distribution, all of whose entries are 1
			alpha[i] = source.Exponential()
			total += alpha[i]
		}
		top := math.Inf(-1)
		for k, row := range elpd {
			sum := 0.0
			for i, x := range row {
				sum += alpha[i] * x
			}
			score[k] = sum / total * float64(n)
			top = math.Max(top, score[k])
		}
		sum := 0.0
		for k := range score {
			score[k] = math.Exp(score[k] - top)
			sum += score[k]
		}
		for k := range score {
			out[k] += score[k] / sum / Replications
		}
	}
	return out
}
