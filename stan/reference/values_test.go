package reference

import (
	"fmt"
	"math"
)

// A list is a vector, a row vector, a matrix of rows, an array or a tuple; entries are int, float64
// or *list.
type list struct {
	kind  byte // v r m a t
	elems []any
}

// A fault is an error of a program that is found when it runs.
type fault struct{ text string }

func fail(format string, args ...any) { panic(fault{fmt.Sprintf(format, args...)}) }

func clone(v any) any {
	l, ok := v.(*list)
	if !ok {
		return v
	}
	out := &list{l.kind, make([]any, len(l.elems))}
	for i, e := range l.elems {
		out.elems[i] = clone(e)
	}
	return out
}

func num(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	fail("%v is no number", v)
	return 0
}

func whole(v any) int {
	n, ok := v.(int)
	if !ok {
		fail("%v is no whole number", v)
	}
	return n
}

func flat(v any) []float64 {
	if l, ok := v.(*list); ok {
		var out []float64
		for _, e := range l.elems {
			out = append(out, flat(e)...)
		}
		return out
	}
	return []float64{num(v)}
}

func vec(kind byte, x []float64) *list {
	l := &list{kind, make([]any, len(x))}
	for i, f := range x {
		l.elems[i] = f
	}
	return l
}

func mat(rows [][]float64) *list {
	l := &list{'m', make([]any, len(rows))}
	for i, r := range rows {
		l.elems[i] = vec('r', r)
	}
	return l
}

func rows(v any) [][]float64 {
	l := v.(*list)
	out := make([][]float64, len(l.elems))
	for i, e := range l.elems {
		out[i] = flat(e)
	}
	return out
}

func transpose(a [][]float64) [][]float64 {
	if len(a) == 0 {
		return nil
	}
	out := make([][]float64, len(a[0]))
	for j := range out {
		out[j] = make([]float64, len(a))
		for i := range a {
			out[j][i] = a[i][j]
		}
	}
	return out
}

func product(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	width := 1 // of nothing at all, which is a vector then
	if len(b) > 0 {
		width = len(b[0])
	}
	for i := range a {
		out[i] = make([]float64, width)
		for j := range out[i] {
			for k := range b {
				out[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return out
}

// each applies f to every number of a value.
func each(f func(float64) float64, v any) any {
	if l, ok := v.(*list); ok {
		out := &list{l.kind, make([]any, len(l.elems))}
		for i, e := range l.elems {
			out.elems[i] = each(f, e)
		}
		return out
	}
	return f(num(v))
}

// both applies f to every pair of numbers of two values, or of a value and a number.
func both(f func(a, b float64) float64, x, y any) any {
	l, ok := x.(*list)
	m, ok2 := y.(*list)
	switch {
	case ok && ok2:
		if len(l.elems) != len(m.elems) {
			fail("sizes %d and %d", len(l.elems), len(m.elems))
		}
		out := &list{l.kind, make([]any, len(l.elems))}
		for i := range l.elems {
			out.elems[i] = both(f, l.elems[i], m.elems[i])
		}
		return out
	case ok:
		return each(func(a float64) float64 { return f(a, num(y)) }, x)
	case ok2:
		return each(func(b float64) float64 { return f(num(x), b) }, y)
	}
	return f(num(x), num(y))
}

func logSumExp(x []float64) float64 {
	m := math.Inf(-1)
	for _, v := range x {
		m = math.Max(m, v)
	}
	if math.IsInf(m, -1) {
		return m
	}
	s := 0.0
	for _, v := range x {
		s += math.Exp(v - m)
	}
	return m + math.Log(s)
}

func cholesky(a [][]float64) [][]float64 {
	n := len(a)
	l := make([][]float64, n)
	for i := range l {
		l[i] = make([]float64, n)
		for j := 0; j <= i; j++ {
			s := a[i][j]
			for k := 0; k < j; k++ {
				s -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(s)
			} else {
				l[i][j] = s / l[j][j]
			}
		}
	}
	return l
}

// gauss solves a x = b, by elimination with pivots, and gives log|det a| besides.
func gauss(a, b [][]float64) (x [][]float64, logDet float64) {
	n := len(a)
	m := make([][]float64, n)
	for i := range m {
		m[i] = append(append([]float64{}, a[i]...), b[i]...)
	}
	for c := range n {
		p := c
		for i := c; i < n; i++ {
			if math.Abs(m[i][c]) > math.Abs(m[p][c]) {
				p = i
			}
		}
		m[c], m[p] = m[p], m[c]
		logDet += math.Log(math.Abs(m[c][c]))
		for i := range n {
			if i != c {
				f := m[i][c] / m[c][c]
				for k := c; k < len(m[i]); k++ {
					m[i][k] -= f * m[c][k]
				}
			}
		}
	}
	for i := range m {
		row := m[i][n:]
		for k := range row {
			row[k] /= m[i][i]
		}
		x = append(x, row)
	}
	return x, logDet
}

func eye(n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
		out[i][i] = 1
	}
	return out
}
