package ir

import "math"

// OpTriangle is the triangular factor of a QR decomposition.
var OpTriangle *Op

func init() {
	OpTriangle = row(Op{Name: "triangle", Class: Structured, Arity: 1, Singular: true,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Triangle(args[0], v.Over[0], v.Over[1], v.To)
		},
		Reference: func(e *evaluator, v *Value, args []Array) Array {
			return e.triangle(v, args[0])
		},
		Doc: "the upper triangular R[To, Over[1]] with RᵀR = XᵀX for X[Over[0], Over[1]]: " +
			"the R of X = QR",
		Adjoint: triangleAdjoint})
}

// Triangle is the R[to, col] with Σ_to R R = Σ_row x x: as many rows as columns,
// whatever the number of rows of x[row, col].
func (b *Builder) Triangle(x *Value, row, col, to *Axis) *Value {
	x = b.Spread(x, row, col)
	return b.Make(Value{Op: OpTriangle, Args: []*Value{x}, Over: []*Axis{row, col}, To: to,
		Axes: append(without(x.Axes, []*Axis{row, col}), to, col)})
}

// triangleAdjoint is X̄ = Q C R⁻ᵀ, where C is the symmetric matrix with the lower
// triangle of R R̄ᵀ, and Q = X R⁻¹.
// Source: Liao, Liu, Wang & Xiang (2019), Differentiable programming tensor networks, eq. (4), with
// Q̄ = 0.
func triangleAdjoint(b *Builder, v, cot *Value) []*Value {
	row, col, t := v.Over[0], v.Over[1], v.To
	u := b.Axis(t.Name, t.Size)
	cot = b.Spread(cot, t, col)
	q := b.Orthonormal(v.Args[0], v, row, col, t)
	m := b.Contract(v, b.Rename(cot, t, u), col)
	c := b.Map(OpSelect, b.Map(OpGe, b.Iota(t), b.Iota(u)), m, b.exchange(m, t, u))
	return []*Value{b.TriangularSolve(v, b.Rename(b.Contract(q, c, t), u, t), col, t, true)}
}

// Orthonormal is the Q[row, to] of x = QR, given the factor R[to, col].
func (b *Builder) Orthonormal(x, r *Value, row, col, to *Axis) *Value {
	return b.TriangularSolve(r, b.Spread(x, row, col), col, to, false)
}

// triangle is the reference semantics: rotations of Givens, a row at a time.
func (e *evaluator) triangle(v *Value, x Array) Array {
	row, col := v.Over[0], v.Over[1]
	n, k := e.length(row), e.length(col)
	done := map[string][][]float64{}
	return e.fill(v.Axes, func(at index) float64 {
		in, key := copyIndex(at), ""
		for _, a := range x.Axes {
			if a != row && a != col {
				key += string(rune(at[a])) + ","
			}
		}
		r := done[key]
		if r == nil {
			r = make([][]float64, k)
			for i := range r {
				r[i] = make([]float64, k)
			}
			line := make([]float64, k)
			for m := range n {
				for j := range line {
					in[row], in[col] = m, j
					line[j] = x.get(in)
				}
				rotate(r, line)
			}
			done[key] = r
		}
		return r[at[v.To]][at[col]]
	})
}

// rotate adds a row to a triangle.
func rotate(r [][]float64, line []float64) {
	for j := range line {
		h := math.Hypot(r[j][j], line[j])
		if h == 0 {
			continue
		}
		c, s := r[j][j]/h, line[j]/h
		for q := j; q < len(line); q++ {
			a, b := r[j][q], line[q]
			r[j][q], line[q] = c*a+s*b, c*b-s*a
		}
	}
}
