package reference

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/sgppl/sgppl/stan/syntax"
)

// invent makes data for a program by its declarations: small sizes, numbers within bounds. What a
// comment of the program gives, as // data: {"N": 5}, is taken as it is.
func invent(p *syntax.Program, given map[string]any, r *rand.Rand) map[string]any {
	m := newMachine(p)
	for _, s := range p.Data {
		d, ok := s.(*syntax.Decl)
		if !ok {
			continue
		}
		if v, ok := given[d.Name]; ok {
			m.scope[0][d.Name] = m.parsed(v, d.Type, 0)
			continue
		}
		m.scope[0][d.Name] = m.random(d.Type, 0, r)
	}
	out := map[string]any{}
	for _, s := range p.Data {
		if d, ok := s.(*syntax.Decl); ok {
			out[d.Name] = m.scope[0][d.Name]
		}
	}
	return out
}

func (m *machine) bound(e syntax.Expr, otherwise float64) float64 {
	if e == nil {
		return otherwise
	}
	return num(m.expr(e))
}

func (m *machine) random(t *syntax.Type, axis int, r *rand.Rand) any {
	if axis < len(t.Array) {
		out := &list{kind: 'a'}
		for range whole(m.expr(t.Array[axis])) {
			out.elems = append(out.elems, m.random(t, axis+1, r))
		}
		return out
	}
	one := func() float64 {
		lo, hi := m.bound(t.Lower, math.Inf(-1)), m.bound(t.Upper, math.Inf(1))
		switch {
		case !math.IsInf(lo, -1) && !math.IsInf(hi, 1):
			return lo + (hi-lo)*(0.1+0.8*r.Float64())
		case !math.IsInf(lo, -1):
			return lo + 0.2 + r.ExpFloat64()
		case !math.IsInf(hi, 1):
			return hi - 0.2 - r.ExpFloat64()
		}
		return r.NormFloat64()
	}
	many := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = one()
		}
		return x
	}
	n := func(k int) int { return whole(m.expr(t.Sizes[min(k, len(t.Sizes)-1)])) }
	switch t.Base {
	case "int":
		lo, hi := m.bound(t.Lower, 0), m.bound(t.Upper, math.Inf(1))
		if math.IsInf(hi, 1) {
			if len(t.Array) == 0 {
				return int(math.Max(lo, 4)) + r.IntN(3)
			}
			hi = lo + 4
		}
		return int(lo) + r.IntN(int(hi-lo)+1)
	case "real":
		return one()
	case "simplex":
		x := many(n(0))
		for i := range x {
			x[i] = math.Exp(x[i])
		}
		s := sum(x)
		for i := range x {
			x[i] /= s
		}
		return vec('v', x)
	case "ordered", "positive_ordered":
		x := many(n(0))
		at := 0.1
		for i := range x {
			at += 0.2 + math.Abs(x[i])
			x[i] = at
		}
		return vec('v', x)
	case "vector":
		return vec('v', many(n(0)))
	case "row_vector":
		return vec('r', many(n(0)))
	case "cov_matrix":
		k := n(0)
		x := make([][]float64, k)
		for i := range x {
			x[i] = many(k)
		}
		x = squared(x)
		for i := range x {
			x[i][i] += 1
		}
		return mat(x)
	case "matrix":
		x := make([][]float64, n(0))
		for i := range x {
			x[i] = many(n(1))
		}
		return mat(x)
	}
	fail("no data of type %s", t.Base)
	return nil
}

// parsed makes a value of a type of what JSON holds.
func (m *machine) parsed(v any, t *syntax.Type, axis int) any {
	if axis < len(t.Array) {
		out := &list{kind: 'a'}
		for _, e := range v.([]any) {
			out.elems = append(out.elems, m.parsed(e, t, axis+1))
		}
		return out
	}
	list1 := func(kind byte, v any) any {
		var x []float64
		for _, e := range v.([]any) {
			x = append(x, e.(float64))
		}
		return vec(kind, x)
	}
	switch t.Base {
	case "tuple":
		out := &list{kind: 't'}
		for i, p := range t.Tuple {
			out.elems = append(out.elems, m.parsed(v.(map[string]any)[strconv.Itoa(i+1)], p, 0))
		}
		return out
	case "int":
		return int(v.(float64))
	case "real":
		return v.(float64)
	case "row_vector":
		return list1('r', v)
	case "vector", "simplex", "ordered", "positive_ordered", "unit_vector", "sum_to_zero_vector":
		return list1('v', v)
	}
	out := &list{kind: 'm'}
	for _, e := range v.([]any) {
		out.elems = append(out.elems, list1('r', e))
	}
	return out
}

// encode writes data as JSON.
func encode(data map[string]any) ([]byte, error) {
	var plain func(v any) any
	plain = func(v any) any {
		if l, ok := v.(*list); ok {
			if l.kind == 't' {
				out := map[string]any{}
				for i, e := range l.elems {
					out[strconv.Itoa(i+1)] = plain(e)
				}
				return out
			}
			out := make([]any, len(l.elems))
			for i, e := range l.elems {
				out[i] = plain(e)
			}
			return out
		}
		return v
	}
	out := map[string]any{}
	for k, v := range data {
		out[k] = plain(v)
	}
	return json.Marshal(out)
}

// dataFile writes data of a test to a file.
func dataFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
