package ir

import "github.com/sgppl/sgppl/runtime/math/size"

// OpEigenSym is the decomposition of a symmetric matrix. OpOrder is the permutation that sorts the
// entries of an array in rising order.
var OpEigenSym, OpOrder *Op

func init() {
	OpEigenSym = row(Op{Name: "eigen_sym", Class: Structured, Arity: 1, Singular: true,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Eigenpairs(args[0], v.Over[0], v.Over[1], v.To)
		},
		Reference: func(e *evaluator, v *Value, args []Array) Array {
			return e.eigenpairs(v, args[0])
		},
		Doc: "of a symmetric matrix x[Over[0], Over[1]], of which the lower triangle is read: " +
			"along To, its rising eigenvalues, then the matrix of its eigenvectors, " +
			"each along Over[1], then how far apart the eigenvalues of a tie may be computed",
		Adjoint: eigenAdjoint})
	OpOrder = row(Op{Name: "order", Class: Structured, Arity: 1,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Order(args[0], v.Over[0], v.To)
		},
		Reference: func(e *evaluator, v *Value, args []Array) Array { return e.order(v, args[0]) },
		Doc: "along To, where the entries along Over stand in rising order; equal ones " +
			"keep theirs",
		// piecewise constant
		Adjoint: func(b *Builder, v, cot *Value) []*Value { return []*Value{nil} }})
}

// Eigenpairs is what OpEigenSym makes of x[i, j]: along to, which is longer by
// two, eigenvalues, eigenvectors and errors; along j, those of one eigenvalue.
func (b *Builder) Eigenpairs(x *Value, i, j, to *Axis) *Value {
	x = b.Spread(x, i, j)
	return b.Make(Value{Op: OpEigenSym, Args: []*Value{x}, Over: []*Axis{i, j}, To: to,
		Axes: append(without(x.Axes, []*Axis{i, j}), to, j)})
}

// Order returns, along the axis to, the indices of the entries of x along an axis in rising order
// of the entries.
func (b *Builder) Order(x *Value, along, to *Axis) *Value {
	x = b.Spread(x, along)
	return b.Make(Value{Op: OpOrder, Args: []*Value{x}, Over: []*Axis{along}, To: to,
		Axes: append(without(x.Axes, []*Axis{along}), to)})
}

// Eigenvalues reads the eigenvalues, along j, of Eigenpairs v.
func (b *Builder) Eigenvalues(v *Value) *Value { return b.At(v, v.To, size.Const(0)) }

// Eigenvectors reads the matrix [i, j] of the eigenvectors of Eigenpairs v.
func (b *Builder) Eigenvectors(v *Value, i *Axis) *Value {
	return b.Slice(v, v.To, i, size.Const(1))
}

// eigenAdjoint is, with the cotangents λ̄ and V̄ and P = Vᵀ V̄,
//
//	Ā = V (diag λ̄ + F ∘ (P − Pᵀ) / 2) Vᵀ,  F[i, j] = 1 / (λ[j] − λ[i])
//
// of which entries below the diagonal stand for two. Eigenvectors of a tie are
// any basis of their space and have no derivative: where V̄ asks for one of them,
// it is NaN. Where it does not, as for functions of the eigenvalues alone, V̄ is an
// exact 0 and the tie has no part.
// Source: Giles (2008), An extended collection of matrix derivative results, section 3.1.
func eigenAdjoint(b *Builder, v, cot *Value) []*Value {
	i, j := v.Over[0], v.Over[1]
	k, l := b.Axis("k", i.Size), b.Axis("l", i.Size) // of eigenvalues, as j is
	part := func(x *Value, row size.Poly, to *Axis) *Value {
		return b.Rename(b.At(x, v.To, row), j, to)
	}
	vectors := func(x *Value, row, to *Axis) *Value {
		return b.Rename(b.Slice(x, v.To, row, size.Const(1)), j, to)
	}
	cot = b.Spread(cot, v.To, j)

	p := b.Contract(vectors(v, i, k), vectors(cot, i, l), i)
	rotates := b.Sub(p, b.exchange(p, k, l))
	gap := b.Sub(part(v, size.Const(0), l), part(v, size.Const(0), k))
	tie := b.Map(OpLe, b.Map(OpAbs, gap), part(v, i.Size.Add(size.Const(1)), k))
	zero := b.Num(0)
	wanted := func(to *Axis) *Value { // whether the eigenvector along to has a cotangent
		return b.Map(OpGt, b.Sum(b.Map(OpNe, vectors(cot, i, to), zero), i), zero)
	}
	atTie := b.Map(OpSelect, b.Map(OpOr, wanted(k), wanted(l)), b.Div(zero, zero), zero)
	inner := b.Map(OpSelect, b.Map(OpEq, b.Iota(k), b.Iota(l)), part(cot, size.Const(0), k),
		b.Map(OpSelect, tie, atTie, b.Mul(b.Num(0.5), b.Div(rotates, gap))))

	full := b.Contract(b.Contract(vectors(v, i, k), inner, k), b.Rename(vectors(v, i, l), i, j), l)
	weight := b.Map(OpSelect, b.Map(OpGt, b.Iota(i), b.Iota(j)), b.Num(2),
		b.Map(OpEq, b.Iota(i), b.Iota(j)))
	return []*Value{b.Mul(weight, full)}
}

// exchange is x with two axes for each other: the transpose.
func (b *Builder) exchange(x *Value, k, l *Axis) *Value {
	m := b.Axis(k.Name, k.Size)
	return b.Rename(b.Rename(b.Rename(x, k, m), l, k), m, l)
}
