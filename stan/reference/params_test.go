package reference

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/stan/syntax"
)

// param makes a param of the program of what the model has under its name; log|J| is that of the
// matrices that the model has as Cholesky factors.
func (m *machine) param(t *syntax.Type, name string, have map[string]any) (any, float64) {
	if t.Base == "tuple" {
		out, j := &list{kind: 't'}, 0.0
		for i, p := range t.Tuple { // an array of tuples is a tuple of arrays in the model
			own := *p
			own.Array = append(append([]syntax.Expr{}, t.Array...), p.Array...)
			v, more := m.param(&own, fmt.Sprintf("%s_%d", name, i+1), have)
			out.elems, j = append(out.elems, v), j+more
		}
		for range t.Array {
			out = turnedTuples(out)
		}
		return out, j
	}
	jac := 0.0
	var build func(axis int) any
	var x []float64
	take := func() float64 {
		v := x[0]
		x = x[1:]
		return v
	}
	matrix := func(r, c int) [][]float64 {
		out := make([][]float64, r)
		for i := range out {
			for range c {
				out[i] = append(out[i], take())
			}
		}
		return out
	}
	key := name
	switch t.Base {
	case "corr_matrix", "cov_matrix":
		key = "L_" + name
	case "column_stochastic_matrix":
		key = name + "_columns"
	}
	if m, is := m.rectangle(t, name, have); is {
		return m, 0
	}
	if have[key] == nil {
		key += "_"
	}
	x = have[key].([]float64)
	n := func(k int) int { return whole(m.expr(t.Sizes[min(k, len(t.Sizes)-1)])) }
	build = func(axis int) any {
		if axis < len(t.Array) {
			out := &list{kind: 'a'}
			for range whole(m.expr(t.Array[axis])) {
				out.elems = append(out.elems, build(axis+1))
			}
			return out
		}
		switch t.Base {
		case "real":
			return take()
		case "row_vector":
			return vec('r', matrix(1, n(0))[0])
		case "matrix", "cholesky_factor_corr", "cholesky_factor_cov", "row_stochastic_matrix":
			return mat(matrix(n(0), n(1)))
		case "column_stochastic_matrix":
			return mat(transpose(matrix(n(1), n(0))))
		case "corr_matrix", "cov_matrix":
			l := matrix(n(0), n(0))
			for k := range l {
				p := float64(len(l) - k)
				if t.Base == "corr_matrix" {
					p--
				}
				jac += p * math.Log(l[k][k])
			}
			return mat(squared(l))
		}
		return vec('v', matrix(1, n(0))[0])
	}
	return build(0), jac
}

// rectangle makes a matrix that the model has as two params, or by contrasts of its rows.
func (m *machine) rectangle(t *syntax.Type, name string, have map[string]any) (any, bool) {
	top, is := have[name+"_top"].([]float64)
	if is {
		rows, cols := whole(m.expr(t.Sizes[0])), whole(m.expr(t.Sizes[1]))
		all := append(append([]float64{}, top...), have[name+"_rest"].([]float64)...)
		out := make([][]float64, rows)
		for i := range out {
			out[i] = all[i*cols : (i+1)*cols]
		}
		return mat(out), true
	}
	free, is := have[name+"_contrasts"].([]float64)
	if !is {
		return nil, false
	}
	rows, cols := whole(m.expr(t.Sizes[0])), whole(m.expr(t.Sizes[1]))
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, cols)
	}
	for k := range rows - 1 { // Helmert's contrasts: 1 … 1, -(k + 1), 0 … 0, of length 1
		long := math.Sqrt(float64((k + 1) * (k + 2)))
		for j := range cols {
			x := free[k*cols+j] / long
			for i := range k + 1 {
				out[i][j] += x
			}
			out[k+1][j] -= float64(k+1) * x
		}
	}
	return mat(out), true
}

// turnedTuples makes an array of tuples of a tuple of arrays.
func turnedTuples(parts *list) *list {
	out := &list{kind: 'a'}
	for i := range parts.elems[0].(*list).elems {
		one := &list{kind: 't'}
		for _, p := range parts.elems {
			one.elems = append(one.elems, p.(*list).elems[i])
		}
		out.elems = append(out.elems, one)
	}
	return out
}
