package ir

// Ops of this file; their rows are made in init because the rules of one op build others.
var (
	OpSum, OpProd, OpReduceMax, OpReduceMin, OpLogSumExp, OpGather                          *Op
	OpScatter, OpSlice, OpPad, OpExtend, OpRows, OpAt                                       *Op
	OpPlace, OpRename, OpDiagonal, OpStack, OpCumSum, OpLayout                              *Op
	OpContract, OpRandUniform, OpRandNormal, OpRandExponential, OpRandGamma, OpRandLogGamma *Op
	OpRandPoisson, OpRandBinomial, OpRandHypergeometric, OpRandVonMises, OpRandVMFGap       *Op
)

// Reductions and moves. Adjoints may leave axes that the argument lacks; the
// caller sums them away, because the adjoint of a missing axis is a sum.
func init() {
	OpSum = row(Op{Name: "sum", Class: Reduce, Arity: 1, Doc: "Σ over the axes Over",
		Adjoint: func(b *Builder, v, cot *Value) []*Value { return []*Value{cot} }})
	OpProd = row(Op{Name: "prod", Class: Reduce, Arity: 1, Doc: "Π over one axis",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			// The quotient v / x, except for a zero x the product of the others: 0 where there is another
			// zero.
			x, one, zero := v.Args[0], b.Num(1), b.Num(0)
			none := b.Map(OpEq, x, zero)
			others := b.Reduce(OpProd, b.Map(OpSelect, none, one, x), v.Over[0])
			only := b.Map(OpEq, b.Sum(none, v.Over...), one)
			d := b.Map(OpSelect, none, b.Map(OpSelect, only, others, zero), b.Div(v, x))
			return []*Value{b.Mul(cot, d)}
		}})
	OpReduceMax = row(Op{Name: "reduce_max", Class: Reduce, Arity: 1,
		Doc:     "the largest along the axes Over; equal ones share its cotangent",
		Adjoint: extremeAdjoint})
	OpReduceMin = row(Op{Name: "reduce_min", Class: Reduce, Arity: 1,
		Doc:     "the smallest along the axes Over; equal ones share its cotangent",
		Adjoint: extremeAdjoint})
	OpLogSumExp = row(Op{Name: "log_sum_exp", Class: Reduce, Arity: 1,
		Doc: "log Σ exp along one axis; a −∞ term has weight 0",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			x := v.Args[0]
			if x.Op == OpStack && x.To == v.Over[0] && len(x.Args) == 2 {
				// The weights of two share an exponential with their log-sum-exp.
				y, z := x.Args[0], x.Args[1]
				share := func(y, z *Value) *Value {
					return weight(b, y, b.Map(OpSigmoid, b.Sub(y, z)))
				}
				return []*Value{b.Mul(cot, b.Stack(x.To, share(y, z), share(z, y)))}
			}
			return []*Value{b.Mul(cot, weight(b, x, b.Map(OpExp, b.Sub(x, v))))}
		}})

	OpGather = row(Op{Name: "gather", Class: Move, Arity: 2,
		Doc: "args a, i: entry i of a along Over[0]; axes they share are aligned",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Scatter(cot, v.Args[1], v.Over[0], v.Args[0].Axes), nil}
		}})
	OpScatter = row(Op{Name: "scatter", Class: Move, Arity: 2,
		Doc: "args c, i: adds c at entry i of the axis To, in order; what c and i have beyond " +
			"Over is summed",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Gather(cot, v.Args[1], v.To), nil}
		}})
	OpSlice = row(Op{Name: "slice", Class: Move, Arity: 1,
		Doc: "entry To[i] is entry Over[0][i + Off]",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Pad(cot, v.To, v.Over[0], v.Off)}
		}})
	OpPad = row(Op{Name: "pad", Class: Move, Arity: 1,
		Doc: "entry To[i + Off] is entry Over[0][i], the rest 0",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Slice(cot, v.To, v.Over[0], v.Off)}
		}})
	OpExtend = row(Op{Name: "extend", Class: Move, Arity: 1,
		Doc:        "as pad, but the rest repeats the first and the last entry; 0 along an empty axis",
		NoGradient: "of data alone"})
	OpRows = row(Op{Name: "rows", Class: Move, Arity: 1,
		Doc:        "the entries along Over[0] of the rows at hand, along To",
		NoGradient: "of data alone"})
	OpAt = row(Op{Name: "at", Class: Move, Arity: 1, Doc: "entry Off along Over[0]",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Place(cot, v.Over[0], v.Off)}
		}})
	OpPlace = row(Op{Name: "place", Class: Move, Arity: 1,
		Doc: "the argument at entry Off of To, the rest 0",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.At(cot, v.To, v.Off)}
		}})
	OpRename = row(Op{Name: "rename", Class: Move, Arity: 1,
		Doc: "the axis Over[0] under the name To",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Rename(cot, v.To, v.Over[0])}
		}})
	OpDiagonal = row(Op{Name: "diagonal", Class: Move, Arity: 1,
		Doc: "the entries where Over[0] = Over[1], along To",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Embed(cot, v.To, v.Over[0], v.Over[1])}
		}})
	OpStack = row(Op{Name: "stack", Class: Move, Arity: -1,
		Doc: "the arguments one after another along To",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			out := make([]*Value, len(v.Args))
			for i := range v.Args {
				out[i] = b.At(cot, v.To, sizeConst(i))
			}
			return out
		}})
	OpCumSum = row(Op{Name: "cumsum", Class: Move, Arity: 1, Mode: Reverse,
		Doc: "running sums along Over[0], or from the end",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.CumSum(cot, v.Over[0], v.Mode != Reverse)}
		}})

	OpLayout = row(Op{Name: "layout", Class: Move, Arity: 1,
		Doc:     "the same value, stored with its axes in this order",
		Adjoint: func(b *Builder, v, cot *Value) []*Value { return []*Value{cot} }})

	OpContract = row(Op{Name: "contract", Class: Product, Arity: 2, Commutes: true,
		Doc: "Σ over Over of the product of two arguments",
		Adjoint: func(b *Builder, v, cot *Value) []*Value {
			return []*Value{b.Mul(cot, v.Args[1]), b.Mul(cot, v.Args[0])}
		}})
}

// weight is the weight of a term x of a log-sum-exp, and 0 where x is −∞: where all terms are, a
// difference to another term, or to their sum, is NaN.
func weight(b *Builder, x, w *Value) *Value {
	return b.Map(OpSelect, b.Map(OpEq, x, b.Num(negInf)), b.Num(0), w)
}

func extremeAdjoint(b *Builder, v, cot *Value) []*Value {
	hit := b.Map(OpEq, v.Args[0], v)
	return []*Value{b.Mul(b.Div(cot, b.Sum(hit, v.Over...)), hit)}
}

// Roots of the generators of distributions: one draw for every entry of Axes.
func init() {
	OpRandUniform = random("rand_uniform", 0)
	OpRandNormal = random("rand_normal", 0)
	OpRandExponential = random("rand_exponential", 0)
	OpRandGamma = random("rand_gamma", 1)
	OpRandLogGamma = random("rand_log_gamma", 1)
	OpRandPoisson = random("rand_poisson", 1)
	OpRandBinomial = random("rand_binomial", 2)
	OpRandHypergeometric = random("rand_hypergeometric", 3)
	OpRandVonMises = random("rand_von_mises", 1)
	OpRandVMFGap = random("rand_vmf_gap", 2)
}

// Draws reports whether the op draws at random: no two values of it are one.
func (o *Op) Draws() bool { return o.Class == Random || o == OpRandMultinomial }

func random(name string, arity int) *Op {
	return row(Op{Name: name, Class: Random, Arity: arity, NoGradient: "a draw",
		Doc: "a draw for every entry"})
}
