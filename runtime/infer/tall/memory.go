package tall

import (
	"runtime"

	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
)

// Memory is about how many bytes Prepare and a Run take at least, in addition to evaluators, for a
// target with so many rows and coordinates of the state.
func Memory(rows, dim int) float64 {
	n, d := float64(rows), float64(dim)
	bytes := 5 * n // sizes
	if rows <= pick.LeanRows {
		bytes += 4 * n // rows by class
	}
	states := pilotChains*windowStates(dim) + noiseBatches*calibratedStates +
		modeStarts*(2*climbMemory+6)
	bytes += 8 * d * float64(states)
	if dim <= denseLimit {
		bytes += 8 * 6 * d * d // L, a covariance, a second derivative, and room for their factors
	}
	return bytes
}

// Evaluators is how many evaluators, with gradients with a control variate, Prepare makes for
// so many threads (0: as many as there are processors).
func Evaluators(threads int) int {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return max(pilotChains, threads)
}
