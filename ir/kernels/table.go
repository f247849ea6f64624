package kernels

import "github.com/sgppl/sgppl/runtime/math/kernel"

func init() {
	each("exp", "Exp", kernel.Exp, kernel.Exp32)
	each("expm1", "Expm1", kernel.Expm1, kernel.Expm132)
	each("log", "Log", kernel.Log, kernel.Log32)
	each("log1p", "Log1p", kernel.Log1p, kernel.Log1p32)
	each("tanh", "Tanh", kernel.Tanh, kernel.Tanh32)
	each("sigmoid", "Sigmoid", kernel.Sigmoid, kernel.Sigmoid32)
	each("log_sigmoid", "LogSigmoid", kernel.LogSigmoid, kernel.LogSigmoid32)
	each("log1p_exp", "Softplus", kernel.Softplus, kernel.Softplus32)
	each("log_normal_cdf", "LogNormalCDF", kernel.LogNormalCDF, kernel.LogNormalCDF32)

	row(Row{Name: "sum", Doc: "the sum along an axis", Wide: true,
		Emit:  "SumAxis($dst, $x, $outer, $along, $inner)",
		Run64: axis(kernel.SumAxis), Run32: axis(kernel.SumAxis32),
		Number: "Sum($x)", Number64: number(kernel.Sum), Number32: number(kernel.Sum32)})
	row(Row{Name: "prod", Doc: "the product along an axis",
		Emit:  "ProdAxis($dst, $x, $outer, $along, $inner)",
		Run64: axis(kernel.ProdAxis), Run32: axis(kernel.ProdAxis32),
		Number: "Prod($x)", Number64: number(kernel.Prod), Number32: number(kernel.Prod32)})
	row(Row{Name: "reduce_max", Doc: "the largest entry along an axis",
		Emit:  "MaxAxis($dst, $x, $outer, $along, $inner)",
		Run64: axis(kernel.MaxAxis), Run32: axis(kernel.MaxAxis32),
		Number: "Max($x)", Number64: number(kernel.Max), Number32: number(kernel.Max32)})
	row(Row{Name: "reduce_min", Doc: "the smallest entry along an axis",
		Emit:  "MinAxis($dst, $x, $outer, $along, $inner)",
		Run64: axis(kernel.MinAxis), Run32: axis(kernel.MinAxis32),
		Number: "Min($x)", Number64: number(kernel.Min), Number32: number(kernel.Min32)})
	row(Row{Name: "log_sum_exp", Doc: "log Σ exp along an axis",
		Emit:  "LogSumExpAxis($dst, $x, $outer, $along, $inner)",
		Run64: axis(kernel.LogSumExpAxis), Run32: axis(kernel.LogSumExpAxis32),
		Number: "LogSumExp($x)", Number64: number(kernel.LogSumExp),
		Number32: number(kernel.LogSumExp32)})
	row(Row{Name: "cumsum", Doc: "the running sum along an axis, from either end",
		Emit: "CumSumAxis($dst, $x, $outer, $along, $inner, $reverse)",
		Run64: func(c *Call[float64]) {
			kernel.CumSumAxis(c.Dst, c.X, c.Outer, c.Along, c.Inner, c.Reverse)
		},
		Run32: func(c *Call[float32]) {
			kernel.CumSumAxis32(c.Dst, c.X, c.Outer, c.Along, c.Inner, c.Reverse)
		}})

	row(Row{Name: "dot", Doc: "the sum over K of a product of vectors", Product: true, Wide: true,
		Number:   "Dot(${x k}, ${y k})",
		Number64: func(c *Call[float64]) float64 { return kernel.Dot(c.X, c.Y) },
		Number32: func(c *Call[float32]) float64 { return kernel.Dot32(c.X, c.Y) }})
	row(Row{Name: "gemv", Doc: "a matrix [M, K] times a vector", Product: true,
		Emit:  "Gemv(${dst m}, ${x m k}, ${y k}, $m, $k, $acc)",
		Run64: func(c *Call[float64]) { kernel.Gemv(c.Dst, c.X, c.Y, c.M, c.K, c.Acc) },
		Run32: func(c *Call[float32]) { kernel.Gemv32(c.Dst, c.X, c.Y, c.M, c.K, c.Acc) }})
	row(Row{Name: "gemvT", Doc: "the transpose of a matrix [K, M] times a vector", Product: true,
		Emit:  "GemvT(${dst m}, ${x k m}, ${y k}, $k, $m, $acc)",
		Run64: func(c *Call[float64]) { kernel.GemvT(c.Dst, c.X, c.Y, c.K, c.M, c.Acc) },
		Run32: func(c *Call[float32]) { kernel.GemvT32(c.Dst, c.X, c.Y, c.K, c.M, c.Acc) }})
	row(Row{Name: "gemm", Doc: "the product of two matrices, transposed or not", Product: true,
		Emit: "TeamGemm($team, ${dst m n / n}, ${x m k / lda}, ${y k n / ldb},\n" +
			"$m, $n, $k, $transA, $transB, $acc)",
		Run64: gemm(gemm64), Run32: gemm(gemm32)})
	row(Row{Name: "gemm_rows", Loops: true,
		Doc:   "for every entry of the batch, a product of matrices whose rows are the minibatch's",
		Run64: gemmRows(gemm64), Run32: gemmRows(gemm32)})

	row(Row{Name: "sparse_mul_vec", Doc: "sparse rows times a vector",
		Emit:  "SparseMulVec($dst, $x, $y, $acc)",
		Run64: func(c *Call[float64]) { kernel.SparseMulVec(c.Dst, c.Sparse, c.Y, c.Acc) },
		Run32: func(c *Call[float32]) { kernel.SparseMulVec32(c.Dst, c.Sparse32, c.Y, c.Acc) }})
	row(Row{Name: "sparse_mul_vecT", Doc: "the transpose of sparse rows times a vector",
		Emit:  "SparseMulVecT($dst, $x, $y, $acc)",
		Run64: func(c *Call[float64]) { kernel.SparseMulVecT(c.Dst, c.Sparse, c.Y, c.Acc) },
		Run32: func(c *Call[float32]) { kernel.SparseMulVecT32(c.Dst, c.Sparse32, c.Y, c.Acc) }})
	row(Row{Name: "sparse_logit", Sums: true,
		Doc:  "the gradient of a logistic regression on sparse rows",
		Emit: "SparseLogit($dst, &$x, $y, 0, $z, $w)",
		Run64: func(c *Call[float64]) {
			kernel.SparseLogit(c.Dst, &c.Sparse, c.Y, 0, c.Z, c.W)
		},
		Run32: func(c *Call[float32]) {
			kernel.SparseLogit32(c.Dst, &c.Sparse32, c.Y, 0, c.Z, c.W)
		}})
	row(Row{Name: "sparse_logit_sum", Wide: true,
		Doc:    "the same with an intercept u and the sum of the residuals; the gradient is in v",
		Number: "SparseLogit($v, &$x, $y, ${number u}, $z, $w)",
		Number64: func(c *Call[float64]) float64 {
			return kernel.SparseLogit(c.V, &c.Sparse, c.Y, c.Number, c.Z, c.W)
		},
		Number32: func(c *Call[float32]) float64 {
			return kernel.SparseLogit32(c.V, &c.Sparse32, c.Y, c.Number, c.Z, c.W)
		}})
	row(Row{Name: "sparse_logit_difference", Sums: true,
		Doc: "the gradient of a logistic regression on sparse rows at y, less that at z, with " +
			"weights w; v and u are scratch",
		Emit: "SparseLogitDifference($dst, &$x, $y, $z, [2]float64{}, $w, $v, $u)",
		Run64: func(c *Call[float64]) {
			kernel.SparseLogitDifference(c.Dst, &c.Sparse, c.Y, c.Z, [2]float64{}, c.W, c.V, c.U)
		}})
	row(Row{Name: "sparse_logit_difference_sum",
		Doc: "the same with intercepts r and q and the sum of the weighted differences; the " +
			"gradient is in s",
		Number: "SparseLogitDifference($s, &$x, $y, $z, " +
			"[2]float64{${number r}, ${number q}}, $w, $v, $u)",
		Number64: func(c *Call[float64]) float64 {
			return kernel.SparseLogitDifference(c.S, &c.Sparse, c.Y, c.Z,
				[2]float64{c.R[0], c.Q[0]}, c.W, c.V, c.U)
		}})
	row(Row{Name: "sparse_mul_mat", Doc: "sparse rows times a matrix with N columns",
		Emit: "TeamSparseMulMat($team, $dst, $x, $y, $n, $acc)",
		Run64: func(c *Call[float64]) {
			kernel.TeamSparseMulMat(c.Team, c.Dst, c.Sparse, c.Y, c.N, c.Acc)
		},
		Run32: func(c *Call[float32]) {
			kernel.TeamSparseMulMat32(c.Team, c.Dst, c.Sparse32, c.Y, c.N, c.Acc)
		}})
	row(Row{Name: "sparse_mul_matT", Doc: "the transpose of sparse rows times a matrix",
		Emit: "TeamSparseMulMatT($team, $dst, $x, $y, $n, $acc)",
		Run64: func(c *Call[float64]) {
			kernel.TeamSparseMulMatT(c.Team, c.Dst, c.Sparse, c.Y, c.N, c.Acc)
		},
		Run32: func(c *Call[float32]) {
			kernel.TeamSparseMulMatT32(c.Team, c.Dst, c.Sparse32, c.Y, c.N, c.Acc)
		}})

	row(Row{Name: "scatter", Loops: true,
		Doc: "sums by index; both engines add entry by entry, in row-major order"})
	row(Row{Name: "count_rows", Doc: "the number of rows of the block",
		Number: "float64($rows)", Wide: true,
		Number64: func(c *Call[float64]) float64 { return float64(c.Rows) },
		Number32: func(c *Call[float32]) float64 { return float64(c.Rows) }})
	row(Row{Name: "copy", Doc: "the entries in their order, along other axes",
		Emit:  "copy($dst, $x)",
		Run64: func(c *Call[float64]) { copy(c.Dst, c.X) },
		Run32: func(c *Call[float32]) { copy(c.Dst, c.X) }})

	row(Row{Name: "add_relu", Doc: "max(0, x + a bias of every column)",
		Emit:  "TeamAddRelu($team, $dst, $x, $y, $outer)",
		Run64: func(c *Call[float64]) { kernel.TeamAddRelu(c.Team, c.Dst, c.X, c.Y, c.Outer) },
		Run32: func(c *Call[float32]) { kernel.TeamAddRelu32(c.Team, c.Dst, c.X, c.Y, c.Outer) }})
	row(Row{Name: "positive", Doc: "y where x is positive, and 0 elsewhere",
		Emit:  "TeamPositive($team, $dst, $x, $y)",
		Run64: func(c *Call[float64]) { kernel.TeamPositive(c.Team, c.Dst, c.X, c.Y) },
		Run32: func(c *Call[float32]) { kernel.TeamPositive32(c.Team, c.Dst, c.X, c.Y) }})

	// Of chains of latent values, and of simulations, in double precision alone.
	row(Row{Name: "category", Doc: "categories drawn with weights x at the uniform numbers y",
		Emit: "Categories($dst, $x, $y, $batch, $inner, $along)",
		Run64: func(c *Call[float64]) {
			kernel.Categories(c.Dst, c.X, c.Y, c.Batch, c.Inner, c.Along)
		},
		Number:   "Category($x, ${number y})",
		Number64: func(c *Call[float64]) float64 { return kernel.Category(c.X, c.Y[0]) }})
	row(Row{Name: "add_at", Doc: "x with z added at the index y",
		Emit:  "AddAt($dst, $x, $y, $z, $batch, $along)",
		Run64: func(c *Call[float64]) { kernel.AddAt(c.Dst, c.X, c.Y, c.Z, c.Batch, c.Along) }})
	row(Row{Name: "draw_in_turn", Doc: "categories drawn one after another by their counts",
		Emit: "DrawInTurn($dst, $x, $y, $z, $w, $v, $u, $batch, $along, $inner)",
		Run64: func(c *Call[float64]) {
			kernel.DrawInTurn(c.Dst, c.X, c.Y, c.Z, c.W, c.V, c.U, c.Batch, c.Along, c.Inner)
		}})
	row(Row{Name: "split_counts", Doc: "counts split among classes",
		Emit: "SplitCounts($dst, $x, $y, $z, $w, $batch, $along, $inner)",
		Run64: func(c *Call[float64]) {
			kernel.SplitCounts(c.Dst, c.X, c.Y, c.Z, c.W, c.Batch, c.Along, c.Inner)
		}})
	row(Row{Name: "rand_multinomial", Run64: multinomial,
		Doc: "counts of x trials with weights y; simulations run in the VM alone"})

	row(Row{Name: "cholesky", Doc: "the lower triangular factor of matrices",
		Emit:  "Cholesky($dst, $x, $batch, $along)",
		Run64: factor(kernel.Cholesky), Run32: factor(kernel.Cholesky32)})
	row(Row{Name: "cholesky_adjoint",
		Doc:  "the cotangent of matrices, from their factor and its cotangent",
		Emit: "CholeskyAdjoint($dst, $x, $y, $batch, $along)",
		Run64: func(c *Call[float64]) {
			kernel.CholeskyAdjoint(c.Dst, c.X, c.Y, c.Batch, c.Along)
		},
		Run32: func(c *Call[float32]) {
			kernel.CholeskyAdjoint32(c.Dst, c.X, c.Y, c.Batch, c.Along)
		}})
	row(Row{Name: "triangular_solve", Doc: "the solutions of L x = b",
		Emit:  "TriangularSolve($dst, $x, $y, $outer, $batch, $inner, $along)",
		Run64: solve(kernel.TriangularSolve), Run32: solve(kernel.TriangularSolve32)})
	row(Row{Name: "triangular_solveT", Doc: "the solutions of Lᵀ x = b",
		Emit:  "TriangularSolveT($dst, $x, $y, $outer, $batch, $inner, $along)",
		Run64: solve(kernel.TriangularSolveT), Run32: solve(kernel.TriangularSolveT32)})
	row(Row{Name: "recurrence", Doc: "steps of a product and a sum, from the first number of z",
		Emit: "Recurrence($dst, $x, ${number y}, $reverse)",
		Run64: func(c *Call[float64]) {
			kernel.Recurrence(c.Dst, c.X, c.Number, c.Reverse)
		},
		Run32: func(c *Call[float32]) {
			kernel.Recurrence32(c.Dst, c.X, c.Number, c.Reverse)
		}})
	row(Row{Name: "log_forward", Doc: "the forward recursion of hidden states, in logarithms",
		Emit: "LogForward($dst, $x, $y, $z, $batch, $along, $inner)",
		Run64: func(c *Call[float64]) {
			kernel.LogForward(c.Dst, c.X, c.Y, c.Z, c.Batch, c.Along, c.Inner)
		},
		Run32: func(c *Call[float32]) {
			kernel.LogForward32(c.Dst, c.X, c.Y, c.Z, c.Batch, c.Along, c.Inner)
		}})
	row(Row{Name: "log_forward_adjoint", Doc: "the flows of cotangents in a forward recursion",
		Emit: "LogForwardAdjoint($dst, $x, $y, $z, $batch, $along, $inner)",
		Run64: func(c *Call[float64]) {
			kernel.LogForwardAdjoint(c.Dst, c.X, c.Y, c.Z, c.Batch, c.Along, c.Inner)
		},
		Run32: func(c *Call[float32]) {
			kernel.LogForwardAdjoint32(c.Dst, c.X, c.Y, c.Z, c.Batch, c.Along, c.Inner)
		}})
	row(Row{Name: "triangle", Doc: "the triangular factor R of matrices X = QR",
		Emit: "Triangle($dst, $x, $batch, $along, $inner)",
		Run64: func(c *Call[float64]) {
			kernel.Triangle(c.Dst, c.X, c.Batch, c.Along, c.Inner)
		},
		Run32: func(c *Call[float32]) {
			kernel.Triangle32(c.Dst, c.X, c.Batch, c.Along, c.Inner)
		}})
	row(Row{Name: "eigen_sym", Doc: "eigenvalues and eigenvectors of symmetric matrices",
		Emit:  "EigenSym($dst, $x, $batch, $along)",
		Run64: factor(kernel.EigenSym), Run32: factor(kernel.EigenSym32)})
	row(Row{Name: "order", Doc: "where the entries of vectors stand in ascending order",
		Emit:  "Order($dst, $x, $batch, $along)",
		Run64: factor(kernel.Order), Run32: factor(kernel.Order32)})

	row(Row{Name: "window", Doc: "an array read through windows",
		Emit:  "Window($dst, $x, $windows)",
		Run64: window(kernel.Window), Run32: window(kernel.Window32)})
	row(Row{Name: "window_add", Doc: "the sum of windows where they overlap, the adjoint of window",
		Emit:  "WindowAdd($dst, $x, $windows)",
		Run64: window(kernel.WindowAdd), Run32: window(kernel.WindowAdd32)})
	row(Row{Name: "window_max", Doc: "the largest entry of every window",
		Emit:  "WindowMax($dst, $x, $windows)",
		Run64: window(kernel.WindowMax), Run32: window(kernel.WindowMax32)})
	row(Row{Name: "window_max_add", Doc: "the adjoint of window_max",
		Emit: "WindowMaxAdd($dst, $x, $y, $z, $windows)",
		Run64: func(c *Call[float64]) {
			kernel.WindowMaxAdd(c.Dst, c.X, c.Y, c.Z, c.Windows)
		},
		Run32: func(c *Call[float32]) {
			kernel.WindowMaxAdd32(c.Dst, c.X, c.Y, c.Z, c.Windows)
		}})
}
