package cuda

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// kernel prints a step of the plan that is no loop.
func (g *generator) kernel(k *plan.Kernel) error {
	for _, b := range k.Args {
		if _, err := g.at(b); err != nil {
			return err
		}
	}
	g.begin(k.Name)
	switch k.Name {
	case "sum", "prod", "reduce_max", "reduce_min", "log_sum_exp":
		return g.reduceAxis(k)
	case "gemm", "gemm_rows", "gemv", "gemvT", "dot":
		return g.contract(k)
	case "scatter":
		return g.scatter(k)
	case "copy":
		return g.copy(k)
	case "count_rows":
		p, err := g.at(k.Dst)
		if err != nil {
			return err
		}
		g.end(fmt.Sprintf("  if (block == 0 && threadIdx.x == 0) %s[%d] = s.n;\n",
			g.use(p.buffer, true), p.offset), 1)
		return nil
	case "window", "window_add", "window_max", "window_max_add":
		return g.window(k)
	}
	return refuse("the step %s", k.Name)
}

// each prints a text for every entry of the result of a kernel: i counts them, and to is where the
// entry goes.
func (g *generator) each(k *plan.Kernel, text string) error {
	n := g.extent(k.Dst.Axes...)
	if err := g.fits("a step "+k.Name, g.most(n)); err != nil {
		return err
	}
	p, err := g.at(k.Dst)
	if err != nil {
		return err
	}
	to := fmt.Sprintf("%s[%d + i]", g.use(p.buffer, true), p.offset)
	g.end(fmt.Sprintf("  int i = block * 256 + threadIdx.x;\n  if (i < %s) {\n%s  }\n", n,
		indent(indent(strings.ReplaceAll(text, "$to", to)))), blocksFor(g.most(n)))
	return nil
}

func (g *generator) copy(k *plan.Kernel) error {
	x, err := g.array(k.Args[0])
	if err != nil {
		return err
	}
	return g.each(k, fmt.Sprintf("$to = %s[i];", x))
}

// window prints a step that reads through windows. The result is divided as runtime/math/kernel has
// it: [outer, positions, places, inner], or [outer, sources, inner].
func (g *generator) window(k *plan.Kernel) error {
	two := func(axes []*ir.Axis) [2]int {
		n := [2]int{1, 1}
		for i, a := range axes {
			n[i+2-len(axes)] = g.size(a.Size)
		}
		return n
	}
	in, pos, length := two(k.Along), two(k.M), two(k.K)
	inner, stride := g.most(g.extent(k.Inner...)), k.Stride
	var x [3]string
	for i, a := range k.Args {
		text, err := g.array(a)
		if err != nil {
			return err
		}
		x[i] = text
	}
	source := func(a, b string) string {
		return fmt.Sprintf("((o * %d + %s) * %d + %s) * %d + c", in[0], a, in[1], b, inner)
	}
	switch k.Name {
	case "window":
		return g.each(k, fmt.Sprintf("int c = i %% %d, l = i / %d;\n"+
			"int q1 = l %% %d, q0 = l / %d %% %d, p1 = l / %d %% %d, p0 = l / %d %% %d, o = l / %d;\n"+
			"$to = %s[%s];", inner, inner, length[1], length[1], length[0], length[1]*length[0], pos[1],
			length[1]*length[0]*pos[1], pos[0], length[1]*length[0]*pos[1]*pos[0], x[0],
			source(fmt.Sprintf("p0 * %d + q0", stride), fmt.Sprintf("p1 * %d + q1", stride))))
	case "window_add":
		return g.each(k, fmt.Sprintf("int c = i %% %[1]d, l = i / %[1]d;\n"+
			"int s1 = l %% %[2]d, s0 = l / %[2]d %% %[3]d, o = l / %[4]d;\nfloat sum = 0;\n"+
			"for (int p0 = s0 / %[5]d; p0 >= 0 && s0 - p0 * %[5]d < %[6]d; p0--) {\n"+
			"  if (p0 >= %[7]d) continue;\n"+
			"  for (int p1 = s1 / %[5]d; p1 >= 0 && s1 - p1 * %[5]d < %[8]d; p1--)\n"+
			"    if (p1 < %[9]d)\n"+
			"      sum += %[10]s[((((o * %[7]d + p0) * %[9]d + p1) * %[6]d + (s0 - p0 * %[5]d)) * %[8]d +"+
			" (s1 - p1 * %[5]d)) * %[1]d + c];\n}\n$to = sum;", inner, in[1], in[0], in[1]*in[0],
			stride, length[0], pos[0], length[1], pos[1], x[0]))
	case "window_max":
		return g.each(k, fmt.Sprintf("int c = i %% %d, l = i / %d;\n"+
			"int p1 = l %% %d, p0 = l / %d %% %d, o = l / %d;\nfloat most = -(float)sg_inf();\n"+
			"for (int q0 = 0; q0 < %d; q0++)\n  for (int q1 = 0; q1 < %d; q1++)\n"+
			"    most = sg_max(most, %s[%s]);\n$to = most;", inner, inner, pos[1], pos[1], pos[0],
			pos[1]*pos[0], length[0], length[1], x[0],
			source(fmt.Sprintf("p0 * %d + q0", stride), fmt.Sprintf("p1 * %d + q1", stride))))
	}
	return g.each(k, fmt.Sprintf("int c = i %% %[1]d, l = i / %[1]d;\n"+
		"int s1 = l %% %[2]d, s0 = l / %[2]d %% %[3]d, o = l / %[4]d;\n"+
		"float sum = 0, here = %[10]s[i];\n"+
		"for (int p0 = s0 / %[5]d; p0 >= 0 && s0 - p0 * %[5]d < %[6]d; p0--)\n"+
		"  for (int p1 = s1 / %[5]d; p1 >= 0 && s1 - p1 * %[5]d < %[8]d; p1--) {\n"+
		"    int w = ((o * %[7]d + p0) * %[9]d + p1) * %[1]d + c;\n"+
		"    if (p0 >= %[7]d || p1 >= %[9]d || here != %[11]s[w]) continue;\n    int ties = 0;\n"+
		"    for (int q0 = 0; q0 < %[6]d; q0++)\n      for (int q1 = 0; q1 < %[8]d; q1++)\n"+
		"        ties += %[10]s[%[13]s] == here;\n    sum += %[12]s[w] / ties;\n  }\n$to = sum;",
		inner, in[1], in[0], in[1]*in[0], stride, length[0], pos[0], length[1], pos[1], x[0], x[1],
		x[2], source(fmt.Sprintf("p0 * %d + q0", stride), fmt.Sprintf("p1 * %d + q1", stride))))
}

// oneLine puts a text of several lines into one.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }
