package codegen

import (
	"fmt"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// reductions are the kernels that take an axis away: as a function of a whole
// array, and along an axis of [outer, n, inner]. The two agree where outer and
// inner are 1.
var reductions = map[string]struct{ whole, axis string }{
	"sum":         {"Sum", "SumAxis"},
	"prod":        {"Prod", "ProdAxis"},
	"reduce_max":  {"Max", "MaxAxis"},
	"reduce_min":  {"Min", "MinAxis"},
	"log_sum_exp": {"LogSumExp", "LogSumExpAxis"},
}

// sparseKernels and whether they take the width of a row of the dense matrix.
var sparseKernels = map[string]struct {
	name string
	wide bool
}{
	"sparse_mul_vec":  {"SparseMulVec", false},
	"sparse_mul_vecT": {"SparseMulVecT", false},
	"sparse_mul_mat":  {"SparseMulMat", true},
	"sparse_mul_matT": {"SparseMulMatT", true},
}

// elementwise are the kernels of every entry of an array.
var elementwise = map[string]string{
	"exp": "Exp", "expm1": "Expm1", "log": "Log", "log1p": "Log1p", "tanh": "Tanh",
	"sigmoid": "Sigmoid", "log_sigmoid": "LogSigmoid", "log1p_exp": "Softplus",
}

// kernel emits a call of runtime/math/kernel: the one that the VM makes, with the
// same sizes.
func (m *method) kernel(k *plan.Kernel) error {
	if r, ok := reductions[k.Name]; ok {
		m.reduction(k, r.whole, r.axis)
		return nil
	}
	if s, ok := sparseKernels[k.Name]; ok {
		width := ""
		if s.wide {
			width = m.extent(k.N).text + ", "
		}
		m.printf("%s(%s, %s, %s, %s%t)", m.call(s.name), m.array(k.Dst), m.array(k.Args[0]), m.array(k.Args[1]), width, k.Acc)
		return nil
	}
	if name := elementwise[k.Name]; name != "" {
		m.printf("%s(%s, %s)", m.call(name), m.array(k.Dst), m.array(k.Args[0]))
		return nil
	}
	switch k.Name {
	case "cholesky", "eigen_sym", "order":
		name := map[string]string{"cholesky": "Cholesky", "eigen_sym": "EigenSym", "order": "Order"}[k.Name]
		m.printf("%s(%s, %s, %s, %s)", m.call(name), m.array(k.Dst), m.array(k.Args[0]), m.extent(k.Batch).text, m.extent(k.Along).text)
	case "triangle":
		m.printf("%s(%s, %s, %s, %s, %s)", m.call("Triangle"), m.array(k.Dst), m.array(k.Args[0]), m.extent(k.Batch).text, m.extent(k.Along).text, m.extent(k.Inner).text)
	case "split_counts":
		m.printf("%s(%s, %s, %s, %s, %s, %s, %s, %s)", m.call("SplitCounts"), m.array(k.Dst), m.array(k.Args[0]), m.array(k.Args[1]), m.array(k.Args[2]), m.array(k.Args[3]),
			m.extent(k.Batch).text, m.extent(k.Along).text, m.extent(k.Inner).text)
	case "cholesky_adjoint":
		m.printf("%s(%s, %s, %s, %s, %s)", m.call("CholeskyAdjoint"), m.array(k.Dst), m.array(k.Args[0]), m.array(k.Args[1]),
			m.extent(k.Batch).text, m.extent(k.Along).text)
	case "triangular_solve", "triangular_solveT":
		name := map[string]string{"triangular_solve": "TriangularSolve", "triangular_solveT": "TriangularSolveT"}[k.Name]
		m.printf("%s(%s, %s, %s, %s, %s, %s, %s)", m.call(name), m.array(k.Dst), m.array(k.Args[0]), m.array(k.Args[1]),
			m.extent(k.Outer).text, m.extent(k.Batch).text, m.extent(k.Inner).text, m.extent(k.Along).text)
	case "window", "window_add", "window_max", "window_max_add":
		name := map[string]string{"window": "Window", "window_add": "WindowAdd", "window_max": "WindowMax", "window_max_add": "WindowMaxAdd"}[k.Name]
		two := func(axes []*ir.Axis) string {
			if len(axes) == 1 {
				return "[2]int{1, " + m.extent(axes).text + "}"
			}
			return "[2]int{" + m.extent(axes[:1]).text + ", " + m.extent(axes[1:]).text + "}"
		}
		arrays := m.array(k.Dst)
		for _, a := range k.Args {
			arrays += ", " + m.array(a)
		}
		m.printf("%s(%s, kernel.Windows{Outer: %s, Inner: %s,\nIn: %s, Pos: %s, Len: %s, Stride: %d})", m.call(name), arrays,
			m.extent(k.Outer).text, m.extent(k.Inner).text, two(k.Along), two(k.M), two(k.K), k.Stride)
	case "add_relu":
		m.printf("%s(%s, %s, %s, %s)", m.call("AddRelu"), m.array(k.Dst), m.array(k.Args[0]), m.array(k.Args[1]), m.extent(k.Outer).text)
	case "positive":
		m.printf("%s(%s, %s, %s)", m.call("Positive"), m.array(k.Dst), m.array(k.Args[0]), m.array(k.Args[1]))
	case "copy":
		m.printf("copy(%s, %s)", m.array(k.Dst), m.array(k.Args[0]))
	case "category":
		if w, u := m.array(k.Args[0]), k.Args[1]; len(k.Dst.Axes) == 0 {
			m.assign(k.Dst, primary("%s(%s, %s)", m.call("Category"), w, m.number(u)), false)
		} else {
			m.printf("%s(%s, %s, %s, %s, %s, %s)", m.call("Categories"), m.array(k.Dst), w, m.array(u), m.extent(k.Batch).text, m.extent(k.Inner).text, m.extent(k.Along).text)
		}
	case "add_at":
		m.printf("%s(%s, %s, %s, %s, %s, %s)", m.call("AddAt"), m.array(k.Dst), m.array(k.Args[0]), m.numbers(k.Args[1]), m.numbers(k.Args[2]),
			m.extent(k.Batch).text, m.extent(k.Along).text)
	case "cumsum":
		m.printf("%s(%s, %s, %s, %s, %s, %t)", m.call("CumSumAxis"), m.array(k.Dst), m.array(k.Args[0]),
			m.extent(k.Outer).text, m.extent(k.Along).text, m.extent(k.Inner).text, k.Reverse)
	case "count_rows":
		m.rows = true
		m.assign(k.Dst, primary("float64(rows)"), k.Acc)
	case "scatter":
		return m.scatter(k)
	case "gemm_rows":
		m.gemmRows(k)
	case "dot", "gemv", "gemvT", "gemm":
		m.contraction(k)
	default:
		return fmt.Errorf("no kernel %q", k.Name)
	}
	return nil
}

// numbers is an array that is read, be it of a single number.
func (m *method) numbers(b *plan.Buffer) string {
	if len(b.Axes) > 0 {
		return m.array(b)
	}
	return "[]float64{" + m.number(b) + "}"
}

func (m *method) reduction(k *plan.Kernel, whole, axis string) {
	x := m.array(k.Args[0])
	if len(k.Dst.Axes) == 0 {
		value := primary("%s(%s)", m.call(whole), x)
		if m.f.p.Single && whole != "Sum" { // that is double already
			value = wide(value)
		}
		m.assign(k.Dst, value, k.Acc)
		return
	}
	dst := m.array(k.Dst)
	outer, n, inner := m.extent(k.Outer).text, m.extent(k.Along).text, m.extent(k.Inner).text
	if !k.Acc {
		m.printf("%s(%s, %s, %s, %s, %s)", m.call(axis), dst, x, outer, n, inner)
		return
	}
	block := fmt.Sprintf("f.%s[:%s]", m.f.block, m.extent(k.Dst.Axes).text)
	m.printf("%s(%s, %s, %s, %s, %s)", m.call(axis), block, x, outer, n, inner)
	inside := newScope(m.names)
	i, v := inside.fresh("i"), inside.fresh("v")
	m.printf("for %s, %s := range %s {\n%s[%s] += %s\n}", i, v, block, dst, i, v)
}

// gemmRows emits products of matrices whose rows stand a batch apart.
func (m *method) gemmRows(k *plan.Kernel) {
	batch, mm, nn, kk := m.extent(k.Batch), m.extent(k.M), m.extent(k.N), m.extent(k.K)
	i := newScope(m.names).fresh("i")
	at := func(b *plan.Buffer, width expr) string {
		return fmt.Sprintf("%s[%s:]", m.array(b), mul(primary("%s", i), width).text)
	}
	m.printf("for %s := range %s {", i, batch.text)
	if k.M[0].Rows {
		ldb := nn
		if k.TransB {
			ldb = kk
		}
		m.printf("%s(%s, %s, %s,\n%s, %s, %s, false, %t, %t)", m.call("Gemm"), m.matrix(at(k.Dst, nn), mul(batch, nn)), m.matrix(at(k.Args[0], kk), mul(batch, kk)),
			m.matrix(at(k.Args[1], mul(kk, nn)), ldb), mm.text, nn.text, kk.text, k.TransB, k.Acc)
	} else {
		m.printf("%s(%s, %s, %s,\n%s, %s, %s, true, false, %t)", m.call("Gemm"), m.matrix(at(k.Dst, mul(mm, nn)), nn), m.matrix(at(k.Args[0], mm), mul(batch, mm)),
			m.matrix(at(k.Args[1], nn), mul(batch, nn)), mm.text, nn.text, kk.text, k.Acc)
	}
	m.printf("}")
}

// contraction emits a matrix kernel, in a loop over the batch axes if there are any.
func (m *method) contraction(k *plan.Kernel) {
	mm, nn, kk := m.extent(k.M), m.extent(k.N), m.extent(k.K)
	names := newScope(m.names)
	i := ""
	part := func(b *plan.Buffer, width expr) string {
		name := m.array(b)
		if i == "" {
			return name
		}
		at := mul(primary("%s", i), width)
		return fmt.Sprintf("%s[%s:][:%s]", name, at.text, width.text)
	}
	if len(k.Batch) > 0 {
		i = names.fresh("i")
		m.printf("for %s := range %s {", i, m.extent(k.Batch).text)
		defer m.printf("}")
	}
	x, y := k.Args[0], k.Args[1]
	switch k.Name {
	case "dot":
		value := primary("%s(%s, %s)", m.call("Dot"), part(x, kk), part(y, kk))
		if i == "" && len(k.Dst.Axes) == 0 {
			m.assign(k.Dst, value, k.Acc)
			return
		}
		if m.f.p.Single {
			value = narrow(value)
		}
		op := "="
		if k.Acc {
			op = "+="
		}
		at := i
		if at == "" {
			at = "0"
		}
		m.printf("%s[%s] %s %s", m.array(k.Dst), at, op, value.text)
	case "gemv":
		m.printf("%s(%s, %s, %s, %s, %s, %t)", m.call("Gemv"), part(k.Dst, mm), part(x, mul(mm, kk)), part(y, kk), mm.text, kk.text, k.Acc)
	case "gemvT":
		m.printf("%s(%s, %s, %s, %s, %s, %t)", m.call("GemvT"), part(k.Dst, mm), part(x, mul(kk, mm)), part(y, kk), kk.text, mm.text, k.Acc)
	case "gemm":
		a, b := kk, nn
		if k.TransA {
			a = mm
		}
		if k.TransB {
			b = kk
		}
		m.printf("%s(%s, %s, %s,\n%s, %s, %s, %t, %t, %t)", m.call("Gemm"), m.matrix(part(k.Dst, mul(mm, nn)), nn),
			m.matrix(part(x, mul(mm, kk)), a), m.matrix(part(y, mul(kk, nn)), b), mm.text, nn.text, kk.text, k.TransA, k.TransB, k.Acc)
	}
}

// scatter adds entry by entry in row-major order of all axes: those of the
// index, then of what is added, then of the result.
func (m *method) scatter(k *plan.Kernel) error {
	c, index := k.Args[0], k.Args[1]
	var axes []*ir.Axis
	for _, list := range [][]*ir.Axis{index.Axes, c.Axes, k.Dst.Axes} {
		for _, a := range list {
			if a != k.To && !hasAxis(axes, a) {
				axes = append(axes, a)
			}
		}
	}
	if !k.Acc {
		m.printf("clear(%s)", m.array(k.Dst))
	}
	load := func(b *plan.Buffer) plan.Operand {
		o := plan.Operand{Kind: plan.Load, Buf: b}
		for _, a := range b.Axes {
			o.At = append(o.At, plan.Index{Axis: a})
		}
		return o
	}
	from := load(index)
	to := plan.Store{Buf: k.Dst}
	for _, a := range k.Dst.Axes {
		if a == k.To {
			to.At = append(to.At, plan.Index{From: &from})
		} else {
			to.At = append(to.At, plan.Index{Axis: a})
		}
	}
	return m.nest(axes, []plan.Instr{{Args: []plan.Operand{load(c)}, Value: k.Dst.Value, Stores: []plan.Store{to}}}, true)
}

func hasAxis(axes []*ir.Axis, a *ir.Axis) bool {
	for _, x := range axes {
		if x == a {
			return true
		}
	}
	return false
}
