package vm_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/ir/kernels"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A kernelGraph makes functions for kernels: of leaves over axes with names for
// their sizes, and rows.
type kernelGraph struct {
	*irtest.Graph
	r *rand.Rand
}

// kernelSizes are the lengths of the axes; s is read through windows of k at p places.
var kernelSizes = map[string]int{"i": 5, "k": 3, "h": 9, "s": 7, "p": 3, "n": 7}

func newKernelGraph(seed uint64) *kernelGraph {
	g := &kernelGraph{&irtest.Graph{B: ir.NewBuilder(), Env: &ir.Env{Sizes: map[string]int{},
		State: map[string][]float64{}, Data: map[string][]float64{},
		Scalar: map[string]float64{"scale": 1}}},
		rand.New(rand.NewPCG(seed, 5))}
	for name, n := range kernelSizes {
		g.Env.Sizes[strings.ToUpper(name)] = n
	}
	g.Row = g.axis("n")
	g.Row.Rows = true
	return g
}

func (g *kernelGraph) axis(name string) *ir.Axis {
	if name == "j" { // of square matrices
		return g.B.Axis(name, size.Dim("I"))
	}
	return g.B.Axis(name, size.Dim(strings.ToUpper(name)))
}

// array is a leaf of positive numbers: data where it has the rows, else of the state.
func (g *kernelGraph) array(name string, axes ...*ir.Axis) *ir.Value {
	n := 1
	op, numbers := ir.OpState, g.Env.State
	for _, a := range axes {
		k, _ := a.Size.Eval(g.Env.Sizes)
		n *= k
		if a.Rows {
			op, numbers = ir.OpData, g.Env.Data
		}
	}
	for range n {
		numbers[name] = append(numbers[name], 0.2+1.6*g.r.Float64())
	}
	leaf := g.B.Leaf(op, name, axes...)
	g.Leaf = append(g.Leaf, leaf)
	return leaf
}

// sparse is a datum by row, two thirds of which are zeros.
func (g *kernelGraph) sparse(h *ir.Axis) *ir.Value {
	leaf := g.B.SparseData("s", g.Row, h)
	for range kernelSizes["n"] * kernelSizes["h"] {
		v := 0.0
		if g.r.IntN(3) == 0 {
			v = g.r.NormFloat64()
		}
		g.Env.Data["s"] = append(g.Env.Data["s"], v)
	}
	g.Leaf = append(g.Leaf, leaf)
	return leaf
}

// residuals are those of a logistic regression, with the sparse rows.
func (g *kernelGraph) residuals(bias *ir.Value) (x, r *ir.Value) {
	x = g.sparse(g.axis("h"))
	return x, g.B.Sub(g.array("y", g.Row), g.probabilities(x, "w", bias))
}

// differences are those of the probabilities of such rows at two points.
func (g *kernelGraph) differences(bias, other *ir.Value) (x, r *ir.Value) {
	x = g.sparse(g.axis("h"))
	return x, g.B.Sub(g.probabilities(x, "w", bias), g.probabilities(x, "anchor", other))
}

// probabilities are those of sparse rows, with coefficients and an intercept or nil.
func (g *kernelGraph) probabilities(x *ir.Value, coefficients string, bias *ir.Value) *ir.Value {
	h := x.Axes[1]
	eta := g.B.Contract(x, g.array(coefficients, h), h)
	if bias != nil {
		eta = g.B.Add(bias, eta)
	}
	return g.B.Map(ir.OpSigmoid, eta)
}

// factor is the triangular factor of a positive definite matrix.
func (g *kernelGraph) factor(i, j *ir.Axis) *ir.Value {
	b, x := g.B, g.array("a", i)
	same := b.Map(ir.OpEq, b.Iota(i), b.Iota(j))
	return b.Cholesky(b.Add(b.Mul(x, b.Rename(x, i, j)), b.Mul(b.Num(4), same)), i, j)
}

// windows are the axes of windows on a vector.
func (g *kernelGraph) windows() []*ir.Axis {
	return []*ir.Axis{g.axis("s"), g.axis("p"), g.axis("k")}
}

// uses are values that the planner computes with the kernel of their name. Ops of
// which every entry has a kernel need none: they are used by themselves.
var uses = map[string]func(g *kernelGraph) *ir.Value{
	"sum": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.Sum(g.array("x", g.axis("i"), h), h)
	},
	"prod":        reduced(ir.OpProd),
	"reduce_max":  reduced(ir.OpReduceMax),
	"reduce_min":  reduced(ir.OpReduceMin),
	"log_sum_exp": reduced(ir.OpLogSumExp),
	"cumsum": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.CumSum(g.array("x", g.axis("i"), h), h, true)
	},
	"dot": func(g *kernelGraph) *ir.Value {
		h, i := g.axis("h"), g.axis("i")
		return g.B.Contract(g.array("x", i, h), g.array("y", i, h), h)
	},
	"gemv": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.Contract(g.array("x", g.axis("i"), h), g.array("y", h), h)
	},
	"gemvT": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.Contract(g.array("x", h, g.axis("i")), g.array("y", h), h)
	},
	"gemm": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.Contract(g.array("x", g.axis("i"), h), g.array("y", h, g.axis("k")), h)
	},
	"gemm_rows": func(g *kernelGraph) *ir.Value {
		h, i := g.axis("h"), g.axis("i")
		v := g.B.Contract(g.array("x", g.Row, i, h), g.array("y", i, h, g.axis("k")), h)
		return g.B.Sum(g.B.Mul(v, v), g.Row)
	},
	"sparse_mul_vec":  func(g *kernelGraph) *ir.Value { return g.sparseProduct(false, false) },
	"sparse_mul_vecT": func(g *kernelGraph) *ir.Value { return g.sparseProduct(false, true) },
	"sparse_logit": func(g *kernelGraph) *ir.Value {
		x, r := g.residuals(nil)
		return g.B.Contract(x, r, g.Row)
	},
	"sparse_logit_sum": func(g *kernelGraph) *ir.Value {
		x, r := g.residuals(g.array("b"))
		return g.B.Add(g.B.Contract(x, r, g.Row), g.B.Sum(r, g.Row))
	},
	"sparse_logit_difference": func(g *kernelGraph) *ir.Value {
		x, r := g.differences(nil, nil)
		return g.B.Contract(x, g.B.Neg(g.B.Mul(g.array("weight", g.Row), r)), g.Row)
	},
	"sparse_logit_difference_sum": func(g *kernelGraph) *ir.Value {
		x, r := g.differences(g.array("b"), g.array("c"))
		weight := g.array("weight", g.Row)
		return g.B.Add(g.B.Contract(x, g.B.Neg(g.B.Mul(weight, r)), g.Row),
			g.B.Contract(weight, r, g.Row))
	},
	"sparse_mul_mat":  func(g *kernelGraph) *ir.Value { return g.sparseProduct(true, false) },
	"sparse_mul_matT": func(g *kernelGraph) *ir.Value { return g.sparseProduct(true, true) },
	"scatter": func(g *kernelGraph) *ir.Value {
		h, i := g.axis("h"), g.axis("i")
		index := g.B.Leaf(ir.OpData, "index", h)
		g.Leaf, g.Env.Data["index"] = append(g.Leaf, index), []float64{4, 0, 3, 3, 1, 0, 4, 4, 2}
		return g.B.Scatter(g.array("x", h), index, i, []*ir.Axis{i})
	},
	"count_rows": func(g *kernelGraph) *ir.Value { return g.B.AxisSize(g.Row) },
	"copy": func(g *kernelGraph) *ir.Value {
		i, h := g.axis("i"), g.axis("h")
		to := g.B.Axis("f", i.Size.Mul(h.Size))
		return g.B.CumSum(g.B.Flatten(g.array("x", i, h), []*ir.Axis{i, h}, to), to, false)
	},
	"add_relu": func(g *kernelGraph) *ir.Value {
		h, i, k, b := g.axis("h"), g.axis("i"), g.axis("k"), g.B
		x := b.Contract(g.array("x", i, h), g.array("y", h, k), h)
		return b.Contract(b.Map(ir.OpRelu, b.Add(g.array("bias", k), x)), g.array("z", i), i)
	},
	"positive": func(g *kernelGraph) *ir.Value {
		h, i, b := g.axis("h"), g.axis("i"), g.B
		kept := b.Map(ir.OpGt, g.array("x", i, h), b.Num(0))
		return b.Contract(b.Mul(kept, g.array("y", i, h)), g.array("z", h), h)
	},
	"category": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		u := g.B.Mul(g.B.Num(0.5), g.array("u", g.axis("i")))
		return g.B.Category(g.array("w", h), u, h)
	},
	"add_at": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.AddAt(g.array("x", h), g.B.Num(3), g.array("c"), h)
	},
	"draw_in_turn": func(g *kernelGraph) *ir.Value {
		i, k := g.axis("i"), g.axis("k")
		z := g.B.Map(ir.OpFloor, g.B.Mul(g.B.Num(2), g.array("z", i)))
		u := g.B.Mul(g.B.Num(0.5), g.array("u", i))
		return g.B.DrawInTurn(g.array("w", i, k), z, u, g.array("c", i), g.array("a", k),
			g.array("s", k), i, k)
	},
	"recurrence": func(g *kernelGraph) *ir.Value {
		t, b := g.axis("h"), g.B
		to := b.Axis("t", t.Size.Add(size.Const(1)))
		f, x, start := g.array("f"), g.array("x", t), g.array("s")
		scan := func(reverse bool) *ir.Value {
			c := b.Carry("c", true, t)
			return b.Scan([]*ir.Value{c}, []*ir.Value{start}, []*ir.Value{b.Add(b.Mul(f, c), x)}, t,
				to, reverse)[0]
		}
		return b.Add(scan(false), scan(true))
	},
	"log_forward": func(g *kernelGraph) *ir.Value {
		t, i, j := g.axis("h"), g.axis("i"), g.axis("j")
		v := g.B.LogForward(g.array("x", g.Row, i), g.array("s", j, i), g.array("y", g.Row, t, i),
			[]*ir.Axis{t, j, i}, g.B.Axis("t", t.Size.Add(size.Const(1))))
		return g.B.Sum(v, g.Row)
	},
	"log_forward_adjoint": func(g *kernelGraph) *ir.Value {
		t, i, j := g.axis("h"), g.axis("i"), g.axis("j")
		to := g.B.Axis("t", t.Size.Add(size.Const(1)))
		return g.B.LogForwardAdjoint(g.array("x", to, i), g.array("s", j, i), g.array("c", i),
			[]*ir.Axis{t, j, i}, to)
	},
	"split_counts": func(g *kernelGraph) *ir.Value {
		i, j := g.axis("i"), g.axis("k")
		whole := g.B.Map(ir.OpFloor, g.B.Mul(g.B.Num(20), g.array("n", i)))
		u := g.B.Mul(g.B.Num(0.5), g.array("u", i))
		return g.B.SplitCounts(whole, g.array("w", i, j), g.array("s", j), u, i, j)
	},
	"cholesky": func(g *kernelGraph) *ir.Value { return g.factor(g.axis("i"), g.axis("j")) },
	"cholesky_adjoint": func(g *kernelGraph) *ir.Value {
		i, j := g.axis("i"), g.axis("j")
		return g.B.CholeskyAdjoint(g.factor(i, j), g.array("c", i, j), i, j)
	},
	"triangular_solve": func(g *kernelGraph) *ir.Value {
		i, j := g.axis("i"), g.axis("j")
		return g.B.TriangularSolve(g.factor(i, j), g.array("y", g.axis("h"), i), i, j, false)
	},
	"triangular_solveT": func(g *kernelGraph) *ir.Value {
		i, j := g.axis("i"), g.axis("j")
		return g.B.TriangularSolve(g.factor(i, j), g.array("y", j, g.axis("h")), i, j, true)
	},
	"triangle": func(g *kernelGraph) *ir.Value {
		k := g.axis("k")
		return g.B.Triangle(g.array("x", g.axis("h"), k), g.axis("h"), k, g.B.Axis("t", k.Size))
	},
	"eigen_sym": func(g *kernelGraph) *ir.Value {
		i, j, b := g.axis("i"), g.axis("j"), g.B
		return b.Eigenvalues(b.Eigenpairs(g.array("x", i, j), i, j,
			b.Axis("e", i.Size.Add(size.Const(2)))))
	},
	"order": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.Order(g.array("x", g.axis("i"), h), h, g.B.Axis("o", h.Size))
	},
	"window": func(g *kernelGraph) *ir.Value {
		over := g.windows()
		return g.B.Window(g.array("x", over[0], g.axis("i")), over, 2)
	},
	"window_add": func(g *kernelGraph) *ir.Value {
		over := g.windows()
		return g.B.WindowAdd(g.array("x", over[1], over[2], g.axis("i")), over, 2)
	},
	"window_max": func(g *kernelGraph) *ir.Value {
		over := g.windows()
		return g.B.WindowMax(g.array("x", over[0], g.axis("i")), over, 2)
	},
	"window_max_add": func(g *kernelGraph) *ir.Value {
		over, i := g.windows(), g.axis("i")
		x := g.array("x", over[0], i)
		return g.B.WindowMaxAdd(x, g.B.WindowMax(x, over, 2), g.array("c", over[1], i), over, 2)
	},
}

func reduced(op *ir.Op) func(g *kernelGraph) *ir.Value {
	return func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.Reduce(op, g.array("x", g.axis("i"), h, g.axis("k")), h)
	}
}

// sparseProduct is a product of sparse rows with dense, or of their transpose.
func (g *kernelGraph) sparseProduct(matrix, transposed bool) *ir.Value {
	h, b := g.axis("h"), g.B
	var more []*ir.Axis
	if matrix {
		more = []*ir.Axis{g.axis("k")}
	}
	rows := g.sparse(h)
	if transposed {
		return b.Contract(rows, g.array("y", append([]*ir.Axis{g.Row}, more...)...), g.Row)
	}
	v := b.Contract(rows, g.array("y", append([]*ir.Axis{h}, more...)...), h)
	return b.Sum(b.Mul(v, v), g.Row)
}

// called reports whether a plan has a call of the kernel.
func called(p *plan.Program, name string) bool {
	return slices.ContainsFunc(slices.Concat(p.Steps[0], p.Steps[1], p.Steps[2]),
		func(s plan.Step) bool {
			return s.Kernel != nil && s.Kernel.Name == name
		})
}

// numbers are values without axes, of kernels whose result may be an array too.
var numbers = map[string]func(g *kernelGraph) *ir.Value{
	"sum":         whole(ir.OpSum),
	"prod":        whole(ir.OpProd),
	"reduce_max":  whole(ir.OpReduceMax),
	"reduce_min":  whole(ir.OpReduceMin),
	"log_sum_exp": whole(ir.OpLogSumExp),
	"dot": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.Contract(g.array("x", h), g.array("y", h), h)
	},
	"category": func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.Category(g.array("w", h), g.B.Num(0.625), h)
	},
	"count_rows":                  uses["count_rows"],
	"sparse_logit_sum":            uses["sparse_logit_sum"],
	"sparse_logit_difference_sum": uses["sparse_logit_difference_sum"],
}

func whole(op *ir.Op) func(g *kernelGraph) *ir.Value {
	return func(g *kernelGraph) *ir.Value {
		h := g.axis("h")
		return g.B.Reduce(op, g.array("x", h), h)
	}
}

// TestKernelTable: what a kernel computes is what the reference evaluator says, and
// in single precision the same, rounded. Every row of the table is walked.
func TestKernelTable(t *testing.T) {
	for _, row := range kernels.All() {
		t.Run(row.Name, func(t *testing.T) {
			if row.Doc == "" {
				t.Error("the kernel has no description")
			}
			if row.Name == "rand_multinomial" {
				t.Skip("TestMultinomialKernel")
			}
			use := uses[row.Name]
			if use == nil && row.Each64 != nil {
				use = func(g *kernelGraph) *ir.Value {
					op, _ := ir.Lookup(row.Name)
					return g.B.Map(op, g.array("x", g.axis("h"), g.axis("i")))
				}
			}
			if use == nil || row.Number != "" && numbers[row.Name] == nil {
				t.Fatal("no function uses the kernel: give it a line in uses, or in numbers")
			}
			checkKernel(t, row, use)
			if row.Number != "" {
				checkKernel(t, row, numbers[row.Name])
			}
		})
	}
	for name := range uses {
		if kernels.Lookup(name) == nil {
			t.Errorf("%s is no row of the table", name)
		}
	}
}

// checkKernel compares the engine with the evaluator, and single precision with
// double, on a function whose plan calls the kernel.
func checkKernel(t *testing.T, row *kernels.Row, use func(g *kernelGraph) *ir.Value) {
	t.Helper()
	g := newKernelGraph(1)
	v := use(g)
	f := &ir.Func{ID: fn.ID{Kind: "f"}, Outputs: []ir.Output{{Name: "v", Value: v, Axes: v.Axes}}}
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build(g.B, f)
	if err != nil {
		t.Fatal(err)
	}
	if !called(p, row.Name) {
		t.Fatalf("the plan does not call the kernel:\n%s", p)
	}
	for _, block := range []int{3, 7} {
		compare(t, row.Name, g.Graph, f, f, block, 1e-12)
		if row.Name != "scatter" && row.Run32 == nil && row.Number32 == nil {
			continue // for functions in double precision alone
		}
		want, err := run(g.Graph, f, block)
		if err != nil {
			t.Fatal(err)
		}
		got, err := runIn(g.Graph, f, block, true)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range got["v"] {
			if !same(x, want["v"][i], 1e-5) {
				t.Errorf("entry %d in single precision is %v, in double %v", i, x, want["v"][i])
			}
		}
	}
}

// TestKernelCalls: each form of a call has its text, and each text its functions.
func TestKernelCalls(t *testing.T) {
	for _, row := range kernels.All() {
		if (row.Number == "") != (row.Number64 == nil) {
			t.Errorf("%s: a result that is a number has a text, or a function, but not both",
				row.Name)
		}
		if row.Emit != "" && row.Run64 == nil || row.Each64 == nil != (row.Each32 == nil) {
			t.Errorf("%s lacks a function", row.Name)
		}
		if row.Run32 != nil && row.Run64 == nil || row.Number32 != nil && row.Number64 == nil {
			t.Errorf("%s is in single precision alone", row.Name)
		}
	}
}

// TestMultinomialKernel: counts add up to the trials, and have their means.
func TestMultinomialKernel(t *testing.T) {
	const trials, draws = 40, 2000
	source := rng.New(11, 0, rng.Test).At(0)
	c := &kernels.Call[float64]{Dst: make([]float64, 6),
		X: []float64{trials, trials, trials, 7, 7, 7},
		Y: []float64{1, 2, 5, 3, 0, 1}, Batch: 2, Along: 3, Source: &source}
	mean := make([]float64, 6)
	for range draws {
		kernels.Lookup("rand_multinomial").Run64(c)
		if d := c.Dst; d[0]+d[1]+d[2] != trials || d[3]+d[4]+d[5] != 7 || d[4] != 0 {
			t.Fatalf("counts %v", d)
		}
		for i, x := range c.Dst {
			mean[i] += x / draws
		}
	}
	for i, want := range []float64{5, 10, 25, 5.25, 0, 1.75} {
		// Four standard errors of a mean, at most.
		if bound := 4 * math.Sqrt(trials/4.0/draws); math.Abs(mean[i]-want) > bound {
			t.Errorf("count %d has the mean %.3f, want %v ± %.3f", i, mean[i], want, bound)
		}
	}
}
