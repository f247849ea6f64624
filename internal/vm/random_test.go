package vm_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/vm"
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/grad"
	"github.com/sgppl/sgppl/ir/irtest"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// run executes a function of a random graph in the VM, the rows in blocks of
// at most the given length, and returns its outputs one after another.
func run(g *irtest.Graph, f *ir.Func, block int) (map[string][]float64, error) {
	return runIn(g, f, block, false)
}

// runIn is run in single or double precision. Loops over few entries give the bits that they give
// over strips.
func runIn(
	g *irtest.Graph, f *ir.Func, block int, single bool,
) (map[string][]float64, error) {
	out, err := runLoops(g, f, block, single, false)
	strips, e := runLoops(g, f, block, single, true)
	if err != nil || e != nil {
		return nil, errors.Join(err, e)
	}
	for name, want := range strips {
		for i, x := range out[name] {
			if same := math.Float64bits(x) == math.Float64bits(want[i]); !same &&
				(x == x || want[i] == want[i]) {
				return nil, fmt.Errorf("%s[%d] is %v, and over strips %v", name, i, x, want[i])
			}
		}
	}
	return out, nil
}

// runLoops is runIn with all loops over strips, or as they are.
func runLoops(
	g *irtest.Graph, f *ir.Func, block int, single, strips bool,
) (_ map[string][]float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	p, err := plan.Build(g.B, f)
	if err != nil {
		return nil, err
	}
	p.Single = single
	spec := &model.Spec{}
	var x []float64
	for _, leaf := range g.Leaf {
		if leaf.Op == ir.OpState {
			spec.Params = append(spec.Params,
				model.Param{Name: leaf.Name, State: sizes(leaf.Axes), Shape: []size.Poly{{}}})
			x = append(x, g.Env.State[leaf.Name]...)
		}
	}
	total, at := 0, map[string]int{}
	for _, o := range f.Outputs {
		t := model.Track{Name: o.Name, Shape: sizes(o.Axes)}
		spec.Tracks = append(spec.Tracks, t)
		at[o.Name] = total
		total += t.Len(g.Env.Sizes)
	}
	var leaves []*ir.Value
	for _, b := range p.Buffers {
		if b.Where == plan.Data {
			leaf := original(g, b.Name)
			leaves = append(leaves, leaf)
			spec.Data = append(spec.Data,
				model.Datum{Name: b.Name, Rows: b.Rows(), Sparse: b.Sparse,
					Shape: sizes(leaf.Axes)})
		}
	}
	rows := 0
	if g.Row != nil {
		rows = g.Env.Sizes["N"]
	}
	code := &vm.Code{Spec: spec,
		Programs: map[fn.ID]*plan.Program{fn.Constrain.ID(): named(p)}}
	if strips {
		code.OverStrips()
	}
	called := code.Func("constrain", g.Env.Sizes, min(block, rows))
	frame := &model.Frame{X: x, Out: make([]float64, total), Scale: g.Env.Scalar["scale"],
		Jacobian: g.Env.Scalar["jacobian"],
		Dense:    make([][]float64, len(leaves)), Sparse: make([]kernel.Rows, len(leaves)),
		Dense32: make([][]float32, len(leaves)), Sparse32: make([]kernel.Rows32, len(leaves))}
	for i := range frame.Out {
		frame.Out[i] = math.NaN() // nothing may rely on what was there
	}
	set := func(lo, hi int) {
		frame.N = hi - lo
		for i, leaf := range leaves {
			x, r := rowsOf(g, leaf, lo, hi)
			frame.Dense[i], frame.Sparse[i] = x, r
			frame.Dense32[i] = narrowed(x)
			frame.Sparse32[i] = kernel.Rows32{Lo: r.Lo, Hi: r.Hi, Index: r.Index,
				Value: narrowed(r.Value)}
		}
	}
	for range 2 { // a second call must not see the first
		set(0, 0)
		called.Prepare(frame)
		for lo := 0; lo < rows; lo += block {
			set(lo, min(lo+block, rows))
			called.Rows(frame)
		}
		called.Finish(frame)
	}
	out := map[string][]float64{}
	for i, o := range f.Outputs {
		n := spec.Tracks[i].Len(g.Env.Sizes)
		out[o.Name] = frame.Out[at[o.Name] : at[o.Name]+n]
	}
	return out, nil
}

func narrowed(x []float64) []float32 {
	if x == nil {
		return nil
	}
	out := make([]float32, len(x))
	kernel.Narrow(out, x)
	return out
}

func named(p *plan.Program) *plan.Program { q := *p; q.ID = fn.Constrain.ID(); return &q }

func original(g *irtest.Graph, name string) *ir.Value {
	for _, l := range g.Leaf {
		if l.Name == name {
			return l
		}
	}
	panic(name)
}

func sizes(axes []*ir.Axis) []size.Poly {
	out := make([]size.Poly, len(axes))
	for i, a := range axes {
		out[i] = a.Size
	}
	return out
}

// rowsOf is the part of a datum that a block sees, row axis first; all of one
// without row axis.
func rowsOf(g *irtest.Graph, leaf *ir.Value, lo, hi int) ([]float64, kernel.Rows) {
	dims := make([]int, len(leaf.Axes))
	for i, a := range leaf.Axes {
		dims[i], _ = a.Size.Eval(g.Env.Sizes)
	}
	x := g.Env.Data[leaf.Name]
	if row := leaf.RowAxis(); row != nil {
		outer, inner, n := 1, 1, dims[0]
		for i, a := range leaf.Axes {
			if a == row {
				n = dims[i]
				for _, d := range dims[i+1:] {
					inner *= d
				}
				break
			}
			outer *= dims[i]
		}
		var part []float64
		for i := lo; i < hi; i++ {
			for o := range outer {
				part = append(part, x[(o*n+i)*inner:(o*n+i+1)*inner]...)
			}
		}
		x, dims = part, []int{hi - lo, outer * inner}
	}
	if !leaf.Sparse {
		return x, kernel.Rows{}
	}
	var r kernel.Rows
	ones := leaf.Name[0] == 'p'
	for i := range dims[0] {
		r.Lo = append(r.Lo, len(r.Index))
		for j := range dims[1] {
			if v := x[i*dims[1]+j]; v != 0 {
				r.Index = append(r.Index, int32(j))
				r.Value = append(r.Value, v)
			}
		}
		r.Hi = append(r.Hi, len(r.Index))
	}
	if ones {
		r.Value = nil
	}
	return nil, r
}

// spread gives the entries of an output along all of its axes, which the
// value may lack or have in another order.
func spread(g *irtest.Graph, a ir.Array, axes []*ir.Axis) []float64 {
	n, dims := 1, make([]int, len(axes))
	for i, x := range axes {
		dims[i], _ = x.Size.Eval(g.Env.Sizes)
		n *= dims[i]
	}
	out := make([]float64, n)
	for k := range out {
		at, rest := map[*ir.Axis]int{}, k
		for i := len(axes) - 1; i >= 0; i-- {
			at[axes[i]] = rest % dims[i]
			rest /= dims[i]
		}
		offset := 0
		for i, x := range a.Axes {
			offset = offset*a.Dims[i] + at[x]
		}
		out[k] = a.Data[offset]
	}
	return out
}

func same(x, y, tol float64) bool {
	return x == y || x != x && y != y || math.Abs(x-y) <= tol*(1+math.Abs(x)+math.Abs(y))
}

// compare checks the VM on f against the reference evaluation of ref, which
// has the same outputs.
func compare(
	t *testing.T, what string, g *irtest.Graph, ref, f *ir.Func, block int, tol float64,
) bool {
	t.Helper()
	want := ir.Eval(ref, g.Env)
	got, err := run(g, f, block)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return false
	}
	for _, o := range ref.Outputs {
		for i, w := range spread(g, want[o.Name], o.Axes) {
			if !same(got[o.Name][i], w, tol) {
				t.Errorf("%s: output %s[%d] = %v, want %v", what, o.Name, i, got[o.Name][i], w)
				return false
			}
		}
	}
	return true
}

var shapes = [][4]int{{2, 3, 4, 5}, {3, 3, 3, 3}, {1, 2, 1, 3}, {0, 2, 3, 1}, {2, 300, 3, 2}}

func configs(seeds int) []irtest.Config {
	var out []irtest.Config
	for s := range seeds {
		n := []int{-1, 7, 1, 5, -1, 0, 30}[s%7]
		steps := 12 + s%17
		shape := shapes[s%len(shapes)]
		if shape[1] == 300 {
			steps = 6
		}
		out = append(out, irtest.Config{Seed: uint64(s), Sizes: shape, N: n, Steps: steps})
	}
	return out
}

// Random functions, before and after the passes, mean the same to the VM as
// to the reference evaluator.
func TestRandomFunctions(t *testing.T) {
	planned := 0
	for _, c := range configs(seeds) {
		what := fmt.Sprintf("%+v", c)
		g := irtest.Random(c)
		if err := ir.Verify(g.F); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		text := g.F.String()
		if !refusedDense(t, g, g.F) {
			compare(t, what, g, g.F, g.F, 4, 1e-12)
		}
		f, err := opt.Run(g.B, g.F, nil)
		if err != nil {
			t.Errorf("%s: %v\n%s", what, err, text)
			continue
		}
		if refusedDense(t, g, f) {
			continue
		}
		planned++
		if !compare(t, what+" optimised", g, g.F, f, 4, 1e-12) {
			t.Logf("%s\n%s", text, f)
		}
	}
	t.Logf("%d functions", planned)
}

// The gradients of random functions agree with central differences of the
// reference evaluator, and the VM with it.
func TestRandomGradients(t *testing.T) {
	for _, c := range configs(seeds) {
		what := fmt.Sprintf("gradient %+v", c)
		g := irtest.Random(c)
		value := g.Scalar()
		states := g.States(value)
		cots, err := grad.Of(g.B, value, states)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		density := &ir.Func{ID: fn.Density.ID(),
			Outputs: []ir.Output{{Name: "density", Value: value}}}
		f := &ir.Func{ID: fn.Gradient.ID()}
		for i, x := range states {
			f.Outputs = append(f.Outputs,
				ir.Output{Name: fmt.Sprintf("g%d", i), Value: cots[i], Axes: x.Axes})
		}
		if err := ir.Verify(f); err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		// A block may be read under several sets of axes: their gradients add up.
		exact, total := ir.Eval(f, g.Env), map[string][]float64{}
		for i, x := range states {
			part := spread(g, exact[f.Outputs[i].Name], x.Axes)
			if total[x.Name] == nil {
				total[x.Name] = make([]float64, len(part))
			}
			for k, v := range part {
				total[x.Name][k] += v
			}
		}
		for _, x := range g.Leaf {
			if got := total[x.Name]; got != nil && len(got) < 50 {
				differences(t, what, g, density, x, got)
			}
		}
		o, err := opt.Run(g.B, f, nil)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if !refusedDense(t, g, o) && !compare(t, what, g, f, o, 3, 1e-11) {
			t.Logf("%s", o)
		}
	}
}

func differences(
	t *testing.T, what string, g *irtest.Graph, density *ir.Func, x *ir.Value, got []float64,
) {
	t.Helper()
	list := g.Env.State[x.Name]
	at := func(i int, v float64) float64 {
		old := list[i]
		defer func() { list[i] = old }()
		list[i] = v
		return ir.Eval(density, g.Env)["density"].Data[0]
	}
	for i, v := range list {
		// Short steps see rounding, long ones curvature: one of them must agree.
		ok, want, kink := false, 0.0, false
		for _, h := range []float64{1e-5, 1e-4, 1e-3} {
			hi, lo, mid := at(i, v+h), at(i, v-h), at(i, v)
			want = (hi - lo) / (2 * h)
			ok = ok || same(got[i], want, math.Max(1e-6, h/10))
			kink = kink || math.Abs((hi-mid)-(mid-lo)) > 1e-2*h*(1+math.Abs(want))
		}
		if !ok && !kink { // a kink between the points is no error of the gradient
			t.Errorf("%s: ∂/∂%s[%d] = %v, differences give %v", what, x.Name, i, got[i], want)
			return
		}
	}
}

// refusedDense reports whether the plan is refused because it would make
// sparse data dense, which is the one reason allowed.
func refusedDense(t *testing.T, g *irtest.Graph, f *ir.Func) bool {
	_, err := plan.Build(g.B, f)
	var dense *plan.DenseError
	return errors.As(err, &dense)
}
