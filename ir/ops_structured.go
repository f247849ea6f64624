package ir

// Ops of this file: functions of the whole array along Over. Every other axis
// is a batch axis: the function is applied to each array along it. Matrices
// have the rows along Over[0] and the columns along Over[1].
var (
	OpSpread, OpFlatten, OpUnflatten                 *Op
	OpCholesky, OpCholeskyAdjoint, OpTriangularSolve *Op
	OpRandMultinomial                                *Op
)

func init() {
	OpSpread = row(Op{Name: "spread", Class: Move, Arity: 1,
		Doc: "the same value for every entry of the axes Over, which the argument lacks",
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Spread(args[0], v.Over...)
		},
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Sum(cot, v.Over...)}
		}})
	OpFlatten = row(Op{Name: "flatten", Class: Structured, Arity: 1,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Flatten(args[0], v.Over, v.To)
		},
		Reference: (*evaluator).structured,
		Doc:       "the entries along the axes Over, the last of them fastest, along To",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Unflatten(cot, v.To, v.Over)}
		}})
	OpUnflatten = row(Op{Name: "unflatten", Class: Structured, Arity: 1,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Unflatten(args[0], v.To, v.Over)
		},
		Reference: (*evaluator).structured,
		Doc:       "the entries along To as an array along Over, the last axis fastest",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Flatten(cot, v.Over, v.To)}
		}})

	// The function is of the lower triangle alone, and so is the adjoint:
	// entries above the diagonal have derivative 0, those below stand for two.
	OpCholesky = row(Op{Name: "cholesky", Class: Structured, Arity: 1, Singular: true,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Cholesky(args[0], v.Over[0], v.Over[1])
		},
		Shape:     matrixAxes,
		Reference: (*evaluator).structured,
		Doc: "the lower triangular L with L Lᵀ = A, of which the lower triangle is read; " +
			"NaN where A is not positive definite",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.CholeskyAdjoint(v, cot, v.Over[0], v.Over[1])}
		}})
	OpCholeskyAdjoint = row(Op{Name: "cholesky_adjoint", Class: Structured, Arity: 2,
		Singular: true,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.CholeskyAdjoint(args[0], args[1], v.Over[0], v.Over[1])
		},
		Shape:     matrixAxes,
		Reference: (*evaluator).structured,
		Doc: "args L, c: the cotangent of the lower triangle of L Lᵀ, where L has the " +
			"cotangent c (Murray 2016, eq. 10)",
		NoGradient: "second derivatives of a factorisation are not known"})
	// With x = L⁻¹ b and its cotangent x̄: b̄ = L⁻ᵀ x̄, L̄ = −b̄ xᵀ in the lower triangle.
	OpTriangularSolve = row(Op{Name: "triangular_solve", Class: Structured, Arity: 2,
		Singular: true, Mode: Transposed,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.TriangularSolve(args[0], args[1], v.Over[0], v.Over[1], v.Mode == Transposed)
		},
		Shape:     matrixAxes,
		Reference: (*evaluator).structured,
		Doc: "args L, b: the x with Σ L[i, j] x[j] = b[i] for a lower triangle L[Over[0], " +
			"Over[1]]; transposed, Σ L[i, j] x[i] = b[j]",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			l, i, j := v.Args[0], v.Over[0], v.Over[1]
			right := b.TriangularSolve(l, cot, i, j, v.Mode != Transposed)
			// The factor lower leaves the sums over batch axes that L lacks, which become
			// contractions.
			lower := b.Map(OpGe, b.Iota(i), b.Iota(j))
			return []*Value{b.Mul(lower, b.Neg(b.Mul(right, v))), right}
		}})
}

func init() {
	OpRandMultinomial = row(Op{Name: "rand_multinomial", Class: Structured, Arity: 2,
		NoGradient: "a draw",
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Multinomial(args[0], args[1], v.Over[0], v.To)
		},
		Reference: (*evaluator).multinomial,
		Doc: "args n, p: counts along To of n trials with weights p along Over; a " +
			"generator, To makes each draw one of its own"})
}

// Multinomial is a draw of counts along the axis to, of n trials with the
// weights p[k], for every entry of the other axes of n and p.
func (b *Builder) Multinomial(n, p *Value, k, to *Axis) *Value {
	n, p = b.Spread(n, k), b.Spread(p, k)
	all := union(n.Axes, p.Axes)
	return b.Make(Value{Op: OpRandMultinomial, Args: []*Value{n, p}, Over: []*Axis{k}, To: to,
		Axes: append(without(all, []*Axis{k}), to)})
}

// Spread is x for every entry of the axes; those that it has are left out.
func (b *Builder) Spread(x *Value, axes ...*Axis) *Value {
	added := without(axes, x.Axes)
	if len(added) == 0 {
		return x
	}
	return b.Make(Value{Op: OpSpread, Args: []*Value{x}, Over: added,
		Axes: append(append([]*Axis(nil), x.Axes...), added...)})
}

// Flatten lays the entries along several axes out along one.
func (b *Builder) Flatten(x *Value, over []*Axis, to *Axis) *Value {
	x = b.Spread(x, over...)
	if len(over) == 1 {
		return b.Rename(x, over[0], to)
	}
	if x.Op == OpUnflatten && equalAxes(x.Over, over) {
		return b.Rename(x.Args[0], x.To, to)
	}
	return b.Make(Value{Op: OpFlatten, Args: []*Value{x}, Over: over, To: to,
		Axes: append(without(x.Axes, over), to)})
}

// Unflatten lays the entries along one axis out along several.
func (b *Builder) Unflatten(x *Value, from *Axis, over []*Axis) *Value {
	if !x.Has(from) {
		return x
	}
	if len(over) == 1 {
		return b.Rename(x, from, over[0])
	}
	if x.Op == OpFlatten && x.To == from && equalAxes(x.Over, over) {
		return x.Args[0]
	}
	return b.Make(Value{Op: OpUnflatten, Args: []*Value{x}, Over: over, To: from,
		Axes: append(without(x.Axes, []*Axis{from}), over...)})
}

func equalAxes(a, b []*Axis) bool {
	for i := range a {
		if len(a) != len(b) || a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// Cholesky is the lower triangular factor of the matrices x[i, j].
func (b *Builder) Cholesky(x *Value, i, j *Axis) *Value {
	x = b.Spread(x, i, j)
	return b.Make(Value{Op: OpCholesky, Args: []*Value{x}, Over: []*Axis{i, j}, Axes: x.Axes})
}

// CholeskyAdjoint is the cotangent of A[i, j], given its factor and the factor's cotangent.
func (b *Builder) CholeskyAdjoint(l, cot *Value, i, j *Axis) *Value {
	l, cot = b.Spread(l, i, j), b.Spread(cot, i, j)
	return b.Make(Value{Op: OpCholeskyAdjoint, Args: []*Value{l, cot}, Over: []*Axis{i, j},
		Axes: union(l.Axes, cot.Axes)})
}

// TriangularSolve is the x[j] with Σ l[i, j] x[j] = y[i], summed over j; or
// with transposed the x[i] with Σ l[i, j] x[i] = y[j], summed over i.
func (b *Builder) TriangularSolve(l, y *Value, i, j *Axis, transposed bool) *Value {
	from, to := i, j
	if transposed {
		from, to = j, i
	}
	l, y = b.Spread(l, i, j), b.Spread(y, from)
	batch := without(union(l.Axes, y.Axes), []*Axis{i, j})
	return b.Make(Value{Op: OpTriangularSolve, Args: []*Value{l, y}, Over: []*Axis{i, j},
		Mode: Transposed.If(transposed), Axes: append(batch, to)})
}
