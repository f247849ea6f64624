// Package initial holds the laws that the unknowns of a model may start from, `init` in the
// language. They are not part of the posterior: a chain forgets where it began, but a network that
// begins in the flat parts of its activations, or in a symmetric point, takes long to leave.
package initial

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A Law fills arrays with starting values.
type Law struct {
	Name   string
	Args   []string
	Doc    string
	Source string // of the formula
	Matrix bool   // a law of matrices, the last two axes; the others are of single numbers

	draw func(a []float64, shape []int, src *rng.Source, out []float64)
}

// Constant is the law of a number that stands without a name: init 0.
const Constant = "constant"

var laws = []*Law{
	{Name: Constant, Args: []string{"value"},
		Doc: "every entry is value, written as a number alone", draw: entries(
			func(a []float64, src *rng.Source) float64 { return a[0] })},
	{Name: "normal", Args: []string{"mean", "sd"}, Doc: "independent normal entries", draw: entries(
		func(a []float64, src *rng.Source) float64 { return a[0] + float64(a[1]*src.Normal()) })},
	{Name: "uniform", Args: []string{"low", "high"},
		Doc: "independent entries, uniform between low and high", draw: entries(
			func(a []float64, src *rng.Source) float64 {
				return a[0] + float64((a[1]-a[0])*src.Float64())
			})},
	{Name: "glorot", Args: []string{"fan_in", "fan_out"},
		Doc: "uniform of variance 2 / (fan_in + fan_out), for weights before a tanh or a sigmoid",
		Source: "Glorot & Bengio (2010), Understanding the difficulty of training deep " +
			"feedforward neural networks, eq. 16", draw: entries(
			func(a []float64, src *rng.Source) float64 {
				r := math.Sqrt(6 / (a[0] + a[1]))
				return float64(r * (2*src.Float64() - 1))
			})},
	{Name: "he", Args: []string{"fan_in"},
		Doc:    "normal of variance 2 / fan_in, for weights before a relu",
		Source: "He, Zhang, Ren & Sun (2015), Delving deep into rectifiers, eq. 10", draw: entries(
			func(a []float64, src *rng.Source) float64 {
				return float64(math.Sqrt(2/a[0]) * src.Normal())
			})},
	{Name: "orthogonal", Doc: "a random matrix along the last two axes whose rows, or columns " +
		"where they are fewer, are orthonormal, for weights of a recurrence", Matrix: true,
		Source: "Saxe, McClelland & Ganguli (2014), Exact solutions to the nonlinear dynamics of " +
			"learning in deep linear neural networks, §3", draw: orthogonal},
}

// Laws lists the table; a test walks it.
func Laws() []*Law { return laws }

// Lookup finds a law by name.
func Lookup(name string) (*Law, bool) {
	for _, l := range laws {
		if l.Name == name {
			return l, true
		}
	}
	return nil, false
}

// Draw fills out, an array of the shape given in row-major order, from the
// stream. args are as many as Args.
func (l *Law) Draw(args []float64, shape []int, src *rng.Source, out []float64) {
	l.draw(args, shape, src, out)
}

// entries is a law of independent entries.
func entries(
	one func(a []float64, src *rng.Source) float64,
) func([]float64, []int, *rng.Source, []float64) {
	return func(a []float64, _ []int, src *rng.Source, out []float64) {
		for i := range out {
			out[i] = one(a, src)
		}
	}
}

// orthogonal orthonormalises normal vectors, which gives the uniform law on
// matrices with orthonormal rows, or columns where they are fewer. Every vector
// loses its parts along those before it twice, after which it is orthogonal to
// rounding (Giraud, Langou & Rozložník 2005).
func orthogonal(_ []float64, shape []int, src *rng.Source, out []float64) {
	n := len(shape)
	rows, cols := shape[n-2], shape[n-1]
	if rows == 0 || cols == 0 {
		return
	}
	few, long, by, along := rows, cols, cols, 1 // the vectors are the rows
	if cols < rows {
		few, long, by, along = cols, rows, 1, cols
	}
	for ; len(out) >= rows*cols; out = out[rows*cols:] {
		at := func(v, i int) *float64 { return &out[v*by+i*along] }
		for v := range few {
			for i := range long {
				*at(v, i) = src.Normal()
			}
			for range 2 {
				for u := range v {
					dot := 0.0
					for i := range long {
						dot += float64(*at(u, i) * *at(v, i))
					}
					for i := range long {
						*at(v, i) -= float64(dot * *at(u, i))
					}
				}
			}
			square := 0.0
			for i := range long {
				square += float64(*at(v, i) * *at(v, i))
			}
			norm := math.Sqrt(square)
			for i := range long {
				*at(v, i) /= norm
			}
		}
	}
}
