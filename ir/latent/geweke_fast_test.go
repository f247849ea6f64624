//go:build !slow

package latent_test

// How often TestGeweke draws data from the params at hand, and the steps of
// msgnht and sgrld: short, so that what it sees is a mean that is wrong by half
// a standard deviation.
const (
	gewekeIterations = 160
	gewekeStep       = 0.3
	gewekePhi        = 0.08
)
