package ir

import "math"

// structured is the reference semantics of ops of whole matrices, in the
// forms of textbooks: matrices in full, substitution for every solve.
func (e *evaluator) structured(v *Value, args []Array) Array {
	switch v.Op {
	case OpFlatten:
		return e.fill(v.Axes, func(at index) float64 {
			in, k := copyIndex(at), at[v.To]
			for i := len(v.Over) - 1; i >= 0; i-- {
				n := e.length(v.Over[i])
				in[v.Over[i]] = k % n
				k /= n
			}
			return args[0].get(in)
		})
	case OpUnflatten:
		return e.fill(v.Axes, func(at index) float64 {
			in, k := copyIndex(at), 0
			for _, a := range v.Over {
				k = k*e.length(a) + at[a]
			}
			in[v.To] = k
			return args[0].get(in)
		})
	}
	i, j := v.Over[0], v.Over[1]
	n := e.length(i)
	matrix := func(a Array, at index) [][]float64 {
		m, in := make([][]float64, n), copyIndex(at)
		for r := range m {
			m[r] = make([]float64, n)
			for c := range m[r] {
				in[i], in[j] = r, c
				m[r][c] = a.get(in)
			}
		}
		return m
	}
	out := e.make(v.Axes)
	e.each(without(v.Axes, v.Over), func(at index) {
		put := func(r, c int, x float64) {
			to, offset := copyIndex(at), 0
			to[i], to[j] = r, c
			for k, a := range out.Axes {
				offset = offset*out.Dims[k] + to[a]
			}
			out.Data[offset] = x
		}
		first := matrix(args[0], at)
		var result [][]float64
		switch v.Op {
		case OpCholesky:
			result = factor(first)
		case OpCholeskyAdjoint:
			result = factorAdjoint(first, matrix(args[1], at))
		case OpTriangularSolve:
			from := i
			if v.Mode == Transposed {
				from = j
			}
			y, in := make([]float64, n), copyIndex(at)
			for k := range y {
				in[from] = k
				y[k] = args[1].get(in)
			}
			for k, x := range solve(first, y, v.Mode == Transposed) {
				put(k, k, x) // the result has one of the two axes
			}
			return
		}
		for r, row := range result {
			for c, x := range row {
				put(r, c, x)
			}
		}
	})
	return out
}

// multinomial draws one count after another, each binomial given those before.
func (e *evaluator) multinomial(v *Value, args []Array) Array {
	k, out := v.Over[0], e.make(v.Axes)
	e.each(without(v.Axes, []*Axis{v.To}), func(at index) {
		to, mass := copyIndex(at), 0.0
		for c := range e.length(k) {
			to[k] = c
			mass += args[1].get(to)
		}
		to[k] = 0
		left := args[0].get(to)
		for c := range e.length(k) {
			to[k], to[v.To] = c, c
			p := args[1].get(to)
			y := e.env.Draw(OpRandBinomial, [3]float64{left, min(p/mass, 1)})
			left, mass = left-y, mass-p
			offset := 0
			for d, a := range out.Axes {
				offset = offset*out.Dims[d] + to[a]
			}
			out.Data[offset] = y
		}
	})
	return out
}

func copyIndex(at index) index {
	out := index{}
	for k, i := range at {
		out[k] = i
	}
	return out
}

func square(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// factor is the Cholesky factor by columns; NaN where there is none.
func factor(a [][]float64) [][]float64 {
	l, ok := square(len(a)), true
	for j := range a {
		for i := j; i < len(a); i++ {
			s := a[i][j]
			for k := range j {
				s -= l[i][k] * l[j][k]
			}
			if i == j {
				ok = ok && s > 0 && !math.IsInf(s, 1)
				l[j][j] = math.Sqrt(s)
			} else {
				l[i][j] = s / l[j][j]
			}
		}
	}
	if !ok {
		for i := range l {
			for j := range i + 1 {
				l[i][j] = math.NaN()
			}
		}
	}
	return l
}

// solve is the x of L x = y, or of Lᵀ x = y.
func solve(l [][]float64, y []float64, transposed bool) []float64 {
	n, x := len(y), append([]float64(nil), y...)
	for k := range n {
		i, from, to := k, 0, k
		if transposed {
			i = n - 1 - k
			from, to = i+1, n
		}
		for j := from; j < to; j++ {
			c := l[i][j%n]
			if transposed {
				c = l[j][i]
			}
			x[i] -= c * x[j]
		}
		x[i] /= l[i][i]
	}
	return x
}

// factorAdjoint is Φ(2 S) with 2 S = L⁻ᵀ (P + Pᵀ) L⁻¹ and P = Φ(Lᵀ c), where Φ
// takes the lower triangle with half the diagonal (Murray 2016, eq. 10).
func factorAdjoint(l, cot [][]float64) [][]float64 {
	n := len(l)
	p := square(n)
	for i := range n {
		for j := range i + 1 {
			for k := i; k < n; k++ {
				p[i][j] += l[k][i] * cot[k][j]
			}
		}
		p[i][i] /= 2
	}
	// S is symmetric: solving for the columns of P + Pᵀ, then for the rows.
	s := square(n)
	for j := range n {
		col := make([]float64, n)
		for i := range n {
			col[i] = p[i][j] + p[j][i]
		}
		for i, x := range solve(l, col, true) {
			s[j][i] = x // the transpose of L⁻ᵀ (P + Pᵀ)
		}
	}
	out := square(n)
	for j := range n {
		col := make([]float64, n)
		for i := range n {
			col[i] = s[i][j]
		}
		for i, x := range solve(l, col, true) {
			switch {
			case i == j:
				out[i][j] = x / 2
			case i > j:
				out[i][j] = x
			}
		}
	}
	return out
}
