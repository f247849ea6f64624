package ir

// Ops of this file; their rows are made in init because the rules of one op build others.
var (
	OpConst, OpState, OpData, OpLocal, OpScalar, OpSize, OpIota *Op
)

func init() {
	OpConst = row(Op{Name: "const", Class: Leaf, Doc: "a number"})
	OpState = row(Op{Name: "state", Class: Leaf, Doc: "a block of the state vector"})
	OpData = row(Op{Name: "data", Class: Leaf,
		Doc: "an input, or a value computed once from inputs"})
	OpLocal = row(Op{Name: "local", Class: Leaf, Mode: Logarithms,
		Doc: "a latent value of a row, or what its chain reads: like the state unknown when data " +
			"are bound, like data given by row; or their logarithms, of positive numbers"})
	OpScalar = row(Op{Name: "scalar", Class: Leaf,
		Doc: "a number given at run time, such as N/|S|"})
	OpSize = row(Op{Name: "size", Class: Leaf,
		Doc: "the size Off as a number; with Over, the number of rows at hand"})
	OpIota = row(Op{Name: "iota", Class: Leaf, Doc: "the index along an axis, as a number"})
}
