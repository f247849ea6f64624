// Package irtest makes random functions of the IR, for the tests of what
// transforms or executes them. Only tests import it.
package irtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Config says what a random function is like.
type Config struct {
	Seed  uint64
	Sizes [4]int // of the dims A, B, C, D
	N     int    // rows of the minibatch axis; negative: no such axis
	Steps int    // how many ops are tried
}

// A Graph is a random function with numbers for its leaves.
type Graph struct {
	B    *ir.Builder
	F    *ir.Func // its outputs lack the row axis
	Env  *ir.Env
	Row  *ir.Axis // nil without
	Leaf []*ir.Value
	// Terms are values that depend on no sum over the rows.
	Terms []*ir.Value
}

// generator grows a pool of values. Numbers stay small and away from the
// singular points of the ops, so that engines may be compared closely.
type generator struct {
	*Graph
	r     *rand.Rand
	c     Config
	axes  []*ir.Axis
	pool  []*ir.Value
	index map[*ir.Axis][]*ir.Value // data that are positions along an axis
	late  map[*ir.Value]bool       // depends on a sum over rows
	names int
}

// Random makes a function. The same Config gives the same function.
func Random(c Config) *Graph {
	g := &generator{Graph: &Graph{B: ir.NewBuilder(),
		Env: &ir.Env{Sizes: map[string]int{}, State: map[string][]float64{},
			Data:   map[string][]float64{},
			Scalar: map[string]float64{"scale": 1.5, "jacobian": 0.5}}},
		r: rand.New(rand.NewPCG(c.Seed, 77)), c: c, index: map[*ir.Axis][]*ir.Value{},
		late: map[*ir.Value]bool{}}
	for i, n := range c.Sizes {
		name := string(rune('A' + i))
		g.Env.Sizes[name] = n
		g.axes = append(g.axes, g.B.Axis(string(rune('a'+i)), size.Dim(name)))
	}
	if c.N >= 0 {
		g.Env.Sizes["N"] = c.N
		g.Row = g.B.Axis("n", size.Dim("N"))
		g.Row.Rows = true
		g.axes = append(g.axes, g.Row)
	}
	g.leaves()
	for range c.Steps {
		if v := g.grow(); v != nil && !g.coupled(v) {
			g.late[v] = g.after(v)
			g.pool = append(g.pool, v)
		}
	}
	g.outputs()
	return g.Graph
}

// after reports whether the value depends on a sum over the rows.
func (g *generator) after(v *ir.Value) bool {
	for _, x := range ir.Reach(v) {
		for _, a := range x.Args {
			if a.RowAxis() != nil && x.RowAxis() == nil {
				return true
			}
		}
		if x.Op == ir.OpSize && len(x.Over) > 0 {
			return true
		}
	}
	return false
}

// coupled reports whether a row depends on a sum over the rows, which no plan allows.
func (g *generator) coupled(v *ir.Value) bool {
	late := map[*ir.Value]bool{}
	for _, x := range ir.Reach(v) {
		rows, after := x.RowAxis() != nil, false
		for _, a := range x.Args {
			rows = rows || a.RowAxis() != nil
			after = after || late[a]
			late[x] = late[x] || late[a] || a.RowAxis() != nil && x.RowAxis() == nil
		}
		if late[x] = late[x] || x.Op == ir.OpSize && len(x.Over) > 0; rows && after {
			return true
		}
	}
	return len(v.Axes) > 5
}

func (g *generator) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

func (g *generator) count(axes []*ir.Axis) int {
	n := 1
	for _, a := range axes {
		k, _ := a.Size.Eval(g.Env.Sizes)
		n *= k
	}
	return n
}

func (g *generator) length(a *ir.Axis) int { return g.count([]*ir.Axis{a}) }

func (g *generator) numbers(n int, f func() float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = f()
	}
	return out
}

func (g *generator) normal() float64 { return math.Tanh(g.r.NormFloat64()) }

// some picks up to k of the axes, the row axis among them where rows says so.
func (g *generator) some(k int, rows bool) []*ir.Axis {
	var out []*ir.Axis
	for _, i := range g.r.Perm(len(g.axes)) {
		if len(out) < k && (rows || !g.axes[i].Rows) {
			out = append(out, g.axes[i])
		}
	}
	return out
}

func (g *generator) leaves() {
	for k := range 3 {
		v := g.B.Leaf(ir.OpState, g.name("x"), g.some(k, false)...)
		g.Env.State[v.Name] = g.numbers(g.count(v.Axes), g.normal)
		g.Leaf = append(g.Leaf, v)
	}
	for k := range 4 {
		v := g.B.Leaf(ir.OpData, g.name("d"), g.some(1+k%3, true)...)
		if k == 3 && g.Row != nil { // one with the row axis for certain, not first
			v = g.B.Leaf(ir.OpData, g.name("d"), g.axes[0], g.Row)
		}
		g.Env.Data[v.Name] = g.numbers(g.count(v.Axes), g.normal)
		g.Leaf = append(g.Leaf, v)
	}
	g.pool = append(g.pool, g.Leaf...)
	for i, a := range g.axes {
		if n := g.length(a); n > 0 && !a.Rows {
			v := g.B.Leaf(ir.OpData, g.name("i"), ir.Without(g.some(1+i%2, true), []*ir.Axis{a})...)
			g.Env.Data[v.Name] = g.numbers(g.count(v.Axes),
				func() float64 { return float64(g.r.IntN(n)) })
			g.Leaf = append(g.Leaf, v)
			g.index[a] = append(g.index[a], v)
		}
	}
	for k := range 2 { // sparse: numbers, and a pattern of ones
		lead := g.axes[k]
		if g.Row != nil && g.r.IntN(2) == 0 {
			lead = g.Row
		}
		v := g.B.SparseData(g.name([]string{"s", "p"}[k]), lead, g.axes[2+k])
		g.Env.Data[v.Name] = g.numbers(g.count(v.Axes), func() float64 {
			switch {
			case g.r.IntN(3) > 0:
				return 0
			case k == 1:
				return 1
			}
			return g.normal()
		})
		g.Leaf = append(g.Leaf, v)
	}
	g.pool = append(g.pool, g.B.Iota(g.axes[0]), g.B.Leaf(ir.OpScalar, "scale"),
		g.B.AxisSize(g.axes[len(g.axes)-1]))
}

func (g *generator) pick() *ir.Value { return g.pool[g.r.IntN(len(g.pool))] }

// pickAxis picks an axis of the value that is not the row axis; nil without one.
func (g *generator) pickAxis(v *ir.Value) *ir.Axis {
	for _, i := range g.r.Perm(len(v.Axes)) {
		if !v.Axes[i].Rows {
			return v.Axes[i]
		}
	}
	return nil
}

// outputs are the last values of the pool, summed over rows where they have them.
func (g *generator) outputs() {
	g.F = &ir.Func{ID: fn.ID{Kind: "random"}}
	for i := len(g.pool) - 1; i >= 0; i-- {
		v := g.pool[i]
		if !g.late[v] && v.State() && len(g.Terms) < 3 {
			g.Terms = append(g.Terms, v)
		}
		if g.Row != nil && v.Has(g.Row) {
			v = g.B.Sum(v, g.Row)
		}
		if v.Op.Class == ir.Leaf || len(g.F.Outputs) == 4 {
			continue
		}
		axes := append([]*ir.Axis(nil), v.Axes...)
		g.r.Shuffle(len(axes), func(i, j int) { axes[i], axes[j] = axes[j], axes[i] })
		g.F.Outputs = append(g.F.Outputs,
			ir.Output{Name: fmt.Sprintf("out%d", i), Value: v, Axes: axes})
	}
}

// Scalar is a sum of squashed values: a function to differentiate. It is a
// sum over the rows, as a log density is.
func (g *Graph) Scalar() *ir.Value {
	total := g.B.Num(0)
	for _, v := range g.Terms {
		total = g.B.Add(total, g.B.Sum(g.B.Map(ir.OpTanh, v), v.Axes...))
	}
	return total
}

// States lists the leaves that the value depends on and that are unknowns.
func (g *Graph) States(v *ir.Value) []*ir.Value {
	var out []*ir.Value
	for _, x := range ir.Reach(v) {
		if x.Op == ir.OpState {
			out = append(out, x)
		}
	}
	return out
}
