package codegen

import (
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/size"
)

// A modelCase is a small model put together by hand, in the IR.
type modelCase struct {
	name     string
	spec     *model.Spec
	programs []*plan.Program
	values   map[string]*data.Value
	dims     map[string]int
}

// joint makes the functions of a density that is a sum of row terms and the
// rest.
type joint struct {
	b        *ir.Builder
	rows     *ir.Axis
	state    []*ir.Value
	loglik   *ir.Value // with the row axis
	logprior *ir.Value
}

func (j *joint) programs(t testing.TB) []*plan.Program {
	t.Helper()
	b := j.b
	f := j.logprior
	if j.loglik != nil {
		f = b.Add(b.Mul(b.Leaf(ir.OpScalar, "scale"), b.Sum(j.loglik, j.rows)), f)
	}
	gradients, err := grad.Of(b, f, j.state)
	if err != nil {
		t.Fatal(err)
	}
	gradient := &ir.Func{Name: "gradient"}
	for i, x := range j.state {
		gradient.Outputs = append(gradient.Outputs, ir.Output{Name: x.Name, Value: gradients[i], Axes: x.Axes})
	}
	funcs := []*ir.Func{gradient, {Name: "density", Outputs: []ir.Output{{Name: "density", Value: f}}}}
	identity := func(name string) *ir.Func {
		g := &ir.Func{Name: name}
		for _, x := range j.state {
			g.Outputs = append(g.Outputs, ir.Output{Name: x.Name, Value: x, Axes: x.Axes})
		}
		return g
	}
	funcs = append(funcs, identity("constrain"), identity("unconstrain"))
	if j.loglik != nil {
		funcs = append(funcs, &ir.Func{Name: "loglik", Outputs: []ir.Output{{Name: "loglik", Value: j.loglik, Axes: []*ir.Axis{j.rows}}}})
	}
	var out []*plan.Program
	for _, f := range funcs {
		out = append(out, compile(t, b, f))
	}
	return out
}

func compile(t testing.TB, b *ir.Builder, f *ir.Func) *plan.Program {
	t.Helper()
	f, err := opt.Run(b, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build(b, f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func dim(n string) size.Poly { return size.Dim(n) }

func normal(b *ir.Builder, x *ir.Value, sd float64) *ir.Value {
	z := b.Div(x, b.Num(sd))
	return b.Sum(b.Mul(b.Num(-0.5), b.Mul(z, z)), x.Axes...)
}

const logisticText = `/// Bayesian logistic regression.
dim N, P
data x[N] : real[P]
data y[N] : bool

param w[P] : real ~ normal(0, sqrt(10))
param b : real ~ normal(0, sqrt(10))

for n in N { y[n] ~ bernoulli_logit(x[n] @ w + b) }
`

// logistic is a logistic regression; sparse or dense.
func logistic(t testing.TB, sparse bool) modelCase {
	b := ir.NewBuilder()
	rows, p := b.Axis("N", dim("N")), b.Axis("P", dim("P"))
	rows.Rows = true
	w, bias := b.Leaf(ir.OpState, "w", p), b.Leaf(ir.OpState, "b")
	x := b.Leaf(ir.OpData, "x", rows, p)
	if sparse {
		x = b.SparseData("x", rows, p)
	}
	y := b.Leaf(ir.OpData, "y", rows)
	eta := b.Add(b.Sum(b.Mul(x, w), p), bias)
	eta.Hint = "eta"
	sign := b.Sub(b.Mul(b.Num(2), y), b.Num(1))
	j := &joint{b: b, rows: rows, state: []*ir.Value{w, bias},
		loglik:   b.Map(ir.OpLogSigmoid, b.Mul(sign, eta)),
		logprior: b.Add(normal(b, w, 3.1622776601683795), normal(b, bias, 3.1622776601683795))}
	name := "logistic"
	if sparse {
		name = "logistic_sparse"
	}
	const n, width = 37, 5
	xs, ys := make([]float64, n*width), make([]float64, n)
	for i := range xs {
		if i%3 == 0 {
			xs[i] = float64(i%11)/4 - 1
		}
	}
	for i := range ys {
		ys[i] = float64(i * 7 % 3 % 2)
	}
	return modelCase{
		name: name,
		spec: &model.Spec{
			Name: name, Doc: "Bayesian logistic regression.", Version: "0.1.0-dev", Text: logisticText, RowDim: "N",
			Schema: data.Schema{
				Dims: []data.Dim{{Name: "N", Place: "logistic.sg:2"}, {Name: "P", Place: "logistic.sg:2"}},
				Inputs: []data.Input{
					{Name: "x", Doc: "covariates", Kind: data.Real, Shape: []size.Poly{dim("N"), dim("P")}, Sparse: sparse, Place: "logistic.sg:3"},
					{Name: "y", Kind: data.Bool, Shape: []size.Poly{dim("N")}, Place: "logistic.sg:4"},
				},
			},
			Params: []model.Param{
				{Name: "w", Dims: []string{"P"}, Shape: []size.Poly{dim("P")}, State: []size.Poly{dim("P")}, Geometry: "euclidean", Points: []size.Poly{size.Const(1)}, Support: "real"},
				{Name: "b", Geometry: "euclidean", Points: []size.Poly{size.Const(1)}, Support: "real"},
			},
			Data: []model.Datum{
				{Name: "x", Shape: []size.Poly{dim("N"), dim("P")}, Rows: true, Sparse: sparse},
				{Name: "y", Shape: []size.Poly{dim("N")}, Rows: true},
			},
		},
		programs: j.programs(t),
		values:   map[string]*data.Value{"x": data.Dense(xs, n, width), "y": data.Dense(ys, n)},
	}
}
