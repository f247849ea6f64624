package stdlib_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sgppl/sgppl/lang/ast"
)

// This file evaluates the library's files by walking their syntax, so that
// their numbers are tested without the compiler that reads them. It knows just
// what those files say.

// A value is a tensor of numbers, the last axis fastest; a bool is 0 or 1.
type value struct {
	shape []int
	data  []float64
}

func scalar(x float64) value { return value{nil, []float64{x}} }

func truth(b bool) value {
	if b {
		return scalar(1)
	}
	return scalar(0)
}

func (v value) num() float64 {
	if len(v.shape) != 0 {
		panic(fmt.Sprintf("a number is wanted, not a value of shape %v", v.shape))
	}
	return v.data[0]
}

// at is v[i], with the leading axis taken away.
func (v value) at(i int) value {
	size := len(v.data) / v.shape[0]
	return value{v.shape[1:], v.data[i*size : (i+1)*size]}
}

// stack puts values of one shape side by side on a new leading axis.
func stack(parts []value) value {
	out := value{shape: append([]int{len(parts)}, parts[0].shape...)}
	for _, p := range parts {
		out.data = append(out.data, p.data...)
	}
	return out
}

// each applies f to operands of one shape, or numbers.
func each(f func(x []float64) float64, args ...value) value {
	out := args[0]
	for _, a := range args {
		if len(a.data) > len(out.data) || len(a.shape) > len(out.shape) {
			out = a
		}
	}
	result := value{out.shape, make([]float64, len(out.data))}
	x := make([]float64, len(args))
	for i := range result.data {
		for k, a := range args {
			if len(a.shape) == 0 {
				x[k] = a.data[0]
			} else {
				x[k] = a.data[i]
			}
		}
		result.data[i] = f(x)
	}
	return result
}

// A scope is the names that an expression sees, and the library.
type scope struct {
	names map[string]value
	lib   *library
	rng   *rand.Rand // nil where nothing may be drawn
}

// A library is the parsed files: distributions and functions by name.
type library struct {
	dists map[string]*ast.Dist
	fns   map[string]*ast.Fn
}

// item finds a line of a dist.
func item(d *ast.Dist, name string) *ast.DistItem {
	for i := range d.Items {
		if d.Items[i].Name.Name == name {
			return &d.Items[i]
		}
	}
	return nil
}

// call evaluates a line of a dist: logpdf and its kin with the value before
// the arguments, mean and sample with the arguments alone. The sizes of a
// distribution without arguments come in sizes.
func (lib *library) call(
	d *ast.Dist, name string, args []value, sizes map[string]float64, rng *rand.Rand,
) value {
	it := item(d, name)
	for it != nil && len(args) < len(it.Params)+len(d.Params) &&
		d.Params[len(args)-len(it.Params)].Default != nil {
		args = append(slices.Clone(args),
			scope{lib: lib}.eval(d.Params[len(args)-len(it.Params)].Default))
	}
	if it == nil || len(args) != len(it.Params)+len(d.Params) {
		panic(fmt.Sprintf("%s.%s is called with %d arguments", d.Name.Name, name, len(args)))
	}
	sc := scope{map[string]value{}, lib, rng}
	for k, v := range sizes {
		sc.names[k] = scalar(v)
	}
	if len(it.Params) == 1 {
		sc.names[it.Params[0].Name] = args[0]
		if d.On.Name.Name != "index" {
			sc.bindSizes(d.On, args[0])
		}
		args = args[1:]
	}
	for i, p := range d.Params {
		sc.names[p.Name.Name] = args[i]
		sc.bindSizes(p.Type, args[i])
	}
	for i := range d.Items {
		if l := d.Items[i].Let; l != nil {
			sc.names[l.Names[0].Name] = sc.eval(l.Value)
		}
	}
	return sc.eval(it.Body)
}

// bindSizes gives K of real[K] the size that the value has.
func (sc scope) bindSizes(t *ast.TypeExpr, v value) {
	for i, s := range t.Sizes {
		if n, ok := s.(*ast.Name); ok && i < len(v.shape) {
			sc.names[n.Name] = scalar(float64(v.shape[i]))
		}
	}
}

func (sc scope) eval(e ast.Expr) value {
	switch e := e.(type) {
	case *ast.Number:
		return scalar(e.Value)
	case *ast.Bool:
		return truth(e.Value)
	case *ast.Inf:
		return scalar(math.Inf(1))
	case *ast.Name:
		if v, ok := sc.names[e.Name]; ok {
			return v
		}
		panic("no value is called " + e.Name)
	case *ast.Paren:
		return sc.eval(e.X)
	case *ast.Unary:
		return each(func(x []float64) float64 { return -x[0] }, sc.eval(e.X))
	case *ast.Binary:
		return sc.binary(e)
	case *ast.If:
		if sc.eval(e.Cond).num() != 0 {
			return sc.eval(e.Then)
		}
		return sc.eval(e.Else)
	case *ast.Array:
		var parts []value
		for _, x := range e.Elems {
			parts = append(parts, sc.eval(x))
		}
		return stack(parts)
	case *ast.Comp:
		return sc.comp(e, e.Binds)
	case *ast.Index:
		v := sc.eval(e.X)
		for _, s := range e.Subs {
			v = v.at(int(sc.eval(s).num()))
		}
		return v
	case *ast.Call:
		return sc.callExpr(e)
	}
	panic(fmt.Sprintf("the files are not expected to say %T", e))
}

func (sc scope) comp(e *ast.Comp, binds []ast.Bind) value {
	if len(binds) == 0 {
		return sc.eval(e.Elem)
	}
	var parts []value
	for i := range int(sc.eval(binds[0].In).num()) {
		sc.names[binds[0].Var.Name] = scalar(float64(i))
		parts = append(parts, sc.comp(e, binds[1:]))
	}
	delete(sc.names, binds[0].Var.Name)
	return stack(parts)
}

func (sc scope) binary(e *ast.Binary) value {
	x, y := sc.eval(e.X), sc.eval(e.Y)
	if e.Op == "@" {
		return matmul(x, y)
	}
	f, ok := operators[e.Op]
	if !ok {
		panic("operator " + e.Op)
	}
	return each(func(a []float64) float64 { return f(a[0], a[1]) }, x, y)
}

var operators = map[string]func(x, y float64) float64{
	"+":   func(x, y float64) float64 { return x + y },
	"-":   func(x, y float64) float64 { return x - y },
	"*":   func(x, y float64) float64 { return x * y },
	"/":   func(x, y float64) float64 { return x / y },
	"^":   math.Pow,
	"<":   func(x, y float64) float64 { return truth(x < y).num() },
	">":   func(x, y float64) float64 { return truth(x > y).num() },
	"<=":  func(x, y float64) float64 { return truth(x <= y).num() },
	">=":  func(x, y float64) float64 { return truth(x >= y).num() },
	"==":  func(x, y float64) float64 { return truth(x == y).num() },
	"!=":  func(x, y float64) float64 { return truth(x != y).num() },
	"and": math.Min, "or": math.Max,
}

func (sc scope) callExpr(e *ast.Call) value {
	var args []value
	for _, a := range e.Args {
		args = append(args, sc.eval(a.Value))
	}
	if s, ok := e.Fun.(*ast.Select); ok {
		return sc.lib.call(sc.lib.dists[s.X.(*ast.Name).Name], s.Name.Name, args, nil, sc.rng)
	}
	name := e.Fun.(*ast.Name).Name
	if fn := sc.lib.fns[name]; fn != nil {
		inner := scope{map[string]value{}, sc.lib, nil}
		if len(args) != len(fn.Params) {
			panic(fmt.Sprintf("%s is called with %d arguments", name, len(args)))
		}
		for i, p := range fn.Params {
			inner.names[p.Name.Name] = args[i]
			inner.bindSizes(p.Type, args[i])
		}
		for _, l := range fn.Body.Lets {
			inner.names[l.Names[0].Name] = inner.eval(l.Value)
		}
		return inner.eval(fn.Body.Result)
	}
	if f, ok := elementwise[name]; ok {
		return each(f, args...)
	}
	if f, ok := whole[name]; ok {
		return f(args)
	}
	if name == "rand_multinomial" && sc.rng != nil {
		counts := value{args[1].shape, make([]float64, len(args[1].data))}
		for range int(args[0].num()) {
			counts.data[int(roots["rand_categorical"](sc.rng, args[1:]))]++
		}
		return counts
	}
	if f, ok := roots[name]; ok && sc.rng != nil {
		return scalar(f(sc.rng, args))
	}
	panic("no function is called " + name)
}
