//go:build slow

package latent_test

// With these, a mean that is wrong by a twentieth of a standard deviation is seen.
const (
	gewekeIterations = 15000
	gewekeStep       = 0.15
	gewekePhi        = 0.02
)
