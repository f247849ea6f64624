package ir

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// An Array is a dense tensor in the order of its axes, the reference
// evaluator's value.
type Array struct {
	Axes []*Axis
	Dims []int
	Data []float64
}

// An Env gives the leaves of a function their numbers. Leaf values are in the
// order of the leaf's axes; a sparse leaf is given dense.
type Env struct {
	Sizes  map[string]int
	Rows   []int // the minibatch; nil is every row
	State  map[string][]float64
	Data   map[string][]float64
	Scalar map[string]float64
	Draw   func(op *Op, x [3]float64) float64 // for Random ops
}

// Eval is the reference semantics: every value in full, by its definition,
// with no thought for speed. It is the oracle of the tests.
func Eval(f *Func, env *Env) map[string]Array {
	e := evaluator{env: env, done: map[*Value]Array{}}
	e.all(f.Values())
	out := map[string]Array{}
	for _, o := range f.Outputs {
		out[o.Name] = e.done[o.Value]
	}
	return out
}

type evaluator struct {
	env    *Env
	done   map[*Value]Array
	active []*Value // carries of the scans being run
}

func (e *evaluator) length(a *Axis) int {
	if a.Rows && e.env.Rows != nil {
		return len(e.env.Rows)
	}
	return e.poly(a.Size)
}

func (e *evaluator) poly(p size.Poly) int {
	n, ok := p.Eval(e.env.Sizes)
	if !ok {
		panic(fmt.Sprintf("ir: size %s is unknown", p))
	}
	return n
}

// index maps each axis to a coordinate.
type index map[*Axis]int

// each calls f for every entry of the axes in row-major order.
func (e *evaluator) each(axes []*Axis, f func(at index)) {
	at := index{}
	var walk func(i int)
	walk = func(i int) {
		if i == len(axes) {
			f(at)
			return
		}
		for k := range e.length(axes[i]) {
			at[axes[i]] = k
			walk(i + 1)
		}
	}
	walk(0)
}

func (a Array) get(at index) float64 {
	offset := 0
	for i, axis := range a.Axes {
		offset = offset*a.Dims[i] + at[axis]
	}
	return a.Data[offset]
}

func (e *evaluator) make(axes []*Axis) Array {
	a := Array{Axes: axes}
	n := 1
	for _, x := range axes {
		a.Dims = append(a.Dims, e.length(x))
		n *= e.length(x)
	}
	a.Data = make([]float64, n)
	return a
}

func (e *evaluator) fill(axes []*Axis, f func(at index) float64) Array {
	a := e.make(axes)
	i := 0
	e.each(axes, func(at index) {
		a.Data[i] = f(at)
		i++
	})
	return a
}

func (e *evaluator) eval(v *Value) Array {
	args := make([]Array, len(v.Args))
	for i, a := range v.Args {
		args[i] = e.done[a]
	}
	switch v.Op.Class {
	case Leaf:
		return e.leaf(v)
	case Map, Random:
		return e.fill(v.Axes, func(at index) float64 {
			var x [3]float64
			for i, a := range args {
				x[i] = a.get(at)
			}
			if v.Op.Class == Random {
				return e.env.Draw(v.Op, x)
			}
			return v.Op.Eval(x)
		})
	case Reduce, Product:
		return e.fill(v.Axes, func(at index) float64 { return e.reduce(v, args, at) })
	case Structured:
		return v.Op.Reference(e, v, args)
	case Sequential:
		if v.Op == OpOde {
			return e.ode(v)
		}
		return e.scan(v)
	}
	return e.move(v, args)
}

func (e *evaluator) leaf(v *Value) Array {
	switch v.Op {
	case OpConst:
		return Array{Data: []float64{v.Num}}
	case OpScalar:
		return Array{Data: []float64{e.env.Scalar[v.Name]}}
	case OpSize:
		if len(v.Over) > 0 {
			return Array{Data: []float64{float64(e.length(v.Over[0]))}}
		}
		return Array{Data: []float64{float64(e.poly(v.Off))}}
	case OpIota:
		return e.fill(v.Axes, func(at index) float64 { return float64(at[v.Axes[0]]) })
	}
	source := e.env.Data
	if v.Op == OpState {
		source = e.env.State
	}
	a := e.make(v.Axes)
	if copy(a.Data, source[v.Name]) != len(a.Data) {
		panic(fmt.Sprintf("ir: %s has %d numbers, wants %d", v.Name, len(source[v.Name]),
			len(a.Data)))
	}
	return a
}

func (e *evaluator) reduce(v *Value, args []Array, at index) float64 {
	inner := index{}
	for k, i := range at {
		inner[k] = i
	}
	var terms []float64
	e.each(v.Over, func(over index) {
		for k, i := range over {
			inner[k] = i
		}
		x := args[0].get(inner)
		if v.Op == OpContract {
			x *= args[1].get(inner)
		}
		terms = append(terms, x)
	})
	sum, prod, hi, lo := 0.0, 1.0, math.Inf(-1), math.Inf(1)
	for _, x := range terms {
		sum, prod, hi, lo = sum+x, prod*x, max(hi, x), min(lo, x)
	}
	switch v.Op {
	case OpProd:
		return prod
	case OpReduceMax:
		return hi
	case OpReduceMin:
		return lo
	case OpLogSumExp:
		if math.IsInf(hi, 0) {
			return hi
		}
		sum = 0
		for _, x := range terms {
			sum += math.Exp(x - hi)
		}
		return hi + math.Log(sum)
	}
	return sum
}

func (e *evaluator) move(v *Value, args []Array) Array {
	shifted := func(at index, a *Axis, i int) index {
		out := index{}
		for k, j := range at {
			out[k] = j
		}
		out[a] = i
		return out
	}
	off := 0
	if len(v.Off.Terms) > 0 {
		off = e.poly(v.Off)
	}
	switch v.Op {
	case OpScatter:
		out := e.make(v.Axes)
		all := union(union(v.Args[0].Axes, v.Args[1].Axes), v.Over)
		e.each(without(all, []*Axis{v.To}), func(at index) {
			to := shifted(at, v.To, int(args[1].get(at)))
			offset := 0
			for i, axis := range out.Axes {
				offset = offset*out.Dims[i] + to[axis]
			}
			out.Data[offset] += args[0].get(at)
		})
		return out
	case OpCumSum:
		return e.fill(v.Axes, func(at index) float64 {
			sum, along := 0.0, v.Over[0]
			lo, hi := 0, at[along]
			if v.Mode == Reverse {
				lo, hi = at[along], e.length(along)-1
			}
			for i := lo; i <= hi; i++ {
				sum += args[0].get(shifted(at, along, i))
			}
			return sum
		})
	}
	return e.fill(v.Axes, func(at index) float64 {
		switch v.Op {
		case OpGather:
			return args[0].get(shifted(at, v.Over[0], int(args[1].get(at))))
		case OpSlice, OpRename:
			return args[0].get(shifted(at, v.Over[0], at[v.To]+off))
		case OpPad, OpExtend:
			i, n := at[v.To]-off, e.length(v.Over[0])
			if v.Op == OpExtend {
				i = max(0, min(i, n-1))
			}
			if i < 0 || i >= n {
				return 0
			}
			return args[0].get(shifted(at, v.Over[0], i))
		case OpRows:
			i := at[v.To]
			if e.env.Rows != nil {
				i = e.env.Rows[i]
			}
			return args[0].get(shifted(at, v.Over[0], i))
		case OpAt:
			return args[0].get(shifted(at, v.Over[0], off))
		case OpPlace:
			if at[v.To] == off {
				return args[0].get(at)
			}
			return 0
		case OpLayout, OpSpread:
			return args[0].get(at)
		case OpDiagonal:
			return args[0].get(shifted(shifted(at, v.Over[0], at[v.To]), v.Over[1], at[v.To]))
		case OpStack:
			return args[at[v.To]].get(at)
		}
		panic("ir: no semantics for " + v.Op.Name)
	})
}
