package derived

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// choose lists the effects that are asked for.
func (x *responses) choose(c *Effects) error {
	names := c.Inputs
	if len(names) == 0 && len(c.At) == 0 {
		for i := range x.b.Compiled.Spec.Schema.Inputs {
			if in := &x.b.Compiled.Spec.Schema.Inputs[i]; in.Name != x.site.Name &&
				x.column(in) != nil {
				names = append(names, in.Name)
			}
		}
	}
	for _, name := range names {
		in, col, err := x.input(name, name)
		if err != nil {
			return err
		}
		x.change(in, col)
	}
	for _, spec := range c.At {
		name, list, ok := strings.Cut(spec, "=")
		if !ok {
			return session.Usagef("--at %s: INPUT=VALUE,VALUE is expected", spec)
		}
		in, col, err := x.input(name, "--at "+spec)
		if err != nil {
			return err
		}
		for _, text := range strings.Split(list, ",") {
			v, err := x.level(in, strings.TrimSpace(text))
			if err != nil {
				return session.Usagef("--at %s: %v", spec, err)
			}
			x.out = append(x.out,
				effect{name: fmt.Sprintf("%s at %s = %s", x.site.Name, name,
					strings.TrimSpace(text)),
					to: x.with(in, col, func(float64) float64 { return v }), by: 1})
		}
	}
	if len(x.out) == 0 {
		return session.Failf(session.ExitModel,
			"the model has no input with a number for each row, but what it observes")
	}
	return nil
}

// column is the values of an input that has one for each row; nil of others.
func (x *responses) column(in *data.Input) []float64 {
	v := x.b.Bound.Values[in.Name]
	if v == nil || v.CSR != nil || len(in.Shape) != 1 || len(v.Shape) != 1 || v.Shape[0] != x.rows {
		return nil
	}
	if dim, one := in.Shape[0].Name(); !one || dim != x.dim {
		return nil
	}
	return v.Floats()
}

func (x *responses) input(name, flag string) (*data.Input, []float64, error) {
	in := x.b.Compiled.Spec.Schema.Input(name)
	switch {
	case in == nil:
		return nil, nil, session.Usagef("%s: the model has no input %s", flag, name)
	case name == x.site.Name:
		return nil, nil, session.Usagef("%s: %s is the response", flag, name)
	}
	col := x.column(in)
	if col == nil {
		return nil, nil, session.Usagef("%s: %s has not one number for each row of %s",
			flag, name, x.dim)
	}
	return in, col, nil
}

// level reads a value of an input: a number, or the name of a level.
func (x *responses) level(in *data.Input, text string) (float64, error) {
	if in.Kind == data.Index {
		dim, _ := in.Below.Name()
		if k := slices.Index(x.b.Bound.Labels[dim], text); k >= 0 {
			return float64(k), nil
		}
		if names := x.b.Bound.Labels[dim]; len(names) > 0 {
			return 0, fmt.Errorf("%s is no level of %s, which has %s", text, in.Name,
				strings.Join(names[:min(5, len(names))], ", "))
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v-v != 0 {
		return 0, fmt.Errorf("%q is no number", text)
	}
	if in.Kind == data.Index {
		n, _ := in.Below.Eval(x.b.Bound.Dims)
		if v -= float64(in.First()); v < 0 || v >= float64(n) || v != math.Trunc(v) {
			return 0, fmt.Errorf("%s is no value of %s", text, in.Name)
		}
	}
	if in.Kind == data.Bool && v != 0 && v != 1 {
		return 0, fmt.Errorf("%s is no value of %s, which is 0 or 1", text, in.Name)
	}
	return v, nil
}

// change adds the effects of an input.
func (x *responses) change(in *data.Input, col []float64) {
	add := func(name string, to, from func(v float64) float64, by float64) {
		x.out = append(x.out, effect{name, x.with(in, col, to), x.with(in, col, from), by})
	}
	fixed := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
	same := func(v float64) float64 { return v }
	switch in.Kind {
	case data.Bool:
		add(in.Name, fixed(1), fixed(0), 1)
	case data.Index:
		dim, _ := in.Below.Name()
		n, _ := in.Below.Eval(x.b.Bound.Dims)
		names := x.b.Bound.Labels[dim]
		for k := 1; k < n; k++ {
			level := func(k int) string {
				if k < len(names) {
					return names[k]
				}
				return strconv.Itoa(k + in.First())
			}
			add(fmt.Sprintf("%s %s - %s", in.Name, level(k), level(0)), fixed(float64(k)),
				fixed(0), 1)
		}
	case data.Int, data.Count:
		add(in.Name, func(v float64) float64 { return v + 1 }, same, 1)
	default:
		mean, square := 0.0, 0.0
		for _, v := range col {
			mean += v / float64(len(col))
		}
		for _, v := range col {
			square += (v - mean) * (v - mean) / float64(len(col))
		}
		h := 1e-4 * math.Sqrt(square)
		if !(h > 0) {
			h = 1e-4 * math.Max(1, math.Abs(mean))
		}
		add(in.Name, func(v float64) float64 { return v + h },
			func(v float64) float64 { return v - h }, 2*h)
	}
}

// with is the data of the run with other values of an input.
func (x *responses) with(in *data.Input, col []float64, f func(v float64) float64) *data.Bound {
	out := *x.b.Bound
	out.Values = map[string]*data.Value{}
	for name, v := range x.b.Bound.Values {
		out.Values[name] = v
	}
	v := *x.b.Bound.Values[in.Name]
	v.Bytes, v.Packed, v.F64 = nil, nil, make([]float64, len(col))
	for i, old := range col {
		v.F64[i] = f(old)
	}
	out.Values[in.Name] = &v
	return &out
}
