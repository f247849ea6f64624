package vm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Random functions whose sums of products were put in order mean the same to
// the VM as the functions before do to the reference evaluator.
func TestReassociated(t *testing.T) {
	planned := 0
	for _, c := range configs(seeds) {
		c.Seed += 9000
		g := irtest.Random(c)
		chain := opt.Chain{Inner: func(v *ir.Value) bool { return v.Op == ir.OpState },
			Sizes: map[string]int{"A": 7, "B": 900, "C": 7, "D": 400}}
		f := opt.Reassociate(g.B, g.F, chain)
		if f == g.F {
			continue
		}
		o, err := opt.Run(g.B, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if refusedDense(t, g, o) {
			continue
		}
		planned++
		if !compare(t, fmt.Sprintf("%+v", c), g, g.F, o, 4, 1e-11) {
			t.Logf("%s\n%s", g.F, o)
		}
	}
	if planned < 10 {
		t.Errorf("%d functions changed", planned)
	}
}

// The chain of a row: steps along the gradient of a log density in θ[n], a product
// of sparse words and topics. The gradient is of the density in its new order; then
// a scan carries θ, and the steps have no axis of words. The reference runs the same
// steps with the density as it stands.
func TestReassociatedChain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const rows, topics, words = 7, 3, 12
	b := ir.NewBuilder()
	g := &irtest.Graph{B: b, Env: &ir.Env{Sizes: map[string]int{"N": rows, "K": topics, "V": words},
		State: map[string][]float64{}, Data: map[string][]float64{}, Scalar: map[string]float64{}}}
	n, k, v := b.Axis("n", size.Dim("N")), b.Axis("k", size.Dim("K")), b.Axis("v", size.Dim("V"))
	n.Rows, g.Row = true, n
	s := b.Axis("s", size.Const(5))
	to := b.Axis("to", size.Const(6))
	leaf := func(v *ir.Value, zeros float64) *ir.Value {
		numbers := make([]float64, 1)
		for _, a := range v.Axes {
			m, _ := a.Size.Eval(g.Env.Sizes)
			numbers = make([]float64, len(numbers)*m)
		}
		for i := range numbers {
			if r.Float64() >= zeros {
				numbers[i] = r.Float64() + 0.1
			}
		}
		if v.Op == ir.OpState {
			g.Env.State[v.Name] = numbers
		} else {
			g.Env.Data[v.Name] = numbers
		}
		g.Leaf = append(g.Leaf, v)
		return v
	}
	x := leaf(b.SparseData("s", n, v), 0.6)
	start, noise := leaf(b.Leaf(ir.OpData, "start", n, k), 0),
		leaf(b.Leaf(ir.OpData, "noise", n, s, k), 0)
	beta := leaf(b.Leaf(ir.OpState, "beta", k, v), 0)
	theta := b.Leaf(ir.OpData, "local theta", n, k)

	mix := b.Sum(b.Mul(theta, b.Map(ir.OpExp, beta)), k)
	length := b.Map(ir.OpSqrt, b.Sum(b.Mul(mix, mix), v))
	density := &ir.Func{ID: fn.Density.ID(),
		Outputs: []ir.Output{{Name: "density",
			Value: b.Sum(b.Sum(b.Mul(x, b.Div(mix, length)), v), n)}}}
	chain := opt.Chain{Inner: func(v *ir.Value) bool { return strings.HasPrefix(v.Name, "local ") },
		Sizes: map[string]int{"K": 20}}

	steps := func(density *ir.Func) *ir.Func {
		slope, err := grad.Of(b, density.Outputs[0].Value, []*ir.Value{theta})
		if err != nil {
			t.Fatal(err)
		}
		carry := b.Carry("theta", true, s, n, k)
		slope = ir.Rewrite(b, slope, func(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
			if v == theta {
				return carry
			}
			return nil
		})
		next := b.Map(ir.OpAbs,
			b.Add(b.Add(carry, b.Mul(b.Num(0.05), slope[0])), b.Mul(b.Num(0.1), noise)))
		path := b.Scan([]*ir.Value{carry}, []*ir.Value{start}, []*ir.Value{next}, s, to, false)[0]
		last := b.At(path, to, size.Const(5))
		return &ir.Func{ID: fn.ID{Kind: "chain"}, Outputs: []ir.Output{
			{Name: "mean", Value: b.Sum(last, n), Axes: []*ir.Axis{k}},
			{Name: "paths", Value: b.Sum(b.Mul(path, path), n), Axes: []*ir.Axis{to, k}},
		}}
	}
	want := steps(density)
	got := steps(opt.Reassociate(b, density, chain))
	for pass := range 2 {
		if pass == 1 { // once more, now that there is a scan
			got = opt.Reassociate(b, got, opt.Chain{Sizes: chain.Sizes})
		}
		o, err := opt.Run(b, got, nil)
		if err != nil {
			t.Fatal(err)
		}
		values := o.Values()
		free := ir.Carries(values)
		products := 0
		for _, x := range values {
			if len(free[x]) > 0 && (x.Has(v) || slices.Contains(x.Over, v)) {
				t.Errorf("a step computes %s", x)
			}
			if x.Op == ir.OpContract && len(free[x]) > 0 {
				products++
			}
		}
		if most := 4 - pass; products > most { // θ G, times θ, θ B; and G θ before the second time
			t.Errorf("%d products in a step\n%s", products, o)
		}
		for _, block := range []int{3, rows} {
			if !compare(t, fmt.Sprint("chain ", pass), g, want, o, block, 1e-12) {
				t.Logf("%s", o)
			}
		}
	}
}
