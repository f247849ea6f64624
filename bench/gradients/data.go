package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/stan/syntax"
)

// invent draws data for the declarations of a Stan program: sizes as given, other whole numbers
// uniform between their bounds, or 0 to 4 above the lower one, and real numbers from N(0, 1), or
// from an exponential law above their bound. The seed is the name's. Names that are given are taken
// as they are.
func invent(
	p *syntax.Program, set map[string]int, given map[string]any, name string,
) (map[string]any, error) {
	seed := uint64(1)
	for _, b := range []byte(name) {
		seed = seed*31 + uint64(b)
	}
	v := &inventor{r: rand.New(rand.NewPCG(seed, 1)), known: map[string]any{}}
	for n, k := range set {
		v.known[n] = k
	}
	out := map[string]any{}
	for _, s := range p.Data {
		d, ok := s.(*syntax.Decl)
		if !ok {
			continue
		}
		if x, ok := given[d.Name]; ok {
			out[d.Name] = x
			continue
		}
		v.fixed = v.known[d.Name]
		x, err := v.draw(d.Type, append(slices.Clone(d.Type.Array), d.Type.Sizes...))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		v.known[d.Name], out[d.Name] = x, x
	}
	return out, nil
}

type inventor struct {
	r     *rand.Rand
	fixed any // the number that is given for what is drawn; nil without one
	known map[string]any
}

func (v *inventor) draw(t *syntax.Type, dims []syntax.Expr) (any, error) {
	if len(dims) == 0 {
		return v.number(t)
	}
	n, err := v.whole(dims[0])
	if err != nil {
		return nil, err
	}
	out := make([]any, n)
	for i := range out {
		if out[i], err = v.draw(t, dims[1:]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (v *inventor) number(t *syntax.Type) (any, error) {
	if v.fixed != nil {
		return v.fixed, nil
	}
	if t.Base == "int" {
		lo := 0
		var err error
		if t.Lower != nil {
			if lo, err = v.whole(t.Lower); err != nil {
				return nil, err
			}
		}
		hi := lo + 4
		if t.Upper != nil {
			if hi, err = v.whole(t.Upper); err != nil {
				return nil, err
			}
		}
		return lo + v.r.IntN(hi-lo+1), nil
	}
	if t.Lower != nil {
		lo, err := v.whole(t.Lower)
		return float64(lo) + 0.2 + v.r.ExpFloat64(), err
	}
	return v.r.NormFloat64(), nil
}

// whole is the value of an expression: a number, a name, or sums and products of them.
func (v *inventor) whole(e syntax.Expr) (int, error) {
	switch e := e.(type) {
	case *syntax.Int:
		n, err := strconv.Atoi(e.Text)
		return n, err
	case *syntax.Name:
		if n, ok := v.known[e.Name].(int); ok {
			return n, nil
		}
	case *syntax.Binary:
		a, err := v.whole(e.X)
		if err != nil {
			return 0, err
		}
		b, err := v.whole(e.Y)
		if err != nil {
			return 0, err
		}
		switch e.Op {
		case "+":
			return a + b, nil
		case "-":
			return a - b, nil
		case "*":
			return a * b, nil
		}
	}
	return 0, fmt.Errorf("a size that is neither a number nor one of the sizes that are set")
}

// dump writes data as R's dump does, which Stan reads: arrays in column-major order.
func dump(text []byte) ([]byte, error) {
	var in map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&in); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for n := range in {
			if !yield(n) {
				return
			}
		}
	}) {
		var flat []string
		shape := shapeOf(in[name])
		size := 1
		for _, n := range shape {
			size *= n
		}
		for k := range size {
			at, x := k, in[name]
			for _, n := range shape {
				x = x.([]any)[at%n]
				at /= n
			}
			flat = append(flat, fmt.Sprint(x))
		}
		value := flat[0]
		if len(shape) > 0 {
			value = "c(" + strings.Join(flat, ", ") + ")"
		}
		if len(shape) > 1 {
			dims := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
			value = "structure(" + value + ", .Dim = c(" + dims + "))"
		}
		fmt.Fprintf(&out, "%s <- %s\n", name, value)
	}
	return out.Bytes(), nil
}

func shapeOf(x any) []int {
	list, ok := x.([]any)
	if !ok || len(list) == 0 {
		return nil
	}
	return append([]int{len(list)}, shapeOf(list[0])...)
}

// plain writes data as lines "name count numbers…", by name, for the loops in C.
func plain(text []byte) ([]byte, error) {
	var in map[string]any
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(in))
	for n := range in {
		names = append(names, n)
	}
	slices.Sort(names)
	var out bytes.Buffer
	for _, n := range names {
		var flat []float64
		flatten(in[n], &flat)
		fmt.Fprintf(&out, "%s %d", n, len(flat))
		for _, x := range flat {
			if math.IsNaN(x) {
				return nil, fmt.Errorf("%s is missing numbers", n)
			}
			fmt.Fprintf(&out, " %.17g", x)
		}
		fmt.Fprintln(&out)
	}
	return out.Bytes(), nil
}

func flatten(x any, out *[]float64) {
	switch x := x.(type) {
	case []any:
		for _, e := range x {
			flatten(e, out)
		}
	case float64:
		*out = append(*out, x)
	}
}
