package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// mostTracked is the most numbers of a draw for which effective sizes and biases are computed. If a
// draw has more, evenly spaced ones are used.
const mostTracked = 4096

// A history has the tracked numbers of a coarse chain's draws and of the paired fine chain's
// states, one draw after another.
type history struct {
	coarse, fine []float64
}

// tracked returns the places of the tracked numbers among n.
func tracked(n int) []int {
	k := min(n, mostTracked)
	out := make([]int, k)
	for i := range out {
		out[i] = i * n / k
	}
	return out
}

func (h *history) walk(d *loop.Codec) {
	n := int64(len(h.coarse))
	d.Int(&n)
	if d.Reading() {
		if n < 0 || n > 1<<32 {
			n = 0
		}
		h.coarse, h.fine = make([]float64, n), make([]float64, n)
	}
	d.Floats(h.coarse)
	d.Floats(h.fine)
}

// A Bias is an estimate of the error of draws that the step and the noise of minibatches cause,
// from the differences Δ of coarse and fine chains. The error is at most 2Δ if it is of first order
// in the noise, and 4/3 Δ if it is of second order in the step.
type Bias struct {
	Mean, MeanError   float64 // 2Δ of a mean, in standard deviations, and its Monte Carlo error
	LogSD, LogSDError float64 // the same for the log of a standard deviation
}

// MeanBound and LogSDBound return bounds on the biases that include two Monte Carlo errors.
func (b *Bias) MeanBound() float64  { return math.Abs(b.Mean) + 2*b.MeanError }
func (b *Bias) LogSDBound() float64 { return math.Abs(b.LogSD) + 2*b.LogSDError }

// batchMeans is the number of pieces of each chain from which the errors of differences are
// estimated.
const batchMeans = 20

// A Report has the convergence and the biases of the tracked numbers of a run.
type Report struct {
	Draws   int       // draws of each chain
	Rhat    []float64 // of each number
	ESS     []float64 // the smaller of bulk and tail
	Bias    []Bias
	SD      []float64
	Worst   int // the number with the smallest effective size
	Least   float64
	MaxRhat float64
}

// independent is the time after which a chain has forgotten its state, see Report.
const independent = 10

// spacing returns the least number of draws in a piece of a chain, so that the differences of the
// means of pieces show the Monte Carlo error; means of shorter pieces are too much alike.
func (pl *Plan) spacing() float64 { return independent / (pl.Step * float64(pl.Every)) }

// report computes the report on the first draws of chains of k numbers. spacing is that of the
// plan.
func report(chains []*history, k, draws int, spacing float64) *Report {
	r := &Report{Draws: draws, Rhat: make([]float64, k), ESS: make([]float64, k),
		Bias: make([]Bias, k), SD: make([]float64, k), Least: math.Inf(1), MaxRhat: 1}
	var w diagnose.Workspace
	coarse, fine := make([][]float64, len(chains)), make([][]float64, len(chains))
	for c := range chains {
		coarse[c], fine[c] = make([]float64, draws), make([]float64, draws)
	}
	for j := range k {
		for c, h := range chains {
			for i := range draws {
				coarse[c][i], fine[c][i] = h.coarse[i*k+j], h.fine[i*k+j]
			}
		}
		r.Rhat[j] = w.Rhat(coarse)
		r.ESS[j] = min(w.ESSBulk(coarse), w.ESSTail(coarse))
		if r.ESS[j] < r.Least {
			r.Least, r.Worst = r.ESS[j], j
		}
		r.MaxRhat = max(r.MaxRhat, r.Rhat[j])
		r.Bias[j], r.SD[j] = biasOf(coarse, fine, spacing)
	}
	return r
}

// biasOf compares the coarse and fine chains of one number, and returns its bias and standard
// deviation.
func biasOf(coarse, fine [][]float64, spacing float64) (Bias, float64) {
	n, mean := 0.0, 0.0
	for c := range coarse {
		for i := range coarse[c] {
			mean += coarse[c][i] + fine[c][i]
			n += 2
		}
	}
	mean /= n
	variance := 0.0
	for c := range fine {
		for i := range fine[c] {
			x, y := coarse[c][i]-mean, fine[c][i]-mean
			variance += (float64(x*x) + float64(y*y)) / n
		}
	}
	sd := math.Sqrt(variance)
	if !(sd > 0) {
		return Bias{}, sd
	}
	var first, second meanOf
	for c := range coarse {
		size := len(coarse[c]) / batchMeans
		if size == 0 {
			return Bias{MeanError: math.Inf(1), LogSDError: math.Inf(1)}, sd
		}
		for b := range batchMeans {
			one, two := 0.0, 0.0
			for i := b * size; i < (b+1)*size; i++ {
				x, y := coarse[c][i]-mean, fine[c][i]-mean
				one += (x - y) / float64(size)
				two += (float64(x*x) - float64(y*y)) / float64(size)
			}
			first.add(one)
			second.add(two)
		}
	}
	// If pieces are too short, the error is scaled to that of fewer, longer ones.
	short := math.Sqrt(max(1, spacing/float64(len(coarse[0])/batchMeans)))
	// The variance is about the chain's own mean: subtract the square of the mean's shift.
	return Bias{Mean: 2 * first.mean / sd, MeanError: 2 * short * first.error() / sd,
		LogSD: second.mean / variance, LogSDError: short * second.error() / variance}, sd
}

// A meanOf accumulates a mean and its error.
type meanOf struct{ n, mean, squares float64 }

func (m *meanOf) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += float64(d * (x - m.mean))
}

func (m *meanOf) error() float64 { return math.Sqrt(m.squares / (m.n - 1) / m.n) }
