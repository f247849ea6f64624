// Package carry writes a model whose priors are a posterior: a normal distribution is fitted
// to draws of the params, on the scales on which samplers move them, and written as
// priors in the language.
package carry

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// A Param is a param whose prior is to be replaced.
type Param struct {
	Name     string
	Positive bool     // else real
	Sizes    []string // as they are written; none of a number
	Draws    *mat.Dense
	// Draws has a row for each draw and a column for each entry, as the model has them.
}

// A Prior is what a declaration of a param is replaced by.
type Prior struct {
	Data string // declarations of data that it reads; empty without
	Text string // from the ~ on
}

// Priors are the priors of params in the order of their declarations, and the data that they
// read. Numbers and vectors of reals, and positive numbers, have the normal distribution of
// all of them together: each given those before it. Other arrays have entries on their own.
// Lost is the largest correlation that this loses, of From and To.
type Priors struct {
	Of       map[string]Prior
	Data     map[string]any
	Lost     float64
	From, To string
}

// A block is a param in the joint distribution.
type block struct {
	*Param
	at, n int
}

// Fit fits the priors. prefix begins the names of data.
func Fit(params []Param, prefix string) (*Priors, error) {
	out := &Priors{Of: map[string]Prior{}, Data: map[string]any{}}
	logs := make([]*mat.Dense, len(params))
	for i := range params {
		p := &params[i]
		n, k := p.Draws.Dims()
		logs[i] = mat.NewDense(n, k, nil)
		logs[i].Apply(func(_, _ int, x float64) float64 {
			if p.Positive {
				return math.Log(x)
			}
			return x
		}, p.Draws)
		for c := range k {
			sd := stat.StdDev(mat.Col(nil, c, logs[i]), nil)
			if !(sd > 0) || math.IsInf(sd, 0) {
				return nil, fmt.Errorf("%s has draws that are all equal or not finite, to which "+
					"no normal distribution can be fitted", p.Name)
			}
		}
	}
	var before []block
	width := 0
	for i := range params {
		p := &params[i]
		n, k := p.Draws.Dims()
		if len(p.Sizes) > 1 || p.Positive && len(p.Sizes) > 0 {
			out.alone(p, logs[i], prefix)
			continue
		}
		if n <= 2*(width+k) {
			return nil, fmt.Errorf("%d draws are too few for the covariances of %d numbers",
				n, width+k)
		}
		if err := out.given(p, block{p, width, k}, before, joined(logs[:i+1], params[:i+1], p),
			prefix); err != nil {
			return nil, err
		}
		before = append(before, block{p, width, k})
		width += k
	}
	out.loss(params, logs)
	return out, nil
}

// joint reports whether a param is in the joint distribution.
func joint(p *Param) bool { return len(p.Sizes) == 0 || len(p.Sizes) == 1 && !p.Positive }

// joined are the draws of the params of the joint distribution, side by side.
func joined(logs []*mat.Dense, params []Param, last *Param) *mat.Dense {
	var out mat.Dense
	first := true
	for i := range params {
		if !joint(&params[i]) {
			continue
		}
		if first {
			out.CloneFrom(logs[i])
			first = false
			continue
		}
		var both mat.Dense
		both.Augment(&out, logs[i])
		out = both
	}
	return &out
}

// leastShare is the share of a variance that what stands before has to leave: less is the
// rounding of a difference.
const leastShare = 1e-10

// given writes the law of a block given those before it.
func (out *Priors) given(p *Param, b block, before []block, x *mat.Dense, prefix string) error {
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, x, nil)
	mean := make([]float64, b.at+b.n)
	for c := range mean {
		mean[c] = stat.Mean(mat.Col(nil, c, x), nil)
	}
	within := mat.NewSymDense(b.n, nil)
	for i := range b.n {
		for j := range i + 1 {
			within.SetSym(i, j, cov.At(b.at+i, b.at+j))
		}
	}
	var by mat.Dense // of the block, on each number before it
	if b.at > 0 {
		first := mat.NewSymDense(b.at, nil)
		for i := range b.at {
			for j := range i + 1 {
				first.SetSym(i, j, cov.At(i, j))
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(first) {
			return fmt.Errorf("the draws of what stands before %s have no covariance of full rank",
				p.Name)
		}
		cross := cov.SliceSym(0, b.at+b.n)
		rhs := mat.NewDense(b.at, b.n, nil)
		for i := range b.at {
			for j := range b.n {
				rhs.Set(i, j, cross.At(i, b.at+j))
			}
		}
		var solved mat.Dense
		if err := chol.SolveTo(&solved, rhs); err != nil {
			return fmt.Errorf("the covariance of what stands before %s cannot be inverted: %w",
				p.Name, err)
		}
		by.CloneFrom(solved.T())
		var part mat.Dense
		part.Mul(&by, rhs)
		for i := range b.n {
			for j := range i + 1 {
				within.SetSym(i, j, within.At(i, j)-part.At(i, j))
			}
			if !(within.At(i, i) > leastShare*cov.At(b.at+i, b.at+i)) {
				return fmt.Errorf("%s is a function of what stands before it in all draws", p.Name)
			}
		}
	}
	w := writer{out: out, prefix: prefix, b: b}
	return w.write(mean, &by, before, within)
}

// alone writes entries on their own.
func (out *Priors) alone(p *Param, x *mat.Dense, prefix string) {
	_, k := x.Dims()
	means, sds := make([]float64, k), make([]float64, k)
	for c := range k {
		means[c], sds[c] = stat.MeanStdDev(mat.Col(nil, c, x), nil)
	}
	name := prefix + p.Name
	out.Data[name+"_mean"], out.Data[name+"_sd"] = flat(means), flat(sds)
	law := "normal"
	if p.Positive {
		law = "lognormal"
	}
	sizes := strings.Join(p.Sizes, ", ")
	out.Of[p.Name] = Prior{
		Data: fmt.Sprintf("data %s_mean[%s] : real\ndata %s_sd[%s] : positive\n", name,
			sizes, name, sizes),
		Text: fmt.Sprintf("~ %s(%s_mean, %s_sd)", law, name, name),
	}
}

// flat are entries that Shaped gives the shape of their param.
type flat []float64

// Shaped gives arrays of several axes their shape: lists of lists, for JSON.
func (out *Priors) Shaped(name string, shape []int) {
	for _, end := range []string{"_mean", "_sd"} {
		if x, ok := out.Data[name+end].(flat); ok {
			out.Data[name+end] = nested(x, shape)
		}
	}
}

func nested(x []float64, shape []int) any {
	if len(shape) < 2 {
		return x
	}
	each := len(x) / max(1, shape[0])
	var out []any
	for i := range shape[0] {
		out = append(out, nested(x[i*each:(i+1)*each], shape[1:]))
	}
	return out
}

// loss finds the largest correlation that the priors have not.
func (out *Priors) loss(params []Param, logs []*mat.Dense) {
	for i := range params {
		for j := range i + 1 {
			if joint(&params[i]) && joint(&params[j]) {
				continue
			}
			_, n := logs[i].Dims()
			_, m := logs[j].Dims()
			for a := range n {
				for b := range m {
					if i == j && b >= a {
						continue
					}
					r := stat.Correlation(mat.Col(nil, a, logs[i]), mat.Col(nil, b, logs[j]), nil)
					if math.Abs(r) > math.Abs(out.Lost) {
						out.Lost, out.From, out.To = r, entry(&params[i], a), entry(&params[j], b)
					}
				}
			}
		}
	}
}

func entry(p *Param, i int) string {
	if len(p.Sizes) == 0 {
		return p.Name
	}
	return p.Name + ", entry " + strconv.Itoa(i)
}
