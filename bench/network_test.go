package bench

import (
	"testing"

	"github.com/sgppl/sgppl/bench/internal/training"
)

// BenchmarkNetwork is a training step of networks, in double and in single
// precision: a gradient with the update of plain stochastic gradient descent,
// and a step of mSGNHT. The dense network and the convolutional one take
// minibatches of 100 pictures, the recurrent one a sequence of 100 at a time.
func BenchmarkNetwork(b *testing.B) {
	for _, model := range training.Names {
		for _, name := range []string{model, model + single} {
			b.Run(name, func(b *testing.B) {
				n, err := training.New(name)
				if err != nil {
					b.Fatal(err)
				}
				chain, err := n.MSGNHT()
				if err != nil {
					b.Fatal(err)
				}
				descent, err := n.SGD()
				if err != nil {
					b.Fatal(err)
				}
				b.Run("sgd", func(b *testing.B) { steps(b, descent) })
				b.Run("msgnht", func(b *testing.B) { steps(b, chain) })
				b.Run("both", func(b *testing.B) {
					compare(b, 1000, []side{{"msgnht", chain}, {"sgd", descent}}, 1)
				})
			})
		}
	}
}

// steps reports them a second of processor time: the machine may be shared.
func steps(b *testing.B, take func(int)) {
	begun := training.CPUTime()
	take(b.N)
	b.ReportMetric(float64(b.N)/(training.CPUTime()-begun).Seconds(), "steps/cpu-s")
}
