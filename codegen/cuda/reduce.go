package cuda

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// A reduction computes, for every outer entry o and every inner entry i, a number of the terms of a
// = 0, 1, … along an axis.
type reduction struct {
	dst                 *plan.Buffer
	outer, along, inner extent
	op                  string
	term                string // a float, of o, a and i
	setup               string // printed before the terms of an o and an i
}

// fold is how two numbers become one, and what none are.
func (r *reduction) fold() (both, none string) {
	switch r.op {
	case "prod":
		return "x * y", "1"
	case "reduce_max", "log_sum_exp":
		return "sg_max(x, y)", "(number)-sg_inf()"
	case "reduce_min":
		return "sg_min(x, y)", "(number)sg_inf()"
	}
	return "x + y", "0"
}

// Shapes of a reduction: up to how many terms a thread takes alone, and from how many on sums are
// divided among blocks.
const (
	fewTerms   = 32
	manyTerms  = 4096
	fewBlocks  = 64
	mostSplits = 128
)

// reduce prints a reduction.
func (g *generator) reduce(r *reduction) error {
	outer, along, inner := g.most(r.outer), g.most(r.along), g.most(r.inner)
	if err := g.fits("a sum", outer, along, inner); err != nil {
		return err
	}
	wide := inner > 1 && along > fewTerms
	if r.op == "sum" && wide && along >= manyTerms && !r.outer.rows {
		columns := outer * ((inner + 31) / 32)
		if splits := min(mostSplits, along/256); columns < fewBlocks {
			return g.split(r, splits)
		}
	}
	p, err := g.at(r.dst)
	if err != nil {
		return err
	}
	number := "float"
	if len(r.dst.Axes) == 0 {
		number = "double"
	}
	to := fmt.Sprintf("%s[%d + o * %d + i]", g.use(p.buffer, true), p.offset, inner)
	both, none := r.fold()
	head := fmt.Sprintf("  typedef %s number;\n"+
		"  auto both = [](number x, number y) -> number { return %s; };\n", number, both)
	term := fmt.Sprintf("[&](int a) -> number { return %s; }", r.term)
	switch {
	case along <= fewTerms:
		g.end(head+fmt.Sprintf("  int at = block * 256 + threadIdx.x;\n"+
			"  if (at < %s * %d) {\n    int o = at / %d, i = at - o * %d;\n%s    auto term = %s;\n"+
			"    number r = %s;\n    for (int a = 0; a < %s; a++) r = both(r, term(a));\n%s"+
			"    %s = r;\n  }\n", r.outer, inner, inner, inner, r.setup, term, none, r.along,
			r.logOfSum("r", ""), to), blocksFor(outer*inner))
	case inner == 1:
		g.end(head+fmt.Sprintf("  int o = block, i = 0;\n  if (o < %s) {\n%s    auto term = %s;\n"+
			"    number r = %s;\n"+
			"    for (int a = threadIdx.x; a < %s; a += 256) r = both(r, term(a));\n"+
			"    r = sg_over((number*)mem, r, both);\n%s    if (threadIdx.x == 0) %s = r;\n  }\n",
			r.outer, r.setup, term, none, r.along, r.logOfSum("r", "block"), to), outer)
	default:
		g.end(head+g.columnwise(r, term, none, to), outer*((inner+31)/32))
	}
	return nil
}

// columnwise prints a reduction of contiguous inner entries: 32 of them a block, with eight threads
// for each.
func (g *generator) columnwise(r *reduction, term, none, to string) string {
	inner := g.most(r.inner)
	return fmt.Sprintf("  int o = block / %[1]d, i = block %% %[1]d * 32 + threadIdx.x %% 32;\n"+
		"  int lane = threadIdx.x / 32;\n  number* all = (number*)mem;\n"+
		"  if (o < %[2]s) {\n%[3]s    auto term = %[4]s;\n    number r = %[5]s;\n"+
		"    if (i < %[6]d)\n      for (int a = lane; a < %[7]s; a += 8) r = both(r, term(a));\n"+
		"    all[threadIdx.x] = r;\n    __syncthreads();\n"+
		"    r = all[threadIdx.x %% 32];\n"+
		"    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x %% 32]);\n"+
		"%[8]s    if (lane == 0 && i < %[6]d) %[9]s = r;\n  }\n",
		(inner+31)/32, r.outer, r.setup, term, none, inner, r.along,
		r.logOfSum("r", "column"), to)
}

// logOfSum prints what turns the largest term m into log Σ exp of the terms.
func (r *reduction) logOfSum(m, by string) string {
	if r.op != "log_sum_exp" {
		return ""
	}
	begin := fmt.Sprintf("    number most = %s, sum = 0;\n", m)
	end := fmt.Sprintf("    %s = sg_abs(most) == (number)sg_inf() ? most : most + sg_log(sum);\n", m)
	plus := "[](number x, number y) -> number { return x + y; }"
	switch by {
	case "":
		return begin + fmt.Sprintf("    for (int a = 0; a < %s; a++) sum += sg_exp(term(a) - most);\n",
			r.along) + end
	case "block":
		return begin + fmt.Sprintf("    for (int a = threadIdx.x; a < %s; a += 256) "+
			"sum += sg_exp(term(a) - most);\n    sum = sg_over((number*)mem, sum, %s);\n", r.along,
			plus) + end
	}
	return begin + fmt.Sprintf("    __syncthreads();\n    if (i < %s)\n"+
		"      for (int a = lane; a < %s; a += 8) sum += sg_exp(term(a) - most);\n"+
		"    all[threadIdx.x] = sum;\n    __syncthreads();\n    sum = all[threadIdx.x %% 32];\n"+
		"    for (int k = 1; k < 8; k++) sum += all[k * 32 + threadIdx.x %% 32];\n", r.inner,
		r.along) + end
}

// split prints a long sum as sums of pieces of it, and their sum.
func (g *generator) split(r *reduction, splits int) error {
	outer, along, inner := g.most(r.outer), g.most(r.along), g.most(r.inner)
	piece := (along + splits - 1) / splits
	part := g.buffer("part of "+r.dst.String(), 4*int64(splits)*int64(outer)*int64(inner))
	first := *r
	first.setup += fmt.Sprintf("    int from = o / %d * %d, to = min(%s, from + %d);\n    o %%= %d;\n",
		outer, piece, r.along, piece, outer)
	columns := (inner + 31) / 32
	to := fmt.Sprintf("%s[slot * %d + i]", g.use(part, true), inner)
	g.end(fmt.Sprintf("  int o = block / %[1]d, i = block %% %[1]d * 32 + threadIdx.x %% 32;\n"+
		"  int lane = threadIdx.x / 32, slot = o;\n%[2]s"+
		"    auto term = [&](int a) -> float { return %[3]s; };\n"+
		"    float r = 0;\n    if (i < %[4]d)\n"+
		"      for (int a = from + lane; a < to; a += 8) r += term(a);\n"+
		"    mem[threadIdx.x] = r;\n    __syncthreads();\n    r = mem[threadIdx.x %% 32];\n"+
		"    for (int k = 1; k < 8; k++) r += mem[k * 32 + threadIdx.x %% 32];\n"+
		"    if (lane == 0 && i < %[4]d) %[5]s = r;\n", columns, first.setup, r.term, inner, to),
		outer*splits*columns)
	g.begin("sum")
	from := g.use(part, false)
	return g.reduce(&reduction{dst: r.dst, outer: r.outer, along: extent{each: splits},
		inner: r.inner, op: "sum",
		term: fmt.Sprintf("%s[(a * %d + o) * %d + i]", from, outer, inner)})
}

// reduceAxis prints a reduction of an array along axes.
func (g *generator) reduceAxis(k *plan.Kernel) error {
	x, err := g.array(k.Args[0])
	if err != nil {
		return err
	}
	r := &reduction{dst: k.Dst, op: k.Name, outer: g.extent(k.Outer...),
		along: g.extent(k.Along...), inner: g.extent(k.Inner...)}
	r.term = fmt.Sprintf("%s[(o * %s + a) * %s + i]", x, r.along, r.inner)
	return g.reduce(r)
}

// array is the text of an array that the part at hand reads, from its first entry on.
func (g *generator) array(b *plan.Buffer) (string, error) {
	p, err := g.at(b)
	if err != nil {
		return "", err
	}
	name := g.use(p.buffer, false)
	if p.offset > 0 {
		return fmt.Sprintf("(%s + %d)", name, p.offset), nil
	}
	return name, nil
}

// scatter prints sums by index. Every entry of the result looks for what is added to it, in the
// order of the other axes, so the order of a sum does not depend on which thread is first.
func (g *generator) scatter(k *plan.Kernel) error {
	from, index := k.Args[0], k.Args[1]
	var over []*ir.Axis
	for _, list := range [][]*ir.Axis{index.Axes, from.Axes} {
		for _, a := range list {
			if a != k.To && !slices.Contains(over, a) && !slices.Contains(k.Dst.Axes, a) {
				over = append(over, a)
			}
		}
	}
	b := &body{g: g, number: "float", index: map[*ir.Axis]string{}}
	entry := g.extent(k.Dst.Axes...)
	b.entry(k.Dst.Axes, "o")
	setup := b.text.String()
	b.text.Reset()
	b.entry(over, "a")
	load := func(buf *plan.Buffer) (string, error) {
		o := plan.Operand{Kind: plan.Load, Buf: buf}
		for _, a := range buf.Axes {
			o.At = append(o.At, plan.Index{Axis: a})
		}
		return b.operand(o)
	}
	value, err := load(from)
	if err != nil {
		return err
	}
	at, err := load(index)
	if err != nil {
		return err
	}
	term := fmt.Sprintf("[&]() -> float { %sreturn sg_index(%s) == %s ? %s : 0.0f; }()",
		oneLine(b.text.String()), at, b.index[k.To], value)
	return g.reduce(&reduction{dst: k.Dst, op: "sum", outer: entry, along: g.extent(over...),
		inner: extent{each: 1}, setup: indent(indent(setup)), term: term})
}
