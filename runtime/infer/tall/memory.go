package tall

import (
	"runtime"

	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
)

// Memory returns about the least number of bytes that Prepare and a Run take, without evaluators,
// for a target with this many rows and coordinates.
func Memory(rows, dim int) float64 {
	n, d := float64(rows), float64(dim)
	bytes := float64(5 * n) // sizes
	if rows <= pick.LeanRows {
		bytes += float64(4 * n) // rows by class
	}
	states := pilotChains*windowStates(dim) + noiseBatches*calibratedStates +
		modeStarts*(2*climbMemory+6)
	bytes += float64(8 * d * float64(states))
	if dim <= denseLimit {
		// L, a covariance, a second derivative, and buffers for their factors
		bytes += float64(8 * 6 * d * d)
	}
	return bytes
}

// Evaluators returns the number of evaluators, for gradients with a control variate, that Prepare
// makes for this many threads (0: as many as there are processors).
func Evaluators(threads int) int {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return max(pilotChains, threads)
}
